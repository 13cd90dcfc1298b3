"""Notes of agents, guilds and the organisation: who may do what, what is refused, what a search finds."""

from collections.abc import Callable
from typing import Any

import pytest
from builders import Clock, overwrite, publish, wake

from studio import open_studio
from studio.actions.studio import Studio
from studio.domain.authors import AuthorKind
from studio.domain.bindings import Scope
from studio.domain.collections import Column
from studio.domain.places import Level
from studio.errors import (
    BadName,
    NotANote,
    NoteChanged,
    NotFound,
    NotGranted,
    PathTaken,
    Refused,
    UnknownPath,
    UnprovenSave,
    UnusableText,
)


@pytest.fixture(autouse=True)
def agents(studio: Studio) -> None:
    """Two agents of one guild and one of another."""
    studio.create_agent("scout", guild="Desk")
    studio.create_agent("scribe", guild="Desk")
    studio.create_agent("loner")


def path(studio: Studio, level: str = "org", name: str = "pricing.md", agent: str = "scout") -> str:
    owner: dict[str, Any] = {"agent": {"agent": agent}, "guild": {"guild": "Desk"}, "org": {}}[level]
    return studio.notes.path(name, **owner)


def off(studio: Studio, binding: str) -> None:
    studio.set_binding(Scope.AGENT, "scout", binding, turned_on=False)


# --- what is written -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["agent", "guild", "org"])
def test_a_note_is_kept_as_written_at_each_level(studio: Studio, level: str) -> None:
    body = "\ufeff# Prices\r\n10 EUR 😀"
    written = studio.notes.create(path(studio, level), body)
    note = studio.notes.get(path(studio, level))
    assert (note.body, note.facts, written.changed) == (body, written.facts, True)
    assert (note.facts.level, note.facts.title, note.facts.characters) == (level, "Prices", 19)


def test_the_path_tells_level_and_owner(studio: Studio) -> None:
    org, agent, guild = studio.get_agent("scout").org, studio.get_agent("scout").id, studio.list_guilds()[0].id
    assert path(studio, "org") == f"org/{org}/notes/pricing.md"
    assert path(studio, "guild") == f"org/{org}/guilds/{guild}/notes/pricing.md"
    assert path(studio, "agent") == f"org/{org}/agents/{agent}/notes/pricing.md"


@pytest.mark.parametrize(
    ("title", "body", "shown"),
    [
        ("Prices 2026", "# Other", "Prices 2026"),
        (None, "text\n## Our prices ##\n# Later", "Our prices"),
        (None, "text", "pricing"),
        ("", "text", "pricing"),
        ("two\tcells", "", "two cells"),
    ],
    ids=["title field", "first heading", "file stem", "empty title", "control characters become spaces"],
)
def test_the_title_decision_23(studio: Studio, title: str | None, body: str, shown: str) -> None:
    assert studio.notes.create(path(studio), body, title=title).facts.title == shown


@pytest.mark.parametrize("do", ["create", "edit", "write"])
def test_a_title_of_more_than_200_characters_is_refused(studio: Studio, do: str) -> None:
    if do == "edit":
        studio.notes.create(path(studio), "x")
    how = {"force": True} if do == "edit" else {}
    write = getattr(studio.notes, do)
    with pytest.raises(BadName, match="The title has 201 characters; at most 200 are allowed"):
        write(path(studio), "y", title="x" * 201, **how)
    assert write(path(studio), "y", title=f"  {'x' * 200}\n", **how).facts.title == "x" * 200


def test_a_longer_heading_is_shown_cut_and_stored_as_written(studio: Studio) -> None:
    body = f"# {'x' * 201}"
    assert studio.notes.create(path(studio), body).facts.title == "x" * 199 + "…"
    assert studio.notes.get(path(studio)).body == body


def test_a_comment_in_an_example_is_not_the_title(studio: Studio) -> None:
    assert studio.notes.create(path(studio), "```sh\n# install\n```\n# Set up").facts.title == "Set up"


