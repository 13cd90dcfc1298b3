"""Archive names, header lines and retention (decisions 11 to 13)."""

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime

from studio.domain.authors import Author, AuthorKind

INSTRUCTION_CAP_CHARACTERS = 120
"""An instruction longer than this ends in an ellipsis in `Replaced by:`."""

MEMORY_VIEW = "Memory view"
"""The occasion of a Save on the Memory view."""
PROMPT_TAB = "Prompt tab"
"""The occasion of a publish of the Task."""
DIRECT_RUN = "direct"
"""The occasion of a direct run."""


def stamp(at: datetime) -> str:
    """A time as archive names spell it: `2026-09-13T09-00-12Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H-%M-%SZ")


def iso_z(at: datetime) -> str:
    """A time as the header lines and State spell it: `2026-09-13T09:00:12Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def slug(name: str) -> str:
    """A user name as a file name: lower case, accents stripped, other scripts kept, the rest `-`; empty becomes `operator`.

    An accent is a mark on a Latin letter; the marks of other scripts (が, й, हि) are part of their letters.
    """
    kept: list[str] = []
    latin = False
    for character in unicodedata.normalize("NFD", name.casefold()):
        mark = unicodedata.category(character).startswith("M")
        if mark and latin:
            continue
        latin = latin if mark else unicodedata.name(character, "").startswith("LATIN")
        kept.append(character if mark or character.isalnum() else "-")
    return re.sub("-+", "-", unicodedata.normalize("NFC", "".join(kept))).strip("-") or "operator"


def source_name(author: Author) -> str:
    """The last part of an archive name: the run's id as it is, or the slug of who replaced the text."""
    if author.kind is AuthorKind.RUN and author.name:
        return author.name
    return slug(author.name or str(author.kind))


def archive_name(at: datetime, author: Author, taken: Iterable[str] = ()) -> str:
    """The archive's file name, `.md` included.

    Args:
        at: when the text was replaced (UTC).
        author: who replaced it.
        taken: names this agent's archive already has. A second replacement in the same second gets `_02` after the stamp, the
            next `_03`, whoever wrote, so that listing order stays time order.
    """
    base = stamp(at)
    same_second = sum(1 for name in taken if name.startswith(base))
    counter = f"_{same_second + 1:02d}" if same_second else ""
    return f"{base}{counter}-{source_name(author)}.md"


def one_line(text: str) -> str:
    """Text for a header line: every line break becomes one space."""
    return " ".join(text.splitlines())


def schedule_occasion(instruction: str) -> str:
    """The occasion of a schedule wake-up: `schedule wake-up: "check inbox"`."""
    line = one_line(instruction)
    short = line if len(line) <= INSTRUCTION_CAP_CHARACTERS else line[:INSTRUCTION_CAP_CHARACTERS] + "…"
    return f'schedule wake-up: "{short}"'


def group_occasion(tags: Iterable[str]) -> str:
    """The occasion of a group-triggered run: `group: @ana, @ben`; `group` when nobody was tagged."""
    names = ", ".join("@" + one_line(tag).removeprefix("@") for tag in tags)
    return f"group: {names}" if names else "group"


def restore_occasion(version: int) -> str:
    """The occasion of a restore: `restore of version 7`."""
    return f"restore of version {version}"


def header_lines(since: datetime, replaced_at: datetime, author: Author, occasion: str | None) -> tuple[str, str]:
    """The two lines that precede an archived text when it is shown as a file; the text is stored apart from them (decision 12)."""
    by = (
        f"{author.kind} {one_line(author.name)}"
        if author.name and author.kind is not AuthorKind.AGENT
        else str(author.kind)
    )
    reason = f" ({one_line(occasion)})" if occasion else ""
    return f"Current: {iso_z(since)} → {iso_z(replaced_at)}", f"Replaced by: {by}{reason}"
