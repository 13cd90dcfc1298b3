"""Carry a request out at most once, however often it is sent: also when the process was killed between the write and its answer."""

from collections.abc import Callable

from studio.actions.context import Context
from studio.domain.bodies import check_text
from studio.domain.repeats import KEPT_FOR, Answered
from studio.errors import KeyReused, NotAnswered
from studio.store import idempotency
from studio.store.database import Cursor


def once(
    context: Context, key: str, who: str, fingerprint: str, act: Callable[[], bytes], *, long: bool = False
) -> bytes:
    """What `act` answers; a repeat within 24 hours is answered the same and not carried out.

    The answer is stored in one transaction with all that `act` writes, so neither is there without the other. A request that fails
    stores nothing. One that is sent again while the first is on its way waits for it, and is answered the same.

    Args:
        context: the open store.
        key: what the client named the request.
        who: who sends it; a key is their own.
        fingerprint: sha256 of the request.
        act: carries it out, in this thread.
        long: whether it takes long between its writes, as a model does. Then the key is entered before, and the writes are
            transactions of their own; a repeat of one that goes on, or was cut off, is told so and waits for nobody.

    Raises:
        KeyReused: the key stands for another request.
        NotAnswered: the request was begun and is not answered.
        UnusableText: the key or the sender's name holds NUL or a lone surrogate.

    Raises what `act` does too.
    """
    for given in (key, who):
        check_text(given, "The key or its sender's name")
    request = _Request(context, key, who, fingerprint)
    if long:
        return _long(request, act)
    with context.keys.of(f"{who}\n{key}"):
        return _short(request, act)


class _Request:
    """A request with its key."""

    def __init__(self, context: Context, key: str, who: str, fingerprint: str) -> None:
        self.database = context.database
        self._clock = context.clock
        self._key = key
        self._who = who
        self._fingerprint = fingerprint

    def answered(self, cursor: Cursor) -> bytes | None:
        """What was answered before; None for a new request."""
        found = idempotency.get(cursor, self._who, self._key, self._clock() - KEPT_FOR)
        if found is None:
            return None
        if found.fingerprint != self._fingerprint:
            raise KeyReused(self._key)
        if found.answer is None:
            raise NotAnswered(self._key)
        return found.answer

    def enter(self, cursor: Cursor, answer: bytes | None) -> None:
        """Store the answer, and forget what is older than a day."""
        now = self._clock()
        idempotency.prune(cursor, now - KEPT_FOR, self._who, self._key)
        idempotency.put(cursor, self._who, self._key, Answered(self._fingerprint, answer), now)

    def forget(self, cursor: Cursor) -> None:
        """Let the key stand for nothing again."""
        idempotency.delete(cursor, self._who, self._key)


def _short(request: _Request, act: Callable[[], bytes]) -> bytes:
    """The answer, stored together with what was written."""
    with request.database.read() as cursor:
        before = request.answered(cursor)
    if before is not None:
        return before
    with request.database.whole():
        answer = act()
        with request.database.tx() as cursor:
            request.enter(cursor, answer)
    return answer


def _long(request: _Request, act: Callable[[], bytes]) -> bytes:
    """The answer; the key is entered before anything is done, so that nothing is ever done twice."""
    with request.database.tx() as cursor:
        before = request.answered(cursor)
        if before is not None:
            return before
        request.enter(cursor, None)
    try:
        answer = act()
    except BaseException:  # a fault of ours too: whoever sends it again is not to hear for a day that it goes on
        with request.database.tx() as cursor:
            request.forget(cursor)
        raise
    with request.database.tx() as cursor:
        request.enter(cursor, answer)
    return answer
