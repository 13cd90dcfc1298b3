"""The JSON shapes of the lint: findings with their advice, its rules, and how a directory could shrink."""

from collections.abc import Iterable, Sequence

from studio.domain.directory.findings import Finding
from studio.domain.directory.lint.rule import Rule
from studio.domain.directory.proposal import SAYS, Candidate, Proposal, Step
from studio.domain.records import Record
from studio.render.wire_directory import finding_record


def lint_record(findings: Sequence[Finding]) -> Record:
    """`{ok, findings}`, each finding as a check's with `line`, `lines`, `suggestion` and `severity`."""
    return {"ok": not findings, "findings": [_advice_record(one) for one in findings]}


def rules_record(rules: Iterable[Rule]) -> list[Record]:
    """`[{kind, title, reason, severity, places}]`; a rule without places looks at a whole directory."""
    return [
        {
            "kind": one.kind,
            "title": one.title,
            "reason": one.reason,
            "severity": one.severity.value,
            "places": sorted(place.value for place in one.places),
        }
        for one in rules
    ]


def proposal_record(proposal: Proposal) -> Record:
    """`{needed, excess, limits, steps}`; sizes are code points, lines count from 1 and include the last."""
    return {
        "needed": proposal.needed,
        "excess": proposal.excess,
        "limits": [
            {"path": one.path, "used": one.used, "limit": one.limit, "rule": one.rule, "near": one in proposal.near}
            for one in proposal.gauges
        ],
        "steps": [
            {
                "step": step.value,
                "says": SAYS[step],
                "frees": proposal.frees(step),
                "candidates": [_candidate_record(one) for one in proposal.of(step)],
            }
            for step in Step
        ],
    }


def _advice_record(finding: Finding) -> Record:
    advice = {
        "line": finding.line,
        "lines": list(finding.places),
        "suggestion": finding.suggestion,
        "severity": finding.severity.value,
    }
    return finding_record(finding) | advice


def _candidate_record(one: Candidate) -> Record:
    return {
        "path": one.path,
        "line": one.line,
        "end_line": one.end_line,
        "words": one.words,
        "frees": one.frees,
        "reason": one.reason,
        "pointer": one.pointer,
    }
