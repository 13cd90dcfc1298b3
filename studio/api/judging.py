"""Judge a request before anything is done: from which site it comes, who sends it, whether they may, and what it says."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from tornado.httputil import HTTPHeaders

from studio.actions.listening import is_own_host
from studio.actions.studio import Studio
from studio.api.arrow import wanted
from studio.api.operations import ANY, OPERATORS, Call, Guarding, Operation
from studio.api.parameters import MANY_CAP
from studio.api.problems import Problem
from studio.domain.bodies import storable
from studio.domain.questions import read_words
from studio.domain.tokens import Role, Visitor
from studio.errors import AmbiguousAgent, BadArgument, NotFound, StudioError, UnknownQuestion, UnknownRun

_BEARER = re.compile(r"Bearer +([\x21-\x7e]+)", re.IGNORECASE)
_ETAG = re.compile(r'(?:W/)?"([^"]*)"')
CHALLENGE = 'Bearer realm="Prompt Studio"'
CONFIRM = "Studio-Confirm"
"""The header of a write that answers questions: their words, with commas between (decision 39)."""
QUOTE_CAP_CHARACTERS = 300
"""How much of what a body held a complaint about it may quote."""
ANYBODY = Visitor(Role.VIEWER, "anybody")
"""Who asks where no sign-in is needed."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it came in."""

    operation: Operation
    """What it asks for."""
    method: str
    """Its method, in capitals; GET for HEAD."""
    uri: str
    """Its path and query as they were sent."""
    headers: HTTPHeaders
    """Its headers."""
    query: Mapping[str, Sequence[bytes]]
    """Its query."""
    body: bytes
    """What was sent."""
    named: Mapping[str, str]
    """The parts of the path, decoded once."""


def check_site(headers: HTTPHeaders, own_address: tuple[str, int], names: Collection[str]) -> None:
    """Refuse what a page of another site makes a browser send, and what is sent to another name (see `is_own_host`).

    Raises:
        Problem: 403.
    """
    host = headers.get("Host", "")
    if not is_own_host(host, own_address[0], names):
        raise Problem(
            403, "The Host header names another machine; use http://127.0.0.1, http://localhost or its --host."
        )
    origin = headers.get("Origin")
    if origin is not None and origin.lower() not in (f"http://{host}".lower(), f"https://{host}".lower()):
        raise Problem(403, "Requests from pages of other sites are refused.")
    if headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        raise Problem(403, "Requests from pages of other sites are refused.")


def judged(request: Request, studio: Studio) -> Call:
    """The request as an operation is given it.

    Raises:
        Problem: it is not allowed or not well formed; the status says which.
        StudioError: it names what is not there, or its body breaks a rule.
    """
    operation = request.operation
    closed = operation.closed_by is not None and operation.closed_by in request.query
    anybody = operation.open and not closed
    visitor = ANYBODY if anybody else _visitor(request.headers, studio)
    if not anybody and visitor.role not in (OPERATORS if closed else operation.roles):
        raise Problem(403, f"A token of the role {visitor.role} may not do this.")
    # Here and nowhere else, so that no operation can forget whose name a write bears (decision 4).
    theirs = studio if anybody else studio.acting_as(visitor.name)
    query = _query(request)
    named = _named(request.named, visitor, theirs)
    match, only_new = _guard(request)
    data = _data(request) if operation.takes is not None else None
    arrow = operation.table is not None and wanted(request.headers.get("Accept", ""))
    return Call(theirs, visitor, named, query, request.body, match, only_new, data, arrow, _confirmed(request))


def is_known(operation: Operation, headers: HTTPHeaders, studio: Studio) -> bool:
    """Whether somebody sends the request who may, so that its body is worth keeping; what `judged` says of others needs none."""
    try:
        return operation.open or _visitor(headers, studio).role in operation.roles
    except (Problem, StudioError):
        return False


def _visitor(headers: HTTPHeaders, studio: Studio) -> Visitor:
    """Who sends the request."""
    given = headers.get_list("Authorization")
    bearer = _BEARER.fullmatch(given[0]) if len(given) == 1 else None
    visitor = studio.admit(bearer[1]) if bearer is not None else None
    if visitor is None:
        says = "This needs a token" if not given else "This token lets nobody in"
        raise Problem(
            401,
            f"{says}; send one as 'Authorization: Bearer TOKEN' ('studio token create' makes one).",
            WWW_Authenticate=CHALLENGE,
        )
    acting = headers.get("X-Studio-Operator")
    if not acting:
        return visitor
    if not visitor.local:
        raise Problem(
            403, "X-Studio-Operator is for programs of the system user who serves; a token says itself who acts."
        )
    return Visitor(visitor.role, unquote(acting, errors="surrogateescape"), local=True)


