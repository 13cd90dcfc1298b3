"""State is one JSON object; a key whose source is not set is absent (decision 22)."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from studio.domain import state
from studio.domain.agents import Guild
from studio.domain.paths import GuildId, OrgId
from studio.domain.state import Member, StateInputs

NOW = datetime(2026, 9, 13, 23, 59, 59, 999_999, tzinfo=UTC)


def guild(about: str | None = None, description: str | None = None) -> Guild:
    return Guild(GuildId("g_1"), OrgId("o_1"), "Desk", about=about, description=description)


WHOLE = """\
{
  "utc_now": "2026-09-13T23:59:59Z",
  "utc_date": "2026-09-13",
  "max_tool_calls": 40,
  "guild": {
    "about": "Die Büros ✓",
    "description": "one\\ntwo"
  },
  "members": [
    {
      "name": "researcher",
      "focus": "reads"
    },
    {
      "name": "scribe"
    }
  ],
  "operators": [
    "Ana",
    "Ben"
  ]
}"""


def test_the_whole_snapshot_in_order() -> None:
    inputs = StateInputs(
        now=NOW,
        max_tool_calls=40,
        guild=guild("Die Büros ✓", "one\ntwo"),
        members=(Member("researcher", "reads"), Member("scribe")),
        operators=("Ana", "Ben"),
    )
    assert state.json_text(inputs) == WHOLE


CLOCK = {"utc_now": "2026-09-13T23:59:59Z", "utc_date": "2026-09-13", "max_tool_calls": 5}


@pytest.mark.parametrize(
    ("inputs", "more"),
    [
        pytest.param(StateInputs(NOW, 5), {}, id="state-01: both from one clock reading, in seconds"),
        pytest.param(
            StateInputs(NOW.astimezone(timezone(timedelta(hours=9))), 5), {}, id="state-01: the date is that of UTC"
        ),
        pytest.param(StateInputs(NOW, 5, guild=guild()), {}, id="state-03: neither about nor description"),
        pytest.param(StateInputs(NOW, 5, guild=guild("A")), {"guild": {"about": "A"}}, id="state-04: about only"),
        pytest.param(StateInputs(NOW, 5, guild=guild("", "D")), {"guild": {"description": "D"}}, id="empty is not set"),
        pytest.param(
            StateInputs(NOW, 5, operators=("Ana", "Ben")), {"operators": ["Ana", "Ben"]}, id="state-06: two operators"
        ),
        pytest.param(
            StateInputs(NOW, 5, operators=(), members=()), {"members": [], "operators": []}, id="set but empty"
        ),
    ],
)
def test_snapshot(inputs: StateInputs, more: dict[str, object]) -> None:
    assert state.snapshot(inputs) == CLOCK | more


def test_the_intro_says_that_it_replaces_the_first_look_ups() -> None:
    intro, json_text = state.content("{}").split("\n\n")
    for tool in ("note_find", "record_list", "script_list"):
        assert tool in intro
    assert "when this run was created" in intro
    assert json_text == "{}"
