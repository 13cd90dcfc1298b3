"""Imports: a history of a file, posted as JSON Lines, becomes an agent's memory."""

from pathlib import Path

from studio.api import schemas
from studio.api.operations import OPERATORS, Answer, Call, Operation, Route, answer
from studio.api.parameters import flag, many, words
from studio.render.wire import imported_record

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


ROUTES = (
    Route(
        "/api/imports",
        {
            "POST": Operation(
                post_history,
                OPERATORS,
                query=(
                    words("agent", "The agent that came from this history, or the name of a new one.", required=True),
                    many("agent_author", "A glob of author names that are agents; the stored rule without any."),
                    flag("replace", "Whether an agent that holds less of this history may start its numbers anew."),
                    words("label", "What the source is called; the name of the file, say."),
                ),
                takes_text=LINES,
                limit_bytes=HISTORY_LIMIT_BYTES,
                answers=schemas.IMPORTED,
            )
        },
    ),
)
