"""The shapes of the JSON that goes in and out, for the OpenAPI document; `render.wire` makes what goes out."""

from typing import Any

from studio.domain.guidelines import Flag
from studio.domain.run_kinds import RunKind
from studio.domain.tokens import Role

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
YES_NO: Schema = {"type": "boolean"}
SHA256: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
OBJECT: Schema = {"type": "object"}


def maybe(schema: Schema) -> Schema:
    """This, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def listed(schema: Schema) -> Schema:
    """A list of these."""
    return {"type": "array", "items": schema}


def shape(**fields: Schema) -> Schema:
    """An object that has all these fields, and may have others."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def given(*, need: tuple[str, ...] = (), **fields: Schema) -> Schema:
    """An object that is sent: only these fields, of which some must be there."""
    return {"type": "object", "properties": fields, "required": list(need), "additionalProperties": False}


AUTHOR = shape(kind=TEXT, name=maybe(TEXT), via=maybe(TEXT), evidence=maybe(TEXT))
AGENT = shape(
    id=TEXT,
    name=TEXT,
    guild=maybe(shape(id=TEXT, name=maybe(TEXT))),
    focus=maybe(TEXT),
    layout=TEXT,
    config=shape(memory=YES_NO, memory_write=YES_NO, max_tool_calls=NUMBER),
    retention=maybe(NUMBER),
    created_at=TEXT,
    source=maybe(OBJECT),
)
AGENTS = shape(agents=listed(AGENT), total=NUMBER)
VERSION = shape(
    version=NUMBER,
    author=AUTHOR,
    at=TEXT,
    added=maybe(NUMBER),
    removed=maybe(NUMBER),
    characters=NUMBER,
    status=TEXT,
    live=YES_NO,
    run=maybe(TEXT),
    call=maybe(TEXT),
    based_on=maybe(NUMBER),
)
VERSIONS = shape(versions=listed(VERSION), next_before=maybe(NUMBER))
SAVED = shape(version=NUMBER, changed=YES_NO, sha256=SHA256)
DRAFT = shape(sha256=SHA256, characters=NUMBER, based_on=NUMBER, author=AUTHOR, saved_at=TEXT)
DRAFT_TEXT = shape(**DRAFT["properties"], text=TEXT)
PROMPT = shape(
    text=TEXT,
    sections=listed(OBJECT),
    embeds=listed(OBJECT),
    tools=listed(TEXT),
    warnings=listed(TEXT),
    composed_from=OBJECT,
)
RUN = shape(id=TEXT, agent=TEXT, kind=TEXT, status=TEXT, metadata=OBJECT, created_at=TEXT, tools=listed(TEXT))
RUNS = shape(runs=listed(RUN), total=NUMBER)
CHAT = shape(**RUN["properties"], messages=listed(OBJECT))
TOOL_ANSWER = shape(text=TEXT, accepted=YES_NO)
NOTE = shape(path=TEXT, level=TEXT, title=TEXT, characters=NUMBER, sha256=SHA256, updated_at=TEXT, updated_by=AUTHOR)
NOTE_TEXT = shape(**NOTE["properties"], title_field=maybe(TEXT), body=TEXT)
NOTE_WRITTEN = shape(**NOTE["properties"], changed=YES_NO)
NOTES = shape(notes=listed(NOTE))
NOTE_HITS = shape(notes=listed(shape(**NOTE["properties"], hits=NUMBER, line=TEXT)))
COLLECTION = shape(path=TEXT, level=TEXT, name=TEXT, purpose=maybe(TEXT), columns=listed(OBJECT), access=TEXT)
COLLECTIONS = shape(collections=listed(COLLECTION))
ROW = shape(id=TEXT, values=OBJECT, updated_at=TEXT, updated_by=AUTHOR)
ROWS = shape(records=listed(ROW))
ROW_WRITTEN = shape(**ROW["properties"], changed=YES_NO)
TOKEN = shape(name=TEXT, role=TEXT, agent=maybe(TEXT), created_at=TEXT)
TOKENS = shape(tokens=listed(TOKEN))
TOKEN_MADE = shape(**TOKEN["properties"], token=TEXT)
HEALTH = shape(status={"const": "ok"})
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
PUBLISH = given(note=TEXT, force=YES_NO, confirm_broken=YES_NO)
MAKE_RUN = given(
    need=("kind",),
    kind={"type": "string", "enum": [str(one) for one in RunKind]},
    message=TEXT,
    sender=TEXT,
    tags=listed(TEXT),
    tagged=YES_NO,
    instruction=TEXT,
    registered={"type": "array", "items": {"type": "string", "enum": [str(one) for one in Flag]}},
    max_steps=CALLS,
    max_tool_calls=CALLS,
)
END_RUN = given(
    need=("status",),
    status={"type": "string", "enum": ["completed", "failed", "stopped"]},
    memory_skipped=YES_NO,
    failure=TEXT,
)
TOOL_CALL = given(need=("arguments",), arguments=OBJECT, call={"type": "string", "minLength": 1, "maxLength": 200})
MAKE_TOKEN = given(
    need=("name", "role"), name=NAME, role={"type": "string", "enum": [str(one) for one in Role]}, agent=TEXT
)
WRITE_NOTE = given(need=("body",), body=TEXT, title=TEXT)
MAKE_COLLECTION = given(
    need=("columns",),
    columns={"type": "array", "minItems": 1, "items": given(need=("name",), name=NAME, description=TEXT)},
    purpose=TEXT,
)
WRITE_ROW = given(need=("values",), values=OBJECT, id={"type": "string", "minLength": 1, "maxLength": 200})
