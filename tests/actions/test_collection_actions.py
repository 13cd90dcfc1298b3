"""Collections: operators define them, agents use what they are granted."""

from datetime import timedelta
from typing import Any

import pytest
from builders import START, Clock, wake

from studio.actions.collections import NO_RECORD
from studio.actions.studio import Studio
from studio.domain.authors import AuthorKind
from studio.domain.collections import Access, Column
from studio.errors import (
    AmbiguousCollection,
    BadArgument,
    BadName,
    NotGranted,
    PathTaken,
    RecordChanged,
    UnknownCollection,
    UnknownColumns,
    UnknownPath,
    UnknownRecord,
    UnusableText,
)

COLUMNS = (Column("company", "Legal name."), Column("status"), Column("size"))


@pytest.fixture
def leads(studio: Studio) -> str:
    """The path of a collection of the guild that scout may write and scribe may read."""
    studio.create_agent("scout", guild="Desk")
    studio.create_agent("scribe", guild="Desk")
    studio.create_agent("loner")
    path = studio.collections.create(studio.collections.path("leads", guild="Desk"), COLUMNS, purpose="Who buys.").path
    studio.collections.grant("scout", path, Access.WRITE)
    studio.collections.grant("scribe", path, Access.READ)
    return path


def rows(studio: Studio, **how: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(one.id, one.values) for one in studio.collections.records("leads", **how)]


# --- defining -------------------------------------------------------------------------------------------------------------


def test_a_collection_is_kept_with_its_columns_in_order(studio: Studio, leads: str) -> None:
    (grant,) = studio.collections.list()
    assert (grant.collection.path, grant.collection.name, grant.collection.purpose) == (leads, "leads", "Who buys.")
    assert grant.collection.columns == COLUMNS
    assert grant.access is Access.WRITE


def test_defining_the_same_again_succeeds_and_another_is_refused(studio: Studio, leads: str) -> None:
    assert studio.collections.create(leads, COLUMNS, purpose="Who buys.").path == leads
    with pytest.raises(PathTaken):
        studio.collections.create(leads, COLUMNS[:1])


@pytest.mark.parametrize(
    ("columns", "error"),
    [
        ((), BadName),
        ((Column("a"), Column(" a ")), BadName),
        ((Column("a\nb"),), BadName),
        ((Column("a", "x\0"),), UnusableText),
    ],
    ids=["none", "twice", "two lines", "NUL"],
)
def test_columns_that_cannot_be(studio: Studio, columns: tuple[Column, ...], error: type[Exception]) -> None:
    studio.create_agent("scout")
    with pytest.raises(error):
        studio.collections.create(studio.collections.path("leads"), columns)
    assert studio.collections.list() == ()


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("a/b", UnknownPath),
        ("a]]", BadName),
        (" a", BadName),
        ("..", UnknownPath),
        ("a]", BadName),
        ("a`b", BadName),
        ("a[[b", BadName),
        ("a![[b", BadName),
        ("a\u2028b", BadName),
    ],
    ids=ascii,
)
def test_names_that_cannot_be_embedded(studio: Studio, name: str, error: type[Exception]) -> None:
    studio.create_agent("scout")
    with pytest.raises(error):
        studio.collections.create(studio.collections.path(name), COLUMNS)


# --- who may do what ------------------------------------------------------------------------------------------------------


def test_an_agent_sees_what_it_is_granted_state_12(studio: Studio, leads: str) -> None:
    studio.collections.create(studio.collections.path("secret"), COLUMNS)
    granted = {
        agent: [(one.collection.path, str(one.access)) for one in studio.collections.list(as_agent=agent)]
        for agent in ("scout", "scribe", "loner")
    }
    assert granted == {"scout": [(leads, "write")], "scribe": [(leads, "read")], "loner": []}
    assert '"name": "leads"' in studio.preview("scribe").text
    assert "secret" not in studio.preview("scribe").text


def test_a_write_with_a_grant_to_read_is_refused_and_names_the_collection(studio: Studio, leads: str) -> None:
    for name in (leads, "leads"):
        with pytest.raises(NotGranted, match="the collection leads"):
            studio.collections.write(name, {"company": "ACME"}, as_agent="scribe")
    assert rows(studio, as_agent="scribe") == []


def test_without_a_grant_there_is_neither_reading_nor_writing(studio: Studio, leads: str) -> None:
    with pytest.raises(NotGranted):
        studio.collections.records(leads, as_agent="loner")
    with pytest.raises(NotGranted):
        studio.collections.write(leads, {}, as_agent="loner")
    with pytest.raises(UnknownCollection):
        studio.collections.records("leads", as_agent="loner")


def test_a_grant_taken_back_is_gone(studio: Studio, leads: str) -> None:
    studio.collections.grant("scout", leads, None)
    with pytest.raises(NotGranted):
        studio.collections.records(leads, as_agent="scout")


def test_a_name_that_two_share_needs_the_path(studio: Studio, leads: str) -> None:
    other = studio.collections.create(studio.collections.path("leads"), COLUMNS).path
    with pytest.raises(AmbiguousCollection, match=other):
        studio.collections.records("leads")
    assert studio.collections.get("leads", as_agent="scout").collection.path == leads


