"""An operator's Save and restore on the Memory view, and the archive they leave (decisions 5, 11 to 14, 17, 37)."""

import pytest
from builders import Clock, context_of, overwrite, wake

from studio.actions.studio import Studio
from studio.domain.archive import iso_z
from studio.domain.changes import Action
from studio.domain.memory import MEMORY_CAP_CHARACTERS
from studio.domain.paths import archive_path
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger
from studio.domain.settings import AgentSettings
from studio.errors import BadName, TextChanged, UnknownAuthor, UnknownPath, UnknownVersion, UnprovenSave, UnusableText


@pytest.fixture(autouse=True)
def agent(studio: Studio) -> None:
    studio.create_agent("scout", focus="watch")


def texts(studio: Studio) -> list[str | None]:
    """All texts kept, oldest first."""
    versions = studio.list_memory_versions("scout")
    return [studio.get_memory_version("scout", version.number).body.text for version in reversed(versions)]


def read_archived(studio: Studio, number: int) -> tuple[tuple[str, str], str | None]:
    who = studio.get_agent("scout")
    header, body = studio.read_archive(archive_path(who.org, who.id, studio.list_archive("scout")[number]))
    return header, body.text


# --- who and when ---


def test_a_save_archives_the_old_text_with_the_operator_as_source(studio: Studio) -> None:
    """memory-write-18."""
    live = studio.get_memory_version("scout")
    studio.save_memory("scout", "by Ana\n", expect=live.version.sha256, operator="Ana María")
    newest = studio.list_memory_versions("scout")[0]
    assert (str(newest.author), newest.live) == ("operator Ana María", True)
    assert studio.list_archive("scout") == {1: "2026-09-12T09-00-07Z-ana-maria.md"}
    assert studio.list_operators() == ("Ana María",)


def test_a_save_without_a_change_keeps_author_and_time(studio: Studio, clock: Clock) -> None:
    """memory-write-19, no-op-04: no matter which sha256 it gives."""
    run = wake(studio, "scout")
    studio.memory_write("scout", "by a run\n", run=run)
    before = studio.list_memory_versions("scout")
    clock.tick()
    for expect, force in ((None, False), ("0" * 64, False), (None, True)):
        assert not studio.save_memory("scout", "by a run\n", expect=expect, force=force).changed
    assert studio.list_memory_versions("scout") == before
    assert [change.run for change in studio.list_file_changes("scout")] == [run]


def test_versions_by_run_operator_and_run(studio: Studio, clock: Clock) -> None:
    """timeline-01, timeline-07, attribution-05: authors shift by one and no text is kept twice."""
    first, second = wake(studio, "scout"), wake(studio, "scout")
    for text, run in (("two\n", first), ("three\n", None), ("four\n", second)):
        clock.tick()
        if run:
            studio.memory_write("scout", text, run=run)
        else:
            overwrite(studio, "scout", text)
    assert texts(studio) == ["", "two\n", "three\n", "four\n"]
    versions = studio.list_memory_versions("scout")
    assert [str(version.author) for version in versions] == [
        f"run {second}",
        "operator Ana",
        f"run {first}",
        "no recorded author",
    ]
    (only,) = studio.list_memory_versions("scout", author="operator")
    assert only == versions[1]
    assert (only.number, only.added, only.removed) == (3, 1, 1)


def test_an_author_who_wrote_nothing_is_named_with_those_who_did(studio: Studio) -> None:
    overwrite(studio, "scout", "x")
    assert studio.list_memory_versions("scout", author="run") == ()
    with pytest.raises(UnknownAuthor, match="operator:Ana"):
        studio.list_memory_versions("scout", author="operator:Ben")


@pytest.mark.parametrize("name", ["a\nb", " \t", "x" * 201])
def test_an_operator_has_a_name_of_one_line(studio: Studio, name: str) -> None:
    with pytest.raises(BadName, match="operator"):
        studio.save_memory("scout", "x", force=True, operator=name)
    assert texts(studio) == [""]


