"""The list of agents at the left of the page, and the page of a store that has none."""

from collections.abc import Callable, Sequence
from itertools import groupby

from studio.domain.agents import AgentSummary, Layout
from studio.domain.memory import MEMORY_CAP_CHARACTERS
from studio.render.icons import icon
from studio.render.tags import Html, joined, tag

Href = Callable[..., str]
"""The address of the view with these changes."""

NEAR_CAP = 0.9
"""From this share of the cap on, a memory is called near it."""


def search_box(words: str) -> Html:
    """Where agents are searched; `/` goes there."""
    field = tag(
        "input",
        type="search",
        name="find",
        value=words,
        placeholder="Find an agent",
        aria_label="Find an agent by name, id, focus or guild",
        autocomplete="off",
        data_do="find",
        data_key="find",
        data_shortcut="/",
    )
    return tag("div", icon("search"), field, tag("kbd", "/", aria_hidden="true"), class_="search")


def agent_list(
    agents: Sequence[AgentSummary], chosen: str | None, *, words: str, found: int, page: int, pages: int, href: Href
) -> Html:
    """One page of agents under their guilds.

    Args:
        agents: the page, by guild and name.
        chosen: id of the agent that is open.
        words: what was searched for.
        found: how many agents the search finds on all pages.
        page: this page, from 1.
        pages: how many there are.
        href: makes addresses.
    """
    if not agents and not words:
        return tag("p", "Agents will be listed here.", class_="total nothing-yet")
    if not agents:
        hint = f"No agent has all the words of “{words}” in its name, id, focus or guild."
        clear = tag("button", "Show all agents", type="button", class_="quiet", data_do="find", data_value="")
        return tag("div", tag("p", hint), clear, class_="nothing")
    groups = [
        joined(
            tag("h2", guild or "No guild"), tag("ul", *[_agent(one, one.agent.id == chosen, href) for one in members])
        )
        for guild, members in groupby(agents, key=lambda one: one.agent.guild_name)
    ]
    return tag(
        "div", *groups, _pager(found, page, pages, href), class_="agents", data_reveal=True, data_scroll="agents"
    )


def _agent(summary: AgentSummary, chosen: bool, href: Href) -> Html:  # noqa: FBT001 - one fact of a row
    agent = summary.agent
    link = tag(
        "a",
        tag("span", tag("span", agent.name, class_="name"), *_badges(summary), class_="line"),
        tag("span", agent.focus or agent.id, class_="focus"),
        href=href(agent=agent.id),
        aria_current="page" if chosen else None,
        data_do="agent",
        data_value=agent.id,
        data_key=f"agent-{agent.id}",
    )
    return tag("li", link)


def left_out(broken: int, over: int) -> list[Html]:
    """Badges that count the broken links and the embeds over the budget of a live Task."""
    badges = []
    if broken:
        words = f"{broken:,} broken link{'' if broken == 1 else 's'}"
        badges.append(tag("span", words, class_="badge strong", title="The live Task embeds what is not there"))
    if over:
        words = f"{over:,} embed{'' if over == 1 else 's'} over budget"
        badges.append(tag("span", words, class_="badge strong", title="The live Task embeds more than a prompt takes"))
    return badges


def _badges(summary: AgentSummary) -> list[Html]:
    badges = left_out(summary.broken_links, summary.over_budget)
    if summary.has_draft:
        badges.append(tag("span", "draft", class_="badge accent", title="A Task draft waits"))
    characters = summary.memory_characters if summary.agent.layout is Layout.ARTIFACT else 0  # memory_write has the cap
    if characters > MEMORY_CAP_CHARACTERS:
        badges.append(tag("span", "over cap", class_="badge strong", title=_size(characters)))
    elif characters >= NEAR_CAP * MEMORY_CAP_CHARACTERS:
        share = characters * 100 // MEMORY_CAP_CHARACTERS
        badges.append(tag("span", f"{share} %", class_="badge warm", title=f"Memory near its cap: {_size(characters)}"))
    if not summary.agent.config.memory:
        badges.append(tag("span", "no memory", class_="badge", title="Memory is off"))
    return badges


def _size(characters: int) -> str:
    return f"{characters:,} of {MEMORY_CAP_CHARACTERS:,} characters"


def _pager(found: int, page: int, pages: int, href: Href) -> Html:
    total = f"{found:,} agent{'' if found == 1 else 's'}"
    if pages <= 1:
        return tag("p", total, class_="total")
    return tag(
        "nav",
        _page_link("Previous", page - 1, href, off=page <= 1),
        tag("span", f"{page} of {pages} · {total}"),
        _page_link("Next", page + 1, href, off=page >= pages),
        class_="pager",
        aria_label="Pages of agents",
    )


def _page_link(label: str, page: int, href: Href, *, off: bool) -> Html:
    if off:
        return tag("span", label, class_="off", aria_hidden="true")
    return tag("a", label, href=href(page=page), data_do="page", data_value=page, data_key=f"page-{label}")


def empty_store(path: str) -> Html:
    """The whole page of a store without agents: what to do next."""
    return tag(
        "div",
        tag("h1", "No agents yet"),
        tag("p", "This store is empty: ", tag("code", path)),
        tag("h2", "Bring a history you have"),
        tag("p", "Any prompt or memory file of a git repository, with every version and who wrote it:"),
        _command("studio import git REPO --path CLAUDE.md --agent NAME"),
        tag("h2", "Or start a new agent"),
        tag("p", "Its Task is the focus you give, its memory is empty until a run or you write it:"),
        _command('studio agents create NAME --focus "What it is for"'),
        tag(
            "p",
            "Type it in a second terminal, where STUDIO_DB names this store, and reload the page: this server stays as it is.",
            class_="aside-note",
        ),
        class_="welcome",
    )


def _command(line: str) -> Html:
    return tag("pre", tag("code", line), class_="command", tabindex=0)
