"""`studio prompt`: the composed system message."""

from typing import Annotated

import typer

from studio.cli.output import note, visible, write_json, write_text
from studio.cli.session import AgentArgument, Session, command, noun
from studio.domain.run_kinds import RunKind
from studio.render.wire import prompt_record

app = noun("The composed prompt.")


@command(app, "preview", example="studio prompt preview scout --kind schedule")
def preview_prompt(
    session: Session,
    agent: AgentArgument,
    kind: Annotated[RunKind, typer.Option("--kind", help="What would start the run.")] = RunKind.DIRECT,
) -> None:
    """Write the system message of a run created now. It is the text that the run would store, and nothing else."""
    with session.open() as studio:
        prompt = studio.preview(agent, kind=kind)
    if session.json:
        write_json(prompt_record(prompt))
        return
    write_text(prompt.text.encode("utf-8"))
    for warning in prompt.warnings:
        note(visible(warning))
