"""A memory directory at one commit with all that can be said of it: what the Directory place shows."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from studio.domain.directory.conflict_markers import CONFLICT_MARKERS
from studio.domain.directory.editing import check_path
from studio.domain.directory.findings import Finding
from studio.domain.directory.lacking import LACKING
from studio.domain.directory.layout import Block, Compiled, Skill
from studio.domain.directory.legacy import is_legacy
from studio.domain.directory.limits import CORE, Gauge, config_of
from studio.domain.directory.link import Link
from studio.domain.directory.lint.rules import RULES
from studio.domain.directory.proposal import Proposal
from studio.domain.directory.secrets import SECRET
from studio.domain.directory.tree import SKILLS, Tree, TreeFile, shown_path
from studio.errors import StudioError


@dataclass(frozen=True, slots=True)
class Contents:
    """All of one commit. It never changes, so it is read once."""

    commit: str
    """The commit's full sha."""
    tree: Tree
    """All files, with the texts of Markdown, the config and skills."""
    compiled: Compiled
    """The compiled memory with its blocks."""
    gauges: tuple[Gauge, ...]
    """How much of each limit is used: the core, the depth, then every memory file by path."""
    findings: tuple[Finding, ...]
    """What the hook would refuse, secrets among it."""
    skills: tuple[Skill, ...]
    """The skills, which are never compiled (decision 32)."""
    _shown: dict[str, TreeFile] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_shown", {shown_path(one.path): one for one in self.tree})

    def file(self, path: str) -> TreeFile | None:
        """The file of a path as it is shown; None where the commit has none."""
        return self._shown.get(path)

    def block(self, path: str) -> Block | None:
        """The block that a file becomes; None where it is not in the prompt."""
        return next((one for one in self.compiled.blocks if shown_path(one.file.path) == path), None)

    def gauge(self, path: str) -> Gauge | None:
        """How much of its own limit a file uses, or all root files together for `.`."""
        wanted = "core" if path == CORE else "file"
        return next((one for one in self.gauges if one.path == path and one.limit_of == wanted), None)

    def read_only_by(self, file: TreeFile) -> str | None:
        """The glob of the config that lets nobody change a file; None where there is none."""
        return config_of(self.tree)[0].read_only_glob(file.path)

    def editable(self, path: str) -> bool:
        """Whether a file, by its path as it is shown, can be edited: regular text under a path that an edit may name, not read-only."""
        file = self.file(path)
        if file is None or not file.regular or file.body is None or file.body.binary or self.read_only_by(file):
            return False
        try:
            check_path(file.path)
        except StudioError:
            return False
        return True

    @property
    def characters(self) -> int:
        """The size of all its texts."""
        return sum(one.body.characters for one in self.tree if one.body is not None)

    @property
    def legacy(self) -> bool:
        """Whether it has the old layout, which `studio dir migrate` moves."""
        return is_legacy(self.tree)


@dataclass(frozen=True, slots=True)
class Survey:
    """An agent's directory as it is looked at."""

    link: Link
    """Where it is, and whether its history was rewritten."""
    head: str
    """The commit at HEAD."""
    contents: Contents
    """The commit that is looked at."""
    warnings: tuple[str, ...] = ()
    """What of its history could not be read as it should be, one sentence each."""

    @property
    def at_head(self) -> bool:
        """Whether HEAD is looked at."""
        return self.head == self.contents.commit


@dataclass(frozen=True, slots=True)
class Advice:
    """What is advised on a commit; it takes longer to find than what the hook refuses."""

    findings: tuple[Finding, ...]
    """What the writing rules say (decision 35)."""
    proposal: Proposal
    """How its core could shrink."""


@dataclass(frozen=True, slots=True)
class Folder:
    """What lies right inside one folder."""

    path: str
    """Its path as shown, with a slash at its end; empty for the root."""
    folders: tuple[tuple[str, int], ...]
    """The paths of its folders, with a slash at their end, each with how many files are below."""
    files: tuple[TreeFile, ...]
    """Its files, the index first."""


def folder_of(tree: Tree, path: str) -> Folder:
    """What lies right inside a folder; nothing where there is no such folder.

    Args:
        tree: the directory.
        path: the folder as shown, with a slash at its end; empty for the root.
    """
    below: dict[str, int] = {}
    files: list[TreeFile] = []
    for file in tree:
        shown = shown_path(file.path)
        if not shown.startswith(path):
            continue
        name, slash, _ = shown[len(path) :].partition("/")
        if slash:
            below[f"{path}{name}/"] = below.get(f"{path}{name}/", 0) + 1
        else:
            files.append(file)
    return Folder(path, tuple(sorted(below.items())), tuple(sorted(files, key=lambda one: (not one.index, one.path))))


def is_skill(path: str) -> bool:
    """Whether a path belongs to a skill, which is never compiled (decision 32)."""
    return path.startswith(f"{SKILLS}/")


def refuses(finding: Finding) -> bool:
    """Whether the hook refuses a commit for it; the writing rules only advise, whatever they weigh (decision 35)."""
    if finding.kind == LACKING:
        return False
    return finding.kind not in RULES or finding.kind in {SECRET, CONFLICT_MARKERS}


def of_file(findings: Iterable[Finding], path: str) -> tuple[Finding, ...]:
    """The findings of one file, those of the whole file first, then by line; what refuses before what advises."""
    found = (one for one in findings if one.path == path)
    return tuple(sorted(found, key=lambda one: (one.line or 0, not refuses(one))))
