"""How git is run: the same answer whatever the machine's, the user's or the repository's configuration says."""

import os
import subprocess
from pathlib import Path

import pytest

from studio import git
from studio.errors import NotFound, NothingToRead


def run(folder: Path, *arguments: str, given: bytes = b"") -> str:
    people = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in PERSON.items()}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**kept, **people, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(folder)}
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, check=True, env=environment)
    return done.stdout.decode().strip()


PERSON = {"NAME": "Ana", "EMAIL": "ana@example.org", "DATE": "1700000000 +0200"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository whose file was written, renamed and changed."""
    made = tmp_path / "repository"
    made.mkdir()
    run(made, "init", "--quiet", "--initial-branch=main")
    (made / "old.md").write_bytes(b"one\ntwo\nthree\n")
    save(made, "first")
    (made / "old.md").rename(made / "new.md")
    save(made, "second")
    (made / "new.md").write_bytes(b"one\ntwo\nthree\nfour\n")
    save(made, "third")
    return made


def save(folder: Path, message: str) -> None:
    run(folder, "add", "--all")
    run(folder, "commit", "--quiet", f"--message={message}")


def seen(folder: Path) -> list[tuple[str, str, str | None]]:
    """What a reader sees of the file's history, with its texts read as well."""
    repository = git.open_repository(folder)
    commits = git.log(repository, ["new.md"], follow=True)
    changes = [(commit.subject, change) for commit in commits for change in commit.changes]
    assert all(content is not None for _, content in git.blobs(repository, [change.sha for _, change in changes]))
    return [(subject, change.status, change.old_path) for subject, change in changes]


EXPECTED = [("third", "M", None), ("second", "R", "old.md"), ("first", "A", None)]


def test_a_log_follows_the_file_newest_first(folder: Path) -> None:
    assert seen(folder) == EXPECTED


SETTINGS = [
    "log.showSignature=true",
    "log.showRoot=false",
    "log.follow=true",
    "log.decorate=full",
    "log.date=iso",
    "log.diffMerges=m",
    "diff.renames=false",
    "diff.relative=true",
    "diff.orderFile=/nowhere",
    "diff.external=touch ran",
    "color.ui=always",
    "color.diff=always",
    "core.quotePath=true",
    "core.abbrev=4",
    "core.pager=touch ran",
    "core.fsmonitor=touch ran",
    "core.sshCommand=touch ran",
    "format.pretty=oneline",
    "i18n.logOutputEncoding=UTF-16",
    "pager.log=true",
    "alias.log=!touch ran",
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_setting_of_the_repository_changes_an_answer_or_runs_a_program(folder: Path, setting: str) -> None:
    name, _, value = setting.partition("=")
    run(folder, "config", name, value)
    assert seen(folder) == EXPECTED
    assert [path.name for path in folder.rglob("ran")] == []


def test_no_setting_of_the_user_changes_an_answer(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"[{name.partition('.')[0]}]\n{name.partition('.')[2]} = {value}\n" for name, _, value in split_settings()]
    (tmp_path / "gitconfig").write_text("".join(lines))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    assert seen(folder) == EXPECTED


def split_settings() -> list[tuple[str, str, str]]:
    return [setting.partition("=") for setting in SETTINGS]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_DIR", "/nowhere"),
        ("GIT_WORK_TREE", "/"),
        ("GIT_INDEX_FILE", "/nowhere"),
        ("GIT_OBJECT_DIRECTORY", "/nowhere"),
        ("GIT_NAMESPACE", "elsewhere"),
        ("GIT_EXTERNAL_DIFF", "false"),
        ("GIT_PAGER", "false"),
        ("GIT_GLOB_PATHSPECS", "1"),
        ("GIT_TRACE", "1"),
        ("LC_ALL", "de_DE.UTF-8"),
        ("LANGUAGE", "de"),
    ],
)
def test_no_variable_of_the_environment_changes_an_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    assert seen(folder) == EXPECTED


def test_replaced_objects_are_not_followed(folder: Path) -> None:
    run(folder, "replace", "HEAD:new.md", run(folder, "hash-object", "-w", "--stdin", given=b"replaced\n"))
    repository = git.open_repository(folder)
    (entry,) = git.tree(repository, ["new.md"])
    assert dict(git.blobs(repository, [entry.sha])) == {entry.sha: b"one\ntwo\nthree\nfour\n"}


def test_attributes_and_filters_do_not_touch_a_text(folder: Path) -> None:
    (folder / ".gitattributes").write_text("*.md diff=evil filter=evil text eol=crlf\n")
    for setting in ("diff.evil.textconv=touch ran", "diff.evil.command=touch ran", "filter.evil.smudge=touch ran"):
        name, _, value = setting.partition("=")
        run(folder, "config", name, value)
    assert seen(folder) == EXPECTED
    assert not (folder / "ran").exists()


def test_blobs_answer_each_once_and_none_for_what_is_not_there(folder: Path) -> None:
    repository = git.open_repository(folder)
    (entry,) = git.tree(repository, ["new.md"])
    absent = "1" * 40
    answers = list(git.blobs(repository, [absent, entry.sha, absent, entry.sha]))
    assert answers == [(absent, None), (entry.sha, b"one\ntwo\nthree\nfour\n")]


