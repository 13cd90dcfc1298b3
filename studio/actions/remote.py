"""A store that another process owns: the same object, with the same methods, values and errors, through its owner.

Every method of `calls.READS` and `calls.WRITES` is sent; what `calls.HERE` names is either about this process or made of the others,
so that files are read and models are called where the caller is.
"""

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from studio.actions import calls
from studio.actions.caller import Caller
from studio.actions.later import later
from studio.actions.studio import Studio
from studio.domain.generation import ToolAnswer
from studio.domain.runs import Message, Run, RunStatus, ToolCall
from studio.domain.tokens import Ticket
from studio.errors import StoreHeld, StudioError
from studio.sources.models import Model, open_model
from studio.sources.owner import Connection

if TYPE_CHECKING:
    from studio.actions import runner
else:
    (runner,) = later("studio.actions", "runner")

RENEW_SECONDS = 15.0
"""How often a driver of a run says that it is alive."""


def _sent(name: str) -> Callable[..., Any] | property:
    """A method that is sent to the owner, with the signature and the words of the one it stands for."""
    method = calls.find_method(name)
    assert method is not None  # noqa: S101 - the name is of the table

    @functools.wraps(method.function)
    def send(self: Any, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - as the method's own signature says
        bound = method.signature.bind(self, *given, **named).arguments
        arguments = dict(list(bound.items())[1:])
        for place in calls.PLACES.intersection(arguments):
            arguments[place] = type(arguments[place])(Path(arguments[place]).absolute())
        return self._caller.call(method, arguments)

    return property(send) if method.is_property else send


def _filled(own: type[Any], shelf: str = "") -> type[Any]:
    """The class, with every method that is sent."""
    for name in (*calls.READS, *calls.WRITES):
        prefix, _, short = name.rpartition(".")
        if prefix == shelf:
            setattr(own, short, _sent(name))
    return own


class _Shelf:
    """A part of the studio that is a noun of its own, through its owner."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller


def _shelf(name: str, kind: type[Any]) -> property:
    """The property of a shelf, every method of which is sent."""
    own = _filled(type(f"Remote{kind.__name__}", (_Shelf, kind), {}), name)
    return property(lambda studio: own(studio._caller), doc=f"See `Studio.{name}`.")  # noqa: SLF001 - its own


class RemoteStudio(Studio):
    """A store through its owner. Made by `open_studio`; use it as `Studio`, from any thread.

    Beside what each method raises at home: `OwnerGone` where nobody answers, `OwnerSilent` where the owner broke off, `NotAdmitted`,
    `NotAllowed`.
    """

    def __init__(self, connection: Connection) -> None:
        self._caller = Caller(connection)

    def close(self) -> None:
        """Send no more; the store stays open at its owner's."""
        self._caller.close()

    def drive_run(self, run: str, model: Model | str) -> Run:
        """Let a model of this process carry on with an open run. See `Studio.drive_run`."""
        return self._drive(run, None, open_model(model) if isinstance(model, str) else model)

    def continue_run(self, run: str, message: str, model: Model | str) -> Run:
        """A user's next message to a direct run, and the turn of a model of this process after it."""
        return self._drive(run, message, open_model(model) if isinstance(model, str) else model)

    def _drive(self, run: str, message: str | None, model: Model) -> Run:
        lease = self.take_run(run, message)
        try:
            with _renewed(self, run, lease):
                return runner.carry_on(_OwnersKeeper(self, lease), run, model)
        finally:
            self.give_back_run(run, lease)

    def announce(self, url: str) -> None:  # noqa: ARG002 - as at home
        """Only an owner serves."""
        raise self._not_ours()

    def withdraw(self) -> None:
        """Only an owner serves."""
        raise self._not_ours()

    def admit(self, bearer: str) -> NoReturn:  # noqa: ARG002 - as at home
        """Only an owner lets anyone in."""
        raise self._not_ours()

    def acting_as(self, operator: str) -> NoReturn:  # noqa: ARG002 - as at home
        """Only an owner acts for others."""
        raise self._not_ours()

    def visited(self, ticket: Ticket) -> NoReturn:  # noqa: ARG002 - as at home
        """Only an owner shows its store to visitors."""
        raise self._not_ours()

    def ticket_of(self, bearer: str) -> NoReturn:  # noqa: ARG002 - as at home
        """Only an owner signs anyone in."""
        raise self._not_ours()

    @property
    def may_write(self) -> NoReturn:
        """Only an owner says this without a request; here a write that is not allowed raises `NotAllowed`."""
        raise self._not_ours()

    def once(self, key: str, who: str, fingerprint: str, act: Callable[[], bytes], *, long: bool = False) -> NoReturn:  # noqa: ARG002 - as at home
        """Only an owner keeps what it answered; a client sends a key with each write by itself."""
        raise self._not_ours()

    def stop_runs(self) -> None:
        """Nothing: a run that this process drives ends with it, by its lease."""

    def _not_ours(self) -> StudioError:
        return StoreHeld(self._caller.where, "the process that serves it")


_filled(RemoteStudio)
for _name, _kind in calls.SHELVES.items():
    setattr(RemoteStudio, _name, _shelf(_name, _kind))


@contextmanager
def _renewed(studio: Studio, run: str, lease: str) -> Iterator[None]:
    """Renew a lease while the block lasts; a model may think for minutes."""
    over = threading.Event()

    def renew() -> None:
        while not over.wait(RENEW_SECONDS):
            try:
                studio.renew_run(run, lease)
            except StudioError:
                return  # whoever drives hears it with the next row

    thread = threading.Thread(target=renew, daemon=True, name=f"studio-lease-{run}")
    thread.start()
    try:
        yield
    finally:
        over.set()


class _OwnersKeeper:
    """Keeps a run at the owner's."""

    def __init__(self, studio: Studio, lease: str) -> None:
        self._studio = studio
        self._lease = lease

    def now(self) -> datetime:
        return self._studio.now()

    def get_run(self, run: str) -> tuple[Run, tuple[Message, ...]]:
        return self._studio.get_run(run)

    def append(self, run: str, row: Message) -> None:
        self._studio.add_messages(run, (row,), lease=self._lease)

    def check_open(self, run: str) -> None:
        self._studio.check_open(run)

    def call_tool(self, run: Run, call: ToolCall) -> ToolAnswer:
        return self._studio.call_tool(run.agent, call.name, call.arguments, run=run.id, call=call.id)

    def finish_run(self, run: str, status: RunStatus, *, memory_skipped: bool, failure: str | None) -> Run:
        return self._studio.finish_run(run, status, memory_skipped=memory_skipped, failure=failure)
