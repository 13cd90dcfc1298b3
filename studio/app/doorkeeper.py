"""Who gets to see the page: everybody on this machine, or who signed in with a token where others can reach it.

Panel and Bokeh ask one object of every page, websocket and script: an `AuthProvider`. Ours also refuses what a page of another site
makes a browser send. REST asks it nothing: that takes tokens only, so no cookie of a page can be misused there.
"""

import json
import logging
import re
import secrets
from collections.abc import Callable
from typing import Any

import panel as pn
from bokeh.server.auth_provider import AuthProvider
from tornado.httputil import HTTPServerRequest
from tornado.web import HTTPError, RequestHandler, create_signed_value, decode_signed_value
from tornado.websocket import WebSocketHandler

from studio.actions.listening import Reach, is_loopback, is_own_host, own_address
from studio.actions.studio import Studio
from studio.app.style import style
from studio.domain.tokens import Ticket
from studio.errors import ServesOneMachine, SignedOut
from studio.render.sign_in import passing_page, sign_in_page

COOKIE = "studio-visitor"
"""Holds the ticket of who signed in, signed with a key that this process made; it ends with the process."""
COOKIE_DAYS = 7
SIGN_IN, SIGN_OUT = "/sign-in", "/sign-out"
FORBIDDEN = 403
HIDDEN_FROM_PAGES = {"exclude_headers": ["Cookie", "Authorization"], "exclude_cookies": [COOKIE]}
"""What Bokeh must not copy into the page, where scripts could read it."""
_PATH = re.compile(r"/(?![/\\\\])[^\s\x00-\x1f]*")
_TICKET = "studio_ticket"
"""What we note on a request that was let in."""

_log = logging.getLogger(__name__)


class Doorkeeper(AuthProvider):
    """Judges every request for a page of one server."""

    def __init__(self, studio: Studio, reach: Reach) -> None:
        self._studio = studio
        self._reach = reach
        self._key = secrets.token_bytes(32)
        super().__init__()

    @property
    def signs_in(self) -> bool:
        """Whether people must sign in."""
        return self._reach.sign_in

    def studio_here(self) -> Studio:
        """The store as whoever asked for the page that is being made sees it.

        Raises:
            SignedOut: nobody signed in, or the token is not there any more.
        """
        if not self._reach.sign_in:
            return self._studio
        request = request_here()
        if request is None:  # made to warm the server up, for nobody
            return self._studio
        ticket = getattr(request, _TICKET, None)
        if ticket is None:
            raise SignedOut
        return self._studio.visited(ticket)

    # --- what Bokeh asks ---

    @property
    def get_user(self) -> Callable[[RequestHandler], str | None]:  # type: ignore[override]
        """Tells who asks, and None who must sign in."""
        return self._admit

    @property
    def login_url(self) -> str:
        """Where people sign in."""
        return SIGN_IN

    @property
    def login_handler(self) -> type[RequestHandler]:
        """Answers there."""
        return SignIn

    @property
    def logout_url(self) -> str:
        """Where people sign out."""
        return SIGN_OUT

    @property
    def logout_handler(self) -> type[RequestHandler]:
        """Answers there."""
        return SignOut

    def _admit(self, handler: RequestHandler) -> str | None:
        self.check_site(handler)
        if not self._reach.sign_in:
            return self._studio.operator
        ticket = self._ticket(handler)
        if ticket is None:
            return None
        setattr(handler.request, _TICKET, ticket)
        return ticket.name

    def _ticket(self, handler: RequestHandler) -> Ticket | None:
        """The ticket of a request, if its token is still there."""
        signed = decode_signed_value(self._key, COOKIE, handler.get_cookie(COOKIE) or "", max_age_days=COOKIE_DAYS)
        if signed is None:
            return None
        ticket = Ticket(*json.loads(signed))
        try:
            self._studio.visited(ticket)
        except SignedOut:
            return None
        return ticket

    def check_site(self, handler: RequestHandler) -> None:
        """Refuse what another site makes a browser send, and a session that somebody else named.

        Raises:
            HTTPError: 403.
        """
        headers = handler.request.headers
        host, origin = headers.get("Host", ""), headers.get("Origin")
        address = own_address(handler.request.connection)
        if not is_own_host(host, address[0] if address else "127.0.0.1", self._reach.names) and not (
            isinstance(handler, WebSocketHandler)
            and self._reach.sign_in  # whose address was handed on; it needs the cookie
        ):
            raise HTTPError(FORBIDDEN, reason="The Host header names another machine")
        if origin is not None and origin.lower() not in (f"http://{host}".lower(), f"https://{host}".lower()):
            raise HTTPError(FORBIDDEN, reason="Requests from pages of other sites are refused")
        if headers.get("Sec-Fetch-Dest") in ("iframe", "frame", "embed", "object"):
            raise HTTPError(FORBIDDEN, reason="The page is not shown inside of other pages")
        if "Bokeh-Session-Id" in headers or {"bokeh-session-id", "bokeh-token"} & handler.request.arguments.keys():
            raise HTTPError(FORBIDDEN, reason="A session is not joined by its name")

    # --- signing in and out ---

    def sign_in(self, handler: RequestHandler, token: str) -> bool:
        """Give the browser the ticket of a token; False where the token lets nobody in."""
        ticket = self._studio.ticket_of(token.strip())
        if ticket is None:
            return False
        secure = (handler.request.headers.get("Origin") or "").startswith("https://")
        signed = create_signed_value(self._key, COOKIE, json.dumps(ticket))
        handler.set_cookie(
            COOKIE, signed, expires_days=COOKIE_DAYS, httponly=True, samesite="Strict", secure=secure, path="/"
        )
        return True


