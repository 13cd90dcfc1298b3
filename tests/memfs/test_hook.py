"""The hook judges what is staged, says everything at once, and changes nothing (decisions 34 and 35)."""

import sys
from pathlib import Path

import pytest
from directory_repository import INDEX, MemoryRepository, joined, kinds, note

from studio.domain.directory.tree import CONFIG
from studio.memfs import hook_install
from studio.memfs.repo import open_directory

MEGABYTE = 1_000_000
KEY = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
SOUND = joined([INDEX, {"alpha.md": note("Be direct.\n")}])


@pytest.fixture
def memory(tmp_path: Path) -> MemoryRepository:
    """A sound directory with its hook."""
    made = MemoryRepository.make(tmp_path / "memory", SOUND)
    hook_install.install(open_directory(made.folder))
    return made


def test_a_sound_commit_is_silent(memory: MemoryRepository) -> None:
    memory.stage({**SOUND, "alpha.md": note("Lead with the answer.\n")})
    told = memory.commit()
    assert (told.code, told.out, told.err) == (0, "", "")


def test_every_finding_of_every_kind_is_said_at_once_in_words_that_mend_it(memory: MemoryRepository) -> None:
    memory.stage(
        {
            "alpha.md": "no header\n",
            "big.md": note("x" * 20_000),
            "deep/er/st/n.md": note(),
            "skills/flat.md": "",
            "key.md": note(f"Use {KEY}.\n"),
            CONFIG: '{"version": 2, "oops": 1}',
        }
    )
    told = memory.commit()
    assert set(kinds(told.err)) == {
        "fm_missing",
        "file_too_long",
        "depth_exceeded",
        "dir_index_missing",
        "root_index_missing",
        "flat_skill",
        "secret",
        "config_bad_version",
        "config_unknown_field",
        "config_protected",
    }
    assert "Nothing was committed; what you staged is still staged." in told.err
    assert f"{len(note('x' * 20_000)):,} characters and 20,000 are allowed (default)" in told.err


@pytest.mark.parametrize("case", ["memfs-hook-02", "memfs-01"])
def test_what_is_staged_counts_not_the_working_copy(memory: MemoryRepository, case: str) -> None:
    over, within = note("x" * 30_000), note("Be direct.\n")
    staged, working = (over, within) if case == "memfs-hook-02" else (note("Be brief.\n"), over)
    memory.stage({**SOUND, "alpha.md": staged})
    (memory.folder / "alpha.md").write_text(working, encoding="utf-8")
    before, index = memory.head(), memory.staged_tree()
    told = memory.commit()
    assert (memory.head() == before) == (case == "memfs-hook-02")
    assert told.code == (1 if case == "memfs-hook-02" else 0)
    assert memory.staged_tree() == index
    assert (memory.folder / "alpha.md").read_text(encoding="utf-8") == working


@pytest.mark.parametrize("name", ["locked.md", "locked.png"], ids="memfs-hook-03 memfs-03 {}".format)
@pytest.mark.parametrize("change", ["edit", "delete", "rename", "mode", "create"])
def test_read_only_files_bear_no_change_of_any_kind(tmp_path: Path, change: str, name: str) -> None:
    files: dict[str, str | bytes] = {**SOUND, CONFIG: '{"version": 1, "readOnlyFiles": ["locked.*"]}'}
    text = note() if name.endswith(".md") else "picture"
    memory = MemoryRepository.make(tmp_path / "memory", files if change == "create" else {**files, name: text})
    hook_install.install(open_directory(memory.folder))
    after = {
        "edit": {name: note("Other.\n") if name.endswith(".md") else "other"},
        "delete": {},
        "rename": {"moved.md": note()},
        "mode": {name: text},
        "create": {name: text},
    }[change]
    memory.stage({**files, **after}, {name: "100755"} if change == "mode" else None)
    before = memory.head()
    told = memory.commit()
    assert "read_only_changed" in kinds(told.err)
    assert "read-only" in told.err
    assert memory.head() == before


