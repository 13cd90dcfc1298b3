"""Whether deferred memory is found: the entries of root `MEMORY.md` and of the indexes beneath it."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from studio.domain.directory.findings import Finding
from studio.domain.directory.layout import deferred_folders
from studio.domain.directory.lint.pages import Page, quoted
from studio.domain.directory.lint.prose import Kind, Statement
from studio.domain.directory.lint.rules import (
    DIRECTORY_NOT_NAMED,
    ENTRY_NAMES_NOTHING,
    ENTRY_REINDEXED,
    ENTRY_VAGUE,
    FILE_UNREACHABLE,
    INDEX_WITHOUT_QUESTIONS,
)
from studio.domain.directory.tree import INDEX, MARKDOWN, SKILLS, Tree, shown_path

REST_CHARACTERS = 400
"""How much of an item counts as what it says about a path; each of many links in one paragraph is judged by no more."""

_LEADS = re.compile(
    r"[*_`\"'(\[<]*(?P<name>[^\s`*\[\]()<>\"',;:]+)(?P<closes>[`*_\"'>]*\](?:\((?P<target>[^()\s]*)\))?)?"
)
_ENDS_A_PATH = re.compile(r"[\s`*_\"')>\]]*(?:[—–:;,(|→=-]|$)")
_LINK = re.compile(r"\[[^\[\]\n]*\]\((?P<target>[^()\s]+)\)|\[\[(?P<wiki>[^\[\]|#\n]+)[^\[\]\n]*\]\]")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|[#/~$\\]", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"[^\s`*\[\]()<>\"',;:|—]+")
_PATH = re.compile(r"[\w.@+-]++(?:/[\w.@+-]++)*+/?")
_SMALL_WORDS = (
    "a an the and or of to in on at for with about from all any some my our your this that is are it its more"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_VAGUE_WORDS = (
    "note notes stuff misc miscellaneous thing things info information various general other others file files document "
    "documents doc docs data detail details folder directory content contents material memory memories item items etc "
    "related random useful important see here index entry entries everything anything something open read look reference "
    "references knowledge context additional extra"
)
_VAGUE = frozenset(_VAGUE_WORDS.split())
_SAYS_WHEN = re.compile(
    r"\b(?:when|whenever|if|before|once|questions?|requests?|asks?|asked|asking|answer\w*|unfamiliar|unknown|unsure|not sure|know|"
    r"mention\w*|assum\w+|guess\w*|look up|search|consult|recall|check|first)\b",
    re.IGNORECASE,
)
"""What may say which questions lead into memory; a bare list of folders and their contents has none of it."""
_ONE_PER = re.compile(
    r"\*\.md|\bone (?:file|note|page) (?:per|for each)\b|\b(?:each|every) (?:file|note|page)\b|<[\w -]+>\.md|YYYY|\{\w+\}\.md"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One item of an index that names a path."""

    path: str
    """The path from the root, without a slash at the end."""
    written: str
    """As it stands there."""
    folder: bool
    """Whether it is written as a folder."""
    rest: str
    """What the item says beside the path."""
    line: int
    """The line of the index."""


def check(tree: Tree, pages: Mapping[str, Page]) -> Iterator[Finding]:
    """The findings of this family.

    Args:
        tree: the directory.
        pages: its memory files as read, by path.
    """
    if INDEX not in pages:
        return  # the limits refuse a directory without one
    yield from check_indexes(tree, pages.values())
    yield from _reached(tree, pages)


def check_indexes(tree: Tree, pages: Iterable[Page]) -> Iterator[Finding]:
    """What is wrong with the entries of indexes, and which folders the root's does not name.

    Args:
        tree: the directory.
        pages: memory files as read; those that are no index have no entries.
    """
    paths = {file.path for file in tree}
    folders = {folder for path in paths for folder in _above(path)}
    for page in pages:
        if page.path == INDEX or page.path.endswith("/" + INDEX):
            yield from _entries_of(page, paths | folders, folders)
        if page.path == INDEX:
            listed = deferred_folders(tree)
            yield from _folders(page, listed)
            yield from _questions(page, listed)