def test_a_text_that_a_partial_copy_lacks_is_never_fetched(folder: Path, tmp_path: Path) -> None:
    run(folder, "config", "uploadpack.allowFilter", "true")
    copy = tmp_path / "partial"
    run(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", folder.as_uri(), str(copy))
    # The copy's own configuration allows its source: only we keep git from asking it.
    run(copy, "config", "protocol.file.allow", "always")
    repository = git.open_repository(copy)
    shas = [entry.sha for entry in git.tree(repository, ["new.md"])]
    assert list(git.blobs(repository, shas)) == [(shas[0], None)]
    run(copy, "cat-file", "-e", shas[0])  # git alone would have fetched it


def test_the_time_keeps_the_offset_it_was_written_with(folder: Path) -> None:
    commit = git.log(git.open_repository(folder), ["new.md"])[0]
    assert commit.authored is not None
    assert commit.authored.isoformat() == "2023-11-15T00:13:20+02:00"


def test_a_repository_says_where_it_was_named(folder: Path) -> None:
    (folder / "notes" / "deep").mkdir(parents=True)
    repository = git.open_repository(folder / "notes" / "deep")
    assert (repository.root, repository.prefix) == (folder.resolve(), "notes/deep/")
    assert git.open_repository(folder / ".git").root is None


# --- what is refused ---------------------------------------------------------------------------------------------------


def test_git_that_is_not_installed_is_said(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotFound, match="git is not installed"):
        git.open_repository(folder)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_user_is_said_plainly(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    for path in (folder, folder / ".git"):
        os.chown(path, 12345, 12345)
    with pytest.raises(NothingToRead, match=r"belongs to another user.*dubious ownership.*safe\.directory"):
        git.open_repository(folder)


def test_a_damaged_repository_is_one_sentence(folder: Path) -> None:
    repository = git.open_repository(folder)
    for pack in (folder / ".git" / "objects").rglob("*"):
        if pack.is_file():
            pack.chmod(0o600)
            pack.write_bytes(b"")
    with pytest.raises(git.GitFailed, match="git says: ") as refused:
        git.log(repository, ["new.md"])
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["\ud800", "HEAD\0", "no-such-branch"], ids=ascii)
def test_a_name_that_no_command_can_be_given_names_no_commit(folder: Path, name: str) -> None:
    with pytest.raises(NotFound, match="has no commit"):
        git.commit_of(git.open_repository(folder), name)


@pytest.mark.parametrize("name", ["x" * 3_000_000], ids=["long"])
def test_a_name_longer_than_a_command_may_be_is_refused_in_a_sentence(folder: Path, name: str) -> None:
    with pytest.raises(NotFound, match="has no commit"):
        git.commit_of(git.open_repository(folder), name)


@pytest.mark.parametrize(
    "name", [r":/(x+)+\1y", r"HEAD^{/(x+)+\1y}", r"HEAD~1..:/(x+)+\1y", r"HEAD^{/!-a}..HEAD", r"..^:/a", "HEAD^{/}"]
)
def test_no_name_makes_git_search_messages_since_some_patterns_never_end(folder: Path, name: str) -> None:
    repository = git.open_repository(folder)
    with pytest.raises(NotFound, match="searches for a commit by its message"):
        git.commit_of(repository, name)
    with pytest.raises(NotFound, match="searches for a commit by its message"):
        git.lineage(repository, revisions=name)


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9])
def test_an_object_that_cannot_be_read_whole_is_damage_and_never_a_shorter_text(folder: Path, kept: float) -> None:
    """Decision 5: a text is its bytes."""
    repository = git.open_repository(folder)
    content = "".join(f"{number} {number * number}\n" for number in range(20_000)).encode()
    sha = git.run(str(folder), "hash-object", "-w", "--stdin", given=content).decode().strip()
    other = git.run(str(folder), "hash-object", "-w", "--stdin", given=b"whole\n").decode().strip()
    assert dict(git.blobs(repository, [sha, other])) == {sha: content, other: b"whole\n"}
    file = folder / ".git" / "objects" / sha[:2] / sha[2:]
    packed = file.read_bytes()
    file.chmod(0o600)
    file.write_bytes(packed[: int(kept * len(packed))])
    with pytest.raises(NothingToRead, match="it is damaged"):
        dict(git.blobs(repository, [other, sha]))
    file.write_bytes(b"")
    assert dict(git.blobs(repository, [sha, other])) == {sha: None, other: b"whole\n"}


def test_a_very_long_subject_is_cut(folder: Path) -> None:
    message = b"S" * 300_000
    tree = git.run(str(folder), "rev-parse", "HEAD^{tree}").decode().strip()
    people = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    made = git.run(str(folder), "commit-tree", tree, given=message, also=people).decode().strip()
    (commit,) = git.lineage(git.open_repository(folder), whole=True, revisions=made)
    assert (commit.subject, len(commit.message.strip())) == ("S" * git.SUBJECT_CHARACTERS, 300_000)
