"""Carry a run on: append rows to it, let a model that the server can reach drive it, and carry out calls of tools."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from studio.api import schemas
from studio.api.operations import OPERATORS, RUNTIMES, Answer, Call, Operation, Route, answer
from studio.api.problems import Problem
from studio.api.runs import chat_of
from studio.domain.generation import ToolAnswer, arguments_text
from studio.domain.runs import Message, Role, RunStatus, ToolCall, next_position
from studio.errors import RunOver

SCRIPTED = "scripted:"
"""How the name of a model begins that is a file of the server."""


def add_messages(call: Call) -> Answer:
    """Append chat rows to an open run; rows that are there never change. Without an `index` a row follows on the last one."""
    run, rows = call.studio.get_run(call.named["run"])
    added = _messages(call.data["messages"], next_position(rows), call.studio.now())
    call.studio.add_messages(run.id, added)
    return answer({"next_index": next_position(added)}, status=201)


def _messages(given: Sequence[dict[str, Any]], first: int, at: datetime) -> tuple[Message, ...]:
    return tuple(
        Message(
            one.get("index", first + place),
            Role(one["role"]),
            one["content"],
            at,
            one.get("source"),
            tuple(_tool_call(asked) for asked in one.get("tool_calls", ())),
            one.get("tool_call_id"),
        )
        for place, one in enumerate(given)
    )


def _tool_call(given: dict[str, Any]) -> ToolCall:
    arguments = given["arguments"]
    written = arguments if isinstance(arguments, str) else arguments_text(arguments)
    return ToolCall(given["id"], given["name"], written)


def drive_run(call: Call) -> Answer:
    """Let a model carry on with an open run until it, or this turn of a direct one, is over. It takes as long as the model."""
    return chat_of(call, call.studio.drive_run(call.named["run"], _model(call)).id)


def continue_run(call: Call) -> Answer:
    """Add a user's next message to a direct run, and let a model take its turn after it."""
    return chat_of(call, call.studio.continue_run(call.named["run"], call.data["message"], _model(call)).id)


def _model(call: Call) -> str:
    """The model's name; a script is a file of the server, which only programs of its own system user may name."""
    name = str(call.data["model"])
    if name.lower().startswith(SCRIPTED) and not call.visitor.local:
        raise Problem(403, "A script is a file of the server; name a provider and its model, as in openai:gpt-5.")
    return name


def call_tool_of_run(call: Call) -> Answer:
    """Carry out a call of one of the run's tools; a tool's refusal is an answer too, one line `ERROR: …`."""
    run, _ = call.studio.get_run(call.named["run"])
    if run.status is not RunStatus.OPEN:
        raise RunOver(run.id, str(run.status))
    given = call.data
    told = call.studio.call_tool(
        run.agent, call.named["tool"], given["arguments"], run=run.id, call=given.get("call"), offered=run.tools
    )
    return _told(told)


def call_tool_of_agent(call: Call) -> Answer:
    """Carry out a call of a tool that the agent is offered now, in no run: its author is the agent."""
    return _told(call.studio.call_tool(call.agent, call.named["tool"], call.data["arguments"]))


def _told(told: ToolAnswer) -> Answer:
    return answer({"text": told.text, "accepted": told.accepted})


ROUTES = (
    Route(
        "/api/runs/{run}/messages",
        {"POST": Operation(add_messages, RUNTIMES, takes=schemas.ADD_ROWS, answers=schemas.ROWS_ADDED, status=201)},
    ),
    Route(
        "/api/runs/{run}/drive",
        {"POST": Operation(drive_run, OPERATORS, takes=schemas.DRIVE, answers=schemas.CHAT, long=True)},
    ),
    Route(
        "/api/runs/{run}/continue",
        {"POST": Operation(continue_run, OPERATORS, takes=schemas.CONTINUE, answers=schemas.CHAT, long=True)},
    ),
    Route(
        "/api/runs/{run}/tools/{tool}",
        {"POST": Operation(call_tool_of_run, RUNTIMES, takes=schemas.TOOL_CALL, answers=schemas.TOOL_ANSWER)},
    ),
    Route(
        "/api/agents/{agent}/tools/{tool}",
        {"POST": Operation(call_tool_of_agent, RUNTIMES, takes=schemas.AGENT_TOOL_CALL, answers=schemas.TOOL_ANSWER)},
    ),
)
