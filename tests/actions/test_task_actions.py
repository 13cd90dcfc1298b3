"""The Task: drafts, review, publish and restore (decisions 11, 30 and 31)."""

from pathlib import Path

import pytest
from builders import PROMPTS, Clock, open_store, publish

from studio.actions.studio import Studio
from studio.domain.authors import Author, AuthorKind
from studio.domain.changes import Action
from studio.domain.settings import AgentSettings
from studio.errors import DraftChanged, NoDraft, TextChanged, Unconfirmed, UnknownVersion, UnusableText


@pytest.fixture(autouse=True)
def agent(studio: Studio) -> None:
    studio.create_agent("scout", focus="watch")


def live(studio: Studio) -> str | None:
    return studio.get_task_version("scout").body.text


def test_a_new_agent_starts_from_its_focus(studio: Studio) -> None:
    """task-01."""
    studio.create_agent("payer", focus="billing")
    assert studio.get_task_version("payer").body.text == "billing"


def test_without_a_focus_it_starts_from_the_template(studio: Studio) -> None:
    studio.create_agent("blank")
    assert studio.get_task_version("blank").body.content == (PROMPTS / "task.md").read_bytes()


def test_a_publish_archives_the_old_task_with_who_published(studio: Studio, clock: Clock) -> None:
    """task-03."""
    clock.tick()
    studio.draft_task("scout", "watch closely\n")
    saved = studio.publish_task("scout", note=" after the outage ", operator="Ana")
    newest, oldest = studio.list_task_versions("scout")
    assert (saved.version, saved.changed, live(studio)) == (2, True, "watch closely\n")
    assert (str(newest.author), newest.note, newest.live) == ("operator Ana", "after the outage", True)
    assert (str(oldest.author), oldest.until) == ("no recorded author", clock.now)
    assert studio.get_task_version("scout", 1).body.text == "watch"
    assert [(change.action, change.version) for change in studio.list_file_changes("scout")] == [(Action.PUBLISH, 2)]


def test_the_newest_fifty_tasks_are_kept(studio: Studio) -> None:
    """task-04."""
    for number in range(51):
        publish(studio, "scout", f"task {number}")
    versions = studio.list_task_versions("scout")
    assert [version.number for version in versions] == list(range(52, 1, -1))
    assert (live(studio), str(versions[-1].author)) == ("task 50", "no recorded author")


def test_a_draft_leaves_the_live_task_alone_until_an_operator_publishes(studio: Studio) -> None:
    """task-07, decision 31."""
    coach = Author(AuthorKind.AGENT, "coach")
    studio.draft_task("scout", "drafted", author=coach)
    assert live(studio) == "watch"
    assert len(studio.list_task_versions("scout")) == 1
    assert studio.list_file_changes("scout") == ()
    assert "drafted" not in studio.preview("scout").text
    studio.publish_task("scout", operator="Ben")
    assert str(studio.list_task_versions("scout")[0].author) == "operator Ben"
    assert studio.get_task_draft("scout") is None


def test_a_long_task_goes_into_the_prompt_whole(studio: Studio) -> None:
    """task-09: the 64 KB budget is for embeds."""
    task = "a standing purpose\n" * 3_700
    publish(studio, "scout", task)
    assert len(task) > 70_000
    assert task in studio.preview("scout").text


def test_publishing_an_unchanged_task_does_nothing_and_says_so(studio: Studio) -> None:
    """Decision 30."""
    studio.draft_task("scout", "watch")
    assert not studio.review_task("scout").changed
    saved = studio.publish_task("scout")
    assert (saved.version, saved.changed) == (1, False)
    assert len(studio.list_task_versions("scout")) == 1
    assert studio.list_file_changes("scout") == ()


def test_a_draft_keeps_the_version_it_started_from(studio: Studio, clock: Clock) -> None:
    first = studio.draft_task("scout", "one")
    clock.tick()
    again = studio.draft_task("scout", "one more")
    assert (first.based_on, again.based_on, again.saved_at) == (1, 1, clock.now)
    assert again.text == "one more"


