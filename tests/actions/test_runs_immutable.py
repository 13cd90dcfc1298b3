"""Message 0 of a run: the whole composed string, which nothing changes and which outlives its sources (decision 27)."""

import hashlib
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from builders import PROMPTS, Clock, blank_store, context_of, delete_live_memory, overwrite, publish

from studio.actions.agent_tool_specs import AGENT_TOOLS
from studio.actions.runs import create_run
from studio.actions.studio import Studio
from studio.domain.prices import Login, Quote, Quotes
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Message, Role, RunStatus, Trigger
from studio.domain.settings import AgentSettings
from studio.errors import BadArgument, StudioError

STORE = Path(__file__).parents[2] / "studio" / "store"
WAKE = Trigger(RunKind.SCHEDULE, instruction="check inbox")
NOTE = "guild rule\n"


class Prices:
    """A price service with one price for all."""

    def __init__(self, usd: float = 1.0) -> None:
        self.usd = usd

    def __call__(self, login: Login) -> Quotes:
        return {coin.id: Quote(self.usd) for coin in login.pinned}


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    folder = tmp_path / "prompts"
    shutil.copytree(PROMPTS, folder)
    return folder


@pytest.fixture
def surrounded(prompts: Path, clock: Clock) -> Iterator[Studio]:
    """A store with an agent whose prompt has every kind of source."""
    with blank_store(clock, prompts=prompts) as studio:
        studio.create_agent("mate", focus="help", guild="harbour")
        agent = studio.create_agent("scout", focus="watch", guild="harbour")
        path = f"org/{agent.org}/notes/rule.md"
        studio.notes.create(path, NOTE)
        publish(studio, "scout", f"![[{path}]]")
        overwrite(studio, "scout", "remembered\n")
        logins = [{"name": "market", "pinned_prices": [{"id": "bitcoin", "symbol": "btc", "name": "Bitcoin"}]}]
        studio._context = replace(context_of(studio), prices=Prices())
        studio.configure_agent_from("scout", {"logins": logins, "bindings": {"guild": {"prices": "market"}}})
        yield studio


def digest(studio: Studio, run: str) -> str:
    return hashlib.sha256(studio.get_run(run)[1][0].content.encode()).hexdigest()


def test_message_0_stays_when_all_its_sources_change(surrounded: Studio, prompts: Path) -> None:
    """immutability-01."""
    studio = surrounded
    run = studio.create_run("scout", WAKE)
    message = studio.get_run(run.id)[1][0].content
    for source in ("guild rule", "remembered", '"mate"', '"usd": 1.0', "How you work here"):
        assert source in message
    before, made = digest(studio, run.id), run.composed_from

    (prompts / "system.md").write_text("Changed.\n", encoding="utf-8")
    path = run.composed_from.notes[0][0]
    studio.notes.edit(path, "another rule\n", force=True)
    publish(studio, "scout", "no embed any more")
    studio.notes.delete(path)
    overwrite(studio, "scout", "rewritten\n")
    delete_live_memory(studio, "scout")
    studio.configure_agent("mate", AgentSettings(name="first mate"))
    studio._context = replace(context_of(studio), prices=Prices(2.0))
    studio.configure_agent("scout", AgentSettings(memory=False, guild=""))

    assert digest(studio, run.id) == before
    assert studio.get_run(run.id)[0].composed_from == made
    later = studio.create_run("scout", WAKE)
    assert digest(studio, later.id) != before


@pytest.mark.parametrize("kind", list(RunKind))
def test_message_0_is_the_whole_composed_string(surrounded: Studio, kind: RunKind) -> None:
    """system-message-01: role system, sections in their order, and nothing before or after them."""
    run = surrounded.create_run("scout", Trigger(kind))
    first = surrounded.get_run(run.id)[1][0]
    assert (first.position, first.role, first.source) == (0, Role.SYSTEM, None)
    preview = surrounded.preview("scout", kind=kind).text
    assert first.content == preview.replace('"unavailable": "a preview does not fetch prices"', '"usd": 1.0')
    sections = re.findall(r"^</?(guidelines|task|state|memory)>$", first.content, re.MULTILINE)
    assert sections == [name for name in ("guidelines", "task", "state", "memory") for _ in range(2)]
    assert first.content.startswith("<guidelines>")
    assert first.content.endswith("</memory>")


def test_a_run_names_the_notes_it_was_composed_from(surrounded: Studio) -> None:
    """Decision 26, after reading back too."""
    run = surrounded.create_run("scout", WAKE)
    ((path, sha256),) = surrounded.get_run(run.id)[0].composed_from.notes
    assert path.endswith("/notes/rule.md")
    assert sha256 == hashlib.sha256(NOTE.encode()).hexdigest()


def test_no_action_on_a_run_changes_its_message_0(surrounded: Studio, clock: Clock) -> None:
    """Rows are appended; there is no way to write over one."""
    run = surrounded.create_run("scout", Trigger(RunKind.DIRECT)).id
    before = surrounded.get_run(run)[1][0]
    for position in (-1, 0, 2):
        with pytest.raises(BadArgument, match="has the position 1"):
            surrounded.add_messages(run, (Message(position, Role.SYSTEM, "forged", clock.now),))
    for name in AGENT_TOOLS:
        surrounded.call_tool("scout", name, {"path": run, "content": "forged"}, run=run)
    surrounded.finish_run(run, RunStatus.COMPLETED)
    with pytest.raises(StudioError):
        surrounded.add_messages(run, (Message(1, Role.SYSTEM, "forged", clock.now),))
    with pytest.raises(BadArgument, match="There is a run"):
        create_run(context_of(surrounded), "mate", WAKE, run_id=run)
    assert surrounded.get_run(run)[1] == (before,)


def test_the_store_has_no_statement_that_changes_or_removes_a_row_of_a_run() -> None:
    written = [path.read_text(encoding="utf-8") for path in (*STORE.glob("*.py"), *STORE.glob("schema/*.sql"))]
    statements = re.findall(r"(?:UPDATE|DELETE FROM|INSERT(?: OR REPLACE)? INTO)\s+messages\b", "\n".join(written))
    assert statements == ["INSERT INTO messages"]