def test_an_edit_gives_back_the_sha256_it_started_from_decision_37(studio: Studio, clock: Clock) -> None:
    first = studio.notes.create(path(studio), "one", title="T").facts
    clock.tick()
    second = studio.notes.edit(path(studio), "two", expect=first.sha256, operator="Ben").facts
    assert (second.updated_at, str(second.updated_by), second.title) == (clock.now, "operator Ben", "T")
    with pytest.raises(NoteChanged, match="operator Ben"):
        studio.notes.edit(path(studio), "three", expect=first.sha256)
    with pytest.raises(UnprovenSave):
        studio.notes.edit(path(studio), "three")
    assert studio.notes.get(path(studio)).body == "two"
    studio.notes.edit(path(studio), "three", force=True)
    assert studio.notes.get(path(studio)).body == "three"


@pytest.mark.parametrize("title", [None, "T", "Ü 😀", "two\nlines"])
def test_a_note_has_one_sha256_wherever_it_is_read_and_a_rename_changes_it(studio: Studio, title: str | None) -> None:
    """Decision 37: of two people who rename a note, the second is told."""
    made = studio.notes.create(path(studio), "# Prices", title=title).facts
    read = [
        studio.notes.get(path(studio)).facts,
        *studio.notes.list(),
        *(hit.facts for hit in studio.notes.find("prices")),
    ]
    assert read == [made] * 3
    renamed = studio.notes.edit(path(studio), "# Prices", title="Mine", expect=made.sha256).facts
    assert renamed.sha256 != made.sha256
    with pytest.raises(NoteChanged):
        studio.notes.edit(path(studio), "# Prices", title="Theirs", expect=made.sha256)
    with pytest.raises(NoteChanged):
        studio.notes.delete(path(studio), expect=made.sha256)
    assert (
        studio.notes.edit(path(studio), "# Prices", title=title or "", expect=renamed.sha256).facts.sha256
        == made.sha256
    )


def test_repeating_a_write_succeeds_and_changes_nothing_decision_37(studio: Studio, clock: Clock) -> None:
    first = studio.notes.create(path(studio), "one")
    clock.tick()
    assert studio.notes.create(path(studio), "one").changed is False
    assert studio.notes.edit(path(studio), "one").changed is False
    assert studio.notes.write(path(studio), "one", as_agent="scout").changed is False
    assert studio.notes.get(path(studio)).facts == first.facts


def test_an_empty_title_removes_the_title_and_none_keeps_it(studio: Studio) -> None:
    studio.notes.create(path(studio), "x", title="T")
    assert studio.notes.edit(path(studio), "y", force=True).facts.title == "T"
    assert studio.notes.edit(path(studio), "y", title="", force=True).facts.title == "pricing"


def test_a_second_note_at_one_path_is_refused(studio: Studio) -> None:
    studio.notes.create(path(studio), "one")
    with pytest.raises(PathTaken):
        studio.notes.create(path(studio), "two")
    assert studio.notes.get(path(studio)).body == "one"


def test_a_move_keeps_the_text_and_frees_the_path(studio: Studio) -> None:
    studio.notes.create(path(studio), "one", title="T")
    to = path(studio, "guild", "sales/prices.md")
    moved = studio.notes.move(path(studio), to).facts
    assert (moved.path, moved.level, moved.title) == (to, Level.GUILD, "T")
    assert studio.notes.get(to).body == "one"
    with pytest.raises(UnknownPath):
        studio.notes.get(path(studio))
    assert studio.notes.move(to, to).changed is False
    studio.notes.create(path(studio), "new")
    with pytest.raises(PathTaken):
        studio.notes.move(to, path(studio))


