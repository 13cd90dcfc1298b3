"""Archive names, header lines and retention (decisions 11 to 13)."""

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime

from studio.domain.authors import Author, AuthorKind
from studio.domain.moments import known

INSTRUCTION_CAP_CHARACTERS = 120
"""An instruction longer than this ends in an ellipsis in `Replaced by:`."""

STAMP_CHARACTERS = len("2026-09-13T09-00-12Z")
"""How long every stamp is."""
COUNTER_DIGITS = 2
"""How many digits count the names of one second."""

MEMORY_VIEW = "Memory view"
"""The occasion of a Save on the Memory view."""
PROMPT_TAB = "Prompt tab"
"""The occasion of a publish of the Task."""
DIRECT_RUN = "direct"
"""The occasion of a direct run."""


UNKNOWN_STAMP = "0000-00-00T00-00-00Z"
"""What stands in an archive name for a time that is not known: no date, as long as one, and before all of them."""


def stamp(at: datetime) -> str:
    """A time as archive names spell it: `2026-09-13T09-00-12Z`."""
    return UNKNOWN_STAMP if known(at) is None else iso_z(at).replace(":", "-")


def iso_known(at: datetime | None) -> str | None:
    """A time as JSON has it: as `iso_z` spells it, or None where it is not known."""
    return None if at is None or known(at) is None else iso_z(at)


def iso_z(at: datetime) -> str:
    """A time as the header lines and State spell it: `2026-09-13T09:00:12Z`; `unknown` where it is not known."""
    if known(at) is None:
        return "unknown"
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def slug(name: str) -> str:
    """A user name as a file name: lower case, accents stripped, other scripts kept, the rest `-`; empty becomes `operator`.

    An accent is a mark on a Latin letter; the marks of other scripts (が, й, हि) are part of their letters. A mark on anything else
    (a digit, a sign, an emoji) is dropped.
    """
    kept: list[str] = []
    carries_marks = False
    for character in unicodedata.normalize("NFD", name.lower()):
        if not unicodedata.category(character).startswith("M"):
            carries_marks = character.isalpha() and not unicodedata.name(character, "").startswith("LATIN")
            kept.append(character if character.isalnum() else "-")
        elif carries_marks:
            kept.append(character)
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
    used = max((_place_in_second(name, base) for name in taken if name.startswith(base)), default=0)
    return f"{base}{_counter(used + 1)}-{source_name(author)}.md"


def _counter(place: int) -> str:
    """What follows the stamp of the second and later names of one second; in order as text, since `-` sorts before `_`.

    From the hundredth on a letter counts the digits (`_99`, `_A100`, `_B1000`), since `_100` would sort before `_99`.
    """
    if place == 1:
        return ""
    digits = f"{place:02d}"
    return (
        f"_{digits}"
        if len(digits) == COUNTER_DIGITS
        else f"_{chr(ord('A') + len(digits) - COUNTER_DIGITS - 1)}{digits}"
    )


def _place_in_second(name: str, base: str) -> int:
    """Which of its second's names this one is; counted from the name, since names before it may be pruned."""
    found = re.match(r"_[A-Z]?(\d+)-", name[len(base) :])
    return int(found[1]) if found else 1


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


_CREATION = "agent created by "


def creation_occasion(creator: Author) -> str:
    """The occasion of the empty memory that an agent begins with: `agent created by operator Ana`."""
    return f"{_CREATION}{one_line(str(creator))}"


def is_creation(occasion: str | None) -> bool:
    """Whether a version with this occasion is the empty memory that an agent began with."""
    return occasion is not None and occasion.startswith(_CREATION)


def restore_occasion(version: int) -> str:
    """The occasion of a restore: `restore of version 7`."""
    return f"restore of version {version}"


def header_lines(since: datetime, replaced_at: datetime, author: Author, occasion: str | None) -> tuple[str, str]:
    """The two lines that precede an archived text when it is shown as a file; the text is stored apart from them (decision 12).

    The agent itself, with no run on record, is just `agent` (decision 13); an import's agent, which comes with a commit, is named.
    """
    itself = author.kind is AuthorKind.AGENT and not occasion
    by = str(author.kind) if itself or not author.name else f"{author.kind} {one_line(author.name)}"
    reason = f" ({one_line(occasion)})" if occasion else ""
    return f"Current: {iso_z(since)} → {iso_z(replaced_at)}", f"Replaced by: {by}{reason}"
