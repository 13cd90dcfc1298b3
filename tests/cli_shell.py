"""Run the command line in tests: in this process where speed matters, as a program where a process is what is tested."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from studio.cli.main import main

NOW = "2026-09-13T09:00:12Z"
REPOSITORY = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Result:
    """What a command left behind."""

    code: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        return json.loads(self.err)["error"]


class Given(io.BytesIO):
    """Standard input that does something when it is read."""

    def __init__(self, content: bytes, before: Any) -> None:
        super().__init__(content)
        self._before = before

    def read(self, size: int | None = -1, /) -> bytes:
        self._before()
        return super().read(size)


class Shell:
    """The command line against one store, with a fixed clock and operator."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = folder / "studio.duckdb"
        self.environment = {
            "STUDIO_DB": str(self.store),
            "STUDIO_NOW": NOW,
            "STUDIO_OPERATOR": "Ana",
            "XDG_DATA_HOME": str(folder / "data"),
        }

    def __call__(self, *words: object, given: bytes | io.BytesIO = b"", **environment: str) -> Result:
        """Run a command in this process."""
        out, err = io.TextIOWrapper(io.BytesIO(), "ascii"), io.StringIO()
        stdin = io.TextIOWrapper(given if isinstance(given, io.BytesIO) else io.BytesIO(given), "ascii")
        with (
            patch.dict(os.environ, self._environment(environment), clear=True),
            patch.object(sys, "stdin", stdin),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            code = main([str(word) for word in words])
            out.flush()
        return Result(code, out.buffer.getvalue(), err.getvalue())

    def program(self, *words: object, given: bytes = b"", **environment: str) -> Result:
        """Run a command as a program of its own."""
        done = subprocess.run(
            [sys.executable, "-m", "studio", *[str(word) for word in words]],
            input=given,
            capture_output=True,
            env=self._environment(environment),
            cwd=self.folder,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr.decode())

    def done(self, *words: object, given: bytes = b"", **environment: str) -> Result:
        """Run a command in this process that must succeed and say nothing on standard error."""
        result = self(*words, given=given, **environment)
        assert (result.code, result.err) == (0, "")
        return result

    def all_that_is_stored(self) -> list[tuple[str, Any, Any, bytes]]:
        """Every agent with its timelines and live memory: what a refused command must leave as it is."""
        kept = []
        for agent in self.done("agents", "list", "--json").json:
            one = agent["id"]
            memory = self.done("memory", "list", one, "--json").json
            task = self.done("task", "list", one, "--json").json
            kept.append((agent, memory, task, self.done("memory", "show", one).out))
        return kept

    def _environment(self, changed: Mapping[str, str]) -> dict[str, str]:
        ours = {name: value for name, value in os.environ.items() if not name.startswith("STUDIO_")}
        return {**ours, "PYTHONPATH": str(REPOSITORY), **self.environment, **changed}
