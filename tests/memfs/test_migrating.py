"""From the old layout to today's: nothing is lost, nothing is guessed at silently, and the result passes the checks."""

import shutil
from pathlib import Path

import pytest
from builders import START
from hypothesis import given
from hypothesis import strategies as st
from repository_builder import RepositoryBuilder

from studio import git
from studio.actions.directory.checking import missing_index
from studio.actions.directory.tending import migrate_directory
from studio.domain.bodies import Body
from studio.domain.directory.frontmatter import read
from studio.domain.directory.limits import check
from studio.domain.directory.migration import new_path, plan
from studio.domain.directory.tree import FileMode, Tree, TreeFile
from studio.errors import MigrationRefused, Uncommitted
from studio.memfs.checks import check_commit
from studio.memfs.migrating import plan_migration
from studio.memfs.repo import compiled_at, open_directory

PERSONA = "---\ndescription: Who I am\n---\nI keep the notes.\n"
OLD = {
    "system/persona.md": PERSONA,
    "system/human/prefs/coding.md": '---\ndescription: "How to code"\nlimit: 5000\n---\nShort diffs.\n',
    "reference/history.md": "---\ndescription: >\n  Background, read\n  when needed\nread_only: true\n---\nHistory.\n",
    "reference/a/b/deep.md": "# Deep things\n\nText.\n",
    "ideas.md": "no header at all",
    "system/memory_filesystem.md": "---\ndescription: tree\n---\n- persona\n",
    "skills/pdf/SKILL.md": "---\nname: pdf\n---\nx\n",
    "picture.png": "bytes",
}


def tree_of(files: dict[str, str]) -> Tree:
    def file(path: str) -> TreeFile:
        return TreeFile(path, FileMode.REGULAR, "0", Body(files[path]))

    return Tree(tuple(file(path) for path in sorted(files)))


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    made = RepositoryBuilder(tmp_path / "memory")
    for path, content in OLD.items():
        made.write(path, content)
    made.commit("the old layout")
    return made


def moved(repo: RepositoryBuilder) -> dict[str, str]:
    return {path: repo.git("show", f"HEAD:{path}").decode() for path in repo.lines("ls-files") if path.endswith(".md")}


def test_a_dry_run_says_everything_and_changes_nothing(repo: RepositoryBuilder) -> None:
    before = repo.line("rev-parse", "HEAD")
    done = migrate_directory(repo.folder, apply=False, now=START)
    assert [(one.old, one.new) for one in done.migration.steps] == [
        ("system/memory_filesystem.md", None),
        (None, "MEMORY.md"),
        ("system/human/prefs/coding.md", "human-prefs-coding.md"),
        (None, "notes/MEMORY.md"),
        ("ideas.md", "notes/ideas.md"),
        ("system/persona.md", "persona.md"),
        (None, "reference/MEMORY.md"),
        (None, "reference/a/MEMORY.md"),
        ("reference/a/b/deep.md", "reference/a/b-deep.md"),
        ("reference/history.md", "reference/history.md"),
    ]
    assert (done.commit, done.migration.reasons) == (None, ())
    said = " ".join(done.migration.notices)
    for words in (
        "limit of 5000",
        'add "reference/history.md" to readOnlyFiles',
        "'Deep things' now",
        "listed the files",
    ):
        assert words in said
    assert (repo.line("rev-parse", "HEAD"), repo.lines("status", "--porcelain")) == (before, [])


def test_applying_it_is_one_commit_that_passes_the_checks(repo: RepositoryBuilder) -> None:
    repo.write("untracked.txt", "mine")
    done = migrate_directory(repo.folder, apply=True, now=START, operator="Ana")
    assert repo.lines("log", "--format=%an %s") == [
        "Ana Move memory to the layout of root blocks",
        "Ana the old layout",
    ]
    assert done.commit == repo.line("rev-parse", "HEAD")
    assert repo.lines("status", "--porcelain") == ["?? untracked.txt"]
    assert check_commit(open_directory(repo.folder)).clean
    files = moved(repo)
    assert files["persona.md"] == "---\nname: persona\ndescription: Who I am\n---\nI keep the notes.\n"
    assert read(files["human-prefs-coding.md"]).description == "How to code"
    assert read(files["reference/history.md"]).description == "Background, read when needed"
    assert files["notes/ideas.md"].endswith("---\nno header at all\n")
    assert not (repo.folder / "system").exists()
    assert files["skills/pdf/SKILL.md"] == OLD["skills/pdf/SKILL.md"]
    for folder in ("notes/", "reference/"):
        assert folder in files["MEMORY.md"]
    assert "b-deep.md — Deep things" in files["reference/a/MEMORY.md"]
    assert "I keep the notes." in compiled_at(open_directory(repo.folder)).text
    assert missing_index(repo.folder) is None


