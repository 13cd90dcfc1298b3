"""`panel serve studio/app`: the page on the store of the settings, or on the demo (see `studio serve` for the full door)."""

from studio.app.page import build
from studio.app.process import prepare, served

prepare()
opened = served()
build(opened.studio, demo=opened.demo).servable()
