"""The lint put together: over a memory directory, and over one text that is a prompt or an artifact memory (decision 35)."""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from studio.domain.directory.conflict_markers import CONFLICT_MARKERS, marker_findings
from studio.domain.directory.findings import Finding, Severity
from studio.domain.directory.lacking import lacking_findings
from studio.domain.directory.limits import CORE, config_of, headroom, tree_findings
from studio.domain.directory.lint import (
    alike,
    examples,
    likeness,
    piling,
    prohibitions,
    provenance,
    reach,
    reasons,
    rederivable,
    structure,
    wording,
)
from studio.domain.directory.lint.pages import Page, read_page
from studio.domain.directory.lint.rule import Place
from studio.domain.directory.lint.rules import CASE_TWINS, NEAR_LIMIT, RULES
from studio.domain.directory.secrets import SECRET, SecretScan, find_nothing, secret_findings
from studio.domain.directory.tree import INDEX, MARKDOWN, SKILLS, Tree, shown_path
from studio.domain.memory import MEMORY_CAP_CHARACTERS

NEAR_LIMIT_SHARE = 0.8
"""The part of a limit from which on a text is near it."""

_CHECKS = (
    structure.check,
    wording.check,
    prohibitions.check,
    provenance.check,
    examples.check,
    alike.check,
    reasons.check,
    rederivable.check,
    piling.check,
)
"""What looks at one text."""


def lint_tree(
    tree: Tree,
    *,
    history: Mapping[str, Sequence[str]] | None = None,
    scan: SecretScan = find_nothing,
    off: Iterable[str] = (),
) -> tuple[Finding, ...]:
    """All that the writing rules say about a memory directory, by path and line; and that it is none where it has no root index.

    Args:
        tree: the directory, with its Markdown read.
        history: versions of its root files by path, oldest first, the one in the tree last; without them nothing is said of growth.
        scan: what finds keys in a text.
        off: kinds of rules that a person switched off; a repository cannot.
    """
    known = history or {}
    blocks = _blocks(tree)
    pages: dict[str, Page] = {}
    found: list[Finding] = []
    for file in tree:
        if file.body is None or file.body.binary or not file.regular or not file.markdown:
            continue
        path = shown_path(file.path)
        if file.memory:
            versions = tuple(known.get(file.path, ()))
            pages[file.path] = page = read_page(path, place_of(file.path), file.text, versions, blocks - {_name(path)})
            found += _page(page, scan)
        elif file.path.startswith(SKILLS + "/"):
            found += (*secret_findings(path, scan(file.text)), *marker_findings(path, file.text))
    core = [page for page in pages.values() if page.place in {Place.BLOCK, Place.INDEX}]
    found += likeness.check(core)
    found += reach.check(tree, pages)
    found += (one for one in tree_findings(tree, config_of(tree)[0]) if one.kind == "root_index_missing")
    found += _twins(tree)
    found += _near_limits(tree)
    found += lacking_findings(tree.lacking)
    return _kept(found, frozenset(off))


def lint_file(tree: Tree, path: str, *, off: Iterable[str] = ()) -> tuple[Finding, ...]:
    """What the writing rules say about one file of a directory, quickly enough to be asked while it is written.

    It is what `lint_tree` says of that file, but for keys, conflict markers, growth, and what only shows beside other texts.

    Args:
        tree: the directory, with its Markdown read.
        path: the file.
        off: kinds of rules that a person switched off.
    """
    file = tree.at(path)
    if file is None or not file.memory or not file.regular or file.body is None or file.body.binary:
        return ()
    shown = shown_path(path)
    page = read_page(shown, place_of(path), file.text, blocks=_blocks(tree) - {_name(shown)})
    own = (one for one in _page(page, find_nothing) if one.kind != CONFLICT_MARKERS)  # the hook's check says those
    found = [*own, *reach.check_indexes(tree, [page])]
    found += _of_place(likeness.check([page]), page.place)
    found += (one for one in _near_limits(tree) if one.path == page.path or (one.path == CORE and "/" not in path))
    return _kept(found, frozenset(off))


