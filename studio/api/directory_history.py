"""The past of a memory directory: versions of the compiled memory or of one file, and commits compared."""

from collections.abc import Mapping

from studio.api import schemas
from studio.api.directories import BASE
from studio.api.listing import answer_page, page_of
from studio.api.memory import AGAINST, BY_AUTHOR, PAGE_VERSIONS, change_answer, number_of
from studio.api.operations import READERS, Answer, Call, Operation, Route, answer
from studio.api.parameters import words
from studio.api.tables import Paging, Table
from studio.domain.directory.changes import Around, between
from studio.domain.records import text_record
from studio.render.wire_directory_changes import listed_version_record
from studio.render.wire_directory_history import commit_diff_record
from studio.render.wire_history import author_count_record

COMMITS = Table("versions", schemas.COMMIT_VERSION, Paging.BEFORE, page_rows=PAGE_VERSIONS)


def _path(call: Call) -> str | None:
    return call.query.get("path") or None


def list_directory_versions(call: Call) -> Answer:
    """List the versions of the compiled memory or of one file or folder, newest first, without texts."""
    page = page_of(call, COMMITS)
    found = call.studio.directories.history(
        call.agent,
        _path(call),
        author=call.query.get("author") or None,
        limit=page.one_more,
        before=page.before,
    )
    around: Mapping[int, Around] = {}
    if _path(call) is None:
        around = between(call.studio.directories.changes(call.agent), found)
    return answer_page(call, COMMITS, found, lambda one: listed_version_record(one, around), number=number_of)


def get_directory_version(call: Call) -> Answer:
    """Read a version of the compiled memory or of one file or folder with its text, or its change from another version."""
    number = int(call.named["version"])
    if "against" in call.query:
        return change_answer(
            call, call.studio.directories.compare(call.agent, number, call.query["against"], _path(call))
        )
    found = call.studio.directories.version(call.agent, number, _path(call))
    return answer(text_record(found), etag=found.body.sha256)


def list_directory_authors(call: Call) -> Answer:
    """List everyone who wrote a version, with how many; most first."""
    found = call.studio.directories.authors(call.agent, _path(call))
    return answer({"authors": [author_count_record(one) for one in found]})


def diff_directory(call: Call) -> Answer:
    """Read what changed in the prompt from one commit to another."""
    found = call.studio.directories.diff(call.agent, call.query["old"], call.query.get("new") or None)
    return answer(commit_diff_record(found))


_PATH = words("path", "The file or folder, from the root of the directory; the compiled memory without it.")
ROUTES = (
    Route(
        f"{BASE}/versions",
        {"GET": Operation(list_directory_versions, READERS, query=(_PATH, *BY_AUTHOR), table=COMMITS)},
    ),
    Route(
        f"{BASE}/versions/{{version}}",
        {"GET": Operation(get_directory_version, READERS, query=(_PATH, *AGAINST), answers=schemas.MEMORY_VERSION)},
    ),
    Route(
        f"{BASE}/authors",
        {"GET": Operation(list_directory_authors, READERS, query=(_PATH,), answers=schemas.AUTHORS)},
    ),
    Route(
        f"{BASE}/diff",
        {
            "GET": Operation(
                diff_directory,
                READERS,
                query=(
                    words("old", "The commit it is compared with: any name that git knows.", required=True),
                    words("new", "The commit that is compared; HEAD without it."),
                ),
                answers=schemas.COMMIT_DIFF,
            )
        },
    ),
)
