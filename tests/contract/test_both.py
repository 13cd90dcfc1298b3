"""What both must do alike and no table of calls says: opening and closing, models, files, signatures."""

import json
from pathlib import Path

import pytest
from builders import overwrite
from repository_builder import RepositoryBuilder

from studio import studio_get_memory_version, studio_list_memory_revisions
from studio.actions.studio import Studio
from studio.domain.collections import Column
from studio.domain.run_kinds import RunKind
from studio.domain.run_machine import REMINDER
from studio.domain.runs import RunStatus, Trigger
from studio.errors import BadArgument, Busy, FileTaken, NothingToRead, RunOver, StoreClosed, UnknownRun

WAKE = Trigger(RunKind.SCHEDULE, instruction="look")
DIRECT = Trigger(RunKind.DIRECT, message="hello")
WRITES = {"tool_calls": [{"name": "memory_write", "arguments": {"content": "learnt"}}]}


@pytest.fixture(autouse=True)
def scout(studio: Studio) -> None:
    studio.create_agent("scout", focus="Watch.")


def script(folder: Path, *generations: object) -> str:
    file = folder / "script.json"
    file.write_text(json.dumps(generations))
    return f"scripted:{file}"


# --- opening and closing ---


def test_a_closed_store_says_so(studio: Studio) -> None:
    with studio:
        pass
    with pytest.raises(StoreClosed, match="open it again"):
        studio.list_agents()
    studio.close()


def test_the_file_is_named(studio: Studio, tmp_path: Path) -> None:
    assert studio.path == str(tmp_path / "blank.duckdb")


def test_every_write_is_counted(studio: Studio) -> None:
    before = studio.commits
    overwrite(studio, "scout", "one")
    assert studio.commits > before


# --- arguments ---


def test_a_wrong_call_is_pythons_own_error(studio: Studio) -> None:
    with pytest.raises(TypeError):
        studio.get_agent()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        studio.save_memory("scout", "x", nothing=1)  # type: ignore[call-arg]


def test_a_number_that_is_none_is_refused(studio: Studio) -> None:
    studio.collections.create(studio.collections.path("leads"), (Column("x"),))
    with pytest.raises(BadArgument):
        studio.collections.write("leads", {"x": float("nan")})


# --- the tools, files and models of whoever calls ---


def test_the_coachs_tools_read_either(studio: Studio) -> None:
    overwrite(studio, "scout", "# One\n")
    (newest, _) = studio_list_memory_revisions("scout", studio=studio)
    assert (newest["version"], newest["author"]["name"], newest["added"]) == (2, "Ana", 1)
    assert studio_get_memory_version("scout", 2, studio=studio)["text"] == "# One\n"
    assert studio_get_memory_version("scout", 2, against=1, studio=studio)["change"]["added"] == 1


def test_files_are_read_where_the_caller_is(studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = RepositoryBuilder(tmp_path / "repository")
    built.save("CLAUDE.md", "one\n")
    built.save("CLAUDE.md", "two\n")
    monkeypatch.chdir(tmp_path)
    told: list[tuple[int, int]] = []
    imported = studio.import_git(
        Path("repository"), "CLAUDE.md", "claude", progress=lambda *counts: told.append(counts)
    )
    assert (imported.added, told[-1]) == (2, (2, 2))
    assert studio.import_git(Path("repository"), "CLAUDE.md", "claude").added == 0
    assert studio.get_memory_version("claude").body.text == "two\n"


def test_a_store_is_verified_through_either_door(studio: Studio) -> None:
    agent = studio.create_agent("verified", focus="Watch.").id
    checked = studio.verify(note_heads=True).checked
    assert checked is not None
    assert checked.findings == ()
    heads = tuple(head for head in checked.heads if head.agent == agent)
    again = studio.verify(quick=True, heads=heads).checked
    assert again is not None
    assert (again.noted, again.heads) == (2, ())


def test_a_backup_lies_where_the_caller_says(studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "copies").mkdir()
    monkeypatch.chdir(tmp_path / "copies")
    made = studio.backup(Path("copy.duckdb"))
    assert (tmp_path / "copies" / "copy.duckdb").exists()
    assert str(tmp_path / "copies") in str(made)
    with pytest.raises(FileTaken):
        studio.backup(Path("copy.duckdb"))


def test_a_model_carries_a_wake_out(studio: Studio, tmp_path: Path) -> None:
    run = studio.run_agent("scout", WAKE, script(tmp_path, WRITES, {"text": "Done."}))
    assert (run.status, run.memory_skipped) == (RunStatus.COMPLETED, False)
    newest = studio.list_memory_versions("scout")[0]
    assert (newest.author.name, newest.run, newest.call) == (run.id, run.id, "c_1")
    assert studio.open_step("scout", newest.number).call == "c_1"


def test_a_wake_that_writes_nothing_is_reminded_once(studio: Studio, tmp_path: Path) -> None:
    run = studio.run_agent("scout", WAKE, script(tmp_path, {"text": "Done."}, {"text": "No."}))
    assert [row.content for row in studio.get_run(run.id)[1]].count(REMINDER) == 1
    assert run.memory_skipped


def test_a_direct_run_goes_on(studio: Studio, tmp_path: Path) -> None:
    run = studio.run_agent("scout", DIRECT, script(tmp_path, {"text": "Hi."}))
    on = studio.continue_run(run.id, "and now?", script(tmp_path, {"text": "Still here."}))
    assert [row.content for row in studio.get_run(on.id)[1]][1:] == ["hello", "Hi.", "and now?", "Still here."]


def test_a_model_that_cannot_be_used_makes_no_run(studio: Studio, tmp_path: Path) -> None:
    with pytest.raises(NothingToRead):
        studio.run_agent("scout", WAKE, "scripted:none.json")
    assert studio.count_runs("scout") == 0
    with pytest.raises(UnknownRun):
        studio.drive_run("r_none", script(tmp_path, {"text": "x"}))


def test_a_run_that_is_over_is_not_driven(studio: Studio, tmp_path: Path) -> None:
    run = studio.create_run("scout", DIRECT)
    studio.finish_run(run.id, RunStatus.STOPPED)
    with pytest.raises(RunOver):
        studio.drive_run(run.id, script(tmp_path, {"text": "x"}))


def test_one_driver_at_a_time(studio: Studio, tmp_path: Path) -> None:
    run = studio.create_run("scout", DIRECT)
    lease = studio.take_run(run.id)
    with pytest.raises(Busy):
        studio.drive_run(run.id, script(tmp_path, {"text": "x"}))
    studio.give_back_run(run.id, lease)
    assert studio.drive_run(run.id, script(tmp_path, {"text": "x"})).status is RunStatus.COMPLETED
