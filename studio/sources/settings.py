"""What a person set: where the store and the templates are, who operates, which clock; from arguments, then the environment."""

import getpass
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from studio.sources.clock import Clock, clock_from
from studio.sources.templates import Templates, find_templates

APP_NAME = "prompt-studio"
"""The name of our folder among the user's data."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process."""

    database: str
    """The store's file, or `:memory:`."""
    named: bool
    """Whether a person named that file; otherwise it is the default in the user's data folder."""
    templates: Templates
    """Where prompt templates are read from."""
    operator: str
    """Who acts (decision 4)."""
    clock: Clock
    """The time."""
    serves: bool = False
    """Whether this process is about to serve the store; others wait for that."""


def read_settings(
    environment: Mapping[str, str],
    *,
    database: str | None = None,
    prompts: Path | None = None,
    operator: str | None = None,
) -> Settings:
    """The settings that arguments and environment give.

    Args:
        environment: the process's environment: `STUDIO_DB`, `STUDIO_PROMPTS`, `STUDIO_OPERATOR`, `STUDIO_NOW`.
        database: the store's file as `--db` names it.
        prompts: the folder of the templates as `--prompts` names it.
        operator: who acts, as `--operator` says.

    Raises:
        BadSetting: `STUDIO_NOW` is no time.
    """
    named = database or environment.get("STUDIO_DB")
    return Settings(
        database=named or str(default_database(environment)),
        named=bool(named),
        templates=find_templates(prompts, environment),
        operator=operator or environment.get("STUDIO_OPERATOR") or account(),
        clock=clock_from(environment.get("STUDIO_NOW")),
    )


def data_folder(environment: Mapping[str, str]) -> Path:
    """Our folder among the user's data."""
    base = environment.get("XDG_DATA_HOME")
    return Path(base) / APP_NAME if base else Path(platformdirs.user_data_dir(APP_NAME))


def default_database(environment: Mapping[str, str]) -> Path:
    """The store used when nobody named one."""
    return data_folder(environment) / "studio.duckdb"


def demo_database(environment: Mapping[str, str]) -> Path:
    """The store of the demo, apart from one's own."""
    return data_folder(environment) / "demo.duckdb"


def account() -> str:
    """The account of the system; a machine without one still has an operator."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "operator"


def lint_off(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The rules of the lint that `STUDIO_LINT_OFF` switches off: kinds, with commas between them. No repository can set it."""
    return tuple(name.strip() for name in environment.get("STUDIO_LINT_OFF", "").split(",") if name.strip())