class _Door(RequestHandler):
    """What the two pages at the door share."""

    def prepare(self) -> None:
        """Refuse other sites, and let no browser keep these pages, or run any script on them."""
        self.set_header("Cache-Control", "no-store")
        self.set_header(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        )
        self._keeper.check_site(self)

    @property
    def _keeper(self) -> Doorkeeper:
        keeper: Doorkeeper = self.application.auth_provider  # type: ignore[attr-defined]
        return keeper

    def _leads_to(self) -> str:
        """The address to open next, of this server and no other; relative, since a proxy may have put a folder before it."""
        asked = self.get_argument("next", "/")
        return f".{asked}" if _PATH.fullmatch(asked) and not asked.startswith((SIGN_IN, SIGN_OUT)) else "./"


class SignIn(_Door):
    """The sign-in page."""

    def get(self) -> None:
        """Show the form; or for who follows a link on another site, step over that site first, since our cookie comes only then."""
        if not self._keeper.signs_in:
            self.redirect("./")
            return
        if self.request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
            self.finish(passing_page(self._leads_to()))
            return
        self._show()

    def post(self) -> None:
        """Take a token."""
        if self._keeper.sign_in(self, self.get_argument("token", "")):
            self.redirect(self._leads_to(), status=303)
            return
        _log.warning("A sign-in from %s was refused.", self.request.remote_ip)
        self.set_status(FORBIDDEN)
        self._show(
            "This token lets nobody in: it is mistyped, was revoked, or is an agent's, whose runtime uses it over REST."
        )

    def _show(self, wrong: str | None = None) -> None:
        self.finish(sign_in_page(style(), leads_to=self._leads_to()[1:], wrong=wrong))


class SignOut(_Door):
    """Takes the ticket back."""

    def get(self) -> None:
        """Nothing: a mere link signs nobody out."""
        self.redirect("./")

    def post(self) -> None:
        """Take it back, and go to the sign-in page."""
        self.clear_cookie(COOKIE, path="/")
        self.redirect(f".{SIGN_IN}", status=303)


def check_here_only() -> None:
    """Refuse a page of a server that is not ours, such as `panel serve`, to who asks from elsewhere: it has no sign-in page.

    Raises:
        ServesOneMachine: the page that is being made is for another machine, or for another name of this one.
    """
    request = request_here()
    if request is None:
        return
    address, host = own_address(request.connection), str(request.headers.get("Host", ""))
    if address is None or not is_loopback(address[0]) or not is_own_host(host, address[0]):
        raise ServesOneMachine(host)


def request_here() -> HTTPServerRequest | None:
    """Return the request that the page which is being made answers; None while the server warms up."""
    document: Any = pn.state.curdoc
    context = document.session_context if document is not None else None
    return context.request if context is not None else None
