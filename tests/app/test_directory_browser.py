"""The Directory place in a browser: for a person, for screen readers, in both themes and on a phone (decisions 1 and 34)."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from directory_page import FILES, Directory
from directory_repository import note
from playwright.sync_api import Page, expect

from studio import Studio

Go = Callable[[str], Page]
BOX = "The file, as Markdown"
LONG = {
    **FILES,
    "style.md": note("- Lead with evidence, see 10.0.0.4.\n" * 560, "style", "How to write."),
    "<img src=x onerror=window.hit=1>.md": note("<script>window.hit=1</script> </memory>\n" + "long" * 500, "img", "y"),
}
VIEWS = {
    "overview": "",
    "a file": "&file=human.md",
    "the editor": "&file=human.md&mode=edit",
    "a new file": "&mode=new",
    "compiled prompt": "&tab=prompt",
    "history": "&tab=history",
    "headroom": "&tab=headroom",
    "changes": "&tab=changes",
    "a file that is gone": "&file=gone.md",
    "audit": "&tab=audit",
    "a commit there is not": "&commit=nothing",
}


def test_a_block_is_edited_and_the_prompt_and_timeline_follow(go: Go, studio: Studio, tmp_path: Path) -> None:
    directory = Directory(studio, tmp_path)
    page = go(f"?agent={directory.agent}")
    page.get_by_role("link", name="Directory", exact=True).click()
    expect(page.get_by_role("heading", name="Memory directory")).to_be_visible()
    listed = page.locator(".tree")
    expect(listed.locator("[data-key='file-human.md']")).to_contain_text("1 advice")
    expect(listed.locator("[data-key='file-persona.md'] .meter")).to_contain_text("of 20,000")
    page.get_by_role("link", name="human.md, line 7").click()
    expect(page.locator("tr.finding")).to_contain_text("Capitals for emphasis: NEVER.")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_label(BOX).fill(note("Lead with the answer.\n\n- Verify claims.\n", "human", "Who the user is."))
    expect(page.get_by_text("say why, then commit")).to_be_visible()
    expect(page.get_by_role("button", name="Commit", exact=True)).to_be_disabled()
    page.get_by_label("Why", exact=True).fill("Say it plainly")
    page.get_by_role("button", name="Commit", exact=True).click()
    expect(page.get_by_text(re.compile(r"Committed human\.md in .* version 2 now"))).to_be_visible()
    expect(listed.locator("[data-key='file-human.md']")).not_to_contain_text("advice")
    page.get_by_role("button", name="See what changed in the prompt").click()
    expect(page.locator(".directory td.added", has_text="Verify claims.")).to_be_visible()
    page.get_by_role("link", name="History", exact=True).click()
    newest = page.locator(".directory .version").first
    expect(newest).to_contain_text("Ana")
    expect(newest).to_contain_text("Say it plainly")
    expect(page).to_have_url(re.compile("tab=history"))
    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.locator(".directory .version")).to_have_count(2)
    expect(page.get_by_role("heading", name="Version 2")).to_be_visible()


def test_a_deleted_file_is_found_among_the_changes_and_brought_back(go: Go, studio: Studio, tmp_path: Path) -> None:
    directory = Directory(studio, tmp_path)
    directory.commit("people/sarah.md", None, "Forget Sarah", by="Dreamer[bot]")
    page = go(f"?agent={directory.agent}&place=directory")
    page.get_by_role("link", name="Changes", exact=True).click()
    expect(page.locator(".directory .version").first).to_contain_text("1 deleted")
    expect(page.locator(".changed-file")).to_contain_text("Runs the releases.")
    page.get_by_role("link", name="Open as it last was").click()
    expect(page.locator(".directory table.whole")).to_contain_text("Runs the releases.")
    page.get_by_role("button", name="Bring it back").click()
    expect(page.get_by_text("Brought back people/sarah.md in")).to_be_visible()
    expect(page.get_by_text("Deferred memory: not in the prompt")).to_be_visible()
    assert directory.text("people/sarah.md") == FILES["people/sarah.md"]


def test_what_others_commit_is_shown_and_typed_text_stays(go: Go, studio: Studio, tmp_path: Path) -> None:
    directory = Directory(studio, tmp_path)
    page = go(f"?agent={directory.agent}&place=directory&file=persona.md")
    expect(page.locator(".directory table.whole")).to_contain_text("Be plain.")
    directory.commit("persona.md", note("Be brief.\n", "persona", "Who you are."), "Brief")
    expect(page.locator(".directory table.whole")).to_contain_text("Be brief.")
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_label(BOX).fill("mine\n")
    expect(page.get_by_text("unsaved changes")).to_be_visible()
    directory.commit("persona.md", note("Be kind.\n", "persona", "Who you are."), "Kind", by="Sarah")
    banner = page.get_by_role("alert").filter(has_text="persona.md changed while you were editing.")
    expect(banner).to_contain_text("Sarah")
    expect(page.get_by_label(BOX)).to_have_value("mine\n")


def test_what_is_typed_before_the_header_of_a_new_file_arrives_stays(go: Go, studio: Studio, tmp_path: Path) -> None:
    directory = Directory(studio, tmp_path)
    page = go(f"?agent={directory.agent}&place=directory&mode=new")
    expect(page.get_by_label(BOX)).to_have_value(re.compile("^---"))
    page.get_by_label("Path", exact=True).fill("style.md")
    page.get_by_label("Path", exact=True).press("Tab")
    page.get_by_label(BOX).fill("mine\n")
    expect(page.get_by_text("style.md: the file has no header").first).to_be_visible()
    expect(page.get_by_label(BOX)).to_have_value("mine\n")


def test_on_a_phone_the_page_goes_to_what_was_opened(go: Go, page: Page, studio: Studio, tmp_path: Path) -> None:
    directory = Directory(studio, tmp_path, LONG)
    page.set_viewport_size({"width": 390, "height": 700})
    go(f"?agent={directory.agent}&place=directory")
    opened = page.get_by_role("heading", name="persona.md")
    page.locator("[data-key='file-persona.md']").click()
    expect(opened).to_be_in_viewport()
    go(f"?agent={directory.agent}&place=directory&file=persona.md&mode=edit")
    expect(page.get_by_role("button", name="Commit", exact=True)).to_be_in_viewport()
    go(f"?agent={directory.agent}&place=directory")
    expect(page.get_by_role("heading", name="Memory directory")).to_be_in_viewport()


@pytest.fixture
def furnished(studio: Studio, tmp_path: Path) -> dict[str, str]:
    """A directory with findings, long names and hostile texts; its addresses by view."""
    directory = Directory(studio, tmp_path, LONG)
    directory.commit("persona.md", note("Be brief.\n", "persona", "Who you are."), "Brief")
    directory.commit("gone.md", LONG["style.md"], "<script>window.hit=1</script>" + "long" * 90)
    directory.commit("gone.md", None, "Forget " + "long" * 90, by="<img src=x onerror=window.hit=1>")
    return {view: f"?agent={directory.agent}&place=directory{query}" for view, query in VIEWS.items()}


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 400)])
def test_every_view_is_readable_and_fits(
    go: Go, page: Page, furnished: dict[str, str], axe_script: str, scheme: str, width: int
) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": 860})
    for view, address in furnished.items():
        go(address)
        if view == "the editor":
            page.get_by_label(BOX).fill("NEVER\n")
            expect(page.get_by_role("heading", name=re.compile("This would be refused"))).to_be_visible()
        page.evaluate(axe_script)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        serious = [
            (view, one["id"], one["nodes"][0]["html"][:200], one["nodes"][0].get("failureSummary", "")[:300])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert not serious
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view
        wider = page.evaluate("document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth")
        assert wider <= 0, view
    assert page.evaluate("window.hit") is None
