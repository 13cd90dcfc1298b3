"""Who wrote an imported version, by what its commit says (decision 3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.agent_signs import names_an_agent
from studio.domain.attribution import attribute, matching_rule, via_from_evidence
from studio.domain.authors import Author, AuthorKind
from studio.domain.identities import NAME_CHARACTERS, clean_name


@pytest.mark.parametrize(
    ("name", "address"),
    [
        pytest.param("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", id="attribution-07 [bot]"),
        pytest.param("name[bot]", "", id="attribution-07 any [bot]"),
        pytest.param("Letta Code", "noreply@letta.com", id="attribution-07 Letta Code"),
        pytest.param("Reflection Subagent", "", id="attribution-07 Reflection Subagent"),
        pytest.param("Claude", "noreply@anthropic.com", id="Claude"),
        pytest.param("claude-code", "", id="claude-code"),
        pytest.param("Cursor Agent", "cursoragent@cursor.com", id="Cursor Agent"),
        pytest.param("GitHub Copilot", "", id="GitHub Copilot"),
        pytest.param("copilot-swe-agent", "", id="copilot-swe-agent"),
        pytest.param("Devin AI", "", id="Devin AI"),
        pytest.param("google-labs-jules[bot]", "", id="Jules"),
        pytest.param("github-actions", "", id="github-actions"),
        pytest.param("renovate-bot", "", id="renovate-bot"),
        pytest.param("OpenClaw Agent", "agent@openclaw.local", id="agents-01 a name that ends in Agent"),
        pytest.param("gemini-cli-robot", "", id="agents-01 a robot"),
        pytest.param("Weblate (bot)", "hosted@weblate.org", id="agents-01 (bot)"),
        pytest.param("goreleaserbot", "bot@goreleaser.com", id="agents-01 a name that ends in bot"),
        pytest.param("GreptileBot", "", id="a name that ends in Bot"),
        pytest.param("Kubernetes Prow Robot", "", id="a robot of several words"),
        pytest.param("Ariadne[bot] (ada)", "", id="[bot] within a name"),
        pytest.param("beads/crew/emma", "ana@example.org", id="a place in a team of agents"),
        pytest.param("gitlabbot", "", id="bot after what ends like a surname"),
    ],
)
def test_a_well_known_name_is_an_agent(name: str, address: str) -> None:
    assert attribute(name, address, "a change") == Author(AuthorKind.AGENT, name, evidence="author-name")


@pytest.mark.parametrize(
    ("name", "address"),
    [
        pytest.param("Ana", "ana@example.org", id="a person"),
        pytest.param("Claude Monet", "claude@example.fr", id="a person named Claude"),
        pytest.param("Devin Townsend", "devin@example.org", id="a person named Devin"),
        pytest.param("Jean-Claude", "jc@example.fr", id="a double name"),
        pytest.param("Abbot", "abbot@example.org", id="a name that ends in bot"),
        pytest.param("Grace Abbot", "grace@example.org", id="a surname that ends in bot"),
        pytest.param("Dimitri Barbot", "dimitribarbot@example.org", id="another"),
        pytest.param("jtalbot", "jtalbot@example.org", id="an initial and a surname"),
        pytest.param("Bryant Chandler", "brychanrobot@example.org", id="an address that only ends in robot"),
        pytest.param("Agent", "smith@example.org", id="nothing but Agent"),
        pytest.param("Devin", "devin@gmail.com", id="a person named as a tool"),
        pytest.param("Devin (he/him)", "devin@gmail.com", id="with pronouns"),
        pytest.param("Nik", "nik@cline.bot", id="a person at a host of the domain bot"),
        pytest.param("Jo", "jo@openclaw.ai", id="a person at a maker's host"),
        pytest.param("Jo", "jo@Jos-MacBook-Pro.local", id="a person at a private host"),
        pytest.param("Jo", "noreply@github.com", id="GitHub's own noreply"),
        pytest.param("yoyo", "yoyo@example.org", id="an agent nobody can guess"),
        pytest.param("Ana", "1234+ana@users.noreply.github.com", id="a hidden address"),
        pytest.param("Ana", "noreply@example.org", id="an address nobody reads"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_a_person_stays_a_person(name: str, address: str) -> None:
    author = attribute(name, address, "a change")
    assert (author.kind, author.via, author.evidence) == (AuthorKind.OPERATOR, None, None)


def test_an_address_of_a_tool_is_evidence_too() -> None:
    author = attribute("Sonnet on my laptop", "noreply@anthropic.com", "a change")
    assert author == Author(AuthorKind.AGENT, "Sonnet on my laptop", evidence="author-address")


@pytest.mark.parametrize(
    ("name", "address"),
    [
        pytest.param("Bob", "agent-4140c4b5-0000-4000-8000-000000000000@letta.com", id="agents-01 Letta"),
        pytest.param("Overlord", "agents+overlord@letta.com", id="another of Letta"),
        pytest.param("Aeon", "aeon@github-actions", id="agents-01 the host GitHub Actions"),
        pytest.param("Catalyst", "catalyst@openclaw.local", id="agents-01 a private host with a tool's name"),
        pytest.param("Aeon", "aeon@bot.local", id="a private host of bots"),
        pytest.param("Ana", "ana+claude@example.org", id="a tool behind a plus"),
        pytest.param("Ana", "1234+Copilot@users.noreply.github.com", id="a numbered noreply address"),
        pytest.param("Ana", "pr-bot@example.org", id="a local part that ends in bot"),
    ],
)
def test_an_address_that_names_an_agent_is_the_evidence(name: str, address: str) -> None:
    assert attribute(name, address, "a change") == Author(AuthorKind.AGENT, name, evidence="author-address")
    trailer = attribute("Maëlle", "m@example.org", f"x\n\nCo-authored-by: {name} <{address}>\n")
    assert trailer == Author(AuthorKind.OPERATOR, "Maëlle", name, f"trailer: Co-authored-by: {name}")


@pytest.mark.parametrize(
    ("name", "via"),
    [
        pytest.param("Ana (aider)", "aider", id="as aider writes it"),
        pytest.param("Ana Lind (claude-sonnet-4-20250514)", "claude-sonnet-4-20250514", id="a model"),
        pytest.param("Ana Lind + Claude", "Claude", id="a plus"),
        pytest.param("Ana (she/her)", None, id="pronouns"),
        pytest.param("Ana & Ben", None, id="two people"),
    ],
)
def test_a_tool_beside_a_persons_name_is_evidence_too(name: str, via: str | None) -> None:
    author = attribute(name, "ana@example.org", "a change")
    assert author == Author(AuthorKind.OPERATOR, name, via, "author-name" if via else None)


@pytest.mark.parametrize(
    ("trailer", "via"),
    [
        pytest.param("Co-Authored-By: Claude <noreply@anthropic.com>", "Claude", id="attribution-07 Claude"),
        pytest.param("Co-Authored-By: Claude Opus 4.6 <noreply@anthropic.com>", "Claude Opus 4.6", id="with its model"),
        pytest.param(
            "Co-authored-by: Claude Opus 4.8 (1M context) <noreply@anthropic.com>",
            "Claude Opus 4.8 (1M context)",
            id="with brackets",
        ),
        pytest.param("Co-authored-by: Cursor <cursoragent@cursor.com>", "Cursor", id="attribution-09 Cursor"),
        pytest.param("Co-authored-by: Amp <amp@ampcode.com>", "Amp", id="attribution-09 Amp"),
        pytest.param("Co-authored-by: gemini-cli <x@example.org>", "gemini-cli", id="attribution-09 Gemini"),
        pytest.param(
            "Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>",
            "Copilot",
            id="attribution-09 Copilot",
        ),
        pytest.param("Co-authored-by: OpenAI Codex <codex@openai.com>", "OpenAI Codex", id="attribution-09 Codex"),
        pytest.param("Co-authored-by: aider (gpt-4o) <noreply@aider.chat>", "aider (gpt-4o)", id="Aider"),
        pytest.param("Co-authored-by: Windsurf", "Windsurf", id="no address"),
        pytest.param("CO-AUTHORED-BY:opencode <noreply@opencode.ai>", "opencode", id="no blank"),
        pytest.param("Co-authored-by: marvin[bot] <1+m@users.noreply.github.com>", "marvin[bot]", id="unknown bot"),
        pytest.param("Co-authored-by: Zanzibar <noreply@zanzibar.dev>", "Zanzibar", id="attribution-09 unknown tool"),
        pytest.param("Co-authored-by: <noreply@zanzibar.dev>", "zanzibar.dev", id="an address only"),
        pytest.param("Assisted-by: Claude:claude-opus-4", "Claude:claude-opus-4", id="Assisted-by"),
        pytest.param("Made-with: Cursor", "Cursor", id="Made-with"),
        pytest.param("Agent-Signature: claude-opus-4-8 on behalf of ana", "claude-opus-4-8", id="Agent-Signature"),
        pytest.param(
            "Co-authored-by: OpenClaw Agent <agent@openclaw.local>", "OpenClaw Agent", id="agents-01 OpenClaw"
        ),
        pytest.param("Co-authored-by: gemini-cli-robot", "gemini-cli-robot", id="agents-01 a robot"),
        pytest.param("Co-authored-by: Weblate (bot) <x@example.org>", "Weblate (bot)", id="agents-01 Weblate"),
        pytest.param("Co-authored-by: goreleaserbot <x@example.org>", "goreleaserbot", id="agents-01 a bot"),
        pytest.param("Co-authored-by: Claude\n <noreply@anthropic.com>", "Claude", id="a folded line"),
    ],
)
def test_a_trailer_of_a_tool_makes_an_operator_with_it(trailer: str, via: str) -> None:
    author = attribute("Ana", "ana@example.org", f"Subject\n\nBody.\n\nSigned-off-by: Ana <a@b.c>\n{trailer}\n")
    key = trailer.partition(":")[0]
    assert author == Author(AuthorKind.OPERATOR, "Ana", via, f"trailer: {key}: {via}")
    assert via_from_evidence(author.evidence or "") == via


@pytest.mark.parametrize(
    ("line", "via", "evidence"),
    [
        pytest.param(
            "🤖 Generated with [Claude Code](https://claude.com/claude-code)",
            "Claude Code",
            "body: Generated with Claude Code",
            id="Claude Code",
        ),
        pytest.param("Generated by Cursor.", "Cursor", "body: Generated by Cursor", id="Generated by"),
        pytest.param("Executed-By: mayor", "mayor", "body: Executed-By: mayor", id="Executed-By"),
        pytest.param("Executed-By:", "agent", "body: Executed-By:", id="Executed-By nobody"),
    ],
)
def test_a_line_of_the_message_is_evidence(line: str, via: str, evidence: str) -> None:
    author = attribute("Ana", "ana@example.org", f"Subject\n\n{line}\n")
    assert author == Author(AuthorKind.OPERATOR, "Ana", via, evidence)
    assert (via_from_evidence(evidence) or "agent") == via


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("x\n\nCo-authored-by: Ben <ben@example.org>", id="a person"),
        pytest.param("x\n\nCo-authored-by: Claude Monet <claude@example.fr>", id="a person named Claude"),
        pytest.param("x\n\nCo-authored-by: Ben <1+ben@users.noreply.github.com>", id="a hidden address"),
        pytest.param("x\n\nGenerated by protoc", id="another generator"),
        pytest.param("Talk about Co-Authored-By: Claude in a sentence", id="not a line of its own"),
        pytest.param("x\n\n> Co-Authored-By: Claude", id="quoted"),
        pytest.param(
            "indented quote\n\n    Co-authored-by: Claude <noreply@anthropic.com>\n\nthat was in the old one\n",
            id="attribution-11 indented",
        ),
        pytest.param("x\n\n Co-authored-by: Claude", id="indented by one"),
        pytest.param("x\n\n\tCo-authored-by: Claude", id="indented by a tab"),
        pytest.param("x\n\n```\nCo-authored-by: Claude\n```\n", id="fenced"),
        pytest.param("x\n\n~~~~ text\n```\nCo-authored-by: Claude\n~~~~\nend", id="in the other fence"),
        pytest.param("x\r\n\r\n```\r\nCo-authored-by: Claude\r\n```\r\n", id="fenced with CRLF"),
        pytest.param("x\n\n    Generated with Claude Code", id="an indented line"),
        pytest.param("x\n\nThe page is generated with Claude Code now", id="in the middle of a sentence"),
        pytest.param("x\n\n> Executed-By: mayor", id="another quoted"),
        pytest.param("x\n\nCo-authored-by: a person <noreply@example.com>", id="agents-01 a person without address"),
        pytest.param("x\n\nCo-authored-by: Ana Lind <noreply@home.lan>", id="a private host"),
        pytest.param("x\n\nCo-authored-by: Ana <noreply@users.noreply.github.com>", id="GitHub's"),
        pytest.param("x\n\nCo-authored-by: Grace Abbot <grace@example.org>", id="a surname in bot"),
        pytest.param("Co-authored-by:", id="nobody"),
        pytest.param("", id="no message"),
    ],
)
def test_what_speaks_of_no_agent_is_no_evidence(message: str) -> None:
    assert attribute("Ana", "ana@example.org", message) == Author(AuthorKind.OPERATOR, "Ana")


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("* one\n\nCo-authored-by: Claude <noreply@anthropic.com>\n\n* two\n\nand more", id="in a squash"),
        pytest.param("x\n\nCO-AUTHORED-BY: Claude <NOREPLY@ANTHROPIC.COM>\n", id="in capitals"),
        pytest.param("x\r\n\r\nCo-authored-by: Claude <noreply@anthropic.com>\r\n", id="with CRLF"),
        pytest.param("x\n\n```\ncode\n```\nCo-authored-by: Claude\n", id="after a fence"),
        pytest.param("x\n\n```\nnever closed\n\nCo-authored-by: Claude\n", id="after one that is never closed"),
        pytest.param("x\n\nCo-authored-by: Claude\nCo-authored-by: Claude\n", id="twice"),
    ],
)
def test_a_trailer_counts_wherever_it_stands_at_the_margin(message: str) -> None:
    assert attribute("Ana", "", message).via == "Claude"


@pytest.mark.parametrize("fence", ["```\n", "```a\n", "~~~\n", "`````\n~~~\n", "Generated " * 3, "*" * 50 + " "])
def test_a_message_of_fences_is_read_quickly(fence: str) -> None:
    assert attribute("Ana", "", fence * 100_000).via is None


def test_a_tool_among_people_is_found() -> None:
    message = "x\n\nCo-authored-by: Ben <b@example.org>\nCo-authored-by: Claude <noreply@anthropic.com>\n"
    assert attribute("Ana", "", message).via == "Claude"


def test_the_rule_goes_first_and_is_the_evidence() -> None:
    message = "x\n\nCo-Authored-By: Claude <noreply@anthropic.com>"
    author = attribute("Ana", "ana@example.org", message, agent_authors=("nobody", "AN*"))
    assert author == Author(AuthorKind.AGENT, "Ana", evidence="rule: AN*")


@pytest.mark.parametrize(
    ("glob", "matches"),
    [
        pytest.param("yoyo", True, id="the name"),
        pytest.param("YOYO", True, id="another case"),
        pytest.param("yo*", True, id="a star"),
        pytest.param("y?yo", True, id="a question mark"),
        pytest.param("*@agents.example", True, id="the address"),
        pytest.param("yoyo <*>", True, id="name and address"),
        pytest.param("yo", False, id="a part of the name"),
        pytest.param("[xyz]oyo", False, id="brackets stand for themselves"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_a_glob_is_compared_with_name_and_address(glob: str, *, matches: bool) -> None:
    assert matching_rule((glob,), "yoyo", "yoyo@agents.example") == (glob if matches else None)


@pytest.mark.parametrize("name", ["Ana Bot", "Claude"])
def test_a_rule_for_persons_goes_before_everything_that_speaks_for_an_agent(name: str) -> None:
    rule = ("*", f"!{name}")
    assert attribute(name, "", "x", agent_authors=rule) == Author(AuthorKind.OPERATOR, name, evidence=f"rule: !{name}")
    with_a_tool = attribute(name, "", "x\n\nCo-authored-by: Codex", agent_authors=rule)
    assert (with_a_tool.kind, with_a_tool.via) == (AuthorKind.OPERATOR, "Codex")
    assert attribute("Ben", "", "x", agent_authors=rule).kind is AuthorKind.AGENT


def test_a_glob_may_name_a_bot_in_brackets() -> None:
    assert matching_rule(("*[bot]",), "renovate[bot]") == "*[bot]"
    assert matching_rule(("*[bot]",), "Rob") is None


@pytest.mark.parametrize(
    ("name", "address", "shown"),
    [
        pytest.param("Ana  Maria\t", "", "Ana Maria", id="blanks"),
        pytest.param("Ana\nEve", "", "Ana Eve", id="a line break"),
        pytest.param("Ana <ana@example.org>", "", "Ana ana", id="an address in the name"),
        pytest.param("ana@example.org", "x@y.z", "ana", id="an address for a name"),
        pytest.param("", "ana@example.org", "ana", id="no name"),
        pytest.param(" \x00 ", "", "no name", id="nothing at all"),
    ],
)
def test_a_name_is_one_line_without_an_address(name: str, address: str, shown: str) -> None:
    assert clean_name(name, address) == shown


@given(st.text(), st.text(), st.text())
def test_whatever_a_commit_says_gives_a_name_of_one_line(name: str, address: str, message: str) -> None:
    author = attribute(name, address, message)
    assert author.name
    assert author.name.splitlines() == [author.name]
    assert author.name == author.name.strip()
    assert author.kind in {AuthorKind.AGENT, AuthorKind.OPERATOR}
    assert (author.via is None) or author.kind is AuthorKind.OPERATOR


@given(st.text())
def test_every_name_is_judged(name: str) -> None:
    assert names_an_agent(name) in {True, False}


@pytest.mark.parametrize("name", ["a" * 2_000_000, "a" * 500_000 + "@", "@a" * 500_000, "<" * 500_000, "a " * 500_000])
def test_a_name_of_any_length_is_read_quickly_and_kept_short(name: str) -> None:
    """What commits say is written by agents: a pattern that tries everything twice would stop every page of theirs."""
    assert len(clean_name(name, name)) <= NAME_CHARACTERS
    author = attribute("Ana", "ana@example.com", f"Say it\n\nCo-Authored-By: {name}\n")
    assert len(author.via or "") <= NAME_CHARACTERS
