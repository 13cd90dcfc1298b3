"""An agent's memory: its timeline, its live text as a file, its ledger, and archive files by display path."""

from studio.api import schemas
from studio.api.listing import answer_page, answer_whole, page_of
from studio.api.operations import (
    EVERYONE,
    MARKDOWN,
    OPERATORS,
    READERS,
    Answer,
    Call,
    Guarding,
    Operation,
    Route,
    answer,
)
from studio.api.parameters import integer, words
from studio.api.tables import Paging, Table
from studio.domain.bodies import Body
from studio.domain.changes import Saved
from studio.domain.comparison import Comparison, Ignored, ignoring, read_ignored
from studio.domain.paths import AgentId, PromptFile, PromptFileKind, archive_path, parse
from studio.domain.records import change_record, text_record, version_record
from studio.domain.timeline import Version
from studio.domain.tokens import Role
from studio.errors import NotFound, StudioError, UnknownPath
from studio.render.wire import saved_record
from studio.render.wire_history import author_count_record, file_change_record

PAGE_VERSIONS = 20
"""How many versions a page has when nobody asks for another number."""
VERSIONS = Table("versions", schemas.MEMORY_VERSION, Paging.BEFORE, page_rows=PAGE_VERSIONS)
LEDGER = Table("changes", schemas.CHANGE, Paging.BEFORE)
ARCHIVE = Table("files", schemas.ARCHIVE_FILE)
BYTES = "application/octet-stream"
"""The media type of a text that is none: kept as bytes by an import (decision 5)."""
BY_AUTHOR = (words("author", "Only versions by this kind of author, or by one author as `kind:name`."),)
AGAINST = (
    integer("against", "Answer with the change from this version instead of the text."),
    words("ignore", f"What that change leaves out of both texts, with commas: {', '.join(Ignored)}."),
)


def number_of(version: Version) -> int:
    """What versions are paged by."""
    return version.number


def text_answer(body: Body) -> Answer:
    """A stored text byte for byte, with its sha256 as its ETag."""
    return Answer(body.content, BYTES if body.binary else MARKDOWN, etag=body.sha256)


def saved_answer(saved: Saved) -> Answer:
    """What a write did, with the ETag of what is live now."""
    return answer(saved_record(saved), etag=saved.sha256)


def list_memory(call: Call) -> Answer:
    """List the memory's versions, newest first, without their texts."""
    page = page_of(call, VERSIONS)
    found = call.studio.list_memory_versions(
        call.agent, author=call.query.get("author") or None, limit=page.one_more, before=page.before
    )
    return answer_page(call, VERSIONS, found, version_record, number=number_of)


def list_memory_authors(call: Call) -> Answer:
    """List everyone who wrote a version that is kept, with how many; most first."""
    return answer({"authors": [author_count_record(one) for one in call.studio.list_memory_authors(call.agent)]})


def change_answer(call: Call, compared: Comparison) -> Answer:
    """A change, without what the caller wants ignored. Raises `BadArgument`."""
    return answer(change_record(ignoring(compared, read_ignored(call.query.get("ignore") or ""))))


def get_memory_version(call: Call) -> Answer:
    """Read a version with its text, or its change from another version."""
    number = int(call.named["version"])
    if "against" in call.query:
        return change_answer(call, call.studio.compare_memory(call.agent, number, call.query["against"]))
    found = call.studio.get_memory_version(call.agent, number)
    return answer(text_record(found), etag=found.body.sha256)


def restore_memory(call: Call) -> Answer:
    """Write an old version's text as a new version by the operator."""
    number = int(call.named["version"])
    return saved_answer(call.studio.restore_memory(call.agent, number, expect=call.expect, yes_to=call.yes_to))


def get_memory(call: Call) -> Answer:
    """Read the live memory, byte for byte."""
    return text_answer(call.studio.get_memory_version(call.agent).body)


def put_memory(call: Call) -> Answer:
    """Save a text as the memory, in the operator's name; the text it replaces is archived."""
    saved = call.studio.save_memory(call.agent, call.text, expect=call.expect, force=call.force, yes_to=call.yes_to)
    return saved_answer(saved)


def open_step(call: Call) -> Answer:
    """Read which run, row and call wrote a version of the memory."""
    step = call.studio.open_step(call.agent, int(call.named["version"]))
    return answer({"run": step.run, "index": step.position, "call": step.call})


def list_archive(call: Call) -> Answer:
    """List the files of the memory archive with their display paths, newest first."""
    org = call.studio.get_agent(call.agent).org
    found = sorted(call.studio.list_archive(call.agent).items(), reverse=True)

    def record(held: tuple[int, str]) -> dict[str, object]:
        return {"version": held[0], "name": held[1], "path": archive_path(org, AgentId(call.agent), held[1])}

    return answer_whole(call, ARCHIVE, found, record)


def list_changes(call: Call) -> Answer:
    """List every Task save and memory write, newest first."""
    before = page_of(call, LEDGER).before
    found = [one for one in call.studio.list_file_changes(call.agent) if before is None or one.number < before]
    return answer_page(call, LEDGER, found, file_change_record, number=lambda one: one.number)


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
    Route("/api/agents/{agent}/memory", {"GET": Operation(list_memory, READERS, query=BY_AUTHOR, table=VERSIONS)}),
    Route(
        "/api/agents/{agent}/memory/authors", {"GET": Operation(list_memory_authors, READERS, answers=schemas.AUTHORS)}
    ),
    Route(
        "/api/agents/{agent}/memory/{version}",
        {"GET": Operation(get_memory_version, READERS, query=AGAINST, answers=schemas.MEMORY_VERSION)},
    ),
    Route("/api/agents/{agent}/memory/{version}/step", {"GET": Operation(open_step, READERS, answers=schemas.STEP)}),
    Route("/api/agents/{agent}/archive", {"GET": Operation(list_archive, OPERATORS, table=ARCHIVE)}),
    Route("/api/agents/{agent}/changes", {"GET": Operation(list_changes, READERS, table=LEDGER)}),
    Route(
        "/api/agents/{agent}/memory/{version}/restore",
        {"POST": Operation(restore_memory, OPERATORS, guarding=Guarding.MATCH, asks=True, answers=schemas.SAVED)},
    ),
    Route(
        "/api/agents/{agent}/files/memory.md",
        {
            "GET": Operation(get_memory, EVERYONE, answers_text=MARKDOWN),
            "PUT": Operation(
                put_memory, OPERATORS, takes_text=MARKDOWN, guarding=Guarding.MATCH, asks=True, answers=schemas.SAVED
            ),
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
