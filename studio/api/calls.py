"""The remote studio's own door: a method of the Python API by its name, with its arguments and its value in full.

`open_studio("http://…")` sends these. Whoever writes a client of their own takes the other routes, which are made for that.
"""

from studio.actions import calls
from studio.actions.remote import error_record
from studio.api.operations import EVERYONE, Answer, Call, Operation, Route
from studio.api.problems import CONTENT_TYPE, Problem, as_json, status_of
from studio.domain.exchange import dumps
from studio.errors import NotAllowed, StudioError

TAKES = {
    "type": "object",
    "properties": {
        "arguments": {"type": "object", "description": "The arguments by name; those left out have their defaults."}
    },
    "additionalProperties": False,
}
ANSWERS = {
    "type": "object",
    "properties": {"value": {"description": "The value, with every field; of the method's own type."}},
    "required": ["value"],
}
FORBIDDEN = 403
TOLD_ONCE = "tokens.create"
"""The method whose value holds what is stored nowhere."""


def call_method(call: Call) -> Answer:
    """Call a method of the Python API by its name; what it raises is the problem's `error`."""
    method = calls.find_method(call.named["method"])
    if method is None:
        raise Problem(404, "There is no such method; the README lists those of Studio.")
    given = call.data.get("arguments", {})
    try:
        value = calls.carry_out(call.studio, call.visitor, method, given)
        return answer_of(value, secret=method.name == TOLD_ONCE)
    except StudioError as error:
        return _refused(error)


def answer_of(value: object, *, secret: bool = False) -> Answer:
    """A value as it is sent: a lone surrogate stays one. A secret is not kept for a repeat of the call."""
    return Answer(dumps({"value": value}), secret=secret)


def _refused(error: StudioError) -> Answer:
    status = FORBIDDEN if isinstance(error, NotAllowed) else status_of(error)
    record = {"type": "about:blank", "title": "", "status": status, "kind": error.kind, "detail": error.message}
    return Answer(as_json(record | {"error": error_record(error)}), CONTENT_TYPE, status)


ROUTES = (Route("/api/studio/{method}", {"POST": Operation(call_method, EVERYONE, takes=TAKES, answers=ANSWERS)}),)
