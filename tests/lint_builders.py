"""Trees and texts for the tests of the lint."""

from collections.abc import Mapping, Sequence

from studio.domain.bodies import Body
from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.rule import Place
from studio.domain.directory.lint.run import lint_text, lint_tree
from studio.domain.directory.tree import FileMode, Tree, TreeFile

INDEX_LINE = "Open memory before answering about a person, project or system you do not know.\n"


def a_tree(files: Mapping[str, str]) -> Tree:
    """A tree of regular files, in git's order."""
    ordered = sorted(files.items(), key=lambda one: one[0].encode())
    return Tree(
        tuple(TreeFile(path, FileMode.REGULAR, f"{n:040x}", Body(text)) for n, (path, text) in enumerate(ordered))
    )


def a_block(body: str, name: str = "persona", description: str = "Who I am and how I work.") -> str:
    """A root file with its header; the body begins in line 5."""
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}\n"


def lint_body(body: str, **also: str) -> tuple[Finding, ...]:
    """What the lint says about a directory with one block of this body."""
    return lint_tree(a_tree({"MEMORY.md": INDEX_LINE, "persona.md": a_block(body), **also}))


def lint_prompt(body: str, place: Place = Place.BLOCK, history: Sequence[str] = ()) -> tuple[Finding, ...]:
    """What the lint says about one text, as advice."""
    return lint_text("persona.md", place, body, history=history)


def kinds(found: Sequence[Finding]) -> set[str]:
    """The rules that were broken."""
    return {one.kind for one in found}
