"""What takes long to read, read beside the event loop, once for each thing that is asked for."""

import asyncio
import logging
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

import panel as pn

from studio.errors import StudioError

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Beside(Generic[T]):
    """Holds what was read last."""

    def __init__(self, what: str) -> None:
        """With what is read, as a sentence names it: `This history`."""
        self._what = what
        self._found: tuple[Hashable, T | str] | None = None
        self._reading: Hashable = None

    def get(self, key: Hashable, read: Callable[[], T], then: Callable[[], None]) -> T | str | None:
        """What was read; a sentence where it cannot be; None while it is being read.

        Args:
            key: what tells it from everything else that may be asked for here.
            read: reads it, in another thread.
            then: called when it is there.
        """
        if self._found is not None and self._found[0] == key:
            return self._found[1]
        if self._reading == key:
            return None
        self._reading = key

        async def work() -> None:
            try:
                found: T | str = await asyncio.to_thread(read)
            except StudioError as error:
                found = str(error)
            except Exception:  # noqa: BLE001 - else the page would say for ever that it is reading
                _log.exception("%s could not be read", self._what)
                found = f"{self._what} cannot be shown. The server's log says why."
            if self._reading == key:  # else something else is wanted by now
                self._found, self._reading = (key, found), None
                then()

        pn.state.execute(work)
        return self._found[1] if self._found is not None and self._found[0] == key else None
