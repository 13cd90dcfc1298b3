"""A check finds nothing in what the program itself did: the demo, imports, and a store after many actions (decision 38)."""

import random
from pathlib import Path

from builders import Clock, blank_store, context_of, history, history_row, publish, wake
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studio.actions.imports import import_history
from studio.actions.studio import Studio
from studio.domain.authors import Author, AuthorKind, operator
from studio.domain.run_kinds import RunKind
from studio.domain.runs import RunStatus
from studio.domain.settings import AgentSettings
from studio.domain.stand_ins import StandIn, StandInKind
from studio.errors import StudioError

TEXTS = ("", "a\n", "a\nb\n", "a\r\nb\r\n", "\ufeffa\n", "a", "b\nb\nb\n", "😀\n", "# Title\n" * 30)


def breaks(studio: Studio) -> list[str]:
    checked = studio.verify(note_heads=True).checked
    assert checked is not None
    again = studio.verify(quick=True, heads=checked.heads).checked
    assert again is not None
    assert (again.noted, again.pruned) == (len(checked.heads), 0)
    return [str(one) for one in (*checked.findings, *again.findings)]


def test_the_demo_is_sound() -> None:
    with blank_store() as studio:
        studio.load_demo()
        assert breaks(studio) == []


def test_imported_histories_are_sound(shared: Path) -> None:
    with blank_store() as studio:
        for file in sorted((shared / "histories").glob("*.jsonl")):
            studio.import_history_file(file, file.stem)
        assert studio.count_agents() > 5
        assert breaks(studio) == []


def act(studio: Studio, clock: Clock, chance: random.Random) -> None:
    """One action of many kinds on one of three agents."""
    agent, text = chance.choice(["one", "two", "three"]), chance.choice(TEXTS)
    match chance.randrange(14):
        case 0 | 1 | 2:
            studio.save_memory(agent, text, force=True, operator=chance.choice(["Ana", "Ben"]))
        case 3 | 4:
            run = wake(studio, agent, chance.choice(list(RunKind)))
            studio.memory_write(agent, text, run=run, call="c_1")
            studio.finish_run(run, RunStatus.COMPLETED)
        case 5:
            studio.memory_write(agent, text)
        case 6:
            studio.restore_memory(agent, chance.randrange(1, 30))
        case 7 | 8:
            publish(studio, agent, text)
        case 9:
            studio.restore_task(agent, chance.randrange(1, 20))
        case 10:
            studio.draft_task(agent, text)
        case 11:
            path = studio.notes.path(f"n{chance.randrange(3)}.md", agent=agent)
            studio.notes.write(path, text)
        case 12:
            studio.configure_agent(agent, AgentSettings(retention=chance.choice((1, 3, 50))))
        case _:
            clock.tick(chance.randrange(-90, 90))


@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_a_store_is_sound_after_two_hundred_actions(seed: int) -> None:
    clock, chance = Clock(), random.Random(seed)
    with blank_store(clock) as studio:
        for name in ("one", "two", "three"):
            studio.create_agent(name, focus="Watch.")
        for _ in range(200):
            try:
                act(studio, clock, chance)
            except StudioError:  # a version that is not kept, and so on: nothing changed
                continue
        assert breaks(studio) == []


def test_an_import_that_is_named_anew_continued_and_pruned_is_sound() -> None:
    """Decisions 16, 38 and 41: every status, two re-namings, rows after them, and a Save on top."""
    rows = [
        history_row(1, "first\n", author=operator("Cleo")),
        history_row(2, b"\xff\x00bytes\n"),
        history_row(3, "other.md", stand_in=StandIn(StandInKind.LINK, "other.md")),
        history_row(4, "back\nagain\n"),
        history_row(5, None),
        history_row(6, None),
        history_row(7, "once more\n", author=operator("release bot")),
        history_row(8, "and more\n"),
        history_row(9, "and more\nyet\n"),
    ]
    bot = history_row(7, "once more\n", author=Author(AuthorKind.AGENT, "release bot", None, "rule: *bot*"))
    with blank_store() as studio:
        context = context_of(studio)
        import_history(context, "brought", history(rows[:7]))
        for kept, rule in (
            (rows[:7], ("x",)),
            ([*rows[:6], bot], ("*bot*",)),
            ([*rows[:6], bot, *rows[7:]], ("*bot*",)),
        ):
            import_history(context, "brought", history(kept, rule=rule))
            assert breaks(studio) == []
        seventh = studio.list_memory_versions("brought")[2]
        assert str(seventh.author) == "agent release bot"
        assert seventh.author.evidence == "recorded as operator release bot; rule: *bot*"
        assert seventh.recorded == operator("release bot")
        import_history(context, "brought", history(rows))
        assert studio.list_memory_versions("brought")[2].author == operator("release bot")
        studio.configure_agent("brought", AgentSettings(retention=2))
        studio.save_memory("brought", "by hand\n", force=True)
        assert breaks(studio) == []
        studio.restore_memory("brought", 8)
        assert breaks(studio) == []
