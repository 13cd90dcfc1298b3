"""The limits' file: every field by itself takes its default, and every error is told at once (decision 33)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.directory.config import CharacterLimit, Config, read_config


def kinds(text: str) -> list[str]:
    return [one.kind for one in read_config(text)[1]]


def with_version(**fields: Any) -> str:
    return json.dumps({"version": 1, **fields})


def test_what_is_silent_takes_its_default_field_by_field() -> None:
    config, wrong = read_config(with_version(maxDepth=5))
    assert wrong == ()
    assert config == Config(max_depth=5, written=frozenset({"version", "maxDepth"}))
    assert (config.max_file_characters, config.max_core_characters) == (20_000, 65_536)
    assert (config.rule("maxDepth"), config.rule("maxFileCharacters")) == ("maxDepth", "default")


def test_the_first_glob_that_matches_wins_and_null_takes_the_cap_away() -> None:
    limits = [
        {"pattern": "reference/**/*.md", "maxCharacters": 220},
        {"pattern": "reference/private/**", "maxCharacters": 60},
        {"pattern": "MEMORY.md", "maxCharacters": None},
    ]
    config, wrong = read_config(with_version(maxFileCharacters=80, fileCharacterLimits=limits))
    assert wrong == ()
    assert config.file_limit("reference/private/notes.md") == (220, "reference/**/*.md")
    assert config.file_limit("MEMORY.md") == (None, "MEMORY.md")
    assert config.file_limit("other.md") == (80, "maxFileCharacters")


WRONG = {
    "memfs-limits-09 version 2": ('{"version": 2}', "config_bad_version"),
    "version true": ('{"version": true}', "config_bad_version"),
    "version text": ('{"version": "1"}', "config_bad_version"),
    "memfs-limits-09 unknown field": (with_version(maxdepth=1), "config_unknown_field"),
    "memfs-limits-09 maxDepth -1": (with_version(maxDepth=-1), "config_bad_integer"),
    "maxDepth true": (with_version(maxDepth=True), "config_bad_integer"),
    "maxDepth 1.5": (with_version(maxDepth=1.5), "config_bad_integer"),
    "maxDepth null": (with_version(maxDepth=None), "config_bad_integer"),
    "maxDepth too large to be exact": (with_version(maxDepth=2**53), "config_bad_integer"),
    "maxDepth beyond all numbers": ('{"version": 1, "maxDepth": 1e999}', "config_bad_integer"),
    "memfs-limits-09 cap 0": (with_version(maxFileCharacters=0), "config_bad_integer"),
    "memfs-limits-09 x**": (with_version(readOnlyFiles=["x**"]), "config_bad_globstar"),
    "memfs-limits-09 ../x": (with_version(readOnlyFiles=["../x"]), "config_bad_pattern"),
    "path-02 a/..": (with_version(readOnlyFiles=["a/.."]), "config_bad_pattern"),
    "path-02 ..": (with_version(readOnlyFiles=[".."]), "config_bad_pattern"),
    "path-02 backslash": (with_version(readOnlyFiles=["a/..\\b"]), "config_bad_pattern"),
    "a glob that is a number": (with_version(readOnlyFiles=[5]), "config_bad_pattern"),
    "globs that are no list": (with_version(readOnlyFiles="a.md"), "config_bad_type"),
    "memfs-limits-09 override without maxCharacters": (
        with_version(fileCharacterLimits=[{"pattern": "a"}]),
        "config_bad_integer",
    ),
    "override without pattern": (with_version(fileCharacterLimits=[{"maxCharacters": 5}]), "config_bad_pattern"),
    "override with more": (
        with_version(fileCharacterLimits=[{"pattern": "a", "maxCharacters": 5, "x": 1}]),
        "config_unknown_field",
    ),
    "a list": ("[]", "config_bad_type"),
    "nothing": ("", "config_bad_json"),
    "bom": ('\ufeff{"version": 1}', "config_bad_json"),
    "not a number": ('{"version": NaN}', "config_bad_json"),
    "a comma too many": ('{"version": 1,}', "config_bad_json"),
    "too deep": ('{"version": 1, "x": ' + "[" * 100_000, "config_bad_json"),
    "a number of many digits": ('{"version": ' + "1" * 5_000 + "}", "config_bad_json"),
}


@pytest.mark.parametrize(("text", "kind"), WRONG.values(), ids=WRONG)
def test_what_is_wrong(text: str, kind: str) -> None:
    assert kinds(text) == [kind]


def test_everything_that_is_wrong_is_told_at_once_and_the_rest_holds() -> None:
    text = '{"version": 3, "maxDepth": -1, "maxFileCharacters": 9, "a": 1, "readOnlyFiles": ["/x", "y.md"], "fileCharacterLimits": {}}'
    config, wrong = read_config(text)
    assert [one.kind for one in wrong] == [
        "config_bad_version",
        "config_unknown_field",
        "config_bad_integer",
        "config_bad_type",
        "config_bad_pattern",
    ]
    assert (config.max_depth, config.max_file_characters, config.read_only) == (2, 9, ("y.md",))
    assert all(one.path == ".memfs.config.json" and one.message.startswith(".memfs.config.json") for one in wrong)


values = st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)), st.lists)
fields = st.sampled_from(
    ["version", "maxDepth", "maxFileCharacters", "maxCoreMemoryCharacters", "fileCharacterLimits", "readOnlyFiles"]
)


@given(st.dictionaries(fields, values))
def test_whatever_is_written_the_limits_that_hold_are_sound(written: dict[str, Any]) -> None:
    config, _ = read_config(json.dumps(written))
    assert config.max_depth >= 0
    assert config.max_file_characters >= 1
    assert config.max_core_characters >= 1
    assert all(isinstance(limit, CharacterLimit) for limit in config.character_limits)
