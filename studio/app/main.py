"""`panel serve studio/app`: the page on the store of the settings, or on the demo (see `studio serve` for the full door)."""

from studio.actions.studio import Studio
from studio.app.document import build
from studio.app.doorkeeper import check_here_only
from studio.app.process import prepare, served

prepare()
opened = served()


def here() -> Studio:
    """The store, for who asks from this machine."""
    check_here_only()
    return opened.studio


build(here, demo=opened.demo).servable()
