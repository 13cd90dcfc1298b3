"""Runs in a browser: the list, the chat rows, and the way from a memory version to the call that wrote it (decisions 27 and 28)."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile import HOSTILE
from playwright.sync_api import Page, expect

from studio import RunKind, Studio, Trigger
from studio.domain.runs import Message, Role, RunStatus

Go = Callable[[str], Page]
Wake = Callable[..., str]


@pytest.fixture
def wake(studio: Studio, agent: str, tmp_path: Path) -> Wake:
    """Runs the agent with these generations and gives the run's id."""

    def run(
        *generations: dict[str, object], kind: RunKind = RunKind.SCHEDULE, instruction: str | None = "Check the inbox."
    ) -> str:
        script = tmp_path / "script.json"
        script.write_text(json.dumps(generations), encoding="utf-8")
        given = instruction if kind is RunKind.SCHEDULE else None
        message = None if kind is RunKind.SCHEDULE else "Good morning."
        return studio.run_agent(agent, Trigger(kind=kind, instruction=given, message=message), f"scripted:{script}").id

    return run


def writes(*contents: str) -> dict[str, object]:
    return {"tool_calls": [{"name": "memory_write", "arguments": {"content": one}} for one in contents]}


def test_an_agent_that_never_ran_says_how_to_run_it(go: Go, agent: str) -> None:
    page = go(f"?agent={agent}&place=runs")
    expect(page.get_by_text("has not run yet")).to_be_visible()
    expect(page.get_by_text(f"studio run create {agent}")).to_be_visible()


def test_the_list_is_newest_first_and_marks_a_skipped_wake(go: Go, agent: str, wake: Wake) -> None:
    wrote = wake(writes("# Notes\n"), {"text": "Done."})
    skipped = wake({"text": "Nothing to do."}, {"text": "Still nothing."}, instruction="Look at the buoys.")
    page = go(f"?agent={agent}&place=runs&run={wrote}")
    rows = page.locator(".runs .version")
    expect(rows).to_have_count(2)
    by_id = page.locator(f"[data-key='run-{skipped}']")
    expect(by_id).to_contain_text("Schedule wake-up")
    expect(by_id).to_contain_text("Look at the buoys.")
    expect(by_id).to_contain_text("memory skipped")
    expect(by_id).to_contain_text("2 steps, 0 calls")
    expect(by_id).to_contain_text("28 Nov 2026, 09:00 UTC")
    expect(page.locator(f"[data-key='run-{wrote}']")).not_to_contain_text("memory skipped")

    by_id.click()
    expect(page).to_have_url(re.compile(f"place=runs&run={skipped}$"))
    expect(page.get_by_text("This wake ended without a memory_write")).to_be_visible()
    reminder = page.locator(".chat .row.inserted")
    expect(reminder).to_contain_text("Memory: this wake has not called memory_write. Call it now.")
    expect(reminder).to_contain_text("inserted by the system · source: memory")


def test_a_direct_run_is_known_by_the_message_that_opened_it(go: Go, agent: str, wake: Wake) -> None:
    wake({"text": "Good morning to you."}, kind=RunKind.DIRECT)
    page = go(f"?agent={agent}&place=runs")
    expect(page.locator(".runs .version")).to_contain_text("Good morning.")


def test_row_0_is_the_composed_prompt_folded_by_section(go: Go, studio: Studio, agent: str, wake: Wake) -> None:
    run = wake(writes("# Notes\n"), {"text": "Done."})
    page = go(f"?agent={agent}&place=runs&run={run}")
    sections = page.locator(".chat .row").first.locator("details")
    expect(sections).to_have_count(4)
    expect(page.get_by_label("Section memory of row 0")).to_be_hidden()
    sections.filter(has_text="<memory>").locator("summary").click()
    _, messages = studio.get_run(run)
    expect(page.get_by_label("Section memory of row 0")).to_be_visible()
    assert "".join(page.get_by_label("Section memory of row 0").all_inner_texts()) in messages[0].content


