"""The limits of one directory: what `.memfs.config.json` says, and the defaults where it is silent (decision 33)."""

import json
from dataclasses import dataclass
from typing import Any, NoReturn, TypeGuard

from studio.domain.directory.findings import Finding
from studio.domain.directory.globs import matches
from studio.domain.directory.tree import CONFIG

VERSION = 1
"""The one version of the file there is."""
MAX_DEPTH = 2
"""How many folders deep memory may lie, where the config does not say."""
MAX_FILE_CHARACTERS = 20_000
"""The cap of each memory file, its header included, likewise."""
MAX_CORE_CHARACTERS = 65_536
"""The cap of all root Markdown together, likewise."""
MOST_GLOBS = 500
"""How many globs a config may hold; each is held against every path, so more of them than anybody reads only cost time."""
DEFAULT_RULE = "default"
"""The rule of a limit that no config names."""
_LARGEST_INTEGER = 2**53 - 1
_FIELDS = (
    "version",
    "maxDepth",
    "maxFileCharacters",
    "maxCoreMemoryCharacters",
    "fileCharacterLimits",
    "readOnlyFiles",
)
_LIMIT_FIELDS = ("pattern", "maxCharacters")


@dataclass(frozen=True, slots=True)
class CharacterLimit:
    """A cap of its own for the files that a glob names; the first match wins."""

    glob: str
    """The glob."""
    characters: int | None
    """The cap; None takes every cap away."""


@dataclass(frozen=True, slots=True)
class Config:
    """The limits that hold."""

    max_depth: int = MAX_DEPTH
    """How many folders deep memory may lie; 0 is the root only."""
    max_file_characters: int = MAX_FILE_CHARACTERS
    """The cap of each memory file that no glob names."""
    max_core_characters: int = MAX_CORE_CHARACTERS
    """The cap of all root Markdown together."""
    character_limits: tuple[CharacterLimit, ...] = ()
    """The caps by glob, in their order."""
    read_only: tuple[str, ...] = ()
    """The globs of files that cannot change, Markdown or not."""
    written: frozenset[str] = frozenset()
    """The fields that the config names, so that a finding can say where its limit comes from."""

    def file_limit(self, path: str) -> tuple[int | None, str]:
        """The cap of a file and the glob or field it comes from."""
        for limit in self.character_limits:
            if matches(limit.glob, path):
                return limit.characters, limit.glob
        return self.max_file_characters, self.rule("maxFileCharacters")

    def rule(self, field: str) -> str:
        """Where a limit comes from: the field, or `default` where the config is silent."""
        return field if field in self.written else DEFAULT_RULE

    def read_only_glob(self, path: str) -> str | None:
        """The first glob that makes a file read-only, if any does."""
        return next((glob for glob in self.read_only if matches(glob, path)), None)


