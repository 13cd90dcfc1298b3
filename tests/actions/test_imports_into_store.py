"""Histories in the store: whole or not at all, again without effect, and never over a live text (decisions 3, 5, 11, 16)."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builders import (
    START,
    context_of,
    delete_live_memory,
    history,
    history_row,
    overwrite,
    publish,
    stands_for,
    texts_history,
    wake,
)

from studio.actions.imports import import_history
from studio.actions.studio import Studio
from studio.domain.authors import Author, AuthorKind, operator
from studio.domain.changes import Action
from studio.domain.history import History, count_rows, status_of
from studio.domain.settings import AgentSettings
from studio.domain.stand_ins import StandIn, StandInKind
from studio.domain.timeline import Status
from studio.errors import AmbiguousAgent, BadArgument, ImportRefused, NoTemplate
from studio.render.wire_runs import run_record

BOT = Author(AuthorKind.AGENT, "yoyo[bot]", evidence="author-name")
THREE = texts_history("a\n", "a\nb\n", "a\nb\nc\n")
FIVE = texts_history("a\n", "a\nb\n", "a\nb\nc\n", "c\n", "c\nd\n")


def bring(studio: Studio, read: History, agent: str = "brought") -> tuple[int, int, int]:
    done = import_history(context_of(studio), agent, read)
    return done.versions, done.added, done.skipped


def contents(studio: Studio, agent: str = "brought") -> list[bytes]:
    """The bytes of all versions, oldest first."""
    versions = studio.list_memory_versions(agent)
    return [studio.get_memory_version(agent, version.number).body.content for version in reversed(versions)]


def everything(studio: Studio) -> tuple[object, ...]:
    return (
        studio.list_memory_versions("brought"),
        contents(studio),
        studio.list_archive("brought"),
        studio.list_file_changes("brought"),
        studio.get_agent("brought"),
    )


def test_every_row_is_a_version_by_its_own_author(studio: Studio) -> None:
    """Decision 3: the first version has an author, since the import names it."""
    rows = [history_row(number, f"{number}\n", author=who) for number, who in enumerate((operator("Ben"), BOT, BOT), 1)]
    assert bring(studio, history(rows)) == (3, 3, 0)
    versions = studio.list_memory_versions("brought")
    assert [(version.number, version.author, version.at) for version in versions] == [
        (row.number, row.author, row.at) for row in reversed(rows)
    ]
    assert [version.origin for version in versions] == [row.origin for row in reversed(rows)]
    assert contents(studio) == [b"1\n", b"2\n", b"3\n"]
    assert [(change.action, change.version) for change in studio.list_file_changes("brought")] == [(Action.IMPORT, 3)]


def test_an_agent_made_by_an_import_keeps_all_and_has_a_task(studio: Studio) -> None:
    """Decision 11."""
    bring(studio, texts_history(*[f"{number}\n" for number in range(80)]))
    assert len(studio.list_memory_versions("brought")) == 80
    for number in range(60):
        overwrite(studio, "brought", f"more {number}")
    assert len(studio.list_memory_versions("brought")) == 140
    assert studio.get_agent("brought").retention is None
    assert studio.get_task_version("brought").body.text


def test_importing_again_changes_nothing(studio: Studio) -> None:
    bring(studio, THREE)
    before = everything(studio)
    assert bring(studio, THREE) == (3, 0, 3)
    assert bring(studio, THREE, " brought ") == (3, 0, 3)
    assert everything(studio) == before
    assert studio.count_agents() == 1


def test_a_longer_history_adds_what_is_new(studio: Studio) -> None:
    bring(studio, THREE)
    held = studio.list_memory_versions("brought")
    assert bring(studio, FIVE) == (5, 2, 3)
    assert contents(studio) == [row.body.content for row in FIVE.rows if row.body]
    grown = studio.list_memory_versions("brought")
    assert [version.number for version in grown] == [5, 4, 3, 2, 1]
    assert grown[3:] == held[1:]
    other = import_history(context_of(studio), "at once", FIVE)
    at_once = studio.list_memory_versions(other.agent.id)
    assert grown == at_once
    assert studio.list_archive("brought") == studio.list_archive("at once")


def test_an_older_copy_of_the_history_takes_nothing_away(studio: Studio) -> None:
    bring(studio, FIVE)
    before = everything(studio)
    done = import_history(context_of(studio), "brought", THREE)
    assert (done.added, done.skipped) == (0, 3)
    assert done.warnings == ("brought already holds 2 newer versions than a repository: memory.md.",)
    assert everything(studio) == before


@pytest.mark.parametrize(
    ("rewritten", "why"),
    [
        (texts_history("a\n", "changed\n", "a\nb\nc\n"), "rewritten"),
        (history([*THREE.rows[:2], history_row(3, "a\nb\nc\n", commit="f" * 40)]), "rewritten"),
        (history([*FIVE.rows[:1], history_row(2, "x\n", commit="e" * 40), *FIVE.rows[2:]]), "rewritten"),
        (texts_history("a\n", "a\nb\n", "a\nb\nc\n", key="other.md:first"), "came from"),
    ],
    ids=["other-text", "other-commit", "other-commit-in-a-longer-one", "other-source"],
)
def test_another_history_is_refused_and_changes_nothing(studio: Studio, rewritten: History, why: str) -> None:
    bring(studio, THREE)
    before = everything(studio)
    with pytest.raises(ImportRefused, match=why):
        bring(studio, rewritten)
    assert everything(studio) == before


def test_an_agent_that_no_import_made_is_left_alone(studio: Studio) -> None:
    studio.create_agent("brought", focus="x")
    before = everything(studio)
    with pytest.raises(ImportRefused, match="not made by an import"):
        bring(studio, THREE)
    assert everything(studio) == before


def test_a_name_that_two_agents_share_is_no_target(studio: Studio) -> None:
    studio.create_agent("brought", focus="x")
    studio.create_agent("brought", focus="y")
    with pytest.raises(AmbiguousAgent):
        bring(studio, THREE)
    assert studio.count_agents() == 2


def test_a_text_written_here_since_is_never_gone_over(studio: Studio) -> None:
    bring(studio, THREE)
    overwrite(studio, "brought", "by Ana\n")
    before = everything(studio)
    assert bring(studio, THREE) == (3, 0, 3)
    with pytest.raises(ImportRefused, match="changed here in version 4, so 2 newer versions"):
        bring(studio, FIVE)
    assert everything(studio) == before


def test_a_live_row_deleted_by_hand_counts_as_changed_here(studio: Studio) -> None:
    bring(studio, THREE)
    delete_live_memory(studio, "brought")
    with pytest.raises(ImportRefused, match="changed here"):
        bring(studio, FIVE)


def test_a_task_written_here_is_no_hindrance(studio: Studio) -> None:
    bring(studio, THREE)
    publish(studio, "brought", "another purpose")
    assert bring(studio, FIVE) == (5, 2, 3)
    assert studio.get_task_version("brought").body.text == "another purpose"


def test_a_pruned_agent_still_takes_more_of_its_history(studio: Studio) -> None:
    bring(studio, THREE)
    studio.configure_agent("brought", AgentSettings(retention=2))
    assert bring(studio, FIVE) == (5, 2, 3)
    assert [version.number for version in studio.list_memory_versions("brought")] == [5, 4, 3]
    assert bring(studio, FIVE) == (5, 0, 5)


# --- what happened to the text ---

LINK = StandIn(StandInKind.LINK, "../elsewhere.md")
LIFE = history(
    [
        history_row(1, "a\nb\n"),
        history_row(2, None),
        history_row(3, "a\nc\n", status=Status.ADDED),
        history_row(4, "a\nc\n", status=Status.RENAMED),
        history_row(5, "../elsewhere.md", stand_in=LINK),
        history_row(6, "a\nc\nd\n"),
        history_row(7, None),
    ]
)


def test_the_life_of_a_file(studio: Studio) -> None:
    """Decision 16: the next version counts against the last one with a text; live is empty after a deletion."""
    bring(studio, LIFE)
    versions = studio.list_memory_versions("brought")
    assert [(version.status.value, version.added, version.removed, version.characters) for version in versions] == [
        ("deleted", 0, 3, 0),
        ("modified", 1, 0, 6),
        ("stand-in", 0, 0, 0),
        ("renamed", 0, 0, 4),
        ("added", 1, 1, 4),
        ("deleted", 0, 2, 0),
        ("added", 2, 0, 4),
    ]
    assert studio.get_memory_version("brought").body.text == ""
    for version in versions:
        if version.status is not Status.DELETED:
            diff = studio.compare_memory("brought", version.number).diff
            if version.stand_in is not None:
                assert diff is None
                continue
            assert diff is not None
            assert (version.added, version.removed) == (diff.counts.added, diff.counts.removed)


def test_a_save_after_a_deletion_counts_against_the_last_text(studio: Studio) -> None:
    bring(studio, LIFE)
    overwrite(studio, "brought", "a\nc\nd\ne\n")
    newest = studio.list_memory_versions("brought")[0]
    assert (newest.number, newest.added, newest.removed, newest.status) == (8, 1, 0, Status.MODIFIED)


def test_a_stand_in_is_never_memory(studio: Studio) -> None:
    """Decision 41: it is not read as the text, shown to the agent, compared or restored; what was written here is the text itself."""
    bring(studio, history(LIFE.rows[:5]))
    held = studio.get_memory_version("brought")
    assert (held.version.stand_in, held.body.text) == (LINK, "")
    assert "elsewhere" not in studio.preview("brought").text
    compared = studio.compare_memory("brought", 5)
    assert compared.diff is None
    assert compared.binary == "version 5 is a link to ../elsewhere.md, whose text is not here"
    saved = studio.save_memory("brought", "../elsewhere.md", expect=held.version.sha256)
    assert (saved.version, saved.changed) == (6, True)
    assert studio.get_memory_version("brought").body.text == "../elsewhere.md"
    written, stand_in, *_ = studio.list_memory_versions("brought")
    assert (written.status, written.added, written.removed) == (Status.MODIFIED, 1, 2)
    assert (stand_in.status, stand_in.characters) == (Status.STAND_IN, 0)
    with pytest.raises(BadArgument, match=r"is a link to \.\./elsewhere\.md and holds no memory text"):
        studio.restore_memory("brought", 5)


def test_bytes_that_are_no_text_are_kept_and_the_next_text_compares(studio: Studio) -> None:
    """encoding-01, decision 5."""
    raw = [b"caf\xe9\nb\n", b"\x00\x01\n", "café\nb\n".encode()]
    bring(studio, texts_history(*raw))
    assert contents(studio) == raw
    text, nul, latin = studio.list_memory_versions("brought")
    assert [(version.binary, version.added, version.removed) for version in (text, nul, latin)] == [
        (False, None, None),
        (True, None, None),
        (True, 2, 0),
    ]
    assert studio.compare_memory("brought", 3).diff is None
    assert studio.get_memory_version("brought", 1).body.shown == "caf\\xe9\nb\n"


@pytest.mark.parametrize(("last", "counts"), [(b"caf\xe9\nb\n", (1, 1)), (b"\x00\n", (None, None))])
def test_a_save_on_top_of_bytes(studio: Studio, last: bytes, counts: tuple[int | None, int | None]) -> None:
    bring(studio, texts_history("x\n", last))
    opened = studio.get_memory_version("brought").version.sha256
    studio.save_memory("brought", "café\nb\n", expect=opened)
    newest = studio.list_memory_versions("brought")[0]
    assert (newest.number, newest.binary, (newest.added, newest.removed)) == (3, False, counts)
    assert contents(studio)[1:] == [last, "café\nb\n".encode()]


def test_a_row_equal_to_the_one_before_stays_a_version(studio: Studio) -> None:
    bring(studio, texts_history("a\n", "a\n", "a\n"))
    assert [(version.number, version.added, version.removed) for version in studio.list_memory_versions("brought")] == [
        (3, 0, 0),
        (2, 0, 0),
        (1, 1, 0),
    ]


def test_crlf_bom_and_a_missing_final_newline_survive(studio: Studio) -> None:
    texts = ["\ufeffa\r\nb", "\ufeffa\r\nb\r\n", "a\nb\n", "x" * 100_000 + "\n"]
    bring(studio, texts_history(*texts))
    assert contents(studio) == [text.encode() for text in texts]
    newest_first = studio.list_memory_versions("brought")
    assert newest_first[2].only_changed == "final newline"


def test_times_may_go_back_and_names_stay_apart(studio: Studio) -> None:
    """Decision 14."""
    at = [START, START.replace(year=2020), START, START, START.replace(year=2020)]
    bring(studio, history([history_row(number, f"{number}\n", at=moment) for number, moment in enumerate(at, 1)]))
    assert contents(studio) == [f"{number}\n".encode() for number in range(1, 6)]
    names = list(studio.list_archive("brought").values())
    assert names == [
        "2020-09-12T09-00-07Z-ben.md",
        "2026-09-12T09-00-07Z-ben.md",
        "2026-09-12T09-00-07Z_02-ben.md",
        "2020-09-12T09-00-07Z_02-ben.md",
    ]


# --- authors ---


def test_another_rule_names_the_authors_anew(studio: Studio) -> None:
    """Decision 3: the operator can set the rule; nothing else changes."""
    bring(studio, THREE)
    before = studio.list_memory_versions("brought")
    agents = [replace(row, author=Author(AuthorKind.AGENT, "Ben", evidence="rule: Ben")) for row in FIVE.rows[:3]]
    done = import_history(context_of(studio), "brought", history(agents, rule=("Ben",)))
    assert (done.added, done.warnings) == (0, ("The author rule changed: 3 versions have another author now.",))
    after = studio.list_memory_versions("brought")
    assert [str(version.author) for version in after] == ["agent Ben"] * 3
    assert {version.author.evidence for version in after} == {"recorded as operator Ben; rule: Ben"}
    assert [replace(version, author=operator("Ben"), recorded=None) for version in after] == list(before)
    source = studio.get_agent("brought").source
    assert source is not None
    assert source.agent_authors == ("Ben",)


def test_a_rule_leaves_alone_who_wrote_here(studio: Studio) -> None:
    bring(studio, THREE)
    overwrite(studio, "brought", "by Ana\n")
    agents = [replace(row, author=BOT) for row in THREE.rows]
    import_history(context_of(studio), "brought", history(agents, rule=("*",)))
    assert [str(version.author) for version in studio.list_memory_versions("brought")] == [
        "operator Ana",
        *["agent yoyo[bot]"] * 3,
    ]


# --- failures ---


def test_a_failure_in_the_middle_leaves_nothing(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("studio.store.changes.insert", fails)
        with pytest.raises(KeyboardInterrupt):
            bring(studio, THREE)
    assert studio.count_agents() == 0
    with context_of(studio).database.read() as cursor:
        assert cursor.execute("SELECT count(*) FROM memory_revisions").fetchone() == (0,)
    assert bring(studio, THREE) == (3, 3, 0)
    before = everything(studio)
    with monkeypatch.context() as patched:
        patched.setattr("studio.store.memory.replace_live", fails)
        with pytest.raises(KeyboardInterrupt):
            bring(studio, FIVE)
    assert everything(studio) == before


def test_without_the_task_template_no_agent_is_half_made(studio: Studio, tmp_path: Path) -> None:
    bare = replace(context_of(studio), templates=replace(context_of(studio).templates, folder=tmp_path))
    with pytest.raises(NoTemplate):
        import_history(bare, "brought", THREE)
    assert studio.count_agents() == 0


def test_a_long_history_of_one_second_is_quick_and_in_order(studio: Studio) -> None:
    rows = [history_row(number, f"{number % 7}\n", at=START) for number in range(1, 1_201)]
    bring(studio, history(rows))
    names = list(studio.list_archive("brought").values())
    assert len(set(names)) == 1_199
    assert sorted(names) == names


# --- real histories ---


HISTORIES = [
    "beads-claude-md",
    "cline-claude-md",
    "emmabot-memfs-platform",
    "fastmcp-claude-md-symlink",
    "letta-memgpt-base",
    "lumen-planner-prompt",
    "ng-alain-tasks-bom",
    "serena-memory",
    "tanshu3-active-context",
    "yoyo-social-learnings",
    "yoyo-task01-recreated",
]


@pytest.mark.parametrize("name", HISTORIES)
def test_a_real_history_is_in_the_store_as_it_was(studio: Studio, shared: Path, name: str) -> None:
    """Issue 2, "Done when": numbers, status, authors and evidence as in the file, counts as git's, bytes identical."""
    file = shared / "histories" / f"{name}.jsonl"
    imported = studio.import_history_file(file, "brought")
    rows = _rows(file)
    assert (imported.added, imported.skipped) == (len(rows), 0)
    versions = studio.list_memory_versions("brought")[::-1]
    assert [version.number for version in versions] == [row["n"] for row in rows]
    for version, row in zip(versions, rows, strict=True):
        content = studio.get_memory_version("brought", version.number).body.content
        if version.stand_in is not None:
            assert (version.stand_in.stands_for, version.added, version.removed, content) == (
                stands_for(row),
                0,
                0,
                b"",
            )
            assert version.sha256 == row["text_sha256"]
            continue
        if (
            version.number == 1 or versions[version.number - 2].stand_in is None
        ):  # else it counts against an earlier text
            counted = row.get("vs_previous_version_minimal", row["git_log_numstat"])
            assert (version.added, version.removed) == (counted["added"], counted["removed"]), row["n"]
        assert version.status is status_of(row["status"][:1], row["mode"])
        assert content == (row["text"] or "").encode()
        kind = {"agent": "agent", "human": "operator", "human+agent": "operator"}[row["kind"]]
        assert (version.author.kind, version.author.via is not None) == (kind, row["kind"] == "human+agent")
    assert studio.import_history_file(file, "brought").skipped == len(rows)


def _rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").split("\n") if line]


def test_counts_are_stored_as_the_rows_count(studio: Studio) -> None:
    bring(studio, FIVE)
    counted = [(one.added, one.removed) for one in count_rows(FIVE.rows)]
    versions = studio.list_memory_versions("brought")
    assert [(version.added, version.removed) for version in reversed(versions)] == counted


def test_a_prompt_with_a_stand_in_for_its_memory_warns_and_so_does_its_run(studio: Studio) -> None:
    """Decision 41: it composes as an empty body, with a warning on the preview and on the run."""
    bring(studio, history(LIFE.rows[:5]))
    prompt = studio.preview("brought")
    warning = (
        "The memory (version 5) is a link to ../elsewhere.md, whose text is not here; the prompt carries an empty one."
    )
    assert warning in prompt.warnings
    run, rows = studio.get_run(wake(studio, "brought"))
    assert warning in run.composed_from.warnings
    assert warning in run_record(run)["warnings"]
    assert "elsewhere" not in rows[0].content
    overwrite(studio, "brought", "a text again\n")
    assert studio.preview("brought").warnings == ()
    assert studio.get_run(run.id)[0].composed_from.warnings == run.composed_from.warnings
