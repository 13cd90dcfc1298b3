"""One person under one name: what a repository's `.mailmap` says, for an import and for a directory (decision 40)."""

import os
import unicodedata
from pathlib import Path

import pytest
from repository_builder import RepositoryBuilder

from studio import git
from studio.domain.authors import Author, AuthorKind
from studio.domain.identities import Identity
from studio.imports.git_history import read_git_history
from studio.memfs.audit import audit_commits
from studio.memfs.history import read_history

OLD = Identity("Old Name1", "same@example.org")
NEW = "New Name <same@example.org>\n"


def repository(tmp_path: Path, *options: str) -> RepositoryBuilder:
    """Three commits of one person under three names."""
    made = RepositoryBuilder(tmp_path / "repo", *options)
    for number in (1, 2, 3):
        made.write("a.md", f"{number}\n" * number)
        made.commit(author=f"Old Name{number} <same@example.org>")
    return made


def named(repo: Path) -> dict[Identity, Identity]:
    return git.canonical(git.open_repository(repo), [OLD])


def test_a_person_of_three_names_is_one_author(tmp_path: Path) -> None:
    """attribution-10 (a)."""
    made = repository(tmp_path)
    made.write(".mailmap", NEW)
    made.commit("add .mailmap")
    rows = read_git_history(made.folder, "a.md").rows
    assert [row.author for row in rows] == [
        Author(AuthorKind.OPERATOR, "New Name", evidence=f"mailmap: Old Name{number} <same@example.org>")
        for number in (1, 2, 3)
    ]
    assert [row.author.name for row in rows] == made.lines("log", "--reverse", "--format=%aN", "--", "a.md")


def test_a_name_in_two_forms_is_one_author(tmp_path: Path) -> None:
    """attribution-10 (b)."""
    made = RepositoryBuilder(tmp_path / "repo")
    for number, form in enumerate(("NFC", "NFD")):
        made.write("a.md", f"{number}\n")
        made.commit(author=f"{unicodedata.normalize(form, 'Michał Gołęb')} <m@example.org>")  # type: ignore[arg-type]
    assert {row.author.name for row in read_git_history(made.folder, "a.md").rows} == {"Michał Gołęb"}


def test_a_directory_names_its_authors_as_an_import_does(tmp_path: Path) -> None:
    made = repository(tmp_path)
    newest = read_history(git.open_repository(made.folder)).newest
    assert newest is not None
    assert newest.author.name == "Old Name3"
    made.write(".mailmap", NEW)
    opened = git.open_repository(made.folder)
    for history in (read_history(opened), read_history(opened, "a.md")):
        assert {version.author.name for version in history.versions} == {"New Name"}
    made.write("secret.md", "AKIA" + "Q3EGRTUFQ2ZB7XWA\n")
    made.commit(author="Old Name1 <same@example.org>")
    audited = audit_commits(git.open_repository(made.folder)).round_the_hook
    assert {commit.author.name for commit in audited} == {"New Name"}


def test_a_bare_repository_reads_that_of_head(tmp_path: Path) -> None:
    made = repository(tmp_path)
    made.write(".mailmap", NEW)
    made.commit("add .mailmap")
    bare = tmp_path / "bare.git"
    made.git("clone", "--quiet", "--bare", str(made.folder), str(bare))
    assert named(bare)[OLD] == Identity("New Name", "same@example.org")


def test_what_settings_name_is_not_read(tmp_path: Path) -> None:
    """A repository is data: its settings could name any file of this machine, or a blob nobody sees."""
    made = repository(tmp_path)
    outside = tmp_path / "outside"
    outside.write_text(NEW)
    blob = made.git("hash-object", "-w", "--stdin", given=NEW.encode()).decode().strip()
    made.git("config", "mailmap.file", str(outside))
    made.git("config", "mailmap.blob", blob)
    assert named(made.folder) == {}


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "huge", "junk"])
def test_what_is_no_mailmap_names_nobody(tmp_path: Path, kind: str) -> None:
    made = repository(tmp_path)
    file = made.folder / ".mailmap"
    (tmp_path / "outside").write_text(NEW)
    match kind:
        case "link":
            file.symlink_to(tmp_path / "outside")
        case "pipe":
            os.mkfifo(file)
        case "folder":
            file.mkdir()
        case "huge":
            file.write_text(NEW * (git.MAILMAP_CAP_BYTES // len(NEW) + 1))
        case _:
            file.write_bytes(b"\xff\0 <<>> # \n<same@\n")
    assert named(made.folder) == {}


def test_where_the_working_tree_has_none_that_of_head_counts(tmp_path: Path) -> None:
    made = repository(tmp_path)
    made.write(".mailmap", NEW)
    made.commit("add .mailmap")
    file = made.folder / ".mailmap"
    file.unlink()
    assert OLD in named(made.folder)
    os.mkfifo(file)
    assert OLD in named(made.folder)


@pytest.mark.parametrize(
    ("line", "who", "name"),
    [
        pytest.param("Ana <ana@example.org> <ANA@old.example>", ("x", "ana@OLD.example"), "Ana", id="the case"),
        pytest.param(
            "Ana <ana@users.noreply.github.com>",
            ("x", "12+ana@users.noreply.github.com"),
            "Ana",
            id="a numbered noreply",
        ),
        pytest.param(
            "Ana <ana@example.org> Maëlle <m@example.org>", ("Maëlle", "m@example.org"), "Ana", id="name and address"
        ),
        pytest.param("Ana <ana@example.org> Maëlle <m@example.org>", ("Ben", "m@example.org"), None, id="another name"),
        pytest.param("Ana <ana@example.org>", ("", "ana@example.org"), "Ana", id="no name"),
        pytest.param("Ana <ana@example.org>", ("x <y", "ana@example.org"), None, id="a name that git cannot read"),
        pytest.param("Ana <ana@example.org>", ("x\ny", "ana@example.org"), None, id="a name of two lines"),
        pytest.param("Ana <ana@example.org>", ("x", ""), None, id="no address"),
    ],
)
def test_an_identity_is_looked_up_as_git_does(
    tmp_path: Path, line: str, who: tuple[str, str], name: str | None
) -> None:
    made = repository(tmp_path)
    made.write(".mailmap", line)
    others = [Identity(f"P{number}", f"p{number}@example.org") for number in range(3)]
    found = git.canonical(git.open_repository(made.folder), [*others, Identity(*who), *others])
    assert {one: canonical.name for one, canonical in found.items()} == ({Identity(*who): name} if name else {})
