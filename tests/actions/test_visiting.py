"""An open store as somebody sees it who signed in: whose name their writes bear, what a viewer may do, and when it is over."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from studio import RunKind, Studio, Trigger
from studio.domain.agents import AgentConfig
from studio.domain.collections import Column
from studio.domain.settings import AgentSettings
from studio.domain.tokens import Role, Ticket
from studio.errors import SignedOut, ViewersRead


def signed_in(studio: Studio, name: str, role: Role) -> Studio:
    """The store as the holder of a new token sees it."""
    ticket = studio.ticket_of(studio.tokens.create(name, role)[1])
    assert ticket is not None
    return studio.visited(ticket)


@pytest.fixture
def desk(studio: Studio) -> str:
    """An agent with a memory, a draft and a note."""
    agent = studio.create_agent("desk", focus="Sell.").id
    studio.save_memory(agent, "one\n", force=True)
    studio.draft_task(agent, "Sell more.")
    studio.notes.create(studio.notes.path("tone.md"), "Be kind.")
    studio.collections.create(studio.collections.path("leads"), [Column("name")])
    return agent


def test_an_operator_writes_under_the_name_of_the_token(studio: Studio, desk: str) -> None:
    ben = signed_in(studio, "Ben", Role.OPERATOR)
    assert (ben.operator, ben.may_write) == ("Ben", True)
    ben.save_memory(desk, "two\n", force=True)
    ben.publish_task(desk)
    assert str(studio.list_memory_versions(desk, limit=1)[0].author) == "operator Ben"
    assert str(studio.list_task_versions(desk, limit=1)[0].author) == "operator Ben"
    assert studio.operator == "Ana"


WRITES: dict[str, Callable[[Studio, str], object]] = {
    "save a memory": lambda studio, agent: studio.save_memory(agent, "two\n", force=True),
    "save the same memory": lambda studio, agent: studio.save_memory(agent, "one\n", force=True),
    "restore a memory": lambda studio, agent: studio.restore_memory(agent, 1),
    "write as the agent": lambda studio, agent: studio.memory_write(agent, "two\n"),
    "draft": lambda studio, agent: studio.draft_task(agent, "Sell less."),
    "discard": lambda studio, agent: studio.discard_task_draft(agent),
    "publish": lambda studio, agent: studio.publish_task(agent),
    "make an agent": lambda studio, _: studio.create_agent("another"),
    "set an agent": lambda studio, agent: studio.configure_agent(agent, AgentSettings(name="other")),
    "make a note": lambda studio, _: studio.notes.create(studio.notes.path("new.md"), "x"),
    "delete a note": lambda studio, _: studio.notes.delete(studio.notes.path("tone.md")),
    "write a record": lambda studio, _: studio.collections.write(studio.collections.path("leads"), {"name": "Ana"}),
    "begin a run": lambda studio, agent: studio.create_run(agent, Trigger(RunKind.DIRECT)),
    "make a token": lambda studio, _: studio.tokens.create("mine", Role.OPERATOR),
    "revoke a token": lambda studio, _: studio.tokens.revoke("wall"),
}


@pytest.mark.parametrize("write", WRITES)
def test_a_viewer_changes_nothing(studio: Studio, desk: str, write: str) -> None:
    wall = signed_in(studio, "wall", Role.VIEWER)
    before = studio.commits
    with pytest.raises(ViewersRead, match="wall is a viewer"):
        WRITES[write](wall, desk)
    assert studio.commits == before


def test_a_viewer_reads_what_operators_read(studio: Studio, desk: str) -> None:
    wall = signed_in(studio, "wall", Role.VIEWER)
    assert not wall.may_write
    assert wall.list_agents() == studio.list_agents()
    assert wall.compare_memory(desk, 2) == studio.compare_memory(desk, 2)
    assert wall.preview(desk) == studio.preview(desk)
    assert wall.review_task(desk) == studio.review_task(desk)
    assert wall.notes.list() == studio.notes.list()


def test_a_viewer_reads_a_memory_directory_and_does_not_edit_it(studio: Studio, tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    studio.create_agent("desk", config=AgentConfig())
    studio.directories.begin(str(folder))
    studio.directories.link(str(folder), "desk")
    wall = signed_in(studio, "wall", Role.VIEWER)
    (folder / "MEMORY.md").write_text("Changed by the agent.\n", encoding="utf-8")
    subprocess.run(
        ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qnam", "x"], check=True
    )
    assert "Changed by the agent." in (wall.get_memory_version("desk").body.text or "")
    with pytest.raises(ViewersRead):
        wall.directories.edit("desk", "MEMORY.md", "mine", "why", force=True)
    with pytest.raises(ViewersRead):
        wall.directories.begin(str(tmp_path / "other"))
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("role", [Role.OPERATOR, Role.VIEWER])
def test_nothing_is_answered_once_the_token_is_revoked(studio: Studio, desk: str, role: Role) -> None:
    ben = signed_in(studio, "Ben", role)
    assert ben.get_memory_version(desk).body.text == "one\n"
    studio.tokens.revoke("Ben")
    with pytest.raises(SignedOut, match="'Ben'"):
        ben.get_memory_version(desk)
    with pytest.raises(SignedOut):
        ben.save_memory(desk, "two\n", force=True)
    assert studio.get_memory_version(desk).body.text == "one\n"


def test_another_token_of_the_same_name_lets_nobody_in_by_the_first(studio: Studio) -> None:
    secret = studio.tokens.create("Ben", Role.OPERATOR)[1]
    ticket = studio.ticket_of(secret)
    assert ticket is not None
    ben = studio.visited(ticket)
    studio.tokens.revoke("Ben")
    studio.tokens.create("Ben", Role.OPERATOR)
    with pytest.raises(SignedOut):
        studio.visited(ticket)
    with pytest.raises(SignedOut):
        ben.list_agents()
    assert studio.ticket_of(secret) is None


def test_an_agents_token_and_anything_else_open_no_page(studio: Studio, desk: str) -> None:
    runtime = studio.tokens.create("runtime", Role.AGENT, agent=desk)[1]
    assert studio.ticket_of(runtime) is None
    assert studio.ticket_of("") is None
    assert studio.ticket_of("studio_guess") is None
    with pytest.raises(SignedOut):
        studio.visited(Ticket("nobody", "0" * 32))


def test_closing_what_a_visitor_has_closes_nothing(studio: Studio, desk: str) -> None:
    ben = signed_in(studio, "Ben", Role.OPERATOR)
    ben.close()
    assert studio.get_agent(desk).name == "desk"
    assert ben.get_agent(desk).name == "desk"
