"""Answer with a page of a table."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from studio.api import arrow
from studio.api.operations import Answer, Call, answer
from studio.api.tables import Paging, Table
from studio.domain.records import Record

Row = TypeVar("Row")


class Page(NamedTuple):
    """Which page is asked for."""

    limit: int
    """How many rows at most."""
    offset: int
    """How many to leave out."""
    before: int | None
    """Only rows with a smaller number."""

    @property
    def one_more(self) -> int:
        """How many rows to ask for, so that it shows whether there is another page."""
        return self.limit + 1


def page_of(call: Call, table: Table) -> Page:
    """The page that a query asks for."""
    return Page(call.query.get("limit", table.page_rows), call.query.get("offset", 0), call.query.get("before"))


def answer_page(
    call: Call,
    table: Table,
    found: Sequence[Row],
    record: Callable[[Row], Record],
    *,
    number: Callable[[Row], int] | None = None,
    total: int | None = None,
) -> Answer:
    """The page of a table, as JSON or as the caller wants it.

    Args:
        call: the request.
        table: which table.
        found: the rows from the beginning of the page on, at least one more than it has where there are more.
        record: a row as JSON.
        number: a row's number, in a table that is paged by it.
        total: how many rows there are in all.
    """
    page = page_of(call, table)
    shown, last = found[: page.limit], len(found) <= page.limit
    if table.paging is Paging.OFFSET:
        following = None if last else page.offset + page.limit
    else:
        following = None if last or number is None else number(shown[-1])
    says: dict[str, int | None] = {table.paging.next_name: following}
    if table.counted:
        says["total"] = total
    rows = [record(one) for one in shown]
    if not call.arrow:
        return answer({table.name: rows, **says}, Vary="Accept")
    headers = {f"X-{name.title().replace('_', '-')}": str(value) for name, value in says.items() if value is not None}
    return Answer(arrow.stream(table, rows), arrow.CONTENT_TYPE, headers={"Vary": "Accept", **headers})


def answer_whole(
    call: Call, table: Table, found: Sequence[Row], record: Callable[[Row], Record], *, total: int | None = None
) -> Answer:
    """`answer_page` of a list that is at hand as a whole."""
    return answer_page(call, table, found[page_of(call, table).offset :], record, total=total)
