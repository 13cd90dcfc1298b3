"""Importing more of a history than an agent holds: it says so, and starts the numbers anew when told to (decision 48)."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import blank_store, history, history_row, overwrite, texts_history, wake

from studio.actions.studio import Studio
from studio.domain.authors import AuthorKind
from studio.domain.changes import Action
from studio.domain.history import History
from studio.domain.settings import AgentSettings
from studio.domain.stand_ins import StandIn, StandInKind
from studio.errors import ImportRefused
from studio.render.wire import agent_record

sys.path.append(str(Path(__file__).parents[1] / "imports"))
from repository_builder import RepositoryBuilder


@pytest.fixture
def studio() -> Iterator[Studio]:
    with blank_store() as opened:
        yield opened


@pytest.fixture
def made(tmp_path: Path) -> RepositoryBuilder:
    """Five versions of a file, between other commits."""
    made = RepositoryBuilder(tmp_path / "repository")
    for number in range(1, 6):
        made.save("M.md", "".join(f"line {line}\n" for line in range(1, number + 1)))
        made.save("other.txt", str(number))
    return made


def shallow(made: RepositoryBuilder, folder: Path, depth: int) -> Path:
    made.git("clone", "--quiet", f"--depth={depth}", made.folder.as_uri(), str(folder))
    return folder


def texts(studio: Studio, agent: str) -> list[str | None]:
    return [studio.get_memory_version(agent, one.number).body.text for one in studio.list_memory_versions(agent)][::-1]


@pytest.mark.parametrize("depth", [1, 2, 5], ids=lambda depth: f"depth {depth}")
@pytest.mark.parametrize("how", [("--unshallow",), ("--deepen=4",)], ids=["all", "some more"])
def test_a_deepened_copy_is_named_and_replaces_what_the_shallow_one_brought(
    studio: Studio, made: RepositoryBuilder, tmp_path: Path, depth: int, how: tuple[str, ...]
) -> None:
    copy = shallow(made, tmp_path / "copy", depth)
    studio.import_git(copy, "M.md", "a")
    before = texts(studio, "a")
    assert studio.list_memory_versions("a")[-1].author.kind is AuthorKind.UNKNOWN
    made.git("-C", str(copy), "fetch", "--quiet", *how)
    with pytest.raises(
        ImportRefused, match=r"more than the \d that a was imported with; import it with --replace, which"
    ):
        studio.import_git(copy, "M.md", "a")
    assert texts(studio, "a") == before
    imported = studio.import_git(copy, "M.md", "a", replace=True)
    assert (imported.added, imported.skipped) == (imported.versions, 0)
    assert imported.warnings[-1] == (
        f"The numbers of a start anew: it held {len(before)} versions of this history, and has {imported.versions} now."
    )
    assert texts(studio, "a")[-len(before) :] == before
    whole = how == ("--unshallow",)
    versions = studio.list_memory_versions("a")
    assert (len(versions) == 5) is (whole or depth == 5)
    assert (versions[-1].author.kind is AuthorKind.OPERATOR) is whole
    assert [one.number for one in versions] == list(range(len(versions), 0, -1))
    source = studio.get_agent("a").source
    assert source is not None
    assert source.restarted_at == studio.now()
    assert studio.import_git(copy, "M.md", "a").added == 0
    assert studio.import_git(copy, "M.md", "a", replace=True).added == 0, "nothing is replaced by itself"


def test_a_copy_with_less_is_not_taken_in_place_of_more(
    studio: Studio, made: RepositoryBuilder, tmp_path: Path
) -> None:
    studio.import_git(made.folder, "M.md", "a")
    with pytest.raises(ImportRefused):
        studio.import_git(shallow(made, tmp_path / "copy", 3), "M.md", "a")
    with pytest.raises(ImportRefused, match="has less of the history than a holds"):
        studio.import_git(tmp_path / "copy", "M.md", "a", replace=True)
    assert len(studio.list_memory_versions("a")) == 5


MORE = texts_history("0\n", "1\n", "2\n", "3\n", key="git:memory.md:zero")
LESS = history(
    [history_row(n, f"{n + 1}\n", commit=row.origin.commit) for n, row in enumerate(MORE.rows[2:], 1)],
    "git:memory.md:two",
)


@pytest.mark.parametrize("way", ["save", "memory_write", "restore"])
def test_what_was_written_here_is_never_replaced(studio: Studio, way: str) -> None:
    studio.import_history("a", LESS)
    if way == "memory_write":
        studio.memory_write("a", "by a run\n", run=wake(studio, "a"))
    elif way == "restore":
        studio.restore_memory("a", 1)
    else:
        overwrite(studio, "a", "by hand\n")
    before = texts(studio, "a")
    with pytest.raises(ImportRefused, match="was changed here in version 3, so its numbers cannot start anew"):
        studio.import_history("a", MORE, replace=True)
    assert texts(studio, "a") == before


def test_the_ledger_keeps_both_imports_and_the_rule_of_retention_holds(studio: Studio) -> None:
    studio.import_history("a", LESS)
    studio.configure_agent("a", AgentSettings(retention=1))
    studio.import_history("a", MORE, replace=True)
    assert [one.number for one in studio.list_memory_versions("a")] == [4, 3]
    changes = studio.list_file_changes("a")
    assert [(one.action, one.version) for one in changes if one.action is Action.IMPORT] == [
        (Action.IMPORT, 4),
        (Action.IMPORT, 2),
    ]
    assert agent_record(studio.get_agent("a"))["source"]["restarted_at"] is not None


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (texts_history("x\n", "y\n", key="git:memory.md:other"), "has nothing of what a was imported from"),
        (texts_history("2\n", "3\n", "4\n", key="git:elsewhere.md:two"), "came from"),
    ],
)
def test_only_more_of_the_same_history_replaces(studio: Studio, other: History, why: str) -> None:
    studio.import_history("a", LESS)
    strange = history(
        [
            history_row(n, row.body.text if row.body else None, commit=f"{n:039x}f")
            for n, row in enumerate(other.rows, 1)
        ],
        other.source.key,
    )
    with pytest.raises(ImportRefused, match=why):
        studio.import_history("a", strange, replace=True)
    assert texts(studio, "a") == ["2\n", "3\n"]


def test_a_rewritten_history_replaces_when_told_to(studio: Studio) -> None:
    studio.import_history("a", MORE)
    rewritten = history([*MORE.rows[:2], history_row(3, "other\n", commit="f" * 40)], MORE.source.key)
    with pytest.raises(ImportRefused, match="was rewritten since a was imported; import it with --replace"):
        studio.import_history("a", rewritten)
    studio.import_history("a", rewritten, replace=True)
    assert texts(studio, "a") == ["0\n", "1\n", "other\n"]


def test_fetched_texts_take_the_place_of_their_pointers(studio: Studio) -> None:
    """git-history-08: after `git lfs fetch --all`."""
    pointer = StandIn(StandInKind.LFS, f"sha256:{'0' * 64}", 2)
    studio.import_history("a", history([history_row(1, "1\n"), history_row(2, "pointer", stand_in=pointer)]))
    here = history([history_row(1, "1\n"), history_row(2, "2\n")])
    with pytest.raises(
        ImportRefused, match="1 version of it has its text now, where a holds a stand-in; import it with"
    ):
        studio.import_history("a", here)
    studio.import_history("a", here, replace=True)
    assert texts(studio, "a") == ["1\n", "2\n"]


def test_a_full_history_is_more_and_an_agent_made_from_it_stays_with_it(
    studio: Studio, made: RepositoryBuilder
) -> None:
    made.git("checkout", "--quiet", "-b", "side")
    made.save("M.md", "side\n")
    made.git("checkout", "--quiet", "main")
    made.save("M.md", "main\n")
    made.merge("side", resolved={"M.md": "main\n"})
    first = studio.import_git(made.folder, "M.md", "a")
    assert "--full-history takes them" in first.warnings[0]
    with pytest.raises(ImportRefused, match="more than the 6"):
        studio.import_git(made.folder, "M.md", "a", full_history=True)
    studio.import_git(made.folder, "M.md", "a", full_history=True, replace=True)
    assert "side\n" in texts(studio, "a")
    assert texts(studio, "a")[-1] == "main\n"
    made.save("M.md", "later\n")
    assert studio.import_git(made.folder, "M.md", "a").added == 1
    assert texts(studio, "a")[-1] == "later\n"


def test_a_restart_is_an_entry_of_the_chain(studio: Studio, made: RepositoryBuilder, tmp_path: Path) -> None:
    """Decisions 38 and 48: what follows is tied to it, links noted before are found, and a check finds nothing."""
    copy = shallow(made, tmp_path / "copy", 2)
    studio.import_git(copy, "M.md", "a")
    wake(studio, "a")
    noted = studio.verify(note_heads=True).checked
    assert noted is not None
    made.git("-C", str(copy), "fetch", "--quiet", "--unshallow")
    studio.import_git(copy, "M.md", "a", replace=True)
    overwrite(studio, "a", "by hand\n")
    checked = studio.verify(heads=noted.heads).checked
    assert checked is not None
    assert ([str(one) for one in checked.findings], checked.noted) == ([], len(noted.heads))
    assert all(one.changed_outside is None for one in studio.list_memory_versions("a"))
