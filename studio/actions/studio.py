"""The facade: everything a door, a runtime or a notebook can do with one open store."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from studio.actions.context import Context
from studio.actions.directory.shelf import Directories
from studio.actions.driving import RunsDriven
from studio.actions.later import later
from studio.actions.shelves import Collections, Notes, Tokens
from studio.domain.agents import Agent, AgentConfig, AgentSummary, Guild
from studio.domain.authors import Author, AuthorCount
from studio.domain.backups import BackupMade, LostChanges, StoreContents
from studio.domain.bindings import Rights, Scope
from studio.domain.bodies import Body
from studio.domain.changes import FileChange, Saved, TextKind
from studio.domain.checking import Head
from studio.domain.comparison import Comparison
from studio.domain.compose import Prompt
from studio.domain.directory.findings import Finding
from studio.domain.drafts import ReplacedDraft, TaskDraft, TaskReview
from studio.domain.embeds import EmbedEntry, Expansion
from studio.domain.generation import ToolAnswer
from studio.domain.guidelines import Flag
from studio.domain.history import History, Imported, Progress
from studio.domain.problems import Problem
from studio.domain.run_kinds import RunKind
from studio.domain.runs import DEFAULT_MAX_STEPS, Message, Run, RunOutline, RunStatus, Step, Trigger
from studio.domain.settings import AgentSettings
from studio.domain.timeline import Version, VersionText
from studio.domain.tokens import Ticket, Visitor
from studio.sources.ids import random_ids, random_secret
from studio.sources.models import Model, open_model
from studio.sources.settings import Settings
from studio.store.database import open_database

if TYPE_CHECKING:
    from studio.actions import (
        agent_file,
        agent_tools,
        backups,
        bindings,
        demo,
        drafts,
        groups,
        history,
        imports,
        links,
        memory,
        people,
        prompts,
        publish,
        repeats,
        runner,
        runs,
        task,
        text_linting,
        tokens,
    )
    from studio.imports import git_history, history_file
    from studio.sources import demo as demo_files
else:
    (
        agent_file,
        agent_tools,
        backups,
        bindings,
        demo,
        drafts,
        groups,
        history,
        imports,
        links,
        memory,
        people,
        prompts,
        publish,
        repeats,
        runner,
        runs,
        task,
        text_linting,
        tokens,
    ) = later(
        "studio.actions",
        "agent_file",
        "agent_tools",
        "backups",
        "bindings",
        "demo",
        "drafts",
        "groups",
        "history",
        "imports",
        "links",
        "memory",
        "people",
        "prompts",
        "publish",
        "repeats",
        "runner",
        "runs",
        "task",
        "text_linting",
        "tokens",
    )
    git_history, history_file = later("studio.imports", "git_history", "history_file")
    (demo_files,) = later("studio.sources", "demo")


class Studio:
    """One open store. Close it when done, or use it in a `with` block.

    An agent is named by its id or its unique name everywhere. Texts come with their sha256; a write gives back, as `expect`, the
    sha256 of the text it started from (decision 37). Times are aware and UTC, sizes are code points.
    """

    def __init__(self, settings: Settings) -> None:
        database = open_database(settings.database, settings.clock(), serves=settings.serves)
        self._context = Context(
            database, settings.templates, settings.clock, random_ids, settings.operator, driven=RunsDriven(database)
        )
        self._secret: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Finish the last write and give the store back."""
        self._context.database.close()

    @property
    def path(self) -> str:
        """The store's file."""
        return self._context.database.path

    @property
    def operator(self) -> str:
        """Who acts where no other operator is named (decision 4)."""
        return self._context.operator

    def now(self) -> datetime:
        """The time as this store's clock tells it (UTC); what views count from."""
        return self._context.clock()

    def acting_as(self, operator: str) -> "Studio":
        """The same open store with another operator, for one who is served; closing it is the owner's alone."""
        other = object.__new__(Studio)
        other._context = replace(self._context, operator=operator)
        other._secret = self._secret
        return other

    def visited(self, ticket: Ticket) -> "Studio":
        """The same open store for one who signed in; closing it is the owner's alone. See `tokens.visited`; raises `SignedOut`."""
        other = object.__new__(Studio)
        other._context = tokens.visited(self._context, ticket)
        other._secret = None
        return other

    @property
    def may_write(self) -> bool:
        """Whether whoever has this store may write to it; a viewer who signed in may not."""
        return self._context.database.may_write

    @property
    def prompts_folder(self) -> Path:
        """Where prompt templates are read from."""
        return self._context.templates.folder

    # --- serving ---

    @property
    def tokens(self) -> Tokens:
        """Who may come in over HTTP from elsewhere, as they are made, listed and revoked."""
        return Tokens(self._context)

    def announce(self, url: str) -> None:
        """Say beside the store that this process serves it at a URL, and let this system user's programs in by a new secret."""
        self._secret = random_secret()
        self._context.database.announce(url, self._secret)

    def withdraw(self) -> None:
        """Stop letting anyone in by the secret of `announce`, and take it away."""
        self._secret = None
        self._context.database.withdraw()

    def admit(self, bearer: str) -> Visitor | None:
        """Who comes with this secret or token; None for one that lets nobody in. See `tokens.admit`."""
        return tokens.admit(self._context, self._secret, bearer)

    def ticket_of(self, bearer: str) -> Ticket | None:
        """What stands for a token in the cookie of somebody who signs in to the app. See `tokens.ticket_of`."""
        return tokens.ticket_of(self._context, bearer)

    def stop_runs(self) -> None:
        """End as stopped the runs that models carry on in this process, since it is about to end. See `runner.stop_driven`."""
        runner.stop_driven(self._context)

    def check(self) -> None:
        """Ask the store something real, and see that it takes writes; raises `Busy`, `Damaged` or `StoreReadOnly` where it does not."""
        self._context.database.check()

    @property
    def lost(self) -> LostChanges | None:
        """What the store lacked of what had been acknowledged, when it was opened: both numbers. None where it lacked nothing."""
        return self._context.database.lost

    def once(self, key: str, who: str, fingerprint: str, act: Callable[[], bytes], *, long: bool = False) -> bytes:
        """Carry a request out at most once, however often it is sent under its key. See `repeats.once`."""
        return repeats.once(self._context, key, who, fingerprint, act, long=long)

    @property
    def commits(self) -> int:
        """How many writes this process has committed to the store; it grows with each, whoever made it."""
        return self._context.database.commits

    def backup(self, file: Path) -> BackupMade:
        """Copy the store into a new file while it is read and written to. See `backups.back_up`."""
        return backups.back_up(self._context, file)

    # --- notes and collections ---

    def verify(self, *, quick: bool = False, note_heads: bool = False, heads: tuple[Head, ...] = ()) -> StoreContents:
        """Check all rows of the store against each other and say each break. See `backups.verify_open`."""
        return backups.verify_open(self._context, quick=quick, note_heads=note_heads, heads=heads)

    @property
    def directories(self) -> Directories:
        """Memory directories: git repositories that are agents' memories (decision 1)."""
        return Directories(self._context)

    @property
    def notes(self) -> Notes:
        """What agents share in long form."""
        return Notes(self._context)

    @property
    def collections(self) -> Collections:
        """The tables that operators define, and their records."""
        return Collections(self._context)

    # --- agents ---

    def list_agents(self, search: str = "", *, limit: int | None = None, offset: int = 0) -> tuple[AgentSummary, ...]:
        """A page of the agents whose name, id, focus or guild holds all words of the search, by guild and name."""
        return people.list_agents(self._context, search, limit, offset)

    def count_agents(self, search: str = "") -> int:
        """How many agents a search finds."""
        return people.count_agents(self._context, search)

    def get_agent(self, agent: str) -> Agent:
        """One agent; raises `UnknownAgent` or `AmbiguousAgent`."""
        return people.get_agent(self._context, agent)

    def create_agent(
        self, name: str, *, focus: str | None = None, guild: str | None = None, config: AgentConfig | None = None
    ) -> Agent:
        """Make an agent: its Task is the focus, or the repository's `task.md`; its memory is empty. See `people.create_agent`."""
        return people.create_agent(self._context, name, focus=focus, guild=guild, config=config)

    def configure_agent(self, agent: str, settings: AgentSettings) -> Agent:
        """Change what operators set on an agent. See `people.configure_agent`."""
        return people.configure_agent(self._context, agent, settings)

    def configure_agent_from(self, agent: str, data: object) -> Agent:
        """Set what has no editor from a JSON value, all of it or nothing. See `agent_file.configure_agent_from`."""
        return agent_file.configure_agent_from(self._context, agent, data)

    def set_binding(
        self, scope: Scope, scope_id: str, name: str, *, turned_on: bool | None = None, login: str | None = None
    ) -> None:
        """Say what one scope leaves on of a tool, a note level or a login. See `bindings.set_binding`."""
        bindings.set_binding(self._context, scope, scope_id, name, turned_on=turned_on, login=login)

    def get_rights(self, agent: str) -> Rights:
        """The tools that an agent is offered and the note levels it may use, all scopes taken together."""
        return bindings.get_rights(self._context, agent)

    def list_broken_links(self, agent: str) -> tuple[EmbedEntry, ...]:
        """The embeds of a live Task that name nothing or are over the budget, each with its reason. See `links.broken_links`."""
        return links.broken_links(self._context, agent)

    def expand_task(self, task: str) -> Expansion:
        """What becomes of every embed of a Task's text, a draft's too. See `links.expand_task`."""
        return links.expand_task(self._context, task)

    def list_guilds(self) -> tuple[Guild, ...]:
        """All guilds by name."""
        return people.list_guilds(self._context)

    def list_operators(self) -> tuple[str, ...]:
        """The operators who have written something here, first seen first."""
        return people.list_operators(self._context)

    # --- memory ---

    def list_memory_versions(
        self, agent: str, *, author: str | None = None, limit: int | None = None, before: int | None = None
    ) -> tuple[Version, ...]:
        """The memory's timeline, newest first, without texts. See `history.list_versions`."""
        return history.list_versions(self._context, agent, TextKind.MEMORY, author=author, limit=limit, before=before)

    def list_memory_authors(self, agent: str) -> tuple[AuthorCount, ...]:
        """Everyone who wrote a version that is kept, with how many; most first."""
        return history.list_authors(self._context, agent, TextKind.MEMORY)

    def get_memory_version(self, agent: str, number: int | None = None) -> VersionText:
        """One version with its text; the live one without a number. Raises `UnknownVersion`."""
        return history.get_version(self._context, agent, TextKind.MEMORY, number)

    def lint_memory(self, agent: str, text: str | None = None, *, off: tuple[str, ...] = ()) -> tuple[Finding, ...]:
        """What the writing rules say about the live memory or another text for it, as advice. See `text_linting.lint_stored`."""
        return text_linting.lint_stored(self._context, agent, TextKind.MEMORY, written=text, off=off)

    def compare_memory(self, agent: str, number: int, against: int | None = None) -> Comparison:
        """The change that a version brought, or its change from any other version. See `history.compare_versions`."""
        return history.compare_versions(self._context, agent, TextKind.MEMORY, number, against)

    def save_memory(
        self,
        agent: str,
        text: str,
        *,
        expect: str | None = None,
        force: bool = False,
        yes_to: tuple[str, ...] = (),
        operator: str | None = None,
    ) -> Saved:
        """An operator's Save: archives the text it replaces and writes as given. See `memory.save_memory`."""
        guard = publish.guard_of(expect, yes_to, force=force)
        return memory.save_memory(self._context, agent, text, guard=guard, operator_name=operator)

    def restore_memory(
        self,
        agent: str,
        number: int,
        *,
        expect: str | None = None,
        yes_to: tuple[str, ...] = (),
        operator: str | None = None,
    ) -> Saved:
        """Write an old version's text as a new version by the operator. See `memory.restore_memory`."""
        return memory.restore_memory(self._context, agent, number, expect=expect, yes_to=yes_to, operator_name=operator)

    def memory_write(self, agent: str, content: str, *, run: str | None = None, call: str | None = None) -> Saved:
        """An agent's rewrite of its whole memory, at most 12,000 characters. See `memory.memory_write`."""
        return memory.memory_write(self._context, agent, content, run=run, call=call)

    def list_archive(self, agent: str) -> dict[int, str]:
        """The archive's file names by the version they hold. Operators only: no agent tool reads the archive."""
        return history.list_archive(self._context, agent)

    def read_archive(self, path: str) -> tuple[tuple[str, str], Body]:
        """An archived memory by its display path: two header lines, and the text apart from them. Operators only."""
        return history.read_archive(self._context, path)

    def list_file_changes(self, agent: str) -> tuple[FileChange, ...]:
        """The ledger of Task saves and memory writes, newest first."""
        return history.list_file_changes(self._context, agent)

    # --- Task ---

    def list_task_versions(
        self, agent: str, *, author: str | None = None, limit: int | None = None, before: int | None = None
    ) -> tuple[Version, ...]:
        """The Task's timeline, newest first, without texts. See `history.list_versions`."""
        return history.list_versions(self._context, agent, TextKind.TASK, author=author, limit=limit, before=before)

    def get_task_version(self, agent: str, number: int | None = None) -> VersionText:
        """One Task version with its text; the live one without a number. Raises `UnknownVersion`."""
        return history.get_version(self._context, agent, TextKind.TASK, number)

    def lint_task(self, agent: str, text: str | None = None, *, off: tuple[str, ...] = ()) -> tuple[Finding, ...]:
        """What the writing rules say about the live Task or another text for it, such as a draft, as advice."""
        return text_linting.lint_stored(self._context, agent, TextKind.TASK, written=text, off=off)

    def compare_task(self, agent: str, number: int, against: int | None = None) -> Comparison:
        """The change that a Task version brought, or its change from any other version."""
        return history.compare_versions(self._context, agent, TextKind.TASK, number, against)

    def get_task_draft(self, agent: str) -> TaskDraft | None:
        """The draft of the Task, or None."""
        return drafts.get_draft(self._context, agent)

    def draft_task(
        self,
        agent: str,
        text: str,
        *,
        author: Author | None = None,
        based_on: int | None = None,
        expect: str | None = None,
        force: bool = False,
    ) -> TaskDraft:
        """Keep a draft; the live Task stays as it is. See `drafts.draft_task`."""
        return drafts.draft_task(
            self._context, agent, text, author=author, based_on=based_on, expect=expect, force=force
        )

    def discard_task_draft(self, agent: str, *, expect: str | None = None, operator: str | None = None) -> None:
        """Drop the draft; it can be brought back. Raises `NoDraft`. See `drafts.discard_draft`."""
        drafts.discard_draft(self._context, agent, expect, operator)

    def list_replaced_drafts(self, agent: str) -> tuple[ReplacedDraft, ...]:
        """Drafts that somebody else's replaced or that were discarded, the last to go first. See `drafts.list_replaced`."""
        return drafts.list_replaced(self._context, agent)

    def restore_task_draft(
        self, agent: str, number: int, *, expect: str | None = None, force: bool = False
    ) -> TaskDraft:
        """Make a draft that went the draft again. Raises `NoReplacedDraft`. See `drafts.restore_draft`."""
        return drafts.restore_draft(self._context, agent, number, expect=expect, force=force)

    def save_task(
        self,
        agent: str,
        text: str,
        *,
        expect: str | None = None,
        force: bool = False,
        yes_to: tuple[str, ...] = (),
        operator: str | None = None,
    ) -> Saved:
        """Publish a text as the Task without a draft. See `task.save_task`."""
        guard = publish.guard_of(expect, yes_to, force=force)
        return task.save_task(self._context, agent, text, guard=guard, operator_name=operator)

    def review_task(self, agent: str) -> TaskReview:
        """What publishing the draft would do. Raises `NoDraft`."""
        return task.review_task(self._context, agent)

    def publish_task(
        self,
        agent: str,
        *,
        note: str | None = None,
        force: bool = False,
        expect: str | None = None,
        yes_to: tuple[str, ...] = (),
        operator: str | None = None,
    ) -> Saved:
        """Make the draft the live Task; only an operator does this. See `task.publish_task`."""
        return task.publish_task(
            self._context,
            agent,
            note=note,
            force=force,
            expect=expect,
            yes_to=yes_to,
            operator_name=operator,
        )

    def restore_task(
        self,
        agent: str,
        number: int,
        *,
        expect: str | None = None,
        yes_to: tuple[str, ...] = (),
        operator: str | None = None,
    ) -> Saved:
        """Publish an old version's text as a new version. See `task.restore_task`."""
        return task.restore_task(self._context, agent, number, expect=expect, yes_to=yes_to, operator_name=operator)

    # --- prompt and runs ---

    def preview(
        self,
        agent: str,
        *,
        kind: RunKind = RunKind.DIRECT,
        registered: frozenset[Flag] = frozenset(),
        task: str | None = None,
        memory_text: str | None = None,
    ) -> Prompt:
        """The prompt as a run created now would store it, or with another Task or memory. See `prompts.preview`."""
        return prompts.preview(
            self._context, agent, kind=kind, registered=registered, task=task, memory_text=memory_text
        )

    def create_run(
        self,
        agent: str,
        trigger: Trigger,
        *,
        registered: frozenset[Flag] = frozenset(),
        max_steps: int = DEFAULT_MAX_STEPS,
        max_tool_calls: int | None = None,
    ) -> Run:
        """Compose the prompt and store it as the first message of a new run. See `runs.create_run`."""
        return runs.create_run(
            self._context, agent, trigger, registered=registered, max_steps=max_steps, max_tool_calls=max_tool_calls
        )

    def drive_run(self, run: str, model: Model | str) -> Run:
        """Let a model, or the one of this name, carry on with an open run until it is over. See `runner.drive`."""
        return runner.drive(self._context, run, open_model(model) if isinstance(model, str) else model)

    def run_agent(
        self,
        agent: str,
        trigger: Trigger,
        model: Model | str,
        *,
        max_steps: int = DEFAULT_MAX_STEPS,
        max_tool_calls: int | None = None,
    ) -> Run:
        """Create a run and let a model carry it out; a model that cannot be used makes no run. See `drive_run`."""
        ready = open_model(model) if isinstance(model, str) else model
        run = self.create_run(agent, trigger, max_steps=max_steps, max_tool_calls=max_tool_calls)
        return self.drive_run(run.id, ready)

    def continue_run(self, run: str, message: str, model: Model | str) -> Run:
        """A user's next message to a direct run, and the model's turn after it. See `runner.continue_run`."""
        ready = open_model(model) if isinstance(model, str) else model
        return runner.continue_run(self._context, run, message, ready)

    def take_run(self, run: str, message: str | None = None) -> str:
        """Lease an open run to a driver in another process, which `drive_run` of a remote studio is. See `runner.take_run`."""
        return runner.take_run(self._context, run, message)

    def renew_run(self, run: str, lease: str) -> None:
        """Say that the driver of a leased run is alive. Raises `LeaseLost` where another took it over, or it was given back."""
        self._context.driven.renew(run, lease)

    def give_back_run(self, run: str, lease: str) -> None:
        """End the lease of a run."""
        self._context.driven.give_back(run, lease)

    def check_open(self, run: str) -> None:
        """Nothing, as long as a run is open. Raises `UnknownRun` or `RunOver`."""
        runs.check_open(self._context, run)

    def add_messages(self, run: str, messages: tuple[Message, ...], *, lease: str | None = None) -> None:
        """Append chat rows to an open run. Raises `UnknownRun`, `RunOver`, or `RunGenerating` while a model carries it on."""
        runs.add_messages(self._context, run, messages, lease)

    def finish_run(
        self, run: str, status: RunStatus, *, memory_skipped: bool = False, failure: str | None = None
    ) -> Run:
        """End an open run; ending it as stopped stops whoever drives it. Raises `UnknownRun` or `RunOver`."""
        return runs.finish_run(self._context, run, status, memory_skipped=memory_skipped, failure=failure)

    def open_step(self, agent: str, version: int) -> Step:
        """The run and the row of the call that wrote a version of the memory. See `runs.open_step`."""
        return runs.open_step(self._context, agent, version)

    def call_tool(
        self,
        agent: str,
        name: str,
        arguments: dict[str, Any] | str,
        *,
        run: str | None = None,
        call: str | None = None,
        offered: tuple[str, ...] | None = None,
    ) -> ToolAnswer:
        """Carry out a call of an agent's tool; an error is an answer too. See `agent_tools.call_tool`."""
        return agent_tools.call_tool(self._context, agent_tools.Asking(agent, run, call), name, arguments, offered)

    def list_problems(self) -> tuple[Problem, ...]:
        """What agents filed with `report_issue`, newest first."""
        return groups.list_problems(self._context)

    def list_runs(self, agent: str, *, limit: int | None = None, offset: int = 0) -> tuple[Run, ...]:
        """The runs of an agent, newest first: all, or a page of them."""
        return runs.list_runs(self._context, agent, limit, offset)

    def count_runs(self, agent: str) -> int:
        """How many runs an agent has."""
        return runs.count_runs(self._context, agent)

    def count_newer_runs(self, run: str) -> int:
        """How many runs of the same agent are newer. Raises `UnknownRun`."""
        return runs.count_newer_runs(self._context, run)

    def outline_runs(self, named: Sequence[str]) -> dict[str, RunOutline]:
        """The steps, tool calls and opening message of each of these runs, without reading all their texts."""
        return runs.outline_runs(self._context, named)

    def get_run(self, run: str) -> tuple[Run, tuple[Message, ...]]:
        """A run with its chat rows. Raises `UnknownRun`."""
        return runs.get_run(self._context, run)

    # --- imports ---

    def load_demo(self) -> None:
        """Fill this empty store with the demo organisation, all of it or nothing."""
        demo.load_demo(self._context, demo_files.read_demo())

    def import_history(self, agent: str, history: History, *, replace: bool = False) -> Imported:
        """Make a history read elsewhere an agent's memory, or add its new versions. See `imports.import_history`."""
        return imports.import_history(self._context, agent, history, replace=replace)

    def agent_authors(self, agent: str) -> tuple[str, ...]:
        """The rule that an import of this agent was told of which authors are agents; none for one that is not there."""
        return imports.stored_rule(self._context, agent)

    def has_full_history(self, agent: str) -> bool:
        """Whether an import made this agent with all that `git log --full-history` lists; also for one that is not there."""
        return imports.has_full_history(self._context, agent)

    def import_history_file(
        self,
        file: Path,
        agent: str,
        *,
        agent_authors: tuple[str, ...] | None = None,
        content: bytes | None = None,
        replace: bool = False,
    ) -> Imported:
        """Import a history in JSON Lines form; without `agent_authors` the agent's stored rule stays. See `import_history`.

        With `content`, which is what the file holds, the file itself may be on another machine.
        """
        rule = self.agent_authors(agent) if agent_authors is None else agent_authors
        return self.import_history(agent, history_file.read_history_file(file, rule, content=content), replace=replace)

    def preview_history_file(
        self,
        file: Path,
        agent: str | None = None,
        *,
        agent_authors: tuple[str, ...] | None = None,
        content: bytes | None = None,
    ) -> History:
        """Read what `import_history_file` would store, and write nothing; `domain.history.found_authors` names its authors."""
        rule = (self.agent_authors(agent) if agent else ()) if agent_authors is None else agent_authors
        return history_file.read_history_file(file, rule, content=content)

    def preview_git(
        self,
        repository: Path,
        path: str,
        agent: str | None = None,
        *,
        agent_authors: tuple[str, ...] | None = None,
        full_history: bool = False,
        progress: Progress | None = None,
    ) -> History:
        """Read what `import_git` would store, and write nothing; see `preview_history_file`."""
        rule = (self.agent_authors(agent) if agent else ()) if agent_authors is None else agent_authors
        full = full_history or (agent is not None and self.has_full_history(agent))
        return git_history.read_git_history(repository, path, agent_authors=rule, full_history=full, progress=progress)

    def import_git(
        self,
        repository: Path,
        path: str,
        agent: str,
        *,
        agent_authors: tuple[str, ...] | None = None,
        full_history: bool = False,
        replace: bool = False,
        progress: Progress | None = None,
    ) -> Imported:
        """Import the history of one file of a git repository; takes `agent_authors` as `import_history_file` does.

        With `full_history` it takes what every branch made of the file, as does an agent that was imported so; see decision 48.
        """
        rule = self.agent_authors(agent) if agent_authors is None else agent_authors
        full = full_history or self.has_full_history(agent)
        read = git_history.read_git_history(repository, path, agent_authors=rule, full_history=full, progress=progress)
        return self.import_history(agent, read, replace=replace)
