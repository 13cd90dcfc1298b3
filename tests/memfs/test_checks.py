"""What is wrong with a commit: one verdict, whichever door it is asked at (decisions 34 and 35)."""

import os
from pathlib import Path

import pytest
from directory_repository import INDEX, MemoryRepository, note

from studio import Studio
from studio.domain.bodies import Body
from studio.domain.directory.findings import Finding, Severity
from studio.memfs.checks import check_commit, check_staged
from studio.memfs.editing import judge
from studio.memfs.repo import SCANNED_CAP_BYTES, open_directory, tree_at

KEY = "ghp_" + "a1B2c3D4e5" * 3 + "a1B2c3"
LARGE = KEY + "\n" + "x" * SCANNED_CAP_BYTES
FILES = {**INDEX, "human.md": note("Lead with the answer.\n", "human")}
SEARCHED: dict[str, dict[str, str | bytes]] = {
    "memory": {"deep/MEMORY.md": f"{KEY}\n"},
    "a script": {"tools/run.sh": f"export TOKEN={KEY}\n"},
    "a skill's script": {"skills/release/SKILL.md": note(name="release"), "skills/release/run.sh": KEY},
    "a skill": {"skills/release/SKILL.md": note(KEY, "release")},
    "the config": {".memfs.config.json": f'{{"version": 1, "{KEY}": 1}}'},
    "bytes that are no text": {"picture.bin": b"\xff\xfe " + KEY.encode()},
    "one text in two files": {"a.txt": KEY, "b.txt": KEY},
}
NOT_SEARCHED: dict[str, dict[str, str | bytes]] = {
    "a large file": {"log.txt": LARGE},
    "a large skill": {"skills/release/SKILL.md": note(LARGE, "release")},
    "a file with NUL": {"picture.bin": b"\0" + KEY.encode()},
}


def doors(studio: Studio, memory: MemoryRepository) -> list[tuple[Finding, ...]]:
    """The verdict on HEAD, from each door."""
    agent = studio.create_agent("keeper").id
    studio.directories.link(str(memory.folder), agent)
    survey, head = studio.directories.survey(agent), memory.head()
    found = studio.directories.findings(agent)
    assert sum(one.severity is Severity.ERROR for one in found) == studio.directories.get(agent).findings
    checked = check_commit(open_directory(memory.folder)).findings
    return [checked, found, studio.directories.findings(agent, head), survey.contents.findings]


@pytest.mark.parametrize("what", [*SEARCHED, *NOT_SEARCHED])
def test_every_door_says_the_same(studio: Studio, tmp_path: Path, what: str) -> None:
    memory = MemoryRepository.make(
        tmp_path / "memory", {**FILES, **SEARCHED.get(what, {}), **NOT_SEARCHED.get(what, {})}
    )
    checked, *others = doors(studio, memory)
    expected = set(SEARCHED.get(what, ())) - {"skills/release/SKILL.md"} or set(SEARCHED.get(what, ()))
    assert {one.path for one in checked if one.kind == "secret"} == expected
    assert others == [checked] * len(others)


def test_a_link_is_searched_as_memory_only(studio: Studio, tmp_path: Path) -> None:
    memory = MemoryRepository.make(tmp_path / "memory")
    links = {"link.md": KEY, "link.txt": KEY, "skills/link.md": KEY}
    memory.write("main", {**FILES, **links, "plain.txt": KEY}, dict.fromkeys(links, "120000"))
    checked, *others = doors(studio, memory)
    assert {one.path for one in checked if one.kind == "secret"} == {"link.md", "plain.txt"}
    assert others == [checked] * len(others)


def test_what_is_searched_is_not_kept(studio: Studio, tmp_path: Path) -> None:
    """A file may have a MiB, and eight commits are held."""
    memory = MemoryRepository.make(tmp_path / "memory", {**FILES, "tools/run.sh": KEY, "log.txt": LARGE})
    agent = studio.create_agent("keeper").id
    studio.directories.link(str(memory.folder), agent)
    contents = studio.directories.survey(agent).contents
    assert [one.path for one in contents.findings] == ["tools/run.sh"]
    assert {one.path for one in contents.tree if one.body is not None} == set(FILES)