def test_deleting_the_root_index_leaves_the_other_limits_on(memory: MemoryRepository) -> None:
    """memfs-hook-05."""
    memory.stage({"alpha.md": note("x" * 20_000)})
    assert set(kinds(memory.commit().err)) == {"root_index_missing", "file_too_long"}


def test_an_old_problem_refuses_an_unrelated_commit_and_may_be_older(memory: MemoryRepository) -> None:
    """memfs-hook-09 and memfs-07."""
    broken = {**SOUND, "old.md": "no header\n"}
    memory.write("main", broken)
    memory.stage({**broken, "log.txt": "x", "new.md": "no header\n"})
    told = memory.commit()
    old, new = (next(line for line in told.err.splitlines() if f" {name}:" in line) for name in ("old.md", "new.md"))
    assert "This may be older than your change" in old
    assert "older" not in new


def test_a_large_file_that_the_config_allows_passes(tmp_path: Path) -> None:
    """memfs-hook-11."""
    limits = f'{{"version": 1, "maxFileCharacters": {2 * MEGABYTE}, "maxCoreMemoryCharacters": {2 * MEGABYTE}}}'
    memory = MemoryRepository.make(tmp_path / "memory", {**SOUND, CONFIG: limits})
    hook_install.install(open_directory(memory.folder))
    memory.stage({**SOUND, CONFIG: limits, "MEMORY.md": "m" * 1_100_000})
    assert memory.commit().code == 0


def test_a_list_of_paths_longer_than_a_megabyte_passes(tmp_path: Path) -> None:
    memory = MemoryRepository.make(tmp_path / "memory", INDEX)
    hook_install.install(open_directory(memory.folder))
    memory.stage({**INDEX, **{f"files/{number:06}-{'x' * 200}.txt": "x" for number in range(5_200)}})
    told = memory.commit()
    assert told.code == 0, told.err


def test_the_first_commit_is_checked_too(tmp_path: Path) -> None:
    memory = MemoryRepository.make(tmp_path / "memory")
    hook_install.install(open_directory(memory.folder))
    memory.stage({"alpha.md": note()})
    assert kinds(memory.commit().err) == ["root_index_missing"]
    memory.stage(SOUND)
    assert memory.commit().code == 0


# --- secrets ---


def test_a_secret_is_refused_and_never_repeated(memory: MemoryRepository) -> None:
    memory.stage({**SOUND, "alpha.md": note(f"Use {KEY}.\n"), "notes.txt": f"token {KEY}"})
    told = memory.commit()
    assert kinds(told.err) == ["secret", "secret"]
    assert KEY not in told.err + told.out
    assert "Line 5 of alpha.md" in told.err


def test_a_secret_by_its_name_is_fine(memory: MemoryRepository) -> None:
    memory.stage({**SOUND, "alpha.md": note("Use $SECRET_NAME.\n")})
    assert memory.commit().code == 0


def test_what_a_commit_does_not_change_is_not_searched_again(memory: MemoryRepository) -> None:
    held = {**SOUND, "old.md": note(f"Use {KEY}.\n")}
    memory.write("main", held)
    memory.stage({**held, "alpha.md": note("Be brief.\n")})
    assert memory.commit().code == 0


# --- the index that git names ---


def test_committing_a_path_checks_the_index_of_that_commit(memory: MemoryRepository) -> None:
    memory.git("reset", "--quiet", "--hard")
    (memory.folder / "bad.md").write_text("no header\n", encoding="utf-8")
    memory.git("add", "bad.md")
    (memory.folder / "alpha.md").write_text(note("Be brief.\n"), encoding="utf-8")
    assert memory.ask("commit", "--quiet", "--message=x", "alpha.md").code == 0
    (memory.folder / "alpha.md").write_text("no header\n", encoding="utf-8")
    told = memory.ask("commit", "--quiet", "--message=x", "alpha.md")
    assert (kinds(told.err), "alpha.md" in told.err, "bad.md" in told.err) == (["fm_missing"], True, False)


