"""The lint over a whole directory: headers, tags, bytes, limits, indexes, growth, secrets, and what a person switches off."""

import json
from pathlib import Path

import pytest
from lint_builders import INDEX_LINE, a_block, a_tree, kinds, lint_body

from studio.domain.directory.lint.rules import RULES, switched_off
from studio.domain.directory.lint.run import NEAR_LIMIT_SHARE, lint_tree
from studio.domain.directory.secrets import KeyFound
from studio.errors import UnknownLintRule

SHARED = Path(__file__).parents[4] / "shared"
GOOD = {
    "MEMORY.md": INDEX_LINE + "\n- projects/ — deployments, rollbacks, on-call runbooks\n",
    "human.md": a_block(
        "Lead with the answer, because the user reads the first line and skims the rest.",
        "human",
        "Who the user is and how they want to work together.",
    ),
    "persona.md": a_block("Verify claims against the running system before reporting them."),
    "projects/MEMORY.md": "# Projects\n\n- deploys.md — how to roll back\n",
    "projects/deploys.md": a_block("Roll back with the previous image.", "deploys", "Rolling out and back"),
    "skills/pdf/SKILL.md": a_block("Always NEVER MUST.", "pdf", "Reads PDF"),
}

BREAKS: dict[str, tuple[dict[str, object], str, str, str]] = {
    # changes to GOOD, then the kind, path and severity of what is found
    "memfs-compile-10-space": (
        {"2026 plan.md": a_block("Ship it.", "2026 plan", "What to ship next")},
        "tag_not_xml",
        "2026 plan.md",
        "error",
    ),
    "memfs-compile-10-memory": (
        {"memory.md": a_block("Ship it.", "memory", "What to ship next")},
        "tag_clash",
        "memory.md",
        "error",
    ),
    "clash-guidelines": (
        {"Task.md": a_block("Ship it.", "Task", "What to ship next")},
        "tag_clash",
        "Task.md",
        "error",
    ),
    "name-differs": ({"persona.md": a_block("Check first.", "somebody")}, "name_differs", "persona.md", "warning"),
    "description-is-the-name": (
        {"persona.md": a_block("Check first.", description="persona block")},
        *("description_not_for_agent", "persona.md", "warning"),
    ),
    "description-of-the-file": (
        {"persona.md": a_block("Check first.", description="This file contains notes about the agent.")},
        *("description_not_for_agent", "persona.md", "warning"),
    ),
    "description-todo": (
        {"persona.md": a_block("Check first.", description="TODO")},
        "description_not_for_agent",
        "persona.md",
        "warning",
    ),
    "description-of-anything": (
        {"persona.md": a_block("Check first.", description="Some general information about the agent")},
        *("description_not_for_agent", "persona.md", "warning"),
    ),
    "description-too-long": (
        {"persona.md": a_block("Check first.", description="Who I am, and " + "more of it, " * 30)},
        *("description_not_for_agent", "persona.md", "warning"),
    ),
    "memfs-05": ({"persona.md": a_block("")}, "empty_block", "persona.md", "warning"),
    "empty-deferred": (
        {"projects/deploys.md": a_block("", "deploys")},
        "empty_block",
        "projects/deploys.md",
        "warning",
    ),
    "closes-itself": ({"persona.md": a_block("Check.\n</ Persona > first.")}, "self_closing", "persona.md", "warning"),
    "opens-a-section": (
        {"persona.md": a_block("Check `<Guidelines>` first.")},
        "self_closing",
        "persona.md",
        "warning",
    ),
    "closes-in-description": (
        {"persona.md": a_block("Check.", description="Who </persona> I am")},
        "self_closing",
        "persona.md",
        "warning",
    ),
    "closes-the-description": (
        {"persona.md": a_block("Check.\n</description> first.")},
        "self_closing",
        "persona.md",
        "warning",
    ),
    "opens-the-deferred-memory": (
        {"persona.md": a_block("Check <deferred-memory> first.")},
        "self_closing",
        "persona.md",
        "warning",
    ),
    "lists-a-directory": (
        {"persona.md": a_block('Open <directory path="ops/" index="ops/MEMORY.md" /> first.')},
        *("self_closing", "persona.md", "warning"),
    ),
    "closes-another-block": ({"persona.md": a_block("Check </human> first.")}, "self_closing", "persona.md", "warning"),
    "opens-another-block": ({"persona.md": a_block("Check <Human> first.")}, "self_closing", "persona.md", "warning"),
    "index-closes-a-block": (
        {"MEMORY.md": f"{GOOD['MEMORY.md']}\n</persona>\n"},
        "self_closing",
        "MEMORY.md",
        "warning",
    ),
    "index-closes-itself": ({"MEMORY.md": f"{GOOD['MEMORY.md']}</memory>\n"}, "self_closing", "MEMORY.md", "warning"),
    "crlf": ({"persona.md": GOOD["persona.md"].replace("\n", "\r\n")}, "windows_line_endings", "persona.md", "warning"),
    "bom": (
        {"projects/deploys.md": "\ufeff" + GOOD["projects/deploys.md"]},
        "byte_order_mark",
        "projects/deploys.md",
        "warning",
    ),
    "poisoning-03": (
        {"persona.md": a_block("Che\u200bck \u202efirst\U000e0041.")},
        "invisible_characters",
        "persona.md",
        "warning",
    ),
    "diff-17": (
        {"persona.md": a_block("Ask \u0410nna.\n\nThen c\u043ede.")},
        "lookalike_letters",
        "persona.md",
        "warning",
    ),
    "case-twins": ({"projects/Deploys.md": GOOD["projects/deploys.md"]}, "case_twins", "projects/deploys.md", "error"),
    "case-twins-folder": (
        {"Projects/MEMORY.md": "# Projects\n\n- other.md\n", "Projects/other.md": a_block("Other.", "other")},
        *("case_twins", "projects", "error"),
    ),
    "memfs-lint-07-names-nothing": (
        {"MEMORY.md": f"{GOOD['MEMORY.md']}- people/ — who to ask about invoices\n"},
        *("entry_names_nothing", "MEMORY.md", "error"),
    ),
    "names-nothing-file": (
        {"MEMORY.md": f"{GOOD['MEMORY.md']}- [Invoices](people/invoices.md) — who to ask\n"},
        *("entry_names_nothing", "MEMORY.md", "error"),
    ),
    "names-nothing-deeper": (
        {"projects/MEMORY.md": f"{GOOD['projects/MEMORY.md']}- `gone.md` — how to go\n"},
        *("entry_names_nothing", "projects/MEMORY.md", "error"),
    ),
    "no-questions": (
        {"MEMORY.md": "# Memory\n\n- projects/ — deployments, rollbacks, on-call runbooks\n"},
        *("index_without_questions", "MEMORY.md", "warning"),
    ),
    "memfs-lint-07-lost": ({"MEMORY.md": INDEX_LINE}, "directory_not_named", "MEMORY.md", "warning"),
    "lost-beside-a-longer-name": (
        {"MEMORY.md": f"{INDEX_LINE}\nHow teams work is in subprojects/ of the other store.\n"},
        *("directory_not_named", "MEMORY.md", "warning"),
    ),
    "vague-nothing": ({"MEMORY.md": f"{INDEX_LINE}\n- projects/\n"}, "entry_vague", "MEMORY.md", "warning"),
    "vague-words": ({"MEMORY.md": f"{INDEX_LINE}\n- projects/ — ops notes\n"}, "entry_vague", "MEMORY.md", "warning"),
    "vague-own-name": (
        {"MEMORY.md": f"{INDEX_LINE}\n- `projects/`: various notes about the projects\n"},
        "entry_vague",
        "MEMORY.md",
        "warning",
    ),
    "vague-without-a-slash": (
        {"MEMORY.md": f"{INDEX_LINE}\n- projects — notes\n"},
        "entry_vague",
        "MEMORY.md",
        "warning",
    ),
    "vague-link": (
        {"MEMORY.md": f"{INDEX_LINE}\n- [Project notes](projects/MEMORY.md)\n"},
        "entry_vague",
        "MEMORY.md",
        "warning",
    ),
    "reindexed-link": ({"MEMORY.md": f"{GOOD['MEMORY.md']}- [[persona]]\n"}, "entry_reindexed", "MEMORY.md", "warning"),
    "reindexed-block": (
        {"MEMORY.md": f"{GOOD['MEMORY.md']}- human.md — who the user is\n"},
        "entry_reindexed",
        "MEMORY.md",
        "warning",
    ),
    "reindexed-skill": (
        {"MEMORY.md": f"{GOOD['MEMORY.md']}- skills/pdf/SKILL.md — how to read a PDF\n"},
        "entry_reindexed",
        "MEMORY.md",
        "warning",
    ),
    "unreachable": (
        {"projects/servers.md": a_block("Three of them.", "servers", "Which there are")},
        "file_unreachable",
        "projects/servers.md",
        "warning",
    ),
    "unreachable-folder": (
        {"projects/old/MEMORY.md": "- plan.md — what was planned\n", "projects/old/plan.md": a_block("Ship.", "plan")},
        *("file_unreachable", "projects/old/MEMORY.md", "warning"),
    ),
    "emphasis-in-the-index": (
        {"MEMORY.md": f"{GOOD['MEMORY.md']}\nALWAYS open memory first.\n"},
        "all_caps",
        "MEMORY.md",
        "warning",
    ),
    "duplicate-across-blocks": (
        {"human.md": GOOD["human.md"] + "\nVerify claims against the running system before you report them.\n"},
        *("near_duplicate", "persona.md", "warning"),
    ),
}
STAYS_CLEAN: dict[str, dict[str, object]] = {
    "as-it-is": {},
    "says-when-in-an-entry": {"MEMORY.md": "# Memory\n\n- projects/ — when a deployment or a rollback comes up\n"},
    "says-which-questions": {"MEMORY.md": "# Memory\n\nQuestions about deployments lead to projects/.\n"},
    "named-in-bold": {"MEMORY.md": f"{INDEX_LINE}\n- **projects** — deployments, rollbacks\n"},
    "named-as-a-link": {"MEMORY.md": f"{INDEX_LINE}\n- [deployments, rollbacks](projects/MEMORY.md)\n"},
    "named-in-a-sentence": {"MEMORY.md": f"{INDEX_LINE}\nFor deployments and rollbacks read `projects/`.\n"},
    "deeper-file-named-at-the-root": {
        "MEMORY.md": f"{GOOD['MEMORY.md']}- projects/servers.md — machine names, addresses, owners\n",
        "projects/servers.md": a_block("Three of them.", "servers", "Which there are"),
    },
    "file-named-by-its-stem": {"projects/MEMORY.md": "# Projects\n\n- [[deploys]]: how to roll back\n"},
    "file-named-by-its-words": {
        "projects/MEMORY.md": "# Projects\n\n- deploys.md, and the roll back plan\n",
        "projects/roll-back-plan.md": a_block("First the database.", "roll-back-plan"),
    },
    "a-file-for-each-day": {
        "projects/MEMORY.md": "# Projects\n\n- deploys.md\n- YYYY-MM-DD.md: what was shipped that day\n",
        "projects/2026-03-11.md": a_block("Shipped two things on 2026-03-11, Sarah said.", "2026-03-11"),
    },
    "paths-of-other-places": {"MEMORY.md": f"{GOOD['MEMORY.md']}\nSources are in src/app/ and ~/notes.md, docs at https://example.org/a.md.\n"},
    "named-as-a-folder": {"MEMORY.md": f"{INDEX_LINE}\nOpen the projects folder for deployments and rollbacks.\n"},
    "named-as-code": {"MEMORY.md": f"{INDEX_LINE}\nFor releases see `projects`.\n"},
    "tells-of-a-file": {"MEMORY.md": f"{GOOD['MEMORY.md']}- README.md first when a repository is new to you\n"},
    "tells-of-a-folder": {"MEMORY.md": f"{GOOD['MEMORY.md']}- src/ is built by CI; leave its output alone\n"},
    "tells-of-a-block": {"MEMORY.md": f"{GOOD['MEMORY.md']}- persona.md is yours to edit; ask before you change human.md\n"},
    "description-of-shops": {"persona.md": a_block("Check first.", description="Stores in Lisbon and their opening hours.")},
    "description-of-a-place": {"persona.md": a_block("Check first.", description="The place where the user works.")},
    "deferred-may-be-a-log": {"projects/deploys.md": a_block("- 2026-03-11: NEVER AGAIN!!\n- The user likes it.", "deploys")},
    "emoji": {"persona.md": a_block("Be kind 👩‍👩‍👧 and brief ❤️.")},
    "other-tags": {"persona.md": a_block("Answer with <b>bold</b> and <memory-notes>.")},
    "placeholders": {"persona.md": a_block("Write <description>, cd <directory> and <directory name>, then <humans> and <persona>.")},
    "accented-name": {"café.md": a_block("Order oat milk.", "café", "What to order in the morning")},
}  # fmt: skip


