"""Reading a stored prompt again: where its sections stand in the text of message 0.

A run keeps what its model got as one text (decision 27). No stored text can hold a tag of the prompt's own (decision 20), so the
tags that are there are the sections' own and their places can be found again. The blocks of a memory directory are inserted as
they are and may hold such tags; how many characters they take is stored with the run, so they are cut off first.
"""

from studio.domain.compose import BETWEEN_SECTIONS, Section
from studio.domain.sections import SectionName


def sections_of(prompt: str, memory_characters: int | None = None) -> tuple[Section, ...]:
    """The sections of a composed prompt in order, as `Prompt.sections` had them; none where the text was not composed like this.

    Args:
        prompt: the text of a run's message 0.
        memory_characters: how many characters at its end are a compiled directory, as `MadeOf` names them; None for any other memory.
    """
    if memory_characters:
        start = len(prompt) - memory_characters
        before = sections_of(prompt[:start].removesuffix(BETWEEN_SECTIONS))
        return (*before, Section(SectionName.MEMORY, start, len(prompt))) if before else ()
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
