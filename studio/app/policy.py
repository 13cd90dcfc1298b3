"""What every answer of the server tells the browser: which scripts may run, that nobody frames the page, and nothing of itself."""

import secrets
from typing import Any

from tornado.httputil import HTTPServerRequest
from tornado.web import RequestHandler

_NONCE = "studio_nonce"
"""What a request is noted to be answered with: the word that a script of that answer must bear."""
POLICY = (
    "default-src 'none'",
    "script-src 'self' 'nonce-{nonce}'",
    "style-src 'self' 'unsafe-inline'",  # Bokeh writes style elements into each of its shadow roots
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self' blob:",  # Bokeh reads what it is sent in pieces by way of a blob
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)
"""Scripts are ours or bear the word of their page; no address but ours is asked for anything."""


def tell_browsers() -> None:
    """Make every answer of this process say so, whoever serves it: also `panel serve`, which lets an app change no handler.

    Tornado asks `set_default_headers` of each handler at the start of each answer, and leaves it empty for that.
    """
    setattr(RequestHandler, "set_default_headers", set_default_headers)  # noqa: B010 - mypy takes no assignment to a method


def set_default_headers(handler: RequestHandler) -> None:
    """Set the headers of an answer that has not begun."""
    handler.clear_header("Server")
    handler.set_header("X-Content-Type-Options", "nosniff")
    handler.set_header("X-Frame-Options", "DENY")
    handler.set_header("Referrer-Policy", "same-origin")  # without any, a form is sent with the origin null
    handler.set_header("Content-Security-Policy", "; ".join(POLICY).format(nonce=nonce_of(handler.request)))


def nonce_of(request: HTTPServerRequest | Any | None) -> str:  # noqa: ANN401 - Bokeh hands the page a proxy of it
    """The word of one request, the same for its header and its page; one that nobody takes where there is no request."""
    given = getattr(request, _NONCE, None)
    if isinstance(given, str):
        return given
    made = secrets.token_urlsafe(18)
    if isinstance(request, HTTPServerRequest):
        setattr(request, _NONCE, made)
    return made
