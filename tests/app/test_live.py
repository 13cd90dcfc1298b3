"""What others write, as a page hears of it: seen within two looks, and never in place of what is being typed (decision 37).

Most of this drives a page without a browser; that a look comes every second, and that a browser shows it, is the last test's.
"""

import asyncio
import json
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from builders import Clock, open_store
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect

from studio import RunKind, Studio, Trigger
from studio.app import live
from studio.app.page import Page
from studio.domain.collections import Column
from studio.domain.runs import Message, Role, RunStatus

Go = Callable[[str], Tab]


@pytest.fixture
def store(clock: Clock) -> Iterator[Studio]:
    """A store of its own, with two agents."""
    with open_store(":memory:", clock) as opened:
        opened.create_agent("desk", focus="Sell.", guild="Shop")
        opened.create_agent("scout", focus="Watch.", guild="Shop")
        yield opened


def look(page: Page) -> None:
    """What happens every second; in a thread, since the browser of other tests keeps an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        draw = thread.submit(lambda: asyncio.run(page.look())).result()
    if draw is not None:
        draw()


def page_at(store: Studio, query: str = "?agent=desk") -> Page:
    """A page that has looked once, as it does after a second."""
    page = Page(store, query, demo=False)
    look(page)
    return page


def shown(page: Page) -> dict[str, str]:
    """All HTML of a page by the name of its part."""
    return {name: str(getattr(root, "html", "")) for name, root in page.roots.items()}


def changed(page: Page) -> set[str]:
    """The parts of the page that the next look changes."""
    before = shown(page)
    look(page)
    after = shown(page)
    return {name for name in before if before[name] != after[name]}


def write_memory(store: Studio) -> None:
    store.memory_write("desk", "by its runtime\n")


def draft(store: Studio) -> None:
    store.draft_task("desk", "Sell more.")


def publish(store: Studio) -> None:
    store.draft_task("desk", "Sell less.")
    store.publish_task("desk", operator="Ben")


def run(store: Studio) -> str:
    return store.create_run("desk", Trigger(RunKind.SCHEDULE, instruction="check inbox")).id


def note(store: Studio) -> None:
    store.notes.create(store.notes.path("tone.md"), "Be kind.")


def table(store: Studio) -> None:
    store.collections.create(store.collections.path("leads"), [Column("name")])


def other_memory(store: Studio) -> None:
    store.memory_write("scout", "x" * 11_900)


def other_draft(store: Studio) -> None:
    store.draft_task("scout", "Watch more.")


@pytest.mark.parametrize(
    ("place", "write", "where"),
    [
        pytest.param("memory", write_memory, {"memory_timeline", "memory_bar", "head"}, id="a memory in its timeline"),
        pytest.param("memory", draft, {"head", "agents"}, id="a draft in the head and the list"),
        pytest.param("prompt", publish, {"prompt_timeline", "head"}, id="a Task in its timeline"),
        pytest.param("prompt", draft, {"prompt_timeline", "notice"}, id="a draft in the Prompt place"),
        pytest.param("runs", run, {"runs_bar", "runs_list"}, id="a run in its list"),
        pytest.param("notes", note, {"notes_list"}, id="a note in its list"),
        pytest.param("notes", table, {"notes_list"}, id="a collection in its list"),
        pytest.param("preview", write_memory, {"preview_body"}, id="a memory in the preview"),
        pytest.param("preview", other_draft, {"agents"}, id="another agent's draft in the list alone"),
        pytest.param("memory", other_memory, {"agents"}, id="another agent's memory in the list alone"),
    ],
)
def test_every_place_shows_what_others_write(
    store: Studio, place: str, write: Callable[[Studio], object], where: set[str]
) -> None:
    page = page_at(store, f"?agent=desk&place={place}")
    assert changed(page) == set()
    write(store)
    found = changed(page)
    assert where <= found
    if where == {"agents"}:
        assert found == where
    assert changed(page) == set()


def test_an_opened_run_grows_and_ends(store: Studio) -> None:
    first = run(store)
    run(store)
    page = page_at(store, f"?agent=desk&place=runs&run={first}")
    store.add_messages(first, (Message(2, Role.ASSISTANT, "Looking.", store.now()),))
    assert "runs_body" in changed(page)
    store.finish_run(first, RunStatus.COMPLETED)
    assert "runs_bar" in changed(page)


def test_an_opened_note_and_an_opened_collection_are_read_anew(store: Studio) -> None:
    note(store)
    table(store)
    path, leads = store.notes.path("tone.md"), store.collections.path("leads")
    page = page_at(store, f"?agent=desk&place=notes&note={path}")
    store.notes.edit(path, "Be brief.", expect=store.notes.get(path).facts.sha256)
    assert "notes_body" in changed(page)
    page = page_at(store, f"?agent=desk&place=notes&note={leads}")
    store.collections.write(leads, {"name": "Ana"})
    assert "notes_body" in changed(page)


def test_a_page_on_which_nothing_happens_asks_for_one_number(store: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    page = page_at(store)

    def nobody_looks(*_: object) -> object:
        raise AssertionError("the page looked though nothing was committed")

    monkeypatch.setattr(live, "look", nobody_looks)
    look(page)
    with pytest.raises(Exception, match="no agent"):
        store.memory_write("nobody", "refused, so nothing was committed")
    look(page)


def test_what_is_written_during_the_first_look_after_a_drawing_is_shown(
    store: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Page(store, "?agent=desk", demo=False)
    looks = live.look

    def somebody_writes_meanwhile(studio: Studio, of: live.Shown) -> object:
        monkeypatch.setattr(live, "look", looks)
        store.save_memory("desk", "written meanwhile\n", force=True, operator="Ben")
        return looks(studio, of)

    monkeypatch.setattr(live, "look", somebody_writes_meanwhile)
    look(page)
    look(page)
    assert "Ben" in shown(page)["memory_timeline"]


def test_a_preview_is_not_drawn_anew_for_the_clock_alone(store: Studio, clock: Clock) -> None:
    page = page_at(store, "?agent=desk&place=preview")
    clock.tick()
    store.memory_write("scout", "elsewhere\n")
    assert changed(page) <= {"agents"}


def test_a_store_that_is_closed_leaves_the_page_as_it_is(clock: Clock) -> None:
    with open_store(":memory:", clock) as store:
        store.create_agent("desk")
        page = page_at(store)
        store.create_agent("another")
    assert changed(page) == set()


@pytest.mark.parametrize("place", ["memory", "directory"])
def test_a_commit_of_an_agent_is_shown_though_the_store_hears_of_none(
    store: Studio, tmp_path: Path, place: str
) -> None:
    folder = tmp_path / "memory"
    store.directories.begin(str(folder))
    store.directories.link(str(folder), "desk")
    page = page_at(store, f"?agent=desk&place={place}")
    assert changed(page) == set()
    (folder / "MEMORY.md").write_text("Changed by the agent.\n", encoding="utf-8")
    who = ["-c", "user.name=desk", "-c", "user.email=desk@example.org"]
    subprocess.run(["git", "-C", folder, *who, "commit", "-qam", "Learn something"], check=True)
    assert "head" in changed(page)


# --- what is being typed ---


def test_a_memory_in_the_editor_stays_and_a_banner_says_who_and_when(store: Studio, clock: Clock) -> None:
    page = page_at(store, "?agent=desk&mode=edit")
    editor = page.roots["memory_editor"]
    editor._handle_msg({"do": "typed", "value": "mine\n"})
    loads = editor.loads  # type: ignore[union-attr]
    clock.tick(120)
    store.save_memory("desk", "theirs\n", force=True, operator="Ben")
    clock.tick(120)
    assert {"memory_stale", "memory_timeline"} <= changed(page)
    banner = shown(page)["memory_stale"]
    assert "Ben" in banner
    assert "2 minutes ago · 12 Sep 2026, 09:02 UTC" in without_tags(banner)
    assert editor.loads == loads  # type: ignore[union-attr]
    assert page._memory._typed == "mine\n"


def without_tags(html: str) -> str:
    return "".join(part.partition(">")[2] for part in f">{html}".split("<"))


@pytest.mark.parametrize(
    ("write", "words"),
    [
        pytest.param(draft, "The draft was changed elsewhere by operator Ana, 12 Sep 2026, 09:00 UTC.", id="drafted"),
        pytest.param(
            publish, "Version 2 was published elsewhere by operator Ben, 12 Sep 2026, 09:00 UTC.", id="published"
        ),
    ],
)
def test_a_second_page_on_a_task_is_told_before_anybody_types(
    store: Studio, write: Callable[[Studio], None], words: str
) -> None:
    page = page_at(store, "?agent=desk&place=prompt")
    loads = page.roots["prompt_editor"].loads  # type: ignore[union-attr]
    write(store)
    assert "notice" in changed(page)
    assert words in shown(page)["notice"]
    assert page.roots["prompt_editor"].loads == loads  # type: ignore[union-attr]


def test_a_draft_that_is_discarded_elsewhere_is_told(store: Studio) -> None:
    draft(store)
    page = page_at(store, "?agent=desk&place=prompt")
    store.discard_task_draft("desk")
    assert "notice" in changed(page)
    assert "The draft was discarded elsewhere." in shown(page)["notice"]


def test_a_draft_that_changed_during_its_review_is_not_published_unseen(store: Studio) -> None:
    draft(store)
    page = page_at(store, "?agent=desk&place=prompt&mode=review")
    store.draft_task("desk", "Sell nothing.")
    page.roots["prompt_bar"]._handle_msg({"do": "publish", "value": ""})
    assert store.get_task_version("desk").version.number == 1
    assert "changed since you read it" in shown(page)["notice"]
    assert "Sell nothing." in without_tags(shown(page)["prompt_body"])
    page.roots["prompt_bar"]._handle_msg({"do": "publish", "value": ""})
    assert store.get_task_version("desk").body.text == "Sell nothing."


# --- what was typed while the server was away ---


def regained(page: Page, editor: str, base: str, text: str = "mine\n") -> None:
    """The browser hands back what was typed before it loaded the page anew."""
    value = json.dumps({"base": base, "text": text})
    page.roots[editor]._handle_msg({"do": "regained", "value": value})


def test_typed_memory_comes_back_over_a_newer_one_with_the_banner(store: Studio) -> None:
    base = store.get_memory_version("desk").version.sha256
    store.save_memory("desk", "theirs\n", force=True, operator="Ben")
    page = page_at(store, "?agent=desk&mode=edit")
    regained(page, "memory_editor", base)
    assert "Ben" in shown(page)["memory_stale"]
    assert page._session.selection.unsaved
    page.roots["memory_bar"]._handle_msg({"do": "save", "value": ""})
    assert store.get_memory_version("desk").body.text == "theirs\n"
    page.roots["memory_stale"]._handle_msg({"do": "keep-mine", "value": ""})
    assert store.get_memory_version("desk").body.text == "mine\n"


def test_typed_memory_whose_start_is_no_longer_kept_is_not_saved_unseen(store: Studio) -> None:
    page = page_at(store, "?agent=desk&mode=edit")
    regained(page, "memory_editor", "0" * 64)
    assert "The memory changed while you were editing." in without_tags(shown(page)["memory_stale"])


def test_a_typed_draft_comes_back_over_another_one_with_the_question(store: Studio) -> None:
    draft(store)
    page = page_at(store, "?agent=desk&place=prompt")
    regained(page, "prompt_editor", "0" * 64)
    assert "The draft was changed elsewhere" in shown(page)["notice"]
    kept = store.get_task_draft("desk")
    assert kept is not None
    assert kept.text == "Sell more."
    page.roots["notice"]._handle_msg({"do": "keep-mine", "value": ""})
    kept = store.get_task_draft("desk")
    assert kept is not None
    assert kept.text == "mine\n"


def test_a_typed_note_comes_back_over_a_newer_one_with_the_banner(store: Studio) -> None:
    note(store)
    path = store.notes.path("tone.md")
    page = page_at(store, f"?agent=desk&place=notes&note={path}&mode=edit")
    regained(page, "notes_editor", "0" * 64)
    assert "changed" in without_tags(shown(page)["notes_stale"])
    page.roots["notes_bar"]._handle_msg({"do": "save", "value": ""})
    assert store.notes.get(path).body == "Be kind."


@pytest.mark.parametrize("value", ["", "no JSON", "[]", '{"base": 1}', "null"])
def test_what_no_editor_hands_back_is_a_sentence(store: Studio, value: str) -> None:
    page = page_at(store, "?agent=desk&mode=edit")
    page.roots["memory_editor"]._handle_msg({"do": "regained", "value": value})
    assert "cannot be read" in shown(page)["notice"]


def test_a_browser_shows_it_in_time(go: Go, studio: Studio, written: str) -> None:
    assert live.LOOK_EVERY_MS <= 1_000
    tab = go(f"?agent={written}&mode=edit")
    box = tab.get_by_label("The live memory, as Markdown")
    box.fill("mine\n")
    studio.memory_write(written, "new\n")
    expect(tab.get_by_role("alert").filter(has_text="The memory changed while you were editing.")).to_be_visible()
    expect(box).to_have_value("mine\n")
    expect(tab.locator(".memory .version")).to_have_count(6)
