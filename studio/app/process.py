"""What a process has one of: Panel's settings, and under `panel serve` the open store."""

import logging
from functools import cache

import panel as pn

from studio.actions import serving
from studio.actions.open import Opened
from studio.app import policy

_log = logging.getLogger(__name__)


def prepare() -> None:
    """Set Panel up, and what browsers are told.

    Panel does not reconnect by itself: it would draw the page anew with styles from another host.
    """
    pn.extension(reconnect=False, notifications=False)
    policy.tell_browsers()


@cache
def served() -> Opened:
    """The store that `panel serve studio/app` shows, opened with the first page."""
    opened = serving.served(
        on_making_demo=lambda: _log.warning("Making the demo store; this takes a few seconds, once.")
    )
    _log.warning("Store: %s%s", opened.studio.path, " (the demo)" if opened.demo else "")
    return opened