def test_publishing_over_a_newer_task_is_refused_with_both_texts_at_hand(studio: Studio) -> None:
    """Decision 30: the draft is never lost."""
    studio.draft_task("scout", "mine")
    studio.restore_task("scout", 1)
    ours = studio.get_task_draft("scout")
    with_other = _publish_from_elsewhere(studio, "theirs")
    with pytest.raises(TextChanged, match="version 2 by operator Ben"):
        studio.publish_task("scout")
    assert live(studio) == "theirs"
    assert studio.get_task_draft("scout") == ours
    review = studio.review_task("scout")
    assert (review.stale, review.start_text, review.live_text, review.draft.text) == (True, "watch", "theirs", "mine")
    assert (review.next_version, with_other) == (3, 2)
    studio.draft_task("scout", "merged", based_on=2)
    assert studio.publish_task("scout").version == 3


def test_a_draft_that_someone_else_kept_is_not_gone_over_unread(studio: Studio) -> None:
    """Decisions 30 and 37: the draft is never lost."""
    mine = studio.draft_task("scout", "mine")
    theirs = studio.draft_task("scout", "theirs", author=Author(AuthorKind.AGENT, "coach"), expect=mine.sha256)
    with pytest.raises(DraftChanged, match="agent coach keeps another one"):
        studio.draft_task("scout", "mine, longer", expect=mine.sha256)
    assert studio.get_task_draft("scout") == theirs
    assert studio.draft_task("scout", "theirs", expect=mine.sha256).sha256 == theirs.sha256
    studio.publish_task("scout")
    with pytest.raises(DraftChanged, match="published or discarded"):
        studio.draft_task("scout", "mine, longer", expect=mine.sha256)


def test_only_the_draft_that_was_reviewed_is_published(studio: Studio) -> None:
    reviewed = studio.draft_task("scout", "reviewed")
    studio.draft_task("scout", "written since")
    with pytest.raises(DraftChanged):
        studio.publish_task("scout", expect=reviewed.sha256)
    assert live(studio) == "watch"
    draft = studio.get_task_draft("scout")
    assert draft is not None
    assert studio.publish_task("scout", expect=draft.sha256).version == 2


def test_publishing_over_a_newer_task_can_be_forced(studio: Studio) -> None:
    studio.draft_task("scout", "mine")
    _publish_from_elsewhere(studio, "theirs")
    studio.publish_task("scout", force=True)
    assert [studio.get_task_version("scout", number).body.text for number in (1, 2, 3)] == ["watch", "theirs", "mine"]


def _publish_from_elsewhere(studio: Studio, text: str) -> int:
    """Another operator publishes while this draft waits; the draft stays as it was."""
    waiting = studio.get_task_draft("scout")
    assert waiting is not None
    studio.draft_task("scout", text, based_on=waiting.based_on)
    version = studio.publish_task("scout", operator="Ben").version
    studio.draft_task("scout", waiting.text, author=waiting.author, based_on=waiting.based_on)
    return version


def test_a_review_tells_what_publishing_would_do(studio: Studio) -> None:
    studio.draft_task("scout", "watch\nand report\n")
    review = studio.review_task("scout")
    assert (review.changed, review.stale, review.next_version) == (True, False, 2)
    assert (review.against_live.counts.added, review.against_live.counts.removed) == (2, 1)
    assert review.against_start is None


def test_a_restore_publishes_the_old_text_anew(studio: Studio) -> None:
    """Decision 17."""
    publish(studio, "scout", "two")
    saved = studio.restore_task("scout", 1, operator="Ben")
    newest = studio.list_task_versions("scout")[0]
    assert (saved.version, live(studio), newest.occasion) == (3, "watch", "restore of version 1")
    assert not studio.restore_task("scout", 3).changed
    with pytest.raises(UnknownVersion):
        studio.restore_task("scout", 9)


def test_publishing_again_what_is_live_by_now_succeeds_decision_37(studio: Studio) -> None:
    draft = studio.draft_task("scout", "new").sha256
    first = studio.publish_task("scout", expect=draft)
    again = studio.publish_task("scout", expect=draft)
    assert (again.version, again.changed, again.sha256) == (first.version, False, draft)
    with pytest.raises(NoDraft):
        studio.publish_task("scout", expect="0" * 64)


