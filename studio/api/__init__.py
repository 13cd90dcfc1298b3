"""REST: what the store can do, over HTTP, in the process that owns it.

`ROUTES` serve `panel serve studio/app --plugins studio.api`; `routes_for` the same ones for a store that is open already.
"""

from studio.actions.serving import ServedGate, served_at
from studio.api.routes import routes_for

ROUTES = routes_for(served_at, ServedGate())
"""The Tornado routes on the store of this process's settings."""

__all__ = ["ROUTES", "routes_for"]
