"""The JSON shape of what a copy of a store holds."""

from dataclasses import asdict

from studio.domain.archive import iso_z
from studio.domain.backups import BackupMade, LostChanges, StoreContents
from studio.domain.checking import Head, StoreFinding
from studio.domain.records import Record


def contents_record(contents: StoreContents) -> Record:
    """`{path, size_bytes, agents, versions, runs, notes, newest_change, lost}`.

    With `{chained_since, findings, heads}` where rows were checked. A finding is `{kind, agent, name, text, version, what, advice}`;
    `heads` is `{found, pruned}` of those that were noted before.
    """
    record = {name: value for name, value in asdict(contents).items() if name != "checked"}
    record["lost"] = None if contents.lost is None else lost_record(contents.lost)
    checked = contents.checked
    if checked is None:
        return record
    since = checked.chained_since
    return record | {
        "chained_since": None if since is None else iso_z(since),
        "findings": [_finding(one) for one in checked.findings],
        "heads": {"found": checked.noted, "pruned": checked.pruned},
    }


def _finding(one: StoreFinding) -> Record:
    return asdict(one) | {"kind": str(one.kind), "text": one.text and str(one.text), "advice": one.advice}


def head_record(head: Head) -> Record:
    """`{agent, text, number, link}`: a line of what `--write-heads` writes."""
    return asdict(head) | {"text": str(head.text)}


def lost_record(lost: LostChanges) -> Record:
    """`{found, noted, at, logs}`."""
    return asdict(lost) | {"at": None if lost.at is None else iso_z(lost.at), "logs": list(lost.logs)}


def backup_record(made: BackupMade) -> Record:
    """The record of its contents with `made_at`."""
    return contents_record(made.contents) | {"made_at": iso_z(made.made_at)}
