"""What git runs before each commit and each clean merge: refuse what is staged with every finding at once (decision 34).

A commit waits for this module, so it loads neither the command line nor the store. Exit codes: 0 clean, 1 findings,
2 could not run; git refuses the commit for both of the last.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping

from studio.domain.directory.conflict_markers import APPROVAL, CONFLICT_MARKERS
from studio.domain.directory.findings import Checked, Severity
from studio.errors import StudioError
from studio.git import COMMIT_VARIABLES
from studio.memfs.checks import check_staged, config_approved, markers_approved
from studio.memfs.repo import open_directory

_MERGED = re.compile("GITHEAD_([0-9a-f]{40}(?:[0-9a-f]{24})?)")
CLEAN, FINDINGS, COULD_NOT_RUN = 0, 1, 2
"""The exit codes."""


def main() -> int:
    """Check the commit in progress in the current folder; says what it found on standard error."""
    variables = {name: os.environ[name] for name in COMMIT_VARIABLES if name in os.environ}
    try:
        repo = open_directory(".", variables=variables)
        checked = check_staged(
            repo,
            config_approved=config_approved(os.environ),
            markers_approved=markers_approved(os.environ),
            merging=_merging(os.environ),
        )
    except StudioError as error:
        _say(f"The memory check could not run, so nothing was committed: {_visible(error.message)}")
        return COULD_NOT_RUN
    except Exception as error:
        if os.environ.get("STUDIO_DEBUG"):
            raise
        _say(
            f"A fault of ours stopped the memory check ({type(error).__name__}), so nothing was committed; commit again with"
            " STUDIO_DEBUG=1 to see where and report that, or with --no-verify to go without the check."
        )
        return COULD_NOT_RUN
    if not any(one.severity is Severity.ERROR for one in checked.findings):
        for one in checked.findings:
            _say(_visible(one.message))
        return CLEAN
    for line in report(checked):
        _say(line)
    return FINDINGS


def _merging(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The commits that git is merging into HEAD: before it makes a clean merge it writes no MERGE_HEAD, and names them to what it runs.

    Where it names none, the merge is compared with its first parent alone.
    """
    return tuple(found[1] for found in map(_MERGED.fullmatch, sorted(environment)) if found)


def report(checked: Checked) -> Iterator[str]:
    """The lines that a refused commit is answered with."""
    number = len(checked.findings)
    yield f"The memory check refused this commit: {number} finding{'s' if number > 1 else ''}."
    yield "Nothing was committed; what you staged is still staged."
    yield ""
    for one in checked.findings:
        older = " (This may be older than your change, which adds nothing to it.)" if one in checked.older else ""
        yield f"  {one.kind}: {_visible(one.message)}{older}"
    yield ""
    yield "Limits come from .memfs.config.json, and from defaults where it is silent; raise one only if the user asks for it."
    if any(one.kind == CONFLICT_MARKERS for one in checked.findings):
        yield f"Conflict markers that are meant are committed with {APPROVAL}=1 set."
    yield "To look again without committing: studio dir check . --staged"


def _say(line: str) -> None:
    sys.stderr.buffer.write(f"{line}\n".encode("utf-8", "backslashreplace"))
    sys.stderr.flush()


def _visible(text: str) -> str:
    """Text that cannot steer a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


if __name__ == "__main__":
    sys.exit(main())
