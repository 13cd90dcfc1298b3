"""The one function that says what deserves a question before a text goes live (decision 39)."""

import pytest
from builders import TEXTS
from hypothesis import given

from studio.domain.directory.secrets import KeyFound
from studio.domain.questions import Question, What, check_answered, questions, read_words
from studio.errors import Unconfirmed, UnknownQuestion

HEADER = "---\nname: a\ndescription: b\n---\n"


@pytest.mark.parametrize(
    ("what", "text", "was", "asked"),
    [
        (What.MEMORY, "", "x", True),
        (What.MEMORY, " \t\r\n\u00a0", "x", True),
        (What.MEMORY, "\ufeff\u200b\n", "x", True),
        (What.MEMORY, "", "", False),
        (What.MEMORY, "", " \n", False),
        (What.MEMORY, "x", "y", False),
        (What.MEMORY, "", HEADER, True),
        (What.MEMORY, HEADER, "x", False),
        (What.FILE, HEADER, HEADER + "x", True),
        (What.FILE, HEADER, HEADER, False),
        (What.FILE, "", HEADER + "x", True),
        (What.FILE, HEADER + "y", HEADER + "x", False),
    ],
)
def test_nothing_in_place_of_something_is_asked_about(what: What, text: str, was: str, asked: bool) -> None:  # noqa: FBT001
    assert ([one.word for one in questions(what, text, was)] == [Question.EMPTY]) == asked


def test_only_an_empty_task_says_that_runs_would_have_no_purpose() -> None:
    said = {what: questions(what, "", "x" * 1234)[0].sentence for what in What}
    assert [what for what, sentence in said.items() if "no purpose" in sentence] == [What.TASK]
    assert all("1,234 characters" in sentence for sentence in said.values())


def test_many_places_are_named_with_how_many_more_there_are() -> None:
    text = "<<<<<<< a\n=======\n>>>>>>> b\n" * 5
    (asked,) = questions(What.MEMORY, text, "")
    assert asked.sentence.endswith("lines 1 to 3, lines 4 to 6, lines 7 to 9 and 2 more.")
    assert len(asked.lines) == 15
    keys = [KeyFound("GitHub token", line) for line in (2, 5)]
    (key,) = questions(What.NOTE, "x", "", keys=keys)
    assert (key.sentence, key.lines) == (
        "What looks like a secret stands in line 2 (GitHub token) and line 5 (GitHub token).",
        (2, 5),
    )


@given(TEXTS, TEXTS)
def test_what_was_answered_is_all_that_passes(text: str, was: str) -> None:
    asked = questions(What.MEMORY, text, was, keys=[KeyFound("token", 1)])
    words = frozenset(one.word for one in asked)
    check_answered("It", asked, words)
    for word in words:
        with pytest.raises(Unconfirmed) as refused:
            check_answered("It", asked, words - {word})
        assert refused.value.words == (word,)


def test_a_word_that_answers_nothing_is_named_with_those_that_do() -> None:
    assert read_words(["markers", " key "]) == {Question.MARKERS, Question.KEY}
    for word in ("", "force", "Markers", "markers,empty"):
        with pytest.raises(UnknownQuestion, match=f"'{word}'.*markers, empty, broken-links, over-budget, key"):
            read_words([word])
