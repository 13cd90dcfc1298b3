"""Who is the same person (decision 40)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.attribution import attribute
from studio.domain.authors import Author, AuthorFilter, AuthorKind, count_authors
from studio.domain.identities import Identity

NAME = "Michał Gołęb"
NFD = unicodedata.normalize("NFD", NAME)


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        pytest.param(("Ana", "Ana@Example.ORG"), ("Ana", "ana@example.org"), id="the case of an address"),
        pytest.param(
            ("Ana", "12345+Ana@users.noreply.github.com"),
            ("Ana", "ana@users.noreply.github.com"),
            id="a numbered noreply",
        ),
        pytest.param(("", "12345+ana@users.noreply.github.com"), ("ana", "ana@users.noreply.github.com"), id="no name"),
        pytest.param(("Ana", "1+2@example.org"), ("Ana", "1+2@example.org"), id="a number at another host"),
        pytest.param((NFD, ""), (NAME, ""), id="attribution-10 NFD"),
        pytest.param(("Ana\u200b Lind\u00a0", ""), ("Ana Lind", ""), id="what nobody sees"),
        pytest.param(("Ana\u2028Lind", ""), ("Ana Lind", ""), id="a line separator"),
        pytest.param(("می\u200cخواهم", ""), ("می\u200cخواهم", ""), id="what belongs to the spelling"),
    ],
)
def test_an_identity_has_one_form(written: tuple[str, str], canonical: tuple[str, str]) -> None:
    assert Identity(*written).canonical == canonical


@given(st.text(), st.text())
def test_the_canonical_form_is_its_own(name: str, address: str) -> None:
    once = Identity(name, address).canonical
    assert Identity(once.name, once.address).canonical.name == once.name


@pytest.mark.parametrize("typed", [NAME, NFD])
@pytest.mark.parametrize("held", [NAME, NFD])
def test_a_filter_matches_whichever_form_is_typed(typed: str, held: str) -> None:
    assert AuthorFilter.parse(f"operator:{typed}").matches(Author(AuthorKind.OPERATOR, held))


def test_two_forms_of_a_name_are_one_author() -> None:
    both = [Author(AuthorKind.OPERATOR, form) for form in (NAME, NFD)]
    assert [(count.author.key, count.versions) for count in count_authors(both)] == [(f"operator:{NAME}", 2)]


def test_the_form_as_written_stays_as_evidence() -> None:
    assert attribute(NFD, "m@example.org", "x") == Author(AuthorKind.OPERATOR, NAME, evidence=f"written: {NFD}")
    assert attribute(NAME, "M@example.org", "x") == Author(AuthorKind.OPERATOR, NAME)


def test_a_mailmap_names_and_what_was_written_stays() -> None:
    old, new = Identity("Old Name", "same@example.org"), Identity("New Name", "same@example.org")
    author = attribute(*old, "x\n\nCo-authored-by: Claude", mailmap={old: new})
    evidence = "trailer: Co-authored-by: Claude; mailmap: Old Name <same@example.org>"
    assert author == Author(AuthorKind.OPERATOR, "New Name", "Claude", evidence)


def test_a_mailmap_may_say_that_a_bot_is_a_person() -> None:
    bot, person = Identity("ana-bot", "bot@example.org"), Identity("Ana", "ana@example.org")
    author = attribute(*bot, "x", mailmap={bot: person})
    assert author == Author(AuthorKind.OPERATOR, "Ana", "ana-bot", "author-name; mailmap: ana-bot <bot@example.org>")


def test_a_mailmap_names_co_authors_too() -> None:
    written, tool = Identity("Opus", "o@example.org"), Identity("Claude", "noreply@anthropic.com")
    author = attribute("Ana", "", "x\n\nCo-authored-by: Opus <o@example.org>", mailmap={written: tool})
    assert author == Author(AuthorKind.OPERATOR, "Ana", "Claude", "trailer: Co-authored-by: Opus")


@pytest.mark.parametrize("glob", ["Old Name", "New Name", "*@example.org", f"{NFD}"])
def test_a_rule_matches_the_written_and_the_canonical_form(glob: str) -> None:
    old, new = Identity("Old Name", "same@example.org"), Identity("New Name", "same@example.org")
    if glob == NFD:
        old = new = Identity(NAME, "")
    assert attribute(*old, "x", agent_authors=(glob,), mailmap={old: new}).kind is AuthorKind.AGENT
