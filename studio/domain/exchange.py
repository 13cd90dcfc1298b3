"""Values as JSON and back, by their types: how a remote studio hands arguments over and gets values home unchanged.

The JSON of the doors (`render.wire`) is made for readers and leaves out what they do not need; this one leaves out nothing. Text stays
text, bytes become base64, times ISO 8601 with their offset, tuples lists, a value its fields by name.
"""

import binascii
import json
from collections.abc import Mapping
from enum import Enum
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

if TYPE_CHECKING:
    from cattrs.preconf.json import JsonConverter

Json = Any
"""What `json` reads and writes: null, true, false, numbers, texts, lists and objects."""
_SCALARS = (bool, int, float, str)


class NotOfType(ValueError):
    """A JSON value is not of the type that is asked for; the message says where."""


def to_json(value: object, kind: Any) -> Json:  # noqa: ANN401 - a type, as `get_type_hints` gives it
    """A value of that type as JSON.

    Raises:
        NotOfType: it is of another type.
    """
    try:
        return _converter().unstructure(value, unstructure_as=kind)
    except Exception as error:  # noqa: BLE001 - whatever the library meets in a value of another type
        raise NotOfType(f"{value!r:.80} is not {getattr(kind, '__name__', kind)} ({type(error).__name__})") from None


def from_json(given: Json, kind: Any) -> Any:  # noqa: ANN401 - a type and its value
    """The value of that type that JSON stands for.

    Raises:
        NotOfType: it stands for none.
    """
    try:
        return _converter().structure(given, kind)
    except Exception as error:  # noqa: BLE001 - cattrs wraps whatever a class's own checks raise
        raise NotOfType(_reason(error)) from None


def dumps(value: Json) -> bytes:
    """JSON as bytes; a lone surrogate stays an escape, so that every text comes through.

    Raises:
        NotOfType: it holds NaN or an infinity, which JSON does not have, or something else that is no JSON.
    """
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")
    except (ValueError, TypeError, RecursionError) as error:
        raise NotOfType(f"it is not JSON ({error})") from None


def loads(given: bytes) -> Json:
    """JSON from bytes.

    Raises:
        NotOfType: they are no JSON.
    """
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        raise NotOfType("it is not JSON") from None


@cache
def _converter() -> "JsonConverter":
    """One converter for all values; made with the first of them, since most commands need none."""
    from cattrs.preconf.json import make_converter  # noqa: PLC0415

    made = make_converter(forbid_extra_keys=True)
    for scalar in _SCALARS:
        made.register_structure_hook(scalar, _structure_scalar)
    made.register_structure_hook_func(
        _is_numbered,
        lambda given, kind: {_number(key): from_json(one, get_args(kind)[1]) for key, one in given.items()},
    )
    made.register_structure_hook(bytes, lambda given, _: binascii.a2b_base64(given, strict_mode=True))
    made.register_unstructure_hook(bytes, lambda value: binascii.b2a_base64(value, newline=False).decode("ascii"))
    made.register_structure_hook(type(None), lambda given, _: _structure_none(given))
    made.register_structure_hook_func(_is_free, lambda given, _: given)
    made.register_unstructure_hook_func(_is_free, lambda value: value)
    return made


def _structure_scalar(given: Json, kind: Any) -> Any:  # noqa: ANN401
    """A number or a text as it is: the library would make `"7"` of 7 and 1 of true. Our enums are texts and come here too."""
    if issubclass(kind, Enum):
        return kind(given)
    if kind is float and type(given) is int:
        return float(given)
    if type(given) is not kind:
        raise NotOfType(f"{given!r:.80} is no {kind.__name__}")
    return given


def _is_numbered(kind: Any) -> bool:  # noqa: ANN401
    """Whether a type is a mapping from whole numbers, which JSON has as texts."""
    return get_origin(kind) is dict and get_args(kind)[0] is int


def _number(key: str) -> int:
    number = int(key)
    if str(number) != key:
        raise NotOfType(f"{key!r:.80} is no whole number")
    return number


def _structure_none(given: Json) -> None:
    if given is not None:
        raise NotOfType(f"{given!r:.80} is not null")


def _is_free(kind: Any) -> bool:  # noqa: ANN401
    """Whether a type says no more than that JSON goes in it: `object`, `Any`, or a choice of JSON's own types."""
    if kind in (object, Any):
        return True
    if get_origin(kind) not in (Union, UnionType):
        return False
    parts = [get_origin(part) or part for part in get_args(kind)]
    return len([part for part in parts if part is not type(None)]) > 1 and all(
        part in (*_SCALARS, type(None), dict, list, Mapping, object) for part in parts
    )


def _reason(error: BaseException) -> str:
    """The innermost reasons of a nest of them."""
    inner = getattr(error, "exceptions", None)
    if inner:
        return "; ".join(_reason(one) for one in inner)
    notes = [note for note in getattr(error, "__notes__", ()) if "attribute" in note]
    said = str(error) or type(error).__name__
    return f"{said} ({notes[0]})" if notes else said
