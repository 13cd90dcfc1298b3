"""Imports: a history of a file, posted as JSON Lines, becomes an agent's memory."""

from pathlib import Path

from studio.api import schemas
from studio.api.operations import OPERATORS, Answer, Call, Operation, Route, answer
from studio.api.parameters import flag, many, words
from studio.api.shapes import NUMBER, TEXT, listed, maybe, shape
from studio.render.wire import imported_record
from studio.render.wire_history import found_record

LINES = "application/x-ndjson"
"""The media type of JSON Lines."""
HISTORY_LIMIT_BYTES = 256 * 2**20
"""How large a posted history may be: it holds every version of a file."""


def post_history(call: Call) -> Answer:
    """Import a history, whole or not at all; importing it again adds what is new.

    A git repository on another machine is imported with `studio import git`, which reads it there.
    """
    imported = call.studio.import_history_file(
        Path(call.query.get("label") or "the posted history"),
        call.query["agent"],
        agent_authors=call.query.get("agent_author"),
        content=call.body,
        replace=bool(call.query.get("replace")),
    )
    return answer(imported_record(imported))


def post_preview(call: Call) -> Answer:
    """Say who wrote a history, with the evidence and how many versions; nothing is written."""
    history = call.studio.preview_history_file(
        Path(call.query.get("label") or "the posted history"),
        call.query.get("agent"),
        agent_authors=call.query.get("agent_author"),
        content=call.body,
    )
    return answer(found_record(history))


_REASON = shape(evidence=maybe(TEXT), via=maybe(TEXT), versions=NUMBER)
_AUTHOR = {"kind": TEXT, "name": maybe(TEXT), "key": TEXT, "versions": NUMBER}
_FOUND = shape(
    label=TEXT,
    versions=NUMBER,
    authors=listed(shape(**_AUTHOR, reasons=listed(_REASON))),
    warnings=listed(TEXT),
)
_RULE = many(
    "agent_author",
    "A glob of author names that are agents, or of persons with ! before it; the stored rule without any.",
)
_LABEL = words("label", "What the source is called; the name of the file, say.")

ROUTES = (
    Route(
        "/api/imports/authors",
        {
            "POST": Operation(
                post_preview,
                OPERATORS,
                query=(words("agent", "The agent whose stored rule is to be kept."), _RULE, _LABEL),
                takes_text=LINES,
                reads=True,
                limit_bytes=HISTORY_LIMIT_BYTES,
                answers=_FOUND,
            )
        },
    ),
    Route(
        "/api/imports",
        {
            "POST": Operation(
                post_history,
                OPERATORS,
                query=(
                    words("agent", "The agent that came from this history, or the name of a new one.", required=True),
                    _RULE,
                    flag("replace", "Whether an agent that holds less of this history may start its numbers anew."),
                    _LABEL,
                ),
                takes_text=LINES,
                limit_bytes=HISTORY_LIMIT_BYTES,
                answers=schemas.IMPORTED,
            )
        },
    ),
)
