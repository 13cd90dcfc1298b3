"""What the shapes of JSON are built from, as JSON Schema says it."""

from typing import Any

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
YES_NO: Schema = {"type": "boolean"}
SHA256: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
OBJECT: Schema = {"type": "object"}
TIME: Schema = {"type": "string", "format": "date-time"}


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


def also(base: Schema, **fields: Schema) -> Schema:
    """An object that may also have these fields."""
    return base | {"properties": base["properties"] | fields}
