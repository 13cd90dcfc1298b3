"""Models that drive runs: scripts, and providers through pydantic-ai, without a network."""

import asyncio
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
from builders import START
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from studio.actions.studio import Studio
from studio.domain.generation import CallRequest, Generation, ToolSpec
from studio.domain.run_kinds import RunKind
from studio.domain.runs import Message, Role, ToolCall, Trigger
from studio.errors import BadModel, ModelFailed, NothingToRead
from studio.sources.models import open_model
from studio.sources.models_provider import ProviderModel
from studio.sources.models_scripted import ScriptedModel, read_script

REMINDER = "Memory: this wake has not called memory_write. Call it now."
WRITE = ToolSpec(
    "memory_write",
    "Replace your memory.",
    {
        "type": "object",
        "properties": {"content": {"type": "string"}},
        "required": ["content"],
        "additionalProperties": False,
    },
)


def script_file(folder: Path, content: object) -> str:
    file = folder / "script.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(file)


# --- scripts ---


def test_a_script_gives_one_generation_after_another_and_then_nothing(tmp_path: Path) -> None:
    file = script_file(
        tmp_path,
        [
            {"tool_calls": [{"name": "memory_write", "arguments": {"content": "ü"}}, {"name": "note_find"}]},
            {"text": "Both.", "tool_calls": [{"name": "x", "arguments": {}}]},
            {"text": ""},
        ],
    )
    model = open_model(f"scripted:{file}")
    assert [model.generate((), ()) for _ in range(5)] == [
        Generation("", (CallRequest("memory_write", '{"content": "ü"}'), CallRequest("note_find", "{}"))),
        Generation("Both.", (CallRequest("x", "{}"),)),
        Generation(""),
        Generation(""),
        Generation(""),
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "it is not JSON in line 1"),
        ("[" * 100_000, "it is not JSON"),
        ('[{"tool_calls": [{"name": "x", "arguments": {"n": ' + "9" * 5_000 + "}}]}]", "a number with too many digits"),
        ({"text": "x"}, "must be a JSON list"),
        (["x"], "generation 1 must be an object"),
        ([{"text": "x"}, {}], "generation 2 must be an object"),
        ([{"text": "x", "txet": "y"}], "and nothing else"),
        ([{"text": 1}], "generation 1 has a text that is no text"),
        ([{"tool_calls": {}}], "generation 1 has tool_calls that are no list"),
        ([{"tool_calls": [{"name": "a"}, "b"]}], "generation 1, call 2 must be an object"),
        ([{"tool_calls": [{"arguments": {}}]}], "generation 1, call 1 must have a name"),
        ([{"tool_calls": [{"name": "a", "arguments": "{}"}]}], "arguments that are an object"),
    ],
)
def test_a_file_that_is_no_script(tmp_path: Path, content: object, says: str) -> None:
    with pytest.raises(BadModel, match="is no script") as caught:
        read_script(script_file(tmp_path, content))
    assert says in str(caught.value)


def test_a_script_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(NothingToRead, match="there is no such file"):
        read_script(str(tmp_path / "none.json"))
    with pytest.raises(NothingToRead):
        read_script(str(tmp_path))
    (tmp_path / "bytes.json").write_bytes(b"\xff")
    with pytest.raises(BadModel, match="not UTF-8"):
        read_script(str(tmp_path / "bytes.json"))


def test_a_scripted_model_keeps_what_it_was_shown() -> None:
    model = ScriptedModel([Generation("x")])
    rows = (Message(0, Role.SYSTEM, "composed", START),)
    model.generate(rows, [WRITE])
    assert model.seen == [(rows, (WRITE,))]


# --- names ---


@pytest.mark.parametrize("name", ["", "gpt-5", ":x", "scripted:", "openai:"])
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(BadModel, match="names no model"):
        open_model(name)


def test_a_missing_key_is_told_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(BadModel, match="needs the environment variable OPENAI_API_KEY"):
        open_model("openai:gpt-5")


def test_an_unknown_provider() -> None:
    with pytest.raises(BadModel, match="'nonesuch:x' cannot be used"):
        open_model("nonesuch:x")


def test_a_missing_package_is_told_by_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pydantic_ai.models", "pydantic_ai.exceptions"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(BadModel, match=r"pip install \"prompt-studio\[models-anthropic\]\""):
        open_model("anthropic:claude-sonnet-4-5")
    with pytest.raises(BadModel, match=r"pip install \"pydantic-ai-slim\[cohere\]\""):
        open_model("cohere:command")


# --- providers ---

RUN = (
    Message(0, Role.SYSTEM, "composed", START),
    Message(1, Role.USER, "Schedule wake-up", START),
    Message(2, Role.ASSISTANT, "Looking.", START, tool_calls=(ToolCall("c_1", "note_find", '{"query": "ü"}'),)),
    Message(3, Role.TOOL, "[]\nremaining_tool_calls: 39", START, tool_call_id="c_1"),
    Message(4, Role.ASSISTANT, "Nothing new.", START),
    Message(5, Role.SYSTEM, REMINDER, START, source="memory"),
)