def test_a_deletion_can_say_what_it_read(studio: Studio) -> None:
    sha256 = studio.notes.create(path(studio), "one").facts.sha256
    studio.notes.edit(path(studio), "two", force=True)
    with pytest.raises(NoteChanged):
        studio.notes.delete(path(studio), expect=sha256)
    studio.notes.delete(path(studio))
    assert studio.notes.list() == ()
    with pytest.raises(UnknownPath):
        studio.notes.delete(path(studio))


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("../x.md", UnknownPath), ("a//b.md", UnknownPath), ("x.txt", UnknownPath), ("a\\b.md", UnknownPath),
        ("a\0.md", UnknownPath), ("a\n.md", UnknownPath), ("\ud800.md", UnknownPath), ("a]].md", BadName),
        (" a.md", BadName), ("a /b.md", BadName), (".md", BadName), ("x" * 201 + ".md", BadName), ("a\u2028.md", BadName),
        ("a`b.md", BadName), ("a`b/c.md", BadName), ("a[[b.md", BadName), ("![[a.md", BadName), ("a]]/b.md", BadName),
    ],
    ids=lambda value: ascii(value)[:20] if isinstance(value, str) else None,
)  # fmt: skip
def test_a_path_that_no_task_could_embed_is_refused(studio: Studio, name: str, error: type[Exception]) -> None:
    unusable = f"org/{studio.get_agent('scout').org}/notes/{name}"
    with pytest.raises(error):
        studio.notes.create(unusable, "x")
    assert studio.notes.list() == ()
    studio.notes.create(path(studio), "x")
    with pytest.raises(error):
        studio.notes.move(path(studio), unusable)
    assert [one.path for one in studio.notes.list()] == [path(studio)]


@pytest.mark.parametrize("body", ["a\0b", "a\ud800b"], ids=["NUL", "lone surrogate"])
def test_what_no_write_takes_is_refused_decision_5(studio: Studio, body: str) -> None:
    with pytest.raises(UnusableText):
        studio.notes.create(path(studio), body)
    with pytest.raises(UnusableText):
        studio.notes.create(path(studio), "x", title=body)
    assert studio.notes.list() == ()


@pytest.mark.parametrize(
    "place", ["org/o_none/notes/x.md", "{org}/guilds/g_none/notes/x.md", "{org}/agents/a_none/notes/x.md"]
)
def test_an_owner_that_is_not_there(studio: Studio, place: str) -> None:
    with pytest.raises(NotFound):
        studio.notes.create(place.format(org=f"org/{studio.get_agent('scout').org}"), "x")


def test_an_operators_first_write_makes_the_operator_known(studio: Studio) -> None:
    studio.notes.create(path(studio), "x", operator="Cleo")
    assert studio.list_operators() == ("Cleo",)


# --- the prompt files are never notes -------------------------------------------------------------------------------------

ACTIONS: dict[str, Callable[[Studio, str], object]] = {
    "get": lambda studio, path: studio.notes.get(path, as_agent="scout"),
    "write": lambda studio, path: studio.notes.write(path, "mine", as_agent="scout"),
    "delete": lambda studio, path: studio.notes.delete(path, as_agent="scout"),
    "move": lambda studio, path: studio.notes.move(path, path, as_agent="scout"),
    "operator edits": lambda studio, path: studio.notes.edit(path, "mine", force=True),
}


def prompt_file(studio: Studio, name: str) -> str:
    scout = studio.get_agent("scout")
    return f"org/{scout.org}/agents/{scout.id}/{name}"


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
def test_agents_never_write_the_task_task_06(studio: Studio, action: Callable[[Studio, str], object]) -> None:
    before = studio.get_task_version("scout")
    with pytest.raises(NotANote, match="agents never write it"):
        action(studio, prompt_file(studio, "task.md"))
    assert studio.get_task_version("scout") == before


@pytest.mark.parametrize("action", ACTIONS.values(), ids=ACTIONS)
def test_the_memory_is_no_note(studio: Studio, action: Callable[[Studio, str], object]) -> None:
    with pytest.raises(NotANote, match="memory_write"):
        action(studio, prompt_file(studio, "memory.md"))
    assert studio.get_memory_version("scout").body.text == ""


@pytest.mark.parametrize("action", [ACTIONS["get"], ACTIONS["delete"]], ids=["note_get", "note_delete"])
def test_an_archived_version_is_answered_like_a_path_that_never_was_archive_13(
    studio: Studio, action: Callable[[Studio, str], object]
) -> None:
    overwrite(studio, "scout", "one")
    (name,) = studio.list_archive("scout").values()
    real = prompt_file(studio, f"history-archive/{name}")
    assert studio.read_archive(real)
    said = []
    for one in (real, prompt_file(studio, "notes/never.md")):
        with pytest.raises(UnknownPath) as refused:
            action(studio, one)
        said.append(str(refused.value).replace(one, "PATH"))
    assert said[0] == said[1]


