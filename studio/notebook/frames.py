"""Timelines as pandas DataFrames with declared columns, one row for each version."""

import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from studio.actions.studio import Studio
from studio.domain.agents import Agent
from studio.domain.authors import AuthorFilter, AuthorKind, count_authors
from studio.domain.moments import known
from studio.domain.stand_ins import StandInKind
from studio.domain.timeline import Status, Version, by_author
from studio.errors import NothingToRead, UnknownAuthor

if TYPE_CHECKING:
    import pandas as pd

UTC_TIMES = "datetime64[us, UTC]"
"""The dtype of every time: microseconds, aware, UTC."""

VERSION_COLUMNS: dict[str, str] = {
    "agent": "string",
    "agent_name": "string",
    "version": "int64",
    "author_kind": "category",
    "author_name": "string",
    "via": "string",
    "evidence": "string",
    "at": UTC_TIMES,
    "until": UTC_TIMES,
    "added": "Int64",
    "removed": "Int64",
    "characters": "int64",
    "status": "category",
    "live": "bool",
    "run": "string",
    "call": "string",
    "based_on": "Int64",
    "only_changed": "string",
    "first_kept": "bool",
    "stand_in": "category",
    "stands_for": "string",
    "commit": "string",
    "subject": "string",
    "path": "string",
    "old_path": "string",
    "marks": "string",
    "changed_outside": "string",
}
"""The columns of `versions_df` and their dtypes, in order; the names mean what they mean on `studio.Version`.

`agent` is the id, `until` is missing on the live version, sizes are code points. `stand_in` is the kind of what is in place of a text,
`stands_for` what it says. `commit`, `subject`, `path` and `old_path` say where a version of an import or of a memory directory came
from (decision 46), `marks` the words of what nobody was asked about, with commas between (decision 39), and `changed_outside` how a
version does not match its hashes (decision 38). The categories of `author_kind`, `status` and `stand_in` are all there are, whether a
row has them or not, so that two frames can be put together. What is not known is missing, never zero.
"""

_CATEGORIES = {
    "author_kind": tuple(map(str, AuthorKind)),
    "status": tuple(map(str, Status)),
    "stand_in": tuple(map(str, StandInKind)),
}


def versions_df(
    studio: Studio,
    agent: str | None = None,
    *,
    text: Literal["memory", "task"] = "memory",
    author: str | None = None,
) -> "pd.DataFrame":
    """Every version of a text that is kept, without the texts.

    Args:
        studio: an open store.
        agent: id or unique name; None takes all agents, in the order of the agent list. Of these, one whose memory directory cannot be
            read is left out with a warning that names it.
        text: `memory` or `task`.
        author: keep only this kind of author, or one author as `kind:name` (decision 3).

    Returns:
        One row for each version, newest first within an agent, with the columns and dtypes of `VERSION_COLUMNS`, also when empty.

    Raises:
        UnknownAgent: there is no such agent.
        NothingToRead: the memory directory of the one that is named cannot be read.
        BadAuthorFilter: the filter is not a kind or `kind:name`.
        UnknownAuthor: `kind:name` names nobody who wrote one of these versions.
    """
    agents = [summary.agent for summary in studio.list_agents()] if agent is None else [studio.get_agent(agent)]
    listed = studio.list_memory_versions if text == "memory" else studio.list_task_versions
    timelines = []
    for one in agents:
        try:
            timelines.append((one, listed(one.id)))
        except NothingToRead as error:
            if agent is not None:
                raise
            warnings.warn(f"{one.name} is left out. {error}", stacklevel=2)
    chosen = AuthorFilter.parse(author) if author else None
    rows = [_row(one, version) for one, versions in timelines for version in by_author(versions, chosen)]
    if chosen is not None and chosen.name is not None and not rows:
        counts = count_authors(version.author for _, versions in timelines for version in versions)
        raise UnknownAuthor(str(chosen), [count.author.key for count in counts])
    return _frame(rows)


def _row(agent: Agent, version: Version) -> tuple[Any, ...]:
    """One version as the values of `VERSION_COLUMNS`."""
    author = version.author
    return (
        agent.id,
        agent.name,
        version.number,
        str(author.kind),
        author.name,
        author.via,
        author.evidence,
        known(version.at),
        known(version.until),
        version.added,
        version.removed,
        version.characters,
        str(version.status),
        version.live,
        version.run,
        version.call,
        version.based_on,
        version.only_changed,
        version.first_kept,
        str(version.stand_in.kind) if version.stand_in else None,
        version.stand_in.stands_for if version.stand_in else None,
        *((origin.commit, origin.subject, origin.path, origin.old_path) if (origin := version.origin) else (None,) * 4),
        ",".join(version.marks) or None,
        version.changed_outside,
    )


def _frame(rows: Iterable[tuple[Any, ...]]) -> "pd.DataFrame":
    """Rows as a frame with the declared dtypes."""
    import pandas as pd  # noqa: PLC0415 - pandas takes half a second, and `import studio.notebook` stays light

    columns = list(zip(*rows, strict=True)) or [()] * len(VERSION_COLUMNS)
    held = {}
    for (name, dtype), values in zip(VERSION_COLUMNS.items(), columns, strict=True):
        if dtype == "category":
            held[name] = pd.Series(pd.Categorical(list(values), categories=_CATEGORIES[name]))
        elif dtype == UTC_TIMES:
            held[name] = pd.Series(pd.to_datetime(list(values), utc=True)).astype(pd.DatetimeTZDtype("us", "UTC"))
        else:
            held[name] = pd.Series(list(values), dtype=dtype)
    return pd.DataFrame(held)