def changed(changes: dict[str, object]) -> dict[str, str]:
    return {path: text for path, text in {**GOOD, **changes}.items() if isinstance(text, str)}


@pytest.mark.parametrize(("changes", "kind", "path", "severity"), BREAKS.values(), ids=BREAKS)
def test_what_is_wrong_is_found(changes: dict[str, object], kind: str, path: str, severity: str) -> None:
    found = lint_tree(a_tree(changed(changes)))
    assert [(one.path, one.severity) for one in found if one.kind == kind] == [(path, severity)], found
    assert kinds(found) <= {kind, "windows_line_endings", "file_unreachable", "directory_not_named", "case_twins"}


@pytest.mark.parametrize("changes", STAYS_CLEAN.values(), ids=STAYS_CLEAN)
def test_what_is_right_is_left_alone(changes: dict[str, object]) -> None:
    assert lint_tree(a_tree(changed(changes))) == ()


def test_the_example_of_the_specification_is_clean() -> None:
    folder = SHARED / "formats" / "memfs-root-marker"
    if not folder.is_dir():
        pytest.skip("../shared is not here")
    files = {
        one.relative_to(folder).as_posix(): one.read_text(encoding="utf-8")
        for one in folder.rglob("*")
        if one.is_file()
    }
    assert lint_tree(a_tree(files)) == ()


