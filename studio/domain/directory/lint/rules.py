"""The rules of the lint: what each is called, why it is a rule, and which texts it binds. Each family checks its own."""

from collections.abc import Iterable, Mapping

from studio.domain.directory.conflict_markers import CONFLICT_MARKERS
from studio.domain.directory.conflict_markers import REASON as MARKERS_REASON
from studio.domain.directory.findings import Severity
from studio.domain.directory.lint.rule import Place, Rule
from studio.domain.directory.secrets import REASON as SECRET_REASON
from studio.domain.directory.secrets import SECRET
from studio.errors import UnknownLintRule

_PROMPTS = frozenset({Place.BLOCK, Place.INDEX, Place.TASK})
"""What a model reads as its instructions."""
_ALL_PROMPTS = _PROMPTS | {Place.MEMORY}
_CORE = frozenset({Place.BLOCK, Place.INDEX})
_EVERYWHERE = frozenset(Place)
_FILES = frozenset({Place.BLOCK, Place.INDEX, Place.DEFERRED})
_DIRECTORY: frozenset[Place] = frozenset()

ALL_CAPS = Rule(
    "all_caps",
    "words in capitals for emphasis",
    "Write in plain language without all-caps or absolute emphasis. Overstated instructions get overapplied.",
    _ALL_PROMPTS,
)
ABSOLUTE_EMPHASIS = Rule("absolute_emphasis", "absolute emphasis", ALL_CAPS.reason, _ALL_PROMPTS)
PROHIBITION_ONLY = Rule(
    "prohibition_only",
    "a prohibition that does not say what to do",
    "Say what to do rather than only what to avoid.",
    _PROMPTS,
)
THIRD_PERSON = Rule(
    "third_person",
    "a rule in the third person",
    'Write to the agent in the second person or imperative mood: "Lead with the answer", not "The user likes answers first".',
    _ALL_PROMPTS,
)
_PROVENANCE = (
    "Leave out provenance: no names, dates, quotes, or stories about the incident. Message history already holds the events, and the "
    "commit message records why the line changed."
)
PROVENANCE_DATE = Rule("provenance_date", "when something was learned", _PROVENANCE, _PROMPTS)
PROVENANCE_NAME = Rule("provenance_name", "who said something, or in which discussion", _PROVENANCE, _PROMPTS)
PROVENANCE_QUOTE = Rule("provenance_quote", "what somebody said, as a quote", _PROVENANCE, _PROMPTS)
TOO_MANY_EXAMPLES = Rule(
    "too_many_examples",
    "more than two examples of one principle",
    "Keep at most one or two examples per principle, and make them differ from each other. A new correction replaces the weaker "
    "example rather than adding another.",
    _ALL_PROMPTS,
)
EXAMPLES_ALIKE = Rule("examples_alike", "examples that do not differ", TOO_MANY_EXAMPLES.reason, _ALL_PROMPTS)
EXAMPLE_OF_INCIDENT = Rule(
    "example_of_incident",
    "an example that records one incident",
    "Write the example as a generic instance of the behavior, not a record of the incident: no dates, names, or quotes.",
    _PROMPTS,
)
BAD_EXAMPLE_LAST = Rule(
    "bad_example_last",
    "an example that ends on its bad half",
    "Keep the bad half short and labeled, and end on the good half. The agent imitates the details of examples, including the ones "
    "it should avoid.",
    _ALL_PROMPTS,
)
REDERIVABLE = Rule(
    "rederivable",
    "content that can be found out again",
    "Leave out content the agent can cheaply rederive: file contents, command lists, current status, and recent activity.",
    _PROMPTS,
)
NEAR_DUPLICATE = Rule(
    "near_duplicate",
    "two statements that say nearly the same",
    "The usual edit sharpens, merges, or replaces an existing principle, and a new one earns its place only when no existing one can "
    "absorb it.",
    _ALL_PROMPTS,
)
CONTRADICTION = Rule(
    "contradiction",
    "two statements that contradict each other",
    "Check that a change does not contradict an existing line; resolve the conflict instead of adding both.",
    _ALL_PROMPTS,
)
PRINCIPLE_WITHOUT_REASON = Rule(
    "principle_without_reason",
    "principles without the reason that makes them general",
    'State the principle with the reason that makes it generalize: "Verify claims against the running system, because Sarah trusts '
    'evidence over plausibility".',
    _PROMPTS,
)
NARROW_RULES = Rule(
    "narrow_rules",
    "many narrow rules without a reason",
    "When several rules share a cause, replace them with the one principle that explains them all, and delete the lines it absorbs in "
    "the same edit. A growing count of narrow rules is a sign of failure.",
    _PROMPTS,
)
APPEND_ONLY = Rule(
    "append_only",
    "a text whose versions only grow",
    "Treat each change as a revision of that prompt, not an append to a log.",
    _ALL_PROMPTS,
)
DESCRIPTION = Rule(
    "description_not_for_agent",
    "a description that tells the agent nothing",
    "The description is rendered into the prompt. Write it for the agent: one line saying what the block holds.",
    frozenset({Place.BLOCK}),
)
NAME_DIFFERS = Rule(
    "name_differs",
    "a name in the header that is not the file's",
    "The file name becomes the block name. Choose short, stable names.",
    frozenset({Place.BLOCK}),
)
TAG_NOT_XML = Rule(
    "tag_not_xml",
    "a file name that cannot open an element",
    "The file name becomes the block name, so human.md renders as <human>.",
    frozenset({Place.BLOCK}),
    Severity.ERROR,
)
TAG_CLASH = Rule(
    "tag_clash",
    "a file name that clashes with another section",
    "The file name becomes the block name, and <memory> is the block of root MEMORY.md.",
    frozenset({Place.BLOCK}),
    Severity.ERROR,
)
SELF_CLOSING = Rule(
    "self_closing",
    "a text that closes its own block or opens a section",
    "Texts are compiled as they are, so a tag inside one ends its block where the model reads it.",
    _CORE,
)
EMPTY_BLOCK = Rule(
    "empty_block",
    "a memory file without a body",
    "A block without a body takes room in the prompt and says nothing.",
    _FILES,
)
WINDOWS_LINE_ENDINGS = Rule(
    "windows_line_endings",
    "carriage returns at the ends of lines",
    "The header and each line are read up to a line feed; a carriage return counts as a character and hides in every diff.",
    _EVERYWHERE,
)
BYTE_ORDER_MARK = Rule(
    "byte_order_mark",
    "a byte order mark at the start",
    "A byte order mark stands before the header and hides it from strict readers; it counts as a character.",
    _EVERYWHERE,
)
INVISIBLE_CHARACTERS = Rule(
    "invisible_characters",
    "invisible or direction characters",
    "What a person cannot see the model still reads: invisible and direction characters can hide an instruction.",
    _EVERYWHERE,
)
LOOKALIKE_LETTERS = Rule(
    "lookalike_letters",
    "letters that look like those of their word and are of another script",
    "A person reads a letter that looks alike as the same; the model and every search read another word.",
    _EVERYWHERE,
)
CASE_TWINS = Rule(
    "case_twins",
    "paths that differ in letter case only",
    "On many systems both names are one file, so one text replaces the other there.",
    _DIRECTORY,
    Severity.ERROR,
)
NEAR_LIMIT = Rule(
    "near_limit",
    "a size near its limit",
    "Treat the limits as a ceiling, not a target: stay well below them. Shrink before you grow.",
    frozenset({Place.MEMORY}),
)
_DEFERRED = (
    "The agent consults deferred memory only when something in its prompt tells it to. A directory with no useful entry in root "
    "MEMORY.md is effectively lost."
)
ENTRY_NAMES_NOTHING = Rule(
    "entry_names_nothing",
    "an entry that names nothing",
    "An entry sends the agent to what it names.",
    _DIRECTORY,
    Severity.ERROR,
)
INDEX_WITHOUT_QUESTIONS = Rule(
    "index_without_questions",
    "a root MEMORY.md that does not say which questions lead into the memory",
    "Say what kinds of questions should send the agent to memory before it answers from assumption, such as an unfamiliar person, "
    "project, or system named in the conversation.",
    _DIRECTORY,
)
DIRECTORY_NOT_NAMED = Rule("directory_not_named", "a folder that root MEMORY.md does not name", _DEFERRED, _DIRECTORY)
ENTRY_VAGUE = Rule(
    "entry_vague",
    "an entry in words that no request would use",
    'Give each directory a one-line entry saying when to open it, in the words a future request would use: "deployments, rollbacks, '
    'on-call runbooks", not "ops notes".',
    _DIRECTORY,
)
ENTRY_REINDEXED = Rule(
    "entry_reindexed",
    "an entry for what the prompt already holds",
    "Do not re-index root files or skills; both are already in the prompt.",
    _DIRECTORY,
)
FILE_UNREACHABLE = Rule(
    "file_unreachable",
    "a file that no index names",
    "After adding a directory or file, check that a natural future request would reach it by reading only root MEMORY.md and the "
    "indexes beneath it.",
    _DIRECTORY,
)
SECRET_RULE = Rule(SECRET, "a key of a known format", SECRET_REASON, _EVERYWHERE, Severity.ERROR)
CONFLICT_MARKERS_RULE = Rule(
    CONFLICT_MARKERS, "conflict markers of a merge that was not settled", MARKERS_REASON, _EVERYWHERE, Severity.ERROR
)

