"""Collections: tables that operators define and agents read, and write where they may."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any

from studio.domain.agents import check_name
from studio.domain.authors import Author
from studio.domain.bodies import check_text
from studio.domain.places import Level, Place, PlaceKind, check_embeddable, parse_place
from studio.errors import BadArgument, BadName, UnknownColumns, UnknownPath


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

    @property
    def sha256(self) -> str:
        """Of its values as JSON, in any order: what a write over it gives back (decision 37)."""
        return sha256(json.dumps(self.values, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class RecordWritten:
    """What a write of a record did."""

    record: Record
    """The record as it is now."""
    changed: bool
    """Whether the write changed it; False where it already was like that (decision 37)."""


def collection_place(path: str) -> Place:
    """Where a collection is.

    Raises:
        UnknownPath: the path is no collection's.
    """
    place = parse_place(path)
    if place.kind is not PlaceKind.COLLECTION:
        raise UnknownPath(path)
    return place


def check_collection_name(name: str) -> str:
    """The name itself, if it can be the last part of a path that a Task can embed.

    Raises:
        BadName: it is not one plain line, holds a slash, is `.` or `..`, or no embed can have it.
    """
    check_name(name, "A collection")
    if name in {".", ".."} or "/" in name or "\\" in name:
        raise BadName(f"A collection cannot be named {name!r}; use a name without slashes that is not only dots.")
    check_embeddable(PlaceKind.COLLECTION, name)
    return name


def make_collection(place: Place, purpose: str | None, columns: Iterable[Column]) -> Collection:
    """A collection as operators define it.

    Raises:
        BadName: no embed can have its name, a column's is not one plain line, two columns share a name, or there is none.
        UnusableText: its purpose or a description holds NUL or a lone surrogate.
    """
    name = check_collection_name(place.name)
    checked = tuple(
        Column(check_name(one.name, "A column"), check_text(one.description or "", "A column's description") or None)
        for one in columns
    )
    if not checked:
        raise BadName(f"The collection {name} needs at least one column.")
    if len({one.name for one in checked}) < len(checked):
        raise BadName(f"The collection {name} has two columns of one name; give each its own.")
    return Collection(str(place), place.level, name, check_text(purpose or "", "The purpose") or None, checked)


def merged(collection: Collection, old: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """A record's values after a write: columns that are not given stay, null clears one; in the collection's order.

    Raises:
        UnknownColumns: a column is given that the collection does not have.
        BadArgument: a value is no JSON value.
        UnusableText: a text in a value holds NUL or a lone surrogate (decision 5).
    """
    names = [column.name for column in collection.columns]
    if unknown := [name for name in given if name not in names]:
        raise UnknownColumns(collection.name, unknown, names)
    for name, value in given.items():
        _check_value(collection, name, value)
    values = {**old, **given}
    return {name: values[name] for name in names if values.get(name) is not None}


def _check_value(collection: Collection, column: str, value: object) -> None:
    what = f"The value of {column} in {collection.name}"
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise BadArgument(
            f"{what} is no JSON value; use a text, a finite number, true, false, null, a list or an object."
        ) from None
    _check_texts(value, what)


def _check_texts(value: object, what: str) -> None:
    match value:
        case str():
            check_text(value, what)
        case list() | tuple():
            for one in value:
                _check_texts(one, what)
        case dict():
            for key, one in value.items():
                check_text(str(key), what)
                _check_texts(one, what)


def shown_values(collection: Collection, values: Mapping[str, Any]) -> dict[str, Any]:
    """What a record shows: the columns that its collection has now, in their order."""
    return {column.name: values[column.name] for column in collection.columns if column.name in values}


def check_filters(collection: Collection, equals: Mapping[str, object]) -> None:
    """Refuse a filter on a column that the collection does not have.

    Raises:
        UnknownColumns: there is one.
    """
    names = [column.name for column in collection.columns]
    if unknown := [name for name in equals if name not in names]:
        raise UnknownColumns(collection.name, unknown, names)


def matches(values: Mapping[str, Any], equals: Mapping[str, object]) -> bool:
    """Whether a record has these values. A text also equals the JSON of a number or truth value; None, a column not set."""
    return all(_equal(values.get(name), wanted) for name, wanted in equals.items())


def _equal(value: object, wanted: object) -> bool:
    if isinstance(wanted, str) and not isinstance(value, str) and value is not None:
        return json.dumps(value, ensure_ascii=False) == wanted
    return value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
