"""Rows of bindings and logins."""

import json

from studio.domain.agents import Agent
from studio.domain.bindings import INSTANCE_ID, Scope, Setting
from studio.domain.prices import Coin, Login
from studio.store.database import Cursor

ABOVE = (
    "SELECT scope, name, turned_on, login FROM bindings WHERE (scope = 'instance' AND scope_id = ?)"
    " OR (scope = 'org' AND scope_id = ?) OR (scope = 'guild' AND scope_id = ?) OR (scope = 'agent' AND scope_id = ?)"
)


def of_agent(cursor: Cursor, agent: Agent) -> tuple[Setting, ...]:
    """All that the agent's instance, organisation, guild and the agent itself say."""
    rows = cursor.execute(ABOVE, [INSTANCE_ID, agent.org, agent.guild or "", agent.id]).fetchall()
    return tuple(Setting(Scope(scope), name, turned_on, login) for scope, name, turned_on, login in rows)


SET = "INSERT OR REPLACE INTO bindings VALUES (?, ?, ?, ?, ?)"
UNSET = "DELETE FROM bindings WHERE scope = ? AND scope_id = ? AND name = ?"


def put(cursor: Cursor, scope_id: str, setting: Setting) -> None:
    """Store what a scope says of one binding; a setting that says nothing removes what it said."""
    key = [str(setting.scope), scope_id, setting.name]
    if setting.turned_on is None and setting.login is None:
        cursor.execute(UNSET, key)
    else:
        cursor.execute(SET, [*key, setting.turned_on, setting.login])


LOGINS = "SELECT name, kind, base_url, secret_name, pinned_prices FROM logins ORDER BY name"


def logins(cursor: Cursor) -> dict[str, Login]:
    """All logins by name."""
    found = {}
    for name, kind, base_url, secret_name, pinned in cursor.execute(LOGINS).fetchall():
        found[name] = Login(name, kind, base_url, secret_name, tuple(Coin(*coin) for coin in json.loads(pinned)))
    return found


PUT_LOGIN = "INSERT OR REPLACE INTO logins VALUES (?, ?, ?, ?, ?)"


def put_login(cursor: Cursor, login: Login) -> None:
    """Store a login over the one of its name."""
    pinned = json.dumps([[coin.id, coin.symbol, coin.name] for coin in login.pinned], ensure_ascii=False)
    cursor.execute(PUT_LOGIN, [login.name, login.kind, login.base_url, login.secret_name, pinned])
