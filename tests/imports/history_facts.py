"""What tests ask of a history, and how they make texts."""

import random

from repository_builder import START_SECONDS, RepositoryBuilder

from studio.domain.history import History, count_rows
from studio.domain.timeline import Status

FILE = "memory.md"
LOG = ("log", "--topo-order", "--format=%H")


def numbered(first: int, last: int, **changed: str) -> str:
    """Lines with a number each; `l7="x"` replaces line 7."""
    return "".join(changed.get(f"l{number}", f"line {number}") + "\n" for number in range(first, last + 1))


def commits(history: History) -> list[str | None]:
    return [row.origin.commit for row in history.rows]


def statuses(history: History) -> list[Status]:
    return [row.status for row in history.rows]


def contents(history: History) -> list[bytes | None]:
    return [None if row.body is None else row.body.content for row in history.rows]


def counts(history: History) -> list[tuple[int | None, int | None]]:
    return [(one.added, one.removed) for one in count_rows(history.rows)]


def numstat(made: RepositoryBuilder, *arguments: str) -> list[tuple[int, int]]:
    output = made.lines(*arguments)
    return [(int(line.split("\t")[0]), int(line.split("\t")[1])) for line in output if "\t" in line]


def fast_history(made: RepositoryBuilder, texts: list[bytes], path: str = FILE) -> None:
    """One commit for each text, in one process."""
    parts = []
    for number, text in enumerate(texts):
        parts.append(b"commit refs/heads/main\ncommitter Ana <ana@example.org> %d +0000\n" % (START_SECONDS + number))
        parts.append(b"data 1\nx\nM 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(text), text))
    made.fast_import(b"".join(parts))


def edited(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    """The lines with a few taken out, put in and repeated, as a rewriting agent does."""
    lines = [line for line in lines if dice.random() > 0.1]
    for _ in range(dice.randint(0, 6)):
        lines.insert(dice.randint(0, len(lines)), dice.choice([b"", b"- repeated", b"- item %d" % dice.randint(0, 9)]))
    return lines
