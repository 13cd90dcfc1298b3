"""How much of a directory's limits was used over time: a small drawing, and the same in a table."""

from collections.abc import Sequence
from datetime import datetime

from studio.domain.directory.limits import Gauge
from studio.domain.directory.lint.run import NEAR_LIMIT_SHARE
from studio.domain.directory.state import Headroom
from studio.render.fragments_agents import Href
from studio.render.fragments_directory import meter, short, shown_name
from studio.render.fragments_head import nothing
from studio.render.tags import Html, joined, tag
from studio.render.times import time

MOST_ROWS = 100
"""How many commits the table lists."""
MOST_POINTS = 400
"""How many commits the drawing has points for; of more, every so many-th and the last."""
_WIDTH, _HEIGHT, _LEFT, _TOP = 480, 150, 44, 10
"""Of the drawing, in its own units; left and top are the margins."""


def headroom(over_time: Sequence[Headroom], *, now: datetime, href: Href) -> Html:
    """The use of the limits after each commit, oldest first as given; the table is newest first."""
    if not over_time:
        return nothing("No commit of this history holds memory yet, so no limit was ever used.")
    rows = [_row(one, now, href) for one in reversed(over_time[-MOST_ROWS:])]
    names = ("Commit", "When", "All root files together", "Fullest file", "Depth")
    head = tag("thead", tag("tr", *[tag("th", name, scope="col") for name in names]))
    more = len(over_time) - MOST_ROWS
    words = f"The newest {MOST_ROWS} of {len(over_time):,} commits that changed memory or the limits"
    title = tag("h3", words if more > 0 else "Commits that changed memory or the limits, newest first")
    made = tag("table", head, tag("tbody", *rows), class_="records headroom")
    box = tag("div", made, class_="wide-table", tabindex=0, role="region", aria_label="Headroom over time")
    lacks = sum(one.lacking > 0 for one in over_time)
    words = f"This copy lacks texts of {lacks:,} of these commits, which count as empty; fetch them to know how much is used."
    return joined(tag("p", words, class_="warned") if lacks else None, _drawing(over_time), title, box)


def _of(one: Headroom, kind: str) -> Gauge | None:
    return next((gauge for gauge in one.gauges if gauge.limit_of == kind), None)


def _row(one: Headroom, now: datetime, href: Href) -> Html:
    core, fullest, depth = (_of(one, kind) for kind in ("core", "file", "depth"))
    commit = tag(
        "a",
        short(one.commit),
        href=href(tab="files", commit=one.commit, file=None),
        data_do="commit",
        data_value=one.commit,
        data_key=f"headroom-{one.commit}",
    )
    file = joined(shown_name(fullest.path), " ", meter(fullest, short_words=True)) if fullest else ""
    deep = f"{depth.used} of {depth.limit}" if depth and depth.limit is not None else ""
    return tag(
        "tr",
        tag("th", commit, scope="row"),
        tag("td", time(one.at, now), class_="when"),
        tag("td", meter(core, short_words=True) if core else ""),
        tag("td", file),
        tag("td", deep),
    )


def _drawing(over_time: Sequence[Headroom]) -> Html:
    """The share of the core's cap and of the fullest file's, commit by commit (decision 14: in their order, not by clock)."""
    points = _thinned(over_time)
    cores = [_share(_of(one, "core")) for one in points]
    files = [_share(_of(one, "file")) for one in points]
    top = max(1.0, *cores, *files)
    now_core, now_file = cores[-1], files[-1]
    label = (
        f"Use of the limits over {len(over_time):,} commits: all root files together now {now_core:.0%} of their cap, at most "
        f"{max(cores):.0%}; the fullest file now {now_file:.0%} of its cap, at most {max(files):.0%}."
    )
    inside = joined(
        *[_grid(share, top) for share in (0.0, 0.5, NEAR_LIMIT_SHARE, 1.0)],
        _line(files, top, "file-line"),
        _line(cores, top, "core-line"),
    )
    legend = tag(
        "p",
        tag("span", class_="key core-line", aria_hidden="true"),
        f"All root files together, {now_core:.0%} now",
        tag("span", class_="key file-line", aria_hidden="true"),
        f"Fullest file, {now_file:.0%} now",
        class_="by legend",
    )
    drawn = tag(
        "svg", inside, viewBox=f"0 0 {_WIDTH} {_HEIGHT}", role="img", aria_label=label, class_="headroom-drawing"
    )
    return tag("figure", drawn, tag("figcaption", legend), class_="headroom-figure")


def _thinned(over_time: Sequence[Headroom]) -> Sequence[Headroom]:
    step = -(-len(over_time) // MOST_POINTS)
    return [one for at, one in enumerate(over_time) if (len(over_time) - 1 - at) % step == 0]


def _share(gauge: Gauge | None) -> float:
    return gauge.share if gauge else 0.0


def _y(share: float, top: float) -> float:
    return _TOP + (1 - share / top) * (_HEIGHT - 2 * _TOP)


def _grid(share: float, top: float) -> Html:
    y = _y(share, top)
    line = tag("line", x1=_LEFT, x2=_WIDTH, y1=f"{y:.1f}", y2=f"{y:.1f}", class_="cap" if share == 1 else "grid")
    return joined(line, tag("text", f"{share:.0%}", x=_LEFT - 8, y=f"{y + 4:.1f}", text_anchor="end"))


def _line(shares: Sequence[float], top: float, style: str) -> Html:
    """A line through all points; a single one is drawn across."""
    shares = [shares[0], shares[0]] if len(shares) == 1 else shares
    step = (_WIDTH - _LEFT) / (len(shares) - 1)
    points = " ".join(f"{_LEFT + at * step:.1f},{_y(share, top):.1f}" for at, share in enumerate(shares))
    return tag("polyline", points=points, class_=style, fill="none")
