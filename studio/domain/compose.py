"""Composing: four sections become the one system message a run opens with.

A pure function (decision 26): the same inputs give the same text from the application, the API, the shell, a notebook
and a run. Stored texts are inserted literally (decision 19); only a tag that would forge a section is made harmless,
in this copy alone (decision 20). Of all texts only the Task embeds others (decision 23).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from studio.domain import guidelines, memory, state, task
from studio.domain.agents import Agent, Layout
from studio.domain.bodies import Body
from studio.domain.embeds import EmbedEntry, EmbedState, EmbedTarget, Expansion, expand
from studio.domain.guidelines import Flag
from studio.domain.run_kinds import RunKind
from studio.domain.sections import Neutralised, SafeText, SectionName, line_of_tag, neutralise, neutralise_json, wrap
from studio.domain.stand_ins import StandIn

MEMORY_WRITE_TOOL = "memory_write"
"""The tool with which an agent rewrites its memory."""
REGISTERED_FLAGS = frozenset({Flag.SEARCH, Flag.BROWSER, Flag.CODING, Flag.SANDBOX, Flag.SCHEDULE})
"""The flags that only a runtime turns on, by registering the tools they stand for."""
BETWEEN_SECTIONS = "\n\n"
"""What stands between two sections: one blank line."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """One stored text that a prompt is composed from."""

    version: int
    """Its version number."""
    body: Body
    """What that version holds."""
    commit: str | None = None
    """The commit it was compiled at; only of a memory directory."""
    stand_in: StandIn | None = None
    """What is there in place of the text, which then is empty here (decision 41)."""


@dataclass(frozen=True, slots=True)
class PromptInputs:
    """All that a prompt depends on."""

    agent: Agent
    """Who the prompt is for."""
    template: str
    """The text of `system.md`."""
    task: SourceText
    """The live Task."""
    memory: SourceText | None
    """The live memory, or None while its row is missing; then the section is empty. Of a directory agent the compiled memory."""
    state: state.StateInputs
    """Where State comes from."""
    kind: RunKind
    """What starts the run."""
    memory_write: bool
    """Whether every scope above the agent leaves `memory_write` on (decision 10); `agent` holds its own setting."""
    registered: frozenset[Flag] = frozenset()
    """What the runtime registered tools for; only `REGISTERED_FLAGS` count."""
    tools: tuple[str, ...] = ()
    """The tools of ours beside `memory_write` that the run is offered."""
    embeds: Mapping[str, EmbedTarget] = field(default_factory=dict)
    """The notes and collections that the Task embeds, itself or through a note, by display path; one that is absent is broken."""
    outside: tuple[str, ...] = ()
    """The texts that were changed outside, one sentence each (decision 38)."""
    block_names: frozenset[str] = frozenset()
    """The names of a memory directory's blocks, casefolded; no embedded note takes one (decision 24)."""


@dataclass(frozen=True, slots=True)
class Section:
    """Where a section stands in the prompt, both of its tags included."""

    name: SectionName
    """Which section."""
    start: int
    """Where its opening tag begins, in code points."""
    end: int
    """Just behind its closing tag, in code points."""

    @property
    def characters(self) -> int:
        """Its size in code points."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class MadeOf:
    """What a prompt was composed from, so that a stored run can name it (decision 26)."""

    template_sha256: str
    """Of the template's bytes."""
    task_version: int
    """Number of the Task."""
    task_sha256: str
    """Of the Task's bytes."""
    memory_version: int | None
    """Number of the memory; None where the row is missing or Memory is off."""
    memory_sha256: str | None
    """Of the memory's bytes; None likewise."""
    notes: tuple[tuple[str, str], ...] = ()
    """Path and sha256 of every note whose body is in the Task, in reading order."""
    memory_commit: str | None = None
    """The commit that a memory directory was compiled at; None for any other memory."""
    memory_characters: int | None = None
    """How many characters of the prompt's end are its compiled memory, in code points; None likewise."""
    warnings: tuple[str, ...] = ()
    """What an operator should know about the prompt, one sentence each."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A composed system message and what is known about it."""

    text: str
    """The message as the model gets it."""
    sections: tuple[Section, ...]
    """Its sections in order; between two of them stands one blank line."""
    neutralised: tuple[Neutralised, ...]
    """Every tag in a stored text that was made harmless, in reading order."""
    warnings: tuple[str, ...]
    """What an operator should know about this prompt, one sentence each."""
    tools: tuple[str, ...]
    """The tools of ours that the run is offered."""
    made_of: MadeOf
    """The versions and hashes of its sources."""
    embeds: tuple[EmbedEntry, ...] = ()
    """What became of every embed, in reading order (decision 23)."""
    embed_bytes: int = 0
    """How many of `EMBED_BUDGET_BYTES` the embedded notes take."""