# --- as given ---


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ufeffa\r\nb\r\n", id="no-op-02-crlf-and-bom"),
        pytest.param("a\nb", id="archive-04-no-final-newline"),
        pytest.param("x\n" * 15_000, id="size-04"),
        pytest.param("a\rb\x0bc\u2028d\x85e", id="other-line-breaks"),
        pytest.param("😀👩‍🔬e\u0301\u200b\u202e", id="astral-and-invisible"),
        pytest.param(" \n\t\n", id="blank"),
        pytest.param("</memory>{{x}} $& %s `rm`", id="markup"),
    ],
)
def test_a_text_is_stored_archived_and_read_as_given(studio: Studio, text: str) -> None:
    overwrite(studio, "scout", text)
    assert studio.get_memory_version("scout").body.text == text
    overwrite(studio, "scout", "next\n")
    assert studio.get_memory_version("scout", 2).body.content == text.encode()
    assert read_archived(studio, 2)[1] == text


def test_adding_a_line_to_crlf_and_bom_is_one_line(studio: Studio) -> None:
    """no-op-02."""
    overwrite(studio, "scout", "\ufeffa\r\nb\r\n")
    overwrite(studio, "scout", "\ufeffa\r\nb\r\nc\r\n")
    newest = studio.list_memory_versions("scout")[0]
    assert (newest.added, newest.removed, newest.only_changed) == (1, 0, None)


@pytest.mark.parametrize("text", ["a\0b", "\udc80"], ids=["nul", "lone-surrogate"])
def test_what_no_store_can_hold_is_refused(studio: Studio, text: str) -> None:
    with pytest.raises(UnusableText, match="in line 1"):
        studio.save_memory("scout", text, force=True)
    assert texts(studio) == [""]


def test_a_long_save_is_composed_whole_while_memory_write_stays_capped(studio: Studio) -> None:
    """size-04."""
    text = "a line of memory\n" * 2_000
    overwrite(studio, "scout", text)
    assert studio.list_memory_versions("scout")[0].characters > MEMORY_CAP_CHARACTERS
    assert text in studio.preview("scout").text


# --- stale ---


def test_a_save_over_a_newer_version_is_held_back(studio: Studio) -> None:
    """concurrency-03, concurrency-07: the answer names the version, its author and the present hash; nothing is written."""
    opened = studio.get_memory_version("scout")
    run = wake(studio, "scout")
    written = studio.memory_write("scout", "by a wake\n", run=run)
    with pytest.raises(TextChanged, match=f"version 2 by run {run} is live now") as refusal:
        studio.save_memory("scout", "by Ana\n", expect=opened.version.sha256)
    assert (refusal.value.version, refusal.value.live_sha256) == (2, written.sha256)
    assert texts(studio) == ["", "by a wake\n"]
    assert len(studio.list_file_changes("scout")) == 1
    studio.save_memory("scout", "by Ana\n", expect=opened.version.sha256, force=True)
    assert texts(studio) == ["", "by a wake\n", "by Ana\n"]


def test_a_save_without_a_base_is_no_way_round(studio: Studio) -> None:
    """concurrency-05."""
    studio.memory_write("scout", "by a wake\n")
    with pytest.raises(UnprovenSave) as refusal:
        studio.save_memory("scout", "by Ana\n")
    assert refusal.value.live_sha256 == studio.get_memory_version("scout").version.sha256
    assert texts(studio) == ["", "by a wake\n"]


def test_repeating_a_save_whose_result_is_stored_succeeds(studio: Studio) -> None:
    """Decision 37."""
    base = studio.get_memory_version("scout").version.sha256
    first = studio.save_memory("scout", "once\n", expect=base)
    again = studio.save_memory("scout", "once\n", expect=base)
    assert (again.version, again.sha256, again.changed) == (first.version, first.sha256, False)


# --- the archive ---


def test_header_lines_of_the_archive(studio: Studio, clock: Clock) -> None:
    """archive-01, archive-03: the first version starts at the agent's creation (decision 13)."""
    run = studio.create_run("scout", Trigger(RunKind.SCHEDULE, instruction="check inbox")).id
    clock.tick(86_405)
    studio.memory_write("scout", "two\n", run=run)
    clock.tick(60)
    overwrite(studio, "scout", "three\n")
    clock.tick(60)
    studio.restore_memory("scout", 2)
    clock.tick(60)
    studio.memory_write("scout", "five\n")
    assert [read_archived(studio, number)[0] for number in (1, 2, 3, 4)] == [
        (
            "Current: 2026-09-12T09:00:07Z → 2026-09-13T09:00:12Z",
            f'Replaced by: run {run} (schedule wake-up: "check inbox")',
        ),
        ("Current: 2026-09-13T09:00:12Z → 2026-09-13T09:01:12Z", "Replaced by: operator Ana (Memory view)"),
        (
            "Current: 2026-09-13T09:01:12Z → 2026-09-13T09:02:12Z",
            "Replaced by: operator Ana (restore of version 2)",
        ),
        ("Current: 2026-09-13T09:02:12Z → 2026-09-13T09:03:12Z", "Replaced by: agent"),
    ]


