"""What can stand in place of a text that is not there: a link, a pointer, an encrypted text, a mention (decision 41)."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from studio.domain.bodies import Body


class StandInKind(StrEnum):
    """What stands in place of a text."""

    LINK = "link"
    """A symlink: the text is in the file that it leads to."""
    LFS = "lfs"
    """A Git LFS pointer: the text is an object beside the repository."""
    ANNEX = "annex"
    """A git-annex pointer or link, likewise."""
    ENCRYPTED = "encrypted"
    """A text that only the holder of a key can read."""
    MENTION = "mention"
    """A file whose only line is `@OTHER`: the text is in the file that it names."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """What a version holds in place of its text."""

    kind: StandInKind
    """What it is."""
    stands_for: str
    """The path of the other file, the id or key of the object, or what it is encrypted with."""
    bytes: int | None = None
    """The size of what it stands for, where it says so."""

    def __str__(self) -> str:
        """What it is and what it stands for, as `a link to AGENTS.md`."""
        size = "" if self.bytes is None else f" of {self.bytes:,} bytes"
        match self.kind:
            case StandInKind.LINK:
                return f"a link to {self.stands_for}"
            case StandInKind.LFS:
                return f"a Git LFS pointer to {self.stands_for}{size}"
            case StandInKind.ANNEX:
                return f"a git-annex pointer to {self.stands_for}{size}"
            case StandInKind.ENCRYPTED:
                return f"a text encrypted with {self.stands_for}"
            case StandInKind.MENTION:
                return f"a mention of {self.stands_for}"
            case _:
                assert_never(self.kind)


LINK_MODE = "120000"
"""git's mode of a symlink."""
POINTER_CAP_BYTES = 1_024
"""A Git LFS pointer is smaller than this, by its specification."""
LONGEST_PATH_CHARACTERS = 4_096
"""How long a line that mentions a file, or a git-annex pointer, can be."""
_LFS = re.compile(
    r"version https?://(?:git-lfs\.github\.com/spec/v1|hawser\.github\.com/spec/v1|git-media\.io/v/2)\n"
    r"((?:ext-\d-[a-z0-9.-]+ sha256:[0-9a-f]{64}\n)*)oid (sha256:[0-9a-f]{64})\nsize (\d{1,18})\n?"
)
"""Its keys are sorted behind `version`; the two other addresses are those of versions before its release."""
_ANNEX_KEY = r"[A-Z0-9_]+(?:-[smSC]\d+)*--[^/\n\r]+"
_ANNEX_POINTER = re.compile(rf"/annex/objects/({_ANNEX_KEY})\r?\n?")
_ANNEX_LINK = re.compile(rf"(?:.*/)?\.git/(?:.*/)?annex/objects/(?:[^/]+/[^/]+/)?({_ANNEX_KEY})/\1", re.DOTALL)
_ANNEX_SIZE = re.compile(r"[A-Z0-9_]+-(?:m\d+-)?s(\d{1,18})-")
_MENTION = re.compile(r"\ufeff?\s*@((?:[^\s@\\]|\\.)(?:[^\s\\]|\\.)*)\s*")
_ENCRYPTED = (
    (re.compile(rb"\0GITCRYPT\0"), "git-crypt"),
    (re.compile(rb"age-encryption\.org/v1\n"), "age"),
    (re.compile(rb"\s*-----BEGIN AGE ENCRYPTED FILE-----\s"), "age"),
    (re.compile(rb"\s*-----BEGIN PGP MESSAGE-----\s"), "PGP"),
    (re.compile(rb"\$ANSIBLE_VAULT;\d\.\d;"), "Ansible Vault"),
    (re.compile(rb'\s*\{\s*"data":\s*"ENC\[AES256_GCM,data:'), "SOPS"),
    (re.compile(rb"Salted__|U2FsdGVkX1[A-Za-z0-9+/=\s]+\Z"), "OpenSSL"),
)
"""How a whole file begins that was encrypted, and with what."""


def stand_in_of(body: Body, mode: str = "") -> StandIn | None:
    """What a file holds in place of a text; None where it holds the text itself (decision 41).

    Only for files of imports and directories: what was written here is always the text itself.

    Args:
        body: what the file holds.
        mode: git's mode of it.
    """
    text = body.shown
    if mode == LINK_MODE:
        key = _ANNEX_LINK.fullmatch(text.replace("\\", "/"))
        return _annexed(key[1]) if key else StandIn(StandInKind.LINK, text)
    for begins, name in _ENCRYPTED:
        if begins.match(body.content):
            return StandIn(StandInKind.ENCRYPTED, name)
    return None if body.binary or len(text) > LONGEST_PATH_CHARACTERS else _pointer(text)


def _pointer(text: str) -> StandIn | None:
    """What a short text points to, where pointing is all it does."""
    lfs = _LFS.fullmatch(text)
    if lfs and len(text) < POINTER_CAP_BYTES:
        changed = ", changed by an extension" if lfs[1] else ""  # then the object is not the text either
        return StandIn(StandInKind.LFS, lfs[2] + changed, int(lfs[3]))
    annex = _ANNEX_POINTER.fullmatch(text.replace("\\", "/"))
    if annex:
        return _annexed(annex[1])
    mention = _MENTION.fullmatch(text)
    return StandIn(StandInKind.MENTION, mention[1]) if mention else None


def _annexed(key: str) -> StandIn:
    size = _ANNEX_SIZE.match(key)
    return StandIn(StandInKind.ANNEX, key, int(size[1]) if size else None)
