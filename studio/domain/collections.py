"""Collections: tables that operators define and agents read, and write where they may."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from studio.domain.authors import Author
from studio.domain.places import Level


class Access(StrEnum):
    """What a grant allows."""

    READ = "read"
    WRITE = "write"
    """Reading too."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a collection."""

    name: str
    """Its name, one line."""
    description: str | None = None
    """What it holds."""


@dataclass(frozen=True, slots=True)
class Collection:
    """A table without its records."""

    path: str
    """Its display path."""
    level: Level
    """Whose it is; State calls it the scope."""
    name: str
    """Its name: the last part of its path."""
    purpose: str | None
    """What it is for."""
    columns: tuple[Column, ...]
    """Its columns in order."""


@dataclass(frozen=True, slots=True)
class Grant:
    """That an agent may use a collection."""

    collection: Collection
    """The table."""
    access: Access
    """What it may do."""


@dataclass(frozen=True, slots=True)
class Record:
    """One row of a collection."""

    id: str
    """Its id within the collection."""
    values: dict[str, Any]
    """Value by column name; a column that is not set is absent."""
    updated_at: datetime
    """When it was last written (UTC)."""
    updated_by: Author
    """Who wrote it last."""
