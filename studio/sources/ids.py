"""New ids: the one place that draws random characters."""

import secrets
from collections.abc import Callable

Ids = Callable[[str], str]
"""Gives a new id for a prefix: `Ids("r")` is `r_` and random characters."""

RANDOM_BYTES = {"r": 5, "a": 5, "g": 4, "o": 4}
"""How many random bytes follow each prefix: enough that a store never meets the same id twice."""


SECRET_BYTES = 32
"""How many random bytes a secret holds: it cannot be guessed, so storing its plain sha256 is enough."""


def random_secret() -> str:
    """A new secret from the machine's randomness, fit for a header."""
    return secrets.token_urlsafe(SECRET_BYTES)


def random_ids(prefix: str) -> str:
    """An id from the machine's randomness."""
    return f"{prefix}_{secrets.token_hex(RANDOM_BYTES.get(prefix, 8))}"
