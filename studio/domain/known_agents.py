"""Names and addresses of agents as data: what is known, and where it was seen or is documented (decision 40).

A row is added here, never in code. `git log` of a repository is a source that everybody can look at again. What names themselves, as
`x[bot]` or `agent@…`, need no row: see `agent_signs`.
"""

from typing import NamedTuple


class Known(NamedTuple):
    """One name or address, and the source that says whose it is."""

    what: str
    """In lower case; which form it has says the table."""
    source: str
    """A repository whose `git log` holds it, or the page of its makers."""


TOOLS = (
    Known("aider", "aider.chat/docs/git.html"),
    Known("amp", "git log of steveyegge/beads"),
    Known("ampcode", "ampcode.com"),
    Known("antigravity", "antigravity.google"),
    Known("augment", "augmentcode.com"),
    Known("cascade", "windsurf.com"),
    Known("chatgpt", "chatgpt.com"),
    Known("claude", "git log of jlowin/fastmcp"),
    Known("clawdbot", "git log of steveyegge/beads"),
    Known("cline", "git log of cline/cline"),
    Known("codeium", "codeium.com"),
    Known("codex", "git log of steveyegge/beads"),
    Known("copilot", "git log of cline/cline"),
    Known("cursor", "git log of cline/cline"),
    Known("deepseek", "deepseek.com"),
    Known("devin", "git log of letta-ai/letta-code"),
    Known("droid", "git log of steveyegge/beads"),
    Known("gemini", "git log of google-gemini/gemini-cli"),
    Known("gpt", "git log of oraios/serena"),
    Known("grok", "x.ai"),
    Known("jules", "git log of google-gemini/gemini-cli"),
    Known("junie", "git log of oraios/serena"),
    Known("kilo", "kilocode.ai"),
    Known("kiro", "kiro.dev"),
    Known("letta", "git log of letta-ai/letta"),
    Known("lettamate", "git log of letta-ai/letta-code"),
    Known("memgpt", "git log of letta-ai/letta"),
    Known("moltbot", "github.com/openclaw/openclaw, an earlier name"),
    Known("openclaw", "git log of robertsong2019/openclaw-workspace"),
    Known("opencode", "git log of jlowin/fastmcp"),
    Known("opendevin", "all-hands.dev, an earlier name"),
    Known("openhands", "git log of oraios/serena"),
    Known("qwen", "qwen.ai"),
    Known("replit", "replit.com"),
    Known("roo", "roocode.com"),
    Known("sweep", "sweep.dev"),
    Known("tabnine", "tabnine.com"),
    Known("windsurf", "windsurf.com"),
)
"""Tools that sign commits, by the first word of their name; what may follow is in `AFTER_A_TOOL`."""

GIVEN_NAMES = (
    Known("claude", "a given name in French"),
    Known("devin", "a given name in English"),
    Known("jules", "a given name in French"),
    Known("junie", "a given name in English"),
    Known("kiro", "a given name in Bulgarian"),
    Known("roo", "a nickname in English"),
)
"""Tools that are called as people are: alone and with an address at a `MAIL_HOSTS` they are a person."""

MAKERS = frozenset({"amazon", "anthropic", "factory", "github", "google", "microsoft", "openai", "sourcegraph", "xai"})
"""Words that may stand before a tool's name."""

AFTER_A_TOOL = frozenset(
    {
        *("agent", "ai", "app", "assistant", "autofix", "bot", "cli", "cloud", "code", "coder", "coding", "developer"),
        *("fable", "flash", "haiku", "ide", "integration", "max", "mini", "opus", "pro", "reviewer", "sonnet"),
        *("subagent", "swe", "trainer", "turbo"),
    }
)
"""Words that may follow a tool's name; any other makes it a person's (`Claude Monet`), unless a number is there."""

NAMES = (
    Known("actions user", "git log of goreleaser/goreleaser"),
    Known("dependabot", "docs.github.com/en/code-security/dependabot"),
    Known("dependabot preview", "git log of goreleaser/goreleaser"),
    Known("github actions", "git log of cline/cline"),
    Known("imgbotapp", "git log of ariffazil/openclaw-workspace"),
    Known("pre commit ci", "pre-commit.ci"),
    Known("reflection subagent", "git log of letta-ai/letta-code"),
    Known("renovate", "docs.renovatebot.com"),
    Known("weblate", "docs.weblate.org/en/latest/admin/continuous.html"),
    Known("hosted weblate", "hosted.weblate.org"),
)
"""Whole names of bots that no rule knows; words are split at blanks and at `-`, `_`, `:` and `/`."""

