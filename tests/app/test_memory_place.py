"""Reading and editing a memory in a browser."""

import re
from collections.abc import Callable

import pytest
from hostile import HOSTILE
from playwright.sync_api import Page, expect

from studio import Studio

Go = Callable[[str], Page]


def test_timeline_is_newest_first_and_names_what_is_known(go: Go, written: str) -> None:
    page = go(f"?agent={written}")
    rows = page.locator(".memory .version")
    expect(rows).to_have_count(5)
    expect(rows.nth(0)).to_contain_text("5")
    expect(rows.nth(0)).to_contain_text("live")
    expect(rows.nth(1)).to_contain_text("Ben")
    expect(rows.nth(1)).to_contain_text("+1 −1")
    expect(rows.nth(4)).to_contain_text("created")
    expect(rows.nth(0)).to_contain_text("28 Nov 2026, 09:00 UTC")
    expect(rows.nth(0)).to_contain_text("of 12,000 characters")


def test_filter_by_author_says_what_it_hides(go: Go, written: str) -> None:
    page = go(f"?agent={written}")
    page.get_by_label("Written by").select_option("operator")
    rows = page.locator(".memory .version")
    expect(rows).to_have_count(2)
    expect(page.get_by_text("The filter hides 3 versions.")).to_be_visible()
    expect(page).to_have_url(re.compile("author=operator$"))
    page.get_by_label("Written by").select_option("operator:Ben")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("4")
    page.get_by_role("button", name="Show all").click()
    expect(rows).to_have_count(5)


def test_filter_that_keeps_nothing_says_what_to_do(go: Go, written: str) -> None:
    page = go(f"?agent={written}&author=run")
    expect(page.get_by_text("No version is by this author; the filter hides all 5.")).to_be_visible()
    page.get_by_role("button", name="Show everyone's versions").click()
    expect(page.locator(".memory .version")).to_have_count(5)


def test_compare_any_two_versions(go: Go, written: str) -> None:
    page = go(f"?agent={written}&version=5")
    page.get_by_label("Compare with").select_option("2")
    table = page.locator(".memory table.sides")
    expect(table).to_contain_text("version 2")
    expect(table.locator("td.added").filter(has_text="Ask for the buoy number.")).to_be_visible()
    expect(page).to_have_url(re.compile("version=5&against=2$"))
    page.get_by_role("group", name="Layout").get_by_text("Unified").click()
    expect(page.locator(".memory table.unified")).to_be_visible()


def test_pasted_link_and_reload_show_the_same(go: Go, written: str, page: Page) -> None:
    go(f"?agent={written}&version=4&against=2&author=operator&layout=unified")
    for _ in range(2):
        expect(page.get_by_role("heading", name="Version 4")).to_be_visible()
        expect(page.locator(".memory .version")).to_have_count(2)
        expect(page.get_by_label("Compare with")).to_have_value("2")
        expect(page.locator(".memory table.unified")).to_be_visible()
        page.reload()
        page.wait_for_selector("body.ready")


def test_back_and_forward(go: Go, written: str) -> None:
    page = go(f"?agent={written}")
    page.locator(".memory .version", has_text="Ben").click()
    expect(page.get_by_role("heading", name="Version 4")).to_be_visible()
    page.get_by_role("link", name="Whole", exact=True).click()
    expect(page.locator(".memory .prose")).to_be_visible()
    page.go_back()
    expect(page.locator(".memory table.sides")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Version 5")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="Version 4")).to_be_visible()


def test_keys_walk_through_versions(go: Go, written: str) -> None:
    page = go(f"?agent={written}")
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="Version 4")).to_be_visible()
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="Version 3")).to_be_visible()
    page.keyboard.press("k")
    expect(page.get_by_role("heading", name="Version 4")).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_label("Find an agent by name")).to_be_focused()
    page.keyboard.press("Tab")
    page.locator("main").click(position={"x": 5, "y": 5})
    page.keyboard.press("e")
    expect(page.get_by_label("The live memory, as Markdown")).to_be_focused()


def test_save_makes_a_version(go: Go, studio: Studio, written: str) -> None:
    page = go(f"?agent={written}")
    page.get_by_role("button", name="Edit").click()
    box = page.get_by_label("The live memory, as Markdown")
    box.fill("# Desk\n\nOne 👩‍🔬 line.\n")
    expect(page.get_by_text("22 of 12,000 characters")).to_be_visible()
    page.get_by_role("button", name="Save as version 6").click()
    expect(page.get_by_text("Saved as version 6.")).to_be_visible()
    expect(page.locator(".memory .version")).to_have_count(6)
    saved = studio.get_memory_version(written)
    assert saved.body.text == "# Desk\n\nOne 👩‍🔬 line.\n"
    assert saved.version.author.name == "Ana"


def test_save_without_a_change_is_off(go: Go, written: str) -> None:
    page = go(f"?agent={written}&mode=edit")
    expect(page.get_by_role("button", name="Save as version 6")).to_be_disabled()


def test_over_the_cap_says_that_the_agent_cannot_write_it(go: Go, studio: Studio, written: str) -> None:
    page = go(f"?agent={written}&mode=edit")
    page.get_by_label("The live memory, as Markdown").fill("x" * 12_001)
    expect(page.get_by_text("the agent itself can no longer write a text this long")).to_be_visible()
    page.get_by_role("button", name="Save as version 6").click()
    expect(page.get_by_text("Saved as version 6.")).to_be_visible()
    assert studio.get_memory_version(written).version.characters == 12_001


