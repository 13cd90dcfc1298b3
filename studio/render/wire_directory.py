"""The JSON shapes of a memory directory: findings, what compiles, how a hook stands."""

from studio.domain.directory.findings import Checked, Finding
from studio.domain.directory.hooks import HookStatus
from studio.domain.directory.layout import Block, Compiled
from studio.domain.records import Record


def finding_record(finding: Finding) -> Record:
    """`{kind, path, actual, limit, rule, message}`."""
    return {
        "kind": finding.kind,
        "path": finding.path,
        "actual": finding.actual,
        "limit": finding.limit,
        "rule": finding.rule,
        "message": finding.message,
    }


def checked_record(checked: Checked) -> Record:
    """`{ok, findings}`."""
    return {"ok": checked.clean, "findings": [finding_record(one) for one in checked.findings]}


def compiled_record(compiled: Compiled) -> Record:
    """`{text, characters, blocks, deferred}`; places are in code points, ends exclusive."""
    return {
        "text": compiled.text,
        "characters": len(compiled.text),
        "blocks": [_block_record(one) for one in compiled.blocks],
        "deferred": list(compiled.deferred),
    }


def hook_record(status: HookStatus | None) -> Record | None:
    """`{state, path, kept, python, merges}`; null where no hook was asked for; `merges` is the same of the hook for clean merges."""
    if status is None:
        return None
    own = {"state": status.state.value, "path": status.path, "kept": status.kept, "python": status.python}
    return own | ({} if status.merges is None else {"merges": hook_record(status.merges)})


def _block_record(block: Block) -> Record:
    return {
        "name": block.name,
        "path": block.file.path,
        "description": block.description,
        "start": block.start,
        "end": block.end,
    }
