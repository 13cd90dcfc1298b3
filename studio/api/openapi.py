"""The OpenAPI document, made from the table of operations, so that it cannot fall behind it."""

from collections.abc import Sequence
from inspect import getdoc
from re import findall
from typing import Any

from studio.api import arrow
from studio.api.judging import CONFIRM
from studio.api.operations import JSON, Guarding, Operation, Route
from studio.api.parameters import Schema
from studio.api.problems import CONTENT_TYPE
from studio.api.repeats import HEADER, KEY_PATTERN
from studio.api.schemas import PROBLEM, QUESTION
from studio.api.shapes import SHA256, listed, maybe
from studio.api.system import release
from studio.domain.questions import Question
from studio.domain.tokens import Role

PARTS: dict[str, tuple[Schema, str]] = {
    "agent": ({"type": "string", "minLength": 1}, "The agent's id or its unique name."),
    "version": ({"type": "integer", "minimum": 1, "maximum": 999_999_999}, "The version's number."),
    "commit": ({"type": "string", "minLength": 1}, "The commit, by any name that git knows."),
    "draft": ({"type": "integer", "minimum": 1, "maximum": 999_999_999}, "The number of a draft that went."),
    "run": ({"type": "string", "minLength": 1}, "The run's id."),
    "token": ({"type": "string", "minLength": 1}, "The token's name."),
    "tool": ({"type": "string", "minLength": 1}, "The tool's name."),
    "method": ({"type": "string", "minLength": 1}, "The method's name, as save_memory or notes.edit."),
}
"""What the parts of a path may be."""
ETAG: dict[str, Any] = {
    "description": "The sha256 of the text, in double quotes: what a write gives back as If-Match.",
    "schema": {"type": "string"},
}
COMMON = (400, 401, 403, 404, 405, 413, 422, 500, 503)
"""What every signed-in operation can answer besides its own."""


def document(table: Sequence[Route]) -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Prompt Studio",
            "version": release(),
            "description": "What LLM agents read about themselves: memory, Task, prompt, runs, notes and collections. Times are"
            " UTC, sizes are code points. Errors are application/problem+json.",
        },
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {"Problem": PROBLEM},
        },
        "security": [{"token": []}],
        "paths": {
            route.path: {
                method.lower(): _operation(route.path, method, operation)
                for method, operation in route.operations.items()
            }
            for route in table
        },
    }


def _operation(path: str, method: str, operation: Operation) -> dict[str, Any]:
    who = "anybody" if operation.open else ", ".join(str(role) for role in Role if role in operation.roles)
    said = getdoc(operation.act) or ""
    made: dict[str, Any] = {
        "operationId": operation.act.__name__,
        "summary": said.split("\n", maxsplit=1)[0],
        "description": f"Who may: {who}.",
        "parameters": [
            *_parts(path),
            *_query(operation),
            *_guards(operation),
            *_confirms(operation),
            *_keys(method, operation),
        ],
        "responses": _responses(operation),
    }
    if operation.open:
        made["security"] = []
    if operation.takes is not None:
        made["requestBody"] = {"required": True, "content": {JSON: {"schema": operation.takes}}}
    if operation.takes_text is not None:
        media = operation.takes_text.partition(";")[0]
        made["requestBody"] = {"required": True, "content": {media: {"schema": {"type": "string"}}}}
    return made


def _parts(path: str) -> list[dict[str, Any]]:
    return [
        {"name": part, "in": "path", "required": True, "schema": PARTS[part][0], "description": PARTS[part][1]}
        for part in findall(r"\{(\w+)\}", path)
    ]


def _query(operation: Operation) -> list[dict[str, Any]]:
    return [
        {
            "name": one.name,
            "in": "query",
            "required": one.required,
            "schema": one.schema,
            "description": one.description,
        }
        for one in operation.parameters
    ]


def _guards(operation: Operation) -> list[dict[str, Any]]:
    """The headers that say what a write replaces (decision 37)."""
    if operation.guarding is Guarding.NONE:
        return []
    needed = operation.guarding is Guarding.MATCH
    says = "The ETag of what this replaces, or * to write over whatever is there."
    match = {"pattern": '^(\\*|"[0-9a-f]{64}")$', "type": "string"}
    found: list[dict[str, Any]] = [
        {"name": "If-Match", "in": "header", "required": needed, "schema": match, "description": says}
    ]
    if not needed:
        says = "* where there is nothing to replace yet. One of the two headers is needed."
        found.append(
            {"name": "If-None-Match", "in": "header", "required": False, "schema": {"const": "*"}, "description": says}
        )
    return found


def _confirms(operation: Operation) -> list[dict[str, Any]]:
    """The header that answers what a write may ask (decision 39)."""
    if not operation.asks:
        return []
    word = f"({'|'.join(Question)})"
    says = "Questions that are answered with yes, with commas between; 422 lists those that were not."
    schema = {"type": "string", "pattern": f"^{word}(, ?{word})*$"}
    return [{"name": CONFIRM, "in": "header", "required": False, "schema": schema, "description": says}]


def _keys(method: str, operation: Operation) -> list[dict[str, Any]]:
    """The header that names a write, so that it may be sent again."""
    if not operation.takes_key(method):
        return []
    says = "A name for this request: sent again within 24 hours it has the same answer and is not carried out again."
    schema = {"type": "string", "pattern": KEY_PATTERN}
    return [{"name": HEADER, "in": "header", "required": False, "schema": schema, "description": says}]


def _responses(operation: Operation) -> dict[str, Any]:
    problem = {"content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    own: dict[str, Any] = {"description": "Done."}
    if operation.answered is not None:
        own["content"] = {JSON: {"schema": operation.answered}}
        if operation.table is not None:
            own["content"][arrow.CONTENT_TYPE] = {"schema": {"type": "string", "format": "binary"}}
    elif operation.answers_text is not None:
        own["content"] = {operation.answers_text.partition(";")[0]: {"schema": {"type": "string"}}}
        own["headers"] = {"ETag": ETAG}
    others: dict[int, str] = dict.fromkeys((403, 404, 405, 500, 503) if operation.open else COMMON, "Refused.")
    if operation.guarding is not Guarding.NONE:
        conflict = {
            "allOf": [
                {"$ref": "#/components/schemas/Problem"},
                {"properties": {"live": maybe(SHA256), "yours": {"type": "string"}, "version": {"type": "integer"}}},
            ]
        }
        others |= {409: "What was there changed.", 428: "If-Match is missing."}
    if operation.table is not None:
        others[406] = "Arrow was asked for, and pyarrow is not installed."
    if operation.takes is not None:
        others[415] = "The body is not JSON."
    if operation.asks:
        others[422] = "Refused; where a question was not answered, with `questions`."
    told = {str(status): {"description": says, **problem} for status, says in sorted(others.items())}
    if operation.guarding is not Guarding.NONE:
        told["409"] = {"description": others[409], "content": {CONTENT_TYPE: {"schema": conflict}}}
    if operation.asks:
        asked = {"allOf": [{"$ref": "#/components/schemas/Problem"}, {"properties": {"questions": listed(QUESTION)}}]}
        told["422"] = {"description": others[422], "content": {CONTENT_TYPE: {"schema": asked}}}
    return {str(operation.status): own, **told}