ROLES = (
    Known("*/crew/*", "git log of steveyegge/beads"),
    Known("*/polecats/*", "git log of steveyegge/beads"),
    Known("*/refinery", "git log of steveyegge/beads"),
    Known("*/witness", "git log of steveyegge/beads"),
)
"""Whole names as globs, of agents that sign with their place in a team."""

ADDRESSES = (
    Known("actions@github.com", "git log of goreleaser/goreleaser"),
    Known("agent-*@letta.com", "git log of letta-ai/letta-code"),
    Known("agents+*@letta.com", "git log of letta-ai/letta-code"),
    Known("aider@aider.chat", "git log of Aider-AI/aider"),
    Known("claude@anthropic.com", "git log of oraios/serena"),
    Known("codex@openai.com", "git log of steveyegge/beads"),
    Known("copilot@github.com", "git log of cline/cline"),
    Known("copilot@users.noreply.github.com", "git log of cline/cline"),
    Known("cursor@cursor.com", "cursor.com"),
    Known("cursoragent@cursor.com", "git log of cline/cline"),
    Known("github-actions@github.com", "git log of cline/cline"),
    Known("hosted@weblate.org", "hosted.weblate.org"),
    Known("imgbothelp@gmail.com", "git log of ariffazil/openclaw-workspace"),
    Known("noreply@aider.chat", "git log of Aider-AI/aider"),
    Known("noreply@aider.dev", "git log of Aider-AI/aider"),
    Known("noreply@anthropic.com", "git log of cline/cline"),
    Known("noreply@cline.bot", "git log of cline/cline"),
    Known("noreply@codeium.com", "codeium.com"),
    Known("noreply@cursor.com", "cursor.com"),
    Known("noreply@devin.ai", "devin.ai"),
    Known("noreply@letta.com", "git log of letta-ai/letta"),
    Known("noreply@openai.com", "git log of oraios/serena"),
    Known("noreply@opencode.ai", "git log of jlowin/fastmcp"),
    Known("noreply@windsurf.com", "windsurf.com"),
    Known("openhands@all-hands.dev", "git log of oraios/serena"),
)
"""Whole addresses in canonical form, where `*` stands for any characters; `no-reply@` is read as `noreply@`."""

HOSTS = (
    Known("agentmail.to", "agentmail.to: mailboxes for agents"),
    Known("ampcode.com", "git log of steveyegge/beads"),
    Known("gastown", "git log of steveyegge/beads"),
    Known("gastown.local", "git log of steveyegge/beads"),
    Known("github-actions", "git log of aaronjmars/aeon"),
    Known("github-actions.bot", "git log of aaronjmars/aeon"),
)
"""Hosts whose every address is an agent's; a maker's own host is none, since its people write from there too."""

MAIL_HOSTS = frozenset(
    {
        *("126.com", "163.com", "aol.com", "free.fr", "gmail.com", "gmx.com", "gmx.de", "gmx.net", "hey.com"),
        *("hotmail.com", "hotmail.fr", "icloud.com", "laposte.net", "live.com", "mac.com", "mail.com", "mail.ru"),
        *("me.com", "msn.com", "orange.fr", "outlook.com", "pm.me", "proton.me", "protonmail.com", "qq.com", "web.de"),
        *("wanadoo.fr", "yahoo.com", "yahoo.fr", "yandex.ru", "ymail.com", "zoho.com"),
    }
)
"""Where people have mailboxes."""

PRIVATE_ENDINGS = frozenset({"home", "internal", "invalid", "lan", "local", "localdomain", "localhost", "test"})
"""What the name of a host ends in that the public cannot reach; so is one without a dot."""

SURNAMES = (
    "abbot",
    "barbot",
    "cabot",
    "chabot",
    "guilbot",
    "herbot",
    "jacobot",
    "rabot",
    "ribot",
    "sabot",
    "talbot",
    "turbot",
)
"""Words and surnames that end in `bot` and name people, also with an initial or two before them (`jtalbot`)."""
