"""The JSON shape of what a copy of a store holds."""

from dataclasses import asdict

from studio.domain.archive import iso_z
from studio.domain.backups import BackupMade, LostChanges, StoreContents
from studio.domain.records import Record


def contents_record(contents: StoreContents) -> Record:
    """`{path, size_bytes, agents, versions, runs, notes, newest_change, lost}`."""
    return asdict(contents) | {"lost": None if contents.lost is None else lost_record(contents.lost)}


def lost_record(lost: LostChanges) -> Record:
    """`{found, noted, at, logs}`."""
    return asdict(lost) | {"at": None if lost.at is None else iso_z(lost.at), "logs": list(lost.logs)}


def backup_record(made: BackupMade) -> Record:
    """The record of its contents with `made_at`."""
    return contents_record(made.contents) | {"made_at": iso_z(made.made_at)}
