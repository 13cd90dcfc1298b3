"""Whether the server is well, and what it can do."""

from studio.api import metrics, schemas
from studio.api.operations import EVERYONE, OPERATORS, Answer, Call, Operation, Route, answer
from studio.api.problems import Problem
from studio.errors import StudioError


def health(call: Call) -> Answer:
    """Say whether the store answers; a real query is asked. Needs no sign-in."""
    try:
        call.studio.check()
    except StudioError:
        raise Problem(503, "The store does not answer.") from None
    return answer({"status": "ok"})


def read_metrics(_: Call) -> Answer:
    """Give the counts that Prometheus reads."""
    return Answer(metrics.text().encode(), metrics.CONTENT_TYPE)


ROUTES = (
    Route("/health", {"GET": Operation(health, EVERYONE, answers=schemas.HEALTH, open=True)}),
    Route("/metrics", {"GET": Operation(read_metrics, OPERATORS, answers_text=metrics.CONTENT_TYPE)}),
)