def read_config(text: str) -> tuple[Config, tuple[Finding, ...]]:
    """The limits of a config's text, and everything that is wrong with it; what cannot be read counts as not written."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        why = (
            error.msg + f" in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "it is no plain JSON"
        )
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        return Config(), (_finding("config_bad_json", f"{CONFIG} is not valid JSON: {why}; mend the file", line=line),)
    if not isinstance(value, dict):
        return Config(), (
            _finding("config_bad_type", f'{CONFIG} holds no JSON object; write one, as {{"version": 1}}'),
        )
    reader = _Reader(value)
    config = Config(
        max_depth=reader.integer("maxDepth", 0, MAX_DEPTH),
        max_file_characters=reader.integer("maxFileCharacters", 1, MAX_FILE_CHARACTERS),
        max_core_characters=reader.integer("maxCoreMemoryCharacters", 1, MAX_CORE_CHARACTERS),
        character_limits=reader.character_limits(),
        read_only=reader.read_only(),
        written=frozenset(value),
    )
    return config, tuple(reader.findings)


class _Reader:
    """Reads the object field by field and collects what is wrong."""

    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value
        self.findings: list[Finding] = []
        self.globs = 0
        version = value.get("version")
        if not _is_whole(version) or version != VERSION:
            said = _short(version) if "version" in value else "nothing"
            self.find(
                "config_bad_version", "version", f'has to be {VERSION} and is {said}; write "version": {VERSION}', said
            )
        self.known(value, "", _FIELDS)

    def find(self, kind: str, where: str, what: str, actual: str | None = None) -> None:
        self.findings.append(_finding(kind, f"{CONFIG}: {where} {what}", actual, rule=where))

    def known(self, holder: dict[str, Any], where: str, fields: tuple[str, ...]) -> None:
        for key in holder:
            if key not in fields:
                what = f"is no field of a config; take it out or use one of {', '.join(fields)}"
                self.find("config_unknown_field", f"{where}{key}", what, key)

    def integer(self, field: str, least: int, default: int) -> int:
        value = self.value.get(field, default)
        if _is_whole(value) and value >= least:
            return int(value)
        self.find(
            "config_bad_integer", field, f"has to be a whole number from {least} and is {_short(value)}", _short(value)
        )
        return default

    def items(self, field: str) -> list[Any]:
        value = self.value.get(field, [])
        if isinstance(value, list):
            return value
        self.find("config_bad_type", field, f"has to be a list and is {_short(value)}", _short(value))
        return []

    def character_limits(self) -> tuple[CharacterLimit, ...]:
        limits = []
        for number, item in enumerate(self.items("fileCharacterLimits")):
            where = f"fileCharacterLimits[{number}]"
            if not isinstance(item, dict):
                self.find(
                    "config_bad_type", where, f"has to be an object with {' and '.join(_LIMIT_FIELDS)}", _short(item)
                )
                continue
            self.known(item, f"{where}.", _LIMIT_FIELDS)
            good = self.glob(item.get("pattern"), f"{where}.pattern")
            cap = item.get("maxCharacters", "nothing")
            if cap is not None and not (_is_whole(cap) and cap >= 1):
                what = f"has to be a whole number from 1, or null for no cap, and is {_short(cap)}"
                self.find("config_bad_integer", f"{where}.maxCharacters", what, _short(cap))
            elif good:
                limits.append(CharacterLimit(item["pattern"], None if cap is None else int(cap)))
        return tuple(limits)

    def read_only(self) -> tuple[str, ...]:
        found = enumerate(self.items("readOnlyFiles"))
        return tuple(item for number, item in found if self.glob(item, f"readOnlyFiles[{number}]"))

    def glob(self, value: object, where: str) -> bool:
        """Whether this is a glob as `studio.domain.directory.globs` reads them, and not one too many."""
        self.globs += 1
        if self.globs > MOST_GLOBS:
            if self.globs == MOST_GLOBS + 1:
                what = f"is one glob too many: {MOST_GLOBS:,} are heeded; write fewer, as with **"
                self.find("config_too_many_globs", where, what)
            return False
        if (
            not isinstance(value, str)
            or not value
            or value.startswith("/")
            or "\\" in value
            or ".." in value.split("/")
        ):
            what = "has to be a path from the root with '/', perhaps with *, ? or **, and without '..'"
            self.find("config_bad_pattern", where, f"{what}; it is {_short(value)}", _short(value))
            return False
        if any("**" in part and part != "**" for part in value.split("/")):
            self.find(
                "config_bad_globstar",
                where,
                f"has ** inside of a part; write it between slashes, as in {_spread(value)!r}",
                value,
            )
            return False
        return True


def _is_whole(value: object) -> TypeGuard[int | float]:
    """Whether a JSON number is whole and exact, as 2 and 2.0 and 1e3 are; true and false are no numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -_LARGEST_INTEGER <= value <= _LARGEST_INTEGER and value == int(value)


def _spread(glob: str) -> str:
    """The glob with its `**` as parts of their own."""
    return "/".join(part if part == "**" else part.replace("**", "**/*") for part in glob.split("/"))


def _short(value: object) -> str:
    try:
        text = value if isinstance(value, str) and value == "nothing" else json.dumps(value)
    except RecursionError:
        text = f"a {type(value).__name__} nested too deep"
    return text if len(text) <= 60 else text[:59] + "…"  # noqa: PLR2004 - a quote for one line


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finding(
    kind: str, message: str, actual: str | None = None, *, rule: str = CONFIG, line: int | None = None
) -> Finding:
    return Finding(kind, CONFIG, message + ".", rule, actual, line=line)
