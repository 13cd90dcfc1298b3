"""Every value that a method takes or gives comes back from JSON as it was: the same types, every character."""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from shapes import shape

from studio.actions.calls import READS, WRITES, find_method
from studio.domain.diff import Counts
from studio.domain.exchange import NotOfType, dumps, from_json, loads, to_json
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Trigger

HOSTILE = st.one_of(
    st.text(),
    st.text(st.characters(categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Co", "Cn"])),
    st.sampled_from(["", "\ud800", "\udfff\ud800", "\0", "\U0001f600", "\ufeff", "\u202e\u2066", "\r\n", "</memory>"]),
)
"""Texts as an agent may write them: lone surrogates, NUL, astral and direction characters."""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | HOSTILE,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(HOSTILE, inner, max_size=2),
    max_leaves=4,
)
PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: HOSTILE,
    float: st.floats(allow_nan=False, allow_infinity=False),
    datetime: st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.replace(fold=0)),
    Path: HOSTILE.map(Path),
    object: JSON,
    Any: JSON,
}


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a type, hostile ones among them."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return st.one_of(*(values_of(part) for part in parts))
    if origin is not None:
        return generic_values(origin, parts)
    if hasattr(kind, "__supertype__"):
        return values_of(kind.__supertype__)
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        return values_of_class(kind)
    return PLAIN[kind] if kind in PLAIN else st.from_type(kind)


@cache
def values_of_class(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a class of ours, which may hold others of itself."""
    hints = get_type_hints(kind)
    names = [one.name for one in fields(kind) if one.init] if is_dataclass(kind) else list(hints)
    return st.deferred(
        lambda: st.fixed_dictionaries({name: values_of(hints[name]) for name in names}).map(
            lambda given: built(kind, given)
        )
    )


def built(kind: Any, given: dict[str, Any]) -> Any:
    """A value of a class, which may refuse parts that never come together, as a path that git cannot name."""
    try:
        return kind(**given)
    except UnicodeError:
        reject()


def generic_values(origin: Any, parts: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    """Tuples, mappings and sets, of a few values each."""
    if origin is tuple and parts[-1] is not Ellipsis:
        return st.tuples(*(values_of(part) for part in parts))
    if origin in (tuple, Sequence):
        return st.lists(values_of(parts[0]), max_size=2).map(tuple)
    if origin is frozenset:
        return st.frozensets(values_of(parts[0]), max_size=2)
    return st.dictionaries(values_of(parts[0]), values_of(parts[1]), max_size=2)


def named_types() -> dict[str, Any]:
    """Every type of an argument or a value, by how it is written."""
    methods = [find_method(name) for name in (*READS, *WRITES)]
    return {str(kind): kind for one in methods if one is not None for kind in one.types().values()}


@pytest.mark.parametrize("kind", [pytest.param(kind, id=name) for name, kind in named_types().items()])
def test_a_value_comes_back_as_it_was(kind: Any) -> None:
    @settings(max_examples=12, suppress_health_check=list(HealthCheck))
    @given(values_of(kind))
    def law(value: Any) -> None:
        assert shape(from_json(loads(dumps(to_json(value, kind))), kind)) == shape(value)

    law()


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (7, str),
        (None, str),
        (["x"], str),
        (True, int),
        (1.0, int),
        ("1", int),
        (1, bool),
        (True, float),
        ("1", float),
        (7, str | None),
        (True, int | None),
        ("nothing", RunKind),
        (1, RunKind),
        ({"one": "x"}, dict[int, str]),
        ({"01": "x"}, dict[int, str]),
        ([1], frozenset[str]),
        ("not base64!", bytes),
        ("yesterday", datetime),
        (0, datetime),
        ({"key": "k", "more": 1}, Counts),
        ({}, Trigger),
        ({"kind": "direct", "more": 1}, Trigger),
    ],
    ids=repr,
)
def test_a_value_of_another_type_is_refused(value: Any, kind: Any) -> None:
    with pytest.raises(NotOfType):
        from_json(value, kind)


def test_a_whole_number_is_a_number() -> None:
    assert shape(from_json(1, float)) == shape(1.0)


@given(JSON, st.sampled_from([pytest.param(kind, id=name) for name, kind in named_types().items()]))
def test_what_is_of_no_type_is_refused_in_words(given_json: Any, named: Any) -> None:
    """Whatever JSON arrives: a value of the type, or a sentence."""
    kind = named.values[0]
    try:
        value = from_json(given_json, kind)
    except NotOfType:
        return
    assert shape(from_json(loads(dumps(to_json(value, kind))), kind)) == shape(value)


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000, b"1" * 5_000], ids=repr)
def test_what_is_no_json_is_refused(content: bytes) -> None:
    with pytest.raises(NotOfType):
        loads(content)
