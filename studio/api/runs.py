"""Runs: begin one, end it, and read what was said."""

from studio.api import schemas
from studio.api.listing import answer_page, page_of
from studio.api.operations import EVERYONE, RUNTIMES, Answer, Call, Operation, Route, answer
from studio.api.tables import Table
from studio.domain.guidelines import Flag
from studio.domain.moments import read_moment
from studio.domain.run_kinds import RunKind
from studio.domain.runs import DEFAULT_MAX_STEPS, RunStatus, Trigger
from studio.errors import BadArgument
from studio.render.wire_runs import chat_record, run_record, run_row_record

RUNS = Table("runs", schemas.RUN_ROW, counted=True)


def list_runs(call: Call) -> Answer:
    """List an agent's runs, newest first, with the steps, tool calls and opening message of each."""
    page = page_of(call, RUNS)
    found = call.studio.list_runs(call.agent, limit=page.one_more, offset=page.offset)
    outlines = call.studio.outline_runs([one.id for one in found])
    return answer_page(
        call,
        RUNS,
        found,
        lambda one: run_row_record(one, outlines[one.id]),
        total=call.studio.count_runs(call.agent),
    )


def make_run(call: Call) -> Answer:
    """Begin a run: its prompt is composed and stored as the first message, which never changes."""
    given = call.data
    before = given.get("previous_run_at")
    if before is not None and read_moment(before) is None:
        raise BadArgument("previous_run_at must be a time with its offset, like 2026-09-12T09:00:07Z.")
    trigger = Trigger(
        RunKind(given["kind"]),
        message=given.get("message"),
        sender=given.get("sender"),
        tags=tuple(given.get("tags", ())),
        tagged=given.get("tagged", False),
        instruction=given.get("instruction"),
        previous_run_at=read_moment(before),
    )
    run = call.studio.create_run(
        call.agent,
        trigger,
        registered=frozenset(Flag(one) for one in given.get("registered", ())),
        max_steps=given.get("max_steps", DEFAULT_MAX_STEPS),
        max_tool_calls=given.get("max_tool_calls"),
    )
    return chat_of(call, run.id, status=201, Location=f"/api/runs/{run.id}")


def get_run(call: Call) -> Answer:
    """Read a run with its chat rows; row 0 is the prompt as the model received it."""
    return chat_of(call, call.named["run"])


def chat_of(call: Call, run: str, *, status: int = 200, **headers: str) -> Answer:
    """A run with its chat rows, and how many runs of its agent are newer."""
    record = chat_record(*call.studio.get_run(run)) | {"newer_runs": call.studio.count_newer_runs(run)}
    return answer(record, status=status, **headers)


def end_run(call: Call) -> Answer:
    """End an open run; how it ended does not change any more. Ending it as stopped stops whoever drives it."""
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
            "GET": Operation(list_runs, EVERYONE, table=RUNS),
            "POST": Operation(make_run, RUNTIMES, takes=schemas.MAKE_RUN, answers=schemas.CHAT, status=201),
        },
    ),
    Route("/api/runs/{run}", {"GET": Operation(get_run, EVERYONE, answers=schemas.CHAT)}),
    Route(
        "/api/runs/{run}/end",
        {"POST": Operation(end_run, RUNTIMES, takes=schemas.END_RUN, answers=schemas.RUN)},
    ),
)
