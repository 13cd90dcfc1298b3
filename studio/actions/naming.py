"""How a store is named: by its file, or by the URL of what serves one."""

import re

from studio.errors import BadArgument

_URL = re.compile(
    r"(https?://)(?:[^/?#]*@)?([^:/?#@\[\]]*|\[[^/?#@]*\])((?::\d*)?(?:/[^?#@]*)?)(?:[?#].*)?",
    re.IGNORECASE | re.DOTALL,
)
"""The parts of a URL that name a server; who signs in there, and what a browser adds after `?` or `#`, may be secret."""


def is_url(named: str) -> bool:
    """Whether a store is named by where it is served."""
    return named.strip().lower().startswith(("http://", "https://"))


def server_of(url: str) -> str:
    """A URL without who signs in there and what a browser adds after `?` or `#`, which may be secret: as sentences name it.

    Raises:
        BadArgument: it is none; it is not quoted either.
    """
    found = _URL.fullmatch(url.strip())
    if found is None:
        raise BadArgument("What the store is named by is no URL; it looks like http://127.0.0.1:5006.")
    return "".join(found.groups())


def check_file(database: str) -> str:
    """The name of a store itself, if it is that of a file.

    Raises:
        BadArgument: it is a URL.
    """
    if is_url(database):
        raise BadArgument(f"{server_of(database)} is served by another process already; name the file of a store.")
    return database
