"""An operator as the author of a commit."""

from datetime import datetime

from studio import git
from studio.domain.archive import slug
from studio.domain.identities import clean_name
from studio.git_write import Signature, configured

_GIT_DROPS = " .,:;<>\"\\'"
"""What git takes away at the ends of a name."""


def signature(repository: git.Repository, name: str, now: datetime) -> Signature:
    """The operator of this name as an author; with the address that git has for the name, else with one that leads nowhere."""
    plain = clean_name(name).strip(_GIT_DROPS) or slug("")
    own = configured(repository, "user.email") if configured(repository, "user.name") == plain else None
    return Signature(plain, own or f"{slug(plain)}@operators.invalid", now)
