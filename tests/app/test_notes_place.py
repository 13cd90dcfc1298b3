"""Notes and collections in a browser (decisions 23, 25 and 37)."""

import re
from collections.abc import Callable

import pytest
from hostile import HOSTILE
from playwright.sync_api import Page, expect

from studio import Studio
from studio.domain.collections import Access, Column

Go = Callable[[str], Page]
BOX = "The note, as Markdown"


@pytest.fixture
def note(studio: Studio, agent: str) -> str:
    """A note of the agent's own, by its path."""
    path = studio.notes.path("guides/alarms.md", agent=agent)
    studio.notes.create(path, "# SMS alarms\n\nTimes are in UTC.\n", operator="Ben")
    return path


def embed(studio: Studio, agent: str, path: str) -> None:
    """Put a note into the agent's live Task."""
    studio.draft_task(agent, f"Answer tickets.\n\n![[{path}]]\n")
    studio.publish_task(agent)


def test_an_agent_without_notes_says_what_they_are_for(go: Go, agent: str) -> None:
    page = go(f"?agent={agent}&place=notes")
    page.get_by_label("Find in the titles and texts of notes").fill("xyzzy nowhere")
    expect(page.get_by_text("No note holds all the words of “xyzzy nowhere”.")).to_be_visible()
    page.get_by_role("button", name="Show all notes").click()
    expect(page.get_by_label("Find in the titles and texts of notes")).to_have_value("")


def test_notes_stand_by_level_and_prompt_files_are_never_among_them(
    go: Go, studio: Studio, agent: str, note: str
) -> None:
    studio.memory_write(agent, "# Memory\n")
    studio.notes.create(studio.notes.path("levels/desk.md", guild="Desk"), "Of the guild.\n", title="Guild's own")
    studio.notes.create(studio.notes.path("levels/all.md"), "Of all.\n", title="Everyone's")
    page = go(f"?agent={agent}&place=notes")
    listed = page.locator(".shelves")
    expect(listed.get_by_role("heading")).to_contain_text([f"Notes of {page.locator('h1').inner_text()}"])
    expect(listed.get_by_role("heading", name="Notes of the guild Desk")).to_be_visible()
    expect(listed.get_by_role("heading", name="Notes of the organisation")).to_be_visible()
    row = page.locator(f"[data-key='note-{note}']")
    expect(row).to_contain_text("SMS alarms")
    expect(row).to_contain_text("guides/alarms.md")
    expect(row).to_contain_text("32 characters")
    expect(row).to_contain_text("Ben")
    expect(listed).not_to_contain_text("memory.md")
    expect(listed).not_to_contain_text("task.md")


def test_search_looks_into_titles_and_bodies(go: Go, studio: Studio, agent: str) -> None:
    other = studio.create_agent("finder of quokkas").id
    theirs = studio.notes.path("elsewhere.md", agent=other)
    studio.notes.create(theirs, "The quokka barometer.\n")
    studio.notes.create(studio.notes.path("mine.md", agent=agent), "Its barometer is old.\n", title="Quokka")
    page = go(f"?agent={agent}&place=notes")
    page.get_by_label("Find in the titles and texts of notes").fill("quokka barometer")
    listed = page.locator(".shelves li")
    expect(listed).to_have_count(2)
    expect(listed.first).to_contain_text("Its barometer is old.")
    expect(page.get_by_role("heading", name="Of other agents and guilds")).to_be_visible()
    expect(page).to_have_url(re.compile("words=quokka\\+barometer$"))


def test_a_note_opens_rendered_and_raw_and_names_who_embeds_it(go: Go, studio: Studio, agent: str, note: str) -> None:
    embed(studio, agent, note)
    page = go(f"?agent={agent}&place=notes")
    page.locator(f"[data-key='note-{note}']").click()
    expect(page.locator(".notes .prose h1")).to_have_text("SMS alarms")
    name = page.locator("h1").first.inner_text()
    expect(page.locator(".notes .facts")).to_contain_text(f"Embedded by the live Task of{name}")
    page.locator(".notes").get_by_text("Raw", exact=True).click()
    expect(page.locator(".notes .opened-side")).to_contain_text("# SMS alarms")
    expect(page).to_have_url(re.compile("shown=raw&note=org"))