def test_capitals_are_one_finding_with_all_their_lines() -> None:
    """Headings and labels in capitals are names; a message names the first few lines, the finding all."""
    body = "# IMPORTANT RULES\n\n" + "\n\n".join(f"You MUST {verb} first." for verb in "abcdefgh")
    (found,) = (one for one in lint_body(body) if one.kind == "all_caps")
    assert (found.line, found.lines) == (7, tuple(range(7, 23, 2)))
    assert "in 8 places (lines 7, 9, 11, 13, 15, 17 and 2 more): MUST" in found.message


def test_a_statement_that_is_repeated_often_is_one_finding() -> None:
    body = "\n\n".join(["Verify claims against the running system.", "Lead with the answer."] * 3)
    found = [one for one in lint_body(body) if one.kind == "near_duplicate"]
    assert [(one.line, one.lines) for one in found] == [(9, (9, 13)), (11, (11, 15))]
    assert "line 5 (in 2 places)" in found[0].message


def test_letters_that_look_alike_are_told_once_with_all_their_lines() -> None:
    (found,) = lint_body("Ask \u0410nna first.\n\nThen c\u043ede it.\n\nПотом спроси Анну.")
    assert (found.line, found.lines) == (5, (5, 7))
    assert "U+0410 CYRILLIC CAPITAL LETTER A in place of A" in found.message


