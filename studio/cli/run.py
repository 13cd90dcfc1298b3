"""`studio run`: create runs, let a model carry them out, and read them."""

from typing import Annotated

import typer

from studio.actions.studio import Studio
from studio.cli.output import BOLD, note, styled, visible, write_bytes, write_json, write_line, write_table
from studio.cli.session import AgentArgument, Session, command, noun
from studio.domain.run_kinds import RunKind
from studio.domain.runs import DEFAULT_MAX_STEPS, Message, Run, RunStatus, Trigger
from studio.errors import ModelFailed
from studio.render.wire_runs import chat_record, run_record

app = noun("Runs: each a fresh prompt, stored as the model received it.")

WAIT_FOR_RUN_SECONDS = 30.0
"""How long a new run waits for the store: a command that carries out another run keeps the store until that run is over."""

RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="The run's id.", show_default=False)]


@command(
    app,
    "create",
    example='studio run create scout --kind schedule --instruction "check inbox" --model scripted:wake.json --json',
)
def create_run(
    session: Session,
    agent: AgentArgument,
    kind: Annotated[RunKind, typer.Option("--kind", help="What starts the run.")] = RunKind.DIRECT,
    message: Annotated[
        str | None,
        typer.Option(
            "--message", metavar="TEXT", help="What the user, or the group's latest message, says.", show_default=False
        ),
    ] = None,
    instruction: Annotated[
        str | None,
        typer.Option("--instruction", metavar="TEXT", help="The schedule's stored instruction.", show_default=False),
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            "--tag", metavar="NAME", help="A name that the group's message tags; repeat for more.", show_default=False
        ),
    ] = None,
    max_steps: Annotated[
        int, typer.Option("--max-steps", metavar="N", help="How many generations it may take.")
    ] = DEFAULT_MAX_STEPS,
    max_tool_calls: Annotated[
        int | None,
        typer.Option(
            "--max-tool-calls",
            metavar="N",
            help="How many tool calls it may make; else as set on the agent.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="MODEL",
            help="scripted:FILE, or a provider's, as in anthropic:claude-sonnet-4-5; without one the run stays open.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Create a run, and let a model carry it out where one is named. A wake that skipped its memory has completed all the same.

    While another run holds the store, this one waits up to 30 seconds for it.
    """
    _check_options(kind, message, instruction, tag)
    with session.open(WAIT_FOR_RUN_SECONDS) as studio:
        trigger = _trigger(studio, agent, kind, message, instruction, tuple(tag or ()))
        if model is None:
            run = studio.create_run(agent, trigger, max_steps=max_steps, max_tool_calls=max_tool_calls)
        else:
            run = studio.run_agent(agent, trigger, model, max_steps=max_steps, max_tool_calls=max_tool_calls)
        rows = studio.get_run(run.id)[1]
    if session.json:
        write_json(chat_record(run, rows))
    else:
        write_line(_sentence(run, rows))
    if run.status is RunStatus.FAILED:
        raise ModelFailed(run.failure or "The run failed.")


def _check_options(kind: RunKind, message: str | None, instruction: str | None, tag: list[str] | None) -> None:
    """Refuse what a run of this kind would not carry, so that nothing given is lost."""
    unused = [
        ("--message", message is not None and kind is RunKind.SCHEDULE),
        ("--instruction", instruction is not None and kind is not RunKind.SCHEDULE),
        ("--tag", bool(tag) and kind is not RunKind.GROUP),
    ]
    for option, given in unused:
        if given:
            raise typer.BadParameter(f"a {kind} run has none", param_hint=f"'{option}'")


def _trigger(
    studio: Studio, agent: str, kind: RunKind, message: str | None, instruction: str | None, tags: tuple[str, ...]
) -> Trigger:
    """What starts the run; a group's message is the operator's. A tag is a name or an id, with or without the @ before it."""
    if kind is not RunKind.GROUP:
        return Trigger(kind, message=message, instruction=instruction)
    who = studio.get_agent(agent)
    names = tuple(tag.removeprefix("@") for tag in tags)
    tagged = any(name in (who.id, who.name, who.name.removeprefix("@")) for name in names)
    return Trigger(kind, message=message, sender=studio.operator, tags=names, tagged=tagged)


@command(app, "list", example="studio run list scout")
def list_runs(session: Session, agent: AgentArgument) -> None:
    """List the runs of an agent, newest first. A wake that did not write its memory is marked."""
    with session.open() as studio:
        found = studio.list_runs(agent)
    if session.json:
        write_json([run_record(one) for one in found])
        return
    if not found:
        note("No runs yet; 'studio run create' makes the first.")
        return
    write_table(("RUN", "CREATED (UTC)", "KIND", "STATUS", "MEMORY", ""), [_row(one) for one in found])


def _row(run: Run) -> tuple[str, ...]:
    """One line of the table."""
    made = run.composed_from.memory_version
    memory = "off" if made is None else f"read version {made}"
    created = f"{run.created_at:%Y-%m-%d %H:%M:%S}"
    return run.id, created, str(run.kind), str(run.status), memory, _remark(run)


def _remark(run: Run) -> str:
    return "memory skipped" if run.memory_skipped else (run.failure or "")


def _sentence(run: Run, rows: tuple[Message, ...]) -> str:
    """What became of a run, in a line."""
    skipped = ", memory skipped" if run.memory_skipped else ""
    return visible(f"{run.id}: {run.status}, {len(rows)} rows{skipped}. 'studio run show {run.id}' shows them.")


@command(app, "stop", example="studio run stop r_ab12cd")
def stop_run(session: Session, run: RunArgument) -> None:
    """End an open run as stopped, such as one whose process was killed. It gets neither a reminder nor a memory mark."""
    with session.open() as studio:
        stopped = studio.finish_run(run, RunStatus.STOPPED)
    if session.json:
        write_json(run_record(stopped))
    else:
        write_line(visible(f"{stopped.id}: {stopped.status}."))


@command(app, "show", example="studio run show r_ab12cd")
def show_run(session: Session, run: RunArgument) -> None:
    """Show a run's chat rows. Row 0 is the composed prompt as the model received it."""
    with session.open() as studio:
        found, rows = studio.get_run(run)
    if session.json:
        write_json(chat_record(found, rows))
        return
    remark = f" · {_remark(found)}" if _remark(found) else ""
    write_line(visible(f"{found.id} · {found.kind} · {found.status}{remark}"))
    for row in rows:
        source = f" ({row.source})" if row.source else ""
        write_line("\n" + styled(f"--- {row.position} {row.role}{source} ---", BOLD))
        _write_text(row.content)
        for call in row.tool_calls:
            _write_text(f"{call.id} {call.name} {call.arguments}")
    for warning in found.composed_from.warnings:
        note(visible(warning))


def _write_text(text: str) -> None:
    """A row's text, line by line, unable to steer the terminal; an empty one takes no line."""
    shown = "".join(f"{visible(line)}\n" for line in text.split("\n")) if text else ""
    write_bytes(shown.encode("utf-8", "backslashreplace"))
