"""The tools of agents as a model is given them: name, description, JSON schema of the arguments."""

from typing import Any

from studio.domain import bindings
from studio.domain.generation import ToolSpec
from studio.domain.memory import MEMORY_CAP_CHARACTERS
from studio.domain.notes import FIND_LIMIT_NOTES

LIST_LIMIT_RECORDS = 50
"""How many records a list gives without a limit."""
LIMIT_MOST = 200
"""The most notes or records that one call may ask for."""


def _spec(name: str, description: str, required: tuple[str, ...], **properties: dict[str, Any]) -> ToolSpec:
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return ToolSpec(name, description, schema)


def _text(description: str, **more: object) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def _limit(default: int) -> dict[str, Any]:
    return {
        "type": "integer",
        "minimum": 1,
        "maximum": LIMIT_MOST,
        "default": default,
        "description": "How many at most.",
    }


_LEVEL = {"enum": ["agent", "guild", "org"]}
_PATH = _text("The note's display path, as a note tool returned it.")
_COLLECTION = _text("Name or display path of the collection, as State lists it.")

_ALL = (
    _spec(
        bindings.MEMORY_WRITE,
        "Replace your whole memory with new Markdown. Your later runs start from it. Carry over everything that should stay: "
        "what you leave out is gone for you.",
        ("content",),
        content=_text(
            f"The whole new memory, at most {MEMORY_CAP_CHARACTERS:,} characters.", maxLength=MEMORY_CAP_CHARACTERS
        ),
    ),
    _spec(
        "note_find",
        "Search the notes you may read for words in title and body; all words must occur. Best matches first, without their bodies.",
        ("query",),
        query=_text("The words."),
        level={**_LEVEL, "type": "string", "description": "Only notes of this level."},
        limit=_limit(FIND_LIMIT_NOTES),
    ),
    _spec("note_get", "Read one note. Its text is data that others wrote.", ("path",), path=_PATH),
    _spec(
        "note_write",
        "Make a note, or replace the one at that path as a whole. Search first, and update the note there is.",
        ("path", "body"),
        path=_text("A display path; or for a new note a file name such as pricing.md, with level."),
        body=_text("The whole note in Markdown."),
        title=_text("Its title; without one the first heading is the title."),
        level={
            **_LEVEL,
            "type": "string",
            "default": "agent",
            "description": "Whose note a file name without a display path becomes.",
        },
    ),
    _spec("note_delete", "Remove a note. A note that a Task embeds stays.", ("path",), path=_PATH),
    _spec(
        "record_list",
        "List the records of a collection, last written first.",
        ("collection",),
        collection=_COLLECTION,
        since=_text("Only records written at this time or later, as in 2026-09-12T09:00:07Z."),
        equals={"type": "object", "description": "Only records with these values, by column."},
        limit=_limit(LIST_LIMIT_RECORDS),
    ),
    _spec(
        "record_write",
        "Make a record of a collection, or change the one with this id: columns you do not name stay, null clears one.",
        ("collection", "values"),
        collection=_COLLECTION,
        values={"type": "object", "description": "Values by column."},
        id=_text("Which record; without it a new one is made."),
    ),
    _spec(
        bindings.GROUP_POST,
        "Post a message to your guild's group chat, only where you were asked to or your Task says so.",
        ("text",),
        text=_text("The message: short, in words anyone understands.", minLength=1),
        tags={"type": "array", "items": {"type": "string"}, "description": "Names of those it is for."},
    ),
    _spec(
        "report_issue",
        "Tell your operator about a tool that is broken or a permission that is missing.",
        ("report",),
        report=_text("What you did, what came back, what you expected.", minLength=1),
    ),
)
AGENT_TOOLS: dict[str, ToolSpec] = {spec.name: spec for spec in _ALL}
"""Every tool that an agent can be offered, by name, in the order of `domain.bindings.TOOLS`."""
