"""Fill an empty store with the demo organisation, by replaying what happened through the product's own actions.

Every count, archived text and file change is made by the real write path; only the clock is set to each event's time.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from studio.actions import memory, people, runs, task
from studio.actions.context import Context
from studio.actions.publish import Guard
from studio.domain.agents import AgentConfig
from studio.domain.authors import operator
from studio.domain.memory import write_answer
from studio.domain.paths import OrgId
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Message, Role, RunStatus, ToolCall, Trigger, tool_result
from studio.sources.demo import DemoFiles
from studio.store import people as people_rows

FORCED = Guard(force=True)
"""A replayed save writes over what was live then."""


def load_demo(context: Context, files: DemoFiles) -> None:
    """Make the organisation and replay its events.

    Args:
        context: an open, empty store.
        files: the demo's files.
    """
    _make_organisation(context, files)
    wakes: dict[tuple[str, str], datetime] = {}
    for event in files.events:
        _REPLAY[event["do"]](_at(context, event["at"]), files, event, wakes)


def _at(context: Context, stamp: str) -> Context:
    """The context with its clock stopped at a time of the demo."""
    moment = datetime.fromisoformat(stamp)
    return replace(context, clock=lambda: moment)


def _make_organisation(context: Context, files: DemoFiles) -> None:
    organisation = files.organisation
    first = _at(context, min(agent["created_at"] for agent in organisation["agents"]))
    org = OrgId(organisation["org"]["id"])
    with first.database.tx() as cursor:
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
            made, agent["name"], focus=agent["focus"], guild=agent["guild"], config=config, agent_id=agent["id"]
        )


Wakes = dict[tuple[str, str], datetime]
"""When each agent's schedule, named by its instruction, last woke it."""


def _run(context: Context, files: DemoFiles, event: dict[str, Any], wakes: Wakes) -> None:
    agent = people.get_agent(context, event["agent"])
    schedule = (agent.id, event.get("instruction", ""))
    trigger = Trigger(
        kind=RunKind(event["kind"]),
        message=event.get("message"),
        sender=event.get("from"),
        tags=tuple(event.get("tags", ())),
        tagged=agent.name in event.get("tags", ()),
        instruction=event.get("instruction"),
        previous_run_at=wakes.get(schedule),
    )
    run = runs.create_run(context, agent.id, trigger, run_id=event["run"])
    if trigger.kind is RunKind.SCHEDULE:
        wakes[schedule] = context.clock()
    rows = _rows(context, files, event, agent.config.max_tool_calls)
    runs.add_messages(context, run.id, rows)
    status = RunStatus(event["status"])
    wrote = any("memory_write" in step for step in event["steps"])
    must_write = trigger.kind.one_shot and agent.config.offers_memory_write and status is RunStatus.COMPLETED
    runs.finish_run(_at(context, event["finished_at"]), run.id, status, memory_skipped=must_write and not wrote)


def _rows(context: Context, files: DemoFiles, event: dict[str, Any], calls_left: int) -> list[Message]:
    """The chat rows after the opening ones; each `memory_write` is carried out on the way."""
    rows: list[Message] = []
    position = len(runs.get_run(context, event["run"])[1])
    now = context.clock()
    for step in event["steps"]:
        if "text" in step:
            rows.append(Message(position + len(rows), Role.ASSISTANT, step["text"], now))
            continue
        calls_left -= 1
        call_id = step.get("call", f"c_{sum(1 for row in rows if row.tool_calls) + 1}")
        if "memory_write" in step:
            now = datetime.fromisoformat(step["at"])
            name, arguments = "memory_write", {"content": files.text(step["memory_write"])}
            writer = _at(context, step["at"])
            saved = memory.memory_write(writer, event["agent"], arguments["content"], run=event["run"], call=call_id)
            answer = write_answer(saved, arguments["content"])
        else:
            name, arguments, answer = step["tool"], step["arguments"], step["result"]
        call = ToolCall(call_id, name, json.dumps(arguments, ensure_ascii=False))
        rows.append(Message(position + len(rows), Role.ASSISTANT, "", now, tool_calls=(call,)))
        rows.append(
            Message(position + len(rows), Role.TOOL, tool_result(answer, calls_left), now, tool_call_id=call_id)
        )
    return rows


def _save(context: Context, files: DemoFiles, event: dict[str, Any], _: Wakes) -> None:
    memory.save_memory(
        context, event["agent"], files.text(event["file"]), guard=FORCED, operator_name=event["operator"]
    )


def _restore(context: Context, _: DemoFiles, event: dict[str, Any], __: Wakes) -> None:
    memory.restore_memory(context, event["agent"], event["version"], operator_name=event["operator"])


def _draft(context: Context, files: DemoFiles, event: dict[str, Any], _: Wakes) -> None:
    task.draft_task(context, event["agent"], files.text(event["file"]), author=operator(event["operator"]))


def _publish(context: Context, files: DemoFiles, event: dict[str, Any], wakes: Wakes) -> None:
    _draft(context, files, event, wakes)
    task.publish_task(context, event["agent"], note=event.get("note"), operator_name=event["operator"])


_REPLAY: dict[str, Callable[[Context, DemoFiles, dict[str, Any], Wakes], None]] = {
    "run": _run,
    "save_memory": _save,
    "restore_memory": _restore,
    "draft_task": _draft,
    "publish_task": _publish,
}