def test_lists_and_searches_never_show_prompt_files_archive_12(studio: Studio) -> None:
    overwrite(studio, "scout", "zebra in an old version")
    overwrite(studio, "scout", "zebra in the live memory")
    publish(studio, "scout", "zebra in the Task")
    assert (*studio.notes.list(), *studio.notes.list(as_agent="scout")) == ()
    assert (*studio.notes.find("zebra"), *studio.notes.find("zebra", as_agent="scout")) == ()


# --- what an agent may do -------------------------------------------------------------------------------------------------


def test_an_agent_writes_in_its_runs_name(studio: Studio) -> None:
    run = wake(studio, "scout")
    studio.notes.write(path(studio, "guild"), "x", as_agent="scout", run=run)
    by = studio.notes.get(path(studio, "guild")).facts.updated_by
    assert (by.kind, by.name) == (AuthorKind.RUN, run)
    assert studio.notes.write(path(studio, "org"), "x", as_agent="scout").facts.updated_by.kind is AuthorKind.AGENT
    assert studio.list_operators() == ()


def test_write_replaces_whatever_is_there(studio: Studio) -> None:
    studio.notes.create(path(studio), "operator's")
    assert studio.notes.write(path(studio), "agent's", as_agent="scout").changed
    assert studio.notes.get(path(studio)).body == "agent's"


@pytest.mark.parametrize("level", ["guild", "org"])
def test_a_level_that_is_not_granted_is_closed_decision_10(studio: Studio, level: str) -> None:
    studio.notes.create(path(studio, level), "zebra")
    off(studio, f"{level}_notes_write")
    assert studio.notes.get(path(studio, level), as_agent="scout").body == "zebra"
    for refused in (
        lambda: studio.notes.write(path(studio, level), "x", as_agent="scout"),
        lambda: studio.notes.write(path(studio, level, "new.md"), "x", as_agent="scout"),
        lambda: studio.notes.delete(path(studio, level), as_agent="scout"),
        lambda: studio.notes.move(path(studio, level), path(studio, "agent"), as_agent="scout"),
    ):
        with pytest.raises(NotGranted, match=f"{level}_notes_write"):
            refused()
    off(studio, f"{level}_notes_read")
    with pytest.raises(NotGranted, match=f"{level}_notes_read"):
        studio.notes.get(path(studio, level), as_agent="scout")
    assert (*studio.notes.list(as_agent="scout"), *studio.notes.find("zebra", as_agent="scout")) == ()
    assert len(studio.notes.find("zebra", as_agent="scribe")) == 1
    assert studio.notes.get(path(studio, level)).body == "zebra"


def test_another_agents_notes_and_another_guilds_are_closed_whether_they_exist_or_not(studio: Studio) -> None:
    private = path(studio, "agent", agent="scribe")
    with pytest.raises(NotGranted) as before:
        studio.notes.get(private, as_agent="scout")
    studio.notes.create(private, "zebra")
    with pytest.raises(NotGranted) as after:
        studio.notes.get(private, as_agent="scout")
    assert str(before.value) == str(after.value)
    with pytest.raises(NotGranted):
        studio.notes.write(path(studio, "guild"), "x", as_agent="loner")
    assert studio.notes.find("zebra", as_agent="scout") == ()


def test_embedding_grants_no_reading_embed_27(studio: Studio) -> None:
    studio.notes.create(path(studio), "10 EUR")
    off(studio, "org_notes_read")
    publish(studio, "scout", f"![[{path(studio)}]]")
    assert "10 EUR" in studio.preview("scout").text
    with pytest.raises(NotGranted):
        studio.notes.get(path(studio), as_agent="scout")


# --- search ---------------------------------------------------------------------------------------------------------------


def found(studio: Studio, words: str, **how: Any) -> list[str]:
    return [hit.facts.path.rsplit("/", 1)[1].removesuffix(".md") for hit in studio.notes.find(words, **how)]


