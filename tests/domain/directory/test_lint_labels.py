"""How often the lint is right on lines of real repositories that a person read and labelled.

The table holds where a line is and what was judged, never its text: `right` for a line that breaks the rule, `wrong` for one that only
looks so. Where `STUDIO_LINT_REPOSITORIES` names a folder of these repositories (`OWNER+NAME/repo`, bare or not), precision and recall
are taken again.
"""

import csv
import os
import re
import subprocess
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from studio.domain.directory.lint.rule import Place
from studio.domain.directory.lint.rules import RULES
from studio.domain.directory.lint.run import lint_text

TABLE = Path(__file__).with_name("lint_labels.csv")
FOLDER = "STUDIO_LINT_REPOSITORIES"
LEAST_PRECISION = 0.95
ENOUGH_FINDINGS = 10
"""With fewer one line decides."""


class Label(NamedTuple):
    """What a person judged of one line."""

    repository: str
    commit: str
    path: str
    line: str
    rule: str
    label: str


def labels() -> list[Label]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == Label._fields
    return [Label(*row) for row in rows]


def test_the_table_says_where_a_line_is_and_never_what_it_says() -> None:
    rows = labels()
    for row in rows:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", row.repository), row
        assert re.fullmatch(r"[0-9a-f]{12}", row.commit), row
        assert not row.path.startswith("/"), row
        assert ".." not in row.path.split("/"), row
        assert int(row.line) >= 1, row
        assert row.rule in RULES, row
        assert row.label in {"right", "wrong"}, row
    assert len({row[:5] for row in rows}) == len(rows)


def test_lines_that_only_look_so_are_in_the_table_too() -> None:
    """A table of what was found could not tell what the rules have to leave alone."""
    assert Counter(row.label for row in labels())["wrong"] >= 100


def fired(folder: Path, row: Label) -> set[tuple[str, str]] | None:
    """The rules and lines that the lint names in one file, or None where the file is not there."""
    home = folder / row.repository.replace("/", "+") / "repo"
    if not home.is_dir():
        return None
    shown = subprocess.run(["git", "show", f"{row.commit}:{row.path}"], cwd=home, capture_output=True, check=False)
    if shown.returncode:
        return None
    found = lint_text(row.path, Place.BLOCK, shown.stdout.decode())
    return {(one.kind, str(line)) for one in found for line in one.places}


def test_the_lint_is_right_where_it_speaks(capsys: pytest.CaptureFixture[str]) -> None:
    """Precision of each rule on labelled lines, and how many of the lines that break it are found."""
    named = os.environ.get(FOLDER)
    if not named:
        pytest.skip(f"{FOLDER} names no folder of repositories")
    by_file: dict[tuple[str, str, str], list[Label]] = defaultdict(list)
    for row in labels():
        by_file[row[:3]].append(row)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for rows in by_file.values():
        spoke = fired(Path(named), rows[0])
        for row in rows if spoke is not None else ():
            counts[row.rule][f"{row.label} {'found' if (row.rule, row.line) in (spoke or ()) else 'silent'}"] += 1
    assert counts, f"none of the repositories is in {named}"
    with capsys.disabled():
        for rule, count in sorted(counts.items()):
            right, wrong, missed = count["right found"], count["wrong found"], count["right silent"]
            print(f"\n{rule:26} {right}/{right + wrong} right, {right}/{right + missed} found", end="")
    for rule, count in counts.items():
        right, wrong = count["right found"], count["wrong found"]
        if right + wrong >= ENOUGH_FINDINGS:
            assert right >= LEAST_PRECISION * (right + wrong), (rule, count)
