"""Panel's template, without two things that took a quarter of the time to make a page and that nobody sees."""

from typing import Any

import panel as pn


class PageTemplate(pn.Template):
    """The markup of a page and its elements."""

    def __repr__(self) -> str:
        """Its name alone: Panel asks for this anew with each element that is added, to show it in a notebook."""
        return type(self).__name__

    def server_doc(self, doc: Any = None, title: str | None = None, location: Any = True) -> Any:  # noqa: ANN401, FBT002 - as Panel has it
        """The document of a page. Its models are gathered once, not with each element."""
        document: Any = doc or pn.state.curdoc
        with document.models.freeze():
            return super().server_doc(document, title, location)