def test_title_hits_come_first_then_the_number_of_hits_then_the_path(studio: Studio) -> None:
    for name, body in (
        ("few", "price"),
        ("many", "price price price"),
        ("also-few", "price"),
        ("titled", "# The price\nnothing more"),
        ("none", "prize"),
    ):
        studio.notes.create(path(studio, name=f"{name}.md"), body)
    assert found(studio, "price") == ["titled", "many", "also-few", "few"]
    assert found(studio, "price", limit=2) == ["titled", "many"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("STRASSE", "straße"), ("Straße", "STRASSE"), ("İstanbul", "i\u0307stanbul"), ("cafe\u0301", "CAFÉ"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("100% sure_thing", "100% sure_thing"), ("quote ' \" \\", "' \" \\"), ("価格表", "価格"),
        ("two words apart", "apart two"), ("ﬃ", "FFI"),
    ],
    ids=ascii,
)  # fmt: skip
def test_case_is_folded_in_every_script_and_nothing_is_a_wildcard(studio: Studio, body: str, words: str) -> None:
    studio.notes.create(path(studio), body)
    studio.notes.create(path(studio, name="other.md"), "%_*")
    assert found(studio, words) == ["pricing"]


def test_a_search_takes_any_number_of_words(studio: Studio) -> None:
    words = [f"word{number}" for number in range(1_500)]
    studio.notes.create(path(studio, name="all.md"), " ".join(words))
    studio.notes.create(path(studio, name="some.md"), " ".join(words[:-1]))
    assert found(studio, " ".join(words)) == ["all"]


@pytest.mark.parametrize("words", ["", "  \n", "price absent", "a\0b", "\ud800"], ids=ascii)
def test_what_finds_nothing(studio: Studio, words: str) -> None:
    studio.notes.create(path(studio), "price")
    assert studio.notes.find(words) == ()


def test_a_hit_counts_its_words_and_shows_the_line(studio: Studio) -> None:
    studio.notes.create(path(studio), f"# Prices\nnone here\n  The PRICE  is right, {'x' * 300}\nprice")
    (hit,) = studio.notes.find("price")
    assert hit.hits == 4
    assert hit.line == "# Prices"
    (hit,) = studio.notes.find("right")
    assert (hit.line[:24], len(hit.line), hit.line[-1]) == ("The PRICE is right, xxxx", 200, "…")


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("runbooks", ["alarm"]), ("RUNBOOKS/al", ["alarm"]), ("alarm sirens night", ["alarm"]), ("md", []), ("org", []),
        ("notes", []), ("straße", ["Strasse"]), ("reset", ["reset", "alarm"]),
    ],
    ids=ascii,
)  # fmt: skip
def test_a_search_reads_the_notes_own_part_of_its_path(studio: Studio, words: str, names: list[str]) -> None:
    studio.notes.create(path(studio, name="runbooks/alarm.md"), "At night. Then reset it.", title="Sirens")
    studio.notes.create(path(studio, name="Strasse.md"), "x")
    studio.notes.create(path(studio, name="old.md"), "x")
    studio.notes.move(path(studio, name="old.md"), path(studio, name="reset.md"))
    assert found(studio, words) == names


def test_a_search_can_keep_to_a_level(studio: Studio) -> None:
    for level in ("agent", "guild", "org"):
        studio.notes.create(path(studio, level), "price")
    assert [hit.facts.level for hit in studio.notes.find("price", level=Level.GUILD)] == [Level.GUILD]
    assert [hit.facts.level for hit in studio.notes.find("price", level=Level.ORG, as_agent="scout")] == [Level.ORG]
    assert [one.level for one in studio.notes.list()] == ["agent", "guild", "org"]
    assert [one.level for one in studio.notes.list(level=Level.AGENT)] == ["agent"]


def test_a_written_note_is_found_by_its_new_words_only(studio: Studio) -> None:
    studio.notes.create(path(studio), "old words")
    studio.notes.edit(path(studio), "new words", force=True)
    assert (found(studio, "old"), found(studio, "new")) == ([], ["pricing"])


# --- what a live Task embeds (decision 25) --------------------------------------------------------------------------------


def refuses(studio: Studio, note: str) -> str:
    """What deleting and moving a note say; both are refused alike."""
    said = []
    for action in (lambda: studio.notes.delete(note), lambda: studio.notes.move(note, path(studio, name="moved.md"))):
        with pytest.raises(Refused) as refused:
            action()
        said.append(str(refused.value))
    assert studio.notes.get(note)
    assert said[0].replace("deleted", "moved") == said[1]
    return said[1]


