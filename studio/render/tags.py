"""Building HTML that is escaped by construction: text is data until somebody wraps it in a tag of ours."""

import html

from studio.render.fragments_marks import marked


class Html(str):
    """Markup of our own. Anything else that is put into a tag is text and is escaped."""

    __slots__ = ()


Child = str | Html | int | None
"""What may stand inside a tag; None is nothing."""
_VOID = frozenset({"br", "hr", "input", "meta", "link"})


def text(value: str) -> Html:
    """A text as it is shown: escaped, invisible and direction characters as marks."""
    return Html(marked(value))


def joined(*children: Child) -> Html:
    """Several children one after the other."""
    return Html("".join(_child(child) for child in children))


def tag(name: str, /, *children: Child, **attributes: str | int | bool | None) -> Html:
    """An element.

    Args:
        name: the element's name.
        *children: what stands inside; a plain `str` is escaped.
        **attributes: `class_` is `class`, other underscores are hyphens; None and False leave one out, True writes it bare.
    """
    written = "".join(
        _attribute(key, value) for key, value in attributes.items() if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(*children)}</{name}>")


def _child(child: Child) -> str:
    if child is None:
        return ""
    return str(child) if isinstance(child, Html) else marked(str(child))


def _attribute(key: str, value: str | int | bool | None) -> str:  # noqa: FBT001 - a bare attribute is True
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html.escape(str(value))}"'