def _entries_of(page: Page, known: set[str], folders: set[str]) -> Iterator[Finding]:
    """What is wrong with the entries of one index."""
    home = page.path.rpartition("/")[0]
    for entry in entries(page, folders):
        there = _resolve(entry.path, home, known)
        if there is None:
            if _looks_like_memory(entry):
                yield ENTRY_NAMES_NOTHING.found(
                    page.path,
                    f"The entry {quoted(entry.written)!r} in line {entry.line} of {page.path} names nothing in this directory.",
                    line=entry.line,
                    actual=entry.written,
                    suggestion="Delete the entry, or name the file or folder that took its place.",
                )
        elif page.path == INDEX and _in_the_prompt(there):
            yield ENTRY_REINDEXED.found(
                page.path,
                f"The entry {quoted(entry.written)!r} names what the prompt already holds.",
                line=entry.line,
                actual=entry.written,
                suggestion="Delete the entry.",
            )
        elif page.path == INDEX and there.removesuffix("/" + INDEX) in folders and (wrong := _vague(entry)):
            yield ENTRY_VAGUE.found(
                page.path,
                f"The entry for {entry.written} {wrong}: {quoted(entry.rest)!r}.",
                line=entry.line,
                actual=quoted(entry.rest),
                suggestion="Write the words of the requests that need it, such as 'deployments, rollbacks, on-call runbooks'.",
            )


def entries(page: Page, folders: Container[str] = ()) -> Iterator[Entry]:
    """The items of an index that begin with a path, a link or the name of one of the folders, and other links to Markdown."""
    for one in page.prose.statements:
        if one.kind not in {Kind.ITEM, Kind.PARAGRAPH}:
            continue
        leads = _LEADS.match(one.text) if one.kind == Kind.ITEM else None
        first = _leading(one, leads, folders) if leads else None
        if first is not None:
            yield first
        behind = leads.end() if leads and leads["target"] else 0
        for found in _LINK.finditer(one.text, behind):
            path = _path(found["target"] or found["wiki"])
            if path is not None and (found["wiki"] or path.endswith((MARKDOWN, "/"))):
                written = found["target"] or found["wiki"]
                rest = one.text[:REST_CHARACTERS]
                yield Entry(path.rstrip("/"), written, path.endswith("/"), rest, one.line_at(found.start()))


def _leading(one: Statement, leads: re.Match[str], folders: Container[str]) -> Entry | None:
    """The entry that an item begins with, if that is a link, or a path with no more behind it than a dash or a colon divides."""
    written = leads["target"] or leads["name"]
    path = _path(written)
    if path is None or not ("/" in path or path.endswith(MARKDOWN) or path in folders):
        return None
    if leads["target"] is None and not _ENDS_A_PATH.match(one.text, leads.end()):
        return None  # "src/ is built by CI" tells of a path
    label = one.text[: leads.end()] if leads["target"] else ""
    rest = f"{label} {one.text[leads.end() :]}".strip()
    return Entry(path.rstrip("/"), written, path.endswith("/") or path in folders, rest, one.line)


def _path(written: str) -> str | None:
    """A relative path as it stands in an index, without `./`; None for an address and all that is no path."""
    plain = written.removeprefix("./").strip()
    return plain if _PATH.fullmatch(plain) and not _SCHEME.match(plain) else None


def _looks_like_memory(entry: Entry) -> bool:
    """Whether an entry can only mean a place of this directory: a folder of it, or Markdown."""
    return not _ONE_PER.search(entry.written) and (
        (entry.folder and "/" not in entry.path) or entry.path.endswith(MARKDOWN)
    )


def _resolve(path: str, home: str, known: set[str]) -> str | None:
    """The path that an entry means, from its own folder first; a name without `.md` may mean the file."""
    for candidate in (f"{home}/{path}" if home else path, path, path.removeprefix("memory/")):
        for one in (candidate, candidate + MARKDOWN):
            if one in known:
                return one
    return None


def _in_the_prompt(path: str) -> bool:
    """Whether a path is a root file or a skill."""
    return ("/" not in path and path.endswith(MARKDOWN)) or path == SKILLS or path.startswith(SKILLS + "/")


