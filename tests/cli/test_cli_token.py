"""`studio token`: make, list, revoke."""

import pytest
from cli_shell import Shell


def test_a_token_is_shown_once(shell: Shell) -> None:
    made = shell.done("token", "create", "Ben", "--role", "operator").text
    assert made.startswith("studio_")
    assert len(made.strip()) > 40
    assert made.strip() not in shell.done("token", "list").text + shell.done("token", "list", "--json").text
    assert made.strip().encode() not in shell.store.read_bytes()


def test_tokens_are_listed_and_revoked(shell: Shell) -> None:
    agent = shell.done("agents", "show", "scout", "--json").json["id"]
    made = shell.done("token", "create", "runtime", "--role", "agent", "--agent", "scout", "--json").json
    assert {key: made[key] for key in ("name", "role", "agent")} == {"name": "runtime", "role": "agent", "agent": agent}
    shell.done("token", "create", "wall", "--role", "viewer")
    assert [one["name"] for one in shell.done("token", "list", "--json").json] == ["runtime", "wall"]
    assert shell.done("token", "revoke", "wall").text == "Revoked wall.\n"
    assert [one["name"] for one in shell.done("token", "list", "--json").json] == ["runtime"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("create", "x", "--role", "agent"), 2, "'--agent'"),
        (("create", "x", "--role", "viewer", "--agent", "scout"), 2, "'--agent'"),
        (("create", "x", "--role", "king"), 2, "'--role'"),
        (("create", "x", "--role", "agent", "--agent", "nobody"), 3, "There is no agent 'nobody'"),
        (("create", "two\nlines", "--role", "viewer"), 3, "line break"),
        (("create", "taken", "--role", "viewer"), 3, "There is already a token 'taken'"),
        (("revoke", "nobody"), 3, "There is no token 'nobody'; there are taken."),
    ],
)
def test_what_cannot_be_is_one_sentence(shell: Shell, words: tuple[str, ...], code: int, says: str) -> None:
    shell.done("token", "create", "taken", "--role", "viewer")
    refused = shell("token", *words)
    assert (refused.code, refused.out) == (code, b"")
    assert says in refused.err
    assert refused.err.count("\n") == 1
    assert len(shell.done("token", "list", "--json").json) == 1