# --- records --------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("leads")
def test_a_write_by_id_makes_or_changes_a_record(studio: Studio, clock: Clock) -> None:
    run = wake(studio, "scout")
    first = studio.collections.write(
        "leads", {"company": "ACME", "size": 3}, record_id="acme", as_agent="scout", run=run
    )
    assert (first.record.id, first.changed, first.record.updated_by.kind) == ("acme", True, AuthorKind.RUN)
    clock.tick()
    second = studio.collections.write("leads", {"status": "won", "size": None}, record_id="acme")
    assert second.record.values == {"company": "ACME", "status": "won"}
    assert (second.record.updated_at, str(second.record.updated_by)) == (clock.now, "operator Ana")
    assert rows(studio) == [("acme", {"company": "ACME", "status": "won"})]


@pytest.mark.usefixtures("leads")
def test_the_same_write_again_changes_nothing(studio: Studio, clock: Clock) -> None:
    studio.collections.write("leads", {"company": "ACME"}, record_id="acme")
    clock.tick()
    again = studio.collections.write("leads", {"company": "ACME"}, record_id="acme", operator="Ben")
    assert (again.changed, again.record.updated_at) == (False, START)


@pytest.mark.usefixtures("leads")
def test_without_an_id_each_write_makes_a_record(studio: Studio) -> None:
    ids = {studio.collections.write("leads", {"company": "ACME"}).record.id for _ in range(3)}
    assert len(ids) == len(rows(studio)) == 3


@pytest.mark.usefixtures("leads")
def test_an_unknown_column_is_refused_and_the_columns_are_named(studio: Studio) -> None:
    with pytest.raises(UnknownColumns, match="'stat'; its columns are company, status, size"):
        studio.collections.write("leads", {"company": "ACME", "stat": "won"}, record_id="acme")
    with pytest.raises(UnknownColumns):
        studio.collections.records("leads", equals={"stat": "won"})
    assert rows(studio) == []


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"company": "a\0"}, UnusableText),
        ({"company": ["ok", {"k": "\ud800"}]}, UnusableText),
        ({"company": float("nan")}, BadArgument),
        ({"company": {1, 2}}, BadArgument),
    ],
    ids=["NUL", "lone surrogate inside", "NaN", "no JSON"],
)
@pytest.mark.usefixtures("leads")
def test_values_that_cannot_be_kept(studio: Studio, values: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        studio.collections.write("leads", values)
    assert rows(studio) == []


@pytest.mark.usefixtures("leads")
def test_any_json_value_comes_back_as_it_was(studio: Studio) -> None:
    value = {"a": [1, 2.5, True, "価格 \\ \" '"], "b": {}}
    studio.collections.write("leads", {"company": value}, record_id="x")
    assert rows(studio) == [("x", {"company": value})]


@pytest.mark.usefixtures("leads")
def test_since_keeps_what_was_written_then_or_later_newest_first(studio: Studio, clock: Clock) -> None:
    for name in ("a", "b", "c"):
        studio.collections.write("leads", {"company": name}, record_id=name)
        clock.tick()
    assert [one for one, _ in rows(studio)] == ["c", "b", "a"]
    assert [one for one, _ in rows(studio, since=START + timedelta(seconds=60))] == ["c", "b"]
    assert [one for one, _ in rows(studio, limit=1)] == ["c"]


@pytest.mark.parametrize(
    ("equals", "ids"),
    [
        ({"status": "won"}, ["a"]),
        ({"status": "won", "size": 4}, []),
        ({"size": 3}, ["a"]),
        ({"size": "3"}, ["a"]),
        ({"size": "true"}, ["b"]),
        ({"size": 1}, []),
        ({"status": None}, ["b"]),
    ],
    ids=["a text", "both must hold", "a number", "its JSON", "true as JSON", "true is not 1", "not set"],
)
@pytest.mark.usefixtures("leads")
def test_simple_filters(studio: Studio, equals: dict[str, Any], ids: list[str]) -> None:
    studio.collections.write("leads", {"status": "won", "size": 3}, record_id="a")
    studio.collections.write("leads", {"size": True}, record_id="b")
    assert [one for one, _ in rows(studio, equals=equals)] == ids


@pytest.mark.usefixtures("leads")
def test_a_record_that_changed_since_it_was_read_is_not_written_over_decision_37(studio: Studio) -> None:
    def write(status: str, expect: str) -> bool:
        return studio.collections.write("leads", {"status": status}, record_id="a", expect=expect).changed

    with pytest.raises(UnknownRecord, match="no record 'a' in leads"):
        write("open", "0" * 64)
    assert write("open", NO_RECORD)
    assert not write("open", NO_RECORD), "a repeat of a stored write succeeds"
    with pytest.raises(PathTaken):
        write("won", NO_RECORD)
    (read,) = studio.collections.records("leads")
    assert write("lost", read.sha256)
    with pytest.raises(RecordChanged, match="operator Ana wrote it") as told:
        write("won", read.sha256)
    (live,) = studio.collections.records("leads")
    assert (told.value.live_sha256, live.values) == (live.sha256, {"status": "lost"})