# --- limits ---


@pytest.mark.parametrize(("characters", "near"), [(800, False), (801, True), (1_000, True), (1_001, False)])
def test_near_a_limit_is_over_four_fifths_and_not_over_it(characters: int, near: bool) -> None:  # noqa: FBT001
    """memfs-lint-09; what is over the limit is the hook's to refuse."""
    config = json.dumps({"version": 1, "maxFileCharacters": 1_000})
    text = a_block("")
    files = {**GOOD, ".memfs.config.json": config, "persona.md": text + "é" * (characters - len(text))}
    found = [one for one in lint_tree(a_tree(files)) if one.kind == "near_limit"]
    assert [(one.path, one.actual, one.limit) for one in found] == ([("persona.md", characters, 1_000)] if near else [])


def test_the_core_near_its_limit_is_one_finding() -> None:
    size = sum(len(text) for path, text in GOOD.items() if "/" not in path)
    config = json.dumps({"version": 1, "maxCoreMemoryCharacters": int(size / NEAR_LIMIT_SHARE) - 2})
    (found,) = lint_tree(a_tree({**GOOD, ".memfs.config.json": config}))
    assert (found.kind, found.path, found.actual) == ("near_limit", ".", size)
    assert "shrink" in (found.suggestion or "").casefold()


# --- growth ---


