"""The texts that an audit judges, read in one batch: each blob once, whatever paths and commits hold it.

What is no memory is searched for keys and let go; of memory the text is kept, since every config measures it anew.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from studio import git
from studio.domain.bodies import Body
from studio.domain.directory.secrets import KeyFound
from studio.domain.directory.tree import FileMode, TreeFile
from studio.memfs.repo import memory_files, searchable
from studio.memfs.secrets import KeySearch, keys_in

_WORD_OF_KEY = re.compile(r"[-+/\w]{16,}", re.ASCII)
"""What every key but a private one's header holds; another word of that length beside a key passes for a part of it."""
KeyWords = tuple[KeyFound, frozenset[int]]
"""A key, and the hashes of what may be it in its line, so that two keys are told apart and neither is kept."""


@dataclass(slots=True)
class Texts:
    """What is known of the contents that are judged, by their shas."""

    bodies: dict[str, Body] = field(default_factory=dict)
    """Of memory and configs: all that they hold."""
    searched: frozenset[str] = frozenset()
    """Those small enough to be searched for keys where they are no memory."""
    keys: dict[str, tuple[KeyWords, ...]] = field(default_factory=dict)
    """Where keys are."""
    lacking: list[str] = field(default_factory=list)
    """The paths of texts that are to be judged and that this copy lacks."""


def read_texts(
    repository: git.Repository, commits: Sequence[git.Commit], begun: Mapping[str, dict[str, TreeFile]]
) -> Texts:
    """All memory, and the small ones of other files that the commits change, also as these were before.

    What is skipped for its size or its kind is not asked for, so a partial copy may lack it.
    """
    changes = [change for commit in commits for change in commit.changes]
    changed = {change.path for change in changes}
    memory, others = dict[str, str](), dict[str, str]()
    came = ((change.path, FileMode.of_git(change.mode), change.sha) for change in changes if change.status != "D")
    began = ((file.path, file.mode, file.sha) for files in begun.values() for file in files.values())
    for path, mode, sha in (*came, *began):
        if mode != FileMode.SUBMODULE and memory_files(path):
            memory.setdefault(sha, path)
        elif mode not in {FileMode.SUBMODULE, FileMode.LINK} and path in changed:
            others.setdefault(sha, path)
    texts = Texts(searched=searchable(repository, others))
    paths = {sha: others[sha] for sha in texts.searched} | memory
    search = KeySearch()
    for sha, content in git.blobs(
        repository, sorted(paths, key=paths.__getitem__)
    ):  # so that versions follow each other
        if content is None:
            texts.lacking.append(paths[sha])
            continue
        body = Body.of_bytes(content)
        found = keys_in(body, search)
        if found:
            lines = body.shown.split("\n")
            texts.keys[sha] = tuple((one, _words(lines[one.line - 1])) for one in found)
        if sha in memory:
            texts.bodies[sha] = body
    return texts


def _words(line: str) -> frozenset[int]:
    return frozenset(hash(found[0]) for found in _WORD_OF_KEY.finditer(line))
