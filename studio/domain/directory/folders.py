"""A folder of a memory directory as one text: its files one after the other, so that a folder is read and compared as a file is."""

from collections.abc import Iterable

from studio.domain.bodies import Body
from studio.domain.directory.tree import TreeFile, shown_path


def folder_body(files: Iterable[TreeFile]) -> Body | None:
    """The texts of files in their order, each below a line with its path, as `tail` prints several files; None without any."""
    parts = [file_part(file.path, _text(file)) for file in files]
    return Body("\n".join(parts)) if parts else None


def file_part(path: str, text: str) -> str:
    """One file of a folder's text."""
    return f"==> {shown_path(path)} <==\n{text}" + ("" if text.endswith("\n") or not text else "\n")


def _text(file: TreeFile) -> str:
    return f"{file.sha}\n" if file.body is None else file.body.shown
