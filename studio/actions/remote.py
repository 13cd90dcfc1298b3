"""A store that another process owns: the same object, with the same methods, values and errors, through its owner.

Every method of `calls.READS` and `calls.WRITES` is sent; what `calls.HERE` names is either about this process or made of the others,
so that files are read and models are called where the caller is.
"""

import functools
import inspect
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote

from studio import errors
from studio.actions import calls
from studio.actions.agent_tools import ToolAnswer
from studio.actions.calls import Method
from studio.actions.runner import carry_on
from studio.actions.studio import Studio
from studio.domain.exchange import NotOfType, dumps, from_json, loads, to_json
from studio.domain.runs import Message, Run, RunStatus, ToolCall
from studio.errors import OwnerFailed, StoreClosed, StudioError
from studio.sources.models import Model, open_model
from studio.sources.owner import Address, Connection
from studio.store import lockfile

PATH = "/api/studio/"
"""Where an owner takes calls, each below it by its name."""
SAID_CAP_BYTES = 300
"""How much of an answer that is none of ours is quoted."""
RENEW_SECONDS = 15.0
"""How often a driver of a run says that it is alive."""


class Caller:
    """Sends calls over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._closed = False

    @property
    def where(self) -> str:
        """Names the store in sentences."""
        return self._connection.where

    def close(self) -> None:
        """Send no more."""
        self._closed = True
        self._connection.close()

    def call(self, method: Method, arguments: dict[str, Any]) -> Any:  # noqa: ANN401 - of the method's own type
        """Make a call and give its value, or raise what it raised.

        A write bears a key of its own, by which its owner carries it out once however often it arrives.
        """
        if self._closed:
            raise StoreClosed(self.where)
        types = method.types()
        sent = dumps({"arguments": {name: to_json(value, types[name]) for name, value in arguments.items()}})
        headers = {"Idempotency-Key": str(uuid.uuid4())} if method.writes else {}
        reply = self._connection.post(PATH + method.name, sent, headers=headers, repeatable=True)
        try:
            answer = loads(reply.body)
            if "error" in answer:
                raise _error(answer["error"], self.where)
            return from_json(answer["value"], types["return"])
        except (NotOfType, KeyError, TypeError):
            said = reply.body[:SAID_CAP_BYTES].decode("utf-8", "replace")
            raise OwnerFailed(self.where, f"HTTP {reply.status}: {said}") from None


def error_record(error: StudioError) -> dict[str, Any]:
    """An error as it is sent: its class, its sentence and what else it carries."""
    kind = next(one for one in type(error).__mro__ if getattr(errors, one.__name__, None) is one)
    more = {name: value for name, value in vars(error).items() if name != "message"}
    return {"class": kind.__name__, "message": error.message, "fields": more}


def _error(record: Any, where: str) -> StudioError:  # noqa: ANN401 - as it came
    """An error as it was raised at the owner."""
    try:
        kind = getattr(errors, record["class"])
        error: StudioError = kind.__new__(kind)
        StudioError.__init__(error, record["message"])
        fields = {name: tuple(value) if isinstance(value, list) else value for name, value in record["fields"].items()}
    except (AttributeError, KeyError, TypeError):
        return OwnerFailed(where, f"an error of another version ({record!r:.200})")
    vars(error).update(fields)
    return error


def _sent(name: str) -> Callable[..., Any] | property:
    """A method that is sent to the owner, with the signature and the words of the one it stands for."""
    method = calls.find_method(name)
    assert method is not None  # noqa: S101 - the name is of the table
    signature = inspect.signature(method.function)

    @functools.wraps(method.function)
    def send(self: Any, *given: Any, **named: Any) -> Any:  # noqa: ANN401 - as the method's own signature says
        bound = signature.bind(self, *given, **named).arguments
        return self._caller.call(method, dict(list(bound.items())[1:]))

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
                return carry_on(_OwnersKeeper(self, lease), run, model)
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

    def _not_ours(self) -> StudioError:
        return errors.StoreHeld(self._caller.where, "the process that serves it")


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
        return self._studio.call_tool(run.agent, call.name, call.arguments, run=run.id, call=call.id, offered=run.tools)

    def finish_run(self, run: str, status: RunStatus, *, memory_skipped: bool, failure: str | None) -> Run:
        return self._studio.finish_run(run, status, memory_skipped=memory_skipped, failure=failure)


def is_url(named: str) -> bool:
    """Whether a store is named by where it is served."""
    return named.startswith(("http://", "https://"))


def connect(url: str, token: str | None) -> RemoteStudio:
    """The store that is served at a URL; asked something once, so that a wrong URL or token is told at once.

    Raises:
        OwnerGone: nothing listens there.
        NotAdmitted: the token lets nobody in.
        OwnerFailed: what listens there is not Prompt Studio.
    """
    studio = RemoteStudio(Connection(url, lambda: Address(url, token)))
    studio.now()
    return studio


def through_owner(file: Path, operator: str, prompts: Path | None) -> RemoteStudio:
    """The store of a file, through the process of this machine that serves it.

    Args:
        file: the store.
        operator: in whose name we write (decision 4).
        prompts: the templates that are asked for, if any are.

    Raises:
        StoreHeld: its owner lets another system user's programs in only.
        OtherTemplates: the owner composes with others.
        OwnerGone: it stopped meanwhile.
    """
    where = lockfile.resolved(file)

    def find() -> Address:
        found = lockfile.serving(where)
        if found is None:
            raise errors.OwnerGone(str(file), "its process has stopped")
        if found.secret is None:
            raise errors.StoreHeld(
                str(file), f"another system user's process; with a token: open_studio({found.url!r})"
            )
        return Address(found.url, found.secret, {"X-Studio-Operator": quote(operator, errors="surrogateescape")})

    studio = RemoteStudio(Connection(str(file), find))
    if prompts is not None and studio.prompts_folder.resolve() != prompts.resolve():
        raise errors.OtherTemplates(str(prompts), str(studio.prompts_folder))
    return studio
