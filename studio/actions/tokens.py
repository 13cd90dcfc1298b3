"""Make, list and revoke tokens, and tell who comes with one."""

import hmac

from studio.actions.context import Context, find_agent
from studio.domain.agents import check_name
from studio.domain.tokens import Role, Token, Visitor, hash_of
from studio.errors import BadArgument, TokenTaken, UnknownToken
from studio.sources.ids import random_secret
from studio.store import tokens

PREFIX = "studio_"
"""How every token begins, so that people and secret scanners know one when they see it."""


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
