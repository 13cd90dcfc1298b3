"""Drafting, reviewing and publishing a Task in a browser (decisions 30 and 31)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from studio import Studio

Go = Callable[[str], Page]
BOX = "The Task draft, task.md"


@pytest.fixture
def tasked(studio: Studio, agent: str) -> str:
    """An agent whose Task has two versions."""
    studio.draft_task(agent, "Answer tickets.\nBe kind.\nSign your name.\n")
    studio.publish_task(agent, note="Said how to sign.")
    return agent


def test_draft_survives_reload_and_is_published(go: Go, studio: Studio, tasked: str) -> None:
    page = go(f"?agent={tasked}&place=prompt")
    page.get_by_label(BOX).fill("Answer tickets.\nBe kind and brief.\nSign your name.\n")
    expect(page.get_by_text("Draft from version 2 by")).to_be_visible()
    expect(page.get_by_label("Agents").locator("[aria-current] .badge", has_text="draft")).to_be_visible()

    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.get_by_label(BOX)).to_have_value("Answer tickets.\nBe kind and brief.\nSign your name.\n")

    page.get_by_role("link", name="Memory", exact=True).click()
    page.locator(".places").get_by_text("Prompt").click()
    expect(page.get_by_label(BOX)).to_have_value("Answer tickets.\nBe kind and brief.\nSign your name.\n")

    page.get_by_role("button", name="Review").click()
    expect(page.locator(".prompt table.sides td.added", has_text="Be kind and brief.")).to_be_visible()
    sizes = page.get_by_role("table", name="Characters in the composed prompt of a direct run")
    expect(sizes.get_by_role("row", name="task")).to_contain_text("+10")
    expect(sizes.get_by_role("row", name="guidelines")).to_contain_text("unchanged")
    page.get_by_label("Note", exact=True).fill("Customers like it short.")
    page.get_by_role("button", name="Publish version 3").click()
    expect(page.get_by_text("Published version 3. The next run reads it.")).to_be_visible()
    expect(page.locator(".prompt .version").first).to_contain_text("Customers like it short.")
    assert studio.get_task_version(tasked).body.text == "Answer tickets.\nBe kind and brief.\nSign your name.\n"
    assert studio.get_task_draft(tasked) is None


def test_preview_changes_after_publishing(go: Go, tasked: str) -> None:
    page = go(f"?agent={tasked}&place=preview")
    section = page.get_by_label("Section task")
    expect(section).to_contain_text("Be kind.")
    page.locator(".places").get_by_text("Prompt").click()
    page.get_by_label(BOX).fill("Only this.\n")
    expect(page.get_by_text("Draft from version 2 by")).to_be_visible()
    page.get_by_role("link", name="Preview", exact=True).click()
    expect(section).to_contain_text("Be kind.")
    page.get_by_role("group", name="Which Task").get_by_text("Draft").click()
    expect(section).to_contain_text("Only this.")
    page.locator(".places").get_by_text("Prompt").click()
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Publish version 3").click()
    expect(page.get_by_text("Published version 3.")).to_be_visible()
    page.get_by_role("link", name="Preview", exact=True).click()
    expect(section).to_contain_text("Only this.")
    expect(page.get_by_text("Made of Task version 3")).to_be_visible()


def test_an_unchanged_draft_cannot_be_published(go: Go, studio: Studio, tasked: str) -> None:
    studio.draft_task(tasked, studio.get_task_version(tasked).body.text or "")
    page = go(f"?agent={tasked}&place=prompt&mode=review")
    expect(page.get_by_text("there is nothing to publish")).to_be_visible()
    expect(page.get_by_role("button", name="Publish version 3")).to_be_disabled()


def test_no_draft_cannot_be_reviewed(go: Go, tasked: str) -> None:
    page = go(f"?agent={tasked}&place=prompt")
    expect(page.get_by_text("Type to start a draft")).to_be_visible()
    expect(page.get_by_role("button", name="Review")).to_be_disabled()


def newer(studio: Studio, agent: str, mine: str, theirs: str) -> None:
    """A draft from version 2, and a version 3 that somebody published meanwhile."""
    studio.draft_task(agent, theirs)
    studio.publish_task(agent, operator="Ben")
    studio.draft_task(agent, mine, based_on=2)


def test_publishing_over_a_newer_task_offers_a_merge(go: Go, studio: Studio, tasked: str) -> None:
    newer(
        studio,
        tasked,
        mine="Answer tickets.\nBe kind.\nSign with initials.\n",
        theirs="Answer all tickets.\nBe kind.\nSign your name.\n",
    )
    page = go(f"?agent={tasked}&place=prompt&mode=review")
    held = page.get_by_role("alert").filter(has_text="The Task went on to version 3")
    expect(held).to_contain_text("Ben")
    expect(page.get_by_text("From version 2, where the draft started, to the draft")).to_be_visible()
    expect(page.get_by_role("button", name="Publish version 4", exact=True)).to_have_count(0)
    held.get_by_role("button", name="Merge the two").click()
    expect(page.get_by_text("Merged with version 3 without a conflict.")).to_be_visible()
    page.get_by_role("button", name="Publish version 4").click()
    expect(page.get_by_text("Published version 4.")).to_be_visible()
    assert studio.get_task_version(tasked).body.text == "Answer all tickets.\nBe kind.\nSign with initials.\n"


def test_a_merge_with_a_conflict_goes_back_to_the_editor(go: Go, studio: Studio, tasked: str) -> None:
    newer(studio, tasked, mine="Mine.\n", theirs="Theirs.\n")
    page = go(f"?agent={tasked}&place=prompt&mode=review")
    page.get_by_role("button", name="Merge the two").click()
    expect(page.get_by_label(BOX)).to_have_value("<<<<<<< draft\nMine.\n=======\nTheirs.\n>>>>>>> live\n")
    expect(page.get_by_text("Both changed the same lines in one place")).to_be_visible()


def test_publish_anyway_keeps_the_newer_task_in_the_timeline(go: Go, studio: Studio, tasked: str) -> None:
    newer(studio, tasked, mine="Mine.\n", theirs="Theirs.\n")
    page = go(f"?agent={tasked}&place=prompt&mode=review")
    page.get_by_role("button", name="Publish the draft as version 4 anyway").click()
    expect(page.get_by_text("Published version 4.")).to_be_visible()
    assert studio.get_task_version(tasked, 3).body.text == "Theirs.\n"


def test_a_newer_task_during_review_holds_the_publish_back(go: Go, studio: Studio, tasked: str) -> None:
    studio.draft_task(tasked, "Mine.\n")
    page = go(f"?agent={tasked}&place=prompt&mode=review")
    expect(page.get_by_role("button", name="Publish version 3")).to_be_enabled()
    studio.restore_task(tasked, 1, operator="Ben")
    page.get_by_role("button", name="Publish version 3").click()
    expect(page.get_by_role("alert").filter(has_text="The Task went on to version 3")).to_be_visible()
    draft = studio.get_task_draft(tasked)
    assert draft is not None
    assert draft.text == "Mine.\n"


def test_discarding_a_draft_asks(go: Go, studio: Studio, tasked: str) -> None:
    studio.draft_task(tasked, "Mine.\n")
    page = go(f"?agent={tasked}&place=prompt")
    page.locator(".prompt").get_by_role("button", name="Discard draft").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep it").click()
    expect(page.get_by_label(BOX)).to_have_value("Mine.\n")
    page.locator(".prompt").get_by_role("button", name="Discard draft").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard draft").click()
    expect(page.get_by_text("The draft was discarded.")).to_be_visible()
    expect(page.get_by_label(BOX)).to_have_value("Answer tickets.\nBe kind.\nSign your name.\n")
    assert studio.get_task_draft(tasked) is None


def test_versions_open_with_their_change_and_restore(go: Go, studio: Studio, tasked: str) -> None:
    page = go(f"?agent={tasked}&place=prompt&version=1")
    expect(page.get_by_role("heading", name="Version 1")).to_be_visible()
    page.get_by_role("button", name="Restore version 1 as version 3").click()
    page.get_by_role("dialog").get_by_role("button", name="Restore version 1 as version 3").click()
    expect(page.get_by_text("Restored version 1 as version 3.")).to_be_visible()
    assert studio.get_task_version(tasked).version.number == 3


def test_diff_16_a_draft_keeps_line_endings(go: Go, studio: Studio, tasked: str) -> None:
    studio.draft_task(tasked, "a\r\nb\r\n")
    studio.publish_task(tasked)
    page = go(f"?agent={tasked}&place=prompt")
    page.get_by_label(BOX).fill("a\nB\n")
    expect(page.get_by_text("Draft from version 3 by")).to_be_visible()
    draft = studio.get_task_draft(tasked)
    assert draft is not None
    assert draft.text == "a\r\nB\r\n"


@pytest.mark.parametrize("answer", ["Keep mine", "Show theirs"])
def test_a_draft_changed_elsewhere_is_not_written_over(go: Go, studio: Studio, tasked: str, answer: str) -> None:
    studio.draft_task(tasked, "First.\n")
    page = go(f"?agent={tasked}&place=prompt")
    box = page.get_by_label(BOX)
    expect(box).to_have_value("First.\n")
    studio.draft_task(tasked, "Theirs.\n")
    box.fill("Mine.\n")
    expect(page.get_by_text("The draft was changed elsewhere")).to_be_visible()
    expect(box).to_have_value("Mine.\n")
    draft = studio.get_task_draft(tasked)
    assert draft is not None
    assert draft.text == "Theirs.\n"
    page.get_by_role("button", name=answer).click()
    expect(page.get_by_text("The draft was changed elsewhere")).to_be_hidden()
    expect(box).to_have_value("Mine.\n" if answer == "Keep mine" else "Theirs.\n")
    expect(page.get_by_text("6 characters" if answer == "Keep mine" else "8 characters")).to_be_visible()
    draft = studio.get_task_draft(tasked)
    assert draft is not None
    assert draft.text == ("Mine.\n" if answer == "Keep mine" else "Theirs.\n")
