"""Tables: lists that grow, so that each is given a page at a time, as JSON or as Arrow."""

from dataclasses import dataclass
from enum import StrEnum

from studio.api.parameters import Parameter, Schema, integer
from studio.api.shapes import NUMBER, listed, maybe, shape

LIMIT = 1000
"""How many rows a page may have."""


class Paging(StrEnum):
    """How the next page is asked for; the answer says with what."""

    OFFSET = "offset"
    """By how many rows are left out: `next_offset`."""
    BEFORE = "before"
    """By the number of the last row, so that rows which come meanwhile move nothing: `next_before`."""

    @property
    def next_name(self) -> str:
        """The field of the answer that gives the next page; null on the last one."""
        return f"next_{self}"


@dataclass(frozen=True, slots=True)
class Table:
    """What is said of a table once, for the query, the answer and the columns."""

    name: str
    """The field of the answer that holds the rows."""
    row: Schema
    """What a row holds: each property is a column."""
    paging: Paging = Paging.OFFSET
    """How it is paged."""
    counted: bool = False
    """Whether the answer says how many rows there are in all, as `total`."""
    page_rows: int = 100
    """How many rows a page has when nobody asks for another number."""

    @property
    def query(self) -> tuple[Parameter, ...]:
        """What a query says of the page."""
        limit = integer("limit", f"How many at most; {self.page_rows} without it.", maximum=LIMIT)
        says = f"the last answer's `{self.paging.next_name}`."
        if self.paging is Paging.OFFSET:
            return limit, integer("offset", f"How many to leave out: {says}", minimum=0)
        return limit, integer("before", f"Only those with a smaller number: {says}")

    @property
    def answers(self) -> Schema:
        """The JSON of a page."""
        total = {"total": NUMBER} if self.counted else {}
        return shape(**{self.name: listed(self.row), self.paging.next_name: maybe(NUMBER)}, **total)
