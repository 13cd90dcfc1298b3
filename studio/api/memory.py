"""An agent's memory: its timeline, its live text as a file, and archive files by display path."""

from studio.api import schemas
from studio.api.operations import (
    EVERYONE,
    MARKDOWN,
    OPERATORS,
    READERS,
    Answer,
    Call,
    Guarding,
    Operation,
    Parameter,
    Route,
    answer,
    integer,
    words,
)
from studio.domain.bodies import Body
from studio.domain.changes import Saved
from studio.domain.paths import PromptFile, PromptFileKind, parse
from studio.domain.records import change_record, text_record, version_record
from studio.domain.timeline import Version
from studio.domain.tokens import Role
from studio.errors import NotFound, StudioError, UnknownPath
from studio.render.wire import saved_record

PAGE_VERSIONS = 20
"""How many versions a page has when nobody asks for another number."""
BYTES = "application/octet-stream"
"""The media type of a text that is none: kept as bytes by an import (decision 5)."""
PAGE: tuple[Parameter, ...] = (
    words("author", "Only versions by this kind of author, or by one author as `kind:name`."),
    integer("limit", f"How many at most; {PAGE_VERSIONS} without it.", maximum=1000),
    integer("before", "Only versions with a smaller number: the last answer's `next_before`."),
)
AGAINST = (integer("against", "Answer with the change from this version instead of the text."),)


def page_size(call: Call) -> int:
    """How many versions are asked for."""
    return int(call.query.get("limit", PAGE_VERSIONS))


def next_before(found: tuple[Version, ...], limit: int) -> int | None:
    """What `before` gives the next page; None where this is the last."""
    return found[limit - 1].number if len(found) > limit else None


def text_answer(body: Body) -> Answer:
    """A stored text byte for byte, with its sha256 as its ETag."""
    return Answer(body.content, BYTES if body.binary else MARKDOWN, etag=body.sha256)


def saved_answer(saved: Saved) -> Answer:
    """What a write did, with the ETag of what is live now."""
    return answer(saved_record(saved), etag=saved.sha256)


def list_memory(call: Call) -> Answer:
    """List the memory's versions, newest first, without their texts."""
    limit = page_size(call)
    found = call.studio.list_memory_versions(
        call.agent, author=call.query.get("author") or None, limit=limit + 1, before=call.query.get("before")
    )
    shown = [version_record(one) for one in found[:limit]]
    return answer({"versions": shown, "next_before": next_before(found, limit)})


def get_memory_version(call: Call) -> Answer:
    """Read a version with its text, or its change from another version."""
    number = int(call.named["version"])
    if "against" in call.query:
        return answer(change_record(call.studio.compare_memory(call.agent, number, call.query["against"])))
    found = call.studio.get_memory_version(call.agent, number)
    return answer(text_record(found), etag=found.body.sha256)


def restore_memory(call: Call) -> Answer:
    """Write an old version's text as a new version by the operator."""
    number = int(call.named["version"])
    return saved_answer(call.studio.restore_memory(call.agent, number, expect=call.expect, operator=call.operator))


def get_memory(call: Call) -> Answer:
    """Read the live memory, byte for byte."""
    return text_answer(call.studio.get_memory_version(call.agent).body)


def put_memory(call: Call) -> Answer:
    """Save a text as the memory, in the operator's name; the text it replaces is archived."""
    return saved_answer(
        call.studio.save_memory(call.agent, call.text, expect=call.expect, force=call.force, operator=call.operator)
    )


def get_file(call: Call) -> Answer:
    """Read the file of a display path: a Task, a memory, a note, or for operators a file of the memory archive."""
    path = call.query["path"]
    try:
        file = parse(path)
    except UnknownPath:
        return _note(call, path)
    if call.as_agent not in (None, file.agent) or (
        file.kind is PromptFileKind.ARCHIVE and call.visitor.role is not Role.OPERATOR
    ):
        raise UnknownPath(path)
    return _prompt_file(call, file)


def _note(call: Call, path: str) -> Answer:
    """A note's body; what the caller may not read is as unknown as what is not there."""
    try:
        note = call.studio.notes.get(path, as_agent=call.as_agent)
    except StudioError:
        raise UnknownPath(path) from None
    return text_answer(Body(note.body))


def _prompt_file(call: Call, file: PromptFile) -> Answer:
    """The file of an agent; an archive file has its two header lines and a blank one above the text (decision 12)."""
    try:
        if call.studio.get_agent(file.agent).org != file.org:
            raise UnknownPath(str(file))
        if file.kind is PromptFileKind.TASK:
            return text_answer(call.studio.get_task_version(file.agent).body)
        if file.kind is PromptFileKind.MEMORY:
            return text_answer(call.studio.get_memory_version(file.agent).body)
        header, body = call.studio.read_archive(str(file))
    except NotFound:
        raise UnknownPath(str(file)) from None
    lines = "".join(f"{line}\n" for line in (*header, "")).encode()
    return Answer(lines + body.content, BYTES if body.binary else MARKDOWN, headers={"X-Text-Sha256": body.sha256})


ROUTES = (
    Route("/api/agents/{agent}/memory", {"GET": Operation(list_memory, READERS, query=PAGE, answers=schemas.VERSIONS)}),
    Route(
        "/api/agents/{agent}/memory/{version}",
        {"GET": Operation(get_memory_version, READERS, query=AGAINST, answers=schemas.VERSION)},
    ),
    Route(
        "/api/agents/{agent}/memory/{version}/restore",
        {"POST": Operation(restore_memory, OPERATORS, guarding=Guarding.MATCH, answers=schemas.SAVED)},
    ),
    Route(
        "/api/agents/{agent}/files/memory.md",
        {
            "GET": Operation(get_memory, EVERYONE, answers_text=MARKDOWN),
            "PUT": Operation(put_memory, OPERATORS, takes_text=True, guarding=Guarding.MATCH, answers=schemas.SAVED),
        },
    ),
    Route(
        "/api/files",
        {
            "GET": Operation(
                get_file,
                EVERYONE,
                query=(words("path", "The display path, percent-encoded once.", required=True),),
                answers_text=MARKDOWN,
            )
        },
    ),
)
