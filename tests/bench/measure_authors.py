"""How well agents are told from persons on real repositories: precision and recall for each, by labels that a person made by reading.

    python tests/bench/measure_authors.py FOLDER LABELS

FOLDER holds repositories. LABELS is a file of lines `agent`, a tab, and the identity as written (`Name <address>`); whoever is not in
it is a person. It stays outside of this project, since it names people. With `--list` it prints what was found wrong.
"""

import argparse
import subprocess
from collections.abc import Iterator
from pathlib import Path

from studio.domain.attribution import attribute, trailers_of
from studio.domain.authors import AuthorKind


def commits_of(repository: Path) -> list[tuple[str, str, str]]:
    """Name, address and message of every commit."""
    form = "--format=%an%x01%ae%x01%B"
    told = subprocess.run(
        ["git", "-C", repository, "log", "-z", "--encoding=UTF-8", form], capture_output=True, check=True
    )
    parts = [one.split("\1", 2) for one in told.stdout.decode("utf-8", "replace").split("\0") if one]
    return [(name, address, message) for name, address, message in parts]


def judged(commits: list[tuple[str, str, str]]) -> dict[str, bool]:
    """Each identity, authors and those in trailers, and whether it is taken for an agent or a person beside one."""
    found = {}
    for name, address, message in commits:
        author = attribute(name, address, "")
        found[f"{name} <{address}>".strip()] = author.kind is AuthorKind.AGENT or author.via is not None
        for who, agent in trailers_of(message):
            found.setdefault(str(who), agent)
    return found


def rows(folder: Path, agents: set[str], *, listed: bool) -> Iterator[tuple[str, int, int, int, int, int]]:
    """For each repository: its name, commits, identities, agents, those found, and persons taken for agents."""
    for repository in sorted(path.parent for path in folder.glob("*/*/HEAD")):
        commits = commits_of(repository)
        found = judged(commits)
        for who, agent in found.items():
            if listed and agent != (who in agents):
                print(repository.parent.name, "taken for an agent" if agent else "missed", who, sep="\t")
        right = sum(agent and who in agents for who, agent in found.items())
        wrong = sum(agent and who not in agents for who, agent in found.items())
        yield (
            repository.parent.name.replace("+", "/"),
            len(commits),
            len(found),
            sum(map(agents.__contains__, found)),
            right,
            wrong,
        )


def line_of(name: str, commits: int, identities: int, agents: int, right: int, wrong: int) -> str:
    """One row of the table."""
    precision = f"{right / (right + wrong):.1%}" if right + wrong else "–"
    recall = f"{right / agents:.1%}" if agents else "–"
    return f"| {name} | {commits:,} | {identities:,} | {agents} | {precision} | {recall} |"


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    lines = given.labels.read_text("utf-8").splitlines()
    agents = {who for kind, _, who in (line.partition("\t") for line in lines) if kind == "agent"}
    measured = list(rows(given.folder, agents, listed=given.list))
    commits, identities, all_agents, right, wrong = (
        list(column) for column in zip(*(row[1:] for row in measured), strict=True)
    )
    total = ("together", sum(commits), sum(identities), sum(all_agents), sum(right), sum(wrong))
    print("| repository | commits | identities | agents | precision | recall |\n|---|---|---|---|---|---|")
    for row in [*measured, total]:
        print(line_of(*row))


if __name__ == "__main__":
    main()
