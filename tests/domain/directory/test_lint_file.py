"""Law: what the lint says of one file while it is written is what it says of that file in the whole directory."""

import pytest
from trees import tree

from studio.domain.directory.lint.rules import APPEND_ONLY, CASE_TWINS, FILE_UNREACHABLE
from studio.domain.directory.lint.run import lint_file, lint_tree
from studio.domain.directory.secrets import SECRET

FILES = {
    "MEMORY.md": "# Index\n\n- people/ — notes\n- gone/ — deployments and rollbacks\n- human.md — who the user is\n",
    "human.md": "---\nname: human\ndescription: Who the user is.\n---\n- NEVER guess.\n"
    '- Sarah said "keep it short, please" on 2024-01-31.\n',
    "two words.md": "---\nname: two words\ndescription: A block.\n---\nLead with the answer.\n",
    "long.md": "---\nname: long\ndescription: A block.\n---\n" + "Check the clock. " * 30 + "\n",
    "people/MEMORY.md": "# People\n\n- sarah.md — the release manager\n- nobody.md — whoever left\n",
    "people/sarah.md": "---\nname: sarah\ndescription: The release manager.\n---\r\nShe likes tea.\n",
    "lost/MEMORY.md": "# Lost\n",
    "skills/deploy/SKILL.md": "NEVER deploy on a Friday.\n",
    "notes.txt": "NEVER\n",
    ".memfs.config.json": '{"version": 1, "maxFileCharacters": 600, "maxCoreMemoryCharacters": 1200}',
}
TREE = tree(FILES)
ONLY_OF_THE_WHOLE = {FILE_UNREACHABLE.kind, CASE_TWINS.kind, APPEND_ONLY.kind, SECRET}


@pytest.mark.parametrize("path", FILES)
def test_one_file_is_told_what_the_whole_is_told_of_it(path: str) -> None:
    of_it = {path, "."} if "/" not in path and path.endswith(".md") else {path}
    whole = [one for one in lint_tree(TREE) if one.path in of_it and one.kind not in ONLY_OF_THE_WHOLE]
    assert sorted(lint_file(TREE, path), key=repr) == sorted(whole, key=repr)


def test_the_directory_breaks_rules_of_each_kind_that_one_file_is_told() -> None:
    kinds = {one.kind for path in FILES for one in lint_file(TREE, path)}
    assert {
        "all_caps",
        "provenance_date",
        "entry_names_nothing",
        "directory_not_named",
        "tag_not_xml",
        "near_limit",
    } <= kinds


def test_rules_are_switched_off_and_what_is_no_memory_has_none() -> None:
    assert "all_caps" not in {one.kind for one in lint_file(TREE, "human.md", off=["all_caps"])}
    assert [lint_file(TREE, path) for path in ("skills/deploy/SKILL.md", "notes.txt", "none.md")] == [(), (), ()]
