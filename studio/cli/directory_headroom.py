"""`studio dir headroom`: how much of a directory's limits was used over time."""

from typing import Annotated

import typer

from studio.actions.directory import checking, tending
from studio.cli.directory_group import dir_group
from studio.cli.directory_whose import (
    WhoseArgument,
    agents_directory,
    is_repository,
    missing_index,
    note_missing_index,
)
from studio.cli.output import note, visible, write_json, write_table
from studio.cli.session import Session, command
from studio.domain.directory.limits import Gauge
from studio.domain.directory.state import Headroom
from studio.domain.moments import moment_shown
from studio.render.wire_directory_state import headroom_record


@command(dir_group, "headroom", example="studio dir headroom researcher --limit 10")
def headroom(
    session: Session,
    whose: WhoseArgument,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="How many commits at most.", show_default=False)
    ] = None,
) -> None:
    """List how much of each limit was used after every commit that changed memory or the limits, newest first."""
    if is_repository(whose):
        found, why = tending.read_repository_headroom(whose), checking.missing_index(whose)
    else:
        with agents_directory(session) as studio:
            found, why = studio.directories.headroom(whose), missing_index(studio, whose)
    note_missing_index(why)
    listed = found[::-1][:limit]
    if session.json:
        write_json([headroom_record(one) for one in listed])
        return
    if lacks := sum(one.lacking > 0 for one in listed):
        note(
            f"This copy lacks texts of {lacks} of these commits, which count as empty; fetch them to know how much is used."
        )
    write_table(("COMMIT", "WRITTEN", "ALL ROOT FILES", "FULLEST FILE", "", "DEPTH"), [_row(one) for one in listed])
    if len(listed) < len(found):
        note(f"{len(listed)} of {len(found)} commits.")


def _row(one: Headroom) -> tuple[str, ...]:
    gauges = {gauge.limit_of: gauge for gauge in one.gauges}
    file, depth = gauges.get("file"), gauges.get("depth")
    return (
        one.commit[:10],
        moment_shown(one.at),
        _used(gauges["core"]),
        _used(file) if file else "",
        visible(file.path) if file else "",
        f"{depth.used} of {depth.limit}" if depth else "",
    )


def _used(gauge: Gauge) -> str:
    """Code points of how many, and the share where there is a cap."""
    if gauge.limit is None:
        return f"{gauge.used:,}, no cap"
    return f"{gauge.used:,} of {gauge.limit:,} ({gauge.share:.0%})"
