"""The JSON shape of what a copy of a store holds."""

from dataclasses import asdict

from studio.domain.archive import iso_z
from studio.domain.backups import BackupMade, StoreContents
from studio.domain.records import Record


def contents_record(contents: StoreContents) -> Record:
    """`{path, size_bytes, agents, versions, runs, notes}`."""
    return asdict(contents)


def backup_record(made: BackupMade) -> Record:
    """The record of its contents with `made_at`."""
    return contents_record(made.contents) | {"made_at": iso_z(made.made_at)}
