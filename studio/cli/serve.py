"""`studio serve`: the app in a browser, and REST beside it; `studio api`: REST alone."""

import shlex
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

import typer

from studio.actions.open import open_for_serving, own_studio
from studio.actions.studio import Studio
from studio.cli.output import note, visible, write_line
from studio.cli.session import Session, command, patiently
from studio.domain.tokens import Role
from studio.errors import NobodySignsIn, PortTaken, StoreServed

if TYPE_CHECKING:
    from studio.actions.listening import Reach

DEFAULT_PORT = 5006
DEFAULT_ADDRESS = "127.0.0.1"
BRING_YOUR_OWN = "studio import git REPO --path CLAUDE.md --agent NAME"
"""The command that makes a store of one's own, so that it is served in place of the demo."""


def register(app: typer.Typer) -> None:
    """Make `serve` and `api` verbs of the program itself."""
    command(app, "serve", example="studio serve --db team.duckdb --port 8000", answers_json=False)(serve)
    command(app, "api", example="studio api --db team.duckdb --port 8001", answers_json=False)(serve_api)


PortOption = Annotated[
    int | None,
    typer.Option(
        "--port",
        metavar="N",
        min=0,
        max=65535,
        help=f"Where it listens; 0 takes a free one. Else {DEFAULT_PORT}, or a free one where that is taken.",
        show_default=False,
    ),
]
AddressOption = Annotated[
    str,
    typer.Option("--address", metavar="ADDRESS", help="On which address; beyond this machine everybody must sign in."),
]
HostOption = Annotated[
    list[str] | None,
    typer.Option("--host", metavar="NAME", help="A name that others reach it by, as of a proxy; they must sign in."),
]


def serve(
    session: Session,
    *,
    port: PortOption = None,
    address: AddressOption = DEFAULT_ADDRESS,
    host: HostOption = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Serve the app in a browser, and REST below /api. Its URL is printed once it listens.

    Without a store of one's own it shows the demo.
    """
    where, (bare, reach) = session.where, _reached(address, host or ())
    try:
        opened = patiently(
            lambda: open_for_serving(
                where.database,
                prompts=where.prompts,
                operator=where.operator,
                on_making_demo=lambda: note("Making the demo store; this takes a few seconds, once."),
            )
        )
    except StoreServed as served:
        if (port, address, host) != (None, DEFAULT_ADDRESS, None) or not _has_a_page(served.url):
            raise
        _show_the_other(served.url, open_browser=not no_browser)
        return
    with opened.studio as studio:
        from studio.actions.listening import Gate  # noqa: PLC0415 - Tornado and Panel load only where they are needed
        from studio.api.routes import routes_for  # noqa: PLC0415
        from studio.app.server import run  # noqa: PLC0415

        _check_sign_in(reach, host or [address], studio)
        note(f"Store: {visible(studio.path)}")
        if opened.demo:
            note(f"This is the demo. Bring a history of your own, then serve again: {BRING_YOUR_OWN}")
            note(f"To use the demo at the shell: export STUDIO_DB={shlex.quote(studio.path)}")
        gate = Gate()
        orderly = run(
            studio,
            address=bare,
            port=_port(bare, port),
            open_browser=not no_browser,
            demo=opened.demo,
            on_ready=write_line,
            routes=routes_for(lambda _: studio, gate, reach.names),
            gate=gate,
            reach=reach,
        )
        _leave(studio, orderly=orderly)


def serve_api(
    session: Session,
    *,
    port: PortOption = None,
    address: AddressOption = DEFAULT_ADDRESS,
    host: HostOption = None,
) -> None:
    """Serve REST without the app. Its URL is printed once it listens."""
    where, (bare, reach) = session.where, _reached(address, host or ())
    opened = patiently(lambda: own_studio(where.database, prompts=where.prompts, operator=where.operator, serves=True))
    with opened as studio:
        from studio.api.server import run  # noqa: PLC0415 - Tornado loads only where it is needed

        _check_sign_in(reach, host or [address], studio)
        note(f"Store: {visible(studio.path)}")
        orderly = run(studio, address=bare, port=_port(bare, port), on_ready=write_line, reach=reach)
        _leave(studio, orderly=orderly)


def _port(address: str, asked: int | None) -> int:
    """The port that was asked for; else ours, or a free one where another program listens there. Raises `CannotListen`."""
    from studio.actions.listening import free_port  # noqa: PLC0415 - Tornado loads only where it is needed

    if asked is not None:
        return asked
    with suppress(PortTaken):
        return free_port(address, DEFAULT_PORT)
    return 0


def _has_a_page(url: str) -> bool:
    """Whether the app is served there, and not REST alone."""
    import httpx  # noqa: PLC0415 - only a second server asks

    try:
        return httpx.head(url, timeout=5).status_code != HTTPStatus.NOT_FOUND
    except httpx.HTTPError:
        return False


def _show_the_other(url: str, *, open_browser: bool) -> None:
    """Say where the store is served already; nothing has to be done."""
    note("The store is served already; its page is open to you there.")
    write_line(url)
    if open_browser:
        webbrowser.open(url)


def _leave(studio: Studio, *, orderly: bool) -> None:
    """Wait for no thread that did not come to an end, such as one whose model still thinks, or that writes."""
    if not orderly:
        from studio.actions.serving import end_unfinished  # noqa: PLC0415 - as above

        note("Stopped before everything that was begun came to an end; what was acknowledged is kept.")
        end_unfinished(studio)


def _reached(address: str, hosts: Sequence[str]) -> tuple[str, "Reach"]:
    """The address without a URL's brackets around IPv6, and from where a server is reached that listens there; raises `BadHost`."""
    from studio.actions.listening import reach_of  # noqa: PLC0415 - Tornado and Panel load only where they are needed

    bare = address.strip("[]")
    return bare, reach_of(bare, hosts)


def _check_sign_in(reach: "Reach", named: Sequence[str], studio: Studio) -> None:
    """Say that people must sign in, where they must.

    Raises:
        NobodySignsIn: they must, and no operator has a token.
    """
    if not reach.sign_in:
        return
    if not any(token.role is Role.OPERATOR for token in studio.tokens.list()):
        raise NobodySignsIn(", ".join(named) or "it")
    note(
        "People sign in with a token. This speaks plain HTTP: put a TLS proxy before it where other machines reach it."
    )
