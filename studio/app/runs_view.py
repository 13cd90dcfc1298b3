"""The Runs place: every run of an agent, newest first, and the chat rows of one (decisions 27 and 28)."""

from studio.app.elements import Fragment
from studio.app.selection import Place
from studio.app.session import Session
from studio.domain.agents import Agent
from studio.domain.bodies import Body
from studio.domain.runs import Message, Run
from studio.errors import StudioError
from studio.render import fragments_chat as chat
from studio.render import fragments_runs as fragments
from studio.render.fragments_head import button, nothing
from studio.render.tags import Html, joined, tag

PAGE_RUNS = 50
"""How many runs are listed at once."""
PAGE_ROWS = 100
"""How many chat rows are shown at once."""


class RunsView:
    """Lists runs and opens one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        chosen = session.guarded(self._chosen)
        self.list = Fragment(on=chosen)
        self.bar = Fragment(on=chosen)
        self.body = Fragment(on=chosen)
        self._start: int | None = None
        self._first_row: int | None = None
        self._whole: frozenset[str] = frozenset()
        self._listed: tuple[Run, ...] = ()
        self._open: str | None = None
        session.selection.param.watch(self._begin, ["agent", "run", "row", "place"])
        session.selection.param.watch(self.show, ["agent", "place", "run", "row", "call", "stamp"])
        self.show()

    def show(self, *_: object) -> None:
        """Show what the selection says, if this place is open."""
        selection, agent = self._session.selection, self._session.agent()
        if selection.place != Place.RUNS or agent is None:
            return
        total = self._session.studio.count_runs(agent.id)
        if total == 0:
            self.list.html = self.bar.html = ""
            self.body.html = _no_runs(agent)
            return
        self._show_list(agent, total)
        self._show_run(agent)

    def neighbour(self, step: int) -> str | None:
        """The id of the run that many rows below the open one, as far as the page of the list goes."""
        ids = [str(run.id) for run in self._listed]
        if not ids:
            return None
        at = ids.index(self._open) if self._open in ids else 0
        return ids[min(max(at + step, 0), len(ids) - 1)]

    def _begin(self, *events: object) -> None:
        """Another run is opened at its own place in the list, with its texts cut again."""
        self._first_row = None
        if any(getattr(event, "name", "") != "row" for event in events):
            self._start = None
            self._whole = frozenset()

    def _show_list(self, agent: Agent, total: int) -> None:
        studio, selection = self._session.studio, self._session.selection
        if self._start is None:
            newer = 0
            if selection.run is not None:
                try:
                    newer = studio.count_newer_runs(selection.run)
                except StudioError:
                    newer = 0
            self._start = newer - newer % PAGE_RUNS
        start = min(self._start, total - 1)
        self._listed = studio.list_runs(agent.id, limit=PAGE_RUNS, offset=start)
        self._open = selection.run or studio.list_runs(agent.id, limit=1)[0].id
        outlines = studio.outline_runs([run.id for run in self._listed])
        rows = fragments.run_list(self._listed, outlines, chosen=self._open, now=studio.now(), href=self._session.href)
        self.list.html = joined(rows, fragments.pager(start, start + len(self._listed), total, "runs"))

    def _show_run(self, agent: Agent) -> None:
        studio = self._session.studio
        try:
            run, rows = studio.get_run(self._open or "")
        except StudioError as error:
            self.bar.html = ""
            self.body.html = nothing(str(error), button("Open the newest run", "run"))
            return
        if run.agent != agent.id:
            self.bar.html = ""
            self.body.html = nothing(f"The run {run.id} is another agent's.", self._other(run))
            return
        outline = studio.outline_runs([run.id])[run.id]
        notes = [(path, self._since(path, sha256)) for path, sha256 in run.composed_from.notes]
        self.bar.html = fragments.run_bar(run, outline, notes, now=studio.now(), href=self._session.href)
        self._session.show(self.body, sum(len(row.content) for row in rows), lambda: self._chat(run, rows))

    def _other(self, run: Run) -> Html:
        return tag(
            "a",
            "Open it there",
            href=self._session.href(agent=run.agent, run=run.id),
            class_="button",
            data_do="other",
            data_value=run.agent,
        )

    def _since(self, path: str, sha256: str) -> str:
        """What became of a note since a run embedded it."""
        try:
            now = Body(self._session.studio.notes.get(path).body).sha256
        except StudioError:
            return "(no longer there)"
        return "(unchanged since)" if now == sha256 else "(changed since)"

    def _chat(self, run: Run, rows: tuple[Message, ...]) -> Html:
        """The page of rows that holds the opened one."""
        selection = self._session.selection
        if self._first_row is None:
            row = min(selection.row or 0, max(len(rows) - 1, 0))
            self._first_row = row - row % PAGE_ROWS
        end = min(self._first_row + PAGE_ROWS, len(rows))
        names = {call.id: call.name for row in rows for call in row.tool_calls}
        now, href, compiled = self._session.studio.now(), self._session.href, run.composed_from.memory_characters
        reading = chat.Reading(selection.row, selection.call, self._whole, now, href, compiled)
        missing = None
        if selection.row is not None and selection.row >= len(rows):
            missing = tag(
                "p", f"This run has no row {selection.row}; its last is row {len(rows) - 1}.", class_="warned"
            )
        return joined(
            missing,
            chat.chat(rows[self._first_row : end], names, reading),
            fragments.pager(self._first_row, end, len(rows), "rows"),
        )

    def _chosen(self, action: str, value: str) -> None:
        go = self._session.selection.go
        if action == "run":
            self._session.hush()
            go(run=value or None)
        elif action == "row":
            go(row=int(value), call=None)
        elif action == "other":
            go(agent=value, place=Place.RUNS, run=self._session.selection.run)
        elif action in ("prompt-version", "memory-version"):
            go(place=Place(action.removesuffix("-version")), version=int(value))
        elif action == "open-note":
            go(place=Place.NOTES, note=value)
        elif action == "whole":
            self._whole |= {value}
            self.show()
        elif action in ("previous-runs", "next-runs"):
            self._start = max((self._start or 0) + (PAGE_RUNS if action == "next-runs" else -PAGE_RUNS), 0)
            self.show()
        elif action in ("previous-rows", "next-rows"):
            self._first_row = max((self._first_row or 0) + (PAGE_ROWS if action == "next-rows" else -PAGE_ROWS), 0)
            self.show()


def _no_runs(agent: Agent) -> Html:
    command = f"studio run create {agent.id} --kind direct --message “…”"
    return nothing(
        f"{agent.name} has not run yet. A runtime creates runs through the Python API, and at the shell this does:",
        tag("pre", tag("code", command), class_="command", tabindex=0),
    )
