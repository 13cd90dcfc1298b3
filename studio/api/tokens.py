"""Tokens: make, list and revoke them while the store is served."""

from dataclasses import replace

from studio.api import schemas
from studio.api.listing import answer_whole
from studio.api.operations import OPERATORS, Answer, Call, Operation, Route, answer
from studio.api.tables import Table
from studio.domain.tokens import Role
from studio.render.wire_tokens import token_record

TOKENS = Table("tokens", schemas.TOKEN)


def list_tokens(call: Call) -> Answer:
    """List the tokens by name, without their secrets."""
    return answer_whole(call, TOKENS, call.studio.tokens.list(), token_record)


def make_token(call: Call) -> Answer:
    """Make a token; its secret is in this answer and nowhere else."""
    token, secret = call.studio.tokens.create(call.data["name"], Role(call.data["role"]), agent=call.data.get("agent"))
    return replace(answer(token_record(token) | {"token": secret}, status=201), secret=True)


def revoke_token(call: Call) -> Answer:
    """Let nobody in by a token any more."""
    call.studio.tokens.revoke(call.named["token"])
    return Answer(status=204)


ROUTES = (
    Route(
        "/api/tokens",
        {
            "GET": Operation(list_tokens, OPERATORS, table=TOKENS),
            "POST": Operation(make_token, OPERATORS, takes=schemas.MAKE_TOKEN, answers=schemas.TOKEN_MADE, status=201),
        },
    ),
    Route("/api/tokens/{token}", {"DELETE": Operation(revoke_token, OPERATORS, status=204)}),
)