def test_an_embedded_note_stays_and_the_refusal_names_the_agents_links_01(studio: Studio) -> None:
    studio.notes.create(path(studio), "10 EUR")
    publish(studio, "scout", f"![[{path(studio)}]]")
    publish(studio, "loner", f"a ![[ {path(studio)} ]] b")
    assert "loner, scout" in refuses(studio, path(studio))
    assert studio.notes.embedded_in(path(studio)) == ("loner", "scout")


def test_a_note_embedded_through_another_stays_too_links_02(studio: Studio) -> None:
    near, far, third = (path(studio, name=f"{name}.md") for name in ("near", "far", "third"))
    studio.notes.create(third, "c")
    studio.notes.create(far, f"![[{third}]]")
    studio.notes.create(near, f"![[{far}]]")
    publish(studio, "scout", f"![[{near}]]")
    refuses(studio, near)
    refuses(studio, far)
    studio.notes.delete(third)


def test_without_the_embed_it_goes_links_03(studio: Studio) -> None:
    studio.notes.create(path(studio), "10 EUR")
    publish(studio, "scout", f"![[{path(studio)}]]")
    publish(studio, "scout", f"{path(studio)} and `![[{path(studio)}]]`")
    studio.notes.delete(path(studio))


def test_old_versions_and_drafts_do_not_hold_a_note_links_04(studio: Studio) -> None:
    studio.notes.create(path(studio), "10 EUR")
    publish(studio, "scout", f"![[{path(studio)}]]")
    publish(studio, "scout", "nothing")
    studio.draft_task("loner", f"![[{path(studio)}]]")
    studio.notes.delete(path(studio))


def test_an_edit_of_an_embedded_note_is_not_refused(studio: Studio) -> None:
    studio.notes.create(path(studio), "10 EUR")
    publish(studio, "scout", f"![[{path(studio)}]]")
    assert studio.notes.edit(path(studio), "12 EUR", force=True).changed


def publish_broken(studio: Studio, agent: str, task: str) -> None:
    """Publish a Task with broken links, which an operator confirms (decision 30)."""
    studio.draft_task(agent, task)
    studio.publish_task(agent, yes_to=("broken-links",))


def test_broken_links_are_counted_in_the_list_and_told_with_their_reason_links_06_07(studio: Studio) -> None:
    studio.notes.create(path(studio), "10 EUR ![[org/gone/notes/x.md]]")
    publish_broken(studio, "scout", f"![[{path(studio)}]] ![[recipe:a]] `![[recipe:b]]`")
    publish_broken(studio, "scribe", f"![[{path(studio, name='missing.md')}]]")
    assert {one.agent.name: one.broken_links for one in studio.list_agents()} == {"scout": 2, "scribe": 1, "loner": 0}
    assert [(one.written, one.within) for one in studio.list_broken_links("scout")] == [
        ("org/gone/notes/x.md", path(studio)),
        ("recipe:a", None),
    ]
    (missing,) = studio.list_broken_links("scribe")
    assert missing.written == path(studio, name="missing.md")
    assert missing.reason == "There is no note at this path."
    studio.notes.create(path(studio, name="missing.md"), "here")
    assert studio.list_broken_links("scribe") == ()


# --- a store that holds nothing yet ---------------------------------------------------------------------------------------


def test_a_note_or_a_collection_can_be_the_first_thing_in_a_store() -> None:
    with open_studio(":memory:") as empty:
        made = empty.notes.create(empty.notes.path("a.md"), "x").facts
        assert empty.notes.path("a.md") == made.path
        assert empty.notes.get(made.path).body == "x"
        empty.collections.create(empty.collections.path("leads"), [Column("company")])
        assert empty.get_agent(empty.create_agent("scout").id).org == made.path.split("/")[1]
    with open_studio(":memory:") as empty:
        made_first = empty.collections.create(empty.collections.path("leads"), [Column("company")])
        assert empty.collections.path("leads") == made_first.path


def test_reading_an_empty_store_leaves_it_empty() -> None:
    with open_studio(":memory:") as empty:
        for name in ("a.md", "b.md"):
            with pytest.raises(UnknownPath):
                empty.notes.get(empty.notes.path(name))
        assert (empty.notes.list(), empty.collections.list()) == ((), ())
        empty.load_demo()
        assert empty.count_agents()