def test_what_is_only_noted_to_be_added_is_not_part_of_the_commit(memory: MemoryRepository) -> None:
    memory.git("reset", "--quiet", "--hard")
    (memory.folder / "later.md").write_text("no header\n", encoding="utf-8")
    (memory.folder / "alpha.md").write_text(note("Be brief.\n"), encoding="utf-8")
    memory.git("add", "alpha.md")
    memory.git("add", "--intent-to-add", "later.md")
    assert memory.commit().code == 0


def test_a_merge_may_bring_a_read_only_file_as_one_side_has_it(memory: MemoryRepository) -> None:
    locked = '{"version": 1, "readOnlyFiles": ["alpha.md"]}'
    memory.write("main", {**SOUND, CONFIG: locked, "b.md": note("One.\n")})
    memory.write(
        "side", {**SOUND, "alpha.md": note("Be kind.\n"), CONFIG: locked, "b.md": note("Two.\n")}, onto="main~0"
    )
    memory.git("reset", "--quiet", "--hard")
    memory.write("main", {**SOUND, CONFIG: locked, "b.md": note("Three.\n")}, onto="main~0")
    memory.git("reset", "--quiet", "--hard")
    assert memory.ask("merge", "--quiet", "side").code != 0
    (memory.folder / "b.md").write_text(note("Two and three.\n"), encoding="utf-8")
    memory.git("add", "b.md")
    told = memory.ask("commit", "--quiet", "--no-edit")
    assert told.code == 0, told.err


@pytest.mark.parametrize("where", ["main", "linked worktree"])
def test_a_linked_worktree_is_checked_by_its_own_index(memory: MemoryRepository, where: str) -> None:
    memory.git("reset", "--quiet", "--hard")
    other = memory.folder.parent / "other"
    memory.git("worktree", "add", "--quiet", str(other))
    linked = MemoryRepository(other)
    bad, good = (memory, linked) if where == "main" else (linked, memory)
    bad.stage({**SOUND, "alpha.md": "no header\n"})
    good.stage({**SOUND, "alpha.md": note("Be brief.\n")})
    assert kinds(bad.commit().err) == ["fm_missing"]
    assert good.commit().code == 0


# --- names and texts ---


@pytest.mark.skipif(sys.platform == "darwin", reason="names there are UTF-8")
def test_what_cannot_stand_in_a_prompt_is_refused(memory: MemoryRepository) -> None:
    memory.stage(
        {**SOUND, "latin.md": note().encode() + b"caf\xe9\n", "nul.md": note("a\0b\n"), "caf\udce9.md": note()}
    )
    told = memory.commit()
    assert kinds(told.err) == ["not_text", "not_text", "not_text"]
    assert "caf\\xe9.md" in told.err


def test_no_name_steers_the_terminal(memory: MemoryRepository) -> None:
    memory.stage({**SOUND, "\x1b[31mred\n.md": "no header\n"})
    told = memory.commit()
    assert kinds(told.err) == ["fm_missing"]
    assert "\\x1b[31mred\\n.md" in told.err
    assert "\x1b" not in told.err


def test_a_module_in_the_directory_is_not_run(memory: MemoryRepository) -> None:
    """The hook runs in a folder that others write: nothing there is Python to it."""
    (memory.folder / "studio").mkdir()
    (memory.folder / "studio" / "__init__.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    (memory.folder / "json.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    memory.stage({**SOUND, "alpha.md": "no header\n"})
    assert kinds(memory.commit().err) == ["fm_missing"]
    assert kinds(memory.commit(PYTHONPATH=":/nowhere").err) == ["fm_missing"]  # an empty part is the current folder


def test_a_key_is_refused_among_bytes_that_are_not_utf_8(memory: MemoryRepository) -> None:
    memory.stage({**SOUND, "settings.env": f"# caf\u00e9\nTOKEN={KEY}\n".encode("latin-1")})
    told = memory.commit()
    assert kinds(told.err) == ["secret"]
    assert KEY not in told.err
