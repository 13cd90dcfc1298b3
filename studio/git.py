"""The one module that runs git: what a repository is, logs, trees, and blobs in a batch.

Whatever the user's or the repository's configuration says, git answers in bytes cut at NUL, without colours, pagers,
hooks, external drivers, replaced objects, grafts or a connection to anywhere: a partial copy is read as it is, never completed.
Texts of a commit are read as UTF-8, else as latin-1 (encoding-01); paths keep bytes that are not UTF-8 as surrogates.
"""

import contextlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from stat import S_ISREG
from typing import IO, NamedTuple

from studio.domain.identities import Identity
from studio.domain.moments import UNKNOWN_TIME
from studio.errors import NotFound, NothingToRead

if sys.platform == "linux":
    import resource

MAILMAP = ".mailmap"
"""Where a repository says under which name and address people are to be known."""
MAILMAP_CAP_BYTES = 2**20
"""A larger one is not heeded: git takes quadratic time to read it, and Linux' own has less than a tenth."""
ABSENT_MODE = "000000"
"""git's mode of what is not there."""
LINK_MODE = "120000"
"""git's mode of a symlink."""
SUBMODULE_MODE = "160000"
"""git's mode of a submodule, whose commit is no object of this repository."""
ASKED_AT_ONCE = 200
"""How many blobs are asked for before their answers are read: far below what a pipe holds, so that nobody waits."""
COMMIT_VARIABLES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_WORK_TREE",
)
"""What git tells a hook about the commit in progress; without them a hook would read another index."""

