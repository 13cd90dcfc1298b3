"""Runs: begin one, carry out its tool calls, end it, and read what was said."""

from studio.api import schemas
from studio.api.operations import EVERYONE, RUNTIMES, Answer, Call, Operation, Route, answer, integer
from studio.domain.guidelines import Flag
from studio.domain.run_kinds import RunKind
from studio.domain.runs import DEFAULT_MAX_STEPS, RunStatus, Trigger
from studio.errors import RunOver
from studio.render.wire_runs import chat_record, run_record


def list_runs(call: Call) -> Answer:
    """List an agent's runs, newest first, a page at a time."""
    limit, offset = call.query.get("limit", 100), call.query.get("offset", 0)
    found = call.studio.list_runs(call.agent, limit=limit, offset=offset)
    return answer({"runs": [run_record(one) for one in found], "total": call.studio.count_runs(call.agent)})


def make_run(call: Call) -> Answer:
    """Begin a run: its prompt is composed and stored as the first message, which never changes."""
    given = call.data
    trigger = Trigger(
        RunKind(given["kind"]),
        message=given.get("message"),
        sender=given.get("sender"),
        tags=tuple(given.get("tags", ())),
        tagged=given.get("tagged", False),
        instruction=given.get("instruction"),
    )
    run = call.studio.create_run(
        call.agent,
        trigger,
        registered=frozenset(Flag(one) for one in given.get("registered", ())),
        max_steps=given.get("max_steps", DEFAULT_MAX_STEPS),
        max_tool_calls=given.get("max_tool_calls"),
    )
    return answer(chat_record(*call.studio.get_run(run.id)), status=201, Location=f"/api/runs/{run.id}")


def get_run(call: Call) -> Answer:
    """Read a run with its chat rows; row 0 is the prompt as the model received it."""
    return answer(chat_record(*call.studio.get_run(call.named["run"])))


def call_tool(call: Call) -> Answer:
    """Carry out a call of one of the run's tools; a tool's refusal is an answer too, one line `ERROR: …`."""
    run, _ = call.studio.get_run(call.named["run"])
    if run.status is not RunStatus.OPEN:
        raise RunOver(run.id, str(run.status))
    told = call.studio.call_tool(
        run.agent,
        call.named["tool"],
        call.data["arguments"],
        run=run.id,
        call=call.data.get("call"),
        offered=run.tools,
    )
    return answer({"text": told.text, "accepted": told.accepted})


def end_run(call: Call) -> Answer:
    """End an open run; how it ended does not change any more."""
    given = call.data
    ended = call.studio.finish_run(
        call.named["run"],
        RunStatus(given["status"]),
        memory_skipped=given.get("memory_skipped", False),
        failure=given.get("failure"),
    )
    return answer(run_record(ended))


ROUTES = (
    Route(
        "/api/agents/{agent}/runs",
        {
            "GET": Operation(
                list_runs,
                EVERYONE,
                query=(
                    integer("limit", "How many at most; 100 without it.", maximum=1000),
                    integer("offset", "How many to leave out.", minimum=0),
                ),
                answers=schemas.RUNS,
            ),
            "POST": Operation(make_run, RUNTIMES, takes=schemas.MAKE_RUN, answers=schemas.CHAT, status=201),
        },
    ),
    Route("/api/runs/{run}", {"GET": Operation(get_run, EVERYONE, answers=schemas.CHAT)}),
    Route(
        "/api/runs/{run}/end",
        {"POST": Operation(end_run, RUNTIMES, takes=schemas.END_RUN, answers=schemas.RUN)},
    ),
    Route(
        "/api/runs/{run}/tools/{tool}",
        {"POST": Operation(call_tool, RUNTIMES, takes=schemas.TOOL_CALL, answers=schemas.TOOL_ANSWER)},
    ),
)
