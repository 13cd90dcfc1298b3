"""JSON shapes, one function per value, the same at every door. Versions and changes are records of `domain.records`.

Times are UTC, sizes are code points.
"""

from collections.abc import Sequence
from dataclasses import asdict

from studio.domain.agents import Agent, AgentSummary
from studio.domain.archive import iso_z
from studio.domain.changes import Saved
from studio.domain.compose import MadeOf, Prompt
from studio.domain.drafts import ReplacedDraft, TaskDraft, TaskReview
from studio.domain.embeds import EmbedEntry, Expansion
from studio.domain.history import Imported
from studio.domain.questions import Asked
from studio.domain.records import Record, author_record, diff_record, version_record
from studio.domain.timeline import Version


def error_record(kind: str, message: str, questions: Sequence[Record] = ()) -> Record:
    """`{error: {kind, message}}`; the kind is a family of `studio.errors`, `usage`, or `fault` where it is ours.

    With `questions` where some were not answered: `{word, sentence, lines}` each (decision 39).
    """
    asked = {"questions": list(questions)} if questions else {}
    return {"error": {"kind": kind, "message": message} | asked}


def agent_record(agent: Agent) -> Record:
    """`{id, name, guild, focus, layout, config, retention, created_at, source}`.

    `guild` is `{id, name}` or null, `config` is `{memory, memory_write, max_tool_calls}`, `retention` is null where every revision is
    kept, `source` is `{kind, label, agent_authors, full_history, restarted_at}` of the import that made it, or null; at `restarted_at`
    its numbers started anew (decision 48).
    """
    source = agent.source
    return {
        "id": agent.id,
        "name": agent.name,
        "guild": None if agent.guild is None else {"id": agent.guild, "name": agent.guild_name},
        "focus": agent.focus,
        "layout": str(agent.layout),
        "config": {
            "memory": agent.config.memory,
            "memory_write": agent.config.memory_write,
            "max_tool_calls": agent.config.max_tool_calls,
        },
        "retention": agent.retention,
        "created_at": iso_z(agent.created_at),
        "source": None
        if source is None
        else {
            "kind": source.kind,
            "label": source.label,
            "agent_authors": list(source.agent_authors),
            "full_history": source.full_history,
            "restarted_at": None if source.restarted_at is None else iso_z(source.restarted_at),
        },
    }


def summary_record(summary: AgentSummary) -> Record:
    """The agent's record with how its memory and its Task stand.

    `{memory_version, memory_characters, memory_at, task_version, has_draft, broken_links, over_budget}`; the last two count embeds of
    the live Task.
    """
    return agent_record(summary.agent) | {
        "memory_version": summary.memory_version,
        "memory_characters": summary.memory_characters,
        "memory_at": None if summary.memory_at is None else iso_z(summary.memory_at),
        "task_version": summary.task_version,
        "has_draft": summary.has_draft,
        "broken_links": summary.broken_links,
        "over_budget": summary.over_budget,
    }


def saved_record(saved: Saved) -> Record:
    """`{version, changed, sha256}`."""
    return {"version": saved.version, "changed": saved.changed, "sha256": saved.sha256}


def task_version_record(version: Version) -> Record:
    """The version's record (decision 36) with the operator's `note`."""
    return version_record(version) | {"note": version.note}


def draft_record(draft: TaskDraft) -> Record:
    """`{sha256, characters, based_on, based_on_sha256, author, saved_at}`, never the text."""
    return {
        "sha256": draft.sha256,
        "characters": len(draft.text),
        "based_on": draft.based_on,
        "based_on_sha256": draft.based_on_sha256,
        "author": author_record(draft.author),
        "saved_at": iso_z(draft.saved_at),
    }


def replaced_draft_record(replaced: ReplacedDraft) -> Record:
    """The draft's record with `{number, gone_at, gone_by}`: by which it is brought back, and who replaced or discarded it when."""
    gone = {"gone_at": iso_z(replaced.gone_at), "gone_by": author_record(replaced.gone_by)}
    return {"number": replaced.number} | draft_record(replaced.draft) | gone


def question_record(asked: Asked) -> Record:
    """`{word, sentence, lines}`: what answers it, what is the matter, and the lines it is about (decision 39)."""
    return {"word": str(asked.word), "sentence": asked.sentence, "lines": list(asked.lines)}


def review_record(review: TaskReview) -> Record:
    """`{next_version, changed, stale, added, removed, format, blocks, live_version, broken, questions, draft}`.

    The change is from the live Task.
    """
    return {
        "next_version": review.next_version,
        "changed": review.changed,
        "stale": review.stale,
        **diff_record(review.against_live),
        "live_version": review.live.number,
        "broken": [embed_record(one) for one in review.broken],
        "questions": [question_record(one) for one in review.questions],
        "draft": draft_record(review.draft),
    }


def prompt_record(prompt: Prompt) -> Record:
    """`{text, sections, embeds, neutralised, tools, warnings, composed_from}`.

    A section is `{name, start, end, characters}` in code points of the text, a neutralised tag `{source, start, tag}`.
    """
    return {
        "text": prompt.text,
        "sections": [
            {"name": str(one.name), "start": one.start, "end": one.end, "characters": one.characters}
            for one in prompt.sections
        ],
        "embeds": [embed_record(one) for one in prompt.embeds],
        "neutralised": [{"source": one.source, "start": one.start, "tag": one.tag} for one in prompt.neutralised],
        "tools": list(prompt.tools),
        "warnings": list(prompt.warnings),
        "composed_from": made_of_record(prompt.made_of),
    }


def made_of_record(made_of: MadeOf) -> Record:
    """`{template_sha256, task_version, task_sha256, memory_version, memory_sha256, memory_commit, notes}`, of notes `{path, sha256}`.

    `memory_characters` too, of a memory directory: how much of the prompt's end its compiled text takes.
    """
    notes = [{"path": path, "sha256": sha256} for path, sha256 in made_of.notes]
    return {name: value for name, value in asdict(made_of).items() if name != "warnings"} | {"notes": notes}


def embed_record(entry: EmbedEntry) -> Record:
    """`{written, path, hop, state, shown, reason, bytes, within, start, end}`: what became of one embed (decision 23).

    `state` is inlined, repeated, table, text, over_budget or broken; `within` is the path of the note that holds it, null for the
    Task; `start` and `end` count code points of that stored text.
    """
    return {**asdict(entry), "state": str(entry.state)}


def expansion_record(expansion: Expansion) -> Record:
    """`{text, embeds, bytes}`: a Task's text with its embeds expanded, what became of each, and the bytes used of the budget."""
    return {
        "text": expansion.text,
        "embeds": [embed_record(one) for one in expansion.ledger],
        "bytes": expansion.bytes,
    }


def imported_record(imported: Imported) -> Record:
    """`{agent, versions, added, skipped, warnings}`; `agent` is the id."""
    return {
        "agent": imported.agent.id,
        "versions": imported.versions,
        "added": imported.added,
        "skipped": imported.skipped,
        "warnings": list(imported.warnings),
    }
