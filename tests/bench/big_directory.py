"""Memory directories of a given number of files, made by git itself: ten root blocks, an index, and folders of a hundred files."""

from collections.abc import Iterator
from pathlib import Path

from directory_repository import MemoryRepository, note

SIZES = (12, 1_061, 10_111)
"""How many files the directories have that the issue names."""
BLOCKS, FOLDER_FILES = 10, 100


def big_directory(folder: Path, size: int) -> MemoryRepository:
    """A sound directory of that many files with one commit, checked out."""
    files = dict(_files(size))
    assert len(files) == size
    return MemoryRepository.make(folder, files)


def _files(size: int) -> Iterator[tuple[str, str]]:
    for number in range(BLOCKS):
        yield f"block{number}.md", note(f"Lead with the answer {number}, because people skim.\n" * 20)
    left, folder = size - BLOCKS - 1, 0
    while left:
        below = min(left, FOLDER_FILES)
        yield f"folder{folder:03}/MEMORY.md", f"Notes of folder {folder}.\n"
        for number in range(below - 1):
            yield (
                f"folder{folder:03}/note{number}.md",
                note(f"Note {folder} {number}: check the running system before you report.\n" * 30),
            )
        left, folder = left - below, folder + 1
    yield "MEMORY.md", "".join(f"- folder{number:03}/ — topic {number}\n" for number in range(folder))
