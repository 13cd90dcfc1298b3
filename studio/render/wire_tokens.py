"""The JSON shape of a token, the same at every door."""

from studio.domain.archive import iso_z
from studio.domain.records import Record
from studio.domain.tokens import Token


def token_record(token: Token) -> Record:
    """`{name, role, agent, created_at}`, never its secret; `agent` is an id, or null where the role is no agent's."""
    return {
        "name": token.name,
        "role": str(token.role),
        "agent": token.agent,
        "created_at": iso_z(token.created_at),
    }