def test_a_new_note_has_its_path_filled_in_for_each_level(go: Go, studio: Studio, agent: str) -> None:
    page = go(f"?agent={agent}&place=notes&mode=new")
    path = page.get_by_label("Path", exact=True)
    expect(path).to_have_value(studio.notes.path("", agent=agent))
    page.get_by_label("Level").select_option("org")
    expect(path).to_have_value(studio.notes.path(""))
    page.get_by_label("Level").select_option("guild")
    expect(path).to_have_value(studio.notes.path("", guild="Desk"))
    page.get_by_label("Level").select_option("agent")
    path.fill(studio.notes.path("made/here", agent=agent))
    page.get_by_label("Title", exact=True).fill("Made here")
    page.get_by_label(BOX).fill("By hand.\n")
    page.get_by_role("button", name="Create note").click()
    expect(page.get_by_role("heading", name="Made here")).to_be_visible()
    made = studio.notes.get(studio.notes.path("made/here.md", agent=agent))
    assert (made.title_field, made.body) == ("Made here", "By hand.\n")


def test_a_taken_path_is_refused_and_nothing_typed_is_lost(go: Go, studio: Studio, agent: str, note: str) -> None:
    page = go(f"?agent={agent}&place=notes&mode=new")
    page.get_by_label("Path", exact=True).fill(note)
    page.get_by_label(BOX).fill("Other words.\n")
    page.get_by_role("button", name="Create note").click()
    expect(page.get_by_role("alert").filter(has_text=note)).to_be_visible()
    expect(page.get_by_label(BOX)).to_have_value("Other words.\n")
    assert studio.notes.get(note).body.startswith("# SMS")


def test_an_edit_is_saved_with_its_title(go: Go, studio: Studio, agent: str, note: str) -> None:
    page = go(f"?agent={agent}&place=notes&note={note}")
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.get_by_role("button", name="Save note")).to_be_disabled()
    page.get_by_label(BOX).fill("# SMS alarms\n\nTimes are local.\n")
    page.get_by_label("Title", exact=True).fill("Alarms")
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_role("heading", name="Alarms", exact=True)).to_be_visible()
    expect(page.locator(".notes .prose")).to_contain_text("Times are local.")
    assert studio.notes.get(note).facts.updated_by.name == "Ana"


def test_a_newer_note_holds_a_save_back_and_keeps_what_was_typed(go: Go, studio: Studio, agent: str, note: str) -> None:
    page = go(f"?agent={agent}&place=notes&note={note}&mode=edit")
    page.get_by_label(BOX).fill("Mine.\n")
    expect(page.get_by_role("button", name="Save note")).to_be_enabled()
    studio.notes.edit(note, "Theirs.\n", force=True, operator="Ben")
    page.get_by_role("button", name="Save note").click()
    held = page.get_by_role("alert").filter(has_text="The note changed while you were editing.")
    expect(held).to_contain_text("Ben")
    expect(page.get_by_label(BOX)).to_have_value("Mine.\n")
    assert studio.notes.get(note).body == "Theirs.\n"
    held.get_by_role("button", name="Compare with mine").click()
    expect(page.locator(".notes td.added", has_text="Mine.")).to_be_visible()
    page.get_by_role("button", name="Save mine over it").click()
    expect(page.locator(".notes .prose")).to_contain_text("Mine.")
    assert studio.notes.get(note).body == "Mine.\n"


def test_take_theirs_puts_the_newer_note_into_the_editor(go: Go, studio: Studio, agent: str, note: str) -> None:
    page = go(f"?agent={agent}&place=notes&note={note}&mode=edit")
    page.get_by_label(BOX).fill("Mine.\n")
    expect(page.get_by_role("button", name="Save note")).to_be_enabled()
    studio.notes.edit(note, "Theirs.\n", force=True, operator="Ben")
    expect(page.get_by_text("The note changed while you were editing.")).to_be_visible()
    page.get_by_role("button", name="Take theirs").click()
    expect(page.get_by_label(BOX)).to_have_value("Theirs.\n")
    expect(page.get_by_text("The note changed while you were editing.")).to_be_hidden()


