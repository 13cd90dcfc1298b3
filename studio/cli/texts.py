"""What memory and Task share at the shell: lists, texts, patches and what a write says."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated

import typer

from studio.cli.output import note, visible, write_json, write_line, write_table, write_text
from studio.cli.session import Session
from studio.domain.alike import alike_lines
from studio.domain.archive import is_creation
from studio.domain.changes import Saved
from studio.domain.comparison import Ignored, compare, no_diff, read_ignored, without
from studio.domain.diff import diff
from studio.domain.moments import moment_shown
from studio.domain.patch import unified_patch
from studio.domain.records import Record, text_record
from studio.domain.timeline import Status, Version, VersionText
from studio.errors import BadArgument
from studio.render.wire import saved_record

AuthorOption = Annotated[
    str | None,
    typer.Option(
        "--author",
        metavar="AUTHOR",
        help="Only versions by run, operator, agent or unknown, or by one of them: operator:Ana.",
        show_default=False,
    ),
]
LimitOption = Annotated[
    int | None, typer.Option("--limit", metavar="N", min=1, help="How many versions at most.", show_default=False)
]
BeforeOption = Annotated[
    int | None,
    typer.Option("--before", metavar="N", help="Only versions with a smaller number.", show_default=False),
]
VersionOption = Annotated[
    int | None, typer.Option("--version", metavar="N", help="A version; else the live one.", show_default=False)
]


def _sha256(value: str | None) -> str | None:
    """A sha256 in lower case, as all of ours are."""
    if value is None or re.fullmatch("[0-9A-Fa-f]{64}", value):
        return value and value.lower()
    raise typer.BadParameter("it is no sha256, which has 64 hex digits")


ExpectOption = Annotated[
    str | None,
    typer.Option(
        "--expect",
        metavar="SHA256",
        callback=_sha256,
        help="sha256 of the text this one started from; refused where another is live.",
        show_default=False,
    ),
]


DraftExpectOption = Annotated[
    str | None,
    typer.Option(
        "--expect",
        metavar="SHA256",
        callback=_sha256,
        help="sha256 of the draft that was read; refused where there is another by now.",
        show_default=False,
    ),
]


def write_versions(
    versions: Sequence[Version],
    total: int,
    records: Sequence[Record] | None,
    *,
    beside: Mapping[int, str] | None = None,
) -> None:
    """A timeline, newest first: the records as JSON, or a table where there are none.

    Args:
        versions: what to list.
        total: how many there are without any filter; a table says how many it leaves out.
        records: the same versions as records, where JSON was asked for.
        beside: what else the row of a version says, by its number.
    """
    if records is not None:
        write_json(list(records))
        return
    headings = ("VERSION", "WRITTEN", "AUTHOR", "CHANGE", "CHARACTERS", "")
    write_table(headings, [_row(version, (beside or {}).get(version.number, "")) for version in versions])
    if len(versions) < total:
        note(f"{len(versions)} of {total} versions.")


def _row(version: Version, beside: str) -> tuple[str, ...]:
    """One line of the table."""
    counts = "bytes" if version.added is None else f"+{version.added} −{version.removed}"
    return (
        str(version.number),
        moment_shown(version.at),
        str(version.author),
        counts,
        f"{version.characters:,}",
        ", ".join(filter(None, [*_remarks(version), beside])),
    )


def _warn(version: Version) -> None:
    """Say beside a text that it is not what was stored."""
    if version.changed_outside:
        note(
            f"Version {version.number} was changed outside of Prompt Studio: {version.changed_outside};"
            " 'studio verify' says more."
        )


def _remarks(version: Version) -> list[str]:
    """What else a row should say."""
    remarks = ["live"] if version.live else []
    if version.changed_outside:
        remarks.append("changed outside")
    if version.stand_in:
        remarks.append(f"stand-in: {version.stand_in}")
    elif version.status not in (Status.ADDED, Status.MODIFIED):
        remarks.append(str(version.status))
    if version.origin and version.origin.copied:
        remarks.append(f"copied from {version.origin.old_path}")
    if version.binary:
        remarks.append("binary")
    if version.only_changed:
        remarks.append(f"only {version.only_changed}")
    if version.marks:
        remarks.append(f"unasked: {', '.join(version.marks)}")
    if version.occasion and is_creation(version.occasion):
        remarks.append(version.occasion)
    if version.note:
        remarks.append(version.note)
    return remarks


def _read_ignored(value: str) -> str:
    """What was given, if it names what a comparison can leave out."""
    try:
        read_ignored(value)
    except BadArgument as error:
        raise typer.BadParameter(error.message.rstrip(".")) from None
    return value


IgnoreOption = Annotated[
    str,
    typer.Option(
        "--ignore",
        metavar="WHAT,…",
        callback=_read_ignored,
        help=f"What to leave out of both texts: {' or '.join(Ignored)}, or both with a comma. git apply does not take that patch.",
        show_default=False,
    ),
]


def write_version(session: Session, version: VersionText) -> None:
    """One version: its stored bytes and nothing else, or its record with the text."""
    if session.json:
        write_json(text_record(version))
    else:
        write_text(version.body.content)
        _warn(version.version)
        if version.version.stand_in:
            note(f"Version {version.version.number} is {version.version.stand_in}; its text is not here.")


def write_patch(old: VersionText, new: VersionText, name: str, ignored: Collection[Ignored] = ()) -> None:
    """The unified patch from one version to another, which `git apply` takes; a deleted text reads as empty."""
    _warn(old.version)
    _warn(new.version)
    if (old.version.stand_in or new.version.stand_in) and old.version.sha256 != new.version.sha256:
        write_line(visible(no_diff(compare(old, new))))
        return
    if old.body.content == new.body.content:
        return
    if old.body.binary or new.body.binary:
        write_line(f"Binary files a/{name} and b/{name} differ")
        return
    before, after = (without(side.body.text or "", ignored) for side in (old, new))
    write_text(unified_patch(before, after, name).encode("utf-8"))
    for one in alike_lines(diff(before, after)):
        note(f"Line {one.old_line} and line {one.new_line} look the same: {one.says}.")


def write_saved(session: Session, saved: Saved, done: str = "Saved") -> None:
    """What a write did."""
    if session.json:
        write_json(saved_record(saved))
    elif saved.changed:
        write_line(f"{done} as version {saved.version}.")
    else:
        write_line(f"Nothing changed; version {saved.version} stays live.")
