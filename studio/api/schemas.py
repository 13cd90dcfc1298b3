"""The shapes of the JSON that goes in and out, for the OpenAPI document; `render` makes what goes out."""

from studio.api.shapes import NUMBER, OBJECT, SHA256, TEXT, TIME, YES_NO, Schema, also, given, listed, maybe, shape
from studio.domain.bindings import Scope
from studio.domain.collections import Access
from studio.domain.guidelines import Flag
from studio.domain.questions import Question
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Role as ChatRole
from studio.domain.tokens import Role

AUTHOR = shape(kind=TEXT, name=maybe(TEXT), via=maybe(TEXT), evidence=maybe(TEXT))
AGENT = shape(
    id=TEXT,
    name=TEXT,
    guild=maybe(shape(id=TEXT, name=maybe(TEXT))),
    focus=maybe(TEXT),
    layout=TEXT,
    config=shape(memory=YES_NO, memory_write=YES_NO, max_tool_calls=NUMBER),
    retention=maybe(NUMBER),
    created_at=TIME,
    source=maybe(OBJECT),
)
AGENT_ROW = shape(
    **AGENT["properties"],
    memory_version=maybe(NUMBER),
    memory_characters=NUMBER,
    memory_at=maybe(TIME),
    task_version=NUMBER,
    has_draft=YES_NO,
    broken_links=NUMBER,
    over_budget=NUMBER,
)
RIGHTS = shape(tools=listed(TEXT), readable_levels=listed(TEXT), writable_levels=listed(TEXT), prices_login=maybe(TEXT))
GUILD = shape(id=TEXT, name=TEXT, about=maybe(TEXT), description=maybe(TEXT))
OPERATOR = shape(name=TEXT)
PROBLEM_FILED = shape(id=TEXT, agent=TEXT, run=maybe(TEXT), report=TEXT, at=TIME)
ORIGIN = shape(commit=maybe(TEXT), subject=maybe(TEXT), path=maybe(TEXT), old_path=maybe(TEXT), copied=YES_NO)
ALIKE = shape(old_line=NUMBER, new_line=NUMBER, says=TEXT)
STAND_IN = shape(kind=TEXT, stands_for=TEXT, bytes=maybe(NUMBER))
VERSION = shape(
    version=NUMBER,
    author=AUTHOR,
    at=maybe(TIME),
    added=maybe(NUMBER),
    removed=maybe(NUMBER),
    characters=NUMBER,
    status=TEXT,
    live=YES_NO,
    run=maybe(TEXT),
    call=maybe(TEXT),
    based_on=maybe(NUMBER),
    origin=maybe(ORIGIN),
)
MEMORY_VERSION = also(VERSION, stand_in=STAND_IN, marks=listed(TEXT), occasion=TEXT, changed_outside=TEXT)
TASK_VERSION = also(shape(**VERSION["properties"], note=maybe(TEXT)), changed_outside=TEXT)
AUTHORS = shape(authors=listed(shape(**AUTHOR["properties"], key=TEXT, versions=NUMBER)))
CHANGE = shape(
    number=NUMBER,
    agent=TEXT,
    path=TEXT,
    file=TEXT,
    action=TEXT,
    version=NUMBER,
    sha256=SHA256,
    author=AUTHOR,
    at=maybe(TIME),
    run=maybe(TEXT),
    call=maybe(TEXT),
)
STEP = shape(run=TEXT, index=NUMBER, call=TEXT)
ARCHIVE_FILE = shape(version=NUMBER, name=TEXT, path=TEXT)
SAVED = shape(version=NUMBER, changed=YES_NO, sha256=SHA256)
DRAFT = shape(sha256=SHA256, characters=NUMBER, based_on=NUMBER, based_on_sha256=SHA256, author=AUTHOR, saved_at=TIME)
QUESTION = shape(word={"type": "string", "enum": [str(one) for one in Question]}, sentence=TEXT, lines=listed(NUMBER))
REPLACED_DRAFT = shape(**DRAFT["properties"], number=NUMBER, gone_at=TIME, gone_by=AUTHOR)
REPLACED_DRAFT_TEXT = shape(**REPLACED_DRAFT["properties"], text=TEXT)
DRAFT_TEXT = shape(**DRAFT["properties"], text=TEXT)
EMBED = shape(written=TEXT, path=maybe(TEXT), hop=NUMBER, state=TEXT, reason=TEXT, bytes=NUMBER, within=maybe(TEXT))
REVIEW = shape(
    next_version=NUMBER,
    changed=YES_NO,
    stale=YES_NO,
    added=maybe(NUMBER),
    removed=maybe(NUMBER),
    blocks=listed(OBJECT),
    alike=listed(ALIKE),
    live_version=NUMBER,
    broken=listed(EMBED),
    questions=listed(QUESTION),
    draft=DRAFT,
)
FINDING = shape(
    kind=TEXT,
    path=TEXT,
    rule=TEXT,
    message=TEXT,
    line=maybe(NUMBER),
    lines=listed(NUMBER),
    suggestion=maybe(TEXT),
    severity=TEXT,
)
FINDINGS = shape(ok=YES_NO, findings=listed(FINDING))
LINK = shape(
    agent=TEXT,
    path=TEXT,
    linked_at=TIME,
    head=TEXT,
    version=maybe(NUMBER),
    agent_authors=listed(TEXT),
    rewritten_from=maybe(TEXT),
    rewritten_at=maybe(TIME),
)
GAUGE = shape(limit_of=TEXT, path=TEXT, used=NUMBER, limit=maybe(NUMBER), rule=TEXT)
DIRECTORY = shape(
    **LINK["properties"],
    characters=NUMBER,
    findings=NUMBER,
    legacy=YES_NO,
    gauges=listed(GAUGE),
    warnings=listed(TEXT),
)
HEADROOM = shape(commit=TEXT, at=maybe(TIME), gauges=listed(GAUGE), lacking=NUMBER)
TREE_FILE = shape(path=TEXT, mode=TEXT, memory=YES_NO, characters=maybe(NUMBER), sha256=maybe(SHA256))
EDITED = shape(path=TEXT, changed=YES_NO, commit=TEXT, version=maybe(NUMBER), sha256=maybe(SHA256))
COMPILED = shape(text=TEXT, characters=NUMBER, blocks=listed(OBJECT), deferred=listed(TEXT))
PROPOSAL = shape(needed=YES_NO, excess=NUMBER, limits=listed(OBJECT), steps=listed(OBJECT))
COMMIT_VERSION = also(
    shape(
        **VERSION["properties"],
        commit=maybe(TEXT),
        subject=maybe(TEXT),
        path=maybe(TEXT),
        old_path=maybe(TEXT),
        changes_before=maybe(NUMBER),
        changes_after=maybe(NUMBER),
    ),
    stand_in=STAND_IN,
)
COMMIT_DIFF = shape(
    old=TEXT, new=TEXT, added=maybe(NUMBER), removed=maybe(NUMBER), blocks=listed(OBJECT), alike=listed(ALIKE)
)
BROKEN = shape(kind=TEXT, path=TEXT, rule=TEXT, message=TEXT)
AUDITED = shape(
    commit=TEXT, at=maybe(TIME), author=AUTHOR, subject=TEXT, parents=NUMBER, carried=NUMBER, findings=listed(BROKEN)
)
AUDIT = shape(
    ok=YES_NO,
    commits=NUMBER,
    cut_off=YES_NO,
    warnings=listed(TEXT),
    round_the_hook=listed(AUDITED),
    first=listed(shape(**BROKEN["properties"], commit=TEXT)),
    notices=listed(AUDITED),
)
BEGUN = shape(commit=TEXT)
EXPANSION = shape(text=TEXT, embeds=listed(EMBED), bytes=NUMBER)
BROKEN_LINKS = shape(broken=listed(shape(written=TEXT, within=maybe(TEXT), reason=TEXT, state=TEXT)))
PROMPT = shape(
    text=TEXT,
    sections=listed(OBJECT),
    embeds=listed(EMBED),
    tools=listed(TEXT),
    warnings=listed(TEXT),
    composed_from=OBJECT,
)
RUN = shape(
    id=TEXT,
    agent=TEXT,
    kind=TEXT,
    status=TEXT,
    metadata=OBJECT,
    created_at=TIME,
    finished_at=maybe(TIME),
    instruction=maybe(TEXT),
    tags=listed(TEXT),
    tools=listed(TEXT),
    max_steps=NUMBER,
    max_tool_calls=NUMBER,
    composed_from=OBJECT,
    warnings=listed(TEXT),
)
RUN_ROW = shape(**RUN["properties"], steps=NUMBER, tool_calls=NUMBER, opening=TEXT)
CHAT = shape(**RUN["properties"], newer_runs=NUMBER, messages=listed(OBJECT))
ROWS_ADDED = shape(next_index=NUMBER)
TOOL_ANSWER = shape(text=TEXT, accepted=YES_NO)
NOTE = shape(path=TEXT, level=TEXT, title=TEXT, characters=NUMBER, sha256=SHA256, updated_at=TIME, updated_by=AUTHOR)
NOTE_TEXT = shape(**NOTE["properties"], title_field=maybe(TEXT), body=TEXT)
NOTE_WRITTEN = shape(**NOTE["properties"], changed=YES_NO)
NOTE_HITS = shape(notes=listed(shape(**NOTE["properties"], hits=NUMBER, line=TEXT)))
EMBEDDED_IN = shape(agents=listed(TEXT))
PATH = shape(path=TEXT)
COUNT = shape(count=NUMBER)
COLUMN = shape(name=TEXT, description=maybe(TEXT))
COLLECTION = shape(path=TEXT, level=TEXT, name=TEXT, purpose=maybe(TEXT), columns=listed(COLUMN), access=TEXT)
ROW = shape(id=TEXT, values=OBJECT, sha256=SHA256, updated_at=TIME, updated_by=AUTHOR)
ROW_WRITTEN = shape(**ROW["properties"], changed=YES_NO)
IMPORTED = shape(agent=TEXT, versions=NUMBER, added=NUMBER, skipped=NUMBER, warnings=listed(TEXT))
TOKEN = shape(name=TEXT, role=TEXT, agent=maybe(TEXT), created_at=TIME)
TOKEN_MADE = shape(**TOKEN["properties"], token=TEXT)
PROBLEM = shape(type=TEXT, title=TEXT, status=NUMBER, kind=TEXT, detail=TEXT, request_id=TEXT)

