"""SARIF 2.1.0 as the standard asks for it: what a log may hold, and a sentence for every rule in it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from studio.domain.directory.audit import CARRIED
from studio.domain.directory.findings import Finding, Severity
from studio.domain.directory.limits import CORE
from studio.domain.directory.lint.rules import RULES
from studio.domain.directory.proposal import Step
from studio.render.sarif import CHECKED, sarif_log

RULES_FOLDER = Path(__file__).parents[2] / "studio" / "domain" / "directory"
MAKERS = {"Finding", "Problem", "_finding", "find"}
"""What the check calls to make a finding, the kind first."""


def holds(*required: str, **properties: object) -> dict[str, Any]:
    """A JSON object with these properties and no others."""
    return {"type": "object", "additionalProperties": False, "required": list(required), "properties": properties}


def listed(item: object, **more: object) -> dict[str, Any]:
    return {"type": "array", "items": item, **more}


TEXT = {"type": "string"}
SAID = holds("text", text={"type": "string", "minLength": 1})
RELATIVE = {"type": "string", "pattern": r"^[A-Za-z0-9._~/-]+(%[0-9A-F]{2}[A-Za-z0-9._~/-]*)*$"}
RULE = holds("id", "shortDescription", "help", id=TEXT, shortDescription=SAID, help=SAID)
PLACE = holds(
    "artifactLocation",
    artifactLocation=holds("uri", "uriBaseId", uri=RELATIVE, uriBaseId={"const": "ROOT"}),
    region=holds("startLine", startLine={"type": "integer", "minimum": 1}),
)
RESULT = holds(
    *("ruleId", "ruleIndex", "level", "message", "locations"),
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level={"enum": ["note", "warning", "error"]},
    message=SAID,
    locations=listed(holds("physicalLocation", physicalLocation=PLACE), minItems=1),
    properties={"type": "object"},
)
RUN = holds(
    *("tool", "results"),
    tool=holds("driver", driver=holds("name", name=TEXT, rules=listed(RULE, uniqueItems=True))),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    originalUriBaseIds={"type": "object", "additionalProperties": holds(description=SAID)},
    results=listed(RESULT),
)
LOG = Draft202012Validator(
    holds("version", "runs", **{"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": listed(RUN)})
)
"""The part of the standard's own schema that our logs use, and nothing beside it."""


def kinds_of_the_check() -> Iterator[str]:
    """The kinds that the check's modules write into a finding."""
    for module in ("limits", "config", "frontmatter"):
        for node in ast.walk(ast.parse((RULES_FOLDER / f"{module}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and node.args:
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                kind = node.args[0]
                if name in MAKERS and isinstance(kind, ast.Constant) and str(kind.value).isidentifier():
                    yield str(kind.value)


EVERY_KIND = [*RULES, *CHECKED, *(f"shrink_{step}" for step in Step)]


def one(kind: str, path: str = "a.md", line: int | None = None, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(kind, path, "What is wrong.", "default", line=line, severity=severity)


def test_every_kind_of_the_check_has_a_sentence_and_no_other() -> None:
    assert set(kinds_of_the_check()) | {"config_protected", "read_only_changed", CARRIED} == set(CHECKED)
    assert not CHECKED.keys() & RULES.keys()


def test_every_rule_of_a_log_is_described() -> None:
    log = sarif_log([one(kind) for kind in EVERY_KIND])
    LOG.validate(log)
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == EVERY_KIND
    assert all(rule[field]["text"].endswith(".") for rule in rules for field in ("shortDescription", "help"))
    assert all(rule["shortDescription"]["text"][0].isupper() for rule in rules)


def test_a_rule_is_listed_once_and_each_result_points_to_it() -> None:
    log = sarif_log([one("secret", line=3), one("fm_missing"), one("secret", "b.md")], [one("fm_missing", "c.md")])
    LOG.validate(log)
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["secret", "fm_missing"]
    assert [rules[result["ruleIndex"]] for result in run["results"]] == [result["ruleId"] for result in run["results"]]


@pytest.mark.parametrize(
    ("finding", "uri", "level"),
    [
        (one("fm_missing", "a b/ü.md"), "a%20b/%C3%BC.md", "error"),
        (one("not_text", "caf\\xe9.md"), "caf%5Cxe9.md", "error"),
        (one("fm_missing", "c:d?#.md"), "c%3Ad%3F%23.md", "error"),
        (one("core_too_long", CORE), "MEMORY.md", "error"),
        (one("dir_index_missing", "p/q"), "p/q/MEMORY.md", "error"),
        (one("all_caps", severity=Severity.WARNING), "a.md", "warning"),
    ],
    ids=["spaces", "bytes", "signs of addresses", "the core", "a folder", "advice"],
)
def test_a_place_is_an_address_from_the_root(finding: Finding, uri: str, level: str) -> None:
    log = sarif_log([finding])
    LOG.validate(log)
    (result,) = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri, "uriBaseId": "ROOT"}
    assert result["level"] == level


def test_nothing_found_is_a_log_too() -> None:
    log = sarif_log([])
    LOG.validate(log)
    assert log["runs"][0]["results"] == []


def test_a_finding_about_several_lines_has_a_location_for_each() -> None:
    found = Finding("all_caps", "a.md", "What is wrong.", "default", line=3, lines=(3, 9))
    log = sarif_log([found])
    assert not list(LOG.iter_errors(log))
    places = [place["physicalLocation"]["region"]["startLine"] for place in log["runs"][0]["results"][0]["locations"]]
    assert places == [3, 9]
