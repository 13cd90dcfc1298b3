"""The Prompt place: the draft of a Task, its review, and what publishing it would change."""

from collections.abc import Sequence
from datetime import datetime

from studio.domain.compose import Prompt
from studio.domain.drafts import ReplacedDraft, TaskDraft, TaskReview
from studio.domain.timeline import Version
from studio.render.fragments_head import button, who
from studio.render.tags import Html, joined, tag
from studio.render.times import time

SHOWN_CHARACTERS = 400
"""How much of a draft that can be brought back is shown."""


def draft_bar(
    live: Version, draft: TaskDraft | None, *, characters: int, changed: bool, now: datetime, review_off: bool
) -> Html:
    """The bar above the Task's editor.

    Args:
        live: the live Task.
        draft: the draft that is kept, or None.
        characters: how long the text in the editor is.
        changed: whether it differs from the live Task.
        now: the time, for relative times.
        review_off: whether there is nothing to review.
    """
    if draft is None:
        state: Html = tag(
            "p",
            f"This is version {live.number}, live. Type to start a draft; the live Task stays as it is.",
            class_="by",
        )
    else:
        kept = joined(
            "Draft from version ", draft.based_on, " by ", who(draft.author), ", kept ", time(draft.saved_at, now)
        )
        state = tag("p", kept, class_="by", role="status")
    return tag(
        "div",
        tag(
            "div",
            tag("div", tag("h2", "task.md"), state),
            tag(
                "div",
                button("Insert note", "insert-note", quiet=True),
                button("Insert table", "insert-table", quiet=True),
                button("Discard draft", "discard", quiet=True) if draft else None,
                button("Review", "review", off=review_off),
                class_="actions",
            ),
            class_="top",
        ),
        tag("p", f"{characters:,} characters", None if changed else " · same as the live Task", class_="counter"),
        class_="opened editing",
    )


def draft_row(draft: TaskDraft, *, current: bool, now: datetime, href: str) -> Html:
    """The draft as the first row of the Task's timeline."""
    return tag(
        "a",
        tag("span", tag("span", "Draft", class_="number"), who(draft.author), class_="line"),
        tag("span", f"from version {draft.based_on}, waits to be published", class_="occasion"),
        tag("span", time(draft.saved_at, now), class_="when"),
        href=href,
        aria_current="true" if current else None,
        class_="version draft",
        data_do="version",
        data_value="",
        data_key="version-draft",
    )


def review_bar(review: TaskReview, note: str, now: datetime) -> Html:
    """What is under review, and the buttons that settle it."""
    draft = review.draft
    label = f"Publish version {review.next_version}"
    stale = review.stale and review.changed
    return tag(
        "div",
        tag(
            "div",
            tag(
                "div",
                tag("h2", "Review the draft"),
                tag(
                    "p",
                    "by ",
                    who(draft.author),
                    ", from version ",
                    draft.based_on,
                    ", kept ",
                    time(draft.saved_at, now),
                    class_="by",
                ),
            ),
            tag("div", button("Back to the draft", "edit", quiet=True), class_="actions"),
            class_="top",
        ),
        _gone_on(review, now) if stale else _publish_row(label, note, off=not review.changed),
        None
        if review.changed
        else tag("p", "The draft is the same as the live Task, so there is nothing to publish.", class_="by"),
        class_="opened reviewing",
    )


def _publish_row(label: str, note: str, *, off: bool) -> Html:
    field = tag(
        "input",
        type="text",
        name="note",
        value=note,
        maxlength=500,
        data_do="note",
        data_key="note",
        placeholder="Why (optional)",
    )
    return tag(
        "div",
        tag("label", tag("span", "Note"), field, class_="field wide"),
        button(label, "publish", off=off, data_from="note"),
        class_="publish",
    )


def _gone_on(review: TaskReview, now: datetime) -> Html:
    live = review.live
    words = tag(
        "p",
        tag("strong", f"The Task went on to version {live.number}"),
        " by ",
        who(live.author),
        " ",
        time(live.at, now),
        f", after this draft was started from version {review.draft.based_on}. Nothing was published and the draft is kept.",
    )
    ways = tag(
        "div",
        button("Merge the two", "merge", quiet=True) if review.start_text is not None else None,
        button("Discard the draft, keep live", "discard", quiet=True),
        button(f"Publish the draft as version {review.next_version} anyway", "publish-anyway"),
        class_="answers",
    )
    return tag("div", words, ways, class_="stale", role="alert")


def will_ask(review: TaskReview) -> Html | None:
    """What publishing the draft will ask first (decision 39)."""
    if not review.questions:
        return None
    items = [tag("li", one.sentence) for one in review.questions]
    return tag("div", tag("p", tag("strong", "Publishing asks first")), tag("ul", *items), class_="warned asks")


def replaced_drafts(drafts: Sequence[ReplacedDraft], now: datetime) -> Html | None:
    """The drafts that can be brought back, the last to go first."""
    if not drafts:
        return None
    rows = [
        tag(
            "li",
            tag("p", who(one.draft.author), ", kept ", time(one.draft.saved_at, now), class_="by"),
            tag("p", "gone ", time(one.gone_at, now), " through ", who(one.gone_by), class_="by"),
            tag("pre", tag("code", one.draft.text[:SHOWN_CHARACTERS] or "empty"), tabindex=0),
            button("Bring this draft back", "bring-back", value=str(one.number), quiet=True),
        )
        for one in drafts
    ]
    count = f"{len(drafts)} earlier draft{'' if len(drafts) == 1 else 's'}"
    words = tag("summary", count, tag("span", " discarded, or replaced by somebody else's", class_="by"))
    return tag("details", words, tag("ul", *rows), class_="replaced", data_key="replaced")


def subhead(words: str) -> Html:
    """A heading within a review."""
    return tag("div", tag("h3", words), class_="subhead")


def prompt_change(before: Prompt, after: Prompt) -> Html:
    """How the composed prompt's sections grow or shrink with the draft."""
    old = {section.name: section.characters for section in before.sections}
    new = {section.name: section.characters for section in after.sections}
    names = list(dict.fromkeys([*old, *new]))
    rows = [_row(str(name), old.get(name, 0), new.get(name, 0)) for name in names]
    rows.append(_row("whole prompt", len(before.text), len(after.text), total=True))
    headings = [tag("th", words, scope="col") for words in ("Section", "Now", "With the draft", "Change")]
    return tag(
        "table",
        tag("caption", "Characters in the composed prompt of a direct run"),
        tag("thead", tag("tr", *headings)),
        tag("tbody", *rows),
        class_="sizes",
    )


def _row(name: str, before: int, after: int, *, total: bool = False) -> Html:
    change = f"{after - before:+,}".replace("-", "−") if after != before else "unchanged"
    return tag(
        "tr",
        tag("th", name, scope="row"),
        tag("td", f"{before:,}"),
        tag("td", f"{after:,}"),
        tag("td", change, class_=None if after == before else "moved"),
        class_="total" if total else None,
    )


def new_warnings(before: Prompt, after: Prompt) -> Html | None:
    """What the draft brings into the prompt that was not there: warnings and tags made harmless."""
    found: Sequence[str] = [words for words in after.warnings if words not in before.warnings]
    if len(after.neutralised) > len(before.neutralised):
        more = len(after.neutralised) - len(before.neutralised)
        found = [
            *found,
            f"{more} more of the prompt's own tags would be made harmless; the preview lists where they stand.",
        ]
    if not found:
        return None
    return tag("ul", *[tag("li", words) for words in found], class_="warned")
