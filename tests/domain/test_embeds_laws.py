"""Laws of expanding and composing that hold whatever the texts and links are."""

import re
from dataclasses import replace
from datetime import UTC, datetime

from embed_builders import LEADS, NOTES, known, link
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.domain.agents import Agent
from studio.domain.bodies import Body
from studio.domain.compose import Prompt, PromptInputs, SourceText, compose
from studio.domain.embeds import (
    EMBED_BUDGET_BYTES,
    HOPS,
    CollectionTarget,
    EmbedState,
    EmbedTarget,
    NoteTarget,
    embedded_notes,
    expand,
    references,
)
from studio.domain.embeds_wrapper import element_name
from studio.domain.paths import AgentId, OrgId
from studio.domain.places import Level
from studio.domain.run_kinds import RunKind
from studio.domain.sections import SectionName
from studio.domain.state import StateInputs

FILES = ["a.md", "b.md", "memory.md", "Task.md", "x y.md", '"<task>".md', "価格.md", "|#^.md"]
PIECES = [
    *(link(file) for file in FILES),
    *(f"</{name}>" for name in ["memory", "Task", "STATE", "guidelines", "a", "note-memory", "x-y", "価格"]),
    *("<task", "< memory>", "</", "<", "/", ">", "memory", "task", " ", "\n", "`", "```\n", "&lt;", "é", "👩‍🔬", "\r\n"),
    *(link("gone.md"), f"![[{LEADS}]]", "![[recipe:x]]", "![[", "]]", "{{x}}", "$&", "%s", "x" * 30_000),
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
NAMES = st.sampled_from(["memory", "</state>", "</", "<", "a\nb", link("a.md"), "leads"])


@st.composite
def shelves(draw: st.DrawFn) -> dict[str, EmbedTarget]:
    """Notes that embed each other at will, some of them missing, and a collection."""
    files = draw(st.lists(st.sampled_from(FILES), unique=True))
    notes = [NoteTarget(NOTES + file, draw(st.sampled_from(Level)), draw(NAMES), draw(TEXTS)) for file in files]
    return known(*notes, CollectionTarget(LEADS, draw(NAMES)))


@given(task=TEXTS, targets=shelves())
def test_the_ledger_adds_up(task: str, targets: dict[str, EmbedTarget]) -> None:
    """It ends for any graph; the budget holds; each body stands once; every entry points at its link."""
    expansion = expand(task, targets)
    inlined = [entry.path for entry in expansion.ledger if entry.state is EmbedState.INLINED]

    assert expansion == expand(task, targets)
    assert expansion.bytes == sum(entry.bytes for entry in expansion.ledger) <= EMBED_BUDGET_BYTES
    assert len(inlined) == len(set(inlined))
    assert [path for path, _ in expansion.notes] == inlined
    assert set(inlined) <= set(embedded_notes(task, targets)) <= targets.keys()
    for entry in expansion.ledger:
        holder = targets[entry.within] if entry.within else None
        text = holder.body if isinstance(holder, NoteTarget) else task
        assert text[entry.start : entry.end].removeprefix("![[").removesuffix("]]").strip() == entry.written
        assert entry.hop <= HOPS + 1
        assert (entry.reason == "") == (entry.state is EmbedState.INLINED)


@given(task=TEXTS, targets=shelves())
def test_a_target_that_no_reference_leads_to_is_not_needed(task: str, targets: dict[str, EmbedTarget]) -> None:
    """What a caller fetches, one step after another, is enough."""
    fetched: dict[str, EmbedTarget] = {path: targets[path] for path in references(task) if path in targets}
    for target in list(fetched.values()):
        if isinstance(target, NoteTarget):
            fetched |= {path: targets[path] for path in references(target.body) if path in targets}
    assert expand(task, fetched) == expand(task, targets)


@given(task=TEXTS, targets=shelves())
def test_nothing_is_lost(task: str, targets: dict[str, EmbedTarget]) -> None:
    """Without the elements, titles and names that were put in, and the tags made harmless, the Task is as it was."""
    expansion = expand(task, targets)
    top = [entry for entry in expansion.ledger if entry.within is None]
    changed = [entry for entry in top if entry.path and entry.state is not EmbedState.OVER_BUDGET]
    places = {place.start for place in expansion.neutralised if place.source == "Task"}
    kept = [
        "&lt;" if position in places else character
        for position, character in enumerate(task)
        if not any(entry.start <= position < entry.end for entry in changed)
    ]
    assert is_subsequence("".join(kept), expansion.text)
    if not changed:
        assert "".join(kept) == expansion.text


def is_subsequence(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(character in rest for character in part)


def inputs(task: str, memory: str, targets: dict[str, EmbedTarget]) -> PromptInputs:
    now = datetime(2026, 9, 13, 9, 0, 12, tzinfo=UTC)
    return PromptInputs(
        agent=Agent(AgentId("a_01"), OrgId("o_1"), "researcher", now),
        template="Be kind. ![[org/o_1/notes/a.md]]",
        task=SourceText(3, Body(task)),
        memory=SourceText(7, Body(memory)),
        state=StateInputs(now, 40),
        kind=RunKind.DIRECT,
        memory_write=True,
        embeds=targets,
    )


def tags(text: str) -> list[str]:
    """The tags of our sections as an outsider reads them."""
    return re.findall(r"<\s*/?\s*(?:guidelines|task|state|memory)(?=[\s/>]|$)", text, re.IGNORECASE)


def section(prompt: Prompt, name: SectionName) -> str:
    return next(prompt.text[one.start : one.end] for one in prompt.sections if one.name is name)


@settings(max_examples=200)
@given(task=TEXTS, memory=TEXTS, targets=shelves())
def test_whatever_the_bodies_hold_each_section_stands_once_in_order(
    task: str, memory: str, targets: dict[str, EmbedTarget]
) -> None:
    """And every stored text is unchanged, and composing twice is the same."""
    given_inputs = inputs(task, memory, targets)
    before = repr(given_inputs)
    prompt = compose(given_inputs)

    assert tags(prompt.text) == [tag for name in SectionName for tag in (f"<{name}", f"</{name}")]
    assert compose(given_inputs) == prompt
    assert repr(given_inputs) == before
    assert prompt.made_of.notes == tuple(
        (entry.path, Body(body_of(targets, entry.path)).sha256)
        for entry in prompt.embeds
        if entry.state is EmbedState.INLINED
    )


def body_of(targets: dict[str, EmbedTarget], path: str | None) -> str:
    target = targets[path or ""]
    assert isinstance(target, NoteTarget)
    return target.body


@given(task=TEXTS, targets=shelves())
def test_an_element_ends_where_it_was_opened(task: str, targets: dict[str, EmbedTarget]) -> None:
    """Whatever a body holds, the elements of the notes nest as the ledger says."""
    opened: list[str] = []
    seen: list[str] = []
    text = expand(task, targets).text
    names = "|".join(re.escape(element_name(file)) for file in FILES)
    for found in re.finditer(rf'<(?:(?P<open>{names}) path="[^"]*" level="\w+">\n|/(?P<close>{names})>)', text):
        if found["open"]:
            opened.append(found["open"])
            seen.append(found["open"])
        elif found["close"] in opened:
            assert opened.pop() == found["close"]
    assert opened == []
    assert len(seen) <= len(FILES)


def test_embed_31_and_system_message_04_only_the_task_embeds() -> None:
    a = NoteTarget(f"{NOTES}a.md", Level.ORG, "A", "body")
    prompt = compose(inputs("Nothing here.", link("a.md"), {a.path: a}))
    assert link("a.md") in section(prompt, SectionName.GUIDELINES)
    assert link("a.md") in section(prompt, SectionName.MEMORY)
    assert (prompt.embeds, prompt.embed_bytes, prompt.made_of.notes) == ((), 0, ())


def test_the_prompt_carries_the_ledger_and_warns_of_broken_links() -> None:
    a = NoteTarget(f"{NOTES}a.md", Level.ORG, "A", f"1 {link('gone.md')} <task>")
    prompt = compose(inputs(f"{link('a.md')} ![[b.md]]", "", {a.path: a}))
    assert [entry.state for entry in prompt.embeds] == [EmbedState.INLINED, EmbedState.BROKEN, EmbedState.BROKEN]
    assert prompt.embed_bytes == len(a.body)
    assert [(place.source, place.tag) for place in prompt.neutralised] == [(f"note {a.path}", "<task>")]
    assert prompt.warnings == (
        f"The note {a.path} has a broken link, {link('gone.md')}: There is no note at this path.",
        "The Task has a broken link, ![[b.md]]: Only a full display path embeds, as in org/<org_id>/notes/<name>.md.",
    )


def test_a_changed_note_changes_the_prompt_and_its_hash() -> None:
    a = NoteTarget(f"{NOTES}a.md", Level.ORG, "A", "one")
    before, after = (compose(inputs(link("a.md"), "", {a.path: one})) for one in (a, replace(a, body="two")))
    assert before.made_of.notes == ((a.path, Body("one").sha256),)
    assert after.made_of.notes == ((a.path, Body("two").sha256),)
    assert before.text.replace("\none\n", "\ntwo\n") == after.text
