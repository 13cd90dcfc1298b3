"""The Memory section: what the agent wrote for its own later runs, and how it may write again.

The cap binds `memory_write` only (decision 5): a Save, an import or a restore stores a text of any length, and the
section carries it whole. A missing row reads as empty, and so does a memory kept as bytes, which no model could read.
"""

from studio.domain.bodies import EMPTY, Body
from studio.domain.changes import Saved
from studio.errors import MemoryTooLong

MEMORY_CAP_CHARACTERS = 12_000
"""The longest text `memory_write` takes, in code points (decision 5)."""

WRITE_RULES = (
    "- This Memory is yours alone: keep here whatever you want your later runs to know. Rewrite it with "
    "`memory_write`, all of it at once, so carry over what should stay. The Task above is your operator's standing "
    "purpose and stays as it is.\n"
    "- No format is asked for. Write what will make your next run easier.\n"
    "- When this run changed something worth keeping, write before you finish. A schedule wake-up always writes, and "
    "so does a run that the group chat started."
)
"""What stands above the body when `memory_write` is offered: whose it is, in which form, and when to write."""


def check_memory_write(content: str) -> str:
    """The text itself, if `memory_write` may take it; nothing is ever cut to fit.

    Args:
        content: the whole new memory.

    Raises:
        MemoryTooLong: it is longer than `MEMORY_CAP_CHARACTERS` (decision 6).
    """
    if len(content) > MEMORY_CAP_CHARACTERS:
        raise MemoryTooLong(MEMORY_CAP_CHARACTERS)
    return content


def readable(body: Body | None) -> str:
    """The memory as a run reads it: the text, or nothing where the row is missing or kept as bytes."""
    return (body or EMPTY).text or ""


def content(body: str, *, memory_write: bool) -> str:
    """What stands between the tags of the Memory section.

    Args:
        body: the memory's text, already safe to stand in a section.
        memory_write: whether the run is offered `memory_write`; if not, neither the rules nor the tool's name appear
            (decision 9).
    """
    if not memory_write:
        return body
    return f"{WRITE_RULES}\n\n{body}" if body else WRITE_RULES


def write_answer(saved: Saved, content: str) -> str:
    """What `memory_write` answers; like the prompt it does not speak of earlier versions."""
    if not saved.changed:
        return "Memory is unchanged: the content is what it already holds."
    return f"Memory saved: {len(content):,} of {MEMORY_CAP_CHARACTERS:,} characters."