def lint_text(
    path: str,
    place: Place,
    text: str,
    *,
    history: Sequence[str] = (),
    scan: SecretScan = find_nothing,
    off: Iterable[str] = (),
) -> tuple[Finding, ...]:
    """What the rules that bind it say about an artifact memory or a Task; all of it is advice (decision 35).

    Args:
        path: what findings call it, as `memory.md`.
        place: what it is for.
        text: the text as stored.
        history: its versions, oldest first, this one last.
        scan: what finds keys in a text.
        off: kinds of rules that a person switched off.
    """
    page = read_page(path, place, text, tuple(history))
    found = [*_page(page, scan), *_of_place(likeness.check([page]), place), *_near_cap(page)]
    return _kept([replace(one, severity=Severity.WARNING) for one in found], frozenset(off))


def _blocks(tree: Tree) -> frozenset[str]:
    """The names of the blocks that a prompt is compiled of, casefolded."""
    roots = (file for file in tree if file.memory and place_of(file.path) == Place.BLOCK)
    return frozenset(_name(shown_path(file.path)) for file in roots)


def _name(path: str) -> str:
    return path.removesuffix(MARKDOWN).casefold()


def _page(page: Page, scan: SecretScan) -> Iterator[Finding]:
    """What concerns one text by itself."""
    for check in _CHECKS:
        yield from _of_place(check(page), page.place)
    yield from secret_findings(page.path, scan(page.text))
    yield from marker_findings(page.path, page.text)


def _of_place(found: Iterable[Finding], place: Place) -> Iterator[Finding]:
    return (one for one in found if place in RULES[one.kind].places)


def _kept(found: Iterable[Finding], off: frozenset[str]) -> tuple[Finding, ...]:
    """What is not switched off: secrets first, then by path and line."""
    kept = (one for one in found if one.kind not in off)
    return tuple(sorted(kept, key=lambda one: (one.kind != SECRET, one.path, one.line or 0)))


def place_of(path: str) -> Place:
    """What a memory file is for, by where it is."""
    if path == INDEX:
        return Place.INDEX
    return Place.DEFERRED if "/" in path else Place.BLOCK


def _twins(tree: Tree) -> Iterator[Finding]:
    """Paths, and folders on them, that are one name where letter case or composition does not count."""
    spellings: dict[str, set[str]] = defaultdict(set)
    for file in tree:
        parts = file.path.split("/")
        for depth in range(1, len(parts) + 1):
            path = "/".join(parts[:depth])
            spellings[unicodedata.normalize("NFC", path).casefold()].add(path)
    for several in spellings.values():
        if len(several) > 1:
            first, *others = sorted(several)
            for other in others:
                if other.rpartition("/")[0] != first.rpartition("/")[0]:
                    continue  # their folders are twins, which is said once
                yield CASE_TWINS.found(
                    shown_path(other),
                    f"{shown_path(other)} and {shown_path(first)} are one file on systems that do not tell letter case apart.",
                    actual=shown_path(first),
                    suggestion="Rename one of them.",
                )


def _near_limits(tree: Tree) -> Iterator[Finding]:
    """Sizes over the share; the hook refuses what is over the limit itself."""
    for gauge in headroom(tree):
        if gauge.limit_of == "depth" or gauge.limit is None or not NEAR_LIMIT_SHARE < gauge.share <= 1:
            continue
        whole = gauge.path == CORE
        yield NEAR_LIMIT.found(
            gauge.path,
            f"{'All root files together have' if whole else f'{gauge.path} has'} {gauge.used:,} of {gauge.limit:,} characters "
            f"({gauge.rule}), {gauge.share:.0%} of the limit.",
            actual=gauge.used,
            limit=gauge.limit,
            suggestion="Shrink before you grow: 'studio dir shrink' proposes what to delete, move and turn into skills.",
        )


def _near_cap(page: Page) -> Iterator[Finding]:
    """An artifact memory near the longest text that `memory_write` takes."""
    used = len(page.text)
    if page.place == Place.MEMORY and used > NEAR_LIMIT_SHARE * MEMORY_CAP_CHARACTERS:
        over = used > MEMORY_CAP_CHARACTERS
        yield NEAR_LIMIT.found(
            page.path,
            f"{page.path} has {used:,} of the {MEMORY_CAP_CHARACTERS:,} characters that memory_write takes"
            + ("; the agent itself can no longer write a text this long." if over else "."),
            actual=used,
            limit=MEMORY_CAP_CHARACTERS,
            suggestion="Shrink it before it grows.",
        )
