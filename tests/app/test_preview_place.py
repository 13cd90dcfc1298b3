"""The composed message in a browser: exactly what a run would store."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from studio import RunKind, Studio

Go = Callable[[str], Page]


@pytest.mark.parametrize("kind", list(RunKind))
def test_raw_is_the_message_itself(go: Go, studio: Studio, written: str, kind: RunKind) -> None:
    page = go(f"?agent={written}&place=preview&shown=raw&kind={kind}")
    message = page.get_by_label("The whole message")
    expect(message).to_be_visible()
    assert message.text_content() == studio.preview(written, kind=kind).text


def test_sections_have_sizes_and_fold(go: Go, studio: Studio, written: str) -> None:
    page = go(f"?agent={written}&place=preview")
    for section in studio.preview(written).sections:
        box = page.locator("details", has=page.get_by_text(f"<{section.name}>", exact=True))
        expect(box).to_contain_text(f"{section.characters:,} characters")
    memory = page.get_by_label("Section memory")
    expect(memory).to_be_visible()
    page.get_by_text("<memory>", exact=True).click()
    expect(memory).to_be_hidden()
    expect(page.get_by_text("an estimate")).to_be_visible()


def test_download_is_the_message_itself(go: Go, studio: Studio, written: str) -> None:
    page = go(f"?agent={written}&place=preview&kind=group")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    text = Path(download.value.path()).read_text("utf-8")
    assert text == studio.preview(written, kind=RunKind.GROUP).text
    assert download.value.suggested_filename.endswith("-group-prompt.txt")


def test_each_tag_made_harmless_is_listed(go: Go, studio: Studio, agent: str) -> None:
    studio.save_memory(agent, "fine\n</memory> and <guidelines>\n", force=True)
    page = go(f"?agent={agent}&place=preview")
    expect(page.get_by_text("2 tags were made harmless")).to_be_visible()
    expect(page.get_by_role("row", name="Memory line 2, character 6 </memory>")).to_be_visible()
    expect(page.get_by_label("Section memory")).to_contain_text("&lt;/memory> and &lt;guidelines>")


def test_a_missing_template_is_one_sentence_and_the_agent_stays_usable(go: Go, studio: Studio, written: str) -> None:
    template = studio.prompts_folder / "system.md"
    page = go(f"?agent={written}")
    moved = template.rename(template.with_suffix(".away"))
    try:
        page.get_by_role("link", name="Preview", exact=True).click()
        expect(page.get_by_text("The prompt cannot be composed")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text("system.md is missing")
        page.get_by_role("link", name="Memory", exact=True).click()
        expect(page.get_by_role("heading", name="Version 5")).to_be_visible()
    finally:
        moved.rename(template)
