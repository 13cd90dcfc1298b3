"""Lint the texts that the store holds: the memory of an agent, or its Task."""

from collections.abc import Sequence

from studio.actions.context import Context, find_agent
from studio.actions.directory.linting import left_out_rules, lint_linked
from studio.actions.history import body_of, versions_of
from studio.domain.agents import Agent, Layout
from studio.domain.changes import TextKind
from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.piling import GROWTH_VERSIONS
from studio.domain.directory.lint.rule import Place
from studio.domain.directory.lint.run import lint_text
from studio.memfs.secrets import find_keys
from studio.store.database import Cursor

FILE_NAMES = {TextKind.MEMORY: "memory.md", TextKind.TASK: "task.md"}
"""What findings call a text that is in the store."""


def lint_stored(
    context: Context, agent: str, text: TextKind, *, written: str | None = None, off: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """What the writing rules say about an agent's memory or Task; of a memory directory, about all of it.

    Args:
        context: the open store.
        agent: id or unique name.
        text: memory or Task.
        written: a text to look at in place of the live one, such as a draft; its growth is not judged.
        off: rules to leave out, beside those that `STUDIO_LINT_OFF` names.

    Raises:
        UnknownAgent: there is no such agent.
        UnknownLintRule: `off` names no rule.
    """
    left_out = left_out_rules(off)
    with context.database.read() as cursor:
        who = find_agent(cursor, agent)
        directory = text is TextKind.MEMORY and who.layout is Layout.DIRECTORY and written is None
        texts = () if directory else (written,) if written is not None else _recent(cursor, who, text)
    if directory:
        return lint_linked(context, who.id, off=off)
    if not texts:
        return ()
    place = Place.MEMORY if text is TextKind.MEMORY else Place.TASK
    return lint_text(FILE_NAMES[text], place, texts[-1], history=texts, scan=find_keys, off=left_out)


def _recent(cursor: Cursor, agent: Agent, text: TextKind) -> tuple[str, ...]:
    """The newest versions of a stored text, oldest first; none where the live one is no text."""
    versions = versions_of(cursor, agent, text)[:GROWTH_VERSIONS]
    bodies = [body_of(cursor, agent.id, text, version) for version in reversed(versions)]
    if not bodies or bodies[-1].text is None:
        return ()
    return tuple(body.text for body in bodies if body.text is not None)
