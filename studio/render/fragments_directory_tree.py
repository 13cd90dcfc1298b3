"""What a memory directory holds: blocks in prompt order, deferred folders, skills and the rest."""

from collections import Counter
from collections.abc import Iterator, Sequence

from studio.domain.directory.findings import Finding
from studio.domain.directory.layout import Block
from studio.domain.directory.survey import Contents, Folder, folder_of, refuses
from studio.domain.directory.tree import CONFIG, SKILLS, Tree, TreeFile, shown_path
from studio.render.fragments_agents import Href
from studio.render.fragments_directory import meter, shown_name
from studio.render.fragments_head import button
from studio.render.icons import icon
from studio.render.tags import Html, joined, tag

MOST_LISTED_FILES = 200
"""How many files of a folder, or that a search finds, are listed."""


class Listing:
    """The list at the left, made for one page view: a file is chosen, and it is `here` that it is shown."""

    def __init__(
        self, contents: Contents, findings: Sequence[Finding], *, chosen: str | None, here: bool, href: Href
    ) -> None:
        self._contents = contents
        self._chosen = chosen
        self._here = here
        self._href = href
        self._refused = Counter(one.path for one in findings if refuses(one))
        self._advised = Counter(one.path for one in findings if not refuses(one))

    def html(self, words: str) -> Html:
        """The search box and the list.

        Args:
            words: what files are searched by; without it all is listed by its part in the prompt.
        """
        groups = self._found(words) if words else self._all()
        return tag("div", *groups, class_="shelves tree", data_reveal=True, data_scroll="tree")

    def _all(self) -> Iterator[Html]:
        contents = self._contents
        yield tag("ul", tag("li", self._overview()))
        blocks = [tag("li", self._block(number, one)) for number, one in enumerate(contents.compiled.blocks, 1)]
        if blocks:
            yield joined(tag("h2", "In the prompt, in this order"), tag("ul", *blocks))
        yield from self._folders()
        yield from self._skills()
        yield from self._rest()

    def _overview(self) -> Html:
        core = self._contents.gauge(".")
        inside = joined(
            tag("span", tag("span", "Limits and findings", class_="name"), class_="line"),
            meter(core) if core else None,
        )
        return self._link(None, inside, "overview")

    def _block(self, number: int, block: Block) -> Html:
        path = shown_path(block.file.path)
        gauge = self._contents.gauge(path)
        inside = joined(
            tag(
                "span",
                tag("span", f"{number}", class_="number"),
                tag("span", shown_name(path), class_="name"),
                *self._badges(path),
                class_="line",
            ),
            meter(gauge, short_words=True) if gauge else None,
        )
        return self._link(path, inside, path)

    def _folders(self) -> Iterator[Html]:
        root = folder_of(self._contents.tree, "")
        folders = [one for one in root.folders if one[0] != f"{SKILLS}/"]
        if not folders:
            return
        deferred = set(self._contents.compiled.deferred)
        rows = [tag("li", *self._folder(path, count, path[:-1] in deferred)) for path, count in folders]
        yield joined(tag("h2", "Folders, read only when the prompt sends there"), tag("ul", *rows))

    def _folder(self, path: str, count: int, listed: bool | None) -> Iterator[Html]:  # noqa: FBT001 - one fact of a row
        badges = (
            [tag("span", "not listed", class_="badge warm", title="It has no MEMORY.md")] if listed is False else []
        )
        line = tag(
            "span",
            icon("folder"),
            tag("span", shown_name(f"{path[:-1].rpartition('/')[2]}/"), class_="name"),
            *badges,
            *self._below(path),
            tag("span", f"{count:,}", class_="count", title=f"{count:,} files"),
            class_="line",
        )
        yield self._link(path, line, path)
        if self._chosen is not None and self._chosen.startswith(path):
            inside = folder_of(self._contents.tree, path)
            yield tag("ul", *self._inside(inside), class_="inside")

    def _inside(self, folder: Folder) -> Iterator[Html]:
        for path, count in folder.folders:
            yield tag("li", *self._folder(path, count, listed=None))
        yield from self._files(folder.files)

    def _files(self, files: Sequence[TreeFile]) -> Iterator[Html]:
        for file in files[:MOST_LISTED_FILES]:
            yield tag("li", self._file(file, file.name))
        if len(files) > MOST_LISTED_FILES:
            more = f"{len(files) - MOST_LISTED_FILES:,} more; search to find them."
            yield tag("li", tag("p", more, class_="by"))

    def _file(self, file: TreeFile, name: str) -> Html:
        path = shown_path(file.path)
        size = tag("span", f"{file.body.characters:,}", class_="count", title="characters") if file.body else None
        line = tag(
            "span",
            icon("note"),
            tag("span", shown_name(shown_path(name)), class_="name"),
            *self._badges(path),
            size,
            class_="line",
        )
        return self._link(path, line, path)

    def _skills(self) -> Iterator[Html]:
        skills = self._contents.skills
        if not skills:
            return
        rows = [
            tag(
                "li",
                self._link(
                    shown_path(one.path),
                    joined(
                        tag(
                            "span",
                            tag("span", shown_name(shown_path(one.name)), class_="name"),
                            *self._badges(shown_path(one.path)),
                            class_="line",
                        ),
                        tag("span", shown_name(one.description), class_="path") if one.description else None,
                    ),
                    shown_path(one.path),
                ),
            )
            for one in skills[:MOST_LISTED_FILES]
        ]
        yield joined(tag("h2", "Skills, listed apart and never compiled"), tag("ul", *rows))

    def _rest(self) -> Iterator[Html]:
        compiled = {one.file.path for one in self._contents.compiled.blocks}
        root = [one for one in folder_of(self._contents.tree, "").files if one.path not in compiled]
        others = [one for one in root if one.path != CONFIG]
        if others:
            yield joined(tag("h2", "Other files at the root"), tag("ul", *self._files(others)))
        config = self._contents.tree.at(CONFIG)
        row = tag("li", self._file(config, config.name)) if config else tag("li", _no_config())
        yield joined(tag("h2", "Limits"), tag("ul", row))

    def _found(self, words: str) -> Iterator[Html]:
        found = _searched(self._contents.tree, words)
        if not found:
            clear = button("Show all files", "words", quiet=True)
            yield tag("div", tag("p", f"No file has all the words of “{words}” in its path."), clear, class_="nothing")
            return
        rows = [tag("li", self._file(one, one.path)) for one in found[:MOST_LISTED_FILES]]
        more = len(found) - MOST_LISTED_FILES
        rest = tag("p", f"{more:,} more; add a word to find them.", class_="by") if more > 0 else None
        yield joined(tag("h2", f"{len(found):,} file{'' if len(found) == 1 else 's'} found"), tag("ul", *rows), rest)

    def _badges(self, path: str) -> list[Html]:
        return badges(self._refused[path], self._advised[path])

    def _below(self, path: str) -> list[Html]:
        """What all files of a folder that is not open have."""
        if self._chosen is not None and self._chosen.startswith(path):
            return []
        refused = sum(count for one, count in self._refused.items() if one.startswith(path) or one == path[:-1])
        advised = sum(count for one, count in self._advised.items() if one.startswith(path) or one == path[:-1])
        return badges(refused, advised)

    def _link(self, path: str | None, inside: Html, key: str) -> Html:
        return tag(
            "a",
            inside,
            href=self._href(tab="files", file=path, row=None),
            aria_current="true" if self._here and path == self._chosen else None,
            data_do="file",
            data_value=path or "",
            data_key=f"file-{key}",
        )


def badges(refused: int, advised: int) -> list[Html]:
    """How many findings refuse, and how many advise."""
    made = []
    if refused:
        made.append(
            tag("span", f"{refused:,} refused", class_="badge strong", title="The hook refuses a commit with this")
        )
    if advised:
        made.append(tag("span", f"{advised:,} advice", class_="badge warm", title="What the writing rules advise"))
    return made


def search(words: str) -> Html:
    """Where files are searched by their path."""
    field = tag(
        "input",
        type="search",
        name="words",
        value=words,
        placeholder="Find a file",
        aria_label="Find files by words of their path",
        autocomplete="off",
        data_do="words",
        data_key="words",
    )
    return tag("div", field, class_="notes-search")


def _searched(tree: Tree, words: str) -> list[TreeFile]:
    wanted = words.casefold().split()
    return [one for one in tree if all(word in shown_path(one.path).casefold() for word in wanted)]


def _no_config() -> Html:
    return tag("p", f"No {CONFIG}: the defaults hold.", class_="by")
