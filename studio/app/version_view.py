"""One opened version, used by Memory and by Prompt: its change or the whole of it, compare, restore."""

from collections.abc import Callable, Collection, Sequence

from studio.app.elements import Fragment
from studio.app.selection import Layout, Place, Shown, View
from studio.app.session import Session
from studio.domain.authors import operator
from studio.domain.changes import TextKind
from studio.domain.comparison import Ignored, base_of, ignoring, no_diff
from studio.domain.diff import Diff
from studio.domain.timeline import Status, Version
from studio.errors import StudioError
from studio.render import fragments_version as fragments
from studio.render.fragments import diff_side_by_side, diff_unified, message, whole_binary, whole_raw, whole_rendered
from studio.render.fragments_head import button, nothing
from studio.render.tags import Html, joined

_SHORTENED = ("Long: the first", "Long lines are cut")
"""How a fragment begins to say that it shows a part; in a text of someone's own these words only cost a button too many."""


class VersionView:
    """Fills a bar and a body with one version; the view that owns it calls `show` and passes on what was chosen."""

    def __init__(self, session: Session, text: TextKind, bar: Fragment, body: Fragment) -> None:
        self._session = session
        self._text = text
        self._bar = bar
        self._body = body
        self._all_lines = False
        self._versions: tuple[Version, ...] = ()
        self._actions: Sequence[Html] = ()
        self._writable = True
        session.selection.param.watch(self._short_again, ["agent", "place", "version", "against", "view"])

    def show(self, versions: tuple[Version, ...], actions: Sequence[Html] = (), *, writable: bool = True) -> None:
        """Show the selected version, or the live one.

        Args:
            versions: all versions of the text, newest first.
            actions: buttons of the owner, shown for the live version.
            writable: whether the text can be written as a whole; otherwise the owner's buttons stand in place of a restore.
        """
        self._versions, self._actions, self._writable = versions, actions, writable
        selection = self._session.selection
        try:
            version = self._pick(selection.version) if selection.version else versions[0]
            against = self._pick(selection.against) if selection.against else base_of(versions, version.number)
        except StudioError as error:
            self._bar.html = ""
            self._body.html = nothing(str(error), button("Open the live version", "version"))
            return
        self._bar.html = fragments.opened(
            version,
            against,
            versions,
            chosen=selection.against is not None,
            now=self._session.studio.now(),
            view=selection.view,
            layout=self._session.layout,
            shown=selection.shown,
            blanks=selection.blanks,
            actions=[*self._open_step(version), *(actions if version.live or not writable else self._restore(version))],
            href=self._session.href,
        )
        size = version.characters + (against.characters if against and selection.view == View.CHANGE else 0)
        self._session.show(self._body, size, self._maker(version, against))

    def handle(self, action: str, value: str) -> bool:
        """Do what was chosen in the bar or the body; False where that is the owner's to do."""
        go = self._session.selection.go
        if action in ("view", "layout", "shown", "blanks"):
            go(**{action: type(getattr(self._session.selection, action))(value)})
        elif action == "against":
            go(against=int(value) if value else None)
        elif action == "version":
            go(version=int(value) if value else None)
        elif action == "all-lines":
            self._all_lines = True
            self.show(self._versions, self._actions, writable=self._writable)
        elif action == "restore":
            self._ask_restore(int(value))
        elif action == "open-step":
            step = self._session.studio.open_step(self._agent(), int(value))
            go(place=Place.RUNS, run=step.run, row=step.position, call=step.call)
        else:
            return False
        return True

    def change(self, change: Diff, old_name: str, new_name: str, *, most_lines: int | None = 400) -> str:
        """A change in the layout that the page has."""
        draw = diff_unified if self._session.layout is Layout.UNIFIED else diff_side_by_side
        return draw(change, old_name=old_name, new_name=new_name, most_lines=most_lines)

    def _short_again(self, *_: object) -> None:
        self._all_lines = False

    def _pick(self, number: int) -> Version:
        studio, agent = self._session.studio, self._agent()
        found = next((version for version in self._versions if version.number == number), None)
        if found is None:  # let the store say it in its own words
            read = studio.get_memory_version if self._text is TextKind.MEMORY else studio.get_task_version
            return read(agent, number).version
        return found

    def _agent(self) -> str:
        agent = self._session.agent()
        return agent.id if agent else ""

    def _maker(self, version: Version, against: Version | None) -> Callable[[], str]:
        """What makes the body; it may run beside the event loop, so it is told everything now."""
        selection, agent, all_lines = self._session.selection, self._agent(), self._all_lines
        if selection.view == View.CHANGE:
            chosen = against.number if against and selection.against else None
            ignored = selection.blanks.ignored
            return lambda: self._change(agent, version, chosen, ignored, all_lines=all_lines)
        raw = selection.shown == Shown.RAW
        return lambda: self._whole(agent, version, raw=raw, all_lines=all_lines)

    def _change(
        self, agent: str, version: Version, against: int | None, ignored: Collection[Ignored], *, all_lines: bool
    ) -> str:
        studio = self._session.studio
        read = studio.compare_memory if self._text is TextKind.MEMORY else studio.compare_task
        compared = ignoring(read(agent, version.number, against), ignored)
        if compared.diff is None:
            return message(no_diff(compared))
        if compared.diff.is_empty and not version.characters and compared.old is None:
            return nothing("This version is empty: nothing was written yet.")
        old_name = f"version {compared.old.number}" if compared.old else "nothing"
        most = None if all_lines else 400
        made = self.change(compared.diff, old_name, f"version {version.number}", most_lines=most)
        return self._with_rest(made, all_lines=all_lines)

    def _whole(self, agent: str, version: Version, *, raw: bool, all_lines: bool) -> str:
        studio = self._session.studio
        read = studio.get_memory_version if self._text is TextKind.MEMORY else studio.get_task_version
        body = read(agent, version.number).body
        most = None if all_lines else 400
        if version.status is Status.DELETED:
            return message("The file was deleted with this version; it has no text.")
        if version.stand_in:
            return message(f"The file holds {version.stand_in}; the text of this version is not here.")
        if body.binary:
            return self._with_rest(whole_binary(body, most_lines=most), all_lines=all_lines)
        if not body.text:
            return nothing("This version is empty: no character is in it.")
        if raw:
            return self._with_rest(whole_raw(body.text, most_lines=most), all_lines=all_lines)
        return whole_rendered(body.text)

    def _with_rest(self, made: str, *, all_lines: bool) -> str:
        """With a button for the rest, where a part is not shown."""
        if all_lines or not any(words in made for words in _SHORTENED):
            return made
        return joined(Html(made), button("Show all lines", "all-lines", quiet=True))

    # --- open step and restore ---

    def _open_step(self, version: Version) -> list[Html]:
        """The way to the call that wrote a version of the memory, where a run did."""
        if self._text is not TextKind.MEMORY or version.run is None:
            return []
        return [button("Open step", "open-step", value=str(version.number), quiet=True)]

    def _restore(self, version: Version) -> list[Html]:
        if not version.status.holds_text or version.binary:
            return []
        label = f"Restore version {version.number} as version {self._versions[0].number + 1}"
        return [button(label, "restore", value=str(version.number), quiet=True)]

    def _ask_restore(self, number: int) -> None:
        live = self._versions[0]
        what = "memory" if self._text is TextKind.MEMORY else "Task"
        self._session.ask(
            f"Restore version {number}?",
            f"Its text becomes version {live.number + 1} of the {what}, by {operator(self._session.studio.operator)}. "
            f"Version {live.number}, live now, stays in the timeline.",
            yes=f"Restore version {number} as version {live.number + 1}",
            no="Cancel",
            then=lambda: self._do_restore(number, live),
        )

    def _do_restore(self, number: int, live: Version) -> None:
        studio = self._session.studio
        write = studio.restore_memory if self._text is TextKind.MEMORY else studio.restore_task

        def restore(yes_to: tuple[str, ...]) -> None:
            saved = write(self._agent(), number, expect=live.sha256, yes_to=yes_to)
            self._session.selection.wrote(version=None)
            self._session.say(
                f"Restored version {number} as version {saved.version}."
                if saved.changed
                else f"Nothing changed: version {number} holds the text that is live.",
            )

        self._session.guarded(lambda *_: self._session.ask_first("Restore", "Cancel", restore))("restore", "")
