"""Texts that Git LFS or git-annex keep beside a repository, as far as they are on this machine. Nothing is fetched."""

import hashlib
import os
import re
import stat
from functools import cached_property
from pathlib import Path

from studio import git
from studio.domain.stand_ins import StandIn, StandInKind

OBJECT_CAP_BYTES = 100_000_000
"""A larger object is not read as a text; its version stays a stand-in."""
_OID = re.compile(r"sha256:([0-9a-f]{64})")
_HASHED = re.compile(r"(MD5|SHA1|SHA224|SHA256|SHA384|SHA512)E?-.*?--([0-9a-f]+)(?:\..*)?")
"""A key of git-annex that names a hash of the content; what other keys stand for cannot be told from something else."""


class Objects:
    """The objects of one repository."""

    def __init__(self, repository: git.Repository) -> None:
        self._repository = repository

    def content(self, stand_in: StandIn) -> bytes | None:
        """What a pointer stands for, checked against the hash and size it names; None where it is not here."""
        if stand_in.kind is StandInKind.LFS and (oid := _OID.fullmatch(stand_in.stands_for)):
            file = self._lfs / oid[1][:2] / oid[1][2:4] / oid[1]
            return _read(file, "sha256", oid[1], stand_in.bytes)
        if stand_in.kind is StandInKind.ANNEX and (key := _HASHED.fullmatch(stand_in.stands_for)):
            held = self._annexed.get(stand_in.stands_for)
            return None if held is None else _read(held, key[1].lower(), key[2], stand_in.bytes)
        return None

    @cached_property
    def _lfs(self) -> Path:
        return git.lfs_folder(self._repository) / "objects"

    @cached_property
    def _annexed(self) -> dict[str, Path]:
        """The objects of git-annex by their keys, two folders deep whichever way it spreads them."""
        folder = git.common_folder(self._repository) / "annex" / "objects"
        return {held.name: held / held.name for held in folder.glob("*/*/*")}


def _read(file: Path, hashed: str, digest: str, size: int | None) -> bytes | None:
    """The content of an object, if it is the one that is meant."""
    try:
        facts = os.lstat(file)
        fits = stat.S_ISREG(facts.st_mode) and facts.st_size <= OBJECT_CAP_BYTES and size in (None, facts.st_size)
        content = file.read_bytes() if fits else None
    except OSError:
        return None
    named = content is not None and hashlib.new(hashed, content, usedforsecurity=False).hexdigest() == digest
    return content if named else None
