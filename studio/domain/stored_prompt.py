"""Reading a stored prompt again: where its sections stand in the text of message 0.

A run keeps what its model got as one text (decision 27). No stored text can hold a tag of the prompt's own (decision 20), so the
tags that are there are the sections' own and their places can be found again.
"""

from studio.domain.compose import Section
from studio.domain.sections import SectionName


def sections_of(prompt: str) -> tuple[Section, ...]:
    """The sections of a composed prompt in order, as `Prompt.sections` had them; none where the text was not composed like this.

    Args:
        prompt: the text of a run's message 0.
    """
    names = list(SectionName)
    if not prompt.startswith(f"<{names[0]}>\n"):
        return ()
    found: list[Section] = []
    start = 0
    for name, following in zip(names, [*names[1:], None], strict=True):
        between = f"\n</{name}>\n\n<{following}>\n"
        at = prompt.rfind(between, start) if following else -1
        if at >= 0:
            end = at + len(f"\n</{name}>")
            found.append(Section(name, start, end))
            start = end + 2
        elif prompt.endswith(f"\n</{name}>"):
            return (*found, Section(name, start, len(prompt)))
        else:
            return ()
    return tuple(found)
