"""Display paths of notes and collections at their three levels.

org/<org_id>/notes/<folders>/<name>.md                      org/<org_id>/collections/<name>
org/<org_id>/guilds/<guild_id>/notes/<folders>/<name>.md    org/<org_id>/guilds/<guild_id>/collections/<name>
org/<org_id>/agents/<agent_id>/notes/<folders>/<name>.md    org/<org_id>/agents/<agent_id>/collections/<name>
"""

from dataclasses import dataclass
from enum import StrEnum

from studio.domain.paths import OrgId, segments
from studio.errors import UnknownPath


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
