"""`studio task`: an agent's Task, its draft and its history (decisions 30 and 31)."""

from typing import Annotated

import typer

from studio.cli.inputs import STANDARD_INPUT, FileArgument, YesToOption, read_new_text, words_of
from studio.cli.output import note, visible, write_json, write_line, write_table, write_text
from studio.cli.session import AgentArgument, Session, VersionArgument, command, noun
from studio.cli.texts import (
    AuthorOption,
    BeforeOption,
    DraftExpectOption,
    ExpectOption,
    IgnoreOption,
    LimitOption,
    VersionOption,
    write_patch,
    write_saved,
    write_version,
    write_versions,
)
from studio.domain.comparison import ignoring, read_ignored
from studio.domain.drafts import ReplacedDraft, TaskReview
from studio.domain.patch import unified_patch
from studio.domain.records import change_record
from studio.errors import NoDraft, NoReplacedDraft
from studio.render.wire import draft_record, replaced_draft_record, review_record, task_version_record

FILE_NAME = "task.md"
"""What the file is called in a patch."""

app = noun("An agent's Task, its draft and its history.")


@command(app, "show", example="studio task show scout > task.md")
def show_task(
    session: Session,
    *,
    agent: AgentArgument,
    version: VersionOption = None,
    draft: Annotated[bool, typer.Option("--draft", help="The draft that waits.")] = False,
) -> None:
    """Write a version's bytes, or the draft's, and nothing else."""
    if draft and version is not None:
        raise typer.BadParameter("give --version or --draft, not both", param_hint="options")
    with session.open() as studio:
        if not draft:
            write_version(session, studio.get_task_version(agent, version))
            return
        found = studio.get_task_draft(agent)
        name = studio.get_agent(agent).name
    if found is None:
        raise NoDraft(name)
    if session.json:
        write_json(draft_record(found) | {"text": found.text})
    else:
        write_text(found.text.encode("utf-8"))


@command(app, "list", example="studio task list scout")
def list_task(
    session: Session,
    agent: AgentArgument,
    author: AuthorOption = None,
    limit: LimitOption = None,
    before: BeforeOption = None,
) -> None:
    """List the versions, newest first, with their notes."""
    with session.open() as studio:
        found = studio.list_task_versions(agent, author=author, limit=limit, before=before)
        total = len(found) if session.json else len(studio.list_task_versions(agent))
    write_versions(found, total, [task_version_record(one) for one in found] if session.json else None)


@command(app, "diff", example="studio task diff scout 1 2")
def diff_task(
    session: Session,
    agent: AgentArgument,
    old: Annotated[int, typer.Argument(metavar="A", help="Number of the old version.", show_default=False)],
    new: Annotated[int, typer.Argument(metavar="B", help="Number of the new version.", show_default=False)],
    ignore: IgnoreOption = "",
) -> None:
    """Write the change from A to B as a patch. git apply takes it; it is empty where both are equal."""
    ignored = read_ignored(ignore)
    with session.open() as studio:
        if session.json:
            write_json(change_record(ignoring(studio.compare_task(agent, new, old), ignored)))
            return
        before, after = studio.get_task_version(agent, old), studio.get_task_version(agent, new)
    write_patch(before, after, FILE_NAME, ignored)


@command(app, "draft", example="studio task draft scout task.md")
def draft_task(
    session: Session,
    *,
    agent: AgentArgument,
    file: FileArgument = STANDARD_INPUT,
    based_on: Annotated[
        int | None,
        typer.Option(
            "--based-on",
            metavar="N",
            help="The version it starts from; else as before, or the live one.",
            show_default=False,
        ),
    ] = None,
    restore: Annotated[
        int | None,
        typer.Option(
            "--restore", metavar="N", help="In place of a FILE: a draft that 'task drafts' lists.", show_default=False
        ),
    ] = None,
    expect: DraftExpectOption = None,
    force: Annotated[bool, typer.Option("--force", help="Write over somebody else's draft.")] = False,
    yes_to: YesToOption = "",
) -> None:
    """Keep a text as the draft. The live Task stays as it is until the draft is published.

    A draft that somebody else keeps is not written over without --expect or --force, and can be brought back then with --restore.
    """
    if expect is not None and force:
        raise typer.BadParameter("give --expect or --force, not both", param_hint="options")
    if restore is not None and (file != STANDARD_INPUT or based_on is not None):
        raise typer.BadParameter("give --restore without FILE and --based-on", param_hint="'--restore'")
    with session.open() as studio:
        who = studio.get_agent(agent).id
    text = "" if restore is not None else read_new_text(file, yes_to)[0]
    with session.open() as studio:
        if restore is not None:
            draft = studio.restore_task_draft(who, restore, expect=expect, force=force)
        else:
            draft = studio.draft_task(who, text, based_on=based_on, expect=expect, force=force)
    if session.json:
        write_json(draft_record(draft))
    else:
        write_line(
            f"Draft kept; it starts from version {draft.based_on}. See 'studio task review' and 'studio task publish'."
        )


