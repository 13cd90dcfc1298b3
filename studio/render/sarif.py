"""Findings as SARIF 2.1.0, the form that editors and CI read."""

from collections.abc import Sequence
from typing import assert_never
from urllib.parse import quote

from studio.domain.directory.findings import Finding, Severity
from studio.domain.directory.limits import CORE
from studio.domain.directory.tree import INDEX
from studio.domain.records import Record

VERSION = "2.1.0"
"""The version of the form."""
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
"""Where the form is described."""


def sarif_log(findings: Sequence[Finding]) -> Record:
    """One run with a result for each finding; paths are from the root of the repository, lines from 1.

    What concerns the whole core, or a folder, is shown at the index that mends it.
    """
    kinds = list(dict.fromkeys(one.kind for one in findings))
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {"driver": {"name": "Prompt Studio", "rules": [{"id": kind} for kind in kinds]}},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"ROOT": {"description": {"text": "The root of the memory directory."}}},
                "results": [_result(one, kinds.index(one.kind)) for one in findings],
            }
        ],
    }


def _result(finding: Finding, number: int) -> Record:
    place: Record = {"artifactLocation": {"uri": quote(_file(finding)), "uriBaseId": "ROOT"}}
    if finding.line is not None:
        place["region"] = {"startLine": finding.line}
    facts = {"rule": finding.rule, "actual": finding.actual, "limit": finding.limit, "suggestion": finding.suggestion}
    return {
        "ruleId": finding.kind,
        "ruleIndex": number,
        "level": _level(finding.severity),
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
        "properties": {name: fact for name, fact in facts.items() if fact is not None},
    }


def _file(finding: Finding) -> str:
    if finding.path == CORE:
        return INDEX
    return f"{finding.path}/{INDEX}" if finding.kind == "dir_index_missing" else finding.path


def _level(severity: Severity) -> str:
    match severity:
        case Severity.ERROR:
            return "error"
        case Severity.WARNING:
            return "warning"
        case _:
            assert_never(severity)
