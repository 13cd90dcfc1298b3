"""What a memory directory may hold: every finding of every kind at once (decision 34), and the headroom under each limit.

The rules are three, so that an audit can ask each only where its answer can have changed: `file_findings` depend on one file and
the config, `tree_findings` on which files there are, `change_findings` on what a commit changes.
Characters are Unicode code points of the whole file, its header and a BOM included.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from studio.domain.directory import frontmatter
from studio.domain.directory.config import Config, read_config
from studio.domain.directory.findings import Finding
from studio.domain.directory.legacy import is_legacy
from studio.domain.directory.tree import CONFIG, INDEX, MARKDOWN, SKILLS, Tree, TreeFile, shown_path

APPROVALS = ("STUDIO_MEMORY_CONFIG_APPROVED", "LETTA_MEMORY_CONSTRAINTS_UPDATE")
"""The variables that, set to 1, let a commit change the config; the second so that both tools work on one repository."""
CORE = "."
"""The path of what concerns all root files together."""
STRUCTURE = "structure"
"""The rule of what every directory has to look like."""
CONFIG_PROTECTED = "config_protected"
"""The kind of a changed config, which a person may have approved."""
READ_ONLY_CHANGED = "read_only_changed"
"""The kind of a changed file that the config protects."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """How much of one limit is used."""

    limit_of: str
    """What is limited: `core`, `file` or `depth`."""
    path: str
    """The file; `.` for the whole core, the deepest file for the depth."""
    used: int
    """Characters, or folders for the depth."""
    limit: int | None
    """The cap; None where a glob takes it away."""
    rule: str
    """Where the cap comes from: the glob or field of the config, or `default`."""

    @property
    def share(self) -> float:
        """The part that is used; 0 without a cap."""
        return 0.0 if self.limit is None else self.used / max(self.limit, 1)


def check(tree: Tree, parents: Sequence[Tree] | None = None, *, config_approved: bool = False) -> tuple[Finding, ...]:
    """Everything that the hook refuses in a tree, but for secrets; first what concerns all, then by path.

    Args:
        tree: the tree with its Markdown and its config read.
        parents: the trees it is committed on, none for a first commit; None judges no change.
        config_approved: whether a person let this commit change the config.
    """
    config, wrong = config_of(tree)
    found = [*wrong, *tree_findings(tree, config)]
    for file in tree:
        found.extend(file_findings(file, config))
    if parents is not None:
        found.extend(change_findings(tree, parents, config, config_approved=config_approved))
    return tuple(sorted(found, key=lambda one: (one.path not in {CORE, INDEX, CONFIG}, one.path, one.line or 0)))


def config_of(tree: Tree) -> tuple[Config, tuple[Finding, ...]]:
    """The limits that hold in a tree, and what is wrong with its config; of one that was not read, nothing is known."""
    file = tree.at(CONFIG)
    if file is None:
        return Config(), ()
    if not file.regular:
        message = f"{CONFIG} has to be a regular file and is {_what(file)}; write the limits into the file itself."
        return Config(), (Finding("not_regular_file", CONFIG, message, STRUCTURE, file.mode.name.lower()),)
    if file.body is None:
        return Config(), ()
    if file.body.binary:
        message = f"{CONFIG} is not valid JSON: {file.body.binary_reason}; save it as UTF-8."
        return Config(), (Finding("config_bad_json", CONFIG, message, CONFIG),)
    return read_config(file.text)


def file_findings(file: TreeFile, config: Config) -> Iterator[Finding]:
    """What is wrong with one memory file by itself: its kind, its header, its length, how deep it lies."""
    if not file.memory:
        return
    shown = shown_path(file.path)
    yield from _kind_findings(file, shown)
    if file.body is None:
        return
    if file.index:
        if frontmatter.opens_header(file.text):
            message = f"{shown} has frontmatter, and an index has none; take the header out, or a first line of ---."
            yield Finding("index_has_frontmatter", shown, message, STRUCTURE, line=1)
    else:
        for kind, message, line, said in frontmatter.problems(file.text):
            yield Finding(kind, shown, f"{shown}: {message}.", STRUCTURE, said, line=line)
    depth = file.path.count("/")
    if file.regular and depth > config.max_depth:
        limit, rule = config.max_depth, config.rule("maxDepth")
        message = f"{shown} has a depth of {depth} and {limit} is the most ({rule}); move it up."
        yield Finding("depth_exceeded", shown, message, rule, depth, limit)
    cap, rule = config.file_limit(file.path)
    if file.regular and cap is not None and file.body.characters > cap:
        actual = file.body.characters
        way = "move detail into a file that root MEMORY.md points to" if depth == 0 else "split the file"
        message = f"{shown} has {actual:,} characters and {cap:,} are allowed ({rule}); shorten it, or {way}."
        yield Finding("file_too_long", shown, message, rule, actual, cap)


def tree_findings(tree: Tree, config: Config) -> Iterator[Finding]:
    """What is wrong with the whole: indexes that are missing, flat skills, the size of the core."""
    if INDEX not in tree:
        way = "this is the old layout, 'studio dir migrate' moves it" if is_legacy(tree) else f"add {INDEX} at the root"
        yield Finding(
            "root_index_missing", INDEX, f"The root index {INDEX} is required and not there; {way}.", STRUCTURE
        )
    asked = {""}
    for file in tree:
        folder, _, name = file.path.rpartition("/")
        if folder in asked or not name.endswith(MARKDOWN):
            continue
        if file.memory:
            yield from _missing_indexes(tree, file, asked)
        elif folder == SKILLS:
            shown = shown_path(file.path)
            message = f"{shown} is a file right below {SKILLS}/; a skill is a folder, as {SKILLS}/<name>/SKILL.md."
            yield Finding("flat_skill", shown, message, STRUCTURE)
    used, limit, rule = core_characters(tree), config.max_core_characters, config.rule("maxCoreMemoryCharacters")
    if used > limit:
        message = (
            f"The core memory, all root Markdown, has {used:,} characters and {limit:,} are allowed ({rule});"
            f" move subject detail into a folder with its own {INDEX} and leave a line about it in root {INDEX}."
        )
        yield Finding("core_too_long", CORE, message, rule, used, limit)


def change_findings(
    tree: Tree, parents: Sequence[Tree], config: Config, *, config_approved: bool = False
) -> Iterator[Finding]:
    """What a commit changes and may not; the tree's own config says what is read-only.

    A first commit may bring files that its config makes read-only, since nothing protected them before and they have to come in
    some way; the config itself takes a person from the start.
    """
    for path in changed_paths(tree, parents):
        shown = shown_path(path)
        verb = "deleted" if path not in tree else "changed" if any(path in parent for parent in parents) else "added"
        glob = config.read_only_glob(path) if parents else None
        if glob is not None:
            message = (
                f"{shown} is read-only ({glob}) and was {verb}; leave it as it was, or ask the user: to let it change, also back to"
                f" what it was, a person takes that glob out of {CONFIG}."
            )
            yield Finding(READ_ONLY_CHANGED, shown, message, glob, verb)
        if path == CONFIG and not config_approved:
            message = f"{CONFIG} was {verb}, which a person has to approve; if the user did, commit with {APPROVALS[0]}=1 set."
            yield Finding(CONFIG_PROTECTED, CONFIG, message, STRUCTURE, verb)


def changed_paths(tree: Tree, parents: Sequence[Tree]) -> tuple[str, ...]:
    """The paths whose content or mode differs from every parent; against no parent, all there are."""
    changed: set[str] | None = None
    for parent in parents or (Tree(()),):
        differing = {one.path for one in tree if not _same(one, parent.at(one.path))}
        differing.update(one.path for one in parent if one.path not in tree)
        changed = differing if changed is None else changed & differing
    return tuple(sorted(changed or ()))


def older_findings(findings: Sequence[Finding], tree: Tree, parents: Sequence[Tree]) -> frozenset[Finding]:
    """Those that a commit has nothing to do with: all that they concern is as in a parent."""
    if not findings:
        return frozenset()
    changed = changed_paths(tree, parents)
    touched = {shown_path(path) for path in changed}
    for path in changed:
        while path := path.rpartition("/")[0]:
            touched.add(shown_path(path))
    if any("/" not in path and path.endswith(MARKDOWN) for path in changed):
        touched.add(CORE)
    return frozenset(
        one for one in findings if one.path not in touched and (CONFIG not in touched or one.rule == STRUCTURE)
    )


def core_characters(tree: Tree) -> int:
    """The size of all root Markdown together: what the core cap binds."""
    core = (file for file in tree if "/" not in file.path and file.memory and file.regular)
    return sum(file.body.characters for file in core if file.body is not None)


def headroom(tree: Tree) -> tuple[Gauge, ...]:
    """How much of each limit is used: the core, the depth, then every memory file by path."""
    config, _ = config_of(tree)
    files = [file for file in tree if file.memory and file.regular and file.body is not None]
    deepest = max(files, key=lambda file: file.path.count("/"), default=None)
    core_rule, depth_rule = config.rule("maxCoreMemoryCharacters"), config.rule("maxDepth")
    gauges = [Gauge("core", CORE, core_characters(tree), config.max_core_characters, core_rule)]
    if deepest is not None:
        depth = deepest.path.count("/")
        gauges.append(Gauge("depth", shown_path(deepest.path), depth, config.max_depth, depth_rule))
    for file in files:
        limit, rule = config.file_limit(file.path)
        gauges.append(Gauge("file", shown_path(file.path), file.body.characters if file.body else 0, limit, rule))
    return tuple(gauges)


def _kind_findings(file: TreeFile, shown: str) -> Iterator[Finding]:
    """Memory is text in regular files, under a name that is text."""
    if not file.regular:
        message = f"{shown} has to be a regular file and is {_what(file)}; put the text into the file itself."
        yield Finding("not_regular_file", shown, message, STRUCTURE, file.mode.name.lower())
    if file.body is not None and file.body.binary:
        message = f"{shown} is no text ({file.body.binary_reason}); save it as UTF-8 without NUL."
        yield Finding("not_text", shown, message, STRUCTURE, file.body.binary_reason)
    if shown != file.path:
        message = f"The name of {shown} is not UTF-8, so it cannot stand in a prompt; rename the file."
        yield Finding("not_text", shown, message, STRUCTURE, "name")


def _missing_indexes(tree: Tree, file: TreeFile, asked: set[str]) -> Iterator[Finding]:
    """One finding for each folder above a memory file that has no index, said once."""
    folder = file.folder
    while folder not in asked:
        asked.add(folder)
        if f"{folder}/{INDEX}" not in tree:
            shown = shown_path(folder)
            example = shown_path(file.path)
            message = f"{shown}/ is missing its required index; add {shown}/{INDEX}, or nothing leads to {example}."
            yield Finding("dir_index_missing", shown, message, STRUCTURE)
        folder = folder.rpartition("/")[0]


def _same(one: TreeFile, other: TreeFile | None) -> bool:
    return other is not None and one.sha == other.sha and one.mode == other.mode


def _what(file: TreeFile) -> str:
    return {"LINK": "a symlink", "SUBMODULE": "a submodule"}.get(file.mode.name, "executable")
