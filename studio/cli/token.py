"""`studio token`: who may come in over HTTP."""

from typing import Annotated

import typer

from studio.cli.output import note, visible, write_json, write_line, write_table
from studio.cli.session import Session, command, noun
from studio.domain.tokens import Role
from studio.render.wire_tokens import token_record

NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="Its name; an operator's token writes under it.", show_default=False)
]

app = noun("Tokens that let programs and people in over HTTP.")


@command(app, "create", example="studio token create scout-runtime --role agent --agent scout", begins=True)
def create_token(
    session: Session,
    *,
    name: NameArgument,
    role: Annotated[Role, typer.Option("--role", help="What its holder may do.", show_default=False)],
    agent: Annotated[
        str | None,
        typer.Option("--agent", metavar="AGENT", help="With --role agent: which one it acts as.", show_default=False),
    ] = None,
) -> None:
    """Make a token and write it. It is shown this once and never stored; a viewer reads, an agent reaches its own agent only."""
    if (agent is None) == (role is Role.AGENT):
        raise typer.BadParameter("it goes with --role agent, and only with it", param_hint="'--agent'")
    with session.open() as studio:
        token, secret = studio.tokens.create(name, role, agent=agent)
    if session.json:
        write_json(token_record(token) | {"token": secret})
    else:
        write_line(secret)


@command(app, "list", example="studio token list")
def list_tokens(session: Session) -> None:
    """List the tokens by name, without their secrets."""
    with session.open() as studio:
        found = studio.tokens.list()
    if session.json:
        write_json([token_record(one) for one in found])
    elif found:
        rows = [(one.name, str(one.role), one.agent or "", f"{one.created_at:%Y-%m-%d %H:%M:%S} UTC") for one in found]
        write_table(("NAME", "ROLE", "AGENT", "CREATED"), rows)
    else:
        note("No tokens; 'studio token create' makes one.")


@command(app, "revoke", example="studio token revoke scout-runtime")
def revoke_token(session: Session, name: NameArgument) -> None:
    """Let nobody in by a token any more."""
    with session.open() as studio:
        studio.tokens.revoke(name)
    if session.json:
        write_json({"name": name, "revoked": True})
    else:
        write_line(f"Revoked {visible(name)}.")
