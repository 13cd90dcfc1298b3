"""The shell: builds one page for one person and holds it together; address, keys, head, questions."""

import asyncio
from collections.abc import Callable
from typing import Any

import panel as pn

from studio.actions.studio import Studio
from studio.app import live
from studio.app.agents_view import AgentsView
from studio.app.directory_view import DirectoryView
from studio.app.elements import Browser, Editor, Fragment
from studio.app.memory_view import MemoryView
from studio.app.notes_view import NotesView
from studio.app.preview_view import PreviewView
from studio.app.prompt_view import PromptView
from studio.app.runs_view import RunsView
from studio.app.selection import Mode, Place, Selection, parse_query
from studio.app.session import Session
from studio.domain.agents import Agent, Layout
from studio.domain.timeline import Version
from studio.errors import SignedOut, StudioError, UnknownVersion
from studio.render import fragments_agents
from studio.render import fragments_head as fragments

TITLE = "Prompt Studio"
OPENS = ("mode", "version", "run", "note", "file", "row", "commit")
"""The parameters that open something beside a list, where they are named."""


class Page:
    """All of one page. `roots` are its elements by the name that the page's markup has for them."""

    def __init__(self, studio: Studio, query: str, *, demo: bool) -> None:
        values, problems = readable(studio, *parse_query(query))
        self._session = session = Session(studio, Selection(**values))  # type: ignore[no-untyped-call]
        self._drawn_at = studio.commits
        session.selection.param.watch(self._about_to_draw, list(Selection.ADDRESS))  # before any view watches
        self._choose_agent()
        self._head = Fragment(on=session.guarded(self._head_chosen))
        self._missing = Fragment(on=session.guarded(self._head_chosen))
        self._browser = Browser(on=session.guarded(self._told))
        self._agents = AgentsView(session)
        self._memory = MemoryView(session)
        self._prompt = PromptView(session)
        self._preview = PreviewView(session)
        self._runs = RunsView(session)
        self._notes = NotesView(session)
        self._directory = DirectoryView(session)
        self._in_git = False
        self._looked: object = None
        self._looking: asyncio.Task[None] | None = None
        self._seen: object = None
        self._seen_agents: object = None
        self.roots = self._roots(demo=demo)
        if problems:
            session.say(" ".join(problems), "problem")
        session.selection.param.watch(self._show, ["agent", "place", "version", "stamp"])
        session.selection.param.watch(self._address, list(Selection.ADDRESS))
        session.selection.param.watch(self._question, ["waiting"])
        self._show()
        self._address()

    def _roots(self, *, demo: bool) -> dict[str, Fragment | Editor | Browser]:
        """The page's elements by the name that its markup has for them."""
        session = self._session
        return {
            "browser": self._browser,
            "demo": Fragment(html=fragments.banners(demo=demo, lost=session.studio.lost)),
            "search": self._agents.search,
            "agents": self._agents.list,
            "question": session.question,
            "notice": session.notice,
            "head": self._head,
            "missing": self._missing,
            "memory_timeline": self._memory.timeline.list,
            "memory_stale": self._memory.stale,
            "memory_bar": self._memory.bar,
            "memory_editor": self._memory.editor,
            "memory_body": self._memory.body,
            "prompt_timeline": self._prompt.timeline.list,
            "prompt_bar": self._prompt.bar,
            "prompt_insert": self._prompt.insert.search,
            "prompt_found": self._prompt.insert.found,
            "prompt_editor": self._prompt.editor,
            "prompt_body": self._prompt.body,
            "preview_bar": self._preview.bar,
            "preview_body": self._preview.body,
            "runs_list": self._runs.list,
            "runs_bar": self._runs.bar,
            "runs_body": self._runs.body,
            "notes_search": self._notes.search,
            "notes_list": self._notes.list,
            "notes_bar": self._notes.bar,
            "notes_stale": self._notes.writing.stale,
            "notes_form": self._notes.form,
            "notes_editor": self._notes.writing.editor,
            "notes_body": self._notes.body,
            **self._directory.roots,
        }

    def _choose_agent(self) -> None:
        """Write an agent's id into the selection: of the one the address names, else of the first one."""
        selection, studio = self._session.selection, self._session.studio
        if selection.agent is None:
            first = studio.list_agents(limit=1)
            selection.agent = first[0].agent.id if first else None
        elif (agent := self._session.agent()) is not None:
            selection.agent = agent.id

    def _show(self, *_: object) -> None:
        """The head of the open agent, or what stands in its place."""
        session, selection = self._session, self._session.selection
        agent = session.agent()
        if agent is None:
            self._head.html = ""
            self._missing.html = self._instead()
            self._browser.param.update(place="none", heading=TITLE)
            return
        studio = session.studio
        self._in_git = agent.layout is Layout.DIRECTORY
        self._missing.html = ""
        self._head.html = fragments.head(
            agent,
            self._live_memory(agent),
            studio.list_task_versions(agent.id, limit=1)[0],
            place=selection.place,
            draft=studio.get_task_draft(agent.id) is not None,
            broken=studio.list_broken_links(agent.id),
            now=studio.now(),
            href=session.href,
        )
        self._browser.param.update(place=str(selection.place), heading=f"{agent.name} · {TITLE}")

    def _live_memory(self, agent: Agent) -> Version | str:
        """The live memory, or why a memory directory has none to show."""
        try:
            return self._session.studio.get_memory_version(agent.id).version
        except UnknownVersion:
            return "nothing of its directory reaches the prompt yet"
        except StudioError as error:
            return str(error)

    def _instead(self) -> str:
        """What stands in place of an agent: the store is empty, or the address names none."""
        studio, name = self._session.studio, self._session.selection.agent
        if studio.count_agents() == 0:
            return fragments_agents.empty_store(studio.path)
        try:
            studio.get_agent(name or "")
        except StudioError as error:
            return fragments.missing_agent(str(error), self._session.href)
        return ""

    def _address(self, *_: object) -> None:
        selection = self._session.selection
        part = str(selection.tab) if selection.place == Place.DIRECTORY else ""
        named = ((name, getattr(selection, name)) for name in OPENS)
        opened = "&".join(f"{name}={value}" for name, value in named if value != selection.param[name].default)
        self._browser.param.update(query=selection.query(), part=part, opened=opened)

    def _question(self, *_: object) -> None:
        selection = self._session.selection
        if selection.waiting is None:
            return
        self._browser.query = selection.query()
        self._session.ask(
            "Leave your unsaved changes?",
            "What you typed in the editor was not saved. Leaving drops it.",
            yes="Leave without saving",
            no="Keep editing",
            then=selection.leave,
            otherwise=selection.stay,
        )

    # --- what the window and the head report ---

    def _told(self, action: str, value: str) -> None:
        session = self._session
        if action == "address":
            values, problems = readable(session.studio, *parse_query(value))
            self._browser.query = value
            session.selection.go(**values)
            self._choose_agent()
            if problems:
                session.say(" ".join(problems), "problem")
        elif action == "narrow":
            if session.narrow != bool(value):
                session.narrow = bool(value)
                session.selection.param.trigger("layout")
        elif action == "key":
            self._key(value)

    def _key(self, key: str) -> None:
        selection = self._session.selection
        places: dict[Place, MemoryView | PromptView] = {Place.MEMORY: self._memory, Place.PROMPT: self._prompt}
        place = places.get(selection.place)
        if selection.mode != Mode.READ or (key == "edit" and not self._session.studio.may_write):
            return
        if selection.place == Place.RUNS and key != "edit":
            if (run := self._runs.neighbour(1 if key == "older" else -1)) is not None:
                selection.go(run=run)
            return
        if selection.place == Place.DIRECTORY:
            self._directory.key(key)
            return
        if selection.place == Place.NOTES and key == "edit" and self._notes.sha256():
            selection.go(mode=Mode.EDIT)
        if place is None:
            return
        if key == "edit" and self._in_git and selection.place == Place.MEMORY:
            selection.go(place=Place.DIRECTORY)
        elif key == "edit":
            mode = Mode.EDIT if selection.place == Place.MEMORY else Mode.READ
            selection.go(version=None, mode=mode)
            place.editor.focus()
        elif (number := place.timeline.neighbour(1 if key == "older" else -1)) is not None:
            selection.go(version=number)

    def _head_chosen(self, action: str, value: str) -> None:
        self._session.hush()
        if action == "place":
            self._session.selection.go(place=Place(value))
        elif action == "agent":
            self._session.selection.go(agent=value or None)
            self._choose_agent()

    # --- what others write ---

    def tick(self) -> None:
        """Begin to look, unless a look is under way; nothing of this page waits for it."""
        if self._looking is None:
            self._looking = asyncio.get_running_loop().create_task(self._look_beside())

    async def _look_beside(self) -> None:
        """Look without the lock of this page's document, and draw under it."""
        try:
            draw = await self.look()
        finally:
            self._looking = None
        if draw is not None:
            guarded = self._session.guarded(lambda *_: draw())
            pn.state.execute(lambda: guarded("look", ""), schedule=True)

    async def look(self) -> Callable[[], None] | None:
        """Look whether somebody else wrote what this page shows: a run, another page.

        What is being typed is never replaced.

        Returns:
            What draws it anew; None where nothing is to be drawn.
        """
        session, selection = self._session, self._session.selection
        commits, shown = session.studio.commits, live.Shown.of(selection)
        if (commits, shown) == self._looked and not self._in_git:
            return None
        find, page = selection.find, selection.page
        try:
            seen = await asyncio.to_thread(live.look, session.studio, shown)
            agents = await asyncio.to_thread(live.look_at_agents, session.studio, find, page)
        except SignedOut:
            return lambda: setattr(self._browser, "signed_out", True)
        except StudioError:
            return None  # a store that is busy is asked again; one that has died ends its server
        # What was written while we looked is in what we saw, and not in what was drawn before.
        drawn = self._drawn_at == commits == session.studio.commits and not self._in_git
        other, others = not drawn and seen != self._seen, not drawn and agents != self._seen_agents
        self._looked, self._seen, self._seen_agents = (commits, shown), seen, agents
        if other:
            return lambda: selection.param.trigger("stamp")
        return self._agents.show if others else None

    def _about_to_draw(self, *_: object) -> None:
        """What is written from now on may be missing on the page."""
        self._drawn_at = self._session.studio.commits


def readable(
    studio: Studio, values: dict[str, Any], problems: tuple[str, ...]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What an address says, without an editor for who only reads."""
    if studio.may_write or values["mode"] not in (Mode.EDIT, Mode.NEW):
        return values, problems
    return {**values, "mode": Mode.READ}, (*problems, f"{studio.operator} is a viewer, who reads only.")
