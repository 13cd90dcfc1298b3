"""`import studio` is light, and its list of names is kept."""

import json
import subprocess
import sys

import pytest

import studio

PINNED = [
    "Agent",
    "AgentConfig",
    "AgentSettings",
    "AgentSummary",
    "Author",
    "AuthorKind",
    "Body",
    "Busy",
    "Comparison",
    "Damaged",
    "Diff",
    "FileChange",
    "Guild",
    "Message",
    "NotFound",
    "Prompt",
    "Refused",
    "Run",
    "RunKind",
    "Saved",
    "Stale",
    "Status",
    "Studio",
    "StudioError",
    "TaskDraft",
    "TaskReview",
    "Trigger",
    "Version",
    "VersionText",
    "open_studio",
    "studio_get_memory_version",
    "studio_list_memory_revisions",
]
HEAVY = {
    "panel",
    "pandas",
    "tornado",
    "bokeh",
    "duckdb",
    "ipywidgets",
    "IPython",
    "numpy",
    "param",
    "markdown",
    "typer",
}


def loaded_by(code: str) -> set[str]:
    """Top-level modules that a fresh process has after running this code."""
    command = [sys.executable, "-c", f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {name.partition(".")[0] for name in json.loads(told)}


def test_importing_it_loads_no_framework_and_no_database() -> None:
    assert loaded_by("import studio") & HEAVY == set()


def test_opening_a_store_loads_neither_a_web_framework_nor_pandas() -> None:
    """The database comes with the store; the rest stays out."""
    assert loaded_by("import studio; studio.open_studio(':memory:').close()") & (HEAVY - {"duckdb", "numpy"}) == set()


def test_the_list_of_names_is_pinned() -> None:
    assert studio.__all__ == PINNED


@pytest.mark.parametrize("name", PINNED)
def test_every_name_is_there_with_its_documentation(name: str) -> None:
    assert getattr(studio, name).__doc__
    assert name in dir(studio)


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = studio.Nothing
