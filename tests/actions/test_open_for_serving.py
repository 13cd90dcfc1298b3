"""Which store is served: the one named, one's own, or the demo where nobody has one yet."""

from pathlib import Path

import pytest

from studio.actions.open import open_for_serving, open_studio
from studio.actions.studio import Studio


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A user without any data of ours."""
    return {"XDG_DATA_HOME": str(tmp_path), "STUDIO_OPERATOR": "Ana"}


def files(environment: dict[str, str]) -> list[str]:
    folder = Path(environment["XDG_DATA_HOME"]) / "prompt-studio"
    return sorted(file.name for file in folder.iterdir() if file.suffix != ".lock")


def test_without_a_store_the_demo_is_made_once_and_kept(environment: dict[str, str]) -> None:
    made: list[str] = []
    for _ in range(2):
        opened = open_for_serving(environment=environment, on_making_demo=lambda: made.append("made"))
        with opened.studio as studio:
            assert opened.demo
            assert studio.count_agents() > 1
            studio.create_agent("mine")
    assert made == ["made"]
    assert files(environment) == ["demo-directories", "demo.duckdb", "demo.duckdb.noted"]
    with open_studio(Path(environment["XDG_DATA_HOME"]) / "prompt-studio" / "demo.duckdb") as studio:
        assert studio.count_agents("mine") == 2


def test_a_demo_that_could_not_be_finished_leaves_nothing(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Studio, "load_demo", interrupted)
    with pytest.raises(KeyboardInterrupt):
        open_for_serving(environment=environment)
    assert files(environment) == []


def test_ones_own_store_is_served_from_its_first_agent_on(environment: dict[str, str]) -> None:
    with open_studio(environment=environment) as own:
        own.create_agent("mine")
    opened = open_for_serving(environment=environment)
    with opened.studio as studio:
        assert not opened.demo
        assert studio.count_agents() == 1
    assert files(environment) == ["studio.duckdb", "studio.duckdb.noted"]


def test_an_empty_store_of_ones_own_is_no_store_yet(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_studio(environment=environment).close()  # as listing agents does
    monkeypatch.setattr(Studio, "load_demo", lambda *_: None)
    opened = open_for_serving(environment=environment)
    opened.studio.close()
    assert opened.demo


@pytest.mark.parametrize("by", ["argument", "STUDIO_DB"])
def test_a_named_store_starts_empty_and_is_never_the_demo(environment: dict[str, str], by: str, tmp_path: Path) -> None:
    named = tmp_path / "team.duckdb"
    changed = environment if by == "argument" else {**environment, "STUDIO_DB": str(named)}
    opened = open_for_serving(named if by == "argument" else None, environment=changed)
    with opened.studio as studio:
        assert (opened.demo, studio.count_agents(), studio.path) == (False, 0, str(named))
