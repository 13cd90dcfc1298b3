"""Bindings: which tools, note levels and logins an agent is left with after every scope has spoken (decisions 9 and 10)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from studio.domain.places import Level
from studio.errors import BadSetting


class Scope(StrEnum):
    """Who can set a binding, from the widest to the nearest."""

    INSTANCE = "instance"
    """The whole installation."""
    ORG = "org"
    """One organisation."""
    GUILD = "guild"
    """One guild."""
    AGENT = "agent"
    """One agent."""


INSTANCE_ID = "*"
"""What stands for the instance's id: there is one."""
MEMORY_WRITE = "memory_write"
"""The tool that rewrites the memory; what the agent's own scope says of it is `AgentConfig.memory_write`."""
GROUP_POST = "group_post"
"""The tool that posts to the guild's chat; an agent without a guild has none."""
TOOLS = (
    MEMORY_WRITE,
    "note_find",
    "note_get",
    "note_write",
    "note_delete",
    "record_list",
    "record_write",
    GROUP_POST,
    "report_issue",
)
"""The tools that we carry out, in the order that runs are offered them."""
NOTE_GRANTS = ("guild_notes_read", "guild_notes_write", "org_notes_read", "org_notes_write")
"""The four grants of note levels; an agent's own level is always both (decision 10)."""
PRICES = "prices"
"""The binding whose login pins coins (spec: "Pinned prices")."""
NAMES = (*TOOLS, *NOTE_GRANTS, PRICES)
"""Every binding. The instance starts with all of them on; prices also need a login."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What one scope says of one binding."""

    scope: Scope
    """Which scope."""
    name: str
    """Which binding, one of `NAMES`."""
    turned_on: bool | None = None
    """False turns it off for everything below; True and None leave it as the scopes above have it."""
    login: str | None = None
    """Name of the login to use from this scope down; None says nothing."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What is left for one agent."""

    names: frozenset[str]
    """The bindings that no scope turned off."""
    login: str | None
    """Name of the login behind `prices`: that of the nearest scope which names one; None where `prices` is off."""

    def tools(self, *, memory_write: bool, in_guild: bool) -> tuple[str, ...]:
        """The tools that a run is offered, in the order of `TOOLS`.

        Args:
            memory_write: whether the agent's own settings leave `memory_write` on (decisions 1 and 9).
            in_guild: whether the agent has a guild to post to.
        """
        withheld = {name for name, has in ((MEMORY_WRITE, memory_write), (GROUP_POST, in_guild)) if not has}
        return tuple(name for name in TOOLS if name in self.names and name not in withheld)

    def readable(self, *, in_guild: bool) -> tuple[Level, ...]:
        """The note levels the agent may read, in the order of `Level`."""
        return self._levels("read", in_guild=in_guild)

    def writable(self, *, in_guild: bool) -> tuple[Level, ...]:
        """The note levels the agent may write, in the order of `Level`."""
        return self._levels("write", in_guild=in_guild)

    def _levels(self, right: str, *, in_guild: bool) -> tuple[Level, ...]:
        granted = [Level.AGENT]
        if in_guild and f"guild_notes_{right}" in self.names:
            granted.append(Level.GUILD)
        if f"org_notes_{right}" in self.names:
            granted.append(Level.ORG)
        return tuple(granted)


@dataclass(frozen=True, slots=True)
class Rights:
    """What an agent can do, all scopes taken together."""

    tools: tuple[str, ...]
    """The tools that its runs are offered."""
    readable: tuple[Level, ...]
    """The note levels it may read."""
    writable: tuple[Level, ...]
    """The note levels it may write."""
    login: str | None = None
    """Name of the login behind its pinned prices."""


def resolve(settings: Iterable[Setting]) -> Resolved:
    """What the scopes leave on: off anywhere is off, and the nearest login wins (decision 10)."""
    said = tuple(settings)
    off = {one.name for one in said if one.turned_on is False}
    return Resolved(frozenset(NAMES) - off, None if PRICES in off else _nearest_login(said))


def _nearest_login(settings: Sequence[Setting]) -> str | None:
    order = list(Scope)
    named = [one for one in settings if one.name == PRICES and one.login is not None]
    return max(named, key=lambda one: order.index(one.scope)).login if named else None


def check_binding(name: str, login: str | None = None) -> str:
    """The name itself, if it is a binding that can be set like this.

    Raises:
        BadSetting: no binding has this name, or a login is given to one that uses none.
    """
    if name not in NAMES:
        raise BadSetting(f"There is no binding {name!r}; the bindings are {', '.join(NAMES)}.")
    if login is not None and name != PRICES:
        raise BadSetting(f"The binding {name} uses no login; only {PRICES} does.")
    return name
