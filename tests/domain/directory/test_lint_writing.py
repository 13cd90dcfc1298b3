"""The writing rules on one block: where each speaks, and where it keeps quiet (decision 35)."""

import pytest
from lint_builders import kinds, lint_body

BODY_LINE = 5
"""The line of the file that the body begins in."""

NARROW = """\
- Run the tests first.
- Use pnpm.
- Check the logs of nginx.
- Add a changelog line.
- Name branches by ticket.
- Keep imports sorted.
- Write docstrings.
- Put fixtures in conftest.
- Use black.
- Read the guide of the team.
- Update the lock file.
- Open drafts early."""
THREE_EXAMPLES = """\
- Lead with the answer.
  - Not: "I looked at the config." Instead: "The timeout is 5s."
  - Not: "There are many ways." Instead: "Use the second one."
  - Not: "It depends." Instead: "Yes, if the cache is warm.\""""
SPEAKS = {
    # --- capitals and absolutes ---
    "memfs-lint-03-always": ("all_caps", "ALWAYS run the tests before a commit.", 0),
    "memfs-lint-03-never": ("all_caps", "Lead with the answer.\nNEVER push to main without review.", 1),
    "memfs-lint-03-must": ("all_caps", "You MUST answer in two sentences.", 0),
    "capitals-in-bold": ("all_caps", "- **CRITICAL**: run the checks first.", 0),
    "capitals-in-a-sentence": ("all_caps", "THIS IS THE RULE that comes before the others.", 0),
    "absolute-no-circumstances": (
        "absolute_emphasis",
        "Under no circumstances answer before you have read the file.",
        0,
    ),
    "absolute-important": ("absolute_emphasis", "It is extremely important to read the file first.", 0),
    "absolute-exclamations": ("absolute_emphasis", "Read the file before you answer!!", 0),
    # --- what to do ---
    "prohibition-alone": ("prohibition_only", "- Never use passive voice.", 0),
    "prohibition-two": ("prohibition_only", "- Do not guess. Don't make things up.", 0),
    "prohibition-use": ("prohibition_only", "- Don't use emojis.", 0),
    "prohibition-should-never": ("prohibition_only", "You should never guess.", 0),
    "prohibition-avoid": ("prohibition_only", "Lead with the answer.\n\n- Avoid long answers.", 2),
    # --- second person ---
    "memfs-lint-01": ("third_person", "The user likes answers first.", 0),
    "third-person-prefers": ("third_person", "- The user prefers short diffs", 0),
    "third-person-agent": ("third_person", "The agent should verify claims against the running system.", 0),
    "third-person-bare": ("third_person", "- Agent must verify claims.", 0),
    "third-person-second-sentence": ("third_person", "Lead with the answer. The user wants it first.", 0),
    # --- provenance ---
    "date-iso": ("provenance_date", "Keep diffs small (learned 2026-03-11).", 0),
    "date-words": ("provenance_date", "On March 3, 2026 the deployment broke, so check the logs first.", 0),
    "date-month": ("provenance_date", "In the incident of March 2025 the cache broke.", 0),
    "date-relative": ("provenance_date", "Check the logs first, because last week they told the cause.", 0),
    "name-said": ("provenance_name", "Sarah complained that the answers are too long, so keep them short.", 0),
    "name-she-said": ("provenance_name", "She said to keep answers short.", 0),
    "name-feedback": ("provenance_name", "Keep answers short, after Bob's feedback.", 0),
    "name-user-told": ("provenance_name", "The user told me to keep answers short.", 0),
    "name-per": ("provenance_name", "Keep answers short, as requested by Sarah.", 0),
    "name-handle": ("provenance_name", "Keep answers short (@sarah, discussion #247).", 0),
    "reference": ("provenance_name", "Check the cache first, see issue #42.", 0),
    "quote": ("provenance_quote", 'Keep it short: the user said "please stop writing novels at me".', 0),
    "quote-signed": ("provenance_quote", '"Please stop writing novels at me" — Sarah', 0),
    # --- examples ---
    "memfs-lint-04": ("too_many_examples", THREE_EXAMPLES, 0),
    "memfs-lint-04-labelled": (
        "too_many_examples",
        "Lead with the answer.\n\nExample: one.\n\nExample: two.\n\nExample: three.",
        0,
    ),
    "memfs-lint-04-list": (
        "too_many_examples",
        "- Lead with the answer.\n  - Examples:\n    - one\n    - two\n    - three",
        0,
    ),
    "memfs-lint-04-inline": (
        "too_many_examples",
        "- Name things plainly. For example, a cart. For example, an order. For example, a user.",
        0,
    ),
    "bad-example-last": (
        "bad_example_last",
        '- Lead with the answer.\n  - Instead: "The timeout is 5s." Not: "I looked at the config."',
        1,
    ),
    "bad-example-last-lines": (
        "bad_example_last",
        "- Lead with the answer.\n  - Good: the timeout.\n  - Bad: the story.",
        2,
    ),
    "bad-example-last-pair": (
        "bad_example_last",
        "- Lead with the answer.\n  - Good: the timeout.\n    Bad: the story.",
        2,
    ),
    "bad-example-alone": ("bad_example_last", '- Lead with the answer.\n  - Not: "I looked at the config."', 1),
    # --- what can be found out again ---
    "commands-fence": ("rederivable", "Build:\n\n```sh\nmake\nmake test\nmake lint\ngit status\ngit push\n```", 2),
    "commands-list": (
        "rederivable",
        "Commands:\n\n- `git status` for changes\n- `git log` for history\n- `make test`\n- `make lint`\n- `npm run build` builds",
        2,
    ),
    "file-contents": ("rederivable", "```python\n" + "x = 1\n" * 40 + "```", 0),
    "file-tree": ("rederivable", "```\nsrc\n├── a\n├── b\n├── c\n├── d\n└── e\n```", 0),
    "status-heading": (
        "rederivable",
        "# Rules\n\nLead with the answer.\n\n## Current status\n\nTwo of three are finished.",
        4,
    ),
    "status-now": ("rederivable", "We are currently working on the parser of the new format.", 0),
    "status-branch": ("rederivable", "Current branch: feature of the parser.", 0),
    "ticked": ("rederivable", "- [x] parser\n- [x] writer\n- [x] tests\n- [ ] docs", 0),
    # --- likeness ---
    "duplicate-exact": (
        "near_duplicate",
        "- Verify claims against the running system.\n- Lead with the answer.\n- Verify claims against the running system.",
        2,
    ),
    "duplicate-short": ("near_duplicate", "- Lead with the answer.\n- Lead with the answer!", 1),
    "duplicate-reason-differs": (
        "near_duplicate",
        "- Lead with the short answer, because the user skims.\n- Lead with the short answer since nobody reads to the end.",
        1,
    ),
    "duplicate-order": (
        "near_duplicate",
        "- Run the unit tests before you push to the main branch.\n- Before pushing to the main branch, run the unit tests.",
        1,
    ),
    "duplicate-other-language": (
        "near_duplicate",
        "- Beginne jede Antwort mit dem Ergebnis der Prüfung.\n- Beginne jede Antwort mit dem Ergebnis der Prüfung!",
        1,
    ),
    "contradiction-negated": (
        "contradiction",
        "- Use tabs to indent source code.\n- Lead with the answer.\n- Never use tabs to indent source code.",
        2,
    ),
    "contradiction-tabs": ("contradiction", "- Use tabs for indentation.\n- Use spaces for indentation.", 1),
    "contradiction-opposites": ("contradiction", "- Write short commit messages.\n- Write long commit messages.", 1),
    "narrow-rules": ("narrow_rules", NARROW, 0),
}
QUIET = {
    "rule-what-asked": "Do what the user asked, and say so when you did more.",
    "rule-when-told": "When the user told you to stop, stop at once and say where you are.",
    "rule-tool-warned": "Restart the worker when Postgres warned about connections.",
    "spec-principle": "Lead with the answer, because the user reads the first line and skims the rest.",
    "spec-verify": "Verify claims against the running system, because Sarah trusts evidence over plausibility.",
    "spec-example": (
        "- Lead with the answer, because the user reads the first line and skims the rest.\n"
        '  - Not: "I looked at the config, then the logs, and it turns out the timeout is too low." '
        'Instead: "The timeout is too low: 5s, and the slow query takes 8s."'
    ),
    "spec-secrets": "Never store secrets. Reference them by name, such as $SECRET_NAME.",
    "spec-reindex": "Do not re-index root files or skills; both are already in the prompt.",
    "spec-log": "Treat each change as a revision of that prompt, not an append to a log.",
    "acronyms-in-a-row": "Know HTTP, JSON, YAML, SQL and GRPC.",
    "use-something-else": "Don't use tables, use lists.",
    "good-half-in-the-next-line": "- Lead with the answer.\n  - Bad: the story.\n    Good: the timeout.",
    "acronyms": "Answer in JSON over HTTP, as the README and the API of AWS say.",
    "capitals-in-code": "Set `NEVER` in the config, and run `SELECT ALL FROM users`.\n\n```\nALWAYS MUST NEVER\n```",
    "capitals-in-a-query": "Write WHERE NOT EXISTS and SELECT ALL plainly.",
    "capitals-quoted": 'Answer "NEVER" in plain words.',
    "never-in-lower-case": "Never push before the tests pass; run them first.",
    "prohibition-with-a-way": "Don't guess: read the file.",
    "prohibition-instead": "Avoid tables, use lists instead.",
    "prohibition-condition": "Never push without a review.",
    "prohibition-with-children": "- Avoid these words:\n  - simply\n  - just so",
    "user-in-a-reason": "Keep diffs small, because the user reviews them on a phone.",
    "user-fact": "The user is a backend engineer and works in Python.",
    "user-then-rule": "The user prefers evidence, so verify claims before reporting them.",
    "user-in-a-condition": "When the user wants a plan, give three steps.",
    "agents-tool": "The agent of the other team answers within a day.",
    "date-fact": "The contract ends on 2027-03-31.",
    "date-version": "Use the API version 2026-01-15 of the service.",
    "date-in-a-path": "Logs are in notes/2026-03-11/ and `2026-03-11.md`.",
    "date-format": "Write dates as YYYY-MM-DD.",
    "tool-reported": "When tests reported a failure, read the log first.",
    "if-asked": "If asked, say that you are an agent. When told to stop, stop.",
    "quoted-words": 'Say "deployments, rollbacks, on-call runbooks", not "ops notes".',
    "two-examples": '- Lead with the answer.\n  - Not: "a" Instead: "b"\n  - Not: "c" Instead: "d"',
    "three-principles": "\n".join(f'- Principle {one}.\n  - Not: "a" Instead: "b"' for one in "xyz"),
    "short-fence": "Begin so:\n\n```python\nimport studio\n```",
    "two-commands": "- `git status` for changes\n- `make test` before a push",
    "parallel-lines": "- Use npm in `web/`, because it has the lock file.\n- Use npm in `api/`, because it has the lock file.",
    "same-label": "- Notes from the weekly planning talk: ship less.\n- Notes from the weekly planning talk: hire two people.",
    "numbers-differ": "- Retry the upload service 3 times at most.\n- Retry the upload service 5 times at most.",
    "condition-differs": "- Write long answers when the user asks for detail.\n- Write short answers in the chat.",
    "cause-of-both": "- Ask before deleting any file.\n- Ask before renaming any branch.",
    "list-of-facts": "\n".join(f"- Service {one} belongs to team mercury." for one in ("alpha", "beta", "gamma", "delta")),
    "german": "- NIEMALS ohne Test.\n- Die Nutzerin mag kurze Antworten.\n- Nie ohne Grund löschen.\n- Am 2026-03-11 gelernt.",
    "french": "L'utilisateur préfère les réponses courtes. Ne jamais pousser sur la branche principale.",
    "japanese": "回答を先に書く。NEVER は使わない。2026-03-11 に決めた。",
    "russian": "Никогда не отвечай раньше времени. MUST и NEVER тут не нужны, это не английский.",
    "embed": "See ![[org/o_1/notes/NEVER.md]] for prices.",
    "empty-lines": "\n\n\nLead with the answer.\n\n\n",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "body", "offset"), SPEAKS.values(), ids=SPEAKS)
def test_a_rule_speaks(kind: str, body: str, offset: int) -> None:
    found = [one for one in lint_body(body) if one.kind == kind]
    assert [(one.path, one.line) for one in found] == [("persona.md", BODY_LINE + offset)], lint_body(body)
    assert found[0].severity == "warning"
    assert found[0].suggestion
    assert found[0].rule


@pytest.mark.parametrize("body", QUIET.values(), ids=QUIET)
def test_good_writing_is_left_alone(body: str) -> None:
    assert kinds(lint_body(body)) == set()


@pytest.mark.parametrize("body", [body for _, body, _ in SPEAKS.values()], ids=SPEAKS)
def test_code_is_no_prose(body: str) -> None:
    """The same words in a fence break no rule of writing; what a fence holds may be found out again."""
    fence = "````\n" + "\n\n".join(body.split("\n")[:12]) + "\n````"
    assert kinds(lint_body("Lead with the answer.\n\n" + fence)) <= {"rederivable"}
