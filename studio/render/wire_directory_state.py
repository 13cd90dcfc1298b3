"""The JSON shapes of what a memory directory holds now: its state, its limits, its files."""

from studio.domain.archive import iso_known
from studio.domain.directory.limits import Gauge
from studio.domain.directory.state import DirectoryState, Headroom
from studio.domain.directory.tree import TreeFile, shown_path
from studio.domain.records import Record
from studio.render.wire_directory_history import link_record


def directory_record(state: DirectoryState) -> Record:
    """The link's record with `{head, version, characters, findings, legacy, gauges, warnings}`; `findings` counts them."""
    return link_record(state.link) | {
        "head": state.head,
        "version": state.version,
        "characters": state.characters,
        "findings": state.findings,
        "legacy": state.legacy,
        "gauges": [gauge_record(one) for one in state.gauges],
        "warnings": list(state.warnings),
    }


def gauge_record(gauge: Gauge) -> Record:
    """`{limit_of, path, used, limit, rule}`; `limit` is null where a glob takes the cap away."""
    return {
        "limit_of": gauge.limit_of,
        "path": shown_path(gauge.path),
        "used": gauge.used,
        "limit": gauge.limit,
        "rule": gauge.rule,
    }


def headroom_record(headroom: Headroom) -> Record:
    """`{commit, at, gauges, lacking}`; `lacking` counts the texts that this copy lacks, which count as empty."""
    return {
        "commit": headroom.commit,
        "at": iso_known(headroom.at),
        "gauges": [gauge_record(one) for one in headroom.gauges],
        "lacking": headroom.lacking,
    }


def tree_file_record(file: TreeFile) -> Record:
    """`{path, mode, memory, characters, sha256}`, never the text; the last two are null where nobody reads the file as text."""
    return {
        "path": shown_path(file.path),
        "mode": str(file.mode),
        "memory": file.memory,
        "characters": None if file.body is None else file.body.characters,
        "sha256": None if file.body is None else file.body.sha256,
    }
