"""An error is told alike through both doors: a route of REST, and the remote studio's own, which says more of it."""

import inspect
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from rest_served import Served

from studio import errors
from studio.api.problems import STATUS_OF_FAMILY, problem_of, status_of
from studio.api.routes import TABLE
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger
from studio.errors import Busy, NotAllowed, Stopping, StudioError

Doors = tuple[httpx.Response, httpx.Response]
"""The answers of a route and of the remote studio's door to the same."""


def call(served: Served, method: str, **arguments: Any) -> httpx.Response:
    return served.local.post(f"/api/studio/{method}", json={"arguments": arguments})


def unknown(served: Served) -> Doors:
    return served.local.get("/api/agents/nobody"), call(served, "get_agent", agent="nobody")


def refused(served: Served) -> Doors:
    name = "two\nlines"
    return served.local.post("/api/agents", json={"name": name}), call(served, "create_agent", name=name)


def stale(served: Served) -> Doors:
    return served.save("scout", "x", f'"{"0" * 64}"'), call(
        served, "save_memory", agent="scout", text="x", expect="0" * 64
    )


def busy(served: Served) -> Doors:
    run = served.studio.create_run("scout", Trigger(RunKind.DIRECT, message="hello")).id
    served.studio.take_run(run)
    rows = [{"role": "assistant", "content": "x"}]
    whole = [{"position": 2, "role": "assistant", "content": "x", "at": "2026-09-12T09:00:07Z"}]
    return served.local.post(f"/api/runs/{run}/messages", json={"messages": rows}), call(
        served, "add_messages", run=run, messages=whole
    )


@pytest.mark.parametrize(
    ("ask", "status", "code"),
    [
        (unknown, 404, "UnknownAgent"),
        (refused, 422, "BadName"),
        (stale, 409, "TextChanged"),
        (busy, 503, "RunGenerating"),
    ],
)
def test_both_doors_tell_an_error_alike(served: Served, ask: Callable[[Served], Doors], status: int, code: str) -> None:
    route, door = ask(served)
    for answer in (route, door):
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
        assert answer.headers.get("Retry-After") == ("1" if status == 503 else None)
    one, other = route.json(), door.json()
    same = ("type", "title", "status", "kind", "code", "detail")
    assert [one[name] for name in same] == [other[name] for name in same]
    assert "error" not in one
    assert (other["error"]["class"], other["error"]["message"]) == (code, one["detail"])


EVERY = [one for _, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, StudioError)]


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("whole", [False, True])
def test_every_error_has_the_status_of_its_family(kind: type[StudioError], *, whole: bool) -> None:
    """But what a role does not reach, which is 403 wherever it is said."""
    error = kind.__new__(kind)
    StudioError.__init__(error, "What happened.")
    vars(error).update(dict.fromkeys(("findings", "live_sha256", "version", "questions"), "x"))
    problem = problem_of(error, None, whole=whole)
    family = next((status for one, status in STATUS_OF_FAMILY.items() if issubclass(kind, one)), 422)
    assert problem.status == status_of(error) == (403 if issubclass(kind, NotAllowed) else family)
    assert ("Retry-After" in problem.headers) == issubclass(kind, Busy)
    assert ("Connection" in problem.headers) == issubclass(kind, Stopping)
    record = problem.record("r-1")
    assert (record["kind"], record["code"], record["detail"]) == (error.kind, kind.__name__, "What happened.")
    assert ("error" in record) == whole


def test_only_the_remote_studios_door_tells_errors_whole() -> None:
    whole = {route.path for route in TABLE for one in route.operations.values() if one.whole_errors}
    assert whole == {"/api/studio/import_history", "/api/studio/{method}"}
