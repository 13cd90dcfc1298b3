"""Trees for tests of a memory directory's rules."""

import hashlib
from collections.abc import Mapping

from studio.domain.bodies import Body
from studio.domain.directory.tree import FileMode, Tree, TreeFile


def tree(files: Mapping[str, str | bytes], modes: Mapping[str, FileMode] | None = None) -> Tree:
    """A tree in which everything was read; equal contents have equal shas."""
    made = []
    for path in sorted(files, key=lambda path: path.encode("utf-8", "surrogateescape")):
        text = files[path]
        content = text.encode() if isinstance(text, str) else text
        mode = (modes or {}).get(path, FileMode.REGULAR)
        made.append(TreeFile(path, mode, hashlib.sha1(content).hexdigest(), Body.of_bytes(content)))
    return Tree(tuple(made))


def note(body: str = "Lead with the answer.\n", name: str = "note", description: str = "What it holds.") -> str:
    """A memory file with its header."""
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}"
