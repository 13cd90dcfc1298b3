"""Build real git repositories for tests: fixed authors and clock, no configuration of the machine."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

START_SECONDS = 1_700_000_000
ANA = "Ana <ana@example.org>"


class RepositoryBuilder:
    """A repository under construction; every commit is a minute after the one before unless told."""

    def __init__(self, folder: Path, *options: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._commits = 0
        self.git("init", "--quiet", "--initial-branch=main", *options)

    def git(self, *arguments: str | bytes, given: bytes = b"", also: Mapping[str, str | bytes] | None = None) -> bytes:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        fixed = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C", "HOME": str(self.folder)}
        people = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _person(ANA).items()}
        environment = {**kept, **fixed, **people, **(also or {})}
        command = ["git", "-C", str(self.folder), "-c", "protocol.file.allow=always", *arguments]
        return subprocess.run(command, input=given, capture_output=True, check=True, env=environment).stdout

    def line(self, *arguments: str) -> str:
        return self.git(*arguments).decode().strip()

    def lines(self, *arguments: str) -> list[str]:
        return self.git(*arguments).decode().split("\n")[:-1]

    def write(self, path: str, content: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(self, message: str | bytes = "a change", *, author: str | bytes = ANA, at: str | None = None) -> str:
        """Commit all there is; `at` is `SECONDS ZONE`."""
        time = at or f"{START_SECONDS + 60 * self._commits} +0000"
        self._commits += 1
        person = {f"GIT_AUTHOR_{what}": value for what, value in _person(author).items()}
        times = {"GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time}
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--file=-", given=_bytes(message), also={**person, **times})
        return self.line("rev-parse", "HEAD")

    def save(self, path: str, content: str | bytes, message: str | bytes = "a change") -> str:
        self.write(path, content)
        return self.commit(message)

    def merge(self, *branches: str, resolved: Mapping[str, str] | None = None, how: str = "--no-ff") -> str:
        """Merge; with `resolved` the files hold these texts afterwards, whatever the conflict."""
        try:
            self.git("merge", "--quiet", "--no-commit", how, *branches)
        except subprocess.CalledProcessError:
            if resolved is None:
                raise
        for path, content in (resolved or {}).items():
            self.write(path, content)
        return self.commit("merge")

    def raw_commit(self, author: bytes, message: bytes, committer: bytes | None = None) -> str:
        """A commit of HEAD's index that no git client would write; `author` is the whole line after the word, as is `committer`."""
        self.git("add", "--all")
        head = self.git("rev-parse", "HEAD").strip()
        committer = committer or b"Ana <ana@example.org> 1700009999 +0000"
        header = b"tree %s\nparent %s\nauthor %s\ncommitter %s\n" % (
            self.git("write-tree").strip(),
            head,
            author,
            committer,
        )
        sha = self.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", given=header + b"\n" + message)
        self.git("reset", "--quiet", "--hard", sha.strip())
        return sha.decode().strip()

    def fast_import(self, stream: bytes) -> None:
        self.git("fast-import", "--quiet", given=stream)


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _person(author: str | bytes) -> dict[str, bytes]:
    name, _, address = _bytes(author).partition(b" <")
    return {"NAME": name, "EMAIL": address.removesuffix(b">")}
