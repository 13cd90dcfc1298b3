"""What could make a core memory smaller: the specification's three steps in their order, each with candidates.

A proposal changes nothing; a person or an agent decides. Places of different candidates never overlap, so what each would free can be
added up. Characters are Unicode code points of the file, line ends included.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from studio.domain.directory.findings import Finding, Severity
from studio.domain.directory.limits import headroom
from studio.domain.directory.lint import likeness, provenance, rederivable
from studio.domain.directory.lint.blanking import BLANK
from studio.domain.directory.lint.pages import Page, quoted, read_page
from studio.domain.directory.lint.prose import Kind
from studio.domain.directory.lint.rule import Place
from studio.domain.directory.lint.rules import NEAR_DUPLICATE, PROVENANCE_DATE
from studio.domain.directory.proposal import SAYS, Candidate, Proposal, Step
from studio.domain.directory.tree import INDEX, MARKDOWN, Tree, shown_path

LEAST_MOVED_CHARACTERS = 300
"""Shorter sections are not worth a pointer."""
DETAIL_WORDS = 25
"""With a name, a number or a piece of code for so many words, a section tells details of a subject."""
SLUG_CHARACTERS = 40
"""How much of a heading becomes the name of a file."""
PROCEDURE_STEPS = 3
"""Numbered items that make a procedure."""

_NUMBERED = re.compile(r"\s*\d{1,9}[.)]\s")
_DETAIL = re.compile(rf"{BLANK}+|\d[\d.,:]*|(?<=[a-z,] )[A-Z][\w-]+")
_PROCEDURE_HEADING = re.compile(
    r"\W*(?:how to|steps?|procedures?|workflows?|run ?books?|playbooks?|checklists?|recipes?|instructions for|guide to|"
    r"release process)\b",
    re.IGNORECASE,
)
_NO_SLUG = re.compile(r"[^\w]+")


def propose(tree: Tree) -> Proposal:
    """What could be deleted, moved and turned into skills in a directory's root files, near a limit or not.

    Args:
        tree: the directory, with its root Markdown read.
    """
    pages = [
        read_page(shown_path(file.path), Place.INDEX if file.path == INDEX else Place.BLOCK, file.text)
        for file in tree
        if file.memory and file.regular and "/" not in file.path and file.body is not None and not file.body.binary
    ]
    cutters = {page.path: _Cutter(page) for page in pages if "\r" not in page.text.replace("\r\n", "")}
    found = [one for cutter in cutters.values() for one in cutter.rederivable()]
    found += _said_twice(pages, cutters)
    found += [one for cutter in cutters.values() for one in cutter.dated()]
    found += [one for cutter in cutters.values() for one in cutter.procedures()]
    found += [one for cutter in cutters.values() for one in cutter.details()]
    order = list(Step)
    found.sort(key=lambda one: (order.index(one.step), -one.frees, one.path, one.line))
    gauges = tuple(
        one for one in headroom(tree) if one.limit_of == "core" or (one.limit_of == "file" and "/" not in one.path)
    )
    return Proposal(gauges, tuple(found))


def as_findings(proposal: Proposal) -> tuple[Finding, ...]:
    """The candidates as advice, for editors and CI: kinds are `shrink_delete`, `shrink_move` and `shrink_skill`."""
    return tuple(
        Finding(
            kind=f"shrink_{one.step}",
            path=one.path,
            message=f"{one.reason} It would free {one.frees:,} characters (lines {one.line} to {one.end_line}).",
            rule=SAYS[one.step],
            actual=one.frees,
            line=one.line,
            suggestion=f"Leave this line in root {INDEX}: {one.pointer}" if one.pointer else None,
            severity=Severity.WARNING,
        )
        for one in proposal.candidates
    )


def _said_twice(pages: Iterable[Page], cutters: dict[str, "_Cutter"]) -> Iterator[Candidate]:
    """The later of two statements that say nearly the same."""
    for finding in likeness.check(list(pages)):
        if finding.kind == NEAR_DUPLICATE.kind and finding.line is not None and finding.path in cutters:
            cutter = cutters[finding.path]
            yield from cutter.statement(finding.line, f"It is said elsewhere: {quoted(str(finding.actual))!r}.")


class _Cutter:
    """Cuts candidates out of one page; lines that were cut once are taken."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines = page.text.split("\n")
        self.taken: set[int] = set()

    def cut(self, step: Step, line: int, end_line: int, reason: str, pointer: str | None = None) -> Iterator[Candidate]:
        """The lines as a candidate, if none of them is taken."""
        wanted = range(line, end_line + 1)
        if not wanted or not self.taken.isdisjoint(wanted):
            return
        cut = self.lines[line - 1 : end_line]
        newlines = len(cut) - (end_line == len(self.lines))
        left = len(pointer) + 1 if pointer else 0
        frees = sum(map(len, cut)) + newlines - left
        if frees > 0:
            self.taken.update(wanted)
            words = quoted(next((one for one in cut if one.strip()), ""))
            yield Candidate(step, self.page.path, line, end_line, words, frees, reason, pointer)

    def statement(self, line: int, reason: str) -> Iterator[Candidate]:
        """The statement that a line is in, with what stands under it, as one to delete."""
        number = bisect_right(self.page.prose.statements, line, key=lambda one: one.line) - 1
        if number >= 0:
            first = self.page.prose.statements[number].line
            yield from self.cut(Step.DELETE, first, self.page.prose.end_under(number), reason)

    def rederivable(self) -> Iterator[Candidate]:
        """What can be found out again."""
        for one in sorted(rederivable.places(self.page), key=lambda one: one.line - one.end_line):
            yield from self.cut(Step.DELETE, one.line, one.end_line, one.what)

    def dated(self) -> Iterator[Candidate]:
        """What bears a date, and may be stale."""
        for finding in provenance.check(self.page):
            if finding.kind == PROVENANCE_DATE.kind and finding.line is not None:
                yield from self.statement(finding.line, f"It is dated ({finding.actual}), so it may be stale.")

    def procedures(self) -> Iterator[Candidate]:
        """Sections under a heading that announces a procedure, and lists of numbered steps."""
        prose = self.page.prose
        for number, one in enumerate(prose.statements):
            if one.kind == Kind.HEADING and _PROCEDURE_HEADING.match(one.text):
                reason = f"A procedure, {quoted(one.text)!r}: a skill is loaded only when it is needed."
                yield from self.cut(Step.SKILL, one.line, prose.section_end(number), reason)
        for first, last, steps in self._numbered():
            reason = f"A procedure of {steps} steps: a skill is loaded only when it is needed."
            yield from self.cut(Step.SKILL, first, last, reason)

    def _numbered(self) -> Iterator[tuple[int, int, int]]:
        """First line, last line and number of items of each list of numbered steps."""
        prose = self.page.prose
        steps: list[int] = []
        for number, one in enumerate(prose.statements):
            if one.parent is not None:
                continue
            if one.kind == Kind.ITEM and _NUMBERED.match(self.lines[one.line - 1]):
                steps.append(number)
            else:
                yield from self._list(steps)
                steps = []
        yield from self._list(steps)

    def _list(self, steps: list[int]) -> Iterator[tuple[int, int, int]]:
        prose = self.page.prose
        if len(steps) >= PROCEDURE_STEPS:
            yield prose.statements[steps[0]].line, prose.end_under(steps[-1]), len(steps)

    def details(self) -> Iterator[Candidate]:
        """Sections that tell details of a subject, the largest first; without headings, the whole body."""
        prose = self.page.prose
        stem = self.page.path.removesuffix(MARKDOWN)
        headings = [number for number, one in enumerate(prose.statements) if one.kind == Kind.HEADING]
        sections = [
            (prose.section(number), prose.statements[number].text, prose.section_end(number)) for number in headings
        ]
        if not sections and self.page.place == Place.BLOCK and prose.statements:
            sections = [(range(len(prose.statements)), stem, prose.last_line)]
        for numbers, title, end_line in sorted(sections, key=lambda one: -len(one[0])):
            said = [prose.statements[number] for number in numbers]
            words = sum(len(one.text.split()) for one in said)
            details = sum(len(_DETAIL.findall(one.prose)) for one in said)
            if sum(len(one.text) for one in said) >= LEAST_MOVED_CHARACTERS and details * DETAIL_WORDS >= words:
                slug = _NO_SLUG.sub("-", title.casefold()).strip("-")[:SLUG_CHARACTERS] or stem
                folder = stem if self.page.place == Place.BLOCK else slug
                reason = (
                    f"It tells details of a subject ({details} names, numbers and pieces of code in {words} words)."
                )
                pointer = f"- {folder}/{slug}{MARKDOWN} — {quoted(title)}"
                yield from self.cut(Step.MOVE, said[0].line, end_line, reason, pointer)
