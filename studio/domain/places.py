"""Display paths of notes and collections at their three levels.

org/<org_id>/notes/<folders>/<name>.md                      org/<org_id>/collections/<name>
org/<org_id>/guilds/<guild_id>/notes/<folders>/<name>.md    org/<org_id>/guilds/<guild_id>/collections/<name>
org/<org_id>/agents/<agent_id>/notes/<folders>/<name>.md    org/<org_id>/agents/<agent_id>/collections/<name>
"""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from studio.domain.paths import OrgId, segments
from studio.errors import BadName, UnknownPath


class Level(StrEnum):
    """Whose a note or collection is; State lists levels in this order."""

    AGENT = "agent"
    GUILD = "guild"
    ORG = "org"


class PlaceKind(StrEnum):
    """What a place holds."""

    NOTE = "note"
    COLLECTION = "collection"


@dataclass(frozen=True, slots=True)
class Place:
    """The display path of a note or collection, taken apart."""

    kind: PlaceKind
    """Note or collection."""
    org: OrgId
    """The organisation's id."""
    level: Level
    """Whose it is."""
    owner: str
    """The id of that agent, guild or organisation."""
    name: str
    """What follows: a note's folders and file name with `.md`, or a collection's name."""

    def __str__(self) -> str:
        scope = "" if self.level is Level.ORG else f"{self.level}s/{self.owner}/"
        return f"org/{self.org}/{scope}{self.kind}s/{self.name}"

    @property
    def stem(self) -> str:
        """The file name without folders and `.md`."""
        return self.name.rsplit("/", 1)[-1].removesuffix(".md")


def parse_place(path: str) -> Place:
    """Take a note's or collection's display path apart; `str()` of the result gives it back exactly.

    Raises:
        UnknownPath: the path is neither.
    """
    match segments(path):
        case ("org", org, "notes", *rest) if rest and rest[-1].endswith(".md"):
            return Place(PlaceKind.NOTE, OrgId(org), Level.ORG, org, "/".join(rest))
        case ("org", org, ("guilds" | "agents") as scope, owner, "notes", *rest) if rest and rest[-1].endswith(".md"):
            return Place(PlaceKind.NOTE, OrgId(org), Level(scope[:-1]), owner, "/".join(rest))
        case ("org", org, "collections", name):
            return Place(PlaceKind.COLLECTION, OrgId(org), Level.ORG, org, name)
        case ("org", org, ("guilds" | "agents") as scope, owner, "collections", name):
            return Place(PlaceKind.COLLECTION, OrgId(org), Level(scope[:-1]), owner, name)
        case _:
            raise UnknownPath(path)


_ENDS_AN_EMBED = ("`", "[[", "]]")
"""What makes a link end early, begin anew or stand in code."""


def check_embeddable(kind: PlaceKind, name: str) -> None:
    """Refuse the name of a note, with its folders, or of a collection, that no `![[…]]` can name in every text (decision 23).

    Raises:
        BadName: it holds a backtick, `[[`, `]]` or a line separator, ends in `]`, or a part of it has blanks at an end.
    """
    if (
        any(mark in name for mark in _ENDS_AN_EMBED)
        or name.endswith("]")
        or any(unicodedata.category(c) in {"Zl", "Zp"} for c in name)
        or any(part != part.strip() for part in name.split("/"))
    ):
        raise BadName(
            f"A {kind} named {name!r} cannot be embedded; use a name without backticks, '[[', ']]', line breaks,"
            " a ']' as its last character and blanks at its ends."
        )
