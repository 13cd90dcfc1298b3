"""A run of an agent: what started it, its chat rows, and what it was composed from."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, assert_never

from studio.domain.agents import DEFAULT_MAX_TOOL_CALLS
from studio.domain.archive import DIRECT_RUN, group_occasion, iso_z, schedule_occasion
from studio.domain.compose import MadeOf
from studio.domain.paths import AgentId, RunId
from studio.domain.run_kinds import RunKind
from studio.errors import BadSetting

DEFAULT_MAX_STEPS = 50
"""How many generations a turn of a run may take when nobody set another number."""
MAX_STEPS_CAP = 10_000
"""The most that a run can be set to."""
WRAP_UP_FROM_CALLS = 8
"""With this many calls left or fewer, every tool result asks the agent to wrap up (decision 27)."""
WRAP_UP_LINE = "Few tool calls are left: stop exploring, write down what you found, and finish with text."
"""Stands directly above the trailer then."""


class RunStatus(StrEnum):
    """Where a run stands."""

    OPEN = "open"
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"


class Role(StrEnum):
    """Who a chat row is from, as a model is told."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that an assistant row asks for."""

    id: str
    """Its id within the run."""
    name: str
    """The tool."""
    arguments: str
    """The arguments as JSON text, as the model gave them."""


@dataclass(frozen=True, slots=True)
class Message:
    """One chat row of a run; row 0 is the composed prompt and never changes (decision 27)."""

    position: int
    """Its place, from 0."""
    role: Role
    """Who it is from."""
    content: str
    """Its text."""
    at: datetime
    """When it was added (UTC)."""
    source: str | None = None
    """What inserted it where that is not the role's own, e.g. `memory` for the reminder."""
    tool_calls: tuple[ToolCall, ...] = ()
    """The calls of an assistant row."""
    tool_call_id: str | None = None
    """The call that a tool row answers."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """What started a run."""

    kind: RunKind
    """Which kind."""
    message: str | None = None
    """The submitted message of a direct run, or the newest message of a group."""
    sender: str | None = None
    """Who sent the group's message."""
    tags: tuple[str, ...] = ()
    """The names that the group's message tagged."""
    tagged: bool = False
    """Whether this agent was among them."""
    instruction: str | None = None
    """The stored instruction of a schedule."""
    previous_run_at: datetime | None = None
    """When that schedule's previous run was created (UTC)."""

    @property
    def occasion(self) -> str:
        """What an archive's second header line says in brackets (decision 13)."""
        match self.kind:
            case RunKind.DIRECT:
                return DIRECT_RUN
            case RunKind.GROUP:
                return group_occasion(self.tags)
            case RunKind.SCHEDULE:
                return schedule_occasion(self.instruction or "")
            case _:
                assert_never(self.kind)


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run, without its chat rows."""

    id: RunId
    """Its id, `r_` and random characters."""
    agent: AgentId
    """The agent that ran."""
    kind: RunKind
    """What started it."""
    status: RunStatus
    """Where it stands."""
    created_at: datetime
    """When it was created: the clock of its State (UTC)."""
    composed_from: MadeOf
    """The versions and hashes its prompt was made of (decision 26)."""
    finished_at: datetime | None = None
    """When it ended (UTC)."""
    instruction: str | None = None
    """The schedule's instruction."""
    tags: tuple[str, ...] = ()
    """The names that were tagged."""
    memory_skipped: bool = False
    """Whether a one-shot run completed without a `memory_write` (decision 28)."""
    failure: str | None = None
    """Why it failed, in one sentence."""
    tools: tuple[str, ...] = ()
    """The tools it is offered, as its prompt says."""
    max_steps: int = DEFAULT_MAX_STEPS
    """How many generations a turn of it may take."""
    max_tool_calls: int = DEFAULT_MAX_TOOL_CALLS
    """How many tool calls it may make, as its State says."""

    @property
    def metadata(self) -> dict[str, object]:
        """What is known about how it ended: `memory_skipped: true` or no such key (decision 28), `failure` likewise."""
        skipped: dict[str, object] = {"memory_skipped": True} if self.memory_skipped else {}
        return skipped if self.failure is None else skipped | {"failure": self.failure}

    @property
    def occasion(self) -> str:
        """What an archive's second header line says in brackets (decision 13)."""
        return Trigger(self.kind, tags=self.tags, instruction=self.instruction).occasion


OPENING_CAP_CHARACTERS = 200
"""How much of a run's opening message its outline holds."""


class Step(NamedTuple):
    """Where a run wrote a version: what Open step opens."""

    run: RunId
    """The run."""
    position: int
    """The assistant's row that holds the call."""
    call: str
    """The id of the call within the run."""


class RunOutline(NamedTuple):
    """What a list shows of a run's chat rows, without reading them."""

    steps: int = 0
    """Generations: its assistant rows."""
    tool_calls: int = 0
    """Calls that were answered."""
    opening: str = ""
    """The beginning of the message that the run was opened with, if it was."""


def opening_rows(prompt: str, trigger: Trigger, now: datetime) -> tuple[Message, ...]:
    """The rows a run begins with: the composed prompt, then what its kind adds (decision 29)."""
    rows = [Message(0, Role.SYSTEM, prompt, now)]
    text = _opening_message(trigger)
    if text is not None:
        rows.append(Message(1, Role.USER, text, now))
    return tuple(rows)


def _opening_message(trigger: Trigger) -> str | None:
    match trigger.kind:
        case RunKind.DIRECT:
            return trigger.message
        case RunKind.GROUP:
            latest = {"from": trigger.sender, "text": trigger.message}
            info: dict[str, object] = {"latestMessage": latest, "youWereTagged": trigger.tagged}
            return "Group Chat info\n" + json.dumps(info, ensure_ascii=False, indent=2)
        case RunKind.SCHEDULE:
            before = trigger.previous_run_at
            wake = {"instruction": trigger.instruction, "previous_run_at": None if before is None else iso_z(before)}
            return "Schedule wake-up\n" + json.dumps(wake, ensure_ascii=False, indent=2)
        case _:
            assert_never(trigger.kind)


def tool_result(text: str, remaining: int) -> str:
    """A tool's result with its trailer, and the wrap-up line above it when few calls are left (decision 27).

    Args:
        text: what the tool answered.
        remaining: calls left after this one.
    """
    trailer = [WRAP_UP_LINE] if remaining <= WRAP_UP_FROM_CALLS else []
    return "\n".join([text, *trailer, f"remaining_tool_calls: {remaining}"])


def check_max_steps(number: int) -> int:
    """The number itself, if a run can have it.

    Raises:
        BadSetting: it is below 1 or above 10,000.
    """
    if not 1 <= number <= MAX_STEPS_CAP:
        raise BadSetting(f"max_steps must be from 1 to {MAX_STEPS_CAP}, not {number}.")
    return number


def next_position(messages: Sequence[Message]) -> int:
    """Where the next row goes."""
    return messages[-1].position + 1 if messages else 0
