"""Tables as Arrow streams: the columns of the JSON, with types."""

import json
from collections.abc import Sequence
from datetime import datetime
from importlib import import_module
from types import ModuleType
from typing import Any

from studio.api.parameters import Schema
from studio.api.problems import Problem
from studio.api.tables import Table
from studio.domain.records import Record

CONTENT_TYPE = "application/vnd.apache.arrow.stream"


def wanted(accept: str) -> bool:
    """Whether an `Accept` header prefers Arrow to JSON."""
    weights: dict[str, float] = {}
    for part in accept.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        given = next((one[2:] for one in parameters if one.startswith("q=")), "1")
        try:
            weights[name] = float(given)
        except ValueError:
            weights[name] = 0.0
    mine = weights.get(CONTENT_TYPE, 0.0)
    return mine > 0 and mine >= weights.get("application/json", 0.0)


def stream(table: Table, rows: Sequence[Record]) -> bytes:
    """The rows as an Arrow stream.

    Raises:
        Problem: 406 where pyarrow is not installed.
    """
    pa = _pyarrow()
    columns: dict[str, Schema] = table.row["properties"]
    schema = pa.schema([(name, _type(pa, one)) for name, one in columns.items()])
    arrays = [
        pa.array([_value(one, row.get(name)) for row in rows], type=schema.field(name).type)
        for name, one in columns.items()
    ]
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _pyarrow() -> ModuleType:
    """pyarrow, which takes 170 MB and is therefore an extra."""
    try:
        return import_module("pyarrow")
    except ImportError:
        raise Problem(
            406, 'Arrow needs pyarrow where the store is served: pip install "prompt-studio[arrow]"; or ask for JSON.'
        ) from None


def _type(pa: ModuleType, schema: Schema) -> Any:  # noqa: ANN401 - a type of pyarrow's
    """The column type of a JSON Schema; an object whose fields are not told is the text of its JSON."""
    if "anyOf" in schema:
        return _type(pa, schema["anyOf"][0])
    match schema["type"]:
        case "integer":
            return pa.int64()
        case "boolean":
            return pa.bool_()
        case "array":
            return pa.list_(_type(pa, schema["items"]))
        case "object" if "properties" in schema:
            return pa.struct([(name, _type(pa, one)) for name, one in schema["properties"].items()])
        case _:
            return pa.timestamp("us", tz="UTC") if schema.get("format") == "date-time" else pa.string()


def _value(schema: Schema, value: Any) -> Any:  # noqa: ANN401 - as its schema says
    """A JSON value as its column takes it."""
    if value is None:
        return None
    if "anyOf" in schema:
        return _value(schema["anyOf"][0], value)
    match schema["type"]:
        case "array":
            return [_value(schema["items"], one) for one in value]
        case "object" if "properties" in schema:
            return {name: _value(one, value.get(name)) for name, one in schema["properties"].items()}
        case "object":
            return json.dumps(value, ensure_ascii=False)
        case _:
            return datetime.fromisoformat(value) if schema.get("format") == "date-time" else value
