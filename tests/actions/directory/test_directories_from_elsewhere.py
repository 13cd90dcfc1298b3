"""Memory directories through the process that owns the store: every value comes over unchanged, edits bear the visitor's name."""

from pathlib import Path
from typing import Any

import pytest
from repository_builder import RepositoryBuilder

from studio.actions.calls import SHELVES, carry_out, find_method
from studio.actions.studio import Studio
from studio.domain.exchange import dumps, from_json, loads, to_json
from studio.domain.tokens import Role, Visitor
from studio.errors import NotAllowed, OnThatMachineOnly

HUMAN = "---\nname: human\ndescription: Who the user is.\n---\nBe brief.\n"


@pytest.fixture
def repo(tmp_path: Path) -> RepositoryBuilder:
    made = RepositoryBuilder(tmp_path / "memory")
    made.save("MEMORY.md", "# Index\n", "begin")
    made.write("picture.png", b"\0\xff")
    made.save("human.md", HUMAN + "Never \udcff\n".encode("utf-8", "surrogateescape").decode("latin-1"), "say who")
    return made


@pytest.fixture
def linked(studio: Studio, repo: RepositoryBuilder) -> Studio:
    studio.create_agent("scout")
    studio.directories.link(str(repo.folder), "scout")
    return studio


def call(studio: Studio, visitor: Visitor, name: str, **arguments: object) -> Any:
    """A call as it travels: arguments to JSON, the value to JSON and back."""
    method = find_method(f"directories.{name}")
    assert method is not None
    types = method.types()
    sent = loads(dumps({one: to_json(value, types[one]) for one, value in arguments.items()}))
    return from_json(loads(dumps(carry_out(studio, visitor, method, sent))), types["return"])


READS: dict[str, dict[str, object]] = {
    "get": {},
    "tree": {},
    "findings": {},
    "survey": {},
    "advise": {},
    "judge": {"path": "human.md", "text": "no header"},
    "compile": {"base": "{CORE_MEMORY} end"},
    "history": {"path": "human.md"},
    "authors": {},
    "version": {"number": 1},
    "compare": {"number": 2},
    "diff": {"old": "HEAD~1"},
    "headroom": {},
}


@pytest.mark.parametrize("name", READS)
def test_what_is_read_comes_over_unchanged(linked: Studio, name: str) -> None:
    visitor = Visitor(Role.VIEWER, "wall")
    at_home = getattr(linked.directories, name)("scout", **READS[name])
    assert call(linked, visitor, name, agent="scout", **READS[name]) == at_home


def test_an_edit_bears_the_visitors_name(linked: Studio, repo: RepositoryBuilder) -> None:
    done = call(
        linked,
        Visitor(Role.OPERATOR, "Ben"),
        "edit",
        agent="scout",
        path="human.md",
        text=HUMAN,
        message="Why",
        force=True,
    )
    assert repo.line("log", "-1", "--format=%H %an") == f"{done.commit} Ben"
    for role in (Role.VIEWER, Role.AGENT):
        with pytest.raises(NotAllowed):
            call(linked, Visitor(role, "wall"), "edit", agent="scout", path="human.md", text="x", message="Why")


def test_a_folder_is_named_only_on_the_machine_it_is_on(linked: Studio, repo: RepositoryBuilder) -> None:
    """Else a token would read any repository that the owner's account can read."""
    with pytest.raises(OnThatMachineOnly):
        call(linked, Visitor(Role.OPERATOR, "Ben"), "link", agent="scout", repository=str(repo.folder))
    here = Visitor(Role.OPERATOR, "Ben", local=True)
    assert call(linked, here, "link", agent="scout", repository=str(repo.folder)).path == str(repo.folder)


def test_every_method_can_be_called_from_elsewhere() -> None:
    own = {name for name in vars(SHELVES["directories"]) if not name.startswith("_")}
    assert {name for name in own if find_method(f"directories.{name}") is None} == set()
