"""Bring back what was deleted from a memory directory (decision 42)."""

from studio.actions.context import Context
from studio.actions.directory.editing import edit
from studio.actions.directory.reading import get_file
from studio.domain.directory.editing import Edited
from studio.domain.directory.tree import FileMode
from studio.errors import BadArgument


def restore(
    context: Context,
    agent: str,
    path: str,
    commit: str | None = None,
    *,
    message: str | None = None,
    expect: str | None = None,
    force: bool = False,
    config_approved: bool = False,
    yes_to: tuple[str, ...] = (),
    operator_name: str | None = None,
) -> Edited:
    """Commit a deleted file as it last was, or any file as it was at a commit; one that is so already makes no commit.

    A file that is there is written over as an edit is: by `expect` or `force`.

    Args:
        context: the open store.
        agent: id or unique name.
        path: the file as shown; also one that is no memory, as the script of a skill.
        commit: the commit to take it from; without one, it is as it last was.
        message: the commit's message; one that says what was brought back without it.
        expect: sha256 of the text that is there; None only for a file that is not there.
        force: write over whatever HEAD has.
        config_approved: whether a person let this edit change the config (decision 33).
        yes_to: the words of the questions that are answered with yes (decision 39).
        operator_name: who edits, where that is not the context's operator.

    Raises:
        UnknownFile: there was no such file.
        BadArgument: it was a link, which holds no text of its own.

    And what `editing.edit` does.
    """
    context.database.ask_to_write()
    found = get_file(context, agent, path, commit)
    if found.mode is FileMode.LINK:
        raise BadArgument(
            f"{path} was a link to {found.body.shown}, and memory is text in regular files; edit the file anew."
        )
    why = message or f"Bring back {path} as of {found.commit[:10]}"
    return edit(
        context,
        agent,
        path,
        found,
        why,
        expect=expect,
        force=force,
        config_approved=config_approved,
        yes_to=yes_to,
        operator_name=operator_name,
    )
