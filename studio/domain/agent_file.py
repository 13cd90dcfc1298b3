"""The JSON file that sets what has no editor: what an agent's State shows, its collections, its tools and bindings.

Every key is optional. A key that is there replaces what was set under it, as a whole; one that is absent leaves it:

    {
      "tools": ["search", "browser", "coding", "sandbox", "schedule"],
      "scripts": [{"name": "chart.py", "description": "Draws a chart."}],
      "environments": [{"name": "prod", "description": "The live system.", "bound": true}],
      "collections": [{"name": "leads", "scope": "guild", "purpose": "Who may buy.", "access": "write",
                       "columns": [{"name": "company", "description": "Legal name."}, {"name": "status"}]}],
      "guild": {"about": "The sales desk.", "description": "How we work.",
                "repositories": [{"name": "site", "path": "/srv/site", "default_branch": "main"}],
                "messages": [{"from": "Ana", "at": "2026-09-13T09:00:12Z", "text": "Hello", "public": true, "tags": ["scout"]}]},
      "operators": ["Ana", "Ben"],
      "logins": [{"name": "market", "kind": "coingecko", "base_url": null, "secret_name": "COINGECKO_KEY",
                  "pinned_prices": [{"id": "bitcoin", "symbol": "btc", "name": "Bitcoin"}]}],
      "bindings": {"instance": {}, "org": {"org_notes_write": false}, "guild": {}, "agent": {"prices": "market"}}
    }

Exceptions to "replaces": `messages` are appended where the chat does not hold them yet, `operators` are added, a collection that the
list leaves out stays but is granted no more, a login or binding that is left out stays as it is, and null takes a binding back.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from studio.domain.bindings import NAMES, PRICES, Scope, Setting
from studio.domain.collections import Access, Column, check_collection_name
from studio.domain.compose import REGISTERED_FLAGS
from studio.domain.guidelines import Flag
from studio.domain.json_reader import Json, Reader
from studio.domain.places import Level
from studio.domain.prices import Coin, Login
from studio.domain.surroundings import Environment, GroupMessage, Repository, Script
from studio.errors import BadAgentFile, BadName

LOGIN_KINDS = ("coingecko",)
"""The price services we can ask."""
KEYS = ("tools", "scripts", "environments", "collections", "guild", "operators", "logins", "bindings")
GUILD_KEYS = ("about", "description", "repositories", "messages")


@dataclass(frozen=True, slots=True)
class CollectionEntry:
    """A collection as the file names it."""

    name: str
    """Its name; empty where the file's is a finding."""
    level: Level
    """Whose it is; the file says `scope`, as State does."""
    access: Access | None
    """What the agent may do with it; None for nothing."""
    columns: tuple[Column, ...] | None
    """Its columns; None leaves those it has."""
    sets_purpose: bool = False
    """Whether the file says what it is for."""
    purpose: str | None = None
    """What it is for."""


@dataclass(frozen=True, slots=True)
class AgentFile:
    """What a file sets; None where it says nothing."""

    tools: frozenset[Flag] | None = None
    """What the agent's runtime registers tools for."""
    scripts: tuple[Script, ...] | None = None
    """The script catalog."""
    environments: tuple[Environment, ...] | None = None
    """The environments."""
    collections: tuple[CollectionEntry, ...] | None = None
    """The collections that the agent is granted."""
    guild: Mapping[str, str | None] | None = None
    """`about` and `description` where they are set; None where the file has no guild at all."""
    repositories: tuple[Repository, ...] | None = None
    """The guild's repositories."""
    messages: tuple[GroupMessage, ...] = ()
    """Rows of the guild's chat."""
    operators: tuple[str, ...] = ()
    """Operators to add."""
    logins: tuple[Login, ...] = ()
    """Logins to store."""
    bindings: tuple[Setting, ...] = ()
    """What the scopes say."""
    findings: tuple[str, ...] = field(default=())
    """Everything that is wrong with the file."""


def parse_json(text: str) -> object:
    """The JSON value of a file.

    Raises:
        BadAgentFile: it is no JSON, or an object names a key twice; the sentence says where.
    """
    twice: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> Json:
        keys = [key for key, _ in pairs]
        twice.extend(
            f"the key {key!r} stands twice in one object" for key in dict.fromkeys(keys) if keys.count(key) > 1
        )
        return dict(pairs)

    try:
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise BadAgentFile([f"it is no JSON (line {error.lineno}, column {error.colno}: {error.msg})"]) from None
    except (ValueError, RecursionError):
        raise BadAgentFile(["it is no JSON that we can read"]) from None
    if twice:
        raise BadAgentFile(twice)
    return value


def read_agent_file(data: object) -> AgentFile:
    """Take a file apart; all that is wrong with it stands in `findings`, and the rest is as if it were absent."""
    reader = Reader()
    top = reader.fields(data, "the file" if not isinstance(data, dict) else "", KEYS)
    guild = reader.part(top, "guild", "", GUILD_KEYS)
    below = guild or {}
    return AgentFile(
        tools=_tools(reader, top),
        scripts=_scripts(reader, top),
        environments=_environments(reader, top),
        collections=_collections(reader, top),
        guild=None
        if guild is None
        else {key: reader.text(below, key, "guild") for key in ("about", "description") if key in below},
        repositories=_repositories(reader, below),
        messages=_messages(reader, below),
        operators=reader.names(top, "operators", ""),
        logins=_logins(reader, top),
        bindings=_bindings(reader, top),
        findings=tuple(reader.findings),
    )


