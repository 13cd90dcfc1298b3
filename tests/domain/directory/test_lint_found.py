"""Texts that break a writing rule in natural words, by the rule that finds them (decision 35).

`test_lint_left_alone` holds the lines that are like these and break none.
"""

import pytest
from lint_builders import kinds, lint_body

ALL_CAPS = """
Please ALWAYS attach the log file to a bug report.
You should NEVER rename a column without asking.
You must NOT reply before the customer has confirmed.
Do NOT touch the config before the release.
Every answer MUST `cite` a file.
IMPORTANT: read the style guide before you write.
Read the log first. CRITICAL: keep a copy.
This step is MANDATORY for each release.
Reply only with JSON, NOTHING else.
ONLY answer in French.
Run the checks before each commit, NO EXCEPTIONS.
The summary goes first. THIS IS NOT OPTIONAL.
Runs AFTER the build but BEFORE the upload.
What NOT to add: things that a file says.
The link is valid for 24 hours, NOT 30 minutes.
"""
ABSOLUTE_EMPHASIS = """
Under no circumstances share the draft before review.
It is absolutely critical to keep the tone friendly.
Answer in English without exception.
This is the most important rule: cite the source.
Keep the deadline at all costs.
Two people and a radio. No exceptions, not even at noon.
No exceptions: each draft has a reviewer.
Follow the checklist in every step, no exceptions.
English in all comments — no exceptions.
Stay in your own folder at all times.
Answer within an hour without fail.
The review is strictly mandatory.
Ship it at any cost.
Check the links every single time!!
"""
PROHIBITION_ONLY = """
Never use passive voice.
Do not apologise.
Avoid exclamation marks.
You should not use nested lists.
Please don't use slang.
Stop adding comments to every line.
No guessing.
Never share drafts. Don't promise dates.
**Don't** mention fees in letters.
"""
THIRD_PERSON = """
The user prefers bullet points over paragraphs.
The user doesn't like long introductions.
User wants code without comments.
The operator insists on two reviewers.
The assistant should always confirm the order number.
The agent must keep answers under three lines.
The LLM should refuse politely.
Agents should read the index first.
Claude must answer in French.
User prefers detailed explanations.
Strongly prefers tables over prose.
"""
PROVENANCE_DATE = """
Keep answers short (changed on 12 May 2026 after a complaint).
2026-02-03: the cache was stale, so clear it first.
**2026-09-18** Quiet, all stations answer.
(12 March 2026) Keep titles short.
Ask first (Mia, 2026-03-11).
Keep it brief (feedback of 2026-04-01).
Three fixes outside, not two, before you call (agreed with Maëlle, 2026-10-26).
Since the outage of 14 April 2026, check replication first.
Use plain words; we agreed on this on 3.2.2026.
The import crashed on 4/5/2026, so validate rows first.
In the retro of March 2026 we decided to write shorter tickets.
Last night the queue filled up, so watch the disk.
Two weeks ago the import broke; check columns first.
The deploy failed yesterday, so test the rollback first.
The user got annoyed last time.
Keep titles short (learned March 2nd).
On March 2nd the deploy broke, so check the logs first.
Shorter tickets, as agreed on the 3rd of April.
"""
PROVENANCE_NAME = """
Sarah told us to stop using tables.
Anna from finance said invoices need a PO number.
Write shorter emails, because Tom complained about the length.
Mia and Jo both insisted on metric units.
@lena asked for weekly numbers.
The user said that summaries should come first.
The customer complained about jargon; use plain words.
My manager said to copy legal on contracts.
The user got annoyed by long answers, so keep them short.
He asked for fewer questions, so ask at most one.
As Peter pointed out, the cache hides errors; check the source.
Following Anna's feedback, keep the intro to one sentence.
Feedback from Mia: explain the steps.
Keep it short (requested by Lena).
According to Marta, invoices go out on Mondays.
Use metric units (see issue #88).
Use tabs (discussed in #45).
Learned in PR #231: run the formatter first.
Issue #250 reported a panic, so cut texts at characters.
**Day 14** (@cornezen): people like a counter.
**Day 20** [@yuanhao, discussion #136]: people like to be seen.
"""
PROVENANCE_QUOTE = """
Keep it short. Sarah said "I only read the first two lines anyway".
When @yuanhao asked "tell me who you have become", silence was an answer.
The user wrote: "please never send me tables again", so use lists.
He told me "just give me the number next time".
“I hate long intros,” she said, so start with the answer.
"You always write too much" — Tom
"Where is the total in this table?" asked Ana
"""
REDERIVABLE = """
I am currently working on the invoice import.
The site is down right now.
As of this session the tests are red.
Last updated: 2026-05-01
Current status: three of five pages are done.
The current version is 2.4.1.
"""
GROUPS = {
    "all_caps": ALL_CAPS,
    "absolute_emphasis": ABSOLUTE_EMPHASIS,
    "prohibition_only": PROHIBITION_ONLY,
    "third_person": THIRD_PERSON,
    "provenance_date": PROVENANCE_DATE,
    "provenance_name": PROVENANCE_NAME,
    "provenance_quote": PROVENANCE_QUOTE,
    "rederivable": REDERIVABLE,
}
LINES = [(kind, line) for kind, lines in GROUPS.items() for line in lines.strip().split("\n")]