def compose(inputs: PromptInputs) -> Prompt:
    """Compose the system message of a run.

    Raises:
        Refused: the template's conditional parts cannot be read; the sentence names the line.
    """
    flags = active_flags(inputs)
    memory_row = inputs.memory if Flag.MEMORY in flags else None
    offered = Flag.MEMORY_WRITE in flags
    name = neutralise(inputs.agent.name, "agent name")
    expansion = expand(inputs.task.body.text or "", inputs.embeds, inputs.block_names)
    snapshot = neutralise_json(state.json_text(inputs.state), "State")
    memory_body = memory.readable(memory_row.body if memory_row else None)
    in_store = inputs.agent.layout is Layout.ARTIFACT
    safe = neutralise(memory_body, "Memory") if in_store else SafeText(memory_body, ())

    guidelines_content = guidelines.render(inputs.template, flags=flags, name=name.text, agent_id=inputs.agent.id)
    parts = [
        _part(SectionName.GUIDELINES, guidelines_content),
        _part(SectionName.TASK, task.content(expansion.text, memory_write=offered)),
        _part(SectionName.STATE, state.content(snapshot.text, prices=bool(inputs.state.prices))),
    ]
    if Flag.MEMORY in flags and in_store:
        parts.append(_part(SectionName.MEMORY, memory.content(safe.text, memory_write=offered)))
    elif safe.text:
        parts.append((SectionName.MEMORY, safe.text))  # a directory's blocks bring their own tags (decision 1)
    text, sections = _join(parts)
    warnings = _warnings(inputs, memory_row, expansion)
    return Prompt(
        text=text,
        sections=sections,
        neutralised=name.places + expansion.neutralised + snapshot.places + safe.places,
        warnings=warnings,
        tools=((MEMORY_WRITE_TOOL,) if offered else ()) + inputs.tools,
        made_of=replace(_made_of(inputs, memory_row, expansion), warnings=warnings),
        embeds=expansion.ledger,
        embed_bytes=expansion.bytes,
    )


def active_flags(inputs: PromptInputs) -> frozenset[Flag]:
    """What the Guidelines may teach this agent in this run (decisions 9 and 21)."""
    flags = set(inputs.registered & REGISTERED_FLAGS)
    if inputs.kind is RunKind.SCHEDULE:
        flags.discard(Flag.SCHEDULE)  # a wake-up cannot schedule the next one
    if inputs.agent.config.memory:
        flags.add(Flag.MEMORY)
    if inputs.memory_write and inputs.agent.offers_memory_write:
        flags.add(Flag.MEMORY_WRITE)
    if inputs.agent.guild or inputs.kind is RunKind.GROUP:
        flags.add(Flag.GROUP)
    return frozenset(flags)


def _part(name: SectionName, content: str) -> tuple[SectionName, str]:
    return name, wrap(name, content)


def _join(parts: Sequence[tuple[SectionName, str]]) -> tuple[str, tuple[Section, ...]]:
    """The whole text, one blank line between sections, and where each section stands in it."""
    sections: list[Section] = []
    start = 0
    for name, part in parts:
        sections.append(Section(name, start, start + len(part)))
        start += len(part) + len(BETWEEN_SECTIONS)
    return BETWEEN_SECTIONS.join(part for _, part in parts), tuple(sections)


def _warnings(inputs: PromptInputs, memory_row: SourceText | None, expansion: Expansion) -> tuple[str, ...]:
    """What an operator should know about the sources."""
    found: list[str] = [*inputs.outside]
    if line := line_of_tag(inputs.template):
        found.append(
            f"Line {line} of system.md holds a tag of the prompt's own sections; a model may take it for a real one. "
            "Write the section's name without the angle brackets."
        )
    if memory_row and memory_row.body.binary:
        found.append(
            f"The memory (version {memory_row.version}) is no text ({memory_row.body.binary_reason}); "
            "the prompt carries an empty one."
        )
    if memory_row and memory_row.stand_in:
        found.append(
            f"The memory (version {memory_row.version}) is {memory_row.stand_in}, whose text is not here; "
            "the prompt carries an empty one."
        )
    if inputs.agent.layout is Layout.DIRECTORY and inputs.agent.config.memory and not memory_row:
        found.append(
            "Nothing of the memory directory compiles, so the prompt carries no memory; 'studio dir check' says why."
        )
    return (*found, *_left_out(expansion))


def _left_out(expansion: Expansion) -> tuple[str, ...]:
    """One sentence for each embed that does not come through, naming where it stands."""
    return tuple(
        f"{f'The note {entry.within}' if entry.within else 'The Task'} has "
        f"{'a broken link' if entry.state is EmbedState.BROKEN else 'an embed over the budget'}, ![[{entry.written}]]: "
        f"{entry.reason}"
        for entry in expansion.left_out
    )


def _made_of(inputs: PromptInputs, memory_row: SourceText | None, expansion: Expansion) -> MadeOf:
    """The versions and hashes of what went into the prompt; a memory that is off is not part of it."""
    return MadeOf(
        template_sha256=Body(inputs.template).sha256,
        task_version=inputs.task.version,
        task_sha256=inputs.task.body.sha256,
        memory_version=memory_row.version if memory_row else None,
        memory_sha256=memory_row.body.sha256 if memory_row else None,
        notes=expansion.notes,
        memory_commit=memory_row.commit if memory_row else None,
        memory_characters=memory_row.body.characters if memory_row and memory_row.commit else None,
    )