def asked(model: FunctionModel, rows: tuple[Message, ...] = RUN) -> Generation:
    return ProviderModel("function:test", model).generate(rows, [WRITE])


@pytest.mark.parametrize(
    "inline", [True, False], ids=["provider-takes-system-rows", "provider-takes-none-in-the-middle"]
)
def test_our_rows_reach_the_provider_in_their_order(inline: bool) -> None:  # noqa: FBT001 - a table's column
    seen: list[tuple[list[ModelMessage], AgentInfo]] = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        seen.append((messages, info))
        return ModelResponse(parts=[TextPart("ok")])

    asked(FunctionModel(answer, profile={"supports_inline_system_prompts": inline}))
    messages, info = seen[0]
    opening, looking, result, nothing, reminder = messages
    assert isinstance(opening, ModelRequest)
    assert isinstance(opening.parts[0], SystemPromptPart)
    assert opening.parts[0].content == "composed"
    assert isinstance(opening.parts[1], UserPromptPart)
    assert looking.parts == [TextPart("Looking."), ToolCallPart("note_find", '{"query": "ü"}', "c_1")]
    returned = result.parts[0]
    assert isinstance(returned, ToolReturnPart)
    assert (returned.tool_name, returned.content, returned.tool_call_id) == ("note_find", RUN[3].content, "c_1")
    assert nothing.parts == [TextPart("Nothing new.")]
    last = reminder.parts[-1]
    assert isinstance(last, SystemPromptPart if inline else UserPromptPart)
    assert last.content == REMINDER
    assert [tool.name for tool in info.function_tools] == ["memory_write"]
    assert info.function_tools[0].parameters_json_schema == WRITE.parameters


def test_an_answer_is_its_texts_and_calls() -> None:
    parts: list[Any] = [
        ThinkingPart("hm"),
        TextPart("One."),
        TextPart("Two."),
        ToolCallPart("memory_write", {"content": "ü"}),
    ]
    found = asked(FunctionModel(lambda _, __: ModelResponse(parts=parts)))
    assert found.text == "One.\n\nTwo."
    assert [(call.name, json.loads(call.arguments)) for call in found.calls] == [("memory_write", {"content": "ü"})]


def test_an_empty_answer_of_ours_is_not_sent() -> None:
    seen: list[list[ModelMessage]] = []

    def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        seen.append(messages)
        return ModelResponse(parts=[])

    rows = (*RUN[:2], Message(2, Role.ASSISTANT, "", START), Message(3, Role.USER, "go on", START))
    assert asked(FunctionModel(answer), rows) == Generation()
    assert len(seen[0]) == 1


@pytest.mark.parametrize(
    "error",
    [ModelHTTPError(529, "m", {"error": "overloaded"}), OSError("no\nroute"), TypeError()],
    ids=["refused", "unreachable", "garbled"],
)
def test_a_provider_that_does_not_answer(error: Exception) -> None:
    def answer(_: Any, __: Any) -> ModelResponse:
        raise error

    with pytest.raises(ModelFailed, match="The model function:test did not answer: ") as caught:
        asked(FunctionModel(answer))
    assert "\n" not in str(caught.value)


def test_a_model_is_asked_from_a_running_event_loop_too() -> None:
    """A notebook runs its cells in one."""

    async def cell() -> Generation:
        return ProviderModel("test", TestModel(call_tools=[], custom_output_text="ok")).generate(RUN[:2], [])

    assert asyncio.run(cell()) == Generation("ok")


def test_a_test_model_calls_our_tools() -> None:
    found = ProviderModel("test", TestModel()).generate(RUN[:2], [WRITE])
    assert [call.name for call in found.calls] == ["memory_write"]
    assert isinstance(json.loads(found.calls[0].arguments)["content"], str)


class Provider(BaseHTTPRequestHandler):
    """Speaks OpenAI's chat protocol: the first answer is a text, every later one a call."""

    seen: ClassVar[list[Any]] = []

    def do_POST(self) -> None:
        self.seen.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        function = {"name": "memory_write", "arguments": '{"content": "kept"}'}
        called = {"content": None, "tool_calls": [{"id": "call_x", "type": "function", "function": function}]}
        message = {"role": "assistant", **({"content": "Nothing new."} if len(self.seen) == 1 else called)}
        answer = {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing on standard error."""


def test_a_wake_with_a_provider_over_http(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """The provider receives row 0 exactly, and the reminder as a system row in its place (decision 28)."""
    Provider.seen.clear()
    with HTTPServer(("127.0.0.1", 0), Provider) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        studio.create_agent("scout", focus="watch")
        run = studio.run_agent("scout", Trigger(RunKind.SCHEDULE, instruction="check"), "openai-chat:m")
        server.shutdown()
    assert (run.status, run.metadata, studio.get_memory_version("scout").body.text) == ("completed", {}, "kept")
    rows = studio.get_run(run.id)[1]
    first, second = Provider.seen
    assert [(one["role"], one["content"]) for one in second["messages"]] == [
        (row.role.value, row.content) for row in rows[:4]
    ]
    assert first["messages"] == second["messages"][:2]
    assert [tool["function"]["name"] for tool in second["tools"]] == ["memory_write"]