RULES: Mapping[str, Rule] = {
    rule.kind: rule
    for rule in (
        *(ALL_CAPS, ABSOLUTE_EMPHASIS, PROHIBITION_ONLY, THIRD_PERSON),
        *(PROVENANCE_DATE, PROVENANCE_NAME, PROVENANCE_QUOTE),
        *(
            TOO_MANY_EXAMPLES,
            EXAMPLES_ALIKE,
            EXAMPLE_OF_INCIDENT,
            BAD_EXAMPLE_LAST,
            PRINCIPLE_WITHOUT_REASON,
            REDERIVABLE,
            NEAR_DUPLICATE,
            CONTRADICTION,
            NARROW_RULES,
            APPEND_ONLY,
        ),
        *(DESCRIPTION, NAME_DIFFERS, TAG_NOT_XML, TAG_CLASH, SELF_CLOSING, EMPTY_BLOCK, CASE_TWINS),
        *(WINDOWS_LINE_ENDINGS, BYTE_ORDER_MARK, INVISIBLE_CHARACTERS, LOOKALIKE_LETTERS, NEAR_LIMIT),
        *(
            ENTRY_NAMES_NOTHING,
            INDEX_WITHOUT_QUESTIONS,
            DIRECTORY_NOT_NAMED,
            ENTRY_VAGUE,
            ENTRY_REINDEXED,
            FILE_UNREACHABLE,
        ),
        SECRET_RULE,
        CONFLICT_MARKERS_RULE,
    )
}
"""Every rule by its kind, in the order of the specification."""


def switched_off(names: Iterable[str]) -> frozenset[str]:
    """The kinds of rules that a person switched off.

    Args:
        names: what a setting or the command line names, blanks and empty names passed over; never what a repository says.

    Raises:
        UnknownLintRule: no rule is called so.
    """
    wanted = frozenset(name.strip() for name in names) - {""}
    for name in sorted(wanted - RULES.keys()):
        raise UnknownLintRule(name, tuple(RULES))
    return wanted
