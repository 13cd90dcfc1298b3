"""The OpenAPI document: it says everything that is answered, and what it says holds under generated requests."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from builders import wake
from hypothesis import HealthCheck, Phase, given, settings
from rest_served import Served, serving
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance, unsupported_method

from studio.api import ROUTES
from studio.api.imports import LINES
from studio.api.openapi import document
from studio.api.routes import TABLE, pattern
from studio.domain.tokens import Role

EXAMPLES = 4
"""Requests for each operation; enough to try every parameter, few enough to stay quick."""
QUICK = settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    database=None,
)
EXCLUDED = [ignored_auth, unsupported_method, positive_data_acceptance]
"""The first two are tested by name in `test_doors`; the last cannot hold: what is well formed may still break a rule of the house."""


@schemathesis.serializer(LINES)
def lines(_: object, value: object) -> bytes:
    """JSON Lines as generated requests send them."""
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()


@pytest.fixture(scope="module")
def probed(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A store of its own: generated requests rename and write what is there."""
    file = tmp_path_factory.mktemp("probed") / "s.duckdb"
    shutil.copy(made, file)
    with serving(file) as one:
        yield one


def test_every_route_is_in_the_document_and_nothing_else() -> None:
    said = {(path, method.upper()) for path, methods in document(TABLE)["paths"].items() for method in methods}
    assert said == {(route.path, method) for route in TABLE for method in route.operations}
    assert len(
        {one["operationId"] for methods in document(TABLE)["paths"].values() for one in methods.values()}
    ) == len(said)


def test_every_route_of_the_server_is_of_the_table() -> None:
    served = [found for found, _, _ in ROUTES]
    assert served == [*(pattern(route.path) for route in TABLE), r"/api(?:/.*)?"]
    assert all(re.compile(one) for one in served)


def test_the_paths_of_the_spec_are_there() -> None:
    paths = document(TABLE)["paths"]
    assert "get" in paths["/api/agents/{agent}/memory"]
    assert "put" in paths["/api/agents/{agent}/files/memory.md"]


def test_it_is_served_as_it_is(standing: Served) -> None:
    told = standing.local.get("/api/openapi.json")
    assert told.json() == document(TABLE)


DESCRIBED = schemathesis.openapi.from_dict(document(TABLE))
ASKED = [
    (route.path, method, mode)
    for route in TABLE
    for method, operation in route.operations.items()
    for mode in GenerationMode
    # There is nothing to get wrong about /health, nor about a text that is only asked about.
    if mode.is_positive or not (operation.open or (operation.reads and operation.takes_text))
]


@pytest.mark.parametrize(("path", "method", "mode"), ASKED)
def test_what_it_says_holds(probed: Served, path: str, method: str, mode: GenerationMode) -> None:
    """Statuses, media types and shapes are those of the document, nothing ends in a fault, and what is malformed is refused."""
    desk = probed.studio.list_agents()[0].agent.id
    there = {"agent": desk, "version": 1, "draft": 1, "run": wake(probed.studio, desk)}
    # Not a program of the system user who serves: generated names of folders and scripts must not reach the machine.
    prober = dict(probed.holder("prober", Role.OPERATOR).headers)
    cases = DESCRIBED[path][method].as_strategy(generation_mode=mode)

    @QUICK
    @given(case=cases)
    def holds(case: schemathesis.Case[Any]) -> None:
        if mode.is_positive:
            case.path_parameters.update((name, there[name]) for name in case.path_parameters.keys() & there.keys())
        case.call_and_validate(base_url=probed.url, headers=prober, excluded_checks=EXCLUDED, timeout=60)

    holds()
