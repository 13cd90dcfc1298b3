"""Runs, Notes and the embeds of a Task: for screen readers, in both themes, and on a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from studio import RunKind, Studio, Trigger
from studio.domain.collections import Column
from studio.domain.runs import Message, Role, ToolCall

Go = Callable[[str], Page]
VIEWS = {
    "runs": "&place=runs",
    "a chat row": "&place=runs&row=2",
    "notes": "&place=notes",
    "a note": "&place=notes&note={note}",
    "a note in the editor": "&place=notes&note={note}&mode=edit",
    "a new note": "&place=notes&mode=new",
    "a collection": "&place=notes&note={table}",
    "a search": "&place=notes&words=nothing+has+these",
    "embeds of a draft": "&place=prompt",
    "embeds of a preview": "&place=preview&flags=search",
}


@pytest.fixture
def furnished(studio: Studio, agent: str) -> dict[str, str]:
    """An agent with a run, a note, a collection and a Task with embeds, one of them broken; its addresses by view."""
    note, table = studio.notes.path("tone.md", agent=agent), studio.collections.path("invoices", agent=agent)
    studio.notes.create(note, "# Tone\n\nBe kind.\n")
    studio.collections.create(table, [Column("number", "As printed."), Column("comment")], purpose="Every invoice.")
    studio.collections.write(table, {"number": "INV-1", "comment": "a_long_word_" * 20})
    studio.draft_task(agent, f"![[{note}]]\n![[{table}]]\n![[{note}]]\n![[recipe:{'long' * 30}]]\n")
    studio.publish_task(agent, yes_to=("broken-links",))
    run = studio.create_run(agent, Trigger(kind=RunKind.SCHEDULE, instruction="Check the inbox. " * 20))
    call = ToolCall("c_1", "note_find", '{"query": "' + "long" * 60 + '"}')
    studio.add_messages(run.id, (Message(2, Role.ASSISTANT, "Looking.", studio.now(), tool_calls=(call,)),))
    return {name: f"?agent={agent}{query.format(note=note, table=table)}" for name, query in VIEWS.items()}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(go: Go, page: Page, furnished: dict[str, str], axe_script: str, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for view, address in furnished.items():
        go(address)
        if view == "embeds of a draft":
            page.get_by_role("button", name="Insert note").click()
            expect(page.get_by_role("list", name="What can be inserted")).to_be_visible()
        page.evaluate(axe_script)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [
            (view, one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary", "")[:300])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert not serious


def test_400_pixels_do_not_scroll_sideways(go: Go, page: Page, furnished: dict[str, str]) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    for view, address in furnished.items():
        go(address)
        page.wait_for_timeout(200)
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, view
        wider = page.evaluate("document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth")
        assert wider <= 0, view