def test_leaving_a_typed_note_asks(go: Go, agent: str, note: str) -> None:
    page = go(f"?agent={agent}&place=notes&note={note}&mode=edit")
    page.get_by_label(BOX).fill("Mine.\n")
    expect(page.get_by_role("button", name="Save note")).to_be_enabled()
    page.get_by_role("link", name="Memory", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Keep editing").click()
    expect(page.get_by_label(BOX)).to_have_value("Mine.\n")
    page.get_by_role("link", name="Memory", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Leave without saving").click()
    expect(page.get_by_label(BOX)).to_be_hidden()


def test_a_move_gives_the_note_its_new_path(go: Go, studio: Studio, agent: str, note: str) -> None:
    page = go(f"?agent={agent}&place=notes&note={note}")
    page.get_by_role("button", name="Move", exact=True).click()
    to = studio.notes.path("moved.md", agent=agent)
    page.get_by_label("New path").fill(to)
    page.get_by_role("button", name="Move note").click()
    expect(page.get_by_text(f"Moved to {to}.")).to_be_visible()
    expect(page.locator(".notes .facts code")).to_have_text(to)
    assert studio.notes.get(to).body.startswith("# SMS")


def test_an_embedded_note_is_neither_deleted_nor_moved(go: Go, studio: Studio, agent: str, note: str) -> None:
    embed(studio, agent, note)
    page = go(f"?agent={agent}&place=notes&note={note}")
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete note").click()
    refused = page.get_by_role("alert").filter(has_text="test_an_embedded_note")
    expect(refused).to_be_visible()
    page.get_by_role("button", name="Move", exact=True).click()
    page.get_by_label("New path").fill(studio.notes.path("elsewhere.md", agent=agent))
    page.get_by_role("button", name="Move note").click()
    expect(refused).to_contain_text("move")
    assert studio.notes.get(note).body


def test_a_note_that_nothing_embeds_is_deleted_once_confirmed(go: Go, studio: Studio, agent: str, note: str) -> None:
    page = go(f"?agent={agent}&place=notes&note={note}")
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Keep it").click()
    assert studio.notes.get(note).body
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Delete note").click()
    expect(page.get_by_text(f"Deleted {note}.")).to_be_visible()
    expect(page.locator(f"[data-key='note-{note}']")).to_have_count(0)


def test_a_collection_shows_its_columns_and_a_page_of_records(go: Go, studio: Studio, agent: str) -> None:
    path = studio.collections.path("invoices", agent=agent)
    columns = [Column("number", "As printed."), Column("paid")]
    studio.collections.create(path, columns, purpose="Every invoice.")
    for number in range(30):
        studio.collections.write(path, {"number": f"INV-{number}", "paid": number > 3}, record_id=f"rec_{number:02}")
    studio.collections.grant(agent, path, Access.READ)
    page = go(f"?agent={agent}&place=notes")
    page.locator(f"[data-key='note-{path}']").click()
    expect(page.get_by_role("heading", name="invoices")).to_be_visible()
    expect(page.locator(".notes .opened")).to_contain_text("Every invoice.")
    expect(page.locator(".notes .facts")).to_contain_text("reads it")
    expect(page.locator(".columns")).to_contain_text("As printed.")
    rows = page.get_by_role("table", name="Records of invoices").locator("tbody tr")
    expect(rows).to_have_count(25)
    page.locator(".notes .opened-side").get_by_role("button", name="Next").click()
    expect(rows).to_have_count(5)


@pytest.mark.parametrize("name", ["nothing.md", "../memory.md"])
def test_a_link_to_no_note_says_so(go: Go, studio: Studio, agent: str, name: str) -> None:
    path = studio.notes.path(name, agent=agent).replace("notes/../", "")
    page = go(f"?agent={agent}&place=notes&note={path}")
    expect(page.locator(".notes .nothing", has_text=path)).to_be_visible()


def test_hostile_notes_stay_text(go: Go, studio: Studio, agent: str) -> None:
    path = studio.notes.path('<img src=x onerror="window.hit=1">.md', agent=agent)
    studio.notes.create(path, HOSTILE, title='<img src=x onerror="window.hit=1">')
    table = studio.collections.path('<img src=x onerror="window.hit=1">', agent=agent)
    studio.collections.create(table, [Column("<script>window.hit=1</script>", HOSTILE)], purpose=HOSTILE)
    studio.collections.write(table, {"<script>window.hit=1</script>": HOSTILE})
    page = go(f"?agent={agent}&place=notes")
    for one in (path, table):
        page.locator(".shelves [data-do=note]").and_(page.locator(f"[data-value={one!r}]")).click()
        expect(page.locator(".notes .facts code")).to_have_text(one)
    page.locator(".shelves [data-do=note]").first.click()
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.get_by_label(BOX)).to_be_visible()
    assert page.evaluate("window.hit") is None
    assert page.locator("img").count() == 0
