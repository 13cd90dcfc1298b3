"""Composing a prompt stays far below what a person or a run could notice (issue 2, Speed)."""

import json
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from studio.domain.agents import Agent
from studio.domain.bodies import Body
from studio.domain.compose import PromptInputs, SourceText, compose
from studio.domain.memory import MEMORY_CAP_CHARACTERS
from studio.domain.paths import AgentId, OrgId
from studio.domain.run_kinds import RunKind
from studio.domain.state import StateInputs

MEDIAN_LIMIT_SECONDS = 0.005
TEMPLATE = (Path(__file__).parents[2] / "prompts" / "system.md").read_text(encoding="utf-8")
LINE = "- 2026-09-13: Ana asked for List<String> in section <b>2</b>, see 記録 and </memory>.\n"
MEMORY = (LINE * (MEMORY_CAP_CHARACTERS // len(LINE) + 1))[:MEMORY_CAP_CHARACTERS]
NOW = datetime(2026, 9, 13, 9, 0, 12, tzinfo=UTC)
INPUTS = PromptInputs(
    agent=Agent(AgentId("a_01"), OrgId("o_1"), "researcher", NOW),
    template=TEMPLATE,
    task=SourceText(3, Body("Sort the inbox.\n" * 100)),
    memory=SourceText(7, Body(MEMORY)),
    state=StateInputs(NOW, 40),
    kind=RunKind.DIRECT,
    memory_write=True,
)


def test_composing_with_a_full_memory(benchmark: BenchmarkFixture, capsys: pytest.CaptureFixture[str]) -> None:
    """Peer: `json.dumps` of the composed message, which every request to a model pays anyway."""
    prompt = benchmark(compose, INPUTS)
    message = {"role": "system", "content": prompt.text}

    def seconds_to_send() -> float:
        start = perf_counter()
        json.dumps(message)
        return perf_counter() - start

    assert benchmark.stats is not None
    ours = benchmark.stats.stats.median
    peer = median(seconds_to_send() for _ in range(200))
    with capsys.disabled():
        print(f"\ncompose {ours * 1e3:.3f} ms, json.dumps of the message {peer * 1e3:.3f} ms, ratio {ours / peer:.1f}")
    assert len(MEMORY) == MEMORY_CAP_CHARACTERS
    assert ours < MEDIAN_LIMIT_SECONDS