def versions(count: int, *, rewrites: bool) -> list[str]:
    """A block over time: only ever longer, or with its oldest line taken out for each new one."""
    lines = [f"Principle number {number} holds, because of reason {number}." for number in range(count)]
    return [a_block("\n\n".join(lines[n // 2 if rewrites else 0 : n + 1])) for n in range(count)]


def test_forty_versions_that_only_grow_are_a_log() -> None:
    """memfs-lint-10."""
    history = versions(40, rewrites=False)
    files = {**GOOD, "persona.md": history[-1]}
    assert "append_only" not in kinds(lint_tree(a_tree(files)))
    found = [one for one in lint_tree(a_tree(files), history={"persona.md": history}) if one.kind == "append_only"]
    assert [one.path for one in found] == ["persona.md"]
    assert "a log, not a revision" in found[0].message


@pytest.mark.parametrize(
    "history", [versions(40, rewrites=True), versions(4, rewrites=False), versions(1, rewrites=False) * 40, []]
)
def test_revised_young_or_still_texts_are_no_log(history: list[str]) -> None:
    files = {**GOOD, "persona.md": history[-1] if history else GOOD["persona.md"]}
    assert "append_only" not in kinds(lint_tree(a_tree(files), history={"persona.md": history}))


# --- secrets and switches ---


def test_a_secret_is_an_error_in_every_file_and_comes_first() -> None:
    """memfs-lint-06: the scan is an argument, so that the domain stays pure."""
    found = lint_tree(
        a_tree(GOOD), scan=lambda text: (KeyFound("GitHub token", 2),) if "NEVER" in text or "image" in text else ()
    )
    assert [(one.kind, one.path, one.line, one.severity) for one in found] == [
        ("secret", "projects/deploys.md", 2, "error"),
        ("secret", "skills/pdf/SKILL.md", 2, "error"),
    ]


@pytest.mark.parametrize("kind", ["all_caps", "prohibition_only"])
def test_a_person_can_switch_a_rule_off(kind: str) -> None:
    files = {**GOOD, "persona.md": a_block("- NEVER use passive voice.")}
    assert kinds(lint_tree(a_tree(files))) == {"all_caps", "prohibition_only"}
    assert kind not in kinds(lint_tree(a_tree(files), off=[kind]))


def test_a_repository_cannot_switch_a_rule_off() -> None:
    config = json.dumps({"version": 1, "lintOff": ["all_caps"], "off": ["all_caps"]})
    files = {
        **GOOD,
        ".memfs.config.json": config,
        "persona.md": a_block("<!-- lint: off all_caps -->\nNEVER push to main."),
    }
    assert "all_caps" in kinds(lint_tree(a_tree(files)))


def test_an_unknown_rule_is_refused_by_name() -> None:
    assert switched_off(["all_caps", " secret ", ""]) == {"all_caps", "secret"}
    with pytest.raises(UnknownLintRule, match=r"'shouting'.*all_caps"):
        switched_off(["shouting"])


def test_every_rule_says_why() -> None:
    assert all(rule.title and rule.reason.endswith((".", '."', '".')) for rule in RULES.values())


def test_findings_are_in_order() -> None:
    found = lint_body("- NEVER push to main.\n- The user likes tea.\n- NEVER ever guess.")
    assert list(found) == sorted(found, key=lambda one: (one.path, one.line or 0))
