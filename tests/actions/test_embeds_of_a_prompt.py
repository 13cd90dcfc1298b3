"""What a stored Task embeds is read with the prompt, whatever the agent itself may read (decisions 23 and 26)."""

import json
from typing import cast

import pytest
from builders import context_of, publish

from studio.actions.prompts import embed_targets
from studio.actions.studio import Studio
from studio.domain.bindings import Scope
from studio.domain.bodies import Body
from studio.domain.embeds import EmbedState
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger
from studio.errors import NotGranted
from studio.store.database import Cursor

DIRECT = Trigger(RunKind.DIRECT)


@pytest.fixture
def agent(studio: Studio) -> str:
    return studio.create_agent("researcher").id


def notes(studio: Studio, agent: str, count: int) -> list[str]:
    """Notes of the agent's organisation, the first half embedding one of the second half each."""
    paths = [studio.notes.path(f"n{number}.md", agent=agent) for number in range(count)]
    for number, path in enumerate(paths):
        nested = f" ![[{paths[number + count // 2]}]]" if number < count // 2 else ""
        studio.notes.create(path, f"body {number}{nested}")
    return paths


class Counting:
    """A cursor that keeps what it is asked to run."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.statements: list[str] = []

    def execute(self, statement: str, parameters: object = None) -> Cursor:
        self.statements.append(statement)
        return self.cursor.execute(statement, parameters)


@pytest.mark.parametrize("count", [2, 40])
def test_no_query_for_each_note(studio: Studio, agent: str, count: int) -> None:
    paths = notes(studio, agent, count)
    task = " ".join(f"![[{path}]]" for path in [*paths[: count // 2], f"{paths[0]}x", "org/o_1/collections/gone"])
    with context_of(studio).database.read() as cursor:
        counting = Counting(cursor)
        found = embed_targets(cast("Cursor", counting), task)
    assert sorted(found) == sorted(paths)
    assert len(counting.statements) == 3


def test_a_task_without_embeds_asks_nothing(studio: Studio) -> None:
    with context_of(studio).database.read() as cursor:
        counting = Counting(cursor)
        assert embed_targets(cast("Cursor", counting), "Plain. `![[a]]`") == {}
    assert counting.statements == []


def test_a_run_holds_the_bodies_and_names_them(studio: Studio, agent: str) -> None:
    first, second = notes(studio, agent, 2)
    publish(studio, agent, f"Use ![[{first}]].")
    preview = studio.preview(agent)
    run, messages = studio.get_run(studio.create_run(agent, DIRECT).id)

    assert [entry.state for entry in preview.embeds] == [EmbedState.INLINED] * 2
    assert messages[0].content == preview.text
    assert run.composed_from == preview.made_of
    assert run.composed_from.notes == ((first, Body(f"body 0 ![[{second}]]").sha256), (second, Body("body 1").sha256))


def test_a_stored_run_keeps_what_it_read(studio: Studio, agent: str) -> None:
    path = studio.notes.path("a.md", agent=agent)
    studio.notes.create(path, "one")
    publish(studio, agent, f"![[{path}]]")
    stored = studio.create_run(agent, DIRECT).id
    studio.notes.edit(path, "two", force=True)
    run, messages = studio.get_run(stored)
    assert run.composed_from.notes == ((path, Body("one").sha256),)
    assert "\none\n" in messages[0].content
    assert "\ntwo\n" in studio.preview(agent).text


def test_a_run_from_before_notes_were_named_reads_back(studio: Studio, agent: str) -> None:
    run = studio.create_run(agent, DIRECT)
    with context_of(studio).database.tx() as cursor:
        row = cursor.execute("SELECT composed_from FROM runs WHERE run_id = ?", [run.id]).fetchone()
        assert row is not None
        before = {key: value for key, value in json.loads(row[0]).items() if key != "notes"}
        cursor.execute("UPDATE runs SET composed_from = ? WHERE run_id = ?", [json.dumps(before), run.id])
    assert studio.get_run(run.id)[0].composed_from == run.composed_from


def test_embed_27_inlining_grants_nothing(studio: Studio, agent: str) -> None:
    path = studio.notes.path("a.md")
    studio.notes.create(path, "for operators")
    studio.set_binding(Scope.AGENT, agent, "org_notes_read", turned_on=False)
    publish(studio, agent, f"![[{path}]]")
    assert "\nfor operators\n" in studio.preview(agent).text
    with pytest.raises(NotGranted):
        studio.notes.get(path, as_agent=agent)


def test_embed_28_a_run_is_created_in_spite_of_a_broken_link(studio: Studio, agent: str) -> None:
    publish(studio, agent, "See ![[org/o_1/notes/gone.md]] and ![[recipe:x]].")
    _, messages = studio.get_run(studio.create_run(agent, DIRECT).id)
    assert "See ![[org/o_1/notes/gone.md]] and ![[recipe:x]]." in messages[0].content
    assert len(studio.preview(agent).warnings) == 2


def test_a_task_under_review_is_shown_with_its_own_embeds(studio: Studio, agent: str) -> None:
    (path, _) = notes(studio, agent, 2)
    publish(studio, agent, "Nothing embedded.")
    assert studio.preview(agent).embeds == ()
    assert "body 0" in studio.preview(agent, task=f"![[{path}]]").text