def test_what_needs_a_draft_says_that_there_is_none(studio: Studio) -> None:
    for action in (studio.review_task, studio.publish_task, studio.discard_task_draft):
        with pytest.raises(NoDraft, match="scout has no Task draft"):
            action("scout")


def test_a_discarded_draft_is_gone(studio: Studio) -> None:
    studio.draft_task("scout", "x")
    assert studio.list_agents()[0].has_draft
    studio.discard_task_draft("scout")
    assert studio.get_task_draft("scout") is None
    assert not studio.list_agents()[0].has_draft


@pytest.mark.parametrize("text", ["\ufeffa\r\nb", "no final newline", "", "{{x}} </task> $&", "😀" * 10])
def test_a_draft_is_published_as_given(studio: Studio, text: str) -> None:
    assert studio.draft_task("scout", text).text == text
    studio.publish_task("scout", yes_to=() if text else ("empty",))
    assert studio.get_task_version("scout").body.content == text.encode()


@pytest.mark.parametrize("text", ["a\0", "\ud800"], ids=["nul", "lone-surrogate"])
def test_a_draft_that_no_store_can_hold_is_refused(studio: Studio, text: str) -> None:
    with pytest.raises(UnusableText):
        studio.draft_task("scout", text)
    assert studio.get_task_draft("scout") is None


def test_a_note_that_no_store_can_hold_is_refused_and_the_draft_stays(studio: Studio) -> None:
    studio.draft_task("scout", "x")
    with pytest.raises(UnusableText):
        studio.publish_task("scout", note="why\0")
    assert studio.get_task_draft("scout") is not None
    assert live(studio) == "watch"


def test_a_draft_outlives_the_process(tmp_path: Path) -> None:
    """Decision 30: kept in the store."""
    with open_store(tmp_path / "s.duckdb") as first:
        first.create_agent("scout", focus="watch")
        first.draft_task("scout", "kept\r\n")
    with open_store(tmp_path / "s.duckdb") as second:
        draft = second.get_task_draft("scout")
        assert draft is not None
        assert (draft.text, draft.based_on) == ("kept\r\n", 1)


def test_a_draft_with_broken_links_is_published_only_when_confirmed_decision_30(studio: Studio) -> None:
    before = studio.get_task_version("scout").body.text
    draft = studio.draft_task("scout", "Read ![[org/o_1/notes/gone.md]].\n")
    assert [one.written for one in studio.review_task("scout").broken] == ["org/o_1/notes/gone.md"]
    with pytest.raises(Unconfirmed, match=r"gone\.md.*There is no note at this path"):
        studio.publish_task("scout")
    assert studio.get_task_draft("scout") == draft
    assert studio.get_task_version("scout").body.text == before
    assert studio.publish_task("scout", yes_to=("broken-links",)).changed


def test_the_first_task_is_added_and_the_oldest_kept_counts_all_lines(studio: Studio) -> None:
    """decision 16's words for a native text, and timeline-06 for a Task."""
    assert [str(one.status) for one in studio.list_task_versions("scout")][-1] == "added"
    studio.configure_agent("scout", AgentSettings(retention=1))
    for text in ("one\n", "one\ntwo\n", "three"):
        studio.draft_task("scout", text)
        studio.publish_task("scout")
    oldest = studio.list_task_versions("scout")[-1]
    assert (oldest.number, oldest.added, oldest.removed) == (studio.list_task_versions("scout")[0].number - 1, 2, 0)


def test_a_restore_asks_too_where_a_link_is_broken_by_now(studio: Studio) -> None:
    studio.draft_task("scout", "Read ![[org/o_1/notes/gone.md]].\n")
    broken = studio.publish_task("scout", yes_to=("broken-links",)).version
    studio.restore_task("scout", 1)
    with pytest.raises(Unconfirmed, match="The Task of scout"):
        studio.restore_task("scout", broken)
    assert studio.restore_task("scout", broken, yes_to=("broken-links",)).changed
