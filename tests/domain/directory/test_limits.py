"""The limits and the structure: what is found, where its limit comes from, and how much room is left (decisions 33 and 34)."""

import json
from typing import Any

import pytest
from trees import note, tree

from studio.domain.directory.limits import CORE, Gauge, changed_paths, check, headroom, older_findings
from studio.domain.directory.tree import CONFIG, FileMode

INDEX = {"MEMORY.md": ""}


def config(**fields: Any) -> dict[str, str | bytes]:
    return {CONFIG: json.dumps({"version": 1, **fields})}


def found(files: dict[str, str | bytes], modes: dict[str, FileMode] | None = None) -> list[tuple[str, str]]:
    return [(one.kind, one.path) for one in check(tree(files, modes))]


def filled(characters: int) -> str:
    """A memory file of that length."""
    return note("x" * (characters - len(note(""))))


@pytest.mark.parametrize(("characters", "kinds"), [(65_536, []), (65_537, ["core_too_long"])])
def test_the_core_has_65536_characters_without_a_config(characters: int, kinds: list[str]) -> None:
    """memfs-limits-02."""
    each = {f"c{number}.md": filled(16_000) for number in range(4)}
    files: dict[str, str | bytes] = {"MEMORY.md": "m" * (characters - 64_000), **each}
    findings = check(tree(files))
    assert [one.kind for one in findings] == kinds
    assert all((one.path, one.actual, one.limit, one.rule) == (CORE, 65_537, 65_536, "default") for one in findings)
    assert all("core memory" in one.message for one in findings)


def test_five_files_of_16000_break_the_total_only() -> None:
    """memfs-limits-03."""
    assert found({**INDEX, **{f"c{n}.md": filled(16_000) for n in range(5)}}) == [("core_too_long", CORE)]


def test_characters_are_code_points_with_header_and_bom() -> None:
    """memfs-limits-05."""
    gauges = headroom(tree({"MEMORY.md": "\ufeff😀"}))
    assert gauges == (
        Gauge("core", CORE, 2, 65_536, "default"),
        Gauge("depth", "MEMORY.md", 0, 2, "default"),
        Gauge("file", "MEMORY.md", 2, 20_000, "default"),
    )


def test_the_first_override_wins() -> None:
    """memfs-limits-06."""
    limits = [
        {"pattern": "reference/**/*.md", "maxCharacters": 220},
        {"pattern": "reference/private/**", "maxCharacters": 60},
    ]
    indexes = {"reference/MEMORY.md": "", "reference/private/MEMORY.md": ""}
    files = {**INDEX, **indexes, "reference/private/notes.md": filled(160), **config(fileCharacterLimits=limits)}
    assert found(files) == []


def test_skills_have_no_cap_and_no_header() -> None:
    """memfs-limits-08."""
    assert found({**INDEX, "skills/demo/SKILL.md": "s" * 100_000, "skills/demo/more/deep/er/x.md": ""}) == []


def test_a_finding_names_the_limit_and_the_glob_or_field_it_comes_from() -> None:
    limits = config(maxDepth=0, maxFileCharacters=50, fileCharacterLimits=[{"pattern": "a*", "maxCharacters": 60}])
    findings = check(tree({**INDEX, "a.md": filled(61), "b.md": filled(51), "p/MEMORY.md": "", **limits}))
    assert [(one.kind, one.path, one.actual, one.limit, one.rule) for one in findings] == [
        ("file_too_long", "a.md", 61, 60, "a*"),
        ("file_too_long", "b.md", 51, 50, "maxFileCharacters"),
        ("depth_exceeded", "p/MEMORY.md", 1, 0, "maxDepth"),
    ]


def test_a_missing_index_is_told_once_for_each_folder() -> None:
    """memfs-hook-06."""
    files = {**INDEX, "p/q/a.md": note(), "p/q/b.md": note(), "r/MEMORY.md": ""}
    findings = check(tree(files))
    assert [(one.kind, one.path) for one in findings] == [("dir_index_missing", "p"), ("dir_index_missing", "p/q")]
    assert all("missing its required index" in one.message for one in findings)


@pytest.mark.parametrize("mode", [FileMode.LINK, FileMode.SUBMODULE])
def test_memory_and_config_are_regular_files(mode: FileMode) -> None:
    """memfs-hook-08."""
    files = {"MEMORY.md": "x", **config()}
    findings = check(tree(files, dict.fromkeys(files, mode)))
    assert [(one.kind, one.path) for one in findings] == [
        ("not_regular_file", CONFIG),
        ("not_regular_file", "MEMORY.md"),
    ]
    assert all("regular file" in one.message for one in findings)


