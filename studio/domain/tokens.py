"""Who may come in over HTTP: tokens, their roles, and the visitor that a request turns out to be."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from studio.domain.paths import AgentId


class Role(StrEnum):
    """What a token's holder may do."""

    OPERATOR = "operator"
    """Everything."""
    VIEWER = "viewer"
    """Read what operators read, but no archive file; write nothing."""
    AGENT = "agent"
    """Run and write as its own agent, with that agent's rights; nothing of any other agent's, and no archive."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is kept; the secret itself is shown once and never stored."""

    name: str
    """Its unique name; an operator's token writes under it."""
    role: Role
    """What its holder may do."""
    agent: AgentId | None
    """The agent it acts as; only for `Role.AGENT`."""
    created_at: datetime
    """When it was made (UTC)."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who sends a request."""

    role: Role
    """What they may do."""
    name: str
    """The name that their writes bear where they are an operator, else the token's."""
    agent: AgentId | None = None
    """The agent they act as; only for `Role.AGENT`."""
    local: bool = False
    """Whether they came with the secret beside the lock file: a program of the same system user, which may name the operator."""


class Ticket(NamedTuple):
    """What a browser keeps, signed, of the token that somebody signed in with: enough to find the token, and no secret."""

    name: str
    """The token's name."""
    mark: str
    """Tells it from another token of the same name."""


def hash_of(secret: str) -> str:
    """What is stored of a token's secret: its sha256. The secret is 32 random bytes, so nothing slower is needed."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()