NAME: Schema = {"type": "string", "minLength": 1, "maxLength": 200}
CALLS: Schema = {"type": "integer", "minimum": 1, "maximum": 10_000}
MAKE_AGENT = given(
    need=("name",), name=NAME, focus=TEXT, guild=TEXT, memory=YES_NO, memory_write=YES_NO, max_tool_calls=CALLS
)
SET_AGENT = given(
    name=NAME,
    focus=TEXT,
    guild=TEXT,
    memory=YES_NO,
    memory_write=YES_NO,
    max_tool_calls=CALLS,
    retention={"anyOf": [{"type": "integer", "minimum": 1, "maximum": 1_000_000}, {"const": "all"}]},
)
BEGIN = given(need=("repository",), repository={"type": "string", "minLength": 1}, hook=YES_NO, hooks_outside=YES_NO)
LINK_DIRECTORY = given(need=("repository",), repository={"type": "string", "minLength": 1}, agent_authors=listed(TEXT))
BIND = given(
    need=("scope", "id", "name"),
    scope={"type": "string", "enum": [str(one) for one in Scope]},
    id={"type": "string", "minLength": 1, "description": "Of the organisation, guild or agent; * for the instance."},
    name=NAME,
    turned_on=maybe(YES_NO),
    login=maybe(TEXT),
)
PUBLISH = given(note=TEXT, force=YES_NO)
KIND: Schema = {"type": "string", "enum": [str(one) for one in RunKind]}
FLAGS: Schema = {"type": "array", "items": {"type": "string", "enum": [str(one) for one in Flag]}}
PREVIEW = given(kind=KIND, registered=FLAGS, task=TEXT, memory=TEXT)
MAKE_RUN = given(
    need=("kind",),
    kind=KIND,
    message=TEXT,
    sender=TEXT,
    tags=listed(TEXT),
    tagged=YES_NO,
    instruction=TEXT,
    previous_run_at=TIME,
    registered=FLAGS,
    max_steps=CALLS,
    max_tool_calls=CALLS,
)
END_RUN = given(
    need=("status",),
    status={"type": "string", "enum": ["completed", "failed", "stopped"]},
    memory_skipped=YES_NO,
    failure=TEXT,
)
ADD_ROWS = given(
    need=("messages",),
    messages={
        "type": "array",
        "minItems": 1,
        "items": given(
            need=("role", "content"),
            index={"type": "integer", "minimum": 0, "maximum": 2_000_000_000},
            role={"type": "string", "enum": [str(one) for one in ChatRole]},
            content=TEXT,
            source=maybe(TEXT),
            tool_calls=listed(
                given(need=("id", "name", "arguments"), id=TEXT, name=TEXT, arguments={"type": ["object", "string"]})
            ),
            tool_call_id=maybe(TEXT),
        ),
    },
)
MODEL: Schema = {"type": "string", "minLength": 1, "description": "A provider and its model, as in openai:gpt-5."}
DRIVE = given(need=("model",), model=MODEL)
CONTINUE = given(need=("model", "message"), model=MODEL, message=TEXT)
TOOL_CALL = given(need=("arguments",), arguments=OBJECT, call={"type": "string", "minLength": 1, "maxLength": 200})
AGENT_TOOL_CALL = given(need=("arguments",), arguments=OBJECT)
MAKE_TOKEN = given(
    need=("name", "role"), name=NAME, role={"type": "string", "enum": [str(one) for one in Role]}, agent=TEXT
)
WRITE_NOTE = given(need=("body",), body=TEXT, title=TEXT)
MOVE_NOTE = given(need=("to",), to=TEXT)
MAKE_COLLECTION = given(
    need=("columns",),
    columns={"type": "array", "minItems": 1, "items": given(need=("name",), name=NAME, description=TEXT)},
    purpose=TEXT,
)
GRANT = given(need=("access",), access={"enum": [*(str(one) for one in Access), None]})
MAKE_ROW = given(need=("values",), values=OBJECT, id={"type": "string", "minLength": 1, "maxLength": 200})
CHANGE_ROW = given(need=("values",), values=OBJECT)
