"""What of a memory directory reaches the prompt, in which order, and where in the text it stands (decisions 32 and 33).

Texts and descriptions are inserted literally, also one that closes its own block (decision 19): that is a lint finding.
Characters are Unicode code points.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from studio.domain.directory.collation import in_order
from studio.domain.directory.frontmatter import Document, read
from studio.domain.directory.tree import INDEX, MARKDOWN, SKILLS, FileMode, Tree, TreeFile, shown_path
from studio.domain.directory.whitespace import trimmed_end

MARK = "{CORE_MEMORY}"
"""Where a base prompt wants the memory text; without it the text follows after one blank line."""
MEMORY_BLOCK = "memory"
"""The name of the block that root `MEMORY.md` becomes."""
_ATTRIBUTE_ESCAPES = str.maketrans({"&": "&amp;", '"': "&quot;", "'": "&#x27;", "<": "&lt;", ">": "&gt;"})


@dataclass(frozen=True, slots=True)
class Block:
    """One element of the compiled text, made of one root file."""

    name: str
    """The element's name: the file's stem, or `memory`."""
    file: TreeFile
    """The file it is made of."""
    description: str
    """What the header says it holds; empty for `memory`."""
    body: str
    """The file's text below its header, as compiled."""
    body_line: int
    """The line of the file where the body starts, from 1."""
    start: int
    """Where the element starts in the compiled text."""
    end: int
    """Where it ends, behind its closing tag."""

    @property
    def characters(self) -> int:
        """What it takes of the prompt."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Compiled:
    """The memory text of a tree, alone or in a base prompt."""

    text: str
    """What the model reads."""
    blocks: tuple[Block, ...]
    """Its elements in their order, `memory` last; where a base prompt has several marks, at the first."""
    deferred: tuple[str, ...]
    """The folders that are listed, without a slash at the end."""

    @property
    def has_memory(self) -> bool:
        """Whether there is a root index, without which no folder is found."""
        return bool(self.blocks) and self.blocks[-1].file.path == INDEX


class Skill(NamedTuple):
    """One skill; skills are never compiled (decision 32)."""

    name: str
    """The name of its folder."""
    description: str
    """What its header says."""
    path: str
    """Its `SKILL.md`."""


def compile_tree(tree: Tree, base: str | None = None) -> Compiled:
    """The compiled memory of a tree: each root file but the index as a block, by stem, then `<memory>` (decision 32).

    Args:
        tree: a tree whose root Markdown was read.
        base: a base prompt to put it in.

    A tree without root `MEMORY.md` has no `<memory>`, so nothing is deferred either; a limit check refuses such a tree.
    """
    folders = deferred_folders(tree)
    texts: list[str] = []
    parts: list[tuple[str, TreeFile, Document]] = []
    for file in root_blocks(tree):
        document = read(file.text)
        name = shown_path(file.stem)
        texts.append(_element(name, document))
        parts.append((name, file, document))
    index = tree.at(INDEX)
    if index is not None and index.mode != FileMode.SUBMODULE:
        document = read(index.text)
        texts.append(_memory_element(document, folders))
        parts.append((MEMORY_BLOCK, index, document))
    else:
        folders = ()
    before, core = _placed("\n\n".join(texts), base)
    blocks: list[Block] = []
    at = before
    for (name, file, document), text in zip(parts, texts, strict=True):
        description = "" if name == MEMORY_BLOCK and file.path == INDEX else document.description
        blocks.append(Block(name, file, description, document.body, document.body_line, at, at + len(text)))
        at += len(text) + 2
    return Compiled(core, tuple(blocks), folders)


def reaches_prompt(path: str) -> bool:
    """Whether the compiled memory depends on this path: root Markdown, and the index of a top folder by its being there."""
    return ("/" not in path and path.endswith(MARKDOWN)) or (path.count("/") == 1 and path.endswith(f"/{INDEX}"))


def root_blocks(tree: Tree) -> tuple[TreeFile, ...]:
    """The root files that become blocks, in prompt order: all Markdown but the index, links by the path they hold."""
    found = {
        file.stem: file
        for file in tree
        if file.markdown and "/" not in file.path and file.path != INDEX and file.mode != FileMode.SUBMODULE
    }
    return tuple(found[stem] for stem in in_order(found))


def deferred_folders(tree: Tree) -> tuple[str, ...]:
    """The top folders that have an index of their own, `skills` never, by the path of that index without `.md`."""
    ending = "/" + INDEX
    indexes = (file.path for file in tree if file.path.endswith(ending) and file.mode != FileMode.SUBMODULE)
    found = [path.removesuffix(MARKDOWN) for path in indexes if path.count("/") == 1 and path != SKILLS + ending]
    return tuple(stem.partition("/")[0] for stem in in_order(found))


def skills(tree: Tree) -> Iterator[Skill]:
    """The skills in git's order; a description only where the file was read."""
    for file in tree:
        parts = file.path.split("/")
        if len(parts) >= 3 and parts[0] == SKILLS and parts[-1] == "SKILL.md":  # noqa: PLR2004 - skills/<name>/SKILL.md
            yield Skill("/".join(parts[1:-1]), read(file.text).description, file.path)


def _element(name: str, document: Document) -> str:
    description = [f"<description>{document.description}</description>"] if document.description else []
    return "\n".join([f"<{name}>", *description, *_body(document), f"</{name}>"])


def _memory_element(document: Document, folders: tuple[str, ...]) -> str:
    lines = [f"<{MEMORY_BLOCK}>", *_body(document)]
    if folders:
        escaped = [shown_path(folder).translate(_ATTRIBUTE_ESCAPES) for folder in folders]
        entries = [f'<directory path="{folder}/" index="{folder}/{INDEX}" />' for folder in escaped]
        lines += ["<deferred-memory>", *entries, "</deferred-memory>"]
    return "\n".join([*lines, f"</{MEMORY_BLOCK}>"])


def _body(document: Document) -> list[str]:
    """What stands between an element's tags; an empty body leaves no empty line (decision 47)."""
    body = trimmed_end(document.body)
    return [body] if body else []


def _placed(core: str, base: str | None) -> tuple[int, str]:
    """The text in its base prompt, and how many characters stand before it."""
    if base is None:
        return 0, core
    if MARK not in base:
        base = f"{trimmed_end(base)}\n\n{MARK}"
    return base.index(MARK), base.replace(MARK, core)
