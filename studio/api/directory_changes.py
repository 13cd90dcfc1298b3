"""What was done to a memory directory commit by commit, and what is gone from it (decision 42)."""

from studio.api import schemas
from studio.api.directories import BASE
from studio.api.listing import answer_page, page_of
from studio.api.operations import OPERATORS, READERS, Answer, Call, Guarding, Operation, Route, answer
from studio.api.parameters import words
from studio.api.shapes import NUMBER, OBJECT, TEXT, TIME, YES_NO, given, listed, maybe, shape
from studio.api.tables import Paging, Table
from studio.domain.directory.changes import DirectoryChange
from studio.render.wire_directory_changes import change_texts_record, directory_change_record
from studio.render.wire_directory_history import edited_record

FILE_CHANGE = shape(
    path=TEXT,
    old_path=maybe(TEXT),
    status=TEXT,
    part=TEXT,
    mode=maybe(TEXT),
    added=maybe(NUMBER),
    removed=maybe(NUMBER),
)
DIRECTORY_CHANGE = shape(
    change=NUMBER,
    commit=TEXT,
    at=TIME,
    author=schemas.AUTHOR,
    subject=TEXT,
    merge=YES_NO,
    version=maybe(NUMBER),
    new_version=YES_NO,
    added=NUMBER,
    removed=NUMBER,
    files=listed(FILE_CHANGE),
)
CHANGE_TEXTS = shape(
    **DIRECTORY_CHANGE["properties"] | {"files": listed(shape(**FILE_CHANGE["properties"], change=maybe(OBJECT)))}
)
RESTORE_FILE = given(
    need=("path",),
    path={"type": "string", "minLength": 1},
    commit={"type": "string", "minLength": 1},
    message={"type": "string", "minLength": 1},
    config_approved=YES_NO,
)
CHANGES = Table("changes", DIRECTORY_CHANGE, Paging.BEFORE)


def _number(change: DirectoryChange) -> int:
    return change.number


def list_directory_changes(call: Call) -> Answer:
    """List every commit that touched memory, or one folder or file of it, newest first, and the versions they lie between."""
    page = page_of(call, CHANGES)
    found = call.studio.directories.changes(
        call.agent,
        call.query.get("path") or None,
        author=call.query.get("author") or None,
        limit=page.one_more,
        before=page.before,
    )
    return answer_page(call, CHANGES, found, directory_change_record, number=_number)


def get_directory_change(call: Call) -> Answer:
    """Read what one commit changed in the texts of memory files."""
    path = call.query.get("path") or None
    return answer(change_texts_record(call.studio.directories.change(call.agent, call.named["commit"], path)))


def restore_directory_file(call: Call) -> Answer:
    """Bring a deleted file back as it last was, or any file as it was at a commit, in the operator's name."""
    given = call.data
    edited = call.studio.directories.restore(
        call.agent,
        given["path"],
        given.get("commit"),
        message=given.get("message"),
        expect=call.expect,
        force=call.force,
        config_approved=given.get("config_approved", False),
        yes_to=call.yes_to,
    )
    return answer(edited_record(edited), etag=edited.sha256)


_PLACE = words("path", "A folder or a file, from the root of the directory; all of the memory without it.")
ROUTES = (
    Route(
        f"{BASE}/changes",
        {
            "GET": Operation(
                list_directory_changes,
                READERS,
                query=(
                    _PLACE,
                    words("author", "Only commits by this kind of author, or by one author as `kind:name`."),
                ),
                table=CHANGES,
            )
        },
    ),
    Route(
        f"{BASE}/changes/{{commit}}",
        {"GET": Operation(get_directory_change, READERS, query=(_PLACE,), answers=CHANGE_TEXTS)},
    ),
    Route(
        f"{BASE}/restore",
        {
            "POST": Operation(
                restore_directory_file,
                OPERATORS,
                takes=RESTORE_FILE,
                guarding=Guarding.MATCH_OR_NEW,
                asks=True,
                answers=schemas.EDITED,
            )
        },
    ),
)
