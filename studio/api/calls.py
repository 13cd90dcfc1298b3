"""The remote studio's own door: a method of the Python API by its name, with its arguments and its value in full.

`open_studio("http://…")` sends these. Whoever writes a client of their own takes the other routes, which are made for that.
"""

from functools import partial

from studio.actions import calls
from studio.api.operations import EVERYONE, OPERATORS, Answer, Call, Operation, Route
from studio.api.problems import Problem
from studio.domain.exchange import dumps

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
HISTORY_LIMIT_BYTES = 64 * 2**20
"""How large a history may be that is imported through its store's owner, all its texts together."""


def call_method(call: Call) -> Answer:
    """Call a method of the Python API by its name; what it raises is the problem's `error`."""
    return _called(call, call.named["method"])


def import_history(call: Call) -> Answer:
    """Call `import_history` of the Python API, whose argument may be larger than that of any other method."""
    return _called(call, "import_history")


def _called(call: Call, name: str) -> Answer:
    method = calls.find_method(name)
    if method is None:
        raise Problem(404, "There is no such method; the README lists those of Studio.")
    value = calls.carry_out(call.studio, call.visitor, method, call.data.get("arguments", {}))
    return Answer(dumps({"value": value}), secret=method.tells_secret)


_CALLED = partial(Operation, takes=TAKES, answers=ANSWERS, whole_errors=True)
ROUTES = (
    Route(
        "/api/studio/import_history",
        {"POST": _CALLED(import_history, OPERATORS, limit_bytes=HISTORY_LIMIT_BYTES)},
    ),
    Route("/api/studio/{method}", {"POST": _CALLED(call_method, EVERYONE)}),
)
