"""The chat rows of a run: the composed prompt by section, then what user, model and tools said. All of it is text."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from studio.domain.compose import Section
from studio.domain.run_machine import MEMORY_SOURCE
from studio.domain.runs import Message, Role, ToolCall
from studio.domain.stored_prompt import sections_of
from studio.render.fragments_agents import Href
from studio.render.fragments_head import button
from studio.render.tags import Html, joined, tag, text
from studio.render.times import time

CLIP_CHARACTERS = 3_000
"""A longer text of a row is shown in part, with a button for the rest."""
SECTION_CLIP_CHARACTERS = 100_000
"""Likewise a section of the prompt, which is folded anyway."""
_ROLES = {
    Role.SYSTEM: "System",
    Role.USER: "User",
    Role.ASSISTANT: "Assistant",
    Role.TOOL: "Tool result",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """How the rows of one run are read."""

    row: int | None
    """The row that was opened by its number."""
    call: str | None
    """The call in it that was opened, by its id."""
    whole: frozenset[str]
    """The texts that are shown in full, by their keys."""
    now: datetime
    """The time, for relative times."""
    href: Href
    """Makes addresses."""
    memory_characters: int | None = None
    """How many characters at the end of message 0 are a compiled memory directory, as `MadeOf` names them."""


def chat(rows: Sequence[Message], names: dict[str, str], reading: Reading) -> Html:
    """Rows of a run, in order.

    Args:
        rows: the rows of this page.
        names: the tool that each call asked for, by the call's id.
        reading: what is open and shown in full.
    """
    return tag("ol", *[_row(one, names, reading) for one in rows], class_="chat")


def _row(row: Message, names: dict[str, str], reading: Reading) -> Html:
    current = row.position == reading.row
    number = tag(
        "a",
        f"Row {row.position}",
        href=reading.href(row=row.position, call=None),
        data_do="row",
        data_value=row.position,
        data_key=f"row-{row.position}",
    )
    tool = names.get(row.tool_call_id or "")
    label = joined(
        tag("span", _ROLES[row.role], class_="role"),
        tag("code", tool) if tool else None,
        tag("span", f"answers {row.tool_call_id}", class_="by") if row.tool_call_id else None,
        _source(row),
    )
    head = tag("h3", number, label, tag("span", time(row.at, reading.now), class_="when"))
    marked = current and reading.call is None
    return tag(
        "li",
        head,
        _content(row, reading),
        *[_call(one, row, reading) for one in row.tool_calls],
        class_=f"row {row.role}{' inserted' if row.source else ''}",
        aria_current="true" if marked else None,
        data_show=f"row-{row.position}" if marked else None,
    )


def _source(row: Message) -> Html | None:
    if row.source is None:
        return None
    words = "inserted by the system" if row.source == MEMORY_SOURCE else "inserted"
    return tag("span", f"{words} · source: {row.source}", class_="badge warm")


def _content(row: Message, reading: Reading) -> Html | None:
    if row.position == 0 and row.role is Role.SYSTEM:
        return _prompt(row.content, reading)
    if not row.content and row.tool_calls:
        return None
    if not row.content:
        return tag("p", "No text.", class_="by empty")
    return clipped(row.content, f"{row.position}", f"Text of row {row.position}", reading)


def _prompt(prompt: str, reading: Reading) -> Html:
    """Message 0, folded by section; one that was not composed like this is shown as it is."""
    sections = sections_of(prompt, reading.memory_characters)
    if not sections:
        return clipped(prompt, "0", "Text of row 0", reading)
    words = f"The composed prompt, {len(prompt):,} characters, exactly as the model got it."
    return joined(
        tag("p", words, class_="by"),
        tag("div", *[_section(prompt, one, reading) for one in sections], class_="sections"),
    )


def _section(prompt: str, section: Section, reading: Reading) -> Html:
    share = section.characters * 100 / len(prompt)
    summary = tag(
        "summary",
        tag("span", class_=f"dot {section.name}", aria_hidden="true"),
        tag("span", f"<{section.name}>", class_="tag-name"),
        tag("span", f"{section.characters:,} characters · {share:.0f} %", class_="size"),
    )
    inside = prompt[section.start : section.end]
    key, label = f"0:{section.name}", f"Section {section.name} of row 0"
    body = clipped(inside, key, label, reading, most=SECTION_CLIP_CHARACTERS)
    return tag("details", summary, body, data_key=f"row-section-{section.name}")


def _call(call: ToolCall, row: Message, reading: Reading) -> Html:
    current = row.position == reading.row and call.id == reading.call
    head = tag("h4", "Calls ", tag("code", call.name), tag("span", call.id, class_="by"))
    return tag(
        "div",
        head,
        _arguments(call, row, reading),
        class_="call",
        aria_current="true" if current else None,
        data_show=f"call-{row.position}-{call.id}" if current else None,
    )


def _arguments(call: ToolCall, row: Message, reading: Reading) -> Html:
    """The arguments by name; texts of several lines as they read, all else as JSON. What is no object stays as the model gave it."""
    key = f"{row.position}:{call.id}"
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        return clipped(call.arguments, key, f"Arguments of {call.id}", reading)
    if not arguments:
        return tag("p", "No arguments.", class_="by empty")
    items = [
        tag(
            "div",
            tag("dt", name),
            tag("dd", clipped(_shown(value), f"{key}:{name}", f"{name} of {call.id}", reading)),
        )
        for name, value in arguments.items()
    ]
    return tag("dl", *items, class_="arguments")


def _shown(value: object) -> str:
    if isinstance(value, str) and "\n" in value:
        return value
    return json.dumps(value, ensure_ascii=False, indent=2)


def clipped(words: str, key: str, label: str, reading: Reading, *, most: int = CLIP_CHARACTERS) -> Html:
    """A text as it is; a long one in part until all of it is asked for.

    Args:
        words: the text.
        key: names it in `Reading.whole`.
        label: its name for screen readers.
        reading: what is shown in full.
        most: from how many characters on it is cut.
    """
    if len(words) <= most or key in reading.whole:
        return tag("pre", text(words), tabindex=0, aria_label=label)
    rest = tag(
        "p",
        f"The first {most:,} of {len(words):,} characters. ",
        button("Show all of it", "whole", value=key, quiet=True),
        class_="clip",
    )
    return joined(tag("pre", text(words[:most]), tabindex=0, aria_label=label), rest)
