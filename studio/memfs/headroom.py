"""How much of each limit a directory used over time: one log and one batch of texts, of which only the lengths are kept."""

from collections.abc import Iterator
from datetime import UTC

from studio import git
from studio.domain.bodies import Body
from studio.domain.directory.config import Config
from studio.domain.directory.limits import CORE, Gauge, config_of
from studio.domain.directory.state import Headroom
from studio.domain.directory.tree import CONFIG, MARKDOWN, FileMode, Tree, TreeFile, shown_path
from studio.memfs.repo import memory_files


def read_headroom(repository: git.Repository) -> tuple[Headroom, ...]:
    """The use of the limits after each of HEAD's first parents that changed memory or the config, oldest first.

    What a partial copy lacks counts as empty, and each answer says how much that is.
    """
    commits = git.lineage(repository)[::-1]
    changes = [change for commit in commits for change in commit.changes if memory_files(change.path)]
    lengths: dict[str, int] = {}
    configs: dict[str, Body] = {}
    named = {change.sha for change in changes if change.path == CONFIG}
    for sha, content in git.blobs(repository, [change.sha for change in changes if _is_file(change)]):
        if content is None:
            continue
        body = Body.of_bytes(content)
        lengths[sha] = body.characters
        if sha in named:
            configs[sha] = body
    return tuple(_walk(commits, _Use(lengths, configs)))


def _is_file(change: git.Change) -> bool:
    """Whether a commit left a file at a path, and not nothing, a link or a submodule."""
    return change.status != "D" and change.mode not in {FileMode.LINK, FileMode.SUBMODULE}


def _walk(commits: tuple[git.Commit, ...], use: "_Use") -> Iterator[Headroom]:
    for commit in commits:
        changes = [change for change in commit.changes if memory_files(change.path)]
        for change in changes:
            use.apply(change)
        if changes:
            yield Headroom(commit.sha, commit.at.astimezone(UTC), use.gauges(), use.lacking)


class _Use:
    """The memory files of a tree with their lengths, kept up to date change by change."""

    def __init__(self, lengths: dict[str, int], configs: dict[str, Body]) -> None:
        self._lengths, self._configs = lengths, configs
        self._config = Config()
        self._used: dict[str, int] = {}
        self._shares: dict[str, float] = {}
        self._lacks: set[str] = set()

    @property
    def lacking(self) -> int:
        """How many texts are not known."""
        return len(self._lacks)

    def apply(self, change: git.Change) -> None:
        """Take in what a commit did to one path."""
        path = change.path
        self._lacks.discard(path)
        if _is_file(change) and change.sha not in self._lengths:
            self._lacks.add(path)
        if path == CONFIG:
            body = self._configs.get(change.sha)
            config = TreeFile(CONFIG, FileMode.of_git(change.mode), change.sha, body)
            self._config = Config() if body is None else config_of(Tree((config,)))[0]
            self._shares = {one: self._share(one) for one in self._used}
        elif _is_file(change):
            self._used[path] = self._lengths.get(change.sha, 0)
            self._shares[path] = self._share(path)
        else:
            self._used.pop(path, None)
            self._shares.pop(path, None)

    def _share(self, path: str) -> float:
        cap, _ = self._config.file_limit(path)
        return 0.0 if cap is None else self._used[path] / cap

    def gauges(self) -> tuple[Gauge, ...]:
        """The core, the fullest file and the depth."""
        config = self._config
        core = sum(used for path, used in self._used.items() if "/" not in path and path.endswith(MARKDOWN))
        gauges = [Gauge("core", CORE, core, config.max_core_characters, config.rule("maxCoreMemoryCharacters"))]
        if self._used:
            fullest = max(self._shares, key=lambda path: (self._shares[path], self._used[path]))
            gauges.append(Gauge("file", shown_path(fullest), self._used[fullest], *config.file_limit(fullest)))
            deepest = max(self._used, key=lambda path: path.count("/"))
            depth = deepest.count("/")
            gauges.append(Gauge("depth", shown_path(deepest), depth, config.max_depth, config.rule("maxDepth")))
        return tuple(gauges)
