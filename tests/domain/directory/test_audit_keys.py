"""What makes a finding new: which of two commits brought it (decision 34)."""

import json
from collections import Counter

import pytest
from trees import note, tree

from studio.domain.directory.audit import Mark, Marked, brought
from studio.domain.directory.findings import Finding
from studio.domain.directory.limits import check
from studio.domain.directory.secrets import KeyFound, secret_findings
from studio.domain.directory.tree import CONFIG

GITHUB, AWS, PRIVATE = "GitHub token", "AWS access key", "Private key"


def secrets(*keys: tuple[str, int, int | None]) -> list[Marked]:
    """Keys of a format, each in a line, with what stands for the key itself."""
    return [
        Marked.of(finding, () if word is None else (word,))
        for format_, line, word in keys
        for finding in secret_findings("a.md", [KeyFound(format_, line)])
    ]


def counted(found: list[Marked]) -> Counter[Mark]:
    return Counter(mark for one in found for mark in one.marks)


def told(findings: tuple[Finding, ...]) -> list[tuple[str | int | None, int | None]]:
    return [(one.actual, one.line) for one in findings]


@pytest.mark.parametrize(
    ("parents", "after", "new"),
    [
        ([], secrets((GITHUB, 5, 1)), [(GITHUB, 5)]),
        ([secrets((GITHUB, 5, 1))], secrets((GITHUB, 9, 1)), []),
        ([secrets((GITHUB, 5, 1))], secrets((GITHUB, 5, 1), (AWS, 6, 2)), [(AWS, 6)]),
        ([secrets((GITHUB, 5, 1))], secrets((GITHUB, 5, 2), (GITHUB, 6, 1)), [(GITHUB, 5)]),
        ([secrets((GITHUB, 5, 1))], secrets((GITHUB, 5, 2)), [(GITHUB, 5)]),
        ([secrets((GITHUB, 5, 1))], secrets((GITHUB, 5, 1), (GITHUB, 6, 1)), [(GITHUB, 6)]),
        ([secrets((PRIVATE, 5, None))], secrets((PRIVATE, 5, None), (PRIVATE, 30, None)), [(PRIVATE, 30)]),
        ([secrets((GITHUB, 5, 1), (GITHUB, 6, 2))], secrets((GITHUB, 6, 2)), []),
        ([secrets((GITHUB, 5, 1)), secrets((GITHUB, 5, 2))], secrets((GITHUB, 5, 1), (GITHUB, 6, 2)), []),
        ([secrets((GITHUB, 5, 1)), []], secrets((GITHUB, 5, 1)), []),
        ([secrets((GITHUB, 5, 1))] * 2, secrets((GITHUB, 5, 1), (GITHUB, 6, 1)), [(GITHUB, 6)]),
    ],
    ids=[
        *("the first", "moved", "another format", "another above it", "replaced by another", "repeated"),
        *("a second private key", "one of two taken out", "a merge of both", "a merge of one", "repeated by a merge"),
    ],
)
def test_a_secret_is_new_where_no_parent_has_it_as_often(
    parents: list[list[Marked]], after: list[Marked], new: list[tuple[str, int]]
) -> None:
    assert told(brought(after, map(counted, parents))) == new


def limits(**fields: object) -> dict[str, str | bytes]:
    return {CONFIG: json.dumps({"version": 1, **fields})}


def header(*lines: str) -> dict[str, str | bytes]:
    return {"a.md": "\n".join(["---", *lines, "---", ""])}


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        ({"a.md": note("x" * 20_001)}, {"a.md": note("x" * 20_002)}, []),
        ({"a.md": note("x" * 20_001)}, {"a.md": note("x" * 20_001), **limits(maxFileCharacters=99)}, []),
        (limits(maxCoreMemoryCharacters=3), {**limits(maxCoreMemoryCharacters=3), "MEMORY.md": "longer"}, []),
        (header("name: n"), header("name: n", "extra: 1", "description: d"), ["fm_unknown_key"]),
        (header("one: 1"), header("", "one: 1"), []),
        (header("one: 1"), header("two: 2"), ["fm_unknown_key"]),
        (header("name: n"), header("description: d"), ["fm_missing_field"]),
        (limits(one=1), limits(two=2), ["config_unknown_field"]),
        (limits(maxDepth=-1), limits(maxDepth=-1, maxFileCharacters=-1), ["config_bad_integer"]),
        (limits(maxDepth=-1), limits(maxFileCharacters=-1), ["config_bad_integer"]),
        (limits(readOnlyFiles=["/a"]), limits(readOnlyFiles=["ok", "/a"]), []),
        (limits(readOnlyFiles=["/a"]), limits(readOnlyFiles=["/b", "/a"]), ["config_bad_pattern"]),
        ({"a.md": b"\xe9"}, {"a.md": b"\0"}, ["not_text"]),
    ],
    ids=[
        *(
            "grew",
            "another limit",
            "the core grew",
            "another field",
            "moved down",
            "one for another",
            "other field missing",
        ),
        *(
            "unknown field",
            "second number",
            "another number",
            "moved in a list",
            "another glob",
            "binary in another way",
        ),
    ],
)
def test_a_finding_stays_the_same_while_a_number_or_a_line_changes_and_not_what_is_wrong(
    before: dict[str, str | bytes], after: dict[str, str | bytes], new: list[str]
) -> None:
    parent, child = (
        [Marked.of(one) for one in check(tree({"MEMORY.md": "over", **files}))] for files in (before, after)
    )
    assert [one.kind for one in brought(child, [counted(parent)])] == new


def test_a_finding_holds_the_format_of_a_key() -> None:
    assert [one.actual for one in secret_findings("a.md", [KeyFound(AWS, 3)])] == [AWS]