def test_same_second_writes_keep_two_names_in_order(studio: Studio) -> None:
    """archive-07, archive-02 of the field reports, time-06."""
    run = wake(studio, "scout")
    for text in ("two", "three", "four"):
        studio.memory_write("scout", text, run=run)
    names = studio.list_archive("scout")
    stamp = "2026-09-12T09-00-07Z"
    assert list(names.values()) == [f"{stamp}-{run}.md", f"{stamp}_02-{run}.md", f"{stamp}_03-{run}.md"]
    assert sorted(names.values()) == list(names.values())
    assert texts(studio) == ["", "two", "three", "four"]


def test_names_stay_apart_when_the_first_of_a_second_is_pruned(studio: Studio) -> None:
    studio.configure_agent("scout", AgentSettings(retention=1))
    seen: list[str] = []
    for number in range(5):
        overwrite(studio, "scout", f"{number}")
        seen.extend(studio.list_archive("scout").values())
    assert len(set(seen)) == 5
    assert sorted(seen) == seen


@pytest.mark.parametrize(
    ("writes", "kept"),
    [
        pytest.param(49, 49, id="archive-10"),
        pytest.param(50, 50, id="fifty"),
        pytest.param(51, 50, id="archive-09"),
        pytest.param(60, 50, id="timeline-04"),
    ],
)
def test_the_newest_fifty_are_kept(studio: Studio, writes: int, kept: int) -> None:
    """archive-04 of the field reports: the oldest goes, the live text stays; numbers never change (decision 2)."""
    for number in range(writes):
        overwrite(studio, "scout", f"text {number}\n")
    versions = studio.list_memory_versions("scout")
    assert len(studio.list_archive("scout")) == kept
    assert [version.number for version in versions] == list(range(writes + 1, writes - kept, -1))
    assert studio.get_memory_version("scout").body.text == f"text {writes - 1}\n"
    oldest = versions[-1]
    assert (str(oldest.author), oldest.first_kept) == ("no recorded author", True)
    if writes > kept:
        with pytest.raises(UnknownVersion, match=f"versions {oldest.number} to {writes + 1} are kept"):
            studio.get_memory_version("scout", oldest.number - 1)


def test_pruning_one_agent_leaves_the_others_alone(studio: Studio) -> None:
    """archive-15."""
    studio.create_agent("other", focus="x")
    for number in range(50):
        overwrite(studio, "scout", f"{number}")
    for number in range(52):
        overwrite(studio, "other", f"{number}")
    assert len(studio.list_archive("scout")) == 50


def test_a_restore_is_a_new_version_and_pruning_goes_by_age(studio: Studio) -> None:
    """archive-06 of the field reports, decision 17."""
    for number in range(2, 61):
        overwrite(studio, "scout", f"text {number}\n")
    saved = studio.restore_memory("scout", 12, operator="Ben")
    versions = studio.list_memory_versions("scout")
    assert (saved.version, str(versions[0].author)) == (61, "operator Ben")
    assert [version.number for version in versions] == list(range(61, 10, -1))
    assert studio.get_memory_version("scout", 61).body.text == "text 12\n"
    assert studio.get_memory_version("scout", 12).body.text == "text 12\n"


def test_restoring_what_is_live_changes_nothing(studio: Studio) -> None:
    overwrite(studio, "scout", "x")
    assert not studio.restore_memory("scout", 2).changed
    with pytest.raises(UnknownVersion):
        studio.restore_memory("scout", 9)
    with pytest.raises(TextChanged):
        studio.restore_memory("scout", 1, expect="0" * 64)


def test_the_clock_may_step_back(studio: Studio, clock: Clock) -> None:
    """Decision 14: order is by sequence; names follow the clock."""
    overwrite(studio, "scout", "two")
    clock.tick(-3_600)
    overwrite(studio, "scout", "three")
    clock.tick(3_600)
    overwrite(studio, "scout", "four")
    assert texts(studio) == ["", "two", "three", "four"]
    assert list(studio.list_archive("scout").values()) == [
        "2026-09-12T09-00-07Z-ana.md",
        "2026-09-12T08-00-07Z-ana.md",
        "2026-09-12T09-00-07Z_02-ana.md",
    ]
    assert [iso_z(version.at) for version in studio.list_memory_versions("scout")] == [
        "2026-09-12T09:00:07Z",
        "2026-09-12T08:00:07Z",
        "2026-09-12T09:00:07Z",
        "2026-09-12T09:00:07Z",
    ]


