"""What the API can do, as values: one operation for each method of each route.

The same value says who may call it, what it takes and what it answers. The handler enforces it and the OpenAPI document is made from
it, so that neither can say what the other does not.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from studio.actions.studio import Studio
from studio.api.parameters import Parameter, Schema
from studio.api.problems import as_json
from studio.api.tables import Table
from studio.domain.tokens import Role, Visitor
from studio.errors import BadArgument

JSON = "application/json"
MARKDOWN = "text/markdown; charset=utf-8"
BODY_LIMIT_BYTES = 16 * 2**20
"""How large a body may be where nothing else is said; no memory or Task of anybody's is near that."""
ANY = "*"
"""As `If-Match`: whatever is there; an operator says with it that they write over it."""

OPERATORS = frozenset({Role.OPERATOR})
READERS = frozenset({Role.OPERATOR, Role.VIEWER})
RUNTIMES = frozenset({Role.OPERATOR, Role.AGENT})
EVERYONE = frozenset(Role)


class Guarding(StrEnum):
    """What a write must say about what it replaces (decision 37)."""

    NONE = "none"
    """Nothing: it replaces nothing, or all of it by rule."""
    MATCH = "match"
    """`If-Match`: the ETag of what it replaces, or `*`."""
    MATCH_OR_NEW = "match_or_new"
    """That, or `If-None-Match: *` where there is nothing to replace."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an operation answers."""

    body: bytes = b""
    """The content as it is sent."""
    content_type: str = JSON
    """Its media type."""
    status: int = 200
    """The HTTP status."""
    etag: str | None = None
    """Of all that a write over what was read or written can change: what it gives back as `If-Match` (decision 37)."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Other headers."""
    secret: bool = False
    """Whether it holds what is stored nowhere, so that a repeat is not told it again."""

    @property
    def is_the_text(self) -> bool:
        """Whether the ETag is of the very bytes, so that they need not be sent again; JSON says more, such as who wrote it."""
        return self.etag is not None and self.content_type != JSON


def answer(value: object, *, status: int = 200, etag: str | None = None, **headers: str) -> Answer:
    """A JSON value as an answer."""
    return Answer(
        as_json(value), status=status, etag=etag, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )


@dataclass(frozen=True)
class Call:
    """One request, judged: who asks, for what."""

    studio: Studio
    """The open store, as whoever asks has it: writes bear the visitor's name."""
    visitor: Visitor
    """Who asks."""
    named: Mapping[str, str]
    """The parts of the path, decoded once."""
    query: Mapping[str, Any]
    """The query, as its schemas read it."""
    body: bytes
    """What was sent."""
    match: str | None = None
    """`If-Match` without quotes."""
    only_new: bool = False
    """Whether `If-None-Match: *` says that there must be nothing yet."""
    data: Any = None
    """The body of an operation that takes JSON."""
    arrow: bool = False
    """Whether the caller wants a table as Arrow."""
    yes_to: tuple[str, ...] = ()
    """The words of `Studio-Confirm`: the questions that are answered with yes (decision 39)."""

    @property
    def as_agent(self) -> str | None:
        """The agent that acts, or None for a person."""
        return self.visitor.agent

    @property
    def agent(self) -> str:
        """The agent that the path names, by its id."""
        return self.named["agent"]

    @property
    def expect(self) -> str | None:
        """sha256 of what a write replaces; None with `If-Match: *`."""
        return None if self.match == ANY else self.match

    @property
    def force(self) -> bool:
        """Whether the operator said to write over whatever is there."""
        return self.match == ANY

    @cached_property
    def text(self) -> str:
        """The body as text, exactly as sent.

        Raises:
            BadArgument: it is not UTF-8.
        """
        try:
            return self.body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadArgument(f"The body is not UTF-8 text (byte {error.start}); nothing was written.") from None


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one route."""

    act: Callable[[Call], Answer]
    """What is done, in a thread of its own; its first docstring line is the summary."""
    roles: frozenset[Role]
    """Who may; an agent only where the path names its own agent or run."""
    query: tuple[Parameter, ...] = ()
    """What it takes in the query, beside how to page its table; anything else there is refused."""
    takes: Schema | None = None
    """The JSON that it takes as its body."""
    takes_text: str | None = None
    """The media type of a text that it takes, byte for byte."""
    guarding: Guarding = Guarding.NONE
    """What it must say about what it replaces."""
    asks: bool = False
    """Whether it makes a text live, so that it may ask first (decision 39)."""
    answers: Schema | None = None
    """The JSON that it answers with; None for a text or nothing."""
    answers_text: str | None = None
    """The media type of a text that it answers with."""
    status: int = 200
    """The status when it is done."""
    open: bool = False
    """Whether it needs no sign-in."""
    closed_by: str | None = None
    """The parameter of the query with which an open one needs an operator's sign-in after all."""
    table: Table | None = None
    """The table that it answers with, as JSON or as Arrow."""
    reads: bool = False
    """Whether it changes nothing although its method is POST, for what it is asked does not fit a query."""
    long: bool = False
    """Whether it takes long between its writes, as a model does."""
    limit_bytes: int = BODY_LIMIT_BYTES
    """How large a body may be."""
    whole_errors: bool = False
    """Whether an error is told with all that it carries, for a remote studio that raises it again."""

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All that it takes in the query."""
        return self.query if self.table is None else (*self.query, *self.table.query)

    @property
    def answered(self) -> Schema | None:
        """The JSON that it answers with."""
        return self.answers if self.table is None else self.table.answers

    def takes_key(self, method: str) -> bool:
        """Whether a request may bear an `Idempotency-Key`: every write may."""
        return method != "GET" and not self.reads


@dataclass(frozen=True, slots=True)
class Route:
    """A path and its methods."""

    path: str
    """As OpenAPI writes it: `/api/agents/{agent}`."""
    operations: Mapping[str, Operation]
    """By method, in capitals."""
