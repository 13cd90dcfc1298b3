"""What deserves a question goes live only when its own word is said, at home and through an owner (decision 39)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from builders import EVERYTHING, overwrite
from builders import publish as make_live
from question_cases import CONFLICT, GOOD, KEY, LINES, MEMORY, TASK, Deserving
from repository_builder import RepositoryBuilder

from studio.actions.studio import Studio
from studio.domain.questions import Question
from studio.errors import BlockRefused, StudioError, Unconfirmed, UnknownQuestion

HEADER = "---\nname: human\ndescription: Who the user is.\n---\n"


@dataclass(frozen=True)
class Door:
    """One way in which a text goes live."""

    asks: tuple[Question, ...]
    begin: Callable[[Studio, str], Any]
    """Gets the text ready; gives what `write` needs of it."""
    write: Callable[..., Any]
    """Makes it live: the store, the text, what `begin` gave, and how."""
    read: Callable[[Studio], Any]
    """What is live, and how many versions there are."""
    forces: bool = True


def nothing(_: Studio, __: str) -> None:
    pass


def memory(studio: Studio) -> object:
    return studio.get_memory_version("scout"), len(studio.list_memory_versions("scout"))


def task(studio: Studio) -> object:
    return studio.get_task_version("scout"), studio.get_task_draft("scout"), len(studio.list_task_versions("scout"))


def note(studio: Studio) -> object:
    return [studio.notes.get(one.path) for one in studio.notes.list()]


def drafted(studio: Studio, text: str) -> None:
    studio.draft_task("scout", text)


def old_memory(studio: Studio, text: str) -> int:
    version = overwrite(studio, "scout", text)
    overwrite(studio, "scout", GOOD)
    return version


def old_task(studio: Studio, text: str) -> int:
    version = make_live(studio, "scout", text)
    make_live(studio, "scout", GOOD)
    return version


def noted(studio: Studio, _: str) -> str:
    path = studio.notes.path("berths.md")
    studio.notes.create(path, GOOD)
    return path


DOORS = {
    "save_memory": Door(
        MEMORY,
        lambda studio, _: overwrite(studio, "scout", GOOD),
        lambda studio, text, _, **how: studio.save_memory("scout", text, **{"force": True, **how}),
        memory,
    ),
    "restore_memory": Door(
        MEMORY,
        old_memory,
        lambda studio, _, old, **how: studio.restore_memory("scout", old, **how),
        memory,
        forces=False,
    ),
    "save_task": Door(
        TASK,
        nothing,
        lambda studio, text, _, **how: studio.save_task("scout", text, **{"force": True, **how}),
        task,
    ),
    "publish_task": Door(TASK, drafted, lambda studio, _, __, **how: studio.publish_task("scout", **how), task),
    "restore_task": Door(
        TASK, old_task, lambda studio, _, old, **how: studio.restore_task("scout", old, **how), task, forces=False
    ),
    "notes.edit": Door(
        MEMORY, noted, lambda studio, text, path, **how: studio.notes.edit(path, text, **{"force": True, **how}), note
    ),
    "notes.create": Door(
        (Question.MARKERS, Question.KEY),
        nothing,
        lambda studio, text, _, **how: studio.notes.create(studio.notes.path("new.md"), text, **how),
        note,
        forces=False,
    ),
}


@pytest.mark.parametrize(("name", "question"), [(name, one) for name, door in DOORS.items() for one in door.asks])
def test_unasked_nothing_changes_and_only_its_own_word_lets_it_pass(
    studio: Studio, name: str, question: Question
) -> None:
    door = DOORS[name]
    studio.create_agent("scout", focus="Watch.")
    text = Deserving.in_store(studio).text(question)
    given = door.begin(studio, text)
    before = door.read(studio)
    others = tuple(one for one in Question if one is not question)
    ways: list[dict[str, Any]] = [{}, {"yes_to": others}]
    if door.forces:
        ways += [{"force": True}, {"force": True, "yes_to": others}]
    for how in ways:
        with pytest.raises(Unconfirmed) as refused:
            door.write(studio, text, given, **how)
        (asked,) = refused.value.questions
        assert (refused.value.words, asked["word"], asked["lines"]) == ((question,), question, list(LINES[question]))
        assert str(asked["sentence"]) in str(refused.value)
        assert f"--yes-to {question}" in str(refused.value)
        assert door.read(studio) == before
    with pytest.raises(UnknownQuestion, match="there are markers, empty, broken-links, over-budget, key"):
        door.write(studio, text, given, yes_to=("force",))
    door.write(studio, text, given, yes_to=(str(question),))
    assert door.read(studio) != before


@pytest.mark.parametrize("name", DOORS)
def test_what_deserves_no_question_is_asked_nothing(studio: Studio, name: str) -> None:
    studio.create_agent("scout", focus="Watch.")
    given = DOORS[name].begin(studio, "Watch the harbour.\n")
    DOORS[name].write(studio, "Watch the harbour.\n", given)


def test_every_question_of_a_text_is_asked_at_once(studio: Studio) -> None:
    studio.create_agent("scout", focus="Watch.")
    with pytest.raises(Unconfirmed) as refused:
        studio.save_task("scout", CONFLICT + "![[recipe:x]]\n" + KEY, force=True)
    assert refused.value.words == ("markers", "broken-links", "key")
    with pytest.raises(Unconfirmed) as left:
        studio.save_task("scout", CONFLICT + "![[recipe:x]]\n" + KEY, force=True, yes_to=("key", "markers"))
    assert left.value.words == ("broken-links",)


def test_what_is_live_already_is_not_asked_about(studio: Studio) -> None:
    studio.create_agent("scout", focus="Watch.")
    studio.save_task("scout", CONFLICT, force=True, yes_to=("markers",))
    assert not studio.save_task("scout", CONFLICT, force=True).changed
    studio.draft_task("scout", CONFLICT)
    assert studio.review_task("scout").questions == ()
    assert not studio.publish_task("scout").changed


def test_a_review_says_what_publishing_will_ask_publish_01(studio: Studio) -> None:
    studio.create_agent("scout", focus="Watch.")
    studio.draft_task("scout", "   \n")
    (asked,) = studio.review_task("scout").questions
    assert (asked.word, studio.get_task_draft("scout").text) == (Question.EMPTY, "   \n")  # type: ignore[union-attr]
    assert (
        asked.sentence
        == "Nothing would be left of the Task, which has 6 characters now, and runs would have no purpose."
    )


# --- a memory directory ---


@pytest.fixture
def directory(studio: Studio, tmp_path: Path) -> RepositoryBuilder:
    repo = RepositoryBuilder(tmp_path / "memory")
    repo.write("MEMORY.md", "# Index\n")
    repo.write("human.md", HEADER + "Be brief.\n")
    repo.commit("begin")
    studio.create_agent("scout")
    studio.directories.link(str(repo.folder), "scout")
    return repo


@pytest.mark.parametrize(
    ("text", "word", "lines"),
    [
        (HEADER + CONFLICT, "markers", [6, 8, 10]),
        ((HEADER + CONFLICT).replace("\n", "\r\n"), "markers", [6, 8, 10]),
        (HEADER, "empty", []),
        (HEADER + " \n\n", "empty", []),
    ],
)
def test_a_file_of_a_directory_is_asked_about(
    studio: Studio, directory: RepositoryBuilder, text: str, word: str, lines: list[int]
) -> None:
    if "\r" in text:
        path, text = "MEMORY.md", text.removeprefix(HEADER.replace("\n", "\r\n"))
        lines = [line - 4 for line in lines]
    else:
        path = "human.md"
    head = directory.line("rev-parse", "HEAD")
    others = tuple(one for one in EVERYTHING if one != word)
    for yes_to in ((), others):
        with pytest.raises(Unconfirmed) as refused:
            studio.directories.edit("scout", path, text, "why", force=True, yes_to=yes_to)
        assert [(one["word"], one["lines"]) for one in refused.value.questions] == [(word, lines)]
        assert directory.line("rev-parse", "HEAD") == head
    assert studio.directories.edit("scout", path, text, "why", force=True, yes_to=(word,)).changed


def test_a_key_in_a_directory_is_refused_whatever_is_said(studio: Studio, directory: RepositoryBuilder) -> None:
    head = directory.line("rev-parse", "HEAD")
    with pytest.raises(BlockRefused):
        studio.directories.edit("scout", "human.md", HEADER + KEY, "why", force=True, yes_to=EVERYTHING)
    assert directory.line("rev-parse", "HEAD") == head


def test_deleting_a_file_asks_nothing_more(studio: Studio, directory: RepositoryBuilder) -> None:
    before = directory.line("rev-parse", "HEAD")
    assert studio.directories.edit("scout", "human.md", None, "why", force=True).commit != before


# --- notes that live Tasks embed ---


def test_a_note_that_pushes_another_over_the_budget_of_a_live_task_is_asked_about(studio: Studio) -> None:
    studio.create_agent("scout", focus="Watch.")
    first, second = (studio.notes.path(name) for name in ("first.md", "second.md"))
    for path in (first, second):
        studio.notes.create(path, "n" * 30_000)
    make_live(studio, "scout", f"![[{first}]] ![[{second}]]")
    with pytest.raises(Unconfirmed, match="The live Task of scout then has an embed over the budget") as refused:
        studio.notes.edit(first, "n" * 40_000, force=True)
    assert (refused.value.words, refused.value.questions[0]["lines"]) == (("over-budget",), [])
    studio.notes.edit(first, "n" * 40_000, force=True, yes_to=("over-budget",))
    studio.notes.edit(first, "n" * 40_001, force=True)  # it was over before, so that is nothing new


def test_a_note_that_brings_a_broken_link_into_a_live_task_is_asked_about(studio: Studio) -> None:
    studio.create_agent("scout", focus="Watch.")
    path = studio.notes.path("first.md")
    studio.notes.create(path, "![[recipe:x]]")  # no Task embeds it yet
    studio.notes.edit(path, "fine", force=True)
    make_live(studio, "scout", f"![[{path}]]")
    with pytest.raises(Unconfirmed) as refused:
        studio.notes.edit(path, "fine\n![[recipe:x]]", force=True)
    assert [(one["word"], one["lines"]) for one in refused.value.questions] == [("broken-links", [2])]


def test_a_new_note_at_a_broken_link_is_asked_about_where_it_does_not_fit(studio: Studio) -> None:
    studio.create_agent("scout", focus="Watch.")
    path = studio.notes.path("first.md")
    make_live(studio, "scout", f"![[{path}]]")
    with pytest.raises(Unconfirmed) as refused:
        studio.notes.create(path, "n" * 70_000)
    assert refused.value.words == ("over-budget",)


# --- agents are never asked ---


@pytest.mark.parametrize(
    ("text", "marks"),
    [(CONFLICT, ("markers",)), ("", ("empty",)), (" \n", ("empty",)), (KEY + CONFLICT, ("markers", "key")), (GOOD, ())],
)
def test_memory_write_is_never_asked_and_its_version_is_marked(
    studio: Studio, text: str, marks: tuple[str, ...]
) -> None:
    studio.create_agent("scout", focus="Watch.")
    studio.memory_write("scout", "What I know.\n")
    written = studio.memory_write("scout", text)
    assert studio.get_memory_version("scout").version.marks == marks
    studio.memory_write("scout", "Known again.\n")
    assert {one.number: one.marks for one in studio.list_memory_versions("scout")} == {
        4: (),
        written.version: marks,
        2: (),
        1: (),
    }
    assert studio.get_memory_version("scout", written.version).version.marks == marks


def test_a_version_that_was_confirmed_is_marked_too(studio: Studio) -> None:
    studio.create_agent("scout", focus="Watch.")
    studio.save_memory("scout", CONFLICT, force=True, yes_to=("markers",))
    assert studio.get_memory_version("scout").version.marks == ("markers",)


def test_an_agents_note_is_never_asked_about(studio: Studio) -> None:
    studio.create_agent("scout", focus="Watch.")
    path = studio.notes.path("own.md", agent="scout")
    studio.notes.create(path, CONFLICT, as_agent="scout")
    studio.notes.edit(path, KEY, force=True, as_agent="scout")
    studio.notes.write(path, "", as_agent="scout")
    assert studio.notes.get(path).body == ""


def test_nothing_is_half_said(studio: Studio) -> None:
    """An error that travelled says the same as one that did not."""
    studio.create_agent("scout", focus="Watch.")
    with pytest.raises(StudioError) as refused:
        studio.save_memory("scout", CONFLICT, force=True)
    assert str(refused.value) == (
        "The memory of scout was not written: Conflict markers of a merge that was not settled stand in lines 2 to 6. Mend it, or say"
        " that it is meant: --yes-to markers (Studio-Confirm over REST, yes_to in Python)."
    )
