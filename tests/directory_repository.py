"""Build memory directories for tests: real repositories, made in one git process each, committed to through the real hook."""

import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

REGULAR = "100644"
PEOPLE = {
    f"GIT_{who}_{what}": said for who in ("AUTHOR", "COMMITTER") for what, said in (("NAME", "Ana"), ("EMAIL", "a@b"))
}
INDEX = {"MEMORY.md": "# Index\n"}
"""The least that a directory needs."""


def note(body: str = "Lead with the answer.\n", name: str = "note", description: str = "What it holds.") -> str:
    """A memory file with its header."""
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}"


@dataclass(frozen=True, slots=True)
class Answer:
    """How a git command ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class MemoryRepository:
    """A repository in a folder; git heeds no configuration but its own."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    @classmethod
    def make(cls, folder: Path, files: Mapping[str, str | bytes] | None = None) -> "MemoryRepository":
        """A new repository, with a first commit where there are files."""
        made = cls(folder)
        folder.mkdir(parents=True, exist_ok=True)
        made.git("init", "--quiet", "--initial-branch=main", ".")
        if files is not None:
            made.write("main", files)
            made.git("reset", "--quiet", "--hard", "main")
        return made

    def git(self, *arguments: str, given: bytes = b"", **variables: str) -> str:
        """What git says; a failure is the test's."""
        told = self.ask(*arguments, given=given, variables=variables)
        assert told.code == 0, told.err
        return told.out.strip()

    def ask(self, *arguments: str, given: bytes = b"", variables: Mapping[str, str] | None = None) -> Answer:
        """How a command of git ends."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "STUDIO_", "LETTA_"))}
        fixed = {
            **PEOPLE,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "HOME": str(self.folder),
            "LC_ALL": "C",
        }
        environment = {**kept, **fixed, **self.variables, **(variables or {})}
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, input=given, capture_output=True, check=False, env=environment
        )
        return Answer(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))

    def write(
        self,
        branch: str,
        files: Mapping[str, str | bytes],
        modes: Mapping[str, str] | None = None,
        onto: str | None = None,
    ) -> None:
        """Commit a whole tree to a branch without any hook, working tree or index."""
        lines = [f"commit refs/heads/{branch}\ncommitter Ana <a@b> 1700000000 +0000\ndata 1\nx\n".encode()]
        lines += [f"from {onto}\n".encode()] if onto else []
        lines.append(b"deleteall\n")
        for path, text in files.items():
            content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
            mode = (modes or {}).get(path, REGULAR)
            lines.append(f"M {mode} inline {_quoted(path)}\ndata {len(content)}\n".encode("utf-8", "surrogateescape"))
            lines.append(content + b"\n")
        self.git("fast-import", "--quiet", "--force", given=b"".join(lines))

    def stage(self, files: Mapping[str, str | bytes], modes: Mapping[str, str] | None = None) -> None:
        """Let the index hold exactly these files; the working tree is not touched."""
        self.write("staged", files, modes)
        self.git("read-tree", "staged")

    def commit(self, **variables: str) -> Answer:
        """Commit what is staged, through the hook."""
        return self.ask("commit", "--quiet", "--message=x", variables=variables)

    def head(self) -> str:
        """The sha of HEAD; empty where there is no commit."""
        return self.ask("rev-parse", "--verify", "--quiet", "HEAD").out.strip()

    def staged_tree(self) -> str:
        """The sha of what is staged."""
        return self.git("write-tree")


def kinds(stderr: str) -> list[str]:
    """The kinds of the findings that the hook tells, in their order."""
    told = (line.strip().partition(":")[0] for line in stderr.splitlines() if line.startswith("  "))
    return [kind for kind in told if kind.replace("_", "").isalpha()]


def joined(parts: Iterable[Mapping[str, str | bytes]]) -> dict[str, str | bytes]:
    """Several groups of files as one."""
    return {path: text for part in parts for path, text in part.items()}


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