def _vague(entry: Entry) -> str | None:
    """What is wrong with the words of an entry, or None."""
    words = [word.casefold() for word in _WORD.findall(entry.rest)]
    if not words:
        return "does not say when to open it"
    own = {part.casefold() for part in _WORD.findall(entry.path)}
    meaning = {word for word in words if word not in _SMALL and word not in own | {"md"}}
    telling = meaning - _VAGUE
    if not telling or (len(telling) == 1 and meaning & _VAGUE):
        return "uses words that no request would"
    return None


def _folders(index: Page, folders: Sequence[str]) -> Iterator[Finding]:
    """Listed folders that root `MEMORY.md` does not name."""
    text = index.document.body
    for folder in folders:
        shown = shown_path(folder)
        name = re.escape(folder)  # devops/ does not name ops/
        in_text = re.search(rf"(?<![\w.-]){name}(?:/|[`*_\"]* (?:folder|directory)\b)|[`*_\"\[]{name}[`*_\"\]]", text)
        named = in_text is not None or any(_begins_with(one, folder) for one in index.prose.statements)
        if not named:
            yield DIRECTORY_NOT_NAMED.found(
                INDEX,
                f"{shown}/ has an index and root {INDEX} does not name it, so it is effectively lost.",
                actual=shown,
                suggestion=f"Add a line '- {shown}/ — …' that says when to open it.",
            )


def _questions(index: Page, listed: Sequence[str]) -> Iterator[Finding]:
    """That root `MEMORY.md` nowhere says when, before what or for which questions memory is opened."""
    if listed and index.prose.english and not any(_SAYS_WHEN.search(one.prose) for one in index.prose.statements):
        yield INDEX_WITHOUT_QUESTIONS.found(
            INDEX,
            f"Root {INDEX} does not say which questions should send the agent to memory before it answers.",
            suggestion="Add a line such as 'Open memory before answering about a person, project or system you do not know.'",
        )


def _begins_with(one: Statement, folder: str) -> bool:
    leads = _LEADS.match(one.text)
    return leads is not None and leads["name"].casefold().rstrip(".:—-") == folder.casefold()


def _reached(tree: Tree, pages: Mapping[str, Page]) -> Iterator[Finding]:
    """Deferred files that neither root `MEMORY.md` nor an index above them names."""
    indexes = {path: _Names.of(page.document.body) for path, page in pages.items() if path.rpartition("/")[2] == INDEX}
    for file in tree:
        goal = file.folder if file.index else file.path
        if not file.memory or "/" not in goal:
            continue  # root files are in the prompt, and a top folder is listed: its own rule asks for an entry
        above = [one for one in (INDEX, *(f"{folder}/{INDEX}" for folder in _above(goal))) if one in indexes]
        if not any(indexes[one].name(goal) for one in above):
            yield FILE_UNREACHABLE.found(
                shown_path(file.path),
                f"No index names {shown_path(goal)}{'/' if file.index else ''}, so no request reaches it.",
                suggestion=f"Add a line about it to {shown_path(above[-1]) if above else INDEX}, or delete it.",
            )


@dataclass(frozen=True, slots=True)
class _Names:
    """What an index may name."""

    words: frozenset[str]
    """Its words with their dots and dashes, casefolded; each part of a path too."""
    text: str
    """All of it, casefolded."""
    all_files: bool
    """Whether it speaks of all files of a kind, as `YYYY-MM-DD.md`."""

    @classmethod
    def of(cls, text: str) -> "_Names":
        """Read an index."""
        found: set[str] = set()
        for word in _NAME.findall(text):
            plain = word.casefold().strip("./")
            found.update(
                (plain, plain.removesuffix(MARKDOWN), *(part.removesuffix(MARKDOWN) for part in plain.split("/")))
            )
        return cls(frozenset(found), text.casefold(), _ONE_PER.search(text) is not None)

    def name(self, goal: str) -> bool:
        """Whether it names a file or folder: by its path, its name, or its name's words; or all files of a kind."""
        stem = goal.rpartition("/")[2].removesuffix(MARKDOWN).casefold()
        if self.all_files or stem in self.words or goal.casefold() in self.words:
            return True
        spaced = " ".join(_WORD.findall(stem))
        return " " in spaced and spaced in self.text


def _above(path: str) -> tuple[str, ...]:
    """The folders above a path, from the top."""
    parts = path.split("/")[:-1]
    return tuple("/".join(parts[: depth + 1]) for depth in range(len(parts)))