def test_migrating_again_says_that_it_is_done(repo: RepositoryBuilder) -> None:
    migrate_directory(repo.folder, apply=True, now=START)
    again = migrate_directory(repo.folder, apply=False, now=START).migration
    assert again.steps == ()
    assert "it has today's layout" in again.reasons[0]
    with pytest.raises(MigrationRefused):
        migrate_directory(repo.folder, apply=True, now=START)


def test_the_shared_folder_of_the_missing_index(shared: Path, tmp_path: Path) -> None:
    made = RepositoryBuilder(tmp_path / "memory")
    shutil.copytree(shared / "formats/memfs-legacy", made.folder, dirs_exist_ok=True)
    made.commit()
    words = missing_index(made.folder)
    assert words is not None
    assert "studio dir migrate" in words
    (missing, *_) = check_commit(open_directory(made.folder)).findings
    assert (missing.kind, "studio dir migrate" in missing.message) == ("root_index_missing", True)
    migrate_directory(made.folder, apply=True, now=START)
    assert check_commit(open_directory(made.folder)).clean
    assert "I keep the notes of this project." in compiled_at(open_directory(made.folder)).text


@pytest.mark.parametrize(
    ("files", "says"),
    [
        pytest.param({"system/a/b.md": PERSONA, "system/a-b.md": PERSONA}, "would both become a-b.md", id="two blocks"),
        pytest.param({"system/A.md": PERSONA, "system/a.md": PERSONA}, "would both become", id="case only"),
        pytest.param({"ideas.md": PERSONA, "notes/ideas.md": PERSONA}, "would both become notes/ideas.md", id="a note"),
        pytest.param({"ideas.md": PERSONA, "notes": "mine"}, "notes is a file where notes/ideas.md", id="no folder"),
        pytest.param({"system/x/plan.txt.md": PERSONA, "x-plan.txt.md": PERSONA}, "", id="what moves away makes room"),
        pytest.param({"system/MEMORY.md": PERSONA}, "take the place of the root index", id="root index"),
        pytest.param({"system/memory.md": PERSONA}, "take the place of the root index", id="memory block"),
        pytest.param({"system/long.md": PERSONA + "x" * 20_000}, "20,000 are allowed", id="too long"),
        pytest.param({"system/key.md": PERSONA + "ghp_" + "A1b2" * 9}, "looks like a secret", id="secret"),
        pytest.param({"skills/flat.md": PERSONA}, "right below skills/", id="flat skill"),
    ],
)
def test_what_stands_against_it_is_said_at_once(tmp_path: Path, files: dict[str, str], says: str) -> None:
    made = RepositoryBuilder(tmp_path / "memory")
    for path, content in {"system/persona.md": PERSONA, **files}.items():
        made.write(path, content)
    made.commit()
    found = plan_migration(git.open_repository(made.folder))
    assert says in " ".join(found.reasons)
    assert bool(found.reasons) == bool(says)
    if says:
        before = made.line("rev-parse", "HEAD")
        with pytest.raises(MigrationRefused):
            migrate_directory(made.folder, apply=True, now=START)
        assert made.line("rev-parse", "HEAD") == before


def test_uncommitted_work_is_not_gone_over(repo: RepositoryBuilder) -> None:
    repo.write("ideas.md", "changed")
    with pytest.raises(Uncommitted, match=r"ideas\.md"):
        migrate_directory(repo.folder, apply=True, now=START)
    repo.git("checkout", "--quiet", "--", "ideas.md")
    repo.write("MEMORY.md", "mine, not committed")
    with pytest.raises(Uncommitted, match=r"MEMORY\.md"):
        migrate_directory(repo.folder, apply=True, now=START)
    assert (repo.folder / "MEMORY.md").read_text() == "mine, not committed"


NAMES = st.sampled_from(
    ["system/a.md", "system/b/c.md", "d.md", "e/f.md", "e/g/h/i/j.md", "e/MEMORY.md", "skills/s/SKILL.md"]
)
HEADED = ("---\ndescription:\n---\n", "---\nname: x\ndescription: y\n---\nz", PERSONA)
BODIES = st.sampled_from([*HEADED, "plain\n", "# Title\n\ntext", ""])


@given(st.dictionaries(NAMES, BODIES, min_size=1))
def test_a_migration_that_nothing_stands_against_keeps_every_text_and_passes_the_limits(files: dict[str, str]) -> None:
    files = {"system/persona.md": PERSONA, **files}
    found = plan(tree_of(files))
    assert found.reasons == ()
    after = dict(files)
    for step in found.steps:
        after.pop(step.old or "", None)
    after |= {step.new: step.text for step in found.steps if step.new is not None}
    assert check(tree_of(after)) == ()
    for path, content in files.items():
        if not path.startswith("skills/"):
            assert read(content).body.strip() in after[new_path(path)]
