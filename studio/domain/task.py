"""The Task section: the operator's standing purpose for one agent.

The agent reads its Task on every run and no tool of its own writes it; that is what keeps the two prompt files apart.
"""

INTRO = (
    "Your operator wrote this Task. It is your standing purpose and holds for every run. Read it as standing guidance: "
    "it is not a question someone asked just now, and by itself no reason to post to the group chat."
)
"""What the agent is told about the Task before it reads it."""
NOT_WITH_MEMORY_WRITE = (
    "The Task is not rewritten with `memory_write`; that tool replaces your Memory and nothing else."
)
"""What the intro adds when `memory_write` is offered, and only then (decision 9)."""


def content(body: str, *, memory_write: bool) -> str:
    """What stands between the tags of the Task section.

    Args:
        body: the Task's text, whole whatever its size, already safe to stand in a section.
        memory_write: whether the run is offered `memory_write`.
    """
    intro = f"{INTRO} {NOT_WITH_MEMORY_WRITE}" if memory_write else INTRO
    return f"{intro}\n\n{body}"


def new_task_text(focus: str | None, template: str) -> str:
    """The first Task of a new agent: its focus where one was given, else the text of `task.md`.

    Args:
        focus: what the agent is for, as its creator wrote it; blank counts as not given.
        template: the text of `task.md`.
    """
    return focus if focus and focus.strip() else template
