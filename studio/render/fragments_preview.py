"""The composed message as a model gets it, section by section, with what it is made of."""

from collections.abc import Sequence

from studio.domain.compose import REGISTERED_FLAGS, Prompt, Section
from studio.domain.guidelines import Flag
from studio.domain.run_kinds import RunKind
from studio.domain.sections import Neutralised
from studio.render.fragments_agents import Href
from studio.render.fragments_head import button
from studio.render.tags import Html, joined, tag, text

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English; every tokenizer differs, so what it gives is shown as an estimate."""
_KINDS = {RunKind.DIRECT: "Direct run", RunKind.GROUP: "Group chat", RunKind.SCHEDULE: "Schedule wake-up"}
_MOST_RAW_CHARACTERS = 300_000


def preview_bar(
    prompt: Prompt | None,
    *,
    kind: RunKind,
    shown: str,
    source: str,
    registered: frozenset[Flag],
    draft: bool,
    href: Href,
) -> Html:
    """For which run it is composed, how large it is, and what can be done with it."""
    kinds = [way("kind", str(one), label, str(kind), href) for one, label in _KINDS.items()]
    forms = [way("shown", value, label, shown, href) for value, label in (("rendered", "By section"), ("raw", "Raw"))]
    sources = [
        way("source", value, label, source, href) for value, label in (("live", "Live Task"), ("draft", "Draft"))
    ]
    made = None
    if prompt is not None:
        tools = ", ".join(prompt.tools) or "no tools of ours"
        of = prompt.made_of
        memory = f"memory version {of.memory_version}" if of.memory_version else "no memory"
        task = "the draft of the Task" if source == "draft" and draft else f"Task version {of.task_version}"
        made = tag("p", f"Made of {task}, {memory} and system.md. Offers {tools}.", class_="by")
    return tag(
        "div",
        tag(
            "div",
            tag("div", tag("h2", "What the model gets"), made),
            tag("div", button("Copy", "copy", quiet=True), button("Download", "download", quiet=True), class_="actions")
            if prompt
            else None,
            class_="top",
        ),
        tag(
            "div",
            _group("Kind of run", kinds),
            _registered(registered, href),
            _group("Form", forms),
            _group("Which Task", sources) if draft else None,
            class_="ways",
        ),
        class_="opened",
    )


def way(name: str, value: str, label: str, chosen: str, href: Href) -> Html:
    """A link that chooses one of a few ways to see a prompt, marked where it is chosen."""
    return tag(
        "a",
        label,
        href=href(**{name: value}),
        aria_current="true" if value == chosen else None,
        data_do=name,
        data_value=value,
        data_key=f"{name}-{value}",
    )


def _registered(registered: frozenset[Flag], href: Href) -> Html:
    """Which tools of its own the runtime is taken to have registered (decision 21)."""
    label = tag("span", "Runtime has", class_="switch-label", aria_hidden="true")
    links = [_flag(one, registered, href) for one in sorted(REGISTERED_FLAGS)]
    return _group("Tools that the runtime registers", [label, *links])


def _flag(flag: Flag, registered: frozenset[Flag], href: Href) -> Html:
    """One kind of tools of a runtime's own, on or off."""
    chosen = ",".join(sorted(registered ^ {flag}))
    return tag(
        "a",
        str(flag),
        href=href(flags=chosen),
        aria_current="true" if flag in registered else None,
        data_do="flags",
        data_value=chosen,
        data_key=f"flag-{flag}",
    )


def _group(label: str, links: Sequence[Html]) -> Html:
    return tag("div", *links, class_="switch", role="group", aria_label=label)


def sizes(prompt: Prompt) -> Html:
    """How large the message is and which section takes how much of it."""
    total = len(prompt.text)
    bars = [
        tag(
            "span",
            class_=f"share {section.name}",
            style=f"flex:{section.characters}",
            title=f"{section.name}: {_share(section, total)}",
        )
        for section in prompt.sections
    ]
    words = joined(
        tag("strong", f"{total:,}"),
        f" characters, ≈ {_tokens(total):,} tokens (an estimate: characters ÷ {CHARACTERS_PER_TOKEN})",
    )
    return tag("div", tag("p", words), tag("div", *bars, class_="shares", aria_hidden="true"), class_="weight")


def _share(section: Section, total: int) -> str:
    return f"{section.characters * 100 / total:.0f} %"


def _tokens(characters: int) -> int:
    return -(-characters // CHARACTERS_PER_TOKEN)


def sections(prompt: Prompt) -> Html:
    """Every section, folded or not, with its size and share."""
    total = len(prompt.text)
    return tag("div", *[_section(prompt, one, total) for one in prompt.sections], class_="sections")


def _section(prompt: Prompt, section: Section, total: int) -> Html:
    summary = tag(
        "summary",
        tag("span", class_=f"dot {section.name}", aria_hidden="true"),
        tag("span", f"<{section.name}>", class_="tag-name"),
        tag(
            "span",
            f"{section.characters:,} characters · {_share(section, total)} · ≈ {_tokens(section.characters):,} tokens",
            class_="size",
        ),
    )
    body = tag("pre", text(prompt.text[section.start : section.end]), tabindex=0, aria_label=f"Section {section.name}")
    return tag("details", summary, body, open=True, data_key=f"section-{section.name}")


def raw(prompt: Prompt) -> Html:
    """The whole message as one text."""
    shown = prompt.text[:_MOST_RAW_CHARACTERS]
    cut = len(prompt.text) - len(shown)
    note = (
        tag("p", f"{cut:,} more characters are not shown; copy or download has them all.", class_="by") if cut else None
    )
    return joined(tag("pre", text(shown), class_="raw", tabindex=0, aria_label="The whole message"), note)


def neutralised(places: Sequence[tuple[Neutralised, int | None]]) -> Html | None:
    """Each tag of the prompt's own sections that a stored text holds and that was made harmless (decision 20).

    Args:
        places: the places, each with the line of its source where it stands, from 1, where that is known.
    """
    if not places:
        return None
    count = len(places)
    heading = (
        f"{count} {'tag was' if count == 1 else 'tags were'} made harmless in this copy; the stored text is untouched"
    )
    rows = [
        tag(
            "tr",
            tag("td", place.source),
            tag("td", (f"line {line:,}, " if line else "") + f"character {place.start + 1:,}"),
            tag("td", tag("code", place.tag)),
        )
        for place, line in places
    ]
    headings = tag("tr", *[tag("th", words, scope="col") for words in ("In", "Where", "Tag")])
    return tag(
        "details",
        tag("summary", heading),
        tag("table", tag("thead", headings), tag("tbody", *rows)),
        open=True,
        class_="ledger",
        data_key="ledger",
    )


def warnings(sentences: Sequence[str]) -> Html | None:
    """What an operator should know about this prompt."""
    if not sentences:
        return None
    return tag("ul", *[tag("li", words) for words in sentences], class_="warned")


def cannot_compose(words: str) -> Html:
    """Why there is no message; everything else about the agent still works."""
    return tag(
        "div",
        tag("h3", "The prompt cannot be composed"),
        tag("p", words),
        tag("p", "No run can be created until then. Memory and Task can be read and edited as usual.", class_="by"),
        class_="nothing problem",
        role="alert",
    )
