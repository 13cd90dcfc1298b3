"""Importing the notebook room stays light, and says what is missing."""

import subprocess
import sys

import pytest

HIDE = "import sys; sys.modules['{module}'] = None\n"


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize("module", ["panel", "pandas", "ipywidgets", "IPython", "duckdb", "tornado"])
def test_importing_the_room_does_not_load(module: str) -> None:
    assert run(f"import sys, studio.notebook; print({module!r} in sys.modules)") == "False\n"


@pytest.mark.parametrize("module", ["panel", "bokeh", "param"])
def test_using_all_of_the_room_does_not_load(module: str) -> None:
    names = "versions_df, TimelineExplorer"
    assert run(f"import sys; from studio.notebook import {names}; print({module!r} in sys.modules)") == "False\n"


def test_without_the_lab_extra_the_explorer_says_how_to_get_it() -> None:
    code = HIDE.format(module="ipywidgets") + (
        "import studio.notebook\n"
        "try:\n    studio.notebook.TimelineExplorer\n"
        "except ImportError as error:\n    print(error)"
    )
    expected = (
        "TimelineExplorer needs ipywidgets, which is not installed; install it with pip install 'prompt-studio[lab]'.\n"
    )
    assert run(code) == expected


def test_an_unknown_name_is_an_attribute_error() -> None:
    import studio.notebook  # noqa: PLC0415 - the test is about the module itself

    with pytest.raises(AttributeError, match="no_such_name"):
        _ = studio.notebook.no_such_name
