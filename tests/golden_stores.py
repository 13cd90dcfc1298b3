"""Stores that earlier schemas left behind; `golden/make_store.py` says what each holds."""

import lzma
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"
SCHEMAS = sorted(file.name.partition(".")[0] for file in FOLDER.glob("*.duckdb.xz"))
"""Their names: the newest schema step that each has taken."""


def golden_store(folder: Path, schema: str = "schema-0008") -> Path:
    """A copy of one of them, at its own schema."""
    file = folder / f"{schema}.duckdb"
    file.write_bytes(lzma.decompress((FOLDER / f"{file.name}.xz").read_bytes()))
    return file
