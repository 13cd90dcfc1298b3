"""Notes, links and elements for the tests of embeds."""

from studio.domain.embeds import EmbedTarget, NoteTarget
from studio.domain.places import Level

NOTES = "org/o_1/notes/"
LEADS = "org/o_1/collections/leads"


def full(path: str) -> str:
    """A note of the organisation unless another display path is given."""
    return path if path.startswith("org/") else NOTES + path


def note(path: str, body: str, *, title: str = "", level: Level = Level.ORG) -> NoteTarget:
    return NoteTarget(full(path), level, title or path.rsplit("/", 1)[-1].removesuffix(".md").upper(), body)


def link(path: str) -> str:
    return f"![[{full(path)}]]"


def known(*targets: EmbedTarget) -> dict[str, EmbedTarget]:
    return {target.path: target for target in targets}


def element(path: str, body: str) -> str:
    """What an embed of an organisation's note becomes, where its name may open an element."""
    name = path.rsplit("/", 1)[-1].removesuffix(".md")
    return f'<{name} path="{full(path)}" level="org">\n{body}\n</{name}>'