@pytest.mark.parametrize("answer", ["keep", "take"])
def test_concurrency_03_save_over_a_newer_memory_is_held_back(
    go: Go, studio: Studio, written: str, answer: str
) -> None:
    page = go(f"?agent={written}&mode=edit")
    box = page.get_by_label("The live memory, as Markdown")
    box.fill("mine\n")
    expect(page.get_by_role("button", name="Save as version 6")).to_be_enabled()
    studio.memory_write(written, "theirs\n")
    page.get_by_role("button", name="Save as version").click()
    banner = page.get_by_role("alert").filter(has_text="The memory changed while you were editing.")
    expect(banner).to_contain_text("Version 6 by")
    expect(box).to_have_value("mine\n")
    assert studio.get_memory_version(written).body.text == "theirs\n"
    banner.get_by_role("button", name="Compare with mine").click()
    expect(page.locator(".memory table.sides td.removed", has_text="theirs")).to_be_visible()
    if answer == "keep":
        banner.get_by_role("button", name="Save mine as version 7").click()
        expect(page.get_by_text("Saved as version 7.")).to_be_visible()
        assert studio.get_memory_version(written).body.text == "mine\n"
        assert studio.get_memory_version(written, 6).body.text == "theirs\n"
    else:
        banner.get_by_role("button", name="Take theirs").click()
        expect(box).to_have_value("theirs\n")
        assert studio.get_memory_version(written).version.number == 6


def test_leaving_unsaved_text_asks(go: Go, written: str) -> None:
    page = go(f"?agent={written}&mode=edit")
    box = page.get_by_label("The live memory, as Markdown")
    box.fill("mine\n")
    expect(page.get_by_text("unsaved changes")).to_be_visible()
    page.get_by_role("link", name="Preview", exact=True).click()
    question = page.get_by_role("dialog")
    question.get_by_role("button", name="Keep editing").click()
    expect(box).to_have_value("mine\n")
    page.get_by_role("link", name="Preview", exact=True).click()
    question.get_by_role("button", name="Leave without saving").click()
    expect(page.get_by_role("heading", name="What the model gets")).to_be_visible()


def test_reload_over_unsaved_text_asks(go: Go, written: str) -> None:
    page = go(f"?agent={written}&mode=edit")
    page.get_by_label("The live memory, as Markdown").press_sequentially("mine")
    asked: list[str] = []

    def answer(dialog: object) -> None:
        asked.append(dialog.type)  # type: ignore[attr-defined]
        dialog.accept()  # type: ignore[attr-defined]

    page.on("dialog", answer)
    page.reload()
    assert asked == ["beforeunload"]


def test_restore_names_what_it_makes(go: Go, studio: Studio, written: str) -> None:
    page = go(f"?agent={written}&version=2")
    page.get_by_role("button", name="Restore version 2 as version 6").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore version 2 as version 6").click()
    expect(page.get_by_text("Restored version 2 as version 6.")).to_be_visible()
    expect(page.locator(".memory .version").first).to_contain_text("restored")
    assert studio.get_memory_version(written).body.text == studio.get_memory_version(written, 2).body.text


ENDINGS = [
    pytest.param("a\r\nb\r\n", "a\nB\n", "a\r\nB\r\n", id="diff-16"),
    pytest.param("\ufeffa\r\nb\r\n", "a\nb\nc\n", "\ufeffa\r\nb\r\nc\r\n", id="no-op-02"),
]


@pytest.mark.parametrize(("stored", "typed", "saved"), ENDINGS)
def test_save_keeps_line_endings_and_mark(
    go: Go, studio: Studio, agent: str, stored: str, typed: str, saved: str
) -> None:
    studio.save_memory(agent, stored, force=True)
    page = go(f"?agent={agent}&mode=edit")
    expect(page.get_by_text("keeps its CRLF line endings")).to_be_visible()
    page.get_by_label("The live memory, as Markdown").fill(typed)
    page.get_by_role("button", name="Save as version 3").click()
    expect(page.get_by_text("Saved as version 3.")).to_be_visible()
    assert studio.get_memory_version(agent).body.text == saved


@pytest.mark.parametrize("query", ["", "&view=whole", "&view=whole&shown=raw", "&mode=edit", "&place=preview"])
def test_hostile_memory_does_nothing_but_show(go: Go, studio: Studio, agent: str, query: str) -> None:
    studio.save_memory(agent, HOSTILE, force=True, operator="<b>Eve</b>")
    page = go(f"?agent={agent}{query}")
    if "edit" in query:
        expect(page.get_by_label("The live memory, as Markdown")).to_have_value(HOSTILE)
    else:
        expect(page.locator("main").get_by_text("onerror").first).to_be_visible()
        expect(page.locator("main").get_by_text("memory>", exact=False).first).to_be_visible()
    expect(page.locator("main").get_by_text("<b>Eve</b>").first).to_be_visible()
    page.wait_for_timeout(200)
    assert page.evaluate("window.hit") is None
    assert page.locator("main img").count() == 0


def test_new_agent_says_what_to_do(go: Go, agent: str) -> None:
    page = go(f"?agent={agent}")
    expect(page.get_by_text("has written nothing yet")).to_be_visible()
    page.get_by_role("button", name="Write the first memory").click()
    expect(page.get_by_label("The live memory, as Markdown")).to_be_visible()
