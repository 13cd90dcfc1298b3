"""The demo's memory directory: an agent that remembers in a git repository, with a history to look at.

The repository is made from a stream of `git fast-import`, so its commits are the same on every machine.
"""

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from studio import git
from studio.actions.studio import Studio
from studio.errors import StudioError
from studio.memfs import hook_install
from studio.memfs.repo import open_directory
from studio.sources.demo import DemoFiles

BRANCH = "main"
"""The branch that the streams write."""


def add_directories(studio: Studio, files: DemoFiles, folder: Path) -> None:
    """Give the demo its agents that remember in a directory; it does without where git is missing.

    Args:
        studio: the demo's store, with the organisation in it.
        files: the demo's files.
        folder: where the repositories go, one folder each; one that lies there from an earlier demo is taken as it is.

    Raises:
        StudioError: the store refuses the agent.
    """
    for told in files.organisation["directories"]:
        repository = folder / told["name"]
        try:
            _make(repository, files.text(told["stream"]))
            usable = bool(open_directory(repository).head)
        except (StudioError, OSError):
            usable = False
        if not usable:
            continue
        studio.create_agent(told["name"], focus=told["focus"], guild=told["guild"])
        studio.directories.link(str(repository), told["name"], agent_authors=tuple(told["agent_authors"]))


def _make(repository: Path, stream: str) -> None:
    """Make a repository aside and put it in its place when it is whole."""
    if not repository.exists():
        repository.parent.mkdir(exist_ok=True)
        with TemporaryDirectory(prefix="making-", dir=repository.parent) as aside:
            making = str(Path(aside) / repository.name)
            # Without the user's template, whose attributes could have a filter convert what is checked out.
            git.run(aside, "init", "--quiet", "--template=", f"--initial-branch={BRANCH}", making)
            git.run(making, "fast-import", "--quiet", "--done", given=stream.encode())
            git.run(making, "reset", "--quiet", "--hard")
            Path(making).rename(repository)
    with suppress(StudioError):  # hooks that are one for all repositories of this user, or come with a new one
        hook_install.install(open_directory(repository))
