"""Notebooks: timelines as typed DataFrames, an explorer, and rich display of our values.

`from studio.notebook import versions_df, TimelineExplorer`. Importing this loads neither pandas nor ipywidgets; in IPython it also
teaches the shell to show versions, comparisons, diffs and prompts.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from studio.notebook.formatters import register

if TYPE_CHECKING:
    from studio.notebook.frames import VERSION_COLUMNS, versions_df
    from studio.notebook.widgets import TimelineExplorer

_HOME_OF = {
    "TimelineExplorer": "studio.notebook.widgets",
    "VERSION_COLUMNS": "studio.notebook.frames",
    "versions_df": "studio.notebook.frames",
}

__all__ = ["VERSION_COLUMNS", "TimelineExplorer", "versions_df"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a name of the list above, whatever it is
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        home = import_module(_HOME_OF[name])
    except ModuleNotFoundError as error:
        raise ImportError(
            f"{name} needs {error.name}, which is not installed; install it with pip install 'prompt-studio[lab]'."
        ) from error
    return getattr(home, name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


register()
