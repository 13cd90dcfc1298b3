"""What the Python API does has a route of REST: a new method of the facade needs its line here."""

import inspect

import pytest

from studio.actions.directory.shelf import Directories
from studio.actions.shelves import Collections, Notes, Tokens
from studio.actions.studio import Studio
from studio.api.routes import TABLE

PARTS: dict[str, type] = {
    "": Studio,
    "notes.": Notes,
    "collections.": Collections,
    "tokens.": Tokens,
    "directories.": Directories,
}
AGENT = "/api/agents/{agent}"
RUN = "/api/runs/{run}"
DIRECTORY = f"{AGENT}/directory"

SERVED: dict[str, tuple[str, ...]] = {
    "path": ("GET /api/store",),
    "operator": ("GET /api/store",),
    "now": ("GET /api/store",),
    "commits": ("GET /api/store",),
    "lost": ("GET /api/store",),
    "verify": ("GET /api/store",),
    "prompts_folder": ("GET /api/store",),
    "check": ("GET /health",),
    "list_agents": ("GET /api/agents",),
    "count_agents": ("GET /api/agents",),
    "get_agent": (f"GET {AGENT}",),
    "create_agent": ("POST /api/agents",),
    "configure_agent": (f"PATCH {AGENT}",),
    "configure_agent_from": (f"PATCH {AGENT}/settings",),
    "set_binding": ("PUT /api/bindings",),
    "get_rights": (f"GET {AGENT}/rights",),
    "list_broken_links": (f"GET {AGENT}/task/broken-links",),
    "expand_task": ("POST /api/expansion",),
    "list_guilds": ("GET /api/guilds",),
    "list_operators": ("GET /api/operators",),
    "list_problems": ("GET /api/problems",),
    "list_memory_versions": (f"GET {AGENT}/memory",),
    "list_memory_authors": (f"GET {AGENT}/memory/authors",),
    "get_memory_version": (f"GET {AGENT}/memory/{{version}}", f"GET {AGENT}/files/memory.md"),
    "compare_memory": (f"GET {AGENT}/memory/{{version}}",),
    "lint_memory": (f"GET {AGENT}/memory/lint", f"POST {AGENT}/memory/lint"),
    "save_memory": (f"PUT {AGENT}/files/memory.md",),
    "restore_memory": (f"POST {AGENT}/memory/{{version}}/restore",),
    "memory_write": (f"POST {RUN}/tools/{{tool}}", f"POST {AGENT}/tools/{{tool}}"),
    "list_archive": (f"GET {AGENT}/archive",),
    "read_archive": ("GET /api/files",),
    "list_file_changes": (f"GET {AGENT}/changes",),
    "open_step": (f"GET {AGENT}/memory/{{version}}/step",),
    "list_task_versions": (f"GET {AGENT}/task",),
    "get_task_version": (f"GET {AGENT}/task/{{version}}", f"GET {AGENT}/files/task.md"),
    "compare_task": (f"GET {AGENT}/task/{{version}}",),
    "lint_task": (f"GET {AGENT}/task/lint", f"POST {AGENT}/task/lint"),
    "get_task_draft": (f"GET {AGENT}/task/draft",),
    "draft_task": (f"PUT {AGENT}/task/draft",),
    "list_replaced_drafts": (f"GET {AGENT}/task/drafts", f"GET {AGENT}/task/drafts/{{draft}}"),
    "restore_task_draft": (f"POST {AGENT}/task/drafts/{{draft}}/restore",),
    "discard_task_draft": (f"DELETE {AGENT}/task/draft",),
    "review_task": (f"GET {AGENT}/task/review",),
    "publish_task": (f"POST {AGENT}/task/publish",),
    "save_task": (f"PUT {AGENT}/files/task.md",),
    "restore_task": (f"POST {AGENT}/task/{{version}}/restore",),
    "preview": (f"GET {AGENT}/prompt", f"POST {AGENT}/prompt"),
    "create_run": (f"POST {AGENT}/runs",),
    "run_agent": (f"POST {AGENT}/runs", f"POST {RUN}/drive"),
    "drive_run": (f"POST {RUN}/drive",),
    "continue_run": (f"POST {RUN}/continue",),
    "add_messages": (f"POST {RUN}/messages",),
    "finish_run": (f"POST {RUN}/end",),
    "check_open": (f"GET {RUN}",),
    "call_tool": (f"POST {RUN}/tools/{{tool}}", f"POST {AGENT}/tools/{{tool}}"),
    "list_runs": (f"GET {AGENT}/runs",),
    "count_runs": (f"GET {AGENT}/runs",),
    "outline_runs": (f"GET {AGENT}/runs",),
    "count_newer_runs": (f"GET {RUN}",),
    "get_run": (f"GET {RUN}",),
    "load_demo": ("POST /api/demo",),
    "import_history_file": ("POST /api/imports",),
    "import_history": ("POST /api/imports",),
    "preview_history_file": ("POST /api/imports/authors",),
    "agent_authors": (f"GET {AGENT}",),
    "has_full_history": (f"GET {AGENT}",),
    "notes.path": ("GET /api/notes/path",),
    "notes.list": ("GET /api/notes",),
    "notes.count": ("GET /api/notes/count",),
    "notes.get": ("GET /api/note",),
    "notes.find": ("GET /api/notes/find",),
    "notes.create": ("PUT /api/note",),
    "notes.edit": ("PUT /api/note",),
    "notes.write": ("PUT /api/note", f"POST {RUN}/tools/{{tool}}", f"POST {AGENT}/tools/{{tool}}"),
    "notes.move": ("POST /api/note/move",),
    "notes.delete": ("DELETE /api/note",),
    "notes.embedded_in": ("GET /api/note/embedded-in",),
    "collections.path": ("GET /api/collections/path",),
    "collections.list": ("GET /api/collections",),
    "collections.get": ("GET /api/collection",),
    "collections.create": ("POST /api/collection",),
    "collections.grant": (f"PUT {AGENT}/grant",),
    "collections.records": ("GET /api/collection/records",),
    "collections.write": ("POST /api/collection/records", "PUT /api/collection/record"),
    "directories.begin": ("POST /api/directories",),
    "directories.link": (f"PUT {DIRECTORY}",),
    "directories.unlink": (f"DELETE {DIRECTORY}",),
    "directories.links": (f"GET {DIRECTORY}",),
    "directories.get": (f"GET {DIRECTORY}",),
    "directories.tree": (f"GET {DIRECTORY}/files", f"GET {DIRECTORY}/file"),
    "directories.findings": (f"GET {DIRECTORY}/findings",),
    "directories.lint": (f"GET {DIRECTORY}/lint",),
    "directories.shrink": (f"GET {DIRECTORY}/shrink",),
    "directories.compile": (f"GET {DIRECTORY}/compiled", f"POST {DIRECTORY}/compiled"),
    "directories.history": (f"GET {DIRECTORY}/versions",),
    "directories.changes": (f"GET {DIRECTORY}/changes",),
    "directories.change": (f"GET {DIRECTORY}/changes/{{commit}}",),
    "directories.file": (f"GET {DIRECTORY}/file",),
    "directories.restore": (f"POST {DIRECTORY}/restore",),
    "directories.authors": (f"GET {DIRECTORY}/authors",),
    "directories.version": (f"GET {DIRECTORY}/versions/{{version}}",),
    "directories.compare": (f"GET {DIRECTORY}/versions/{{version}}",),
    "directories.diff": (f"GET {DIRECTORY}/diff",),
    "directories.headroom": (f"GET {DIRECTORY}/headroom",),
    "directories.audit": (f"GET {DIRECTORY}/audit",),
    "directories.survey": (f"GET {DIRECTORY}/files", f"GET {DIRECTORY}/compiled", f"GET {DIRECTORY}/findings"),
    "directories.advise": (f"GET {DIRECTORY}/lint", f"GET {DIRECTORY}/shrink"),
    "directories.judge": (f"POST {DIRECTORY}/judge",),
    "directories.edit": (f"PUT {DIRECTORY}/file", f"DELETE {DIRECTORY}/file"),
    "tokens.create": ("POST /api/tokens",),
    "tokens.list": ("GET /api/tokens",),
    "tokens.revoke": ("DELETE /api/tokens/{token}",),
}
"""The routes that do what a method does."""

