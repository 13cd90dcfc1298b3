"""An explorer of timelines for notebooks: agent, author, version, and the change it brought."""

from collections.abc import Sequence
from typing import Any

import ipywidgets

from studio.actions.studio import Studio
from studio.domain.authors import AuthorCount, AuthorKind
from studio.domain.timeline import Version
from studio.errors import StudioError
from studio.notebook import formatters
from studio.render import fragments

ALL_AUTHORS = ""
"""The author filter that hides nothing."""
NO_VERSION = 0
"""The version where a filter leaves none; versions count from 1, and a slider can't be empty."""
MOST_AGENTS = 500
"""How many agents the list offers; name any other when making the explorer."""


class TimelineExplorer(ipywidgets.VBox):  # type: ignore[misc]
    """Look through the memory versions of agents.

    Every part is an ipywidget whose `value` can be set and observed: `agent` (id), `author` (empty for all, a kind, or `kind:name`),
    `version` (number; 0 where the filter leaves nothing), `note` and `change` (HTML, all text in it escaped). Reading happens when
    something is chosen, so an explorer shows what the store holds at that time.
    """

    def __init__(self, studio: Studio, agent: str | None = None) -> None:
        """Show an agent's newest version.

        Args:
            studio: an open store; it stays open as long as the explorer is used.
            agent: id or unique name; None is the first of the list.

        Raises:
            UnknownAgent: there is no such agent.
        """
        self._studio = studio
        chosen = studio.get_agent(agent) if agent is not None else None
        listed = [summary.agent for summary in studio.list_agents(limit=MOST_AGENTS)]
        if chosen is not None and chosen not in listed:
            listed.insert(0, chosen)
        twice = {one.name for one in listed if sum(other.name == one.name for other in listed) > 1}
        names = [(f"{one.name} ({one.id})" if one.name in twice else one.name, one.id) for one in listed]
        style = {"description_width": "5em"}
        wide = ipywidgets.Layout(width="min(40em, 100%)")
        self.agent = ipywidgets.Dropdown(options=names, description="Agent", style=style, layout=wide)
        self.author = ipywidgets.Dropdown(
            options=[("everyone", ALL_AUTHORS)], description="Author", style=style, layout=wide
        )
        self.version = ipywidgets.SelectionSlider(
            options=[("none", NO_VERSION)], description="Version", continuous_update=False, style=style, layout=wide
        )
        self.note = ipywidgets.HTML()
        self.change = ipywidgets.HTML()
        super().__init__([self.agent, self.author, self.version, self.note, self.change])
        if chosen is not None:
            self.agent.value = chosen.id
        self.agent.observe(self._agent_chosen, "value")
        self.author.observe(self._author_chosen, "value")
        self.version.observe(self._version_chosen, "value")
        self._agent_chosen()

    def __repr__(self) -> str:
        author = self.author.value or "everyone"
        return f"TimelineExplorer(agent={self.agent.label!r}, author={author!r}, version={self.version.value})"

    def _agent_chosen(self, _: object = None) -> None:
        """Offer the agent's authors; a filter that this agent knows stays chosen."""
        if self.agent.value is None:
            self._say("There is no agent in this store yet.")
            return
        before = self.author.value
        try:
            options = author_options(self._studio.list_memory_authors(self.agent.value))
        except StudioError as error:  # such as a memory directory that is not there any more
            self._offer(self.author, self._author_chosen, [("everyone", ALL_AUTHORS)], ALL_AUTHORS)
            self._nothing(str(error))
            return
        kept = before if before in {value for _, value in options} else ALL_AUTHORS
        self._offer(self.author, self._author_chosen, options, kept)
        self._author_chosen()

    def _author_chosen(self, _: object = None) -> None:
        """Offer the versions that the filter leaves, oldest left, and choose the newest."""
        author = self.author.value or None
        try:
            versions = self._studio.list_memory_versions(self.agent.value, author=author)
        except StudioError as error:
            self._nothing(str(error))
            return
        options: list[tuple[str, int]] = [(str(one.number), one.number) for one in reversed(versions)]
        options = options or [("none", NO_VERSION)]
        self._offer(self.version, self._version_chosen, options, options[-1][1])
        self.version.disabled = not versions
        self._version_chosen()

    def _version_chosen(self, _: object = None) -> None:
        """Show who brought the version, and its change."""
        hidden = self._hidden()
        if self.version.value == NO_VERSION:
            self._say(f"No version is by {self.author.label.rsplit(' (', 1)[0]}. {hidden}".strip())
            return
        try:
            comparison = self._studio.compare_memory(self.agent.value, self.version.value)
        except StudioError as error:  # pruned since it was listed
            self._say(str(error))
            return
        self._say(f"{_occasion(comparison.new)} {hidden}".strip(), formatters.comparison_html(comparison))

    def _nothing(self, words: str) -> None:
        """There is no version to choose, and why."""
        self._offer(self.version, self._version_chosen, [("none", NO_VERSION)], NO_VERSION)
        self.version.disabled = True
        self._say(words)

    def _hidden(self) -> str:
        """How many versions the filter hides."""
        kept = len(self._studio.list_memory_versions(self.agent.value))
        shown = 0 if self.version.value == NO_VERSION else len(self.version.options)
        return f"The filter hides {kept - shown} of {kept} versions." if kept > shown else ""

    def _say(self, words: str, change: str = "") -> None:
        self.note.value = fragments.with_style(fragments.message(words, theme=fragments.Theme.AUTO)) if words else ""
        self.change.value = fragments.with_style(change) if change else ""

    @staticmethod
    def _offer(widget: Any, observer: Any, options: Sequence[tuple[str, Any]], value: object) -> None:  # noqa: ANN401 - ipywidgets has no types
        """Give a list new options and a choice, as one change that its own observer does not see half done."""
        widget.unobserve(observer, "value")
        widget.options = options
        widget.value = value
        widget.observe(observer, "value")


def author_options(counts: Sequence[AuthorCount]) -> list[tuple[str, str]]:
    """What the author filter offers, label and filter: everyone, the four kinds, then each author by name, with their versions."""
    kinds = {kind: sum(count.versions for count in counts if count.author.kind is kind) for kind in AuthorKind}
    options = [(f"everyone ({sum(kinds.values())})", ALL_AUTHORS)]
    options += [(f"any {kind} ({versions})", str(kind)) for kind, versions in kinds.items()]
    named = [count for count in counts if count.author.name is not None]
    return options + [(f"{count.author} ({count.versions})", count.author.key) for count in named]


def _occasion(version: Version) -> str:
    """What brought the version about, where that is recorded."""
    if not version.occasion:
        return "Nothing is recorded of how this version came about."
    return f"It came about by {version.occasion}."
