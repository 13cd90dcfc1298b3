"""An opened collection: what it is for, its columns and a page of its records. Nothing here is written to."""

import json
from collections.abc import Sequence
from datetime import datetime

from studio.domain.collections import Collection, Record
from studio.render.fragments_head import button, nothing, who
from studio.render.fragments_runs import pager
from studio.render.tags import Html, joined, tag, text
from studio.render.times import time

MOST_CELL_CHARACTERS = 300
"""A longer value is shown in part in its cell."""

SHORT_CELL_CHARACTERS = 24
"""A value up to this long stays on one line: a date, a number, a name."""


def collection_bar(table: Collection, access: str, total: int) -> Html:
    """What a collection is.

    Args:
        table: the collection.
        access: what the open agent may do with it, for a person.
        total: how many records it has.
    """
    facts = [
        ("Path", tag("code", table.path)),
        ("Level", str(table.level)),
        ("Records", f"{total:,}"),
        ("This agent", access),
    ]
    return tag(
        "div",
        tag(
            "div",
            tag("div", tag("h2", table.name), tag("p", table.purpose or "No purpose is set.", class_="by")),
            tag("div", button("Copy embed", "copy-embed", quiet=True), class_="actions"),
            class_="top",
        ),
        tag("dl", *[tag("div", tag("dt", name), tag("dd", words)) for name, words in facts], class_="facts"),
        class_="opened",
    )


def records(table: Collection, shown: Sequence[Record], *, start: int, total: int, now: datetime) -> Html:
    """The columns with what they hold, and a page of records, last written first.

    Args:
        table: the collection.
        shown: the page.
        start: how many records stand before it.
        total: how many there are.
        now: the time, for relative times.
    """
    columns = tag(
        "dl",
        *[tag("div", tag("dt", one.name), tag("dd", one.description or "")) for one in table.columns],
        class_="columns",
        aria_label="Columns",
    )
    if not shown:
        return joined(columns, nothing("No record yet. An agent that may write it adds records with record_write."))
    headings = [tag("th", words, scope="col") for words in ("Id", *[one.name for one in table.columns], "Written")]
    rows = [_record(table, one, now) for one in shown]
    return joined(
        columns,
        tag(
            "div",
            tag(
                "table",
                tag("caption", f"Records of {table.name}", class_="unseen"),
                tag("thead", tag("tr", *headings)),
                tag("tbody", *rows),
                class_="records",
            ),
            class_="wide-table",
            tabindex=0,
            role="region",
            aria_label=f"Records of {table.name}",
        ),
        pager(start, start + len(shown), total, "records"),
    )


def _record(table: Collection, record: Record, now: datetime) -> Html:
    shown = [_cell(record.values.get(one.name)) for one in table.columns]
    cells = [tag("td", text(one), class_="short" if len(one) <= SHORT_CELL_CHARACTERS else None) for one in shown]
    written = tag("td", who(record.updated_by), " ", time(record.updated_at, now), class_="when")
    return tag("tr", tag("th", record.id, scope="row"), *cells, written)


def _cell(value: object) -> str:
    """A value as it reads: a text as it is, all else as JSON."""
    if value is None:
        return ""
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= MOST_CELL_CHARACTERS else f"{shown[:MOST_CELL_CHARACTERS]}…"
