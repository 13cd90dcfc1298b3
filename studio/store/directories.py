"""Rows of memory directories."""

import json
from collections.abc import Sequence
from typing import Any

from studio.domain.agents import Layout
from studio.domain.directory.link import Link, Seen
from studio.domain.paths import AgentId
from studio.store.database import Cursor

COLUMNS = "agent_id, path, agent_authors, linked_at, seen_head, seen_version, seen_characters, seen_at, rewritten_from, rewritten_at"
"""The columns of `Link`, in the order of the table."""
GET = f"SELECT {COLUMNS} FROM directories WHERE agent_id = ?"


def get(cursor: Cursor, agent: str) -> Link | None:
    """The directory of the agent with this id, or None where its memory is an artifact."""
    row = cursor.execute(GET, [agent]).fetchone()
    return None if row is None else _link(row)


EVERY = f"SELECT {COLUMNS} FROM directories ORDER BY agent_id"


def every(cursor: Cursor) -> tuple[Link, ...]:
    """The links of all agents whose memory is a directory, by the agents' ids."""
    return tuple(map(_link, cursor.execute(EVERY).fetchall()))


def _link(row: Sequence[Any]) -> Link:
    who, path, authors, linked_at, head, version, characters, at, rewritten_from, rewritten_at = row
    last = Seen(head, version, characters, at)
    return Link(AgentId(who), path, linked_at, last, tuple(json.loads(authors)), rewritten_from, rewritten_at)


DELETE = "DELETE FROM directories WHERE agent_id = ?"
INSERT = f"INSERT INTO directories ({COLUMNS}) VALUES ({', '.join('?' * 10)})"


def put(cursor: Cursor, link: Link) -> None:
    """Store a link, in place of the agent's other one if there is one."""
    last = link.seen
    rule = json.dumps(link.agent_authors, ensure_ascii=False)
    cursor.execute(DELETE, [link.agent])
    where = [link.agent, link.path, rule, link.linked_at]
    remembered = [last.head, last.version, last.characters, last.at, link.rewritten_from, link.rewritten_at]
    cursor.execute(INSERT, [*where, *remembered])


def delete(cursor: Cursor, agent: AgentId) -> None:
    """Forget an agent's link."""
    cursor.execute(DELETE, [agent])


SET_LAYOUT = "UPDATE agents SET layout = ? WHERE agent_id = ?"


def set_layout(cursor: Cursor, agent: AgentId, layout: Layout) -> None:
    """Say how an agent's memory is kept."""
    cursor.execute(SET_LAYOUT, [str(layout), agent])
