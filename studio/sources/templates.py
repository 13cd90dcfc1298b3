"""The prompt templates: `system.md` for every agent, `task.md`, the first Task of a new one, `directory/`, a new memory directory.

Each is read from its file whenever it is asked for, so an edit counts from the next run on, and a file that was
missing and is put back needs no restart.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from studio.errors import NoTemplate, NothingToRead, NotText

FOLDER_VARIABLE = "STUDIO_PROMPTS"
"""The environment variable that names the folder of the templates."""
_PACKAGE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates in one folder."""

    folder: Path
    """Where they are read from."""

    def system(self) -> str:
        """The Guidelines template.

        Raises:
            NoTemplate: there is no `system.md`.
            NotText: it is not UTF-8.
            NothingToRead: it cannot be opened.
        """
        return self._read("system.md")

    def task(self) -> str:
        """The first Task of an agent created without a focus; raises as `system` does."""
        return self._read("task.md")

    def directory(self) -> dict[str, str]:
        """The files of a new memory directory by path, in order; raises as `system` does."""
        folder = self.folder / "directory"
        paths = sorted(path.relative_to(self.folder).as_posix() for path in folder.rglob("*") if path.is_file())
        if not paths:
            raise NoTemplate(str(folder / "MEMORY.md"))
        return {path.removeprefix("directory/"): self._read(path) for path in paths}

    def _read(self, name: str) -> str:
        """A template's text, its line endings as they are."""
        path = self.folder / name
        try:
            return path.read_bytes().decode("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            raise NoTemplate(str(path)) from None
        except UnicodeDecodeError as error:
            raise NotText(str(path), error.start) from None
        except OSError as error:
            raise NothingToRead(str(path), error.strerror or str(error)) from error


def find_templates(explicit: Path | None, environment: Mapping[str, str], package: Path = _PACKAGE) -> Templates:
    """Choose the folder of the templates: the first of these that is named or there.

    1. `explicit`, as `--prompts` names it.
    2. The folder in `STUDIO_PROMPTS`.
    3. In a checkout, `prompts/` beside the package.
    4. The copy that travels inside an installed package.

    A folder that is named, or a checkout's, is used even while a file in it is missing: reading says so, and nothing
    steps in.

    Args:
        explicit: the folder an operator named, or None.
        environment: the process's environment.
        package: the folder of the `studio` package.
    """
    if explicit is not None:
        return Templates(explicit)
    if named := environment.get(FOLDER_VARIABLE):
        return Templates(Path(named).expanduser())
    # Only a wheel puts a copy inside the package, so what lies beside an installed package is never mistaken for ours.
    packaged = package / "_packaged" / "prompts"
    return Templates(packaged if packaged.is_dir() else package.parent / "prompts")
