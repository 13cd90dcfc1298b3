"""Find the process that serves a store, by its URL or beside the store's file, and open the store through it."""

from pathlib import Path
from urllib.parse import quote

from studio.actions.naming import server_of
from studio.actions.remote import RemoteStudio
from studio.errors import BadArgument, NotAllowed, OtherTemplates, OwnerGone, StoreHeld
from studio.sources.owner import PATIENCE_SECONDS, Address, Connection
from studio.store import lockfile

FIRST_PATIENCE_SECONDS = 2.0
"""How long a URL that was just named is asked again: most of those that do not answer are wrong."""


def connect(
    url: str,
    token: str | None,
    operator: str | None = None,
    prompts: Path | None = None,
    patience_seconds: float = PATIENCE_SECONDS,
) -> RemoteStudio:
    """The store that is served at a URL; asked something once, so that a wrong URL or token is told at once.

    Args:
        url: where; what `server_of` leaves out does not matter.
        token: what lets us in.
        operator: who is to act, if anybody was named; it must be the token's name (decision 4).
        prompts: the templates that are asked for, if any are.
        patience_seconds: how long an owner that does not answer is asked again, each time.

    Raises:
        OwnerGone: nothing listens there.
        NotAdmitted: the token lets nobody in.
        OwnerFailed: what listens there is not Prompt Studio.
        BadArgument: the URL is none, or the operator is another than the token's.
        OtherTemplates: the owner composes with others, or with some that the token's role may not see.
    """
    where = server_of(url)
    address = Address(where, token)
    connection = Connection(where, lambda: address, min(patience_seconds, FIRST_PATIENCE_SECONDS))
    studio = RemoteStudio(connection)
    name = studio.operator
    if operator not in (None, name):
        raise BadArgument(f"Writes to {where} bear the token's name, {name!r}, so {operator!r} cannot act there.")
    _check_templates(studio, prompts)
    connection.patience_seconds = patience_seconds
    return studio


def through_owner(
    file: Path, operator: str, prompts: Path | None, patience_seconds: float = PATIENCE_SECONDS
) -> RemoteStudio:
    """The store of a file, through the process of this machine that serves it.

    Args:
        file: the store.
        operator: in whose name we write (decision 4).
        prompts: the templates that are asked for, if any are.
        patience_seconds: how long an owner that does not answer is asked again, each time.

    Raises:
        StoreHeld: its owner lets another system user's programs in only.
        OtherTemplates: the owner composes with others.
        OwnerGone: it stopped meanwhile.
    """
    where = lockfile.resolved(file)
    headers = {"X-Studio-Operator": quote(operator, errors="surrogatepass")}

    def find() -> Address:
        found = lockfile.serving(where)
        if found is None or found.url is None:
            raise OwnerGone(str(file), "its process has stopped")
        if found.secret is None:
            raise StoreHeld(str(file), f"another system user's process; with a token: open_studio({found.url!r})")
        return Address(found.url, found.secret, headers)

    studio = RemoteStudio(Connection(str(file), find, patience_seconds))
    _check_templates(studio, prompts)
    return studio


def _check_templates(studio: RemoteStudio, prompts: Path | None) -> None:
    """Refuse templates that are asked for and are not the owner's; who asks for none need not be let see where those lie."""
    if prompts is None:
        return
    try:
        used = studio.prompts_folder
    except NotAllowed:
        raise OtherTemplates(str(prompts), "a folder that only operators see") from None
    if used.resolve() != prompts.resolve():
        raise OtherTemplates(str(prompts), str(used))