_SETTINGS = (
    "color.ui=false",
    "core.commitGraph=false",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "diff.orderFile=/dev/null",
    "diff.relative=false",
    "diff.renameLimit=1000",
    "diff.renames=true",
    "i18n.commitEncoding=UTF-8",
    "log.follow=false",
    "log.showRoot=true",
    "log.showSignature=false",
    "mailmap.file=/dev/null",  # else a repository could name any file of the machine
    "protocol.allow=never",
)
"""Settings that would change an answer or run a program, each at the value we read by."""
_ENVIRONMENT = {
    "GIT_ALLOW_PROTOCOL": "none",  # stronger than protocol.allow, which a repository can override per protocol
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_GRAFT_FILE": os.devnull,  # else a repository's own file could give a commit other parents
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_KEPT_VARIABLES = re.compile(
    r"GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)|EXEC_PATH|CEILING_DIRECTORIES)"
)
"""The user's variables that say where git's settings are, safe.directory among them; GIT_DIR and the like go."""
_EMPTY_BLOB_SHAS = ("e69de29bb2d1", "473a0f4c3be8")
"""How the sha of an empty blob begins, in a repository of SHA-1 and one of SHA-256."""
PATIENCE_SECONDS = 300
"""How long git may take for one answer; something it waits for, such as a pipe in place of a file, may never come."""
OUTPUT_BYTES = 64 << 20
"""How much of one answer is read; the log of ten thousand commits of a busy project is a fifth of it."""
GIT_MEMORY_BYTES = 384 << 20
"""How much a process of git may hold; trees that share their parts grow past any memory before they are listed."""
PATHS_PER_TREE = 200_000
"""How many paths one commit, or the index, may hold."""
PATH_BYTES = 4_096
"""How long one of them may be: what a system takes."""
TEXT_BYTES = 32 << 20
"""How large a file is to be read; a larger one counts as one that is not here."""
WORKING_TREE_SECONDS = 5.0
"""How long git may take over what reads the working tree, where a named pipe can stand in place of a file."""
SUBJECT_CHARACTERS = 1_000
"""How much of a commit's subject is kept."""
_LIMIT = re.compile(rb"blob:limit=(\d{1,18})([kKmMgG]?)")
_SHIFTS = {b"": 0, b"k": 10, b"m": 20, b"g": 30}
_SEARCHES = re.compile(r"(?:^|\.\.)\^?:/|\^\{/")
_INTENDED = re.compile(rb"([^\0]+)\0(?:  [^\n]*\n)*?  size: \d+\tflags: ([0-9a-f]+)\n")
_INTENT_TO_ADD = 0x20000000
_COUNTED = re.compile(rb"(?:(\d+)|-)\t(?:(\d+)|-)\t(.*)", re.DOTALL)
_LOG_FIELDS = ("%H", "%P", "%ad", "%cd", "%an", "%ae", "%s", "%B")


class GitFailed(NothingToRead):
    """git stopped with an error; `says` is its own line."""

    def __init__(self, path: str, says: str) -> None:
        super().__init__(path, f"git says: {says}")
        self.says = says


class TooHeavy(NothingToRead):
    """A repository holds more than a memory directory ever does, as one that was built to be heavy."""


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository that can be read."""

    given: str
    """The path as it was given."""
    head: str
    """The full sha of the commit at HEAD; empty where there is none yet and that was allowed."""
    shallow: bool
    """Whether its history is cut off below."""
    root: Path | None
    """The top of the working tree; None for a bare repository."""
    prefix: str
    """Where in the tree the given path is: empty at the root, else ending in `/`."""
    variables: tuple[tuple[str, str], ...] = ()
    """What git is told of a commit in progress, see `COMMIT_VARIABLES`."""

    @property
    def where(self) -> str:
        """Where git is to run, so that paths count from the root of the tree."""
        return str(self.root or self.given)


@dataclass(frozen=True, slots=True)
class Change:
    """What a commit did to one path."""

    status: str
    """git's letter: A, M, D, T, R or C; of a merge, A or D where all parents say so, else M."""
    mode: str
    """git's mode afterwards."""
    sha: str
    """The blob's sha afterwards."""
    path: str
    """The path afterwards."""
    old_path: str | None = None
    """The path before, where it was renamed or copied."""
    added: int | None = None
    """Lines added, where they were asked for; None where git does not count, as in what it takes for binary."""
    removed: int | None = None
    """Lines removed likewise."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of a log."""

    sha: str
    """Its full sha."""
    parents: tuple[str, ...]
    """The shas of its parents."""
    author_name: str
    """The author's name as written; `canonical` asks `.mailmap`."""
    author_address: str
    """The author's e-mail address as written."""
    authored: datetime | None
    """The author's time with the author's offset; None where it cannot be read."""
    committed: datetime | None
    """The committer's time likewise."""
    subject: str
    """The subject line."""
    message: str
    """The whole message."""
    changes: tuple[Change, ...]
    """What it did to the paths asked for; a merge's are those that differ from all its parents."""

    @property
    def at(self) -> datetime:
        """The author's time; where a damaged commit has none, the committer's; `UNKNOWN_TIME` where neither can be read."""
        return self.authored or self.committed or UNKNOWN_TIME


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """What a path holds in a tree."""

    mode: str
    """git's mode."""
    kind: str
    """`blob`, `tree`, or `commit` for a submodule."""
    sha: str
    """The object's sha."""
    path: str
    """The path from the root of the tree."""


def open_repository(
    path: str | Path, *, unborn: bool = False, variables: Mapping[str, str] | None = None
) -> Repository:
    """The repository at or above a folder.

    Args:
        path: the folder.
        unborn: also take a repository without commits.
        variables: what git told a hook about the commit in progress, see `COMMIT_VARIABLES`.

    Raises:
        NothingToRead: the path is not there, is a file, is no repository, git does not trust it, or it has no commits.
        NotFound: git is not installed.
    """
    given, folder = str(path), Path(path)
    try:
        there = "\0" not in given and folder.exists()
    except OSError as error:
        raise NothingToRead(given, error.strerror or "it cannot be opened") from error
    if not there:
        raise NothingToRead(given, "it does not exist")
    if not folder.is_dir():
        raise NothingToRead(given, "it is a file; name the folder of a git repository")
    asked = ("rev-parse", "--is-shallow-repository", "--is-inside-work-tree", "--show-prefix")
    facts = run(given, *asked, also=variables).split(b"\n")
    prefix = _path(b"\n".join(facts[2:])).removesuffix("\n")
    root = folder.resolve()
    for _ in Path(prefix).parts:
        root = root.parent
    head = _head(given, variables)
    if not head and not unborn:
        raise NothingToRead(given, "it has no commits yet, or HEAD names none of them")
    told = tuple((variables or {}).items())
    return Repository(given, head, facts[0] == b"true", root if facts[1] == b"true" else None, prefix, told)


def inside_of(repo: Repository) -> Path | None:
    """The repository's root where the given path is a folder inside of it; None where it is the root itself.

    Raises:
        NothingToRead: it is git's own folder of a repository with a working tree: what is written there would leave that tree behind.
    """
    if repo.root is not None:
        return repo.root if repo.prefix else None
    bare, _, folder = run(repo.where, "rev-parse", "--is-bare-repository", "--absolute-git-dir").partition(b"\n")
    if bare != b"true":
        raise NothingToRead(repo.given, "it is the inside of a repository; name its working tree")
    root, given = Path(_path(folder).removesuffix("\n")), Path(repo.given)
    return None if root.samefile(given) or (given / ".git").exists() else root


def ignores(where: str, folder: str) -> bool:
    """Whether the repository around a folder leaves another one alone, which need not be there yet.

    Args:
        where: the folder.
        folder: the other, from there.
    """
    try:
        run(where, "check-ignore", "--quiet", f"./{folder}/", also={"GIT_LITERAL_PATHSPECS": "0"})  # it takes no other
    except GitFailed:
        return False
    return True


def head_now(repo: Repository) -> str:
    """The sha of the commit that HEAD names by now; empty where there is none."""
    return _head(repo.where, dict(repo.variables))


def commit_of(repo: Repository, name: str) -> str:
    """The full sha of the commit that a branch, a tag, a short sha or an expression such as `HEAD~2` names.

    Raises:
        NotFound: it names no commit here, or asks git to search for one.
    """
    _check_no_search(repo, name)
    try:
        asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return _ask(repo, *asked).decode().strip()
    except GitFailed as error:
        raise NotFound(f"{repo.given} has no commit {name!r}; 'git log' lists those there are.") from error


def log(
    repo: Repository, paths: Sequence[str], *, start: str = "", follow: bool = False, full: bool = False
) -> tuple[Commit, ...]:
    """The commits that `git log --topo-order -- paths` lists, newest first.

    Args:
        repo: where to look.
        paths: from the root of the tree, taken literally; one path when following.
        start: the sha of the commit to start from; HEAD where there is none.
        follow: list with `--follow`: renames and copies are followed, merges are not listed.
        full: list with `--full-history`: also what a merge threw away, and merges that only took one side.

    Raises:
        GitFailed: git stopped, as it does where a partial copy lacks what it has to compare.
    """
    how = ["--follow"] if follow else ["-c", "--no-renames", *(["--full-history"] if full else [])]
    return _log(repo, *how, start or repo.head, "--", *paths)


def lineage(
    repo: Repository, *, whole: bool = False, renames: bool = False, lines: bool = False, revisions: str = ""
) -> tuple[Commit, ...]:
    """The commits from HEAD down, newest first, each with all that it changed against its first parent.

    Args:
        repo: where to look.
        whole: list every ancestor, in topological order; without it only the chain of first parents.
        renames: name the old path of what was renamed, which needs the texts.
        lines: count the lines of each change, which needs them too.
        revisions: a range as `main..HEAD` in place of HEAD.

    Raises:
        NotFound: the range names no commits here, or asks git to search; that it holds none, as HEAD..HEAD, is no error.
        GitFailed: git stopped, as it does with `renames` or `lines` where a partial copy lacks what it has to compare.
    """
    _check_no_search(repo, revisions)
    how = ["--diff-merges=first-parent", "--find-renames" if renames else "--no-renames"]
    how += ["--numstat", "--diff-algorithm=minimal"] if lines else []
    how += ["--end-of-options"] if whole else ["--first-parent", "--end-of-options"]
    try:
        commits = _log(repo, *how, revisions or repo.head, "--")
    except GitFailed:
        if not revisions or _names_commit(repo, revisions):
            raise
        commits = ()
    if revisions and not commits and not _names_commit(repo, revisions):
        raise NotFound(f"{repo.given} has no commits {revisions!r}; name a range as in HEAD~20..HEAD.")
    return commits


def canonical(repo: Repository, people: Iterable[Identity]) -> dict[Identity, Identity]:
    """The identity that the repository's `.mailmap` gives to each of those whom it renames.

    As `git log` has it, that is the file in the working tree; where there is none, as in a bare repository, that of HEAD. What
    settings name instead is not read. A numbered noreply address that is not listed is asked for without its number too.
    """
    asked = [one for one in people if not re.search(r"[\0\r\n<>\ud800-\udfff]", "".join(one)) and one.address.strip()]
    where, blob = _mailmap_of(repo)
    if not asked or where is None:
        return {}
    simpler = [Identity(one.name, one.canonical.address) for one in asked]
    given = "".join(f"{one}\n" for one in (*asked, *simpler))
    try:
        answer = run(where, "-c", f"mailmap.blob={blob}", "check-mailmap", "--stdin", given=given.encode())
    except GitFailed:  # a partial copy that lacks it
        return {}
    lines = _text(answer).split("\n")[:-1]
    found = [Identity(*line.removesuffix(">").rpartition("<")[::2]) for line in lines]
    named = [Identity(one.name.strip(), one.address) for one in found]
    renamed = {}
    for one, short, whole, shortened in zip(asked, simpler, named, named[len(asked) :], strict=False):
        if whole != Identity(one.name.strip(), one.address.strip()):
            renamed[one] = whole
        elif shortened != Identity(short.name.strip(), short.address.strip()):
            renamed[one] = shortened
    return renamed


def mailmap_stamp(repo: Repository) -> tuple[int, int] | None:
    """What changes where the working tree's `.mailmap` does; None where it has none."""
    try:
        found = Path(repo.where, MAILMAP).lstat() if repo.root is not None else None
    except OSError:
        return None
    return None if found is None else (found.st_mtime_ns, found.st_size)


def tree(repo: Repository, paths: Sequence[str]) -> tuple[TreeEntry, ...]:
    """What the paths hold at HEAD; a path that is not there is left out."""
    if not paths:
        return ()
    output = run(repo.where, "ls-tree", "-z", "--full-tree", repo.head, "--", *paths)
    return tuple(_tree_entry(record) for record in output.split(b"\0") if record)


def file_names(repo: Repository) -> tuple[str, ...]:
    """All paths of files at HEAD."""
    output = run(repo.where, "ls-tree", "-r", "-z", "--full-tree", "--name-only", repo.head)
    return tuple(map(_path, _records(repo, output)))


def files_at(repo: Repository, commit: str, lists: Callable[[str], bool] | None = None) -> tuple[TreeEntry, ...]:
    """The files, links and submodules of a commit, in git's order.

    Args:
        repo: where to look.
        commit: its sha.
        lists: whether a path is wanted; all are without it.
    """
    records = _records(repo, _ask(repo, "ls-tree", "-r", "-z", "--full-tree", commit))
    if lists is None:
        return tuple(map(_tree_entry, records))
    return tuple(_tree_entry(record) for record in records if lists(_path(record.partition(b"\t")[2])))


def staged_files(repo: Repository) -> tuple[TreeEntry, ...]:
    """What a commit of the index would hold, in git's order; of a path in conflict, one of its sides.

    What `git add --intent-to-add` noted is not part of a commit and left out.
    """
    listed = [record.split(b"\t", 1) for record in _records(repo, _ask(repo, "ls-files", "-s", "-z"))]
    entries = {}
    for facts, name in listed:
        mode, sha, _ = facts.decode("ascii").split()
        kind = "commit" if mode == SUBMODULE_MODE else "blob"
        entries[name] = TreeEntry(mode, kind, sha, _path(name))
    if any(one.sha.startswith(_EMPTY_BLOB_SHAS) for one in entries.values()):
        for name in _intended(repo):
            entries.pop(name, None)
    return tuple(entries.values())


def sizes(repo: Repository, shas: Iterable[str]) -> dict[str, int]:
    """How many bytes objects have; one that is not here is left out."""
    wanted = list(dict.fromkeys(shas))
    try:
        return _sizes(repo, wanted)
    except GitFailed:  # as below, it stops at the first that it would have to fetch
        here = _here(repo)
        return _sizes(repo, [sha for sha in wanted if sha in here])


def left_out_from_bytes(repo: Repository) -> int:
    """From which size a partial copy may lack blobs, by its remotes' filters; 0 where they leave out more than large ones."""
    try:
        filters = run(repo.where, "config", "--null", "--get-regexp", r"^remote\..*\.partialclonefilter$")
    except GitFailed:  # there is none
        return 0
    limits = [_LIMIT.fullmatch(one.partition(b"\n")[2]) for one in filters.split(b"\0")[:-1]]
    return min((int(one[1]) << _SHIFTS[one[2].lower()] if one else 0 for one in limits), default=0)


def own_file(repo: Repository, name: str) -> Path:
    """Where git keeps a file of its own, such as `MERGE_HEAD`, for this working tree."""
    return Path(repo.where, _path(_ask(repo, "rev-parse", "--git-path", name)).removesuffix("\n"))


def held_at(repo: Repository, asked: Mapping[str, str]) -> dict[str, str]:
    """The sha of what a path holds at each commit, by the commit's sha; empty where there is no file.

    Args:
        repo: where to look.
        asked: the path at each commit.
    """
    asked = {commit: path for commit, path in asked.items() if "\n" not in path}  # a line each is what git reads
    lines = "".join(f"{commit}:{path}\n" for commit, path in asked.items()).encode("utf-8", "surrogateescape")
    answers = run(repo.where, "cat-file", "--batch-check=%(objectname) %(objecttype)", given=lines).split(b"\n")
    found = (answer.decode("utf-8", "replace").split() for answer in answers)
    return {
        commit: answer[0] if answer[-1] == "blob" else ""
        for commit, answer in zip(asked, found, strict=False)
        if answer
    }


def cut_off(repo: Repository, commit: Commit) -> bool:
    """Whether a commit has parents that a shallow copy leaves out: what it changed cannot be told from what was there."""
    if not repo.shallow or commit.parents:
        return False
    return b"\nparent " in run(repo.where, "cat-file", "commit", commit.sha).partition(b"\n\n")[0]


def common_folder(repo: Repository) -> Path:
    """The folder of git's own files, the same for all working trees of a repository."""
    return Path(repo.where, _path(_ask(repo, "rev-parse", "--git-common-dir")).removesuffix("\n"))


def lfs_folder(repo: Repository) -> Path:
    """Where Git LFS keeps what its pointers stand for: `lfs.storage` where a setting names it, else the repository's own folder."""
    common = common_folder(repo)
    try:
        return common / _path(run(repo.where, "config", "--null", "--type=path", "--get", "lfs.storage").rstrip(b"\0"))
    except GitFailed:  # it is not set
        return common / "lfs"


def hooks_folder(repo: Repository) -> Path:
    """The folder that git runs hooks from: `core.hooksPath` where a setting names one, else the repository's own."""
    named = run(repo.where, "config", "--null", "--type=path", "--get-all", "core.hooksPath").split(b"\0")[:-2]
    if named:  # without the last one, which is ours; an empty one leads git to the root of the disk
        return Path(repo.where, _path(named[-1]) or "/")
    return common_folder(repo) / "hooks"


def blobs(repo: Repository, shas: Iterable[str]) -> Iterator[tuple[str, bytes | None]]:
    """The content of blobs, each once, from one process; None for one that is not here or has more than `TEXT_BYTES`.

    Raises:
        NothingToRead: the repository is damaged: one is there and cannot be read whole.
    """
    wanted = list(dict.fromkeys(shas))
    answered = 0
    for found in _batches(repo, wanted):
        answered += 1
        yield found
    if answered == len(wanted):
        return
    # git stops at the first blob that it would have to fetch; so ask only for those that are here.
    here, left = _here(repo), wanted[answered:]
    yield from ((sha, None) for sha in left if sha not in here)
    there = [sha for sha in left if sha in here]
    for answered, found in enumerate(_batches(repo, there), 1):
        yield found
        if answered == len(there):
            return
    if there:
        raise _damaged(repo)


def _mailmap_of(repo: Repository) -> tuple[str | None, str]:
    """The folder to run git in and the blob to name, so that it reads one `.mailmap` and no other; or no folder."""
    try:
        found = Path(repo.where, MAILMAP).lstat() if repo.root is not None else None
    except OSError:
        found = None
    if found is not None and S_ISREG(found.st_mode):
        return (repo.where, "") if found.st_size <= MAILMAP_CAP_BYTES else (None, "")
    entry = next(iter(tree(repo, [MAILMAP])), None) if repo.head else None
    if (
        entry is None
        or entry.kind != "blob"
        or entry.mode == LINK_MODE
        or sizes(repo, [entry.sha]).get(entry.sha, 0) > MAILMAP_CAP_BYTES
    ):
        return None, ""
    # In git's own folder it looks for no file: what lies in the working tree may be a pipe.
    return _path(run(repo.where, "rev-parse", "--absolute-git-dir")).removesuffix("\n"), entry.sha


def _check_no_search(repo: Repository, name: str) -> None:
    """Refuse `:/words` and `HEAD^{/words}`: a name comes from whoever may read, and some patterns keep git busy for ever."""
    if _SEARCHES.search(name):
        raise NotFound(f"{repo.given}: {name!r} searches for a commit by its message; name one by its sha or a branch.")


def _log(repo: Repository, *arguments: str) -> tuple[Commit, ...]:
    fixed = ["-z", "--topo-order", "--raw", "--no-abbrev", "--no-color", "--no-ext-diff", "--no-textconv", "--no-notes"]
    fixed.append("--ignore-submodules=none")  # else a repository's own files could hide one
    form = ["--encoding=UTF-8", "--date=raw", "--format=" + "%x00".join(_LOG_FIELDS)]
    where, attributes = Path(repo.where), Path(repo.where, ".gitattributes")
    if (
        attributes.is_fifo() and (where / ".git").is_dir()
    ):  # it would wait for the pipe; in there it asks for no such file
        where /= ".git"
    return tuple(_commits(run(str(where), "log", *fixed, *form, *arguments)))


def _names_commit(repo: Repository, revisions: str) -> bool:
    """Whether a range names a commit to start from: not only what to leave out, and no tree or file."""
    try:
        named = _ask(repo, "rev-parse", "--revs-only", "--end-of-options", revisions).decode("ascii").split()
        return any(commit_of(repo, sha) for sha in named if not sha.startswith("^"))
    except (GitFailed, NotFound):
        return False


def _sizes(repo: Repository, shas: Sequence[str]) -> dict[str, int]:
    asked = "".join(f"{sha}\n" for sha in shas).encode()
    form = "--batch-check=%(objectname) %(objectsize)"
    answers = run(repo.where, "cat-file", form, given=asked, also=dict(repo.variables)).decode("ascii").splitlines()
    return {sha: int(size) for sha, size in (answer.split() for answer in answers) if size.isdigit()}


def _here(repo: Repository) -> frozenset[str]:
    """The shas of all objects that this copy has."""
    listed = _ask(repo, "cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
    return frozenset(listed.decode("ascii").split())


def _batches(repo: Repository, shas: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
    """The answers of `_batch`, which stops behind what is too large, as far as it comes."""
    answered, before = 0, -1
    while before < answered < len(shas):
        before = answered
        for found in _batch(repo, shas[answered:]):
            answered += 1
            yield found


def _batch(repo: Repository, shas: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
    """Answers of one `cat-file --batch`; fewer than asked for where git stops."""
    if not shas:
        return
    streams = ("-c", f"core.bigFileThreshold={TEXT_BYTES}")  # so that git holds nothing larger in memory
    command, environment = _command(repo.where, *streams, "cat-file", "--batch"), _environment() | dict(repo.variables)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment) as process:
        if process.stdin is None or process.stdout is None:  # cannot be: both are pipes
            return
        _bound(process)
        try:
            for at in range(0, len(shas), ASKED_AT_ONCE):
                asked = shas[at : at + ASKED_AT_ONCE]
                os.write(process.stdin.fileno(), "".join(f"{sha}\n" for sha in asked).encode())
                for sha in asked:
                    header = process.stdout.readline().split()
                    if not header:
                        return
                    if header[1] == b"missing":
                        yield sha, None
                        continue
                    if int(header[2]) > TEXT_BYTES:
                        yield sha, None
                        return
                    content = process.stdout.read(int(header[2]))
                    if process.stdout.read(1) != b"\n":  # which stands after each object that was read to its end
                        raise _damaged(repo)
                    yield sha, content if header[1] == b"blob" else None
        except BrokenPipeError:
            return
        finally:
            process.kill()


def _damaged(repo: Repository) -> NothingToRead:
    return NothingToRead(repo.given, "it is damaged: git cannot read all of its objects; 'git fsck' there names them")


def _head(where: str, variables: Mapping[str, str] | None) -> str:
    """The sha of the commit at HEAD; empty where there is none."""
    try:
        return run(where, "rev-parse", "--verify", "--quiet", "HEAD^{commit}", also=variables).decode().strip()
    except GitFailed:
        return ""


def _intended(repo: Repository) -> Iterator[bytes]:
    """The paths that are only noted in the index, to be added later."""
    for record in _INTENDED.finditer(_ask(repo, "ls-files", "-z", "--debug")):
        if int(record[2], 16) & _INTENT_TO_ADD:
            yield record[1]


def _commits(output: bytes) -> Iterator[Commit]:
    """Read `git log -z --raw`, with `--numstat` or without: the fields of a commit, its changes, their counts, each cut at NUL."""
    tokens = output.split(b"\0")
    at, end = 0, len(tokens) - 1
    while at < end:
        sha, parents, authored, committed, name, address, subject, message = tokens[at : at + len(_LOG_FIELDS)]
        at += len(_LOG_FIELDS)
        changes: list[Change] = []
        while at < end and (not tokens[at] or tokens[at].lstrip(b"\n").startswith(b":")):
            raw = tokens[at].lstrip(b"\n")
            at += 1
            if raw:
                paths = 2 if raw.split()[-1][:1] in {b"R", b"C"} and not raw.startswith(b"::") else 1
                changes.append(_change(raw.decode("ascii"), [_path(path) for path in tokens[at : at + paths]]))
                at += paths
        for place, change in enumerate(changes):  # their counts follow in the same order, where they were asked for
            if at >= end or (counts := _COUNTED.fullmatch(tokens[at])) is None:
                break
            at += 1 if counts[3] else 3
            added, removed = (None if count is None else int(count) for count in counts.groups()[:2])
            changes[place] = replace(change, added=added, removed=removed)
        said = (_text(name), _text(address), _time(authored), _time(committed))
        words = (_text(subject)[:SUBJECT_CHARACTERS], _text(message))
        yield Commit(sha.decode("ascii"), tuple(parents.decode("ascii").split()), *said, *words, tuple(changes))


def _change(raw: str, paths: Sequence[str]) -> Change:
    """Read one raw line: a colon, mode and sha for each parent, then the result's, then a letter for each parent."""
    parents = len(raw) - len(raw.lstrip(":"))
    fields = raw.lstrip(":").split(" ")
    mode, sha, letters = fields[parents], fields[2 * parents + 1], fields[-1]
    if parents > 1:
        status = "A" if set(letters) == {"A"} else "D" if mode == ABSENT_MODE else "M"
        return Change(status, mode, sha, paths[0])
    return Change(letters[0], mode, sha, paths[-1], paths[0] if len(paths) > 1 else None)


def _records(repo: Repository, listed: bytes) -> list[bytes]:
    """What git lists, a path each, within the limits."""
    if listed.count(b"\0") > PATHS_PER_TREE:
        raise TooHeavy(repo.given, f"one commit of it holds more than {PATHS_PER_TREE:,} files, and no memory does")
    records = listed.split(b"\0")[:-1]
    if any(len(one) > PATH_BYTES for one in records):
        raise TooHeavy(repo.given, f"it holds a path of more than {PATH_BYTES:,} bytes, which no system takes")
    return records


def _tree_entry(record: bytes) -> TreeEntry:
    facts, _, path = record.partition(b"\t")
    mode, kind, sha = facts.decode("ascii").split()
    return TreeEntry(mode, kind, sha, _path(path))


def _path(name: bytes) -> str:
    return name.decode("utf-8", "surrogateescape")


def _text(content: bytes) -> str:
    """A text of a commit: git re-encodes it where the commit names an encoding; else latin-1 is what never fails."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


_ZONE_DIGITS, _DAY_MINUTES = 4, 24 * 60
"""How long a zone is, and what it stays below; one that is neither is dropped."""


def _time(raw: bytes) -> datetime | None:
    """Read `1700000000 +0130`; None where it names no year of ours. The seconds are the instant, also beside a zone that none is."""
    found = re.fullmatch(rb"(-?\d{1,14})(?: ([+-])(\d+))?", raw)
    if not found:
        return None
    digits = found[3] or b""
    minutes = int(digits[:-2] or 0) * 60 + int(digits[-2:] or 0) if len(digits) <= _ZONE_DIGITS else _DAY_MINUTES
    offset = timedelta(minutes=-minutes if found[2] == b"-" else minutes)
    zone = timezone(offset) if minutes < _DAY_MINUTES else UTC
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(found[1]))).astimezone(zone)
    except OverflowError:
        return None


def _command(where: str, *arguments: str) -> list[bytes]:
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    fixed = ["git", "--no-pager", "--no-replace-objects", *settings, "-C", where]
    try:
        command = [part.encode("utf-8", "surrogateescape") for part in (*fixed, *arguments)]
    except UnicodeEncodeError:
        command = [b"\0"]
    if any(b"\0" in part for part in command):  # which no program can be given
        raise GitFailed(ascii(where), "a name holds NUL or a lone surrogate, so it names nothing")
    return command


def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or _KEPT_VARIABLES.fullmatch(k)}
    return kept | _ENVIRONMENT


def _ask(repo: Repository, *arguments: str) -> bytes:
    """What git says of a repository, with the commit in progress in mind."""
    return run(repo.where, *arguments, also=dict(repo.variables))


class _Answer(NamedTuple):
    """How git ended."""

    code: int
    output: bytes
    errors: bytes


def _answered(
    where: str, arguments: Sequence[str], given: bytes, also: dict[str, str], patience_seconds: float
) -> _Answer:
    """Let git run within the limits that keep a repository which was built to be heavy from taking the machine.

    Raises what `run` does where it could not be started, or went beyond a limit.
    """
    command, environment, pipe = _command(where, *arguments), _environment() | also, subprocess.PIPE
    try:
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)
    except FileNotFoundError as error:
        raise NotFound("git is not installed or not on PATH; install it, then try again.") from error
    except OSError as error:  # arguments that are longer than the system takes
        raise GitFailed(where, f"it could not be started ({error.strerror or error})") from error
    late, errors = threading.Event(), list[bytes]()
    timer = threading.Timer(patience_seconds, _stop, (late, process))
    beside = [
        threading.Thread(target=_feed, args=(process.stdin, given)),
        threading.Thread(target=_drain, args=(process.stderr, errors)),
    ]
    with process:
        _bound(process)
        for thread in (timer, *beside):
            thread.start()
        try:
            output = process.stdout.read(OUTPUT_BYTES + 1) if process.stdout else b""
            if len(output) > OUTPUT_BYTES:
                process.kill()
        finally:
            timer.cancel()
            for thread in beside:
                thread.join()
    if len(output) > OUTPUT_BYTES:
        raise TooHeavy(where, f"git {arguments[0]} lists more than {OUTPUT_BYTES >> 20} MiB of it")
    if late.is_set():
        raise GitFailed(where, f"it was stopped after {patience_seconds:.0f} seconds without an answer")
    return _Answer(process.returncode, output, b"".join(errors))


def _feed(pipe: IO[bytes] | None, given: bytes) -> None:
    """Tell git what it is given, as far as it listens."""
    if pipe is not None:
        with contextlib.suppress(BrokenPipeError), pipe:
            pipe.write(given)


def _drain(pipe: IO[bytes] | None, errors: list[bytes]) -> None:
    """Take what git says is wrong, so that it does not wait with it."""
    if pipe is not None:
        errors.append(pipe.read())


def _stop(late: threading.Event, process: subprocess.Popen[bytes]) -> None:
    late.set()
    process.kill()


def _bound(process: subprocess.Popen[bytes]) -> None:
    """Bound what a process may hold in memory, where the system can."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (GIT_MEMORY_BYTES, GIT_MEMORY_BYTES))


def run(
    where: str,
    *arguments: str,
    given: bytes = b"",
    also: Mapping[str, str] | None = None,
    patience_seconds: float = PATIENCE_SECONDS,
) -> bytes:
    """What git writes to its output.

    Args:
        where: the folder to run in.
        arguments: the command and what it is told.
        given: what it reads from its input.
        also: variables to set beside ours, as `GIT_INDEX_FILE`.
        patience_seconds: how long it may take.

    Raises:
        GitFailed: it stopped with an error.
        TooHeavy: it writes more than any memory directory lists.
        NothingToRead: what it was given is no repository, or git does not trust it.
        NotFound: git is not installed.
    """
    done = _answered(where, arguments, given, dict(also or {}), patience_seconds)
    if done.code == 0:
        return done.output
    lines = _text(done.errors).splitlines()
    said = [line for line in lines if not line.startswith("hint:")] or [f"nothing, and ended with {done.code}"]
    says = next((line for line in said if line.startswith(("fatal:", "error:"))), said[0])
    says = says.removeprefix("fatal: ").removeprefix("error: ")
    if "dubious ownership" in says:
        raise NothingToRead(
            where,
            "it belongs to another user, so git does not trust it (dubious ownership); "
            "if you do, run 'git config --global --add safe.directory' with its path",
        )
    if "not a git repository" in says:
        raise NothingToRead(where, "it is not a git repository")
    raise GitFailed(where, says)