@pytest.mark.parametrize(
    "path",
    [
        "org/{org}/agents/{agent}/history-archive/2026-01-01T00-00-00Z-ana.md",
        "org/o_other/agents/{agent}/history-archive/{name}",
        "org/{org}/agents/scout/history-archive/{name}",
        "org/{org}/agents/{agent}/memory.md",
        "org/{org}/agents/{agent}/history-archive/../memory.md",
    ],
    ids=["other-name", "other-org", "name-for-id", "live", "up"],
)
def test_only_its_own_path_reads_an_archive(studio: Studio, path: str) -> None:
    overwrite(studio, "scout", "x")
    who = studio.get_agent("scout")
    with pytest.raises(UnknownPath):
        studio.read_archive(path.format(org=who.org, agent=who.id, name=studio.list_archive("scout")[1]))


# --- counts ---


def test_counts_are_those_of_the_change_shown(studio: Studio) -> None:
    """timeline-06, timeline-10: a list and a comparison never disagree."""
    for text in ("a\nb\n", "a\nc\nd\n", "a\r\nc\r\nd\r\n", "a\r\nc\r\nd"):
        overwrite(studio, "scout", text)
    for version in studio.list_memory_versions("scout"):
        counts = studio.compare_memory("scout", version.number).diff
        assert counts is not None
        assert (version.added, version.removed) == (counts.counts.added, counts.counts.removed)
    assert [(version.number, version.only_changed) for version in studio.list_memory_versions("scout")][:2] == [
        (5, "final newline"),
        (4, "line endings"),
    ]


def test_the_ledger_has_a_row_for_each_version_that_was_made(studio: Studio) -> None:
    """file-changes-01: one Task save and two memory writes, one of them without a change."""
    studio.draft_task("scout", "new task")
    studio.publish_task("scout")
    studio.memory_write("scout", "x")
    studio.memory_write("scout", "x")
    changes = studio.list_file_changes("scout")
    assert [(change.action, change.version, change.file.value) for change in changes] == [
        (Action.MEMORY_WRITE, 2, "memory"),
        (Action.PUBLISH, 2, "task"),
    ]
    who = studio.get_agent("scout")
    assert [change.path for change in changes] == [
        f"org/{who.org}/agents/{who.id}/memory.md",
        f"org/{who.org}/agents/{who.id}/task.md",
    ]
    assert changes[0].number > changes[1].number


def test_a_prompt_holds_no_archived_text(studio: Studio) -> None:
    """archive-16."""
    overwrite(studio, "scout", "the old password hint\n")
    overwrite(studio, "scout", "nothing to see\n")
    text = studio.preview("scout").text
    assert "nothing to see" in text
    assert "password" not in text
    assert "history-archive" not in text


def test_a_failure_after_the_archive_leaves_nothing(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """The archive, the live row and the ledger change together or not at all."""
    overwrite(studio, "scout", "kept\n")
    before = (texts(studio), studio.list_file_changes("scout"), studio.list_archive("scout"))

    def fails(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("studio.store.changes.insert", fails)
        with pytest.raises(KeyboardInterrupt):
            overwrite(studio, "scout", "lost\n")
    assert (texts(studio), studio.list_file_changes("scout"), studio.list_archive("scout")) == before
    with context_of(studio).database.read() as cursor:
        assert cursor.execute("SELECT count(*) FROM memory_revisions").fetchone() == (1,)


def test_the_oldest_version_kept_counts_all_its_lines_as_added(studio: Studio) -> None:
    """timeline-06 after pruning: what it counted against is gone, and list and comparison agree on it."""
    studio.configure_agent("scout", AgentSettings(retention=2))
    for text in ("a\n", "a\nb\n", "a\nb\nc", "a\nb\nc\nd\n", "x\n"):
        overwrite(studio, "scout", text)
    oldest = studio.list_memory_versions("scout")[-1]
    assert (oldest.number, oldest.added, oldest.removed, oldest.first_kept) == (4, 3, 0, True)
    change = studio.compare_memory("scout", oldest.number)
    assert change.old is None
    assert change.diff is not None
    assert change.diff.counts == (3, 0)
