"""The old layout of memory directories, where `system/` is the core and everything else is read when needed.

Root Markdown of that layout is what today's folders are, and its headers have other fields. Nothing of it compiles today.
"""

from studio.domain.directory.tree import INDEX, Tree

SYSTEM = "system/"
"""The folder whose files were the core."""
GENERATED = ("system/memory_filesystem.md", "memory_filesystem.md")
"""Files that the tools of the old layout wrote themselves: a list of all files."""


def is_legacy(tree: Tree) -> bool:
    """Whether a directory has the old layout: no root index, and Markdown in `system/`."""
    return INDEX not in tree and any(file.path.startswith(SYSTEM) and file.memory for file in tree)
