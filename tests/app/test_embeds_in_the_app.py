"""Embeds in a browser: inserting them, what becomes of each, and broken links (decisions 23 and 30)."""

from collections.abc import Callable

import pytest
from hostile import HOSTILE
from playwright.sync_api import Page, expect

from studio import Studio
from studio.domain.collections import Column

Go = Callable[[str], Page]
BOX = "The Task draft, task.md"


@pytest.fixture
def note(studio: Studio, agent: str) -> str:
    """A note of the agent's own, by its path."""
    path = studio.notes.path(f"house-{agent}.md", agent=agent)
    studio.notes.create(path, "Be kind to buoys.\n", title=f"House rules {agent}")
    return path


def publish(studio: Studio, agent: str, text: str) -> None:
    studio.draft_task(agent, text)
    studio.publish_task(agent, yes_to=("broken-links",))


def test_insert_note_puts_its_embed_where_the_caret_stands(go: Go, studio: Studio, agent: str, note: str) -> None:
    page = go(f"?agent={agent}&place=prompt")
    box = page.get_by_label(BOX)
    box.fill("Before.\n\nAfter.\n")
    box.evaluate("area => { area.focus(); area.setSelectionRange(8, 8) }")
    page.get_by_role("button", name="Insert note").click()
    page.get_by_label("Find a note to insert").fill(f"rules {agent}")
    page.get_by_role("list", name="What can be inserted").get_by_role("button", name=note).click()
    expect(box).to_have_value(f"Before.\n![[{note}]]\nAfter.\n")
    expect(page.get_by_label("Find a note to insert")).to_have_count(0)
    ledger = page.get_by_role("region", name="Embeds")
    expect(ledger.get_by_role("row", name=note)).to_contain_text("inlined")
    expect(ledger).to_contain_text("18 of 65,536 bytes")
    draft = studio.get_task_draft(agent)
    assert draft is not None
    assert draft.text == f"Before.\n![[{note}]]\nAfter.\n"

    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Publish version 2").click()
    expect(page.get_by_text("Published version 2.")).to_be_visible()
    page.get_by_role("link", name="Preview", exact=True).click()
    expect(page.get_by_label("Section task")).to_contain_text("Be kind to buoys.")
    expect(page.get_by_role("region", name="Embeds").get_by_role("row", name=note)).to_contain_text("inlined")


def test_escape_closes_the_search_and_goes_back_to_the_task(go: Go, agent: str, note: str) -> None:
    page = go(f"?agent={agent}&place=prompt")
    page.get_by_role("button", name="Insert note").click()
    search = page.get_by_label("Find a note to insert")
    expect(search).to_be_focused()
    expect(page.get_by_role("list", name="What can be inserted")).to_contain_text(note)
    page.keyboard.press("Escape")
    expect(search).to_have_count(0)
    expect(page.get_by_label(BOX)).to_be_focused()


def test_insert_table_finds_collections_by_their_purpose(go: Go, studio: Studio, agent: str) -> None:
    path = studio.collections.path(f"table-{agent}", agent=agent)
    studio.collections.create(path, [Column("number")], purpose="Wimples and their keepers.")
    page = go(f"?agent={agent}&place=prompt")
    page.get_by_role("button", name="Insert table").click()
    page.get_by_label("Find a table to insert").fill("wimples keepers")
    page.get_by_role("list", name="What can be inserted").get_by_role("button", name=path).click()
    expect(page.get_by_role("region", name="Embeds").get_by_role("row", name=path)).to_contain_text("table")


def test_each_embed_says_what_becomes_of_it(go: Go, studio: Studio, agent: str, note: str) -> None:
    large = studio.notes.path("large.md", agent=agent)
    studio.notes.create(large, "x" * 65_530)
    studio.draft_task(agent, f"![[{note}]]\n![[{note}]]\n![[{large}]]\n![[{note}#part]]\n![[recipe:x]]\n")
    page = go(f"?agent={agent}&place=prompt")
    rows = page.get_by_role("region", name="Embeds").locator("tbody tr")
    for row, words in enumerate(["inlined", "repeated", "over budget", "broken", "broken"]):
        expect(rows.nth(row)).to_contain_text(words)
    expect(rows.nth(2)).to_contain_text("The note takes 65,530 bytes")
    page.get_by_label(BOX).fill("Nothing is embedded.\n")
    expect(page.get_by_text("This Task embeds nothing.")).to_be_visible()


def test_a_broken_link_is_seen_in_list_and_head_until_it_is_mended(go: Go, studio: Studio, agent: str) -> None:
    missing = studio.notes.path("missing.md", agent=agent)
    page = go(f"?agent={agent}&place=prompt")
    listed = page.get_by_label("Agents").locator("[aria-current] .badge", has_text="1 broken link")
    head = page.locator(".broken-links")
    expect(listed).to_have_count(0)
    page.get_by_label(BOX).fill(f"Read ![[{missing}]].\n")
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Publish version 2").click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text(missing)
    asked.get_by_role("button", name="Keep the draft").click()
    assert studio.get_task_draft(agent) is not None
    page.get_by_role("button", name="Publish version 2").click()
    asked.get_by_role("button", name="Publish with broken links").click()
    expect(page.get_by_text("Published version 2.")).to_be_visible()

    expect(listed).to_be_visible()
    head.locator("summary").click()
    expect(head).to_contain_text(missing)
    expect(head).to_contain_text("There is no note at this path.")

    studio.notes.create(missing, "Here it is.\n")
    expect(head).to_have_count(0)
    expect(listed).to_have_count(0)


def test_a_broken_link_is_mended_by_another_task(go: Go, studio: Studio, agent: str) -> None:
    publish(studio, agent, "Read ![[recipe:left-over]].\n")
    page = go(f"?agent={agent}&place=prompt")
    expect(page.locator(".broken-links summary")).to_contain_text("1 broken link")
    page.get_by_label(BOX).fill("Read nothing.\n")
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Publish version 3").click()
    expect(page.get_by_text("Published version 3.")).to_be_visible()
    expect(page.locator(".broken-links")).to_have_count(0)


def test_the_preview_takes_tools_as_registered(go: Go, agent: str) -> None:
    page = go(f"?agent={agent}&place=preview")
    guidelines = page.get_by_label("Section guidelines")
    expect(guidelines).not_to_contain_text("tavily_search")
    page.get_by_role("link", name="search", exact=True).click()
    expect(guidelines).to_contain_text("tavily_search")
    expect(page).to_have_url(f"{page.url.split('?')[0]}?agent={agent}&place=preview&flags=search")
    page.get_by_role("link", name="search", exact=True).click()
    expect(guidelines).not_to_contain_text("tavily_search")


def test_hostile_embeds_stay_text(go: Go, studio: Studio, agent: str) -> None:
    path = studio.notes.path('<img src=x onerror="window.hit=1">.md', agent=agent)
    studio.notes.create(path, HOSTILE, title='<img src=x onerror="window.hit=1">')
    publish(studio, agent, f"![[{path}]]\n![[<script>window.hit=1</script>]]\n{HOSTILE}")
    for place in ("prompt", "preview"):
        page = go(f"?agent={agent}&place={place}")
        expect(page.get_by_role("region", name="Embeds").locator("tbody tr")).to_have_count(2)
        page.locator(".broken-links summary").click()
        assert page.evaluate("window.hit") is None
        assert page.locator("img").count() == 0
    go(f"?agent={agent}&place=prompt")
    page.get_by_role("button", name="Insert note").click()
    expect(page.get_by_role("list", name="What can be inserted")).to_be_visible()
    assert page.evaluate("window.hit") is None
