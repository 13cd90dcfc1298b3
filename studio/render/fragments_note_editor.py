"""Writing a note: the bar above its editor, what is set beside its text, and what is said when it changed meanwhile."""

from collections.abc import Sequence
from datetime import datetime

from studio.domain.notes import NoteFacts
from studio.render.fragments_head import button, who
from studio.render.tags import Html, tag
from studio.render.times import exact, time


def editor_bar(facts: NoteFacts, *, characters: int, changed: bool) -> Html:
    """The bar above the editor of a note."""
    state = "unsaved changes" if changed else "nothing changed yet"
    return tag(
        "div",
        tag(
            "div",
            tag("div", tag("h2", f"Edit {facts.title}"), tag("p", tag("code", facts.path), f" · {state}", class_="by")),
            tag(
                "div",
                button("Discard changes" if changed else "Close editor", "close-editor", quiet=True),
                button("Save note", "save", off=not changed),
                class_="actions",
            ),
            class_="top",
        ),
        tag("p", f"{characters:,} characters", class_="counter"),
        class_="opened editing",
    )


def title_form(title: str) -> Html:
    """Where a note's title is set."""
    return tag("div", _title_field(title), class_="note-form")


def _title_field(title: str) -> Html:
    field = tag(
        "input",
        type="text",
        name="title",
        value=title,
        data_do="title",
        data_key="title",
        placeholder="The first heading, else the file name",
    )
    return tag("label", tag("span", "Title"), field, class_="field wide")


def new_form(levels: Sequence[tuple[str, str]], level: str, path: str) -> Html:
    """Where a new note's level, path and title are set.

    Args:
        levels: value and label of each level there is.
        level: the one that is chosen.
        path: what the path begins with there.
    """
    options = [tag("option", label, value=value, selected=value == level) for value, label in levels]
    chosen = tag("select", *options, name="level", data_do="level", data_key="level")
    field = tag("input", type="text", name="path", value=path, data_do="path", data_key="path", spellcheck="false")
    return tag(
        "div",
        tag(
            "div",
            tag("h2", "New note"),
            tag("div", button("Cancel", "close-editor", quiet=True), button("Create note", "create"), class_="actions"),
            class_="top",
        ),
        tag("label", tag("span", "Level"), chosen, class_="field"),
        tag("label", tag("span", "Path"), field, class_="field wide"),
        _title_field(""),
        class_="opened note-form",
    )


def move_form(path: str) -> Html:
    """Where a note's new path is set."""
    field = tag("input", type="text", name="to", value=path, data_key="to", spellcheck="false")
    return tag(
        "div",
        tag("label", tag("span", "New path"), field, class_="field wide"),
        tag(
            "div",
            button("Cancel", "close-move", quiet=True),
            button("Move note", "do-move", data_from="to"),
            class_="answers",
        ),
        class_="note-form boxed",
    )


def changed_meanwhile(facts: NoteFacts, now: datetime) -> Html:
    """The note changed since the editor was opened: by whom, and the ways on."""
    words = tag(
        "p",
        tag("strong", "The note changed while you were editing."),
        " It was written by ",
        who(facts.updated_by),
        ", ",
        time(facts.updated_at, now),
        ". Your text is still in the editor; nothing was saved.",
    )
    ways = tag(
        "div",
        button("Compare with mine", "compare-mine", quiet=True),
        button("Take theirs", "take-theirs", quiet=True),
        button("Save mine over it", "keep-mine"),
        class_="answers",
    )
    return tag("div", words, ways, class_="stale", role="alert")


def compared_mine(facts: NoteFacts) -> Html:
    """Above the change from the note as it is now to what is in the editor."""
    return tag(
        "div",
        tag("h3", f"From the note of {exact(facts.updated_at)} to your text"),
        button("Hide", "hide-mine", quiet=True),
        class_="subhead",
    )
