"""Nothing goes live in the app without the question it deserves, and a draft of somebody else is not typed over (decision 39)."""

from collections.abc import Callable
from pathlib import Path

import pytest
from directory_page import Directory
from playwright.sync_api import Locator, Page, expect
from question_cases import CONFLICT, KEY

from studio import Studio
from studio.domain.authors import operator

Go = Callable[[str], Page]
TASK = "The Task draft, task.md"
MEMORY = "The live memory, as Markdown"


def asked(page: Page, *sentences: str) -> Locator:
    """The dialog that is open, with what it asks; the answer that changes nothing has the focus."""
    dialog = page.get_by_role("dialog")
    for one in sentences:
        expect(dialog).to_contain_text(one)
    expect(dialog.locator("button").first).to_be_focused()
    return dialog


def test_a_merge_with_conflicts_cannot_be_published_unasked_publish_02(go: Go, studio: Studio, agent: str) -> None:
    studio.draft_task(agent, "Answer tickets.\nBe kind.\n")
    studio.publish_task(agent)
    studio.draft_task(agent, "Answer tickets.\nBe kind and brief.\n")
    studio.save_task(agent, "Answer tickets.\nBe friendly.\n", force=True, operator="Ben")
    page = go(f"?agent={agent}&place=prompt&mode=review")
    page.get_by_role("button", name="Merge the two").click()
    expect(page.get_by_text("stand between <<<<<<< draft and >>>>>>> live in lines 2 to 6")).to_be_visible()
    page.get_by_role("button", name="Review").click()
    says = "Conflict markers of a merge that was not settled stand in lines 2 to 6."
    expect(page.locator(".asks")).to_contain_text(says)
    before = studio.get_task_version(agent).version.number
    page.get_by_role("button", name="Publish version 4").click()
    asked(page, says).get_by_role("button", name="Keep the draft").click()
    assert studio.get_task_version(agent).version.number == before
    page.get_by_role("button", name="Publish version 4").click()
    asked(page, says).get_by_role("button", name="Publish with conflict markers").click()
    expect(page.get_by_text("Published version 4.")).to_be_visible()


def test_an_empty_task_is_asked_about_publish_01(go: Go, studio: Studio, agent: str) -> None:
    studio.draft_task(agent, "   \n")
    page = go(f"?agent={agent}&place=prompt&mode=review")
    expect(page.locator(".asks")).to_contain_text("runs would have no purpose")
    page.get_by_role("button", name="Publish version 2").click()
    asked(page, "Nothing would be left of the Task").get_by_role("button", name="Publish with nothing in it").click()
    expect(page.get_by_text("Published version 2.")).to_be_visible()
    assert studio.get_task_version(agent).body.text == "   \n"


def test_a_memory_is_asked_about_and_what_was_typed_stays(go: Go, studio: Studio, written: str) -> None:
    page = go(f"?agent={written}&place=memory&mode=edit")
    text = CONFLICT + KEY
    page.get_by_label(MEMORY).fill(text)
    page.get_by_role("button", name="Save as version 6").click()
    dialog = asked(page, "lines 2 to 6", "What looks like a secret stands in line 7")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_label(MEMORY)).to_have_value(text)
    assert studio.get_memory_version(written).version.number == 5
    page.get_by_role("button", name="Save as version 6").click()
    asked(page).get_by_role("button", name="Save with conflict markers and a key").click()
    expect(page.get_by_text("Saved as version 6.")).to_be_visible()
    row = page.locator(".version").first
    expect(row).to_contain_text("conflict markers")
    expect(row).to_contain_text("holds a key")


def test_a_restore_is_asked_about(go: Go, studio: Studio, written: str) -> None:
    page = go(f"?agent={written}&place=memory&version=1")
    page.get_by_role("button", name="Restore version 1 as version 6").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore version 1 as version 6").click()
    asked(page, "Nothing would be left of the memory").get_by_role("button", name="Cancel").click()
    assert studio.get_memory_version(written).version.number == 5
    page.get_by_role("button", name="Restore version 1 as version 6").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore version 1 as version 6").click()
    asked(page, "Nothing would").get_by_role("button", name="Restore with nothing in it").click()
    expect(page.get_by_text("Restored version 1 as version 6.")).to_be_visible()


def test_an_agents_own_write_is_marked(go: Go, studio: Studio, written: str) -> None:
    studio.memory_write(written, "")
    page = go(f"?agent={written}&place=memory")
    expect(page.locator(".version").first.locator(".badge", has_text="emptied")).to_be_visible()
    expect(page.locator(".facts")).to_contain_text("emptied")


def test_a_note_is_asked_about(go: Go, studio: Studio, agent: str) -> None:
    path = studio.notes.path("prices.md", agent=agent)
    studio.notes.create(path, "10 EUR\n")
    page = go(f"?agent={agent}&place=notes&note={path}&mode=edit")
    page.get_by_label("The note, as Markdown").fill("")
    page.get_by_role("button", name="Save note").click()
    asked(page, "Nothing would be left of the note").get_by_role("button", name="Keep editing").click()
    assert studio.notes.get(path).body == "10 EUR\n"
    page.get_by_role("button", name="Save note").click()
    asked(page).get_by_role("button", name="Save with nothing in it").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert studio.notes.get(path).body == ""


