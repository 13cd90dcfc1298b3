"""Archive names and header lines (decisions 12 and 13)."""

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from builders import run_author
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.archive import (
    MEMORY_VIEW,
    archive_name,
    group_occasion,
    header_lines,
    restore_occasion,
    schedule_occasion,
    slug,
    stamp,
)
from studio.domain.authors import UNKNOWN, Author, AuthorKind, operator

SINCE = datetime(2026, 9, 12, 9, 0, 7, tzinfo=UTC)
AT = datetime(2026, 9, 13, 9, 0, 12, tzinfo=UTC)
RUN = run_author("r_ab12cd")
AGENT = Author(AuthorKind.AGENT, "researcher")
INSTRUCTION_120 = "i" * 120


@pytest.mark.parametrize(
    ("author", "occasion", "line"),
    [
        pytest.param(
            RUN,
            schedule_occasion("check inbox"),
            'run r_ab12cd (schedule wake-up: "check inbox")',
            id="archive-01",
        ),
        pytest.param(operator("Ana"), MEMORY_VIEW, "operator Ana (Memory view)", id="archive-03"),
        pytest.param(RUN, group_occasion(["ana", "@ben"]), "run r_ab12cd (group: @ana, @ben)", id="group"),
        pytest.param(RUN, group_occasion([]), "run r_ab12cd (group)", id="group-untagged"),
        pytest.param(RUN, "direct", "run r_ab12cd (direct)", id="direct"),
        pytest.param(operator("Ana"), restore_occasion(7), "operator Ana (restore of version 7)", id="restore"),
        pytest.param(AGENT, None, "agent", id="agent"),
        pytest.param(
            Author(AuthorKind.AGENT, "yoyo[bot]"), "commit 0123", "agent yoyo[bot] (commit 0123)", id="import-agent"
        ),
        pytest.param(operator("Ben"), "commit 0123", "operator Ben (commit 0123)", id="import-operator"),
        pytest.param(UNKNOWN, None, "unknown", id="unknown"),
        pytest.param(
            RUN,
            schedule_occasion("check\r\ninbox\nthen\u2028stop"),
            'run r_ab12cd (schedule wake-up: "check inbox then stop")',
            id="line-breaks",
        ),
        pytest.param(
            RUN, schedule_occasion(INSTRUCTION_120), f'run r_ab12cd (schedule wake-up: "{INSTRUCTION_120}")', id="120"
        ),
        pytest.param(
            RUN,
            schedule_occasion(INSTRUCTION_120 + "j"),
            f'run r_ab12cd (schedule wake-up: "{INSTRUCTION_120}…")',
            id="121",
        ),
    ],
)
def test_the_two_header_lines(author: Author, occasion: str | None, line: str) -> None:
    assert header_lines(SINCE, AT, author, occasion) == (
        "Current: 2026-09-12T09:00:07Z → 2026-09-13T09:00:12Z",
        f"Replaced by: {line}",
    )


@given(st.text(), st.text(min_size=1), st.sampled_from(AuthorKind))
def test_header_lines_are_two_lines_whatever_they_quote(instruction: str, name: str, kind: AuthorKind) -> None:
    lines = header_lines(SINCE, AT, Author(kind, name), schedule_occasion(instruction))
    assert len("\n".join(lines).splitlines()) == 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("Ana María / ops", "ana-maria-ops", id="archive-06"),
        pytest.param("Łukasz Ångström", "łukasz-angstrom", id="accents"),
        pytest.param("../../etc/passwd", "etc-passwd", id="path"),
        pytest.param("研究员", "研究员", id="han"),
        pytest.param("がぎぐ", "がぎぐ", id="kana-with-marks"),
        pytest.param("Андрей", "андрей", id="cyrillic"),
        pytest.param("हिन्दी", "हिन्दी", id="devanagari"),
        pytest.param("❤️ 1️⃣ Ana", "1-ana", id="emoji"),
        pytest.param("a\u202eb", "a-b", id="direction-mark"),
        pytest.param("--", "operator", id="nothing-left"),
        pytest.param("", "operator", id="empty"),
    ],
)
def test_a_user_name_becomes_a_slug(name: str, expected: str) -> None:
    assert slug(name) == expected


@given(st.text())
def test_a_slug_is_one_safe_part_of_a_path(name: str) -> None:
    made = slug(name)
    assert made
    assert not set(made) & set('/\\:*?"<>|. \n\t\0')
    assert made == made.strip("-")
    assert slug(made) == made


def test_names_carry_utc_and_the_source() -> None:
    """Decision 12."""
    assert archive_name(AT, RUN) == "2026-09-13T09-00-12Z-r_ab12cd.md"
    there = AT.astimezone(timezone(timedelta(hours=-7)))
    assert archive_name(there, operator("Ana")) == "2026-09-13T09-00-12Z-ana.md"
    assert archive_name(AT, AGENT) == "2026-09-13T09-00-12Z-researcher.md"
    assert archive_name(AT, UNKNOWN) == "2026-09-13T09-00-12Z-unknown.md"


def test_two_in_one_second_keep_two_names_in_order() -> None:
    """archive-07, and archive-02 of the field reports."""
    first = archive_name(AT, RUN)
    second = archive_name(AT, RUN, [first])
    third = archive_name(AT, operator("Ana"), [first, second])
    assert (second, third) == ("2026-09-13T09-00-12Z_02-r_ab12cd.md", "2026-09-13T09-00-12Z_03-ana.md")
    assert sorted([third, second, first]) == [first, second, third]


def test_a_name_that_was_pruned_is_not_given_again_before_its_second_is_over() -> None:
    first = archive_name(AT, RUN)
    second = archive_name(AT, RUN, [first])
    assert archive_name(AT, RUN, [second]) == "2026-09-13T09-00-12Z_03-r_ab12cd.md"


@given(
    seconds=st.lists(st.integers(0, 2), max_size=130),
    kept=st.integers(1, 140),
    sources=st.lists(st.sampled_from([RUN, operator("Ana"), operator("_99"), operator("Zoë"), AGENT]), min_size=130),
)
def test_names_list_in_order_of_time_and_are_unique(seconds: list[int], kept: int, sources: list[Author]) -> None:
    """Decision 12, for a clock that does not step back; pruning keeps the newest."""
    names: list[str] = []
    for second, source in zip(sorted(seconds), sources, strict=False):
        names.append(archive_name(AT + timedelta(seconds=second), source, names[-kept:]))
    for earlier, later in pairwise(names):
        assert earlier < later


def test_a_hundred_and_more_in_one_second_stay_in_order() -> None:
    names: list[str] = []
    for _ in range(1_050):
        names.append(archive_name(AT, RUN, names))
    assert sorted(names) == names
    assert len(set(names)) == 1_050


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_stamp_sorts_as_its_time_does(at: datetime) -> None:
    assert len(stamp(at)) == len("2026-09-13T09-00-12Z")
    assert ":" not in stamp(at)
    assert datetime.strptime(stamp(at), "%Y-%m-%dT%H-%M-%SZ").replace(tzinfo=UTC) == at.replace(microsecond=0)
