"""How a served store is named and joined: which templates are asked for, and what a sentence never repeats of a URL."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from builders import Clock
from served_stores import Door, at_home, open_door

from studio import open_studio
from studio.actions.backups import restore_backup
from studio.actions.naming import is_url, server_of
from studio.actions.open import own_studio
from studio.actions.studio import Studio
from studio.domain.tokens import Role
from studio.errors import BadArgument, NotAdmitted, OtherTemplates, OwnerGone, StudioError

ELSEWHERE = "/templates/of/ours"


@pytest.fixture(scope="module")
def door() -> Iterator[Door]:
    with open_door() as one:
        yield one


@pytest.fixture
def owner(door: Door, tmp_path: Path) -> Iterator[Studio]:
    with at_home(tmp_path, Clock()) as one, door.serving(one):
        one.create_agent("scout")
        yield one


def token(owner: Studio, role: Role) -> str:
    return owner.tokens.create(role, role, agent="scout" if role is Role.AGENT else None)[1]


# --- templates ---


@pytest.mark.parametrize("role", Role)
def test_the_templates_of_ones_own_stores_keep_nobody_out(door: Door, owner: Studio, role: Role) -> None:
    """STUDIO_PROMPTS is a preference; where the owner's templates lie is for operators to see."""
    environment = {"STUDIO_PROMPTS": ELSEWHERE}
    with open_studio(door.url, token=token(owner, role), environment=environment) as studio:
        assert studio.get_agent("scout").name == "scout"


def test_nor_from_a_store_that_is_served_on_this_machine(owner: Studio) -> None:
    with open_studio(owner.path, environment={"STUDIO_PROMPTS": ELSEWHERE}) as studio:
        assert studio.prompts_folder == owner.prompts_folder


@pytest.mark.parametrize("role", Role)
def test_templates_that_are_asked_for_are_those_or_a_refusal(door: Door, owner: Studio, role: Role) -> None:
    with pytest.raises(OtherTemplates, match="leave them out"):
        open_studio(door.url, token=token(owner, role), prompts=ELSEWHERE, environment={})


def test_the_owners_own_may_be_asked_for(door: Door, owner: Studio) -> None:
    ben = token(owner, Role.OPERATOR)
    with open_studio(door.url, token=ben, prompts=owner.prompts_folder, environment={}) as studio:
        assert studio.prompts_folder == owner.prompts_folder


# --- what a URL may hold ---


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://127.0.0.1:5006", "http://127.0.0.1:5006"),
        (" HTTPS://Studio.example/team/ ", "HTTPS://Studio.example/team/"),
        ("http://[::1]:5006/", "http://[::1]:5006/"),
        ("http://ana:SECRET@studio.example/", "http://studio.example/"),
        ("http://SECRET@[::1]:1", "http://[::1]:1"),
        ("http://a@b:SECRET@studio.example:1", "http://studio.example:1"),
        ("https://studio.example/?token=SECRET", "https://studio.example/"),
        ("https://studio.example?token=SECRET#SECRET", "https://studio.example"),
        ("https://studio.example/#SECRET@x", "https://studio.example/"),
        ("http://ana:SECRET\n@studio.example", "http://studio.example"),
    ],
)
def test_a_url_is_named_by_its_server(url: str, shown: str) -> None:
    assert is_url(url)
    assert server_of(url) == shown


@pytest.mark.parametrize(
    "url",
    [
        "http://ana:SE/CRET@host/",
        "http://ana:SE?CRET@host/",
        "http://ana:SE#CRET@host/",
        "http://[SECRET",
        "http://x:SECRET",
    ],
)
def test_what_is_no_url_is_not_repeated(url: str) -> None:
    """A password that was not percent-encoded looks like a host, a port or a path."""
    for opening in (open_studio, own_studio):
        with pytest.raises(BadArgument, match="it looks like http://127") as told:
            opening(url, environment={})
        assert "SE" not in str(told.value)


def test_no_sentence_repeats_what_a_url_held(door: Door, owner: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.actions.reaching.FIRST_PATIENCE_SECONDS", 0)
    secret = f"http://ana:SECRET@{door.url.removeprefix('http://')}?token=SECRET"
    ben = token(owner, Role.OPERATOR)

    def closed() -> None:
        studio = open_studio(secret, token=ben, environment={})
        studio.close()
        studio.now()

    failing: dict[str, tuple[Callable[[], object], type[StudioError]]] = {
        "no token": (lambda: open_studio(secret, environment={}), NotAdmitted),
        "another operator": (lambda: open_studio(secret, token=ben, operator="Ana", environment={}), BadArgument),
        "nobody there": (lambda: open_studio("http://ana:SECRET@127.0.0.1:1", environment={}), OwnerGone),
        "closed": (closed, StudioError),
        "to be owned": (lambda: own_studio(secret, environment={}), BadArgument),
        "to be restored": (lambda: restore_backup(Path("x.duckdb"), secret, environment={}), BadArgument),
    }
    for name, (fails, error) in failing.items():
        with pytest.raises(error) as told:
            fails()
        assert "SECRET" not in str(told.value), name
    with open_studio(secret, token=ben, environment={}) as studio:
        assert studio.get_agent("scout").name == "scout"
        assert "SECRET" not in f"{studio!r} {vars(studio)!r}"
