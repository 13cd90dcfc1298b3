"""The one table of everything that the API answers, and the Tornado routes made of it."""

import re
from collections.abc import Collection, Sequence
from typing import Any

from tornado.web import Application

from studio.actions.listening import Gate
from studio.api import (
    agents,
    calls,
    collections,
    directories,
    directory_changes,
    directory_history,
    driving,
    imports,
    linting,
    memory,
    notes,
    openapi,
    runs,
    system,
    tasks,
    tokens,
)
from studio.api.handler import Endpoint, OpenStore
from studio.api.operations import EVERYONE, Answer, Call, Operation, Route, answer
from studio.api.problems import Problem

NUMBERS = frozenset({"version", "draft"})
"""The parts of paths that are numbers."""
TornadoRoute = tuple[str, type[Endpoint], dict[str, Any]]


def read_openapi(_: Call) -> Answer:
    """Describe this API as OpenAPI 3.1."""
    return answer(openapi.document(TABLE))


TABLE: tuple[Route, ...] = (
    *system.ROUTES,
    Route("/api/openapi.json", {"GET": Operation(read_openapi, EVERYONE, answers={"type": "object"})}),
    *agents.ROUTES,
    *memory.ROUTES,
    *tasks.ROUTES,
    *linting.ROUTES,
    *directories.ROUTES,
    *directory_history.ROUTES,
    *directory_changes.ROUTES,
    *runs.ROUTES,
    *driving.ROUTES,
    *notes.ROUTES,
    *collections.ROUTES,
    *imports.ROUTES,
    *tokens.ROUTES,
    *calls.ROUTES,
)
"""Every route with its operations: what the handler enforces and the OpenAPI document says."""


class Nothing(Endpoint):
    """Answers every other path below `/api`."""

    async def get(self, **_: str) -> None:
        """Say that there is nothing here; the other methods likewise."""
        raise Problem(404, "There is no such path; /api/openapi.json lists those there are.")

    head = post = put = patch = delete = options = get


def routes_for(store: OpenStore, gate: Gate | None = None, names: Collection[str] = ()) -> list[TornadoRoute]:
    """The Tornado routes that answer from a store.

    Args:
        store: gives the open store; it is told the URL at which this server listens.
        gate: what whoever stops the server closes; one that stays open without it.
        names: what the server may be called beside `localhost` and its own addresses.
    """
    shared = _shared(store, gate, names)
    found: list[TornadoRoute] = [
        (pattern(one.path), Endpoint, {"path": one.path, "operations": one.operations, **shared}) for one in TABLE
    ]
    return [*found, (r"/api(?:/.*)?", Nothing, {"path": "/api", "operations": {}, **shared})]


def application_for(store: OpenStore, gate: Gate | None = None, names: Collection[str] = ()) -> Application:
    """An application of nothing but the API: every other path is a problem too. Takes what `routes_for` does."""
    nothing = {"path": "other", "operations": {}, **_shared(store, gate, names)}
    return Application(routes_for(store, gate, names), default_handler_class=Nothing, default_handler_args=nothing)


def _shared(store: OpenStore, gate: Gate | None, names: Collection[str]) -> dict[str, Any]:
    return {"store": store, "gate": gate or Gate(), "names": names}


def reference() -> str:
    """The routes as the README lists them: each with its methods, the parts of its path in capitals."""
    lines = [
        f"{' '.join(one.operations):<17} {re.sub('{.+?}', lambda part: part[0][1:-1].upper(), one.path)}\n"
        for one in TABLE
    ]
    return "".join(lines)


def pattern(path: str) -> str:
    """A path of the table as Tornado matches it: a part is whatever stands between two slashes, a number is digits."""
    parts: Sequence[str] = re.split(r"\{(\w+)\}", path)
    made = [
        re.escape(part) if place % 2 == 0 else f"(?P<{part}>{'[0-9]{1,9}' if part in NUMBERS else '[^/]+'})"
        for place, part in enumerate(parts)
    ]
    return "".join(made)
