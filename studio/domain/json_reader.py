"""Read a JSON value of a known form, and collect everything that is wrong with it in sentences for a person."""

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from studio.domain.agents import check_name
from studio.domain.bodies import check_text
from studio.domain.moments import read_moment
from studio.errors import StudioError

Json = dict[str, Any]
"""A JSON object."""


class Reader:
    """Reads objects key by key. What is wrong becomes a finding, and reading goes on with nothing in its place."""

    def __init__(self) -> None:
        self.findings: list[str] = []
        """One clause for each thing to mend, naming where it is: `guild.abot is unknown`."""

    def find(self, where: str, what: str) -> None:
        """Add a finding."""
        self.findings.append(f"{where} {what}")

    def fields(self, value: object, where: str, keys: Sequence[str]) -> Json:
        """The object, without keys that are unknown; each of these is a finding."""
        if not isinstance(value, dict):
            self.find(where, "is no object")
            return {}
        for key in value:
            if key not in keys:
                self.find(_at(where, key), f"is unknown; there are {', '.join(keys)}")
        return {key: value[key] for key in keys if key in value}

    def part(self, holder: Json, key: str, where: str, keys: Sequence[str]) -> Json | None:
        """The object below a key, or None where the key is absent."""
        return self.fields(holder[key], _at(where, key), keys) if key in holder else None

    def objects(
        self, holder: Json, key: str, where: str, keys: Sequence[str], unique: str | None = "name"
    ) -> list[tuple[Json, str]] | None:
        """The objects of a list with where each is, or None where the key is absent.

        Args:
            holder: the object that has the list.
            key: its name.
            where: where the holder is.
            keys: what each object may have.
            unique: the key that no two objects may share, if any.
        """
        if (listed := self.items(holder, key, where)) is None:
            return None
        places = [f"{_at(where, key)}[{number}]" for number in range(len(listed))]
        found = [(self.fields(one, place, keys), place) for one, place in zip(listed, places, strict=True)]
        seen: set[str] = set()
        for one, place in found:
            named = one.get(unique or "")
            if isinstance(named, str) and named.strip() in seen:
                self.find(place, f"has the {unique} {named!r}, which another one has")
            elif isinstance(named, str):
                seen.add(named.strip())
        return found

    def items(self, holder: Json, key: str, where: str) -> Sequence[Any] | None:
        """The list below a key, or None where the key is absent."""
        if key not in holder:
            return None
        if not isinstance(holder[key], list):
            self.find(_at(where, key), "is no list")
            return []
        return list(holder[key])

    def name(self, holder: Json, key: str, where: str) -> str:
        """A name: one plain line that must be there."""
        return self._text(holder, key, where, lambda text: check_name(text, "It")) or ""

    def text(self, holder: Json, key: str, where: str) -> str | None:
        """A text that may be absent or null; an empty one counts as null."""
        if holder.get(key) is None:
            return None
        return self._text(holder, key, where, lambda text: check_text(text, "It")) or None

    def needed_text(self, holder: Json, key: str, where: str) -> str:
        """A text that must be there."""
        return self._text(holder, key, where, lambda text: check_text(text, "It")) or ""

    def names(self, holder: Json, key: str, where: str) -> tuple[str, ...]:
        """A list of names; none where the key is absent."""
        listed = self.items(holder, key, where) or ()
        return tuple(self.name({"": one}, "", f"{_at(where, key)}[{number}]") for number, one in enumerate(listed))

    def switch(self, holder: Json, key: str, where: str, *, otherwise: bool) -> bool:
        """True or false; the other value where the key is absent."""
        value = holder.get(key, otherwise)
        if not isinstance(value, bool):
            self.find(_at(where, key), "must be true or false")
            return otherwise
        return value

    def choice(self, value: object, where: str, choices: Sequence[str]) -> str | None:
        """One of several words."""
        if not isinstance(value, str) or value not in choices:
            self.find(where, f"must be one of {', '.join(choices)}, not {_shown(value)}")
            return None
        return value

    def moment(self, holder: Json, key: str, where: str) -> datetime | None:
        """A time with its offset from UTC."""
        moment = read_moment(holder.get(key))
        if moment is None:
            self.find(_at(where, key), "must be a time like 2026-09-13T09:00:12Z")
        return moment

    def _text(self, holder: Json, key: str, where: str, check: Callable[[str], str]) -> str | None:
        place = _at(where, key)
        if key not in holder:
            self.find(place, "is missing")
        elif not isinstance(holder[key], str):
            self.find(place, f"must be a text, not {_shown(holder[key])}")
        else:
            try:
                return check(holder[key])
            except StudioError as error:
                self.find(place, f"cannot be stored: {error.message.rstrip('.')}")
        return None


def _at(where: str, key: str) -> str:
    return f"{where}.{key}" if where and key else where or key


def _shown(value: object) -> str:
    """A value for a sentence, cut where it is long."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 40 else f"{text[:39]}…"  # noqa: PLR2004 - as much as a sentence bears