def test_an_embed_over_the_budget_is_told_like_a_broken_link_publish_03(go: Go, studio: Studio, agent: str) -> None:
    paths = [studio.notes.path(name, agent=agent) for name in ("first.md", "second.md")]
    for path, size in zip(paths, (40_000, 25_537), strict=True):
        studio.notes.create(path, "n" * size)
    studio.draft_task(agent, " ".join(f"![[{path}]]" for path in paths))
    page = go(f"?agent={agent}&place=prompt&mode=review")
    expect(page.locator(".asks")).to_contain_text("25,536 of 65,536 are left")
    page.get_by_role("button", name="Publish version 2").click()
    asked(page, paths[1]).get_by_role("button", name="Publish with embeds left out").click()
    expect(page.locator(".broken-links summary")).to_contain_text("1 embed over budget in the live Task")
    expect(page.get_by_label("Agents").locator("[aria-current] .badge", has_text="1 embed over budget")).to_be_visible()


# --- drafts (shell-02) ---


def test_a_draft_of_somebody_else_is_not_typed_over_unasked_shell_02(go: Go, studio: Studio, agent: str) -> None:
    studio.draft_task(agent, "Ben's idea.\n", author=operator("Ben"))
    page = go(f"?agent={agent}&place=prompt")
    page.get_by_label(TASK).fill("Ben's idea, and mine.\n")
    expect(page.get_by_text("This draft is by operator Ben")).to_be_visible()
    kept = studio.get_task_draft(agent)
    assert kept is not None
    assert (kept.text, kept.author) == ("Ben's idea.\n", operator("Ben"))
    page.get_by_role("button", name="Go on with the draft of operator Ben").click()
    expect(page.get_by_text("Draft from version 1 by")).to_contain_text("Ana")
    page.get_by_label(TASK).fill("Ben's idea, and mine, again.\n")
    expect(page.locator(".replaced summary")).to_contain_text("1 earlier draft")
    page.locator(".replaced summary").click()
    expect(page.locator(".replaced li")).to_contain_text("Ben's idea.")
    page.get_by_role("button", name="Bring this draft back").click()
    expect(page.get_by_label(TASK)).to_have_value("Ben's idea.\n")


def test_keeping_mine_over_a_draft_that_somebody_else_made_meanwhile_asks_once(
    go: Go, studio: Studio, agent: str
) -> None:
    page = go(f"?agent={agent}&place=prompt")
    box = page.get_by_label(TASK)
    expect(box).to_have_value("Answers tickets.")
    studio.draft_task(agent, "Ben's.\n", author=operator("Ben"))
    box.fill("Mine.\n")
    page.get_by_role("button", name="Keep mine").click()
    expect(page.locator(".replaced summary")).to_contain_text("1 earlier draft")
    kept = studio.get_task_draft(agent)
    assert kept is not None
    assert (kept.text, kept.author) == ("Mine.\n", operator("Ana"))


def test_a_discarded_draft_comes_back(go: Go, studio: Studio, agent: str) -> None:
    studio.draft_task(agent, "A thought.\n")
    page = go(f"?agent={agent}&place=prompt")
    page.get_by_role("button", name="Discard draft").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard draft").click()
    expect(page.get_by_text("The draft was discarded.")).to_be_visible()
    page.locator(".replaced summary").click()
    page.get_by_role("button", name="Bring this draft back").click()
    expect(page.get_by_text("The draft is back")).to_be_visible()
    expect(page.get_by_label(TASK)).to_have_value("A thought.\n")


# --- a memory directory, on its page without a browser ---


@pytest.mark.parametrize(
    ("text", "says", "button"),
    [
        (CONFLICT, "stand in lines 6 to 10", "Commit with conflict markers"),
        ("", "Nothing would be left of the file", "Commit with nothing in it"),
    ],
)
def test_a_file_of_a_directory_is_asked_about(
    studio: Studio, tmp_path: Path, text: str, says: str, button: str
) -> None:
    directory = Directory(studio, tmp_path, name=f"keeper of {button}")
    before = directory.repository.head()
    page = directory.page("&file=persona.md&mode=edit")
    page.type("---\nname: persona\ndescription: Who you are.\n---\n" + text, "why")
    page.choose("directory_editor", "save")
    assert says in page.words("question")
    assert button in page.words("question")
    assert (directory.repository.head() == before, page.editing) == (True, True)
    page.choose("question", "no")
    assert (directory.repository.head() == before, page.editing) == (True, True)
    page.choose("directory_editor", "save")
    page.choose("question", "yes")
    assert "Committed persona.md" in page.words("notice")
    assert directory.repository.head() != before