TEXTS = {
    "examples-e.g.": ("too_many_examples", "- Name files plainly.\n  - e.g. report.md\n  - e.g. plan.md\n  - e.g. notes.md"),
    "examples-pairs": (
        "too_many_examples",
        "Be kind.\n\n- Not: no. Instead: not yet.\n- Not: wrong. Instead: nearly.\n- Not: never. Instead: later.",
    ),
    "examples-announced": (
        "too_many_examples",
        "Name a cause first.\n\n**Examples:**\n\n- the disk was full\n- the key had expired\n- the clock was late",
    ),
    "examples-tagged": (
        "too_many_examples",
        "Be brief.\n\n" + "<example>\nuser: 2 + 2\nassistant: 4\n</example>\n\n" * 3,
    ),
    "bad-last-quotes": ("bad_example_last", 'Name skills:\n\n- ✅ "SAP, JIRA"\n- ❌ "team player"'),
    "examples-alike": (
        "examples_alike",
        ("- Be brief.\n  - Not: the build is red because of a typo. Instead: a typo broke the build.\n"
        "  - Not: the build is red because of a test. Instead: one test fails on the new server."),
    ),
    "examples-alike-plain": (
        "examples_alike",
        "- Name the cause.\n  - Example: the disk of the server was full\n  - Example: the disk of the mail server was full",
    ),
    "example-of-a-day": (
        "example_of_incident",
        "- Check the logs.\n  - Not: on 2026-03-11 the deploy failed and you guessed. Instead: read the log first.",
    ),
    "example-of-a-person": (
        "example_of_incident",
        "- Be brief.\n  - Example: Sarah complained about the long report, so you cut it.",
    ),
    "principles-without-reasons": (
        "principle_without_reason",
        ("- Always fetch the branch before a deploy.\n- Prefer larger files over many tiny files.\n"
        "- Default to metric units in reports."),
    ),
    "bad-last-ticks": ("bad_example_last", "- Be brief.\n  - ✅ done\n  - ❌ I have now completed the task"),
    "bad-last-do": ("bad_example_last", "- Be brief.\n  - Do: say done.\n  - Don't: tell the story."),
    "a-section-of-news": ("rederivable", "## Recent changes\n\nThe parser was moved."),
    "a-tree": ("rederivable", "```\n.\n├── app\n├── lib\n├── test\n├── docs\n└── bin\n```"),
    "commands": ("rederivable", "```\ngit pull\nnpm install\nnpm test\nnpm run build\nnpm publish\n```"),
    "a-program": ("rederivable", "```js\n" + "const a = 1;\n" * 33 + "```"),
}  # fmt: skip

SAY_THE_SAME = {
    "small-words": ("Give the number first, then the explanation.", "Give the number first and then the explanation."),
    "clauses-turned": ("Check the logs before restarting a service.", "Before restarting a service, check the logs."),
    "forms": ("Start each report with the number.", "Every report should start with the number."),
    "a-reason-more": ("Verify claims against the live system.", "Verify all claims against the live system, since docs age."),
    "a-word-more": (
        "Explain each error in plain words for the customer who wrote.",
        "Explain each error briefly in plain words for the customer who wrote.",
    ),
    "a-sentence-of-a-paragraph": (
        "Close each session in order. The work is not done until the tests are green.",
        "The work is not done until the tests are green",
    ),
    "punctuation": ("Ask before deleting a branch.", "Ask before deleting a branch!"),
}  # fmt: skip

CONTRADICT = {
    "tabs": ("Indent code with tabs.", "Indent code with spaces."),
    "length": ("Keep titles short.", "Keep titles long."),
    "detail": ("Keep summaries brief.", "Keep summaries detailed."),
    "tone": ("Use informal language in chats.", "Use formal language in chats."),
    "quotes": ("Use single quotes for strings.", "Use double quotes for strings."),
    "place": ("Put imports first.", "Put imports last."),
    "commands": ("Include the ticket number in the subject.", "Omit the ticket number in the subject."),
    "on-every-site": ("Accept cookies on every site.", "Reject cookies on every site."),
    "always-never": ("Always add a table of contents.", "Never add a table of contents."),
    "negated-rule": ("Use British spelling in reports.", "Do not use British spelling in reports."),
    "negated-fact": ("Emojis are welcome in replies.", "Emojis are not welcome in replies."),
}


@pytest.mark.parametrize(("kind", "line"), LINES, ids=[f"{kind}-{number}" for number, (kind, _) in enumerate(LINES)])
def test_a_line_that_breaks_a_rule_is_found(kind: str, line: str) -> None:
    assert kind in kinds(lint_body(line))
    assert kind in kinds(lint_body(f"Lead with the answer.\n\n- {line}"))


@pytest.mark.parametrize(("kind", "body"), TEXTS.values(), ids=TEXTS)
def test_a_text_that_breaks_a_rule_is_found(kind: str, body: str) -> None:
    assert kind in kinds(lint_body(body))


@pytest.mark.parametrize(("one", "other"), SAY_THE_SAME.values(), ids=SAY_THE_SAME)
def test_what_is_said_twice_is_found(one: str, other: str) -> None:
    assert kinds(lint_body(f"- {one}\n- {other}")) == {"near_duplicate"}
    assert kinds(lint_body(f"- {other}\n- {one}")) == {"near_duplicate"}


@pytest.mark.parametrize(("one", "other"), CONTRADICT.values(), ids=CONTRADICT)
def test_a_contradiction_is_found(one: str, other: str) -> None:
    assert "contradiction" in kinds(lint_body(f"- {one}\n- {other}"))
    assert "contradiction" in kinds(lint_body(f"- {other}\n- {one}"))
