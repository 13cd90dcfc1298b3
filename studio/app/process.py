"""What a process has one of: Panel's settings, and under `panel serve` the open store."""

import atexit
from functools import cache

import panel as pn

from studio.actions import serving
from studio.actions.open import Opened


def prepare() -> None:
    """Set Panel up. It does not reconnect by itself: it would draw the page anew with styles from another host."""
    pn.extension(reconnect=False, notifications=False)


@cache
def served() -> Opened:
    """The store that `panel serve studio/app` shows, opened with the first page and closed with the process."""
    opened = serving.served()
    atexit.register(opened.studio.close)
    return opened