def _tools(reader: Reader, top: Json) -> frozenset[Flag] | None:
    listed = reader.items(top, "tools", "")
    if listed is None:
        return None
    choices = [str(flag) for flag in Flag if flag in REGISTERED_FLAGS]
    chosen = [reader.choice(one, f"tools[{number}]", choices) for number, one in enumerate(listed)]
    return frozenset(Flag(one) for one in chosen if one is not None)


def _scripts(reader: Reader, top: Json) -> tuple[Script, ...] | None:
    found = reader.objects(top, "scripts", "", ("name", "description"))
    if found is None:
        return None
    return tuple(Script(reader.name(one, "name", at), reader.text(one, "description", at)) for one, at in found)


def _environments(reader: Reader, top: Json) -> tuple[Environment, ...] | None:
    found = reader.objects(top, "environments", "", ("name", "description", "bound"))
    if found is None:
        return None
    return tuple(
        Environment(
            reader.name(one, "name", at),
            reader.text(one, "description", at),
            reader.switch(one, "bound", at, otherwise=True),
        )
        for one, at in found
    )


def _collections(reader: Reader, top: Json) -> tuple[CollectionEntry, ...] | None:
    keys = ("name", "scope", "purpose", "access", "columns")
    found = reader.objects(top, "collections", "", keys, unique=None)
    if found is None:
        return None
    entries: list[CollectionEntry] = []
    for one, at in found:
        level = reader.choice(one.get("scope", "agent"), f"{at}.scope", [str(level) for level in Level])
        access = one.get("access", "read")
        if access is not None:
            access = reader.choice(access, f"{at}.access", [str(access) for access in Access])
        columns = reader.objects(one, "columns", at, ("name", "description"))
        if columns == [] and isinstance(one["columns"], list):
            reader.find(f"{at}.columns", "needs at least one column")
        entry = CollectionEntry(
            name=_collection_name(reader, one, at),
            level=Level(level or "agent"),
            access=None if access is None else Access(access),
            columns=None
            if columns is None
            else tuple(Column(reader.name(c, "name", p), reader.text(c, "description", p)) for c, p in columns),
            sets_purpose="purpose" in one,
            purpose=reader.text(one, "purpose", at),
        )
        if entry.name and any((entry.level, entry.name) == (other.level, other.name) for other in entries):
            reader.find(at, f"names the {entry.level} collection {entry.name!r} again")
        entries.append(entry)
    return tuple(entries)


def _collection_name(reader: Reader, one: Json, at: str) -> str:
    """A name that a collection can have; empty where it is a finding."""
    name = reader.name(one, "name", at)
    try:
        return name and check_collection_name(name)
    except BadName as error:
        reader.find(f"{at}.name", f"cannot be used: {error.message.rstrip('.')}")
        return ""


def _repositories(reader: Reader, guild: Json) -> tuple[Repository, ...] | None:
    found = reader.objects(guild, "repositories", "guild", ("name", "path", "default_branch"))
    if found is None:
        return None
    return tuple(
        Repository(*(reader.name(one, key, at) for key in ("name", "path", "default_branch"))) for one, at in found
    )


def _messages(reader: Reader, guild: Json) -> tuple[GroupMessage, ...]:
    found = reader.objects(guild, "messages", "guild", ("from", "at", "text", "public", "tags"), unique=None)
    rows = []
    for one, at in found or ():
        sender, text = reader.name(one, "from", at), reader.needed_text(one, "text", at)
        public = reader.switch(one, "public", at, otherwise=True)
        moment, tags = reader.moment(one, "at", at), reader.names(one, "tags", at)
        if moment is not None:
            rows.append(GroupMessage(sender, text, moment, public, tags))
    return tuple(rows)


def _logins(reader: Reader, top: Json) -> tuple[Login, ...]:
    found = reader.objects(top, "logins", "", ("name", "kind", "base_url", "secret_name", "pinned_prices"))
    logins = []
    for one, at in found or ():
        kind = reader.choice(one.get("kind", "coingecko"), f"{at}.kind", LOGIN_KINDS)
        base_url = reader.text(one, "base_url", at)
        if base_url is not None and not base_url.startswith(("http://", "https://")):
            reader.find(f"{at}.base_url", "must begin with https:// or http://")
        coins = reader.objects(one, "pinned_prices", at, ("id", "symbol", "name"), unique="id")
        pinned = tuple(Coin(*(reader.name(c, key, p) for key in ("id", "symbol", "name"))) for c, p in coins or ())
        for number, coin in enumerate(pinned):
            if "," in coin.id:
                reader.find(f"{at}.pinned_prices[{number}].id", "must be one id, without a comma")
        name, secret = reader.name(one, "name", at), reader.text(one, "secret_name", at)
        logins.append(Login(name, kind or "coingecko", base_url, secret, pinned))
    return tuple(logins)


def _bindings(reader: Reader, top: Json) -> tuple[Setting, ...]:
    scopes = reader.part(top, "bindings", "", [str(scope) for scope in Scope]) or {}
    settings = []
    for scope in scopes:
        said = reader.part(scopes, scope, "bindings", NAMES) or {}
        for name, value in said.items():
            if value is None or isinstance(value, bool):
                settings.append(Setting(Scope(scope), name, value))
            elif isinstance(value, str) and name == PRICES:
                settings.append(Setting(Scope(scope), name, None, value))
            else:
                what = "true, false, null or the name of a login" if name == PRICES else "true, false or null"
                reader.find(f"bindings.{scope}.{name}", f"must be {what}")
    return tuple(settings)