PROCESS = "it is about the process that holds the store, not about what the store holds"
SIGN_IN = "it shows the store to somebody who signed in to the app; over REST the token itself does"
LEASE = "a driver in another process is a remote Studio, which has a door of its own"
ELSEWHERE: dict[str, str] = {
    **dict.fromkeys(("close", "announce", "withdraw", "admit", "acting_as", "once", "stop_runs"), PROCESS),
    **dict.fromkeys(("visited", "ticket_of", "may_write"), SIGN_IN),
    **dict.fromkeys(("take_run", "renew_run", "give_back_run"), LEASE),
    **dict.fromkeys(("notes", "collections", "tokens", "directories"), "a noun of its own, whose methods are listed"),
    "import_git": "the repository is where the caller is: 'studio import git' reads it there and posts the history",
    "preview_git": "likewise, with --dry-run",
    "backup": "it writes a file on the server: 'studio backup' does, through the door of the remote Studio",
}
"""What has no route, and why."""


def methods() -> set[str]:
    return {prefix + name for prefix, part in PARTS.items() for name in vars(part) if not name.startswith("_")}


def test_every_method_has_a_route_or_a_reason() -> None:
    assert methods() - SERVED.keys() - ELSEWHERE.keys() == set()


def test_nothing_is_listed_that_is_no_method() -> None:
    assert SERVED.keys() | ELSEWHERE.keys() <= methods()
    assert not SERVED.keys() & ELSEWHERE.keys()


def test_every_route_that_is_named_is_there() -> None:
    there = {f"{method} {route.path}" for route in TABLE for method in route.operations}
    assert {one for routes in SERVED.values() for one in routes} <= there


@pytest.mark.parametrize("path", [route.path for route in TABLE])
def test_every_operation_says_what_it_does(path: str) -> None:
    operations = next(route.operations for route in TABLE if route.path == path)
    for one in operations.values():
        assert (inspect.getdoc(one.act) or "").strip()
