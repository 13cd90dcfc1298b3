"""What `panel serve studio/app` does once, before it answers anybody."""

from typing import Any

from studio.app.process import prepare


def on_server_loaded(server_context: Any) -> None:  # noqa: ANN401, ARG001 - as Bokeh calls it
    """Set this process up, so that the first page is served like all others."""
    prepare()