def test_a_partial_copy_is_judged_by_what_it_has(studio: Studio, tmp_path: Path) -> None:
    """A copy for a sparse checkout has only the blobs that were looked at; git is kept from fetching others."""
    memory = MemoryRepository.make(tmp_path / "memory", {**FILES, "here.txt": KEY, "elsewhere.txt": KEY + "2"})
    memory.git("config", "uploadpack.allowFilter", "true")
    copy = MemoryRepository(tmp_path)
    copy.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{memory.folder}", "copy")
    for path in (*FILES, "here.txt"):
        copy.git("-C", "copy", "cat-file", "-e", f"HEAD:{path}", GIT_CONFIG_GLOBAL=os.devnull)
    checked, *others = doors(studio, MemoryRepository(tmp_path / "copy"))
    assert [(one.kind, one.path, one.severity) for one in checked] == [
        ("secret", "here.txt", Severity.ERROR),
        ("text_lacking", ".", Severity.WARNING),
    ]
    assert "lacks a text that is to be read (elsewhere.txt)" in checked[-1].message
    assert others == [checked] * len(others)


# --- what is older than the commit in progress ---

CAPPED = {".memfs.config.json": '{"version": 1, "maxCoreMemoryCharacters": 100}', "lone/x.md": note()}
LONG = note("x" * 200 + "\n")
CORE_CHANGES: dict[str, tuple[str, str | None, bool]] = {
    "shortened, still over": ("human.md", LONG[:-50], True),
    "another text of the same length": ("human.md", LONG.replace("x", "y"), True),
    "shortened elsewhere": ("MEMORY.md", "#\n", True),
    "a root file deleted": ("MEMORY.md", None, True),
    "made longer": ("human.md", LONG + "x", False),
    "a root file added": ("more.md", note("", "more"), False),
    "under a lower cap": (".memfs.config.json", '{"version": 1, "maxCoreMemoryCharacters": 90}', False),
    "a folder's file changed": ("lone/x.md", note("Longer than it was.\n"), True),
}


@pytest.mark.parametrize("change", CORE_CHANGES)
def test_a_core_that_was_over_its_cap_is_older_unless_it_grew(tmp_path: Path, change: str) -> None:
    """Decision 34: the hook and an edit refuse it all the same, and say whose it is."""
    path, text, is_older = CORE_CHANGES[change]
    memory = MemoryRepository.make(tmp_path / "memory", {**CAPPED, **INDEX, "human.md": LONG})
    opened = open_directory(memory.folder)
    body = None if text is None else Body(text)
    judged = judge(tree_at(opened), path, body, config_approved=True)
    after = {**CAPPED, **INDEX, "human.md": LONG, path: text}
    memory.stage({name: told for name, told in after.items() if told is not None})
    for checked in (judged, check_staged(opened, config_approved=True)):
        (core,) = (one for one in checked.findings if one.kind == "core_too_long")
        assert (core in checked.older) is is_older


def test_a_merge_answers_for_a_core_that_is_longer_than_in_every_parent(tmp_path: Path) -> None:
    config = {".memfs.config.json": CAPPED[".memfs.config.json"], **INDEX}
    memory = MemoryRepository.make(tmp_path / "memory", {**config, "human.md": LONG})
    memory.write("other", {**config, "human.md": LONG, "persona.md": LONG}, onto="main")
    (memory.folder / ".git/MERGE_HEAD").write_text(memory.git("rev-parse", "other") + "\n", encoding="ascii")
    for files, is_older in (({"persona.md": LONG}, True), ({"persona.md": LONG + "x"}, False)):
        memory.stage({**config, "human.md": LONG, **files})
        checked = check_staged(open_directory(memory.folder), config_approved=False)
        assert {one.kind for one in checked.older} == ({"core_too_long"} if is_older else set())