def test_calls_have_their_arguments_and_results_their_trailer(go: Go, agent: str, wake: Wake) -> None:
    run = wake(
        {"tool_calls": [{"name": "note_find", "arguments": {"query": "tone"}}]}, writes("# A\n\nb\n"), {"text": "Done."}
    )
    page = go(f"?agent={agent}&place=runs&run={run}")
    expect(page.locator(".call", has_text="note_find")).to_contain_text('"tone"')
    expect(page.locator(".call", has_text="memory_write").locator("pre")).to_have_text("# A\n\nb\n")
    expect(page.locator(".row.tool").last).to_contain_text("remaining_tool_calls: 38")
    expect(page.locator(".row.tool").last).to_contain_text("memory_write")


def test_open_step_opens_the_call_of_each_of_two_writes(go: Go, agent: str, wake: Wake) -> None:
    first = "# First\n" + "line\n" * 200
    run = wake(writes(first), writes("# Second\n"), {"text": "Done."})
    page = go(f"?agent={agent}&version=2")
    page.get_by_role("button", name="Open step").click()
    opened = page.locator(".call[aria-current]")
    expect(opened).to_contain_text("# First")
    expect(page).to_have_url(re.compile(f"place=runs&run={run}&row=2&call=[^&]+$"))

    page = go(f"?agent={agent}&version=3")
    page.get_by_role("button", name="Open step").click()
    expect(opened).to_contain_text("# Second")
    expect(opened).to_be_in_viewport()
    expect(opened).to_have_count(1)
    page.reload()
    page.wait_for_selector("body.ready")
    expect(opened).to_contain_text("# Second")
    expect(opened).to_be_in_viewport()


def test_two_writes_in_one_step_open_their_own_call(go: Go, agent: str, wake: Wake) -> None:
    wake(writes("# First\n", "# Second\n"), {"text": "Done."})
    for version, words in ((2, "# First"), (3, "# Second")):
        page = go(f"?agent={agent}&version={version}")
        page.get_by_role("button", name="Open step").click()
        expect(page.locator(".call[aria-current]")).to_have_count(1)
        expect(page.locator(".call[aria-current]")).to_contain_text(words)


def test_a_version_that_no_run_wrote_has_no_step(go: Go, written: str) -> None:
    page = go(f"?agent={written}&version=4")
    expect(page.get_by_role("heading", name="Version 4")).to_be_visible()
    expect(page.get_by_role("button", name="Open step")).to_have_count(0)


def test_a_run_links_to_the_versions_it_was_composed_from(go: Go, studio: Studio, agent: str, wake: Wake) -> None:
    path = studio.notes.path("linked.md", agent=agent)
    studio.notes.create(path, "As it was.\n")
    studio.draft_task(agent, f"Read this.\n\n![[{path}]]\n")
    studio.publish_task(agent)
    run = wake(writes("# Notes\n"), {"text": "Done."})
    studio.notes.edit(path, "As it is.\n", force=True)
    page = go(f"?agent={agent}&place=runs&run={run}")
    expect(page.locator(".made-of")).to_contain_text("(changed since)")
    page.get_by_role("link", name="memory version 1").click()
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Task version 2").click()
    expect(page.locator(".prompt").get_by_role("heading", name="Version 2")).to_be_visible()
    page.go_back()
    page.locator(".made-of").get_by_role("link", name=path).click()
    expect(page.locator(".notes .prose")).to_contain_text("As it is.")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        pytest.param("&run=r_nothing", "r_nothing", id="unknown run"),
        pytest.param("&row=77", "This run has no row 77", id="row beyond the last"),
        pytest.param("&row=x", "The link names row 'x'", id="no number"),
    ],
)
def test_a_link_to_a_run_that_is_not_there_says_so(go: Go, agent: str, wake: Wake, query: str, words: str) -> None:
    wake(writes("# Notes\n"), {"text": "Done."})
    page = go(f"?agent={agent}&place=runs{query}")
    expect(page.get_by_text(words).first).to_be_visible()


def test_a_run_of_another_agent_opens_there(go: Go, studio: Studio, agent: str, wake: Wake) -> None:
    run = wake(writes("# Notes\n"), {"text": "Done."})
    other = studio.create_agent("other runner").id
    studio.create_run(other, Trigger(kind=RunKind.DIRECT, message="Hello."))
    page = go(f"?agent={other}&place=runs&run={run}")
    page.get_by_role("link", name="Open it there").click()
    expect(page.locator(".runs .opened code")).to_have_text(run)
    expect(page).to_have_url(re.compile(f"agent={agent}&place=runs&run={run}$"))


