"""Open a store: as its owner, or through the process that owns it."""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from studio.actions.naming import check_file, is_url
from studio.actions.studio import Studio
from studio.errors import NoFolder, StoreHeld, StoreServed
from studio.sources.settings import account, data_folder, default_database, demo_database, read_settings
from studio.store.lockfile import IN_MEMORY, resolved, serving
from studio.store.places import check_there

OWNER_STARTS_SECONDS = 15.0
"""How long to wait for a process that owns the store and is about to serve it."""
LOOK_EVERY_SECONDS = 0.05
DEMO_DIRECTORIES = "demo-directories"
"""The folder beside the demo's store that holds the repositories of its memory directories."""


def open_studio(
    path: str | Path | None = None,
    *,
    prompts: str | Path | None = None,
    operator: str | None = None,
    token: str | None = None,
    environment: Mapping[str, str] | None = None,
    make: bool = True,
) -> Studio:
    """Open a store: as its owner, making it if the file is not there, or through the process that serves it.

    A store that may not be written is opened to be read, and refuses each write.

    Args:
        path: the store's file, `:memory:`, or the URL of what serves one; else `STUDIO_DB`, else a file in the user's data folder.
        prompts: the folder of the prompt templates; else `STUDIO_PROMPTS`, else the repository's, else the packaged copy. A store
            that is served composes with its owner's: others that are named here are refused, and `STUDIO_PROMPTS` is not heeded.
        operator: who acts; else `STUDIO_OPERATOR`, else the account of the system (decision 4). With a token, the token's name.
        token: what lets us in at a URL; else `STUDIO_TOKEN`.
        environment: read instead of the process's environment.
        make: whether to make the store where there is none.

    Raises:
        Busy: another process owns the store and does not serve it, or nothing answers at the URL.
        Damaged: the file is no store, is damaged, or was written by a newer Prompt Studio.
        NotFound: the file's folder does not exist, or there is no store and none is to be made.
        Refused: `STUDIO_NOW` is no time, the token lets nobody in, or the store is served with other templates.
    """
    read_from = os.environ if environment is None else environment
    named = str(path) if path is not None else read_from.get("STUDIO_DB") or ""
    templates = Path(prompts) if prompts else None
    if is_url(named):
        from studio.actions.reaching import connect  # noqa: PLC0415 - what reaches an owner loads where one is reached

        return connect(named, token or read_from.get("STUDIO_TOKEN") or None, operator, templates)
    file = Path(named or default_database(read_from))
    if named == IN_MEMORY or not _is_served(file):
        if not make and named != IN_MEMORY:
            check_there(resolved(file))
        with suppress(StoreServed):  # since we looked
            return own_studio(path, prompts=prompts, operator=operator, environment=environment)
    from studio.actions.reaching import through_owner  # noqa: PLC0415

    return through_owner(file, operator or read_from.get("STUDIO_OPERATOR") or account(), templates)


def _is_served(file: Path) -> bool:
    """Whether a process of this machine serves the store; one that is about to is waited for.

    Raises:
        StoreHeld: it does not come to that.
    """
    until = time.monotonic() + OWNER_STARTS_SECONDS
    while (found := serving(resolved(file))) is not None and found.url is None:
        if time.monotonic() > until:
            raise StoreHeld(str(file), "a process that does not serve it yet")
        time.sleep(LOOK_EVERY_SECONDS)
    return found is not None


def own_studio(
    path: str | Path | None = None,
    *,
    prompts: str | Path | None = None,
    operator: str | None = None,
    environment: Mapping[str, str] | None = None,
    serves: bool = False,
) -> Studio:
    """Open a store as its owner and in no other way: what serves a store does.

    Args:
        path: the store's file; see `open_studio` for this and what follows.
        prompts: the folder of the prompt templates.
        operator: who acts.
        environment: read instead of the process's environment.
        serves: whether this process will serve the store as soon as it listens: whoever else opens it waits for that.

    Raises:
        StoreHeld: another process owns the store, also where that serves it.
        BadArgument: a URL is named.
        StudioError: what `open_studio` raises.
    """
    read_from = os.environ if environment is None else environment
    settings = read_settings(
        read_from,
        database=str(path) if path is not None else None,
        prompts=Path(prompts) if prompts is not None else None,
        operator=operator,
    )
    check_file(settings.database)
    if not settings.named:
        _make_folder(data_folder(read_from))
    return Studio(replace(settings, serves=serves))


def _make_folder(folder: Path) -> None:
    """Make our folder among the user's data, for the user alone, or say why it cannot be."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NoFolder(str(folder), error.strerror or str(error)) from None


class Opened(NamedTuple):
    """A store to serve, and whether it is the demo."""

    studio: Studio
    """The open store."""
    demo: bool
    """Whether nobody has a store yet, so that the demo is shown."""


def is_demo(studio: Studio, environment: Mapping[str, str] | None = None) -> bool:
    """Return whether a store is the demo's, where one's own history is easily put by mistake."""
    return Path(studio.path) == demo_database(os.environ if environment is None else environment)


def open_for_serving(
    path: str | Path | None = None,
    *,
    prompts: str | Path | None = None,
    operator: str | None = None,
    environment: Mapping[str, str] | None = None,
    on_making_demo: Callable[[], None] | None = None,
) -> Opened:
    """Open the store that the app serves: the one named, else one's own if it has an agent, else the demo in a store of its own.

    The demo store is made when it is not there, and is the reader's to change. Takes and raises what `open_studio` does;
    `on_making_demo` is called before the demo store is filled, which takes seconds.
    """
    read_from = os.environ if environment is None else environment
    named = path is not None or bool(read_from.get("STUDIO_DB"))
    if named or default_database(read_from).exists():
        own = own_studio(path, prompts=prompts, operator=operator, environment=environment, serves=True)
        if named or own.count_agents():
            return Opened(own, demo=False)
        own.close()
    file = demo_database(read_from)
    if not file.exists():
        if on_making_demo is not None:
            on_making_demo()
        _make_demo(file, prompts, environment)
    demo = own_studio(file, prompts=prompts, operator=operator, environment=environment, serves=True)
    return Opened(demo, demo=True)


def _make_demo(file: Path, prompts: str | Path | None, environment: Mapping[str, str] | None) -> None:
    """Make the demo store aside and put it in its place when it is whole, so that a process killed on the way leaves no half of it."""
    from studio.actions.demo_directory import add_directories  # noqa: PLC0415 - what runs git loads where a demo is made
    from studio.sources.demo import read_demo  # noqa: PLC0415

    _make_folder(file.parent)
    with TemporaryDirectory(prefix="demo-", dir=file.parent) as folder:
        making = Path(folder) / file.name
        with own_studio(making, prompts=prompts, environment=environment) as studio:
            studio.load_demo()
            add_directories(studio, read_demo(), file.parent / DEMO_DIRECTORIES)
        making.replace(file)
