"""What a model is given beside the chat rows, and what it answers, the same for every provider."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from studio.domain.bodies import storable


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told about it."""

    name: str
    """Its name."""
    description: str
    """What it does and when to use it."""
    parameters: dict[str, Any]
    """JSON schema of its arguments, an object."""


@dataclass(frozen=True, slots=True)
class CallRequest:
    """One call that a model asks for; the run gives it its id."""

    name: str
    """The tool."""
    arguments: str
    """The arguments as JSON text, as the model gave them."""


@dataclass(frozen=True, slots=True)
class Generation:
    """One step of a model: text, calls, or both."""

    text: str = ""
    """What it wrote."""
    calls: tuple[CallRequest, ...] = ()
    """The calls it asks for, in order."""


def arguments_text(arguments: Mapping[str, Any]) -> str:
    """Arguments as JSON text that a store can hold: non-ASCII as is, but for what no store takes (decision 5), which is escaped."""
    text = json.dumps(arguments, ensure_ascii=False)
    return text if storable(text) else json.dumps(arguments)


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a call came to."""

    text: str
    """What the model reads, without the trailer."""
    accepted: bool
    """Whether it was carried out; a write that changes nothing is (decision 7), an error is not."""
