"""Conflict markers in memory files: the hook refuses them as it refuses a key, and the audit tells of them (decision 39)."""

import subprocess
import sys
from pathlib import Path

import pytest
from audits import HUMAN, audit, begun, said
from directory_repository import INDEX, MemoryRepository, joined, kinds, note
from repository_builder import RepositoryBuilder

from studio.domain.directory.audit import Audit
from studio.memfs import hook_install
from studio.memfs.checks import check_commit
from studio.memfs.repo import open_directory

CONFLICT = "<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> other\n"
SOUND = joined([INDEX, {"alpha.md": note("Be direct.\n")}])
APPROVED = "STUDIO_MEMORY_MARKERS_APPROVED"


@pytest.fixture
def memory(tmp_path: Path) -> MemoryRepository:
    made = MemoryRepository.make(tmp_path / "memory", SOUND)
    hook_install.install(open_directory(made.folder))
    return made


@pytest.mark.parametrize("path", ["alpha.md", "MEMORY.md", "deep/MEMORY.md"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_the_hook_refuses_them_and_names_the_lines(memory: MemoryRepository, path: str, ends: str) -> None:
    text = note(CONFLICT) if path == "alpha.md" else CONFLICT.replace("\n", ends)
    memory.stage({**SOUND, path: text})
    told = memory.commit()
    assert (told.code, kinds(told.err)) == (1, ["conflict_markers"])
    first = 5 if path == "alpha.md" else 1
    assert f"Lines {first} to {first + 4} of {path} hold conflict markers" in told.err
    assert f"{APPROVED}=1" in told.err


def test_said_to_be_meant_they_pass(memory: MemoryRepository) -> None:
    memory.stage({**SOUND, "alpha.md": note(CONFLICT)})
    for wrong in ("", "0", "yes"):
        assert memory.commit(**{APPROVED: wrong}).code == 1
    assert memory.commit(STUDIO_MEMORY_CONFIG_APPROVED="1").code == 1
    assert memory.commit(**{APPROVED: "1"}).code == 0
    assert [one.kind for one in check_commit(open_directory(memory.folder)).findings] == ["conflict_markers"]
    memory.stage({**SOUND, "alpha.md": note(CONFLICT), "beta.md": note("Answer first.\n")})
    assert memory.commit().code == 0, "a commit answers for what it changes, as for a key"


@pytest.mark.parametrize("path", ["notes.txt", "skills/merge/SKILL.md"])
def test_what_is_no_memory_may_hold_them(memory: MemoryRepository, path: str) -> None:
    memory.stage({**SOUND, path: CONFLICT})
    assert memory.commit().code == 0


def test_a_merge_that_was_not_settled_is_refused(memory: MemoryRepository) -> None:
    memory.write("other", {**SOUND, "alpha.md": note("Be kind.\n")}, onto="main")
    memory.stage({**SOUND, "alpha.md": note("Be brief.\n")})
    assert memory.commit().code == 0
    memory.git("reset", "--quiet", "--hard")
    assert memory.ask("merge", "--quiet", "other").code == 1
    memory.git("add", "--all")
    assert kinds(memory.commit().err) == ["conflict_markers"]


def notices(found: Audit) -> list[tuple[str, list[str]]]:
    return [(one.subject, [finding.kind for finding in one.findings]) for one in found.notices]


def test_the_audit_tells_of_the_commit_that_brought_them_and_blames_nobody(tmp_path: Path) -> None:
    """Whether a person meant them is recorded nowhere, as of a changed config."""
    repo: RepositoryBuilder = begun(tmp_path / "memory")
    repo.save("human.md", HUMAN + CONFLICT, "brought")
    repo.save("human.md", "---\nname: human\ndescription: Who.\n---\nMoved.\n" + CONFLICT, "moved")
    repo.save("other.md", HUMAN, "elsewhere")
    repo.save("human.md", HUMAN, "settled")
    repo.save("human.md", HUMAN + CONFLICT + CONFLICT, "again")
    repo.save("human.md", HUMAN + CONFLICT + "More.\n", "one is settled")
    found = audit(repo)
    assert notices(found) == [("brought", ["conflict_markers"]), ("again", ["conflict_markers"] * 2)]
    assert (said(found), found.clean) == ([], True)


def test_the_hook_still_loads_quickly() -> None:
    code = "import sys, studio.memfs.hook; print([m for m in ('rapidfuzz', 'duckdb', 'typer', 'detect_secrets') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