def test_a_long_text_is_shown_in_part_first(go: Go, agent: str, wake: Wake) -> None:
    run = wake(writes("x" * 9_000 + "\nEND"), {"text": "Done."})
    page = go(f"?agent={agent}&place=runs&run={run}")
    expect(page.get_by_text("The first 3,000 of 9,004 characters.")).to_be_visible()
    page.get_by_role("button", name="Show all of it").click()
    expect(page.locator(".call pre")).to_contain_text("END")


def test_a_long_list_has_pages_and_a_link_opens_the_right_one(go: Go, studio: Studio, agent: str) -> None:
    for _ in range(53):
        studio.create_run(agent, Trigger(kind=RunKind.DIRECT))
    oldest = studio.list_runs(agent)[-1].id
    page = go(f"?agent={agent}&place=runs")
    rows = page.locator(".runs .version")
    expect(rows).to_have_count(50)
    page.locator(".runs .timeline-side").get_by_role("button", name="Next").click()
    expect(rows).to_have_count(3)
    page = go(f"?agent={agent}&place=runs&run={oldest}")
    expect(rows).to_have_count(3)
    expect(rows.last).to_have_attribute("aria-current", "true")


def test_a_long_run_opens_at_the_row_that_the_address_names(go: Go, studio: Studio, agent: str) -> None:
    run = studio.create_run(agent, Trigger(kind=RunKind.DIRECT, message="Count.")).id
    studio.add_messages(run, tuple(Message(at, Role.ASSISTANT, f"Number {at}.", studio.now()) for at in range(2, 150)))
    page = go(f"?agent={agent}&place=runs&run={run}&row=140")
    expect(page.locator(".chat .row[aria-current]")).to_contain_text("Number 140.")
    expect(page.locator(".chat .row[aria-current]")).to_be_in_viewport()
    expect(page.locator(".chat .row")).to_have_count(50)
    page.locator(".runs .opened-side").get_by_role("button", name="Previous").click()
    expect(page.locator(".chat .row")).to_have_count(100)
    page.get_by_role("link", name="Row 0", exact=True).click()
    expect(page.locator(".chat .row").first).to_have_attribute("aria-current", "true")


def test_a_failed_run_says_why(go: Go, studio: Studio, agent: str) -> None:
    run = studio.create_run(agent, Trigger(kind=RunKind.DIRECT, message="Hello.")).id
    studio.finish_run(run, RunStatus.FAILED, failure="The provider closed the connection.")
    page = go(f"?agent={agent}&place=runs&run={run}")
    expect(page.locator(".runs .opened .badge", has_text="failed")).to_be_visible()
    expect(page.get_by_text("The provider closed the connection.")).to_be_visible()


def test_hostile_rows_stay_text(go: Go, agent: str, wake: Wake) -> None:
    run = wake(
        {"tool_calls": [{"name": "note_find", "arguments": {HOSTILE: HOSTILE}}]},
        {"tool_calls": [{"name": '<img src=x onerror="window.hit=1">', "arguments": {"a": HOSTILE}}]},
        {"text": HOSTILE},
        writes(HOSTILE),
        instruction=HOSTILE.replace("\n", " "),
    )
    page = go(f"?agent={agent}&place=runs&run={run}")
    expect(page.locator(".chat .call").first).to_be_visible()
    for summary in page.locator(".chat summary").all():
        summary.click()
    assert page.evaluate("window.hit") is None
    assert page.locator("img").count() == 0


def test_j_and_k_go_through_runs(go: Go, agent: str, wake: Wake) -> None:
    for number in range(3):
        wake(writes(f"# {number}\n"), {"text": "Done."})
    page = go(f"?agent={agent}&place=runs")
    rows = page.locator(".runs .version")
    page.keyboard.press("j")
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")
    page.keyboard.press("k")
    expect(rows.nth(0)).to_have_attribute("aria-current", "true")
