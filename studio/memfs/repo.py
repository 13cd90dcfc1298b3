"""Read a memory directory out of its repository: any commit or what is staged, each in one listing and one batch of texts."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from studio import git
from studio.domain.bodies import Body
from studio.domain.directory.layout import Compiled, compile_tree, reaches_prompt
from studio.domain.directory.limits import changed_paths
from studio.domain.directory.tree import CONFIG, MARKDOWN, SKILLS, FileMode, Tree, TreeFile, shown_path
from studio.errors import BadArgument, NothingToRead
from studio.memfs.plain import read_plain

SCANNED_CAP_BYTES = 1 << 20
"""How large a changed file that is no memory may be to be read for secrets."""

Reads = Callable[[str], bool]
"""Whether the content of a path is to be read."""


@dataclass(frozen=True, slots=True)
class Staged:
    """What a commit would hold, and what it goes on."""

    tree: Tree
    """The staged files; memory, the config and what changed were read."""
    parents: tuple[Tree, ...]
    """HEAD and what is being merged into it, without contents; empty for a first commit."""
    changed: tuple[str, ...]
    """The paths that differ from every parent."""


def core_files(path: str) -> bool:
    """What compiling reads: root Markdown."""
    return path.endswith(MARKDOWN) and "/" not in path


def memory_files(path: str) -> bool:
    """What the limits read: all memory, and the config."""
    return path == CONFIG or (path.endswith(MARKDOWN) and not path.startswith(f"{SKILLS}/"))


def all_markdown(path: str) -> bool:
    """What the Directory place reads: memory, the config, and skills."""
    return path == CONFIG or path.endswith(MARKDOWN)


def open_directory(
    path: str | Path, *, unborn: bool = True, variables: Mapping[str, str] | None = None
) -> git.Repository:
    """The repository of a memory directory, by its root: whoever mistypes is never told of, and never writes into, another one.

    Args:
        path: the root of its working tree, whatever links lead there, or a bare repository.
        unborn: also take one without commits.
        variables: what git told a hook about the commit in progress, see `git.COMMIT_VARIABLES`.

    Raises:
        NothingToRead: it is no repository, git's own folder of one, or without commits; or git does not trust it.
        BadArgument: it is a folder inside of a repository.
        NotFound: git is not installed.
    """
    opened = git.open_repository(path, unborn=unborn, variables=variables)
    around = git.inside_of(opened)
    if around is not None:
        raise BadArgument(
            f"{Path(path).absolute()} is a folder inside of the repository {around}; name that, or make it one."
        )
    return opened


def tree_at(
    repo: git.Repository, commit: str | None = None, *, lists: Reads | None = None, reads: Reads = memory_files
) -> Tree:
    """The tree of a commit, whatever name it goes by; of HEAD without one. What a partial copy lacks is not read, and the tree says so.

    Args:
        repo: the directory.
        commit: a branch, a tag, a sha or an expression such as `HEAD~2`.
        lists: which paths the tree is to hold; all without it.
        reads: which of them are to be read.

    Raises:
        NothingToRead: there are no commits yet.
        NotFound: the name is no commit's.
    """
    if commit is None and not repo.head:
        raise NothingToRead(
            repo.given, "it has no commits yet; commit the files, or check what is staged with --staged"
        )
    sha = repo.head if commit is None else git.commit_of(repo, commit)
    return _read(repo, git.files_at(repo, sha, lists), reads)


def compiled_at(repo: git.Repository, commit: str | None = None, base: str | None = None) -> Compiled:
    """The compiled memory of a commit, of HEAD without one; nothing that does not reach the prompt is read.

    Raises what `tree_at` does, and `NothingToRead` where a partial copy lacks what is to be read.
    """
    if commit is None and not repo.head:
        raise NothingToRead(repo.given, "it has no commits yet, and only what is committed compiles; commit the files")
    return compile_tree(whole(repo, tree_at(repo, commit, lists=reaches_prompt, reads=core_files)), base)


def staged(repo: git.Repository, merging: Sequence[str] = ()) -> Staged:
    """What a commit of the index would hold, and its parents.

    Args:
        repo: the directory.
        merging: the commits that git merges into HEAD without help, which it keeps in no file yet.

    Raises:
        NothingToRead: there is no working tree.
    """
    if repo.root is None:
        raise NothingToRead(repo.given, "nothing is ever staged in a bare repository; name a commit")
    heads = [repo.head, *(_merged_heads(repo) or merging)] if repo.head else []
    parents = tuple(_tree(git.files_at(repo, head)) for head in heads)
    tree = _read(repo, git.staged_files(repo), memory_files)
    changed = changed_paths(tree, parents)
    unread = [one for one in map(tree.at, changed) if one is not None and one.regular and one.body is None]
    return Staged(_with_bodies(repo, tree, _small(repo, unread)), parents, changed)


def with_core(repo: git.Repository, tree: Tree) -> Tree:
    """A tree of which nothing was read yet, with its root Markdown read."""
    return _with_bodies(repo, tree, [file for file in tree if file.regular and core_files(file.path)])


def small_bodies(repo: git.Repository, tree: Tree) -> Iterator[tuple[str, Body | None]]:
    """The contents up to `SCANNED_CAP_BYTES` of the regular files of a tree that were not read, by sha, one at a time.

    None for one that a partial copy lacks and that may be so small.
    """
    return _bodies(repo, _small(repo, [file for file in tree if file.regular and file.body is None]))


def whole(repo: git.Repository, tree: Tree, needs: Reads = lambda _: True) -> Tree:
    """The tree itself, for what cannot do without a text.

    Args:
        repo: where it is.
        tree: the tree.
        needs: which of its texts are needed.

    Raises:
        NothingToRead: a partial copy lacks one of them.
    """
    for path in filter(needs, tree.lacking):
        name, most = shown_path(path), f"{git.TEXT_BYTES >> 20} MiB"
        why = f"it is a partial copy that lacks {name}, or damaged, or {name} has more than {most}; fetch it, or ask 'git fsck'"
        raise NothingToRead(repo.given, why)
    return tree


def searchable(repo: git.Repository, shas: Collection[str]) -> frozenset[str]:
    """Those contents that are small enough to be searched for keys; of what a partial copy lacks, those that may be."""
    if not shas:
        return frozenset()
    sizes = git.sizes(repo, shas)
    absent = 0 if all(sha in sizes for sha in shas) else git.left_out_from_bytes(repo)
    return frozenset(sha for sha in shas if sizes.get(sha, absent) <= SCANNED_CAP_BYTES)


def _read(repo: git.Repository, entries: Sequence[git.TreeEntry], reads: Reads) -> Tree:
    wanted = {entry.path for entry in entries if entry.kind == "blob" and reads(entry.path)}
    tree = _tree(entries)
    return _with_bodies(repo, tree, [file for file in tree if file.path in wanted])


def _tree(entries: Iterable[git.TreeEntry]) -> Tree:
    return Tree(tuple(TreeFile(entry.path, FileMode.of_git(entry.mode), entry.sha) for entry in entries))


def _with_bodies(repo: git.Repository, tree: Tree, files: Sequence[TreeFile]) -> Tree:
    """The tree with the contents of some of its files, as far as this copy has them."""
    if not files:
        return tree
    bodies = dict(_bodies(repo, files))
    wanted = {file.path for file in files}
    read = (replace(file, body=bodies[file.sha]) if file.path in wanted else file for file in tree)
    lacking = (file.path for file in files if bodies[file.sha] is None)
    return Tree(tuple(read), (*tree.lacking, *lacking))


def _bodies(repo: git.Repository, files: Iterable[TreeFile]) -> Iterator[tuple[str, Body | None]]:
    for sha, content in git.blobs(repo, (file.sha for file in files)):
        yield sha, None if content is None else Body.of_bytes(content)


def _small(repo: git.Repository, files: Sequence[TreeFile]) -> list[TreeFile]:
    """The files that are small enough to be read for secrets."""
    wanted = searchable(repo, [file.sha for file in files])
    return [file for file in files if file.sha in wanted]


def _merged_heads(repo: git.Repository) -> list[str]:
    """The commits that are being merged into HEAD."""
    return (read_plain(git.own_file(repo, "MERGE_HEAD")) or b"").decode("ascii", "replace").split()
