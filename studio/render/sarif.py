"""Findings as SARIF 2.1.0, the form that editors and CI read."""

from collections.abc import Sequence
from typing import assert_never
from urllib.parse import quote

from studio.domain.directory.audit import CARRIED
from studio.domain.directory.findings import Finding, Severity
from studio.domain.directory.limits import CONFIG_PROTECTED, CORE, READ_ONLY_CHANGED
from studio.domain.directory.lint.rules import RULES
from studio.domain.directory.proposal import SAYS, Step
from studio.domain.directory.tree import INDEX
from studio.domain.records import Record

VERSION = "2.1.0"
"""The version of the form."""
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
"""Where the form is described."""
CHECKED = {
    "root_index_missing": "A directory without a MEMORY.md at its root.",
    "dir_index_missing": "A folder with memory and without a MEMORY.md of its own.",
    "flat_skill": "A file right below skills/, where a skill is a folder.",
    "not_regular_file": "Memory or a config that is a symlink or a submodule.",
    "not_text": "A memory file that is not UTF-8, in its name or its text, or holds NUL.",
    "index_has_frontmatter": "An index with frontmatter.",
    "fm_missing": "A memory file without frontmatter.",
    "fm_unclosed": "Frontmatter that does not end.",
    "fm_missing_field": "Frontmatter without a name or without a description.",
    "fm_unknown_key": "A line of frontmatter that is neither a name nor a description.",
    "fm_duplicate_key": "A field that stands in frontmatter twice.",
    "fm_empty_value": "A field of frontmatter without a value.",
    "file_too_long": "A memory file over its cap of characters.",
    "core_too_long": "Root Markdown that is together over the cap of core memory.",
    "depth_exceeded": "Memory that lies deeper than the config allows.",
    "config_bad_json": "A config that is not valid JSON.",
    "config_bad_version": "A config that does not name the version of its form.",
    "config_bad_type": "A field of the config that has another type than it needs.",
    "config_bad_integer": "A limit of the config that is no whole number in its range.",
    "config_bad_pattern": "A glob of the config that is no path from the root.",
    "config_too_many_globs": "More globs in the config than are compared with each path.",
    "config_bad_globstar": "A glob of the config with ** inside of a part.",
    "config_unknown_field": "A field that no config has.",
    CONFIG_PROTECTED: "A changed config, which a person has to approve.",
    READ_ONLY_CHANGED: "A change of a file that the config calls read-only.",
    CARRIED: "A commit that leaves what its parents broke as it was.",
}
"""What each kind of the check and the audit finds; the lint describes its own."""
CHECKED_HELP = (
    "The pre-commit hook refuses it. Limits come from .memfs.config.json, and from defaults where it is silent."
)
"""What there is to know of all these kinds."""


def sarif_log(findings: Sequence[Finding], notes: Sequence[Finding] = ()) -> Record:
    """One run with a result for each finding; paths are from the root of the repository, lines from 1.

    What concerns the whole core, or a folder, is shown at the index that mends it. A finding about several lines has a
    location for each.

    Args:
        findings: what was found, by its severity.
        notes: what is only to be known beside them, in the level `note`.
    """
    told = [*((one, _level(one.severity)) for one in findings), *((one, "note") for one in notes)]
    kinds = list(dict.fromkeys(one.kind for one, _ in told))
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {"driver": {"name": "Prompt Studio", "rules": [_rule(kind) for kind in kinds]}},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"ROOT": {"description": {"text": "The root of the memory directory."}}},
                "results": [_result(one, level, kinds.index(one.kind)) for one, level in told],
            }
        ],
    }


def _rule(kind: str) -> Record:
    """What a kind is about, and why or how."""
    if kind in RULES:
        title, text = RULES[kind].title, RULES[kind].reason
        short = f"{title[0].upper()}{title[1:]}."
    elif kind in CHECKED:
        short, text = CHECKED[kind], CHECKED_HELP
    else:
        short = text = SAYS[Step(kind.removeprefix("shrink_"))]
    return {"id": kind, "shortDescription": {"text": short}, "help": {"text": text}}


def _result(finding: Finding, level: str, number: int) -> Record:
    file: Record = {"artifactLocation": {"uri": quote(_file(finding)), "uriBaseId": "ROOT"}}
    places = [file | {"region": {"startLine": line}} for line in finding.places] or [file]
    facts = {"rule": finding.rule, "actual": finding.actual, "limit": finding.limit, "suggestion": finding.suggestion}
    return {
        "ruleId": finding.kind,
        "ruleIndex": number,
        "level": level,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place} for place in places],
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
