"""Display paths: printed and taken apart without loss, and judged by segment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.paths import AgentId, OrgId, PromptFileKind, archive_path, memory_path, parse, segments, task_path
from studio.errors import UnknownPath

ORG, AGENT = OrgId("o_1"), AgentId("a_01")
NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="/\\"), min_size=1).filter(
    lambda name: name not in {".", ".."}
)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (task_path(ORG, AGENT), PromptFileKind.TASK),
        (memory_path(ORG, AGENT), PromptFileKind.MEMORY),
        (archive_path(ORG, AGENT, "2026-09-13T09-00-12Z-r_ab12cd.md"), PromptFileKind.ARCHIVE),
    ],
    ids=["task", "memory", "archive"],
)
def test_the_three_kinds(path: str, kind: PromptFileKind) -> None:
    file = parse(path)
    assert (file.kind, file.org, file.agent) == (kind, ORG, AGENT)
    assert str(file) == path


@given(org=NAMES, agent=NAMES, name=NAMES)
def test_a_path_printed_and_parsed_is_the_same(org: str, agent: str, name: str) -> None:
    for path in (
        task_path(OrgId(org), AgentId(agent)),
        memory_path(OrgId(org), AgentId(agent)),
        archive_path(OrgId(org), AgentId(agent), f"{name}.md"),
    ):
        assert str(parse(path)) == path


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("..", id="path-02-dots"),
        pytest.param("a/..", id="path-02-trailing"),
        pytest.param("a/../..", id="path-02-twice"),
        pytest.param("./..", id="path-02-after-dot"),
        pytest.param("a/..\\b", id="path-02-backslash"),
        pytest.param("org\\o_1\\agents\\a_01\\memory.md", id="backslashes-only"),
        pytest.param("org/o_1/agents/a_01/history-archive/../memory.md", id="up-from-the-archive"),
        pytest.param("org/o_1/agents/../agents/a_01/memory.md", id="up-and-back"),
        pytest.param("org//agents/a_01/memory.md", id="empty-segment"),
        pytest.param("/org/o_1/agents/a_01/memory.md", id="leading-slash"),
        pytest.param("org/o_1/agents/a_01/memory.md/", id="trailing-slash"),
        pytest.param("org/o_1/agents/a\n1/memory.md", id="line-break"),
        pytest.param("org/o_1/agents/a\x001/memory.md", id="nul"),
        pytest.param("org/o_1/agents/a\ud8001/memory.md", id="lone-surrogate"),
        pytest.param("", id="empty"),
    ],
)
def test_paths_that_are_none(path: str) -> None:
    with pytest.raises(UnknownPath):
        segments(path)


@pytest.mark.parametrize(
    "path",
    [
        "org/o_1/agents/a_01/notes.md",
        "org/o_1/agents/a_01/memory.md.md",
        "org/o_1/agents/a_01/MEMORY.md",
        "org/o_1/agents/a_01/history-archive/x.txt",
        "org/o_1/agents/a_01/history-archive/a/b.md",
        "org/o_1/agents/a_01",
        "org/o_1/agents/a_1/%2e%2e/secret.md",
        "teams/o_1/agents/a_01/memory.md",
    ],
)
def test_paths_of_nothing_we_keep(path: str) -> None:
    with pytest.raises(UnknownPath, match="Unknown path"):
        parse(path)
