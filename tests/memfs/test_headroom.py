"""How much of the limits is used over time, where a path becomes something else than a file, and a file again."""

from pathlib import Path

import pytest
from directory_repository import INDEX, MemoryRepository, note

from studio.domain.directory.limits import headroom
from studio.memfs.headroom import read_headroom
from studio.memfs.repo import open_directory, tree_at

OTHERWISE = {"a submodule": "160000", "a link": "120000", "nothing": ""}


@pytest.mark.parametrize("path", ["human.md", "sub", ".memfs.config.json"])
@pytest.mark.parametrize("what", OTHERWISE)
def test_what_is_no_file_uses_nothing(tmp_path: Path, path: str, what: str) -> None:
    content = '{"version": 1, "maxCoreMemoryCharacters": 100}' if path.endswith(".json") else note(name="human")
    memory = MemoryRepository.make(tmp_path, {**INDEX, path: content})
    if mode := OTHERWISE[what]:
        sha = memory.head() if mode == "160000" else memory.git("hash-object", "-w", "--stdin", given=b"MEMORY.md")
        memory.git("update-index", "--cacheinfo", f"{mode},{sha},{path}")
    else:
        memory.git("rm", "--quiet", "--cached", path)
    (tmp_path / "MEMORY.md").write_text("# Another index\n", encoding="utf-8")
    memory.git("add", "MEMORY.md")
    memory.git("commit", "--quiet", "--message=otherwise")
    memory.git("add", path)
    memory.git("commit", "--quiet", "--message=again")
    repo = open_directory(tmp_path)
    moments = read_headroom(repo)
    assert len(moments) == (2 if path == "sub" else 3)
    for moment in moments:
        core, *_ = headroom(tree_at(repo, moment.commit))
        assert next(one for one in moment.gauges if one.limit_of == "core") == core