def _named(named: Mapping[str, str], visitor: Visitor, studio: Studio) -> Mapping[str, str]:
    """The parts of the path, with an agent by its id; an agent's token reaches its own agent and its own runs only."""
    if "run" in named and visitor.agent is not None:
        run = named["run"]
        if not storable(run) or studio.get_run(run)[0].agent != visitor.agent:
            raise UnknownRun(run)
    if "agent" not in named:
        return named
    try:
        agent = studio.get_agent(named["agent"]).id
    except (NotFound, AmbiguousAgent):
        if visitor.agent is None:
            raise
        agent = None
    if visitor.agent is not None and agent != visitor.agent:
        raise Problem(403, "An agent's token reaches its own agent only.")
    return {**named, "agent": str(agent)}


def _query(request: Request) -> Mapping[str, Any]:
    """The query as its schemas read it."""
    known = {one.name: one for one in request.operation.parameters}
    found: dict[str, Any] = {}
    for name, values in request.query.items():
        if name not in known:
            has = f"it takes {', '.join(known)}" if known else "it takes none"
            raise Problem(400, f"There is no query parameter {name[:QUOTE_CAP_CHARACTERS]!r} here; {has}.")
        parameter = known[name]
        if len(values) > (MANY_CAP if parameter.many else 1):
            raise Problem(400, f"{name} is given {len(values)} times.")
        try:
            read = tuple(parameter.read(value.decode("utf-8")) for value in values)
        except UnicodeDecodeError:
            raise Problem(400, f"{name} is not UTF-8.") from None
        found[name] = read if parameter.many else read[0]
    missing = [one.name for one in known.values() if one.required and one.name not in found]
    if missing:
        raise Problem(400, f"The query needs {', '.join(missing)}.")
    return found


def _guard(request: Request) -> tuple[str | None, bool]:
    """What a write says about what it replaces (decision 37)."""
    guarding = request.operation.guarding
    if guarding is Guarding.NONE:
        return None, False
    match = matched(request.headers.get("If-Match"))
    only_new = request.headers.get("If-None-Match", "").strip() == ANY
    if guarding is Guarding.MATCH_OR_NEW and only_new and match is None:
        return None, True
    if match is None:
        new = ", or If-None-Match: * where there is none yet" if guarding is Guarding.MATCH_OR_NEW else ""
        raise Problem(
            428,
            f"Say which text this replaces: give its ETag as If-Match{new}. If-Match: * writes over whatever is there.",
        )
    return match, False


def _confirmed(request: Request) -> tuple[str, ...]:
    """The questions that a request answers with yes (decision 39).

    Raises:
        Problem: a word answers none.
    """
    given = request.headers.get(CONFIRM) if request.operation.asks else None
    words = () if given is None else tuple(word.strip() for word in given.split(","))
    try:
        read_words(words)
    except UnknownQuestion as error:
        raise Problem(400, f"{CONFIRM}: {error.message}"[:QUOTE_CAP_CHARACTERS]) from None
    return words


def matched(header: str | None) -> str | None:
    """The one ETag of `If-Match` without its quotes, or `*`; None where there is none.

    A quoted star is an ETag like any other. It keeps its quotes here, so that it is neither the bare one nor the ETag of any text.

    Raises:
        Problem: it is neither.
    """
    if header is None or not header.strip():
        return None
    if header.strip() == ANY:
        return ANY
    found = _ETAG.fullmatch(header.strip())
    if found is None:
        raise Problem(400, 'If-Match takes one ETag in double quotes, as in "9f86d0…", or *.')
    return header.strip() if found[1] == ANY else found[1]


def _data(request: Request) -> Any:  # noqa: ANN401 - as its schema says
    """The JSON of the body, if its schema takes it."""
    kind = request.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind not in ("application/json", ""):
        raise Problem(415, "This takes a JSON body; say Content-Type: application/json.")
    try:
        given = json.loads(request.body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Problem(400, "The body is not JSON.") from None
    schema = request.operation.takes or {}
    worst = best_match(Draft202012Validator(schema).iter_errors(given))
    if worst is not None:
        where = "".join(f"{part}: " for part in worst.absolute_path)
        raise BadArgument(f"{where}{worst.message}"[:QUOTE_CAP_CHARACTERS])
    return given


def _no_constant(name: str) -> None:
    """`NaN` and `Infinity` are Python's, not JSON's."""
    raise ValueError(name)
