"""JSON shapes of runs, the same at every door. Times are UTC."""

import json
from collections.abc import Sequence

from studio.domain.archive import iso_z
from studio.domain.records import Record
from studio.domain.runs import Message, Run, RunOutline, ToolCall
from studio.render.wire import made_of_record


def run_record(run: Run) -> Record:
    """`{id, agent, kind, status, metadata, created_at, finished_at, instruction, tags, …}`, then what it may do and was made of.

    That is `{tools, max_steps, max_tool_calls, composed_from, warnings}`. `metadata` holds `memory_skipped: true` or no such key
    (decision 28), and `failure` where the run failed. `composed_from` names the Task version, the memory version and the hashes
    of all that the prompt was made of (decision 26); `warnings` are those of the prompt.
    """
    return {
        "id": run.id,
        "agent": run.agent,
        "kind": str(run.kind),
        "status": str(run.status),
        "metadata": run.metadata,
        "created_at": iso_z(run.created_at),
        "finished_at": None if run.finished_at is None else iso_z(run.finished_at),
        "instruction": run.instruction,
        "tags": list(run.tags),
        "tools": list(run.tools),
        "max_steps": run.max_steps,
        "max_tool_calls": run.max_tool_calls,
        "composed_from": made_of_record(run.composed_from),
        "warnings": list(run.composed_from.warnings),
    }


def run_row_record(run: Run, outline: RunOutline) -> Record:
    """The run's record with `{steps, tool_calls, opening}`: what a list shows of its chat rows."""
    return run_record(run) | {"steps": outline.steps, "tool_calls": outline.tool_calls, "opening": outline.opening}


def chat_record(run: Run, messages: Sequence[Message]) -> Record:
    """The run's record with `messages: [{index, role, source, content, tool_calls, tool_call_id, at}]`; row 0 is the prompt."""
    return run_record(run) | {"messages": [_message_record(one) for one in messages]}


def _message_record(message: Message) -> Record:
    return {
        "index": message.position,
        "role": str(message.role),
        "source": message.source,
        "content": message.content,
        "tool_calls": [_call_record(one) for one in message.tool_calls],
        "tool_call_id": message.tool_call_id,
        "at": iso_z(message.at),
    }


def _call_record(call: ToolCall) -> Record:
    """`{id, name, arguments}`; arguments that are no JSON object stay the text that the model gave."""
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        arguments = None
    return {"id": call.id, "name": call.name, "arguments": arguments if isinstance(arguments, dict) else call.arguments}
