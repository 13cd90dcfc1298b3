"""Above the versions of a memory directory: of which text they are."""

from studio.render.fragments_directory import shown_name
from studio.render.fragments_head import button
from studio.render.tags import Html, tag


def history_head(path: str | None) -> Html:
    """Whose versions are listed: those of the compiled memory, or of one file or folder with the way to all."""
    if path is None:
        words = tag("p", "Versions of the compiled memory: each commit that changed the prompt.", class_="by")
        return tag("div", words, class_="history-head")
    words = tag("p", "Versions of ", tag("code", shown_name(path)), class_="by")
    return tag("div", words, button("Compiled memory", "whole-memory", quiet=True), class_="history-head")
