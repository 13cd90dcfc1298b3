"""From the old layout to today's: which file goes where, what its header becomes, and why it cannot be done (decision 33).

In the old layout everything in `system/` was in the prompt and all else was read when needed. So what is in `system/` becomes a root
block, named after its path; root Markdown, which would be in the prompt now, goes to `notes/`; every folder gets an index.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from studio.domain.bodies import Body
from studio.domain.directory.config import Config
from studio.domain.directory.frontmatter import FENCE, problems, read
from studio.domain.directory.layout import MEMORY_BLOCK
from studio.domain.directory.legacy import GENERATED, SYSTEM, is_legacy
from studio.domain.directory.limits import check
from studio.domain.directory.tree import CONFIG, INDEX, MARKDOWN, FileMode, Tree, TreeFile, shown_path

NOTES = "notes/"
"""Where root Markdown of the old layout goes."""
ROOT_INDEX_INTRODUCTION = """\
Before you answer from assumption about a person, a project or a system, look below and open the folder that covers it.
"""
"""How the root index begins that a migration writes."""
_NEW = "new"


@dataclass(frozen=True, slots=True)
class Step:
    """One file of a migration."""

    old: str | None
    """Its path before; None for an index that is made."""
    new: str | None
    """Its path afterwards; None for a generated file that is dropped."""
    text: str
    """What it holds afterwards."""

    @property
    def moves(self) -> bool:
        """Whether it gets another path."""
        return self.old != self.new


@dataclass(frozen=True, slots=True)
class Migration:
    """What migrating a directory would do."""

    steps: tuple[Step, ...]
    """The files that change, by their new path."""
    notices: tuple[str, ...]
    """What a person should look at afterwards, one sentence each."""
    reasons: tuple[str, ...]
    """Why it cannot be done as it is, one sentence each; empty where it can."""


def plan(tree: Tree) -> Migration:
    """What migrating a tree of the old layout would do; every reason against it at once.

    Args:
        tree: a tree with its Markdown and its config read.
    """
    if not is_legacy(tree):
        why = (
            f"it has a root {INDEX}, so it has today's layout" if INDEX in tree else f"there is no Markdown in {SYSTEM}"
        )
        return Migration((), (), (f"This is not the old layout: {why}.",))
    notices: list[str] = []
    reasons: list[str] = []
    steps: list[Step] = []
    for file in tree:
        if not file.memory:
            continue
        if not file.regular or file.body is None or file.body.text is None:
            reasons.append(f"{shown_path(file.path)} is no text in a regular file; take it out first.")
        elif file.path in GENERATED:
            steps.append(Step(file.path, None, ""))
            notices.append(f"{file.path} listed the files for the old layout and is dropped.")
        else:
            steps.append(_step(file, file.body.text, notices))
    reasons.extend(_collisions(tree, steps))
    if not reasons:
        steps.extend(_indexes(steps))
        reasons.extend(one.message for one in check(_migrated(tree, steps)))
    changing = (step for step in steps if step.moves or step.text != _text(tree, step.old))
    return Migration(tuple(sorted(changing, key=lambda step: step.new or "")), tuple(notices), tuple(reasons))


def new_path(path: str) -> str:
    """Where a memory file of the old layout goes.

    What is in `system/` becomes a root file named after its folders, root Markdown goes to `notes/`, and what lies too deep is named
    after its deepest folders.
    """
    if path.startswith(SYSTEM):
        return path.removeprefix(SYSTEM).replace("/", "-")
    parts = path.split("/")
    if len(parts) == 1:
        return NOTES + path
    most = Config().max_depth
    if len(parts) <= most + 1:
        return path
    return "/".join([*parts[:most], "-".join(parts[most:])])


def _step(file: TreeFile, text: str, notices: list[str]) -> Step:
    """A file at its new path with a header of today."""
    new = new_path(file.path)
    document = read(text)
    shown = shown_path(file.path)
    if document.field("read_only").casefold() == "true":
        notices.append(f'{shown} was read-only; to keep it so, add "{new}" to readOnlyFiles in {CONFIG}.')
    if document.field("limit"):
        notices.append(
            f"{shown} had a limit of {document.field('limit')[:20]}; fileCharacterLimits in {CONFIG} can hold it."
        )
    if new.rpartition("/")[2] == INDEX:
        return Step(file.path, new, document.body + "\n" if document.header else text)
    if not problems(text):
        return Step(file.path, new, text)
    description = _one_line(document.description)
    if not description:
        description = _one_line(_first_heading(document.body)) or f"Notes on {_words(new)}."
        notices.append(f"{shown} had no description; it has {description!r} now, so write a better one.")
    stem = new.rpartition("/")[2].removesuffix(MARKDOWN)
    header = f"{FENCE}\nname: {stem}\ndescription: {description}\n{FENCE}\n"
    return Step(file.path, new, f"{header}{document.body}\n" if document.body else header)


def _collisions(tree: Tree, steps: Iterable[Step]) -> Iterator[str]:
    """Every path that several files would get, whatever the case of letters, or that means something else."""
    moved = {step.old for step in steps}
    taken: dict[str, list[str]] = {file.path.casefold(): [file.path] for file in tree if file.path not in moved}
    for step in steps:
        if step.new is not None and step.old is not None:
            taken.setdefault(step.new.casefold(), []).append(step.old)
    for target, sources in taken.items():
        if len(sources) > 1:
            named = " and ".join(shown_path(source) for source in sources)
            yield f"{named} would both become {shown_path(target)}; rename one of them first."
    for step in steps:
        for folder in _folders_above(step.new or ""):
            for other in taken.get(folder.casefold(), ()):
                yield f"{shown_path(other)} is a file where {shown_path(step.new or '')} needs a folder; rename it first."
    for step in steps:
        if step.new is not None and step.new.casefold() == f"{MEMORY_BLOCK}{MARKDOWN}":
            yield f"{shown_path(step.old or '')} would take the place of the root index; rename it first."


def _folders_above(path: str) -> Iterator[str]:
    """The folders that a path lies in."""
    parts = path.split("/")
    return ("/".join(parts[:depth]) for depth in range(1, len(parts)))


def _indexes(steps: list[Step]) -> Iterator[Step]:
    """An index for each folder with memory that has none, and the root's, with a line for all that is in them."""
    files = {step.new: step.text for step in steps if step.new is not None}
    folders: dict[str, dict[str, str]] = {}
    for path, text in files.items():
        folder, _, name = path.rpartition("/")
        if name != INDEX and folder:
            folders.setdefault(folder, {})[name] = read(text).description
        elif folder:
            folders.setdefault(folder, {})
    for folder in sorted(folders, key=lambda one: -one.count("/")):
        above, _, name = folder.rpartition("/")
        if above:
            folders.setdefault(above, {})[f"{name}/"] = _about(folders[folder])
    for folder, entries in folders.items():
        if f"{folder}/{INDEX}" not in files:
            title = _words(folder).capitalize()
            yield Step(None, f"{folder}/{INDEX}", f"# {title}\n\n{_list(entries)}")
    top = {f"{folder}/": _about(entries) for folder, entries in folders.items() if "/" not in folder}
    yield Step(None, INDEX, ROOT_INDEX_INTRODUCTION + (f"\n{_list(top)}" if top else ""))


