"""Memory directories: git repositories that are agents' memories, their files and what the rules say of them (decision 1)."""

from studio.api import schemas
from studio.api.listing import answer_whole
from studio.api.memory import text_answer
from studio.api.operations import (
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
from studio.api.parameters import flag, many, words
from studio.api.problems import Problem
from studio.api.tables import Table
from studio.domain.directory.editing import Edited
from studio.domain.directory.tree import shown_path
from studio.errors import UnknownFile
from studio.render.wire_directory import compiled_record
from studio.render.wire_directory_history import audit_record, edited_record, link_record
from studio.render.wire_directory_state import directory_record, headroom_record, tree_file_record
from studio.render.wire_lint import lint_record, proposal_record

FILES = Table("files", schemas.TREE_FILE)
HEADROOM = Table("commits", schemas.HEADROOM)
BASE = "/api/agents/{agent}/directory"
"""Where the routes of an agent's directory begin."""


def _commit(call: Call) -> str | None:
    return call.query.get("commit") or None


def _local(call: Call) -> None:
    """Folders are the server's own, so only programs of its system user name them."""
    if not call.visitor.local:
        raise Problem(
            403, "A folder of the server is named by programs of the system user who serves, as 'studio dir' is."
        )


def begin_directory(call: Call) -> Answer:
    """Begin a directory from the template in a folder of the server that is none yet."""
    _local(call)
    asked = {name: call.data[name] for name in ("hook", "hooks_outside") if name in call.data}
    begun = call.studio.directories.begin(call.data["repository"], **asked)
    return answer({"commit": begun.commit})


def link_directory(call: Call) -> Answer:
    """Make a repository on the server the memory of an agent."""
    _local(call)
    given = call.data
    rule = tuple(given.get("agent_authors", ()))
    return answer(link_record(call.studio.directories.link(given["repository"], call.agent, agent_authors=rule)))


def unlink_directory(call: Call) -> Answer:
    """Make the artifact that an agent had before its memory again; the repository stays as it is."""
    return answer(link_record(call.studio.directories.unlink(call.agent)))


def get_directory(call: Call) -> Answer:
    """Read how an agent's directory stands at HEAD: its limits, and how many findings the hook would refuse it for."""
    return answer(directory_record(call.studio.directories.get(call.agent)))


def list_files(call: Call) -> Answer:
    """List the files of a commit, without their texts."""
    return answer_whole(call, FILES, call.studio.directories.tree(call.agent, _commit(call)).files, tree_file_record)


def get_directory_file(call: Call) -> Answer:
    """Read a Markdown file of a commit, or its config, byte for byte; with `last` any file, also one that was deleted."""
    path = call.query["path"]
    if call.query.get("last"):
        found = call.studio.directories.file(call.agent, path, _commit(call))
        gone = {} if found.gone is None else {"X-Deleted-In": found.gone.commit}
        return Answer(found.body.content, MARKDOWN, headers={"X-Commit": found.commit, **gone})
    named = [one for one in call.studio.directories.tree(call.agent, _commit(call)) if shown_path(one.path) == path]
    for file in named:
        if file.body is not None:
            return text_answer(file.body)
    raise UnknownFile(path, _commit(call) or "HEAD", there=bool(named))


def put_directory_file(call: Call) -> Answer:
    """Commit a file as it should be, in the operator's name, through the checks of the hook."""
    return _edit(call, call.text)


def delete_directory_file(call: Call) -> Answer:
    """Commit that a file is gone, in the operator's name, through the checks of the hook."""
    return _edit(call, None)


def _edit(call: Call, text: str | None) -> Answer:
    edited: Edited = call.studio.directories.edit(
        call.agent,
        call.query["path"],
        text,
        call.query["message"],
        expect=call.expect,
        force=call.force,
        config_approved=call.query.get("config_approved", False),
        yes_to=call.yes_to,
    )
    return answer(edited_record(edited), etag=edited.sha256)


def judge_file(call: Call) -> Answer:
    """Read what an edit that was not made yet would be told, by the hook and by the writing rules."""
    text = None if call.query.get("deleted") else call.text
    return answer(lint_record(call.studio.directories.judge(call.agent, call.query["path"], text).findings))


def check_directory(call: Call) -> Answer:
    """Read what the hook would refuse in the tree of a commit."""
    return answer(lint_record(call.studio.directories.findings(call.agent, _commit(call))))


def lint_directory(call: Call) -> Answer:
    """Read what the writing rules say about the tree of a commit."""
    off = tuple(call.query.get("off", ()))
    return answer(lint_record(call.studio.directories.lint(call.agent, _commit(call), off=off)))


def shrink_directory(call: Call) -> Answer:
    """Read what could be deleted, moved and turned into skills, near a limit or not."""
    return answer(proposal_record(call.studio.directories.shrink(call.agent, _commit(call))))


def compile_directory(call: Call) -> Answer:
    """Read the compiled memory of a commit with its blocks."""
    return answer(compiled_record(call.studio.directories.compile(call.agent, _commit(call))))


def compile_into(call: Call) -> Answer:
    """Read the compiled memory of a commit in a base prompt, where `{CORE_MEMORY}` marks its place."""
    return answer(compiled_record(call.studio.directories.compile(call.agent, _commit(call), call.text)))


def list_headroom(call: Call) -> Answer:
    """List how much of the limits was used after each commit that changed memory or the config, oldest first."""
    return answer_whole(call, HEADROOM, call.studio.directories.headroom(call.agent), headroom_record)


def audit_directory(call: Call) -> Answer:
    """Read which commits went round the hook, and which broke each rule first."""
    return answer(audit_record(call.studio.directories.audit(call.agent, call.query.get("range", ""))))


COMMIT = words("commit", "Any name that git knows; HEAD without it.")
_PATH = words("path", "The file, from the root of the directory.", required=True)
_LAST = flag(
    "last", "Also a file that was deleted, as it last was: `X-Commit` says where, `X-Deleted-In` what took it away."
)
_EDIT = (
    _PATH,
    words("message", "Why: the commit's message.", required=True),
    flag("config_approved", "A person let this edit change the config."),
)
_OFF = many("off", "A rule that is not asked, by its name.")
ROUTES = (
    Route(
        "/api/directories",
        {"POST": Operation(begin_directory, OPERATORS, takes=schemas.BEGIN, answers=schemas.BEGUN)},
    ),
    Route(
        BASE,
        {
            "GET": Operation(get_directory, READERS, answers=schemas.DIRECTORY),
            "PUT": Operation(link_directory, OPERATORS, takes=schemas.LINK_DIRECTORY, answers=schemas.LINK),
            "DELETE": Operation(unlink_directory, OPERATORS, answers=schemas.LINK),
        },
    ),
    Route(f"{BASE}/files", {"GET": Operation(list_files, READERS, query=(COMMIT,), table=FILES)}),
    Route(
        f"{BASE}/file",
        {
            "GET": Operation(get_directory_file, READERS, query=(_PATH, COMMIT, _LAST), answers_text=MARKDOWN),
            "PUT": Operation(
                put_directory_file,
                OPERATORS,
                query=_EDIT,
                takes_text=MARKDOWN,
                guarding=Guarding.MATCH_OR_NEW,
                asks=True,
                answers=schemas.EDITED,
            ),
            "DELETE": Operation(
                delete_directory_file, OPERATORS, query=_EDIT, guarding=Guarding.MATCH, answers=schemas.EDITED
            ),
        },
    ),
    Route(
        f"{BASE}/judge",
        {
            "POST": Operation(
                judge_file,
                READERS,
                query=(_PATH, flag("deleted", "The edit deletes the file; the body is left alone.")),
                takes_text=MARKDOWN,
                reads=True,
                answers=schemas.FINDINGS,
            )
        },
    ),
    Route(f"{BASE}/findings", {"GET": Operation(check_directory, READERS, query=(COMMIT,), answers=schemas.FINDINGS)}),
    Route(f"{BASE}/lint", {"GET": Operation(lint_directory, READERS, query=(COMMIT, _OFF), answers=schemas.FINDINGS)}),
    Route(f"{BASE}/shrink", {"GET": Operation(shrink_directory, READERS, query=(COMMIT,), answers=schemas.PROPOSAL)}),
    Route(
        f"{BASE}/compiled",
        {
            "GET": Operation(compile_directory, READERS, query=(COMMIT,), answers=schemas.COMPILED),
            "POST": Operation(
                compile_into,
                READERS,
                query=(COMMIT,),
                takes_text="text/plain; charset=utf-8",
                reads=True,
                answers=schemas.COMPILED,
            ),
        },
    ),
    Route(
        f"{BASE}/audit",
        {
            "GET": Operation(
                audit_directory,
                READERS,
                query=(words("range", "Commits as git names them, as `v1..HEAD`; all of HEAD's history without it."),),
                answers=schemas.AUDIT,
            )
        },
    ),
    Route(f"{BASE}/headroom", {"GET": Operation(list_headroom, READERS, table=HEADROOM)}),
)
