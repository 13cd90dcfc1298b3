"""How many rows a query gives and passes over."""

MOST_ROWS = 2**31
"""More than any table has; DuckDB takes no numbers without end."""


def rows_of(asked: int) -> int:
    """A number of rows as DuckDB takes it: below none is none."""
    return max(0, min(asked, MOST_ROWS))
