"""Models that drive runs: one protocol, a script in a file, and real providers."""

from collections.abc import Sequence
from typing import Protocol

from studio.domain.generation import Generation, ToolSpec
from studio.domain.runs import Message
from studio.errors import BadModel
from studio.sources.models_provider import open_provider_model
from studio.sources.models_scripted import read_script

SCRIPTED = "scripted"
"""How a model's name begins that reads its answers from a file."""


class Model(Protocol):
    """What answers a run."""

    def generate(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Generation:
        """The next step of a run.

        Args:
            messages: all chat rows so far, row 0 the composed prompt.
            tools: what it may call in this step.

        Raises:
            ModelFailed: it gave no answer; the sentence says why.
        """
        ...


def open_model(name: str) -> Model:
    """The model of this name, ready to be asked; nothing is sent yet.

    Args:
        name: `scripted:FILE`, or a provider and its model as in `anthropic:claude-sonnet-4-5`.

    Raises:
        NothingToRead: the script is not there.
        BadModel: the script is none, or the provider is unknown, or its package or key is missing.
    """
    kind, _, rest = name.partition(":")
    if not kind or not rest:
        raise BadModel(
            f"{name!r} names no model; use scripted:FILE, or a provider and its model as in openai:gpt-5 or"
            " anthropic:claude-sonnet-4-5."
        )
    return read_script(rest) if kind == SCRIPTED else open_provider_model(name)
