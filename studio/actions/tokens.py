"""Make, list and revoke tokens, and tell who comes with one."""

import hmac
from dataclasses import replace

from studio.actions.context import Context, find_agent
from studio.domain.agents import check_name
from studio.domain.tokens import Role, Ticket, Token, Visitor, hash_of
from studio.errors import BadArgument, SignedOut, TokenTaken, UnknownToken
from studio.sources.ids import random_secret
from studio.store import tokens
from studio.store.transactions import Cursor
from studio.store.visiting import VisitedDatabase

PREFIX = "studio_"
"""How every token begins, so that people and secret scanners know one when they see it."""
MARK_CHARACTERS = 32
"""How much of a hash of the stored hash a ticket carries; it says which token it was, and opens nothing."""


def create_token(context: Context, name: str, role: Role, agent: str | None = None) -> tuple[Token, str]:
    """Make a token. Its secret is given once, here; only the sha256 is stored.

    Args:
        context: the open store.
        name: one line that no other token has; an operator's token writes under it.
        role: what its holder may do.
        agent: id or unique name of the agent it acts as; for `Role.AGENT` and no other.

    Raises:
        BadName: the name is not one plain line.
        BadArgument: an agent's token names no agent, or another one does.
        UnknownAgent: there is no such agent.
        TokenTaken: a token has this name.
    """
    clean = check_name(name, "A token")
    if (agent is None) == (role is Role.AGENT):
        needs = "needs the agent it acts as" if agent is None else f"of the role {role} acts as no agent"
        raise BadArgument(f"A token {needs}; give an agent with the role {Role.AGENT} only.")
    secret = PREFIX + random_secret()
    with context.database.tx() as cursor:
        if any(one.name == clean for one, _ in tokens.all_with_hashes(cursor)):
            raise TokenTaken(clean)
        own = None if agent is None else find_agent(cursor, agent).id
        made = Token(clean, role, own, context.clock())
        tokens.insert(cursor, made, hash_of(secret))
    return made, secret


def list_tokens(context: Context) -> tuple[Token, ...]:
    """All tokens by name, without their secrets, which nobody has kept."""
    with context.database.read() as cursor:
        return tuple(token for token, _ in tokens.all_with_hashes(cursor))


def revoke_token(context: Context, name: str) -> None:
    """Let nobody in by a token any more.

    Raises:
        UnknownToken: there is none of this name.
    """
    with context.database.tx() as cursor:
        known = [token.name for token, _ in tokens.all_with_hashes(cursor)]
        if name not in known:
            raise UnknownToken(name, known)
        tokens.delete(cursor, name)


def admit(context: Context, local_secret: str | None, bearer: str) -> Visitor | None:
    """Who comes with a secret; None where it lets nobody in.

    Hashes are compared, each in constant time, so that how long an answer takes says nothing about a secret.

    Args:
        context: the open store.
        local_secret: the secret beside the lock file, while this process serves the store.
        bearer: what the request came with.
    """
    given = hash_of(bearer)
    if local_secret is not None and hmac.compare_digest(given, hash_of(local_secret)):
        return Visitor(Role.OPERATOR, context.operator, local=True)
    with context.database.read() as cursor:
        kept = tokens.all_with_hashes(cursor)
    found = [token for token, sha256 in kept if hmac.compare_digest(given, sha256)]
    return Visitor(found[0].role, found[0].name, found[0].agent) if found else None


def ticket_of(context: Context, bearer: str) -> Ticket | None:
    """What stands for a token in the cookie of somebody who signs in to the app; None where it lets nobody in there.

    An agent's token is for its runtime and opens no page.
    """
    given = hash_of(bearer)
    with context.database.read() as cursor:
        kept = tokens.all_with_hashes(cursor)
    found = [one for one in kept if hmac.compare_digest(given, one[1]) and one[0].role is not Role.AGENT]
    return _ticket(*found[0]) if found else None


def holder_of(cursor: Cursor, ticket: Ticket) -> Token | None:
    """The token that a ticket stands for, as long as it is there; another one of the same name is another token."""
    kept = tokens.all_with_hashes(cursor)
    return next((token for token, sha256 in kept if _ticket(token, sha256) == ticket), None)


def _ticket(token: Token, sha256: str) -> Ticket:
    return Ticket(token.name, hash_of(sha256)[:MARK_CHARACTERS])


def visited(context: Context, ticket: Ticket) -> Context:
    """The open store as the holder of a token sees it.

    Writes bear the token's name, a viewer writes nothing, and once the token is revoked nothing is answered any more.

    Raises:
        SignedOut: the token is not there any more.
    """
    with context.database.read() as cursor:
        token = holder_of(cursor, ticket)
    if token is None:
        raise SignedOut(ticket.name)
    database = VisitedDatabase(
        context.database,
        token.name,
        lambda cursor: holder_of(cursor, ticket) is not None,
        may_write=token.role is Role.OPERATOR,
    )
    return replace(context, operator=token.name, database=database)
