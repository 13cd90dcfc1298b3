"""A progress bar on standard error, where a person watches."""

from collections.abc import Iterator
from contextlib import contextmanager

from studio.cli.output import is_watched


class Bar:
    """A progress bar."""

    def __init__(self, what: str) -> None:
        from rich.console import Console  # noqa: PLC0415 - only where a person watches
        from rich.progress import Progress  # noqa: PLC0415

        self.shown = Progress(console=Console(stderr=True), transient=True)
        self._task = self.shown.add_task(what, total=None)

    def update(self, done: int, total: int) -> None:
        """So many of so many are done."""
        self.shown.update(self._task, completed=done, total=total)


@contextmanager
def progress_bar(what: str) -> Iterator[Bar | None]:
    """A bar where standard error is a terminal.

    Args:
        what: what is being done.
    """
    if not is_watched():
        yield None
        return
    bar = Bar(what)
    with bar.shown:
        yield bar