def _list(entries: Mapping[str, str]) -> str:
    return "".join(f"- {name} — {about}\n" if about else f"- {name}\n" for name, about in sorted(entries.items()))


def _about(entries: Mapping[str, str]) -> str:
    """What a folder holds, in the words of its files' descriptions."""
    return "; ".join(about.rstrip(".") for _, about in sorted(entries.items()) if about)


def _migrated(tree: Tree, steps: Iterable[Step]) -> Tree:
    """The tree afterwards."""
    files = {file.path: file for file in tree}
    for step in steps:
        if step.old is not None:
            files.pop(step.old, None)
    for step in steps:
        if step.new is not None:
            before = tree.at(step.old) if step.old else None
            made = before or TreeFile(step.new, FileMode.REGULAR, _NEW)
            files[step.new] = replace(made, path=step.new, sha=_NEW, body=Body(step.text))
    return Tree(tuple(sorted(files.values(), key=lambda file: file.path.encode("utf-8", "surrogateescape"))))


def _text(tree: Tree, path: str | None) -> str | None:
    file = tree.at(path) if path else None
    return file.text if file else None


def _one_line(value: str) -> str:
    """A value of a header on one line, without the quotes that YAML put around it."""
    line = " ".join(value.split())
    if len(line) > 1 and line[0] == line[-1] and line[0] in "\"'":
        line = line[1:-1]
    return line


def _first_heading(body: str) -> str:
    return next((line.lstrip("# ") for line in body.split("\n") if line.startswith("#")), "")


def _words(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(MARKDOWN).replace("-", " ").replace("_", " ")
