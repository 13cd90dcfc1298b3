"""The document of a page: the markup with its elements in it, or what went wrong."""

import logging
from collections.abc import Callable
from importlib.resources import files
from urllib.parse import urlencode

import panel as pn

from studio.actions.studio import Studio
from studio.app import live
from studio.app.doorkeeper import request_here
from studio.app.elements import Browser
from studio.app.page import TITLE, Page
from studio.app.policy import nonce_of
from studio.app.style import style
from studio.app.template import PageTemplate
from studio.errors import StudioError
from studio.render import fragments_head as fragments

WITHHELD = (
    *("edit", "save", "keep-mine", "restore", "publish", "publish-anyway", "merge", "discard"),
    *("insert-note", "insert-table", "new", "create", "move", "do-move", "delete"),
)
"""What a viewer's page does not offer. The store refuses it too, wherever it comes from."""

_log = logging.getLogger(__name__)


def build(open_store: Callable[[], Studio], *, demo: bool, signs_in: bool = False) -> pn.Template:
    """The page for whoever just opened it; what goes wrong is said on it.

    Args:
        open_store: gives the store as they see it.
        demo: whether it is the demo, which the page then says.
        signs_in: whether they signed in, and can sign out.
    """
    markup = files("studio.render").joinpath("page.html").read_text("utf-8")
    template = PageTemplate(markup)
    template.add_variable("style", style())
    template.add_variable("nonce", nonce_of(request_here()))
    template.add_variable("signs_in", signs_in)
    try:
        studio = open_store()
        template.add_variable("operator", studio.operator if studio.may_write else f"{studio.operator} · reads only")
        template.add_variable("withheld", "" if studio.may_write else " ".join(WITHHELD))
        page = Page(studio, _arguments(), demo=demo)
    except Exception as error:  # noqa: BLE001 - a page must say what happened; without one there is a spinner for ever
        if not isinstance(error, StudioError):
            _log.exception("The page could not be built")
        words = str(error) if isinstance(error, StudioError) else "The server's log says why."
        template.add_variable("broken", fragments.broken(words))
        template.add_panel("browser", Browser(heading=TITLE, place="none"))
        return template
    for name, element in page.roots.items():
        template.add_panel(name, element)
    if pn.state.curdoc is not None:
        pn.state.add_periodic_callback(page.tick, live.LOOK_EVERY_MS)
    return template


def _arguments() -> str:
    """The address that the page was opened with."""
    pairs = [
        (name, value.decode("utf-8", "replace")) for name, values in pn.state.session_args.items() for value in values
    ]
    return f"?{urlencode(pairs)}"
