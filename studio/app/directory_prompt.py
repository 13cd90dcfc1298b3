"""The compiled memory of a directory, its change between commits, and how much of the limits was used over time."""

from studio.app.elements import Fragment
from studio.app.selection import Layout
from studio.app.session import Session
from studio.domain.agents import Agent
from studio.domain.directory.survey import Survey
from studio.render.fragments import diff_side_by_side, diff_unified, whole_raw
from studio.render.fragments_directory import first_of_all, short
from studio.render.fragments_directory_headroom import headroom
from studio.render.fragments_directory_prompt import prompt_bar
from studio.render.fragments_head import button
from studio.render.tags import Html, joined

MOST_LINES = 400
"""How many lines are shown at first."""


class DirectoryPrompt:
    """Fills the bar and the body."""

    def __init__(self, session: Session, bar: Fragment, body: Fragment) -> None:
        self._session = session
        self._bar = bar
        self._body = body
        self.all_lines = False
        """Whether all of a long text is shown."""

    def show(self, agent: Agent, survey: Survey) -> None:
        """The compiled memory of the commit that is looked at, or its change from the one it is compared with."""
        selection, contents = self._session.selection, survey.contents
        compiled, directories = contents.compiled, self._session.studio.directories
        if not compiled.blocks:
            self._bar.html = ""
            self._session.put(self._body, first_of_all(survey) or "")
            return
        layout, compare = self._session.layout, selection.compare
        others = directories.history(agent.id)
        self._bar.html = prompt_bar(
            compiled, contents.commit, others, compare=compare, layout=layout, href=self._session.href
        )
        draw = diff_unified if layout is Layout.UNIFIED else diff_side_by_side
        most = None if self.all_lines else MOST_LINES

        def make() -> str:
            if compare is None:
                made = whole_raw(compiled.text, most_lines=most)
            else:
                change = directories.diff(agent.id, compare, contents.commit)
                old, new = f"commit {short(change.old)}", f"commit {short(change.new)}"
                made = draw(change.diff, old_name=old, new_name=new, most_lines=most)
            cut = most is not None and ("Long: the first" in made or "Long lines are cut" in made)
            return joined(Html(made), button("Show all lines", "all-lines", quiet=True)) if cut else made

        self._session.show(self._body, len(compiled.text), make)

    def show_headroom(self, agent: Agent) -> None:
        """How much of the limits was used after each commit; all texts there ever were are measured for it."""
        studio, href, name = self._session.studio, self._session.href, agent.id
        self._bar.html = ""
        self._session.show(
            self._body, None, lambda: headroom(studio.directories.headroom(name), now=studio.now(), href=href)
        )