@command(app, "drafts", example="studio task drafts scout")
def list_drafts(
    session: Session,
    agent: AgentArgument,
    number: Annotated[
        int | None, typer.Argument(metavar="N", help="Write the text of this one.", show_default=False)
    ] = None,
) -> None:
    """List the drafts that can be brought back, or write one. They were discarded, or somebody else's replaced them.

    The newest 20 of each agent are kept; 'studio task draft AGENT --restore N' makes one the draft again.
    """
    with session.open() as studio:
        name, found = studio.get_agent(agent).name, studio.list_replaced_drafts(agent)
    chosen = next((one for one in found if one.number == number), None)
    if number is not None and chosen is None:
        raise NoReplacedDraft(name, number)
    if chosen is not None and session.json:
        write_json(replaced_draft_record(chosen) | {"text": chosen.draft.text})
    elif chosen is not None:
        write_text(chosen.draft.text.encode("utf-8"))
    elif session.json:
        write_json([replaced_draft_record(one) for one in found])
    elif found:
        write_table(("N", "BY", "KEPT", "GONE", "THROUGH", "CHARACTERS"), [_draft_row(one) for one in found])
    else:
        note("No draft was replaced or discarded.")


def _draft_row(one: ReplacedDraft) -> tuple[str, ...]:
    """One line of the table."""
    kept, gone = (f"{at:%Y-%m-%d %H:%M:%S} UTC" for at in (one.draft.saved_at, one.gone_at))
    return (str(one.number), str(one.draft.author), kept, gone, str(one.gone_by), f"{len(one.draft.text):,}")


@command(app, "review", example="studio task review scout")
def review_task(session: Session, agent: AgentArgument) -> None:
    """Write what publishing the draft would change. The patch goes to standard output, what would happen to standard error."""
    with session.open() as studio:
        review = studio.review_task(agent)
    if session.json:
        write_json(review_record(review))
        return
    write_text(unified_patch(review.live_text, review.draft.text, FILE_NAME).encode("utf-8"))
    note(visible(_outlook(review)))


def _outlook(review: TaskReview) -> str:
    """What publishing would do, in a sentence."""
    counts = review.against_live.counts
    if not review.changed:
        return f"Publishing changes nothing: version {review.live.number} holds this text."
    if review.stale:
        return (
            f"Publishing is refused: the draft starts from version {review.draft.based_on}, and version {review.live.number} by"
            f" {review.live.author} is live now; take its changes into the draft, then 'studio task publish --force'."
        )
    asked = "".join(f" {one.sentence}" for one in review.questions)
    words = ",".join(one.word for one in review.questions)
    way = f" 'studio task publish --yes-to {words}' says that it is meant." if asked else ""
    return f"Publishing makes version {review.next_version}: +{counts.added} −{counts.removed} lines.{asked}{way}"


@command(app, "publish", example='studio task publish scout --note "Name the new berths."')
def publish_task(
    session: Session,
    *,
    agent: AgentArgument,
    why: Annotated[
        str | None, typer.Option("--note", metavar="TEXT", help="Why, kept with the version.", show_default=False)
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Publish over a Task that is newer than the draft's start.")
    ] = False,
    yes_to: YesToOption = "",
) -> None:
    """Make the draft the live Task. The one it replaces is archived."""
    with session.open() as studio:
        saved = studio.publish_task(agent, note=why, force=force, yes_to=words_of(yes_to))
    write_saved(session, saved, done="Published")


@command(app, "restore", example="studio task restore scout 2")
def restore_task(
    session: Session,
    agent: AgentArgument,
    number: VersionArgument,
    expect: ExpectOption = None,
    *,
    yes_to: YesToOption = "",
) -> None:
    """Publish an old version's text as a new version. History only grows."""
    with session.open() as studio:
        saved = studio.restore_task(agent, number, expect=expect, yes_to=words_of(yes_to))
    write_saved(session, saved, done="Published")


@command(app, "discard", example="studio task discard scout")
def discard_draft(session: Session, agent: AgentArgument) -> None:
    """Drop the draft. The live Task stays as it is, and 'studio task drafts' lists what was dropped."""
    with session.open() as studio:
        studio.discard_task_draft(agent)
    if session.json:
        write_json({"discarded": True})
    else:
        write_line("Draft dropped.")
