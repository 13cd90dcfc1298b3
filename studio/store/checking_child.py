"""Check a store that nobody has open, in a child process that opens it to read: see `copying` for why no owner does that itself.

As a program it takes one line of JSON, answers with lines of JSON `{"done": n, "of": m}`, and ends with what `check` found or what is
wrong.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from studio.domain.checking import Checked, Head
from studio.domain.exchange import from_json, to_json
from studio.errors import StoreDamaged, StudioError
from studio.store.checking import Progress, check

_ROOT = Path(__file__).parents[2]
"""Where the package is found."""


def check_file(
    file: Path,
    *,
    quick: bool = False,
    noting: bool = False,
    noted: Sequence[Head] = (),
    progress: Progress | None = None,
) -> Checked:
    """Check a store's file; takes what `checking.check` does.

    Raises:
        StoreDamaged: it cannot be read, or a newer Prompt Studio wrote it.
    """
    paths = os.pathsep.join(part for part in (str(_ROOT), os.environ.get("PYTHONPATH", "")) if part)
    command = [sys.executable, "-P", "-m", __name__, str(file)]
    asked = {"quick": quick, "noting": noting, "noted": to_json(tuple(noted), tuple[Head, ...])}
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": paths},
    ) as child:
        try:
            said = _talk(child, json.dumps(asked), progress)
        finally:
            child.kill()
    if "found" not in said:
        raise StoreDamaged(str(file), str(said.get("wrong", "checking it was cut off")).rstrip("."))
    found: Checked = from_json(said["found"], Checked)
    return found


def _talk(child: "subprocess.Popen[str]", asked: str, progress: Progress | None) -> dict[str, object]:
    """The last thing that a child says."""
    said: dict[str, object] = {}
    if child.stdin is None or child.stdout is None:
        return said
    child.stdin.write(f"{asked}\n")
    child.stdin.flush()
    for line in child.stdout:
        said = json.loads(line)
        if progress is not None and "of" in said:
            progress(int(str(said["done"])), int(str(said["of"])))
    return said


def main(file: str) -> None:
    """Do what the line on standard input says."""
    import duckdb  # noqa: PLC0415 - in the child alone

    from studio.store import engine, migrations  # noqa: PLC0415 - as above

    asked = json.loads(sys.stdin.readline())
    try:
        with engine.connect(file, read_only=True) as connection:
            migrations.pending(connection, file, migrations.shipped())
            noted = from_json(asked["noted"], tuple[Head, ...])
            found = check(connection, quick=asked["quick"], noting=asked["noting"], noted=noted, progress=_say_progress)
    except StudioError as error:
        _say({"wrong": error.message})
    except (duckdb.Error, OSError) as error:
        _say({"wrong": str(error).strip().splitlines()[0]})
    else:
        _say({"found": to_json(found, Checked)})


def _say_progress(done: int, total: int) -> None:
    _say({"done": done, "of": total})


def _say(value: object) -> None:
    """Answer whoever started this."""
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
