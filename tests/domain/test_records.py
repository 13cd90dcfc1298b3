"""Versions as JSON-ready records (decision 36)."""

import json
from dataclasses import replace
from datetime import timedelta, timezone

import pytest
from builders import START, TEXTS, run_author
from hypothesis import given

from studio.domain.authors import UNKNOWN, Author, AuthorKind
from studio.domain.bodies import Body
from studio.domain.comparison import compare
from studio.domain.diff import diff
from studio.domain.paths import RunId
from studio.domain.records import change_record, diff_record, text_record, version_record
from studio.domain.timeline import Origin, Status, Version, VersionText

FIELDS = [
    "version",
    "author",
    "at",
    "added",
    "removed",
    "characters",
    "status",
    "live",
    "run",
    "call",
    "based_on",
    "origin",
]
BY_RUN = Version(
    number=5,
    author=run_author("r_1"),
    at=START.astimezone(timezone(timedelta(hours=2))),
    added=3,
    removed=None,
    characters=4,
    status=Status.MODIFIED,
    live=True,
    sha256="0" * 64,
    run=RunId("r_1"),
    call="c_1",
    based_on=3,
)


def test_a_record_has_the_fields_of_the_decision_in_order() -> None:
    record = version_record(BY_RUN)
    assert list(record) == FIELDS
    assert record == {
        "version": 5,
        "author": {"kind": "run", "name": "r_1", "via": None, "evidence": None},
        "at": "2026-09-12T09:00:07Z",
        "added": 3,
        "removed": None,
        "characters": 4,
        "status": "modified",
        "live": True,
        "run": "r_1",
        "call": "c_1",
        "based_on": 3,
        "origin": None,
    }


def test_where_an_imported_version_came_from_is_in_the_record() -> None:
    origin = Origin("c0ffee", "Shorten", "b.md", "a.md", utc_offset_minutes=60, copied=True)
    assert version_record(replace(BY_RUN, origin=origin))["origin"] == {
        "commit": "c0ffee",
        "subject": "Shorten",
        "path": "b.md",
        "old_path": "a.md",
        "copied": True,
    }


def test_evidence_of_an_import_is_in_the_record() -> None:
    author = Author(AuthorKind.OPERATOR, "Ana", "Claude", "trailer: Co-Authored-By: Claude")
    assert version_record(replace(BY_RUN, author=author))["author"] == {
        "kind": "operator",
        "name": "Ana",
        "via": "Claude",
        "evidence": "trailer: Co-Authored-By: Claude",
    }


@given(TEXTS)
def test_a_text_is_handed_out_verbatim_with_its_hash(text: str) -> None:
    """Decisions 36 and 37."""
    body = Body(text)
    record = text_record(VersionText(replace(BY_RUN, sha256=body.sha256), body))
    assert list(record) == [*FIELDS, "text", "sha256"]
    assert (json.loads(json.dumps(record))["text"], record["sha256"]) == (text, Body(text).sha256)


def test_bytes_are_handed_out_escaped_and_say_why() -> None:
    """Decision 5."""
    record = text_record(VersionText(BY_RUN, Body(None, b"caf\xe9")))
    assert (record["text"], record["binary"]) == ("caf\\xe9", "not UTF-8, read as latin-1")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "a\nb\n",
            "a\nc\n",
            {
                "against": 4,
                "added": 1,
                "removed": 1,
                "blocks": [("b\n", "c\n", 2, 2)],
            },
        ),
        ("a\n", "a\n", {"against": 4, "added": 0, "removed": 0, "blocks": []}),
    ],
    ids=["one-line", "equal"],
)
def test_a_change_lists_what_is_not_equal(old: str, new: str, expected: dict[str, object]) -> None:
    before = VersionText(replace(BY_RUN, number=4), Body(old))
    change = change_record(compare(before, VersionText(BY_RUN, Body(new))))["change"]
    blocks = [
        ("".join(block["removed"]), "".join(block["added"]), block["old_start"], block["new_start"])
        for block in change["blocks"]
    ]
    found = {key: change[key] for key in ("against", "added", "removed")}
    assert found | {"blocks": blocks} == expected


def test_a_change_between_bytes_says_why_it_has_no_blocks() -> None:
    before = VersionText(replace(BY_RUN, number=4, author=UNKNOWN), Body(None, b"\0"))
    assert change_record(compare(before, VersionText(BY_RUN, Body("x"))))["change"] == {
        "against": 4,
        "binary": "version 4 holds NUL, kept as bytes",
    }


@given(TEXTS, TEXTS)
def test_blocks_add_up_to_the_counts_and_pass_through_json(old: str, new: str) -> None:
    record = diff_record(diff(old, new))
    assert sum(len(block["added"]) for block in record["blocks"]) == record["added"]
    assert sum(len(block["removed"]) for block in record["blocks"]) == record["removed"]
    assert json.loads(json.dumps(record)) == record
