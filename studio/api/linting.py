"""What the writing rules say about a memory or a Task: advice, never a refusal (decision 35)."""

from studio.api import schemas
from studio.api.operations import MARKDOWN, READERS, Answer, Call, Operation, Route, answer
from studio.api.parameters import many
from studio.domain.directory.findings import Finding
from studio.render.wire_lint import lint_record


def lint_memory(call: Call) -> Answer:
    """Read what the writing rules say about the live memory."""
    return _told(call.studio.lint_memory(call.agent, off=_off(call)))


def lint_memory_text(call: Call) -> Answer:
    """Read what the writing rules say about another text for the memory."""
    return _told(call.studio.lint_memory(call.agent, call.text, off=_off(call)))


def lint_task(call: Call) -> Answer:
    """Read what the writing rules say about the live Task."""
    return _told(call.studio.lint_task(call.agent, off=_off(call)))


def lint_task_text(call: Call) -> Answer:
    """Read what the writing rules say about another text for the Task."""
    return _told(call.studio.lint_task(call.agent, call.text, off=_off(call)))


def _off(call: Call) -> tuple[str, ...]:
    return tuple(call.query.get("off", ()))


def _told(findings: tuple[Finding, ...]) -> Answer:
    return answer(lint_record(findings))


_OFF = (many("off", "A rule that is not asked, by its name."),)
ROUTES = tuple(
    Route(
        f"/api/agents/{{agent}}/{text}/lint",
        {
            "GET": Operation(live, READERS, query=_OFF, answers=schemas.FINDINGS),
            "POST": Operation(other, READERS, query=_OFF, takes_text=MARKDOWN, reads=True, answers=schemas.FINDINGS),
        },
    )
    for text, live, other in (("memory", lint_memory, lint_memory_text), ("task", lint_task, lint_task_text))
)
