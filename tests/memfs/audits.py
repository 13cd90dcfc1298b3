"""A small directory for tests of the audit, and what the audit says of it in short."""

from pathlib import Path

from repository_builder import RepositoryBuilder

from studio import git
from studio.domain.directory.audit import Audit
from studio.memfs.audit import audit_commits

INDEX = "# Index\n"
HUMAN = "---\nname: human\ndescription: Who the user is.\n---\nBe brief.\n"


def begun(folder: Path) -> RepositoryBuilder:
    """A directory with one sound commit."""
    made = RepositoryBuilder(folder)
    made.write("human.md", HUMAN)
    made.save("MEMORY.md", INDEX, "begin")
    return made


def audit(repo: RepositoryBuilder, revisions: str = "") -> Audit:
    """What the audit says of HEAD's history, or of a range."""
    return audit_commits(git.open_repository(repo.folder), revisions)


def said(found: Audit) -> list[tuple[str, list[tuple[str, str]], int]]:
    """Subject, what was broken, and how much was carried, oldest first."""
    return [
        (one.subject, [(finding.kind, finding.path) for finding in one.findings], one.carried)
        for one in found.round_the_hook
    ]
