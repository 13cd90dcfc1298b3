"""Verify a store wherever it is: a file that nobody has open, or through the process that serves it."""

import os
from collections.abc import Mapping
from pathlib import Path

from studio.actions.backups import verify
from studio.actions.naming import check_file, is_url
from studio.actions.open import open_studio
from studio.domain.backups import StoreContents
from studio.domain.checking import Head
from studio.sources.settings import default_database
from studio.store.checking import Progress
from studio.store.lockfile import resolved, serving


def verify_store(
    named: str | Path | None = None,
    *,
    quick: bool = False,
    note_heads: bool = False,
    heads: tuple[Head, ...] = (),
    operator: str | None = None,
    progress: Progress | None = None,
    environment: Mapping[str, str] | None = None,
) -> StoreContents:
    """Verify a store wherever it is: a file that nobody has open, or through the process that serves it.

    Args:
        named: the file or the URL; else `STUDIO_DB`, else the one in the user's data folder.
        quick: see `verify` for this and what follows.
        note_heads: as there.
        heads: as there.
        operator: who asks, where it is served.
        progress: as `verify`; nothing is told of one that is served.
        environment: read instead of the process's environment.

    Raises what `verify` and `open_studio` do.
    """
    read_from = os.environ if environment is None else environment
    store = str(named or read_from.get("STUDIO_DB") or default_database(read_from))
    if is_url(store) or serving(resolved(Path(store))) is not None:
        with open_studio(store, operator=operator, environment=environment) as studio:
            return studio.verify(quick=quick, note_heads=note_heads, heads=heads)
    return verify(Path(check_file(store)), quick=quick, note_heads=note_heads, heads=heads, progress=progress)
