"""Whatever a client makes up as an argument of any method is answered, or refused in a sentence; it is never a fault of ours."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import open_store

from studio.actions import calls
from studio.actions.studio import Studio
from studio.domain.exchange import dumps, loads
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger
from studio.domain.tokens import Role, Visitor
from studio.errors import StudioError

LOCAL = Visitor(Role.OPERATOR, "Ana", local=True)
ODD: tuple[Any, ...] = (
    *("\x00", "\ud800", "", "x" * 5000, "9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+23:00"),
    *(-1, 0, 2**31, 2**63, 10**20, -(10**30), 1.5, True, None),
    *([], {}, ["\x00"], ["\ud800"], {"\x00": 1}, {"\ud800": "\ud800"}),
)
PLAIN: dict[str, Any] = {
    "agent": "scout",
    "number": 1,
    "version": 1,
    "columns": [{"name": "a", "description": None}],
    "values": {},
    "messages": [],
    "status": "completed",
    "trigger": {"kind": "direct"},
    "role": "viewer",
    "level": "org",
    "scope": "agent",
    "granted": "read",
    "settings": {},
    "data": {},
    "arguments": {"content": "x"},
    "history": {},
    "named": [],
}
"""An argument that is no odd one, by its name; `x` for all others."""
METHODS = [name for name in (*calls.READS, *calls.WRITES) if name != "load_demo"]


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with open_store(tmp_path_factory.mktemp("odd") / "s.duckdb") as opened:
        opened.create_agent("scout")
        opened.create_run("scout", Trigger(RunKind.DIRECT, message="hi"))
        yield opened


@pytest.mark.parametrize("name", METHODS)
def test_an_odd_argument_is_answered_or_refused(
    studio: Studio, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    method = calls.find_method(name)
    assert method is not None
    if method.is_property:
        return
    named = list(method.signature.parameters.values())[1:]
    plain = {one.name: PLAIN.get(one.name, "x") for one in named if one.default is inspect.Parameter.empty}
    if "run" in plain:
        plain["run"] = studio.list_runs("scout")[0].id
    for one in named:
        for value in ODD:
            try:
                answered = calls.carry_out(studio, LOCAL, method, {**plain, one.name: value})
            except StudioError as error:
                assert error.message  # noqa: PT017 - each of many is refused or answered
            else:
                assert loads(dumps({"value": answered}))
