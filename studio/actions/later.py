"""Modules that load with their first use: a command needs few of what the facade leads to, and each costs time to load."""

from importlib import import_module
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    """Stands for a module until something of it is asked for."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the module has
        return getattr(import_module(self.__name__), name)


def later(package: str, *names: str) -> tuple[ModuleType, ...]:
    """Modules of a package that load with their first use, also where many threads come at once.

    Stands beside an ordinary import under `TYPE_CHECKING`, from which type checkers and import-linter know what is used.

    Args:
        package: as in `studio.actions`.
        names: of the modules in it.
    """
    return tuple(_Later(f"{package}.{name}") for name in names)
