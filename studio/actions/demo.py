"""Fill an empty store with the demo organisation, by replaying what happened through the product's own actions.

Every count, archived text and file change is made by the real write path; only the clock is set to each event's time.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from studio.actions import collections, drafts, memory, notes, people, runs, task
from studio.actions.access import Caller
from studio.actions.context import Context
from studio.actions.publish import Guard
from studio.domain.agents import AgentConfig
from studio.domain.authors import operator
from studio.domain.bindings import MEMORY_WRITE
from studio.domain.collections import Access, Column
from studio.domain.generation import arguments_text
from studio.domain.memory import write_answer
from studio.domain.paths import OrgId
from studio.domain.run_kinds import RunKind
from studio.domain.run_machine import MEMORY_SOURCE, REMINDER
from studio.domain.runs import Message, Role, RunStatus, ToolCall, Trigger, tool_result
from studio.errors import NotEmpty
from studio.sources.demo import DemoFiles
from studio.store import people as people_rows

FORCED = Guard(force=True)
"""A replayed save writes over what was live then."""


def load_demo(context: Context, files: DemoFiles) -> None:
    """Make the organisation and replay its events, all of it or nothing.

    Args:
        context: an open, empty store.
        files: the demo's files.

    Raises:
        NotEmpty: the store has an organisation already.
    """
    with context.database.whole():
        _make_organisation(context, files)
        _write_notes(context, files)
        _make_collections(context, files)
        for event in files.events:
            _REPLAY[event["do"]](_at(context, event["at"]), files, event)


def _at(context: Context, stamp: str) -> Context:
    """The context with its clock stopped at a time of the demo."""
    moment = datetime.fromisoformat(stamp)
    return replace(context, clock=lambda: moment)


def _make_organisation(context: Context, files: DemoFiles) -> None:
    organisation = files.organisation
    first = _at(context, min(agent["created_at"] for agent in organisation["agents"]))
    org = OrgId(organisation["org"]["id"])
    with first.database.tx() as cursor:
        if people_rows.first_org(cursor) is not None:
            raise NotEmpty(context.database.path)
        people_rows.insert_org(cursor, org, organisation["org"]["name"], first.clock())
        for name in organisation["operators"]:
            people_rows.ensure_operator(cursor, org, name, first.clock())
    for guild in organisation["guilds"]:
        people.create_guild(
            first, guild["name"], about=guild["about"], description=guild["description"], guild_id=guild["id"]
        )
    for agent in organisation["agents"]:
        made = _at(context, agent["created_at"])
        config = AgentConfig(**agent["config"])
        people.create_agent(
            made,
            agent["name"],
            focus=agent["focus"],
            guild=agent["guild"],
            config=config,
            agent_id=agent["id"],
            operator_name=organisation["operators"][0],
        )


def _write_notes(context: Context, files: DemoFiles) -> None:
    for note in files.organisation["notes"]:
        made = _at(context, note["at"])
        notes.create_note(made, note["path"], files.text(note["file"]), caller=Caller(operator=note["operator"]))


def _make_collections(context: Context, files: DemoFiles) -> None:
    for table in files.organisation["collections"]:
        path, by = table["path"], Caller(operator=table["operator"])
        columns = [Column(**column) for column in table["columns"]]
        made = _at(context, table["at"])
        collections.create_collection(made, path, columns, purpose=table["purpose"], caller=by)
        for agent, access in table["grants"].items():
            collections.grant_collection(made, agent, path, Access(access))
        for record in table["records"]:
            writer = Caller(operator=record["operator"])
            written = _at(context, record["at"])
            collections.write_record(written, path, record["values"], record_id=record["id"], caller=writer)


def _run(context: Context, files: DemoFiles, event: dict[str, Any]) -> None:
    agent = people.get_agent(context, event["agent"])
    trigger = Trigger(
        kind=RunKind(event["kind"]),
        message=event.get("message"),
        sender=event.get("from"),
        tags=tuple(event.get("tags", ())),
        tagged=agent.name in event.get("tags", ()),
        instruction=event.get("instruction"),
    )
    run = runs.create_run(context, agent.id, trigger, run_id=event["run"])
    status = RunStatus(event["status"])
    wrote = any("memory_write" in step for step in event["steps"])
    must_write = trigger.kind.one_shot and agent.config.offers_memory_write and status is RunStatus.COMPLETED
    runs.add_messages(context, run.id, _rows(context, files, event, agent.config.max_tool_calls, must_write=must_write))
    runs.finish_run(_at(context, event["finished_at"]), run.id, status, memory_skipped=must_write and not wrote)


def _rows(
    context: Context, files: DemoFiles, event: dict[str, Any], calls_left: int, *, must_write: bool
) -> list[Message]:
    """The chat rows after the opening ones; each `memory_write` is carried out on the way, and a text before it is reminded of it."""
    rows: list[Message] = []
    position = len(runs.get_run(context, event["run"])[1])
    for step in event["steps"]:
        if "text" in step:
            rows.append(Message(position + len(rows), Role.ASSISTANT, step["text"], context.clock()))
            if must_write and not any(call.name == MEMORY_WRITE for row in rows for call in row.tool_calls):
                rows.append(Message(position + len(rows), Role.SYSTEM, REMINDER, context.clock(), source=MEMORY_SOURCE))
            continue
        calls_left -= 1
        if "memory_write" in step:
            context = _at(context, step["at"])  # what follows happens no earlier
        call, answer = _called(context, files, event, step, sum(1 for row in rows if row.tool_calls) + 1)
        rows.append(Message(position + len(rows), Role.ASSISTANT, "", context.clock(), tool_calls=(call,)))
        result = tool_result(answer, calls_left)
        rows.append(Message(position + len(rows), Role.TOOL, result, context.clock(), tool_call_id=call.id))
    if rows and rows[-1].source == MEMORY_SOURCE:  # the extra step said nothing
        rows.append(Message(position + len(rows), Role.ASSISTANT, "", context.clock()))
    return rows


def _called(
    context: Context, files: DemoFiles, event: dict[str, Any], step: dict[str, Any], number: int
) -> tuple[ToolCall, str]:
    """One call with its answer; a `memory_write` is carried out."""
    call_id = step.get("call", f"c_{number}")
    if "memory_write" not in step:
        return ToolCall(call_id, step["tool"], arguments_text(step["arguments"])), step["result"]
    content = files.text(step["memory_write"])
    saved = memory.memory_write(context, event["agent"], content, run=event["run"], call=call_id)
    call = ToolCall(call_id, MEMORY_WRITE, arguments_text({"content": content}))
    return call, write_answer(saved, content)


def _save(context: Context, files: DemoFiles, event: dict[str, Any]) -> None:
    memory.save_memory(
        context, event["agent"], files.text(event["file"]), guard=FORCED, operator_name=event["operator"]
    )


def _restore(context: Context, _: DemoFiles, event: dict[str, Any]) -> None:
    memory.restore_memory(context, event["agent"], event["version"], operator_name=event["operator"])


def _draft(context: Context, files: DemoFiles, event: dict[str, Any]) -> None:
    drafts.draft_task(context, event["agent"], files.text(event["file"]), author=operator(event["operator"]))


def _publish(context: Context, files: DemoFiles, event: dict[str, Any]) -> None:
    _draft(context, files, event)
    task.publish_task(context, event["agent"], note=event.get("note"), operator_name=event["operator"])


_REPLAY: dict[str, Callable[[Context, DemoFiles, dict[str, Any]], None]] = {
    "run": _run,
    "save_memory": _save,
    "restore_memory": _restore,
    "draft_task": _draft,
    "publish_task": _publish,
}
