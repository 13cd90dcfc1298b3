"""Send a call to the process that owns a store, and take its value or its error home as they were."""

import secrets
from typing import Any

from studio import errors
from studio.actions.calls import LEASES, Method
from studio.domain.exchange import Json, NotOfType, dumps, from_json, loads, to_json
from studio.errors import BadArgument, CallTooLarge, OwnerFailed, OwnerFault, Refused, StoreClosed, StudioError
from studio.sources.owner import Connection, Reply

PATH = "/api/studio/"
"""Where an owner takes calls, each below it by its name."""
KEY_BYTES = 16
"""How many random bytes the key of a write has."""
SAID_CAP_CHARACTERS = 300
"""How much of an answer that is none of ours is quoted."""
FORBIDDEN = 403
TOO_LARGE = 413
"""Statuses of requests that were refused before any method was called."""


class Caller:
    """Sends calls over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._closed = False

    @property
    def where(self) -> str:
        """Names the store in sentences."""
        return self._connection.where

    def close(self) -> None:
        """Send no more."""
        self._closed = True
        self._connection.close()

    def call(self, method: Method, arguments: dict[str, Any]) -> Any:  # noqa: ANN401 - of the method's own type
        """Make a call and give its value, or raise what it raised.

        A write bears a key of its own, by which its owner carries it out once however often it arrives.
        """
        if self._closed:
            raise StoreClosed(self.where)
        keyed = method.writes and method.name not in LEASES
        headers = {"Idempotency-Key": secrets.token_hex(KEY_BYTES)} if keyed else {}
        sent = _sent(method, arguments)
        reply = self._connection.post(PATH + method.name, sent, headers=headers, writes=keyed)
        if reply.status == TOO_LARGE:
            raise CallTooLarge(method.name, len(sent))
        try:
            answer = loads(reply.body)
            if "value" in answer:
                return from_json(answer["value"], method.types()["return"])
            error = _raised(answer, reply, self.where)
        except (NotOfType, KeyError, TypeError, AttributeError):
            error = OwnerFailed(self.where, f"HTTP {reply.status}: {_quoted(reply)}")
        raise error


def _sent(method: Method, arguments: dict[str, Any]) -> bytes:
    """The arguments as JSON.

    Raises:
        BadArgument: one is not of the method's types, or is no number.
    """
    types = method.types()
    try:
        return dumps({"arguments": {name: to_json(value, types[name]) for name, value in arguments.items()}})
    except NotOfType as error:
        raise BadArgument(f"{method.name}: {error}.") from None


def error_record(error: StudioError) -> dict[str, Any]:
    """An error as it is sent: its class, its sentence and what else it carries."""
    kind = next(one for one in type(error).__mro__ if getattr(errors, one.__name__, None) is one)
    more = {name: value for name, value in vars(error).items() if name != "message"}
    return {"class": kind.__name__, "message": error.message, "fields": more}


def _raised(problem: Json, reply: Reply, where: str) -> StudioError:
    """An error as it was raised at the owner, or what refused the request before any method was called."""
    if "error" in problem:
        return _rebuilt(problem["error"])
    detail = str(problem["detail"])
    if isinstance(kind := getattr(errors, problem.get("code", ""), None), type) and issubclass(kind, StudioError):
        return _rebuilt({"class": kind.__name__, "message": detail, "fields": {}})
    if reply.status == FORBIDDEN:
        return Refused(detail)
    return OwnerFault(where, detail) if problem.get("kind") == "fault" else OwnerFailed(where, detail)


def _rebuilt(record: Json) -> StudioError:
    """An error from its record.

    Raises:
        NotOfType: there is no such error here: the owner is of another version.
    """
    kind = getattr(errors, record["class"], None)
    if not (isinstance(kind, type) and issubclass(kind, StudioError)):
        raise NotOfType("no error of ours")
    error = kind.__new__(kind)
    StudioError.__init__(error, record["message"])
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in record["fields"].items()}
    vars(error).update(fields)
    return error


def _quoted(reply: Reply) -> str:
    return reply.body.decode("utf-8", "replace")[:SAID_CAP_CHARACTERS]
