"""The demo organisation's files: who is there, what happened, and the texts."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studio.errors import NothingToRead

_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class DemoFiles:
    """The demo as it lies on disk; `data/README.md` describes the format."""

    organisation: dict[str, Any]
    """Organisation, guilds, operators and agents."""
    events: tuple[dict[str, Any], ...]
    """What happened, in order of time."""
    folder: Path
    """Where the texts lie."""

    def text(self, name: str) -> str:
        """A text, byte for byte."""
        return (self.folder / name).read_bytes().decode("utf-8")


def read_demo(package: Path = _PACKAGE) -> DemoFiles:
    """Read the demo: of a checkout, or the copy inside an installed package.

    Raises:
        NothingToRead: the demo's files are not there.
    """
    checkout, packaged = package.parent / "data" / "demo", package / "_packaged" / "data" / "demo"
    folder = packaged if packaged.is_dir() else checkout
    try:
        organisation = json.loads((folder / "organisation.json").read_text(encoding="utf-8"))
        events = json.loads((folder / "events.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise NothingToRead(str(folder), f"the demo's files are missing ({error.strerror})") from None
    return DemoFiles(organisation, tuple(events), folder)
