"""Real models, through pydantic-ai; it is imported when one is asked for, so that nobody else needs it.

Only its lowest layer is used, one request and one response: the loop, its limits and the counting of calls are ours (decision 27).
"""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from studio.domain.generation import CallRequest, Generation, ToolSpec
from studio.domain.runs import Message, Role
from studio.errors import BadModel, ModelFailed

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from pydantic_ai.messages import ModelMessage, ModelRequestPart, ModelResponse, ModelResponsePart
    from pydantic_ai.models import Model as ProvidersModel
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

P = ParamSpec("P")
T = TypeVar("T")

EXTRAS = {
    "anthropic": "models-anthropic",
    "google": "models-google",
    "google-cloud": "models-google",
    "groq": "models-groq",
    "mistral": "models-mistral",
    "openai": "models-openai",
    "openai-chat": "models-openai",
    "openai-responses": "models-openai",
}
"""Which extra of ours brings a provider's package."""
AS_STORED: "ModelSettings" = {"framing_announcement": "never"}
"""Settings of every request: pydantic-ai adds no words of its own to the prompt, so that row 0 is what the model receives."""
_VARIABLE = re.compile(r"`([A-Z][A-Z0-9_]+)`")
"""How pydantic-ai names an environment variable that is not set."""
_SENTENCE_CHARACTERS = 300
"""How much of what a provider says is told on."""


class ProviderModel:
    """A model of a provider."""

    def __init__(self, name: str, model: "ProvidersModel") -> None:
        self._name = name
        self._model = model
        self._thread: Executor | None = None

    def generate(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Generation:
        """Ask the provider for the next step.

        Raises:
            ModelFailed: the provider refused, could not be reached, or its answer cannot be read.
        """
        from pydantic_ai.direct import model_request_sync  # noqa: PLC0415

        parameters = _parameters(tools)
        try:
            response = self._apart(
                model_request_sync,
                self._model,
                as_provider_messages(messages, inline=bool(self._model.profile.get("supports_inline_system_prompts"))),
                model_settings=AS_STORED,
                model_request_parameters=parameters,
            )
        except Exception as error:  # whatever a provider's client raises, the run ends with a sentence
            raise ModelFailed(f"The model {self._name} did not answer: {_one_line(error)}.") from error
        return _generation(response)

    def _apart(self, ask: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Ask here, or where an event loop runs already, as in a notebook, in a thread of this model's own."""
        import asyncio  # noqa: PLC0415 - pydantic-ai has it loaded by now
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return ask(*given, **named)
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "model")
        return self._thread.submit(ask, *given, **named).result()


def open_provider_model(name: str) -> ProviderModel:
    """The model of a provider, by pydantic-ai's name for it; its key is read from the environment.

    Raises:
        BadModel: the provider is unknown, or its package or its key is missing; the sentence says how to mend it.
    """
    provider = name.partition(":")[0]
    try:
        from pydantic_ai.exceptions import UserError  # noqa: PLC0415
        from pydantic_ai.models import infer_model  # noqa: PLC0415
    except ImportError:
        raise BadModel(_missing_package(provider)) from None
    try:
        return ProviderModel(name, infer_model(name))
    except ImportError:
        raise BadModel(_missing_package(provider)) from None
    except Exception as error:
        if not isinstance(error, UserError) and type(error).__module__.partition(".")[0] not in (provider, "httpx"):
            raise  # a fault of ours; what a provider's client misses, as a key, is the caller's to mend
        variables = _VARIABLE.findall(str(error))
        if not variables:
            raise BadModel(f"The model {name!r} cannot be used: {_one_line(error)}.") from None
        raise BadModel(
            f"The model {name!r} needs the environment variable {variables[0]}; set it to your key or address and try again."
        ) from None


def _missing_package(provider: str) -> str:
    extra = EXTRAS.get(provider)
    what = f'"prompt-studio[{extra}]"' if extra else f'"pydantic-ai-slim[{provider}]"'
    return f"The package that talks to {provider!r} is not installed; 'pip install {what}' brings it."


def _one_line(error: BaseException) -> str:
    """What went wrong, in one line that is not endless."""
    said = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    return said if len(said) <= _SENTENCE_CHARACTERS else said[:_SENTENCE_CHARACTERS] + "…"


def _parameters(tools: Sequence[ToolSpec]) -> "ModelRequestParameters":
    """Our tools as pydantic-ai takes them; a text is always an answer."""
    from pydantic_ai.models import ModelRequestParameters  # noqa: PLC0415
    from pydantic_ai.tools import ToolDefinition  # noqa: PLC0415

    listed = [
        ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.parameters)
        for tool in tools
    ]
    return ModelRequestParameters(function_tools=listed, allow_text_output=True)


def as_provider_messages(rows: Sequence[Message], *, inline: bool) -> "list[ModelMessage]":
    """Our chat rows as pydantic-ai's messages: rows between two answers of the model make one request.

    Args:
        rows: the chat rows, row 0 the composed prompt.
        inline: whether the provider takes a system row in the middle; otherwise the reminder goes as a user's.
    """
    from pydantic_ai.messages import ModelRequest, ModelResponse  # noqa: PLC0415

    messages: list[ModelMessage] = []
    waiting: list[ModelRequestPart] = []
    names = {call.id: call.name for row in rows for call in row.tool_calls}
    for row in rows:
        if row.role is not Role.ASSISTANT:
            waiting.append(_request_part(row, names, inline=inline))
        elif row.content or row.tool_calls:  # providers take no empty answer
            if waiting:
                messages.append(ModelRequest(parts=waiting))
                waiting = []
            messages.append(ModelResponse(parts=_response_parts(row)))
    return [*messages, ModelRequest(parts=waiting)] if waiting else messages


def _request_part(row: Message, names: dict[str, str], *, inline: bool) -> "ModelRequestPart":
    from pydantic_ai.messages import SystemPromptPart, ToolReturnPart, UserPromptPart  # noqa: PLC0415

    if row.role is Role.SYSTEM and (inline or row.position == 0):
        return SystemPromptPart(row.content, timestamp=row.at)
    if row.role in (Role.SYSTEM, Role.USER):
        return UserPromptPart(row.content, timestamp=row.at)
    call = row.tool_call_id or ""
    return ToolReturnPart(names.get(call, ""), row.content, call, timestamp=row.at)


def _response_parts(row: Message) -> "list[ModelResponsePart]":
    from pydantic_ai.messages import TextPart, ToolCallPart  # noqa: PLC0415

    text: list[ModelResponsePart] = [TextPart(row.content)] if row.content else []
    return text + [ToolCallPart(call.name, call.arguments, call.id) for call in row.tool_calls]


def _generation(response: "ModelResponse") -> Generation:
    """What the model answered: its texts and its calls; what it thought is not kept."""
    from pydantic_ai.messages import TextPart, ToolCallPart  # noqa: PLC0415

    text = "\n\n".join(part.content for part in response.parts if isinstance(part, TextPart) and part.content)
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    return Generation(text, tuple(CallRequest(call.tool_name, call.args_as_json_str()) for call in calls))