def test_an_executable_file_is_regular() -> None:
    assert found({**INDEX, "a.md": note()}, {"a.md": FileMode.EXECUTABLE}) == []


def test_the_old_layout_is_told_what_it_is() -> None:
    findings = check(tree({"system/persona.md": "---\ndescription: Who I am\n---\nx"}))
    assert "old layout" in next(one.message for one in findings if one.kind == "root_index_missing")


def test_an_empty_block_is_no_finding() -> None:
    """memfs-05."""
    assert found({**INDEX, "persona.md": note("")}) == []


def test_permissions_of_old_repositories_are_one_of_two() -> None:
    assert [FileMode.of_git(mode) for mode in ("100664", "100775", "120000", "160000")] == [
        FileMode.REGULAR,
        FileMode.EXECUTABLE,
        FileMode.LINK,
        FileMode.SUBMODULE,
    ]


def test_an_index_has_no_header() -> None:
    """memfs-frontmatter-04."""
    assert found({"MEMORY.md": "---\nname: x\n---\n"}) == [("index_has_frontmatter", "MEMORY.md")]


# --- what a commit changes ---

LOCKED = {**INDEX, "a.md": note(), "b.md": note(), **config(readOnlyFiles=["a.md"])}


def test_without_parents_no_change_is_judged_and_on_none_only_the_config_is_protected() -> None:
    """A first commit may bring what its config makes read-only: nothing protected it before."""
    assert check(tree(LOCKED)) == ()
    assert [(one.kind, one.actual) for one in check(tree(LOCKED), ())] == [("config_protected", "added")]
    assert check(tree(LOCKED), (), config_approved=True) == ()
    assert [one.kind for one in check(tree(LOCKED), (tree({}),), config_approved=True)] == ["read_only_changed"]


@pytest.mark.parametrize("after", [{"a.md": note("Kind.")}, {"a.md": None}], ids=["changed", "deleted"])
def test_what_is_read_only_names_the_way_in(after: dict[str, str | None]) -> None:
    """Bringing back what it was is a change too, and a person lets it through by the config."""
    files = {path: text for path, text in {**LOCKED, **after}.items() if text is not None}
    (finding,) = check(tree(files), (tree(LOCKED),))
    assert (finding.kind, finding.rule) == ("read_only_changed", "a.md")
    assert f"a person takes that glob out of {CONFIG}" in finding.message
    unlocked = tree({**files, **config()})
    assert check(unlocked, (tree(LOCKED),), config_approved=True) == ()


def test_a_merge_changes_what_differs_from_every_parent() -> None:
    ours, theirs = {**LOCKED, "b.md": note("One.")}, {**LOCKED, "a.md": note("Kind."), "b.md": note("Two.")}
    merged = tree({**theirs, "b.md": note("Both.")})
    assert changed_paths(merged, (tree(ours), tree(theirs))) == ("b.md",)
    assert check(merged, (tree(ours), tree(theirs))) == ()
    assert [one.kind for one in check(merged, (tree(ours),))] == ["read_only_changed"]


def test_what_was_approved_is_the_config_only() -> None:
    after = tree({**LOCKED, "a.md": note("Kind."), **config(readOnlyFiles=["a.md"], maxDepth=3)})
    assert [one.kind for one in check(after, (tree(LOCKED),), config_approved=True)] == ["read_only_changed"]
    assert [one.kind for one in check(after, (tree(LOCKED),))] == ["config_protected", "read_only_changed"]


@pytest.mark.parametrize(
    ("change", "older"),
    [
        ({"log.txt": "x"}, {"p", "old.md", CORE}),
        ({"old.md": "other"}, {"p"}),
        ({"p/n.md": note("Two.")}, {"old.md", CORE}),
    ],
    ids=["nothing of it", "the file", "the folder"],
)
def test_a_finding_is_older_where_nothing_of_it_changed(change: dict[str, str | bytes], older: set[str]) -> None:
    before = {**INDEX, "old.md": "no header", "p/n.md": note(), **config(maxCoreMemoryCharacters=3)}
    after, parents = tree({**before, **change}), (tree(before),)
    assert {one.path for one in older_findings(check(after, parents), after, parents)} == older
