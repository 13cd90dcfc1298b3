"""Writes that may be sent again, because their answer got lost on the way."""

from dataclasses import dataclass
from datetime import timedelta

KEPT_FOR = timedelta(hours=24)
"""How long a repeat is known for one."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What is kept of a request that came with a key."""

    fingerprint: str
    """sha256 of the request."""
    answer: bytes | None
    """What was answered; None for one that was begun and not answered."""
