"""A model that follows a script: for tests, and for work without a network.

A script is a JSON list of generations, each an object with `text`, `tool_calls`, or both:

    [{"tool_calls": [{"name": "memory_write", "arguments": {"content": "The tide turns at six."}}]}, {"text": "Done."}]
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from studio.domain.generation import CallRequest, Generation, ToolSpec, arguments_text
from studio.domain.runs import Message
from studio.errors import BadModel, NothingToRead


class ScriptedModel:
    """Gives one generation of its script after another, then empty ones; keeps what it was shown."""

    def __init__(self, script: Iterable[Generation]) -> None:
        self._script = iter(tuple(script))
        self.seen: list[tuple[tuple[Message, ...], tuple[ToolSpec, ...]]] = []

    def generate(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Generation:
        """The script's next generation; an empty text once it is used up, which ends a run."""
        self.seen.append((tuple(messages), tuple(tools)))
        return next(self._script, Generation())


def read_script(file: str) -> ScriptedModel:
    """The model that follows the script in a file.

    Raises:
        NothingToRead: there is no such file, or it cannot be opened.
        BadModel: it is no script; the sentence says where.
    """
    try:
        content = Path(file).read_bytes()
    except FileNotFoundError:
        raise NothingToRead(file, "there is no such file") from None
    except (OSError, ValueError) as error:
        raise NothingToRead(file, getattr(error, "strerror", None) or "its name is not usable") from None
    try:
        script = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadModel(f"{file} is no script: it is not UTF-8 (byte {error.start}).") from None
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise BadModel(f"{file} is no script: it is not JSON{where}.") from None
    except ValueError:  # Python reads no integer of more than 4,300 digits
        raise BadModel(f"{file} is no script: it holds a number with too many digits.") from None
    if not isinstance(script, list):
        raise BadModel(f"{file} is no script: it must be a JSON list of generations.")
    return ScriptedModel(_generation(file, number, entry) for number, entry in enumerate(script, 1))


def _generation(file: str, number: int, entry: object) -> Generation:
    """One entry of the script."""
    bad = f"{file} is no script: generation {number}"
    if not isinstance(entry, dict) or not entry or not entry.keys() <= {"text", "tool_calls"}:
        raise BadModel(f"{bad} must be an object with text, tool_calls or both, and nothing else.")
    text, calls = entry.get("text", ""), entry.get("tool_calls", [])
    if not isinstance(text, str):
        raise BadModel(f"{bad} has a text that is no text.")
    if not isinstance(calls, list):
        raise BadModel(f"{bad} has tool_calls that are no list.")
    return Generation(text, tuple(_call(f"{bad}, call {at}", call) for at, call in enumerate(calls, 1)))


def _call(bad: str, call: Any) -> CallRequest:  # noqa: ANN401 - as JSON gave it
    """One call of an entry."""
    if not isinstance(call, dict) or not call.keys() <= {"name", "arguments"}:
        raise BadModel(f"{bad} must be an object with name and arguments, and nothing else.")
    name, arguments = call.get("name"), call.get("arguments", {})
    if not isinstance(name, str) or not name:
        raise BadModel(f"{bad} must have a name, a text that is not empty.")
    if not isinstance(arguments, dict):
        raise BadModel(f"{bad} must have arguments that are an object.")
    return CallRequest(name, arguments_text(arguments))
