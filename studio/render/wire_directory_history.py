"""The JSON shapes of a memory directory over time: its link, edits, what went round the hook, and a migration."""

from studio.domain.archive import iso_known, iso_z
from studio.domain.directory.audit import Audit, AuditedCommit
from studio.domain.directory.editing import Edited
from studio.domain.directory.link import Link
from studio.domain.directory.migration import Migration
from studio.domain.directory.state import CommitDiff
from studio.domain.records import Record, author_record, diff_record, version_record
from studio.domain.timeline import Version
from studio.render.wire_directory import finding_record


def link_record(link: Link) -> Record:
    """`{agent, path, linked_at, head, version, agent_authors, rewritten_from, rewritten_at}`; times are UTC."""
    return {
        "agent": link.agent,
        "path": link.path,
        "linked_at": iso_z(link.linked_at),
        "head": link.seen.head,
        "version": link.seen.version or None,
        "agent_authors": list(link.agent_authors),
        "rewritten_from": link.rewritten_from,
        "rewritten_at": None if link.rewritten_at is None else iso_z(link.rewritten_at),
    }


def commit_version_record(version: Version) -> Record:
    """A version's record, with its `commit`, `subject`, `path` and `old_path`."""
    origin = version.origin
    facts = (origin.commit, origin.subject, origin.path, origin.old_path) if origin else (None,) * 4
    return version_record(version) | dict(zip(("commit", "subject", "path", "old_path"), facts, strict=True))


def commit_diff_record(change: CommitDiff) -> Record:
    """`{old, new, added, removed, format, blocks}`."""
    return {"old": change.old, "new": change.new} | diff_record(change.diff)


def edited_record(edited: Edited) -> Record:
    """`{path, changed, commit, version, sha256, behind}`; `behind` says why the owner's working tree does not have the commit yet."""
    return {
        "path": edited.path,
        "changed": edited.changed,
        "commit": edited.commit,
        "version": edited.version,
        "sha256": edited.sha256,
        "behind": edited.behind,
    }


def audit_record(audit: Audit) -> Record:
    """`{ok, commits, cut_off, warnings, round_the_hook, first, notices}`; `first` names for each thing broken who broke it."""
    return {
        "ok": audit.clean,
        "commits": audit.commits,
        "cut_off": audit.cut_off,
        "warnings": list(audit.warnings),
        "round_the_hook": [_audited(one) for one in audit.round_the_hook],
        "first": [{"commit": commit.commit} | finding_record(finding) for finding, commit in audit.first],
        "notices": [_audited(one) for one in audit.notices],
    }


def migration_record(migration: Migration, commit: str | None) -> Record:
    """`{ok, commit, steps, notices, reasons}`; a step is `{old, new, text}`."""
    return {
        "ok": not migration.reasons,
        "commit": commit,
        "steps": [{"old": one.old, "new": one.new, "text": one.text} for one in migration.steps],
        "notices": list(migration.notices),
        "reasons": list(migration.reasons),
    }


def _audited(one: AuditedCommit) -> Record:
    return {
        "commit": one.commit,
        "at": iso_known(one.at),
        "author": author_record(one.author),
        "subject": one.subject,
        "parents": one.parents,
        "carried": one.carried,
        "findings": [finding_record(finding) for finding in one.findings],
    }
