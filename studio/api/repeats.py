"""Requests that may be sent again: an `Idempotency-Key` names one, and it is carried out at most once, across a restart too."""

import json
import re
from dataclasses import replace
from hashlib import sha256

from studio.api.judging import CONFIRM, Request
from studio.api.operations import Answer, Call
from studio.api.problems import Problem
from studio.errors import SecretShown

HEADER = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
"""The header of an answer that was given before."""
KEY_PATTERN = "^[\\x21-\\x7e]{1,200}$"
"""What a key may be."""


def carry_out(request: Request, call: Call) -> Answer:
    """Do what is asked, or give the answer that the same request had before.

    Raises:
        Problem: the key is none.
        KeyReused: the key stands for another request.
        NotAnswered: the request was begun and is not answered.
        SecretShown: the answer held a secret, which is not told twice.
        StudioError: what the operation raises.
    """
    operation = request.operation
    given = request.headers.get_list(HEADER)
    if not given or not operation.takes_key(request.method):
        return operation.act(call)
    if len(given) > 1 or re.fullmatch(KEY_PATTERN, given[0]) is None:
        raise Problem(400, f"{HEADER} takes one key of 1 to 200 visible ASCII characters.")
    made: list[tuple[Answer, bytes]] = []

    def act() -> bytes:
        done = operation.act(call)
        made.append((done, _kept(done)))
        return made[-1][1]

    stored = call.studio.once(given[0], _who(call), _fingerprint(request), act, long=operation.long)
    if made and made[-1][1] is stored:
        return made[-1][0]
    return _replayed(stored, given[0])


def _who(call: Call) -> str:
    """Whose key it is."""
    visitor = call.visitor
    return f"{'local' if visitor.local else visitor.role} {visitor.name!a}"  # a name that is none is refused where it would be written


def _fingerprint(request: Request) -> str:
    """What a repeat has in common with the first request: all that says what is done."""
    said = [request.method, request.uri]
    said += [request.headers.get(name, "") for name in ("If-Match", "If-None-Match", "Content-Type", CONFIRM)]
    return sha256("\n".join(said).encode("utf-8", "surrogateescape") + b"\n" + request.body).hexdigest()


def _kept(answer: Answer) -> bytes:
    """An answer as it is stored; of one that holds a secret only that it was given."""
    if answer.secret:
        return b"{}"
    record = {
        "status": answer.status,
        "type": answer.content_type,
        "etag": answer.etag,
        "headers": dict(answer.headers),
        "body": answer.body.decode("utf-8"),
    }
    return json.dumps(record).encode()


def _replayed(stored: bytes, key: str) -> Answer:
    """A stored answer as it is given again."""
    record = json.loads(stored)
    if not record:
        raise SecretShown(key)
    first = Answer(record["body"].encode("utf-8"), record["type"], record["status"], record["etag"], record["headers"])
    return replace(first, headers={**first.headers, REPLAYED: "true"})
