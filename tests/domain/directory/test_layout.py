"""What compiles, in which order, and where it stands (decisions 19 and 32)."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import note, tree

from studio.domain.directory.layout import MARK, Skill, compile_tree, reaches_prompt, skills
from studio.domain.directory.tree import FileMode, Tree

ROOT_MARKER = """BASE

<human>
<description>Who the user is and how they want to work together.</description>
Lead with the answer, because the user reads the first line and skims the rest.
</human>

<persona>
<description>Who I am and how I work.</description>
Verify claims against the running system before reporting them.
</persona>

<memory>
Open memory before answering about a person, project or system you do not know.

- projects/ — deployments, rollbacks, on-call runbooks
<deferred-memory>
<directory path="projects/" index="projects/MEMORY.md" />
</deferred-memory>
</memory>"""
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
stems = st.text(st.sampled_from("abZ09_-é記.$&{}"), min_size=1, max_size=4).filter(lambda stem: stem != "MEMORY")
trees = st.dictionaries(stems.map("{}.md".format), texts, max_size=4)


def test_the_example_of_the_format(shared: Path) -> None:
    """memfs-compile-01 and memfs-compile-02: the body of a deferred file is nowhere."""
    folder = shared / "formats" / "memfs-root-marker"
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.md")}
    assert compile_tree(tree(files), "BASE").text == ROOT_MARKER


def test_a_folder_without_an_index_is_not_listed() -> None:
    """memfs-compile-04 and memfs-compile-05."""
    assert compile_tree(tree({"MEMORY.md": "# I\n", "ops/n.md": note()})).text == "<memory>\n# I\n</memory>"


def test_folders_are_listed_in_the_order_of_their_indexes() -> None:
    found = compile_tree(
        tree({"MEMORY.md": "", **{f"{name}/MEMORY.md": "" for name in ("B", "a", "a-b", "skills", "é", "e")}})
    )
    assert found.deferred == ("a-b", "a", "B", "e", "é")
    assert found.text.startswith("<memory>\n<deferred-memory>\n")


@pytest.mark.parametrize("body", ["", "\n", " \t\r\n\n", "\ufeff"], ids=repr)
def test_an_empty_body_leaves_no_empty_line(body: str) -> None:
    """compile-20: the close tag stands on the line after the open tag, or after the description (decision 47)."""
    assert compile_tree(tree({"MEMORY.md": body})).text == "<memory>\n</memory>"
    assert compile_tree(tree({"a.md": body})).text == "<a>\n</a>"
    described = "<a>\n<description>What it holds.</description>\n</a>"
    assert compile_tree(tree({"a.md": note(body)})).text == described
    assert compile_tree(tree({"MEMORY.md": body, "a.md": note(body)}), "Base").text == (
        f"Base\n\n{described}\n\n<memory>\n</memory>"
    )


def test_without_an_index_there_are_blocks_only() -> None:
    found = compile_tree(tree({"a.md": note("x"), "ops/MEMORY.md": "i"}))
    assert (found.text, found.deferred) == ("<a>\n<description>What it holds.</description>\nx\n</a>", ())


@pytest.mark.parametrize(
    ("base", "text"),
    [
        (None, "<memory>\n$& {{x}} %s\n</memory>"),
        ("Head  \n\n", "Head\n\n<memory>\n$& {{x}} %s\n</memory>"),
        (f"a{MARK}b", "a<memory>\n$& {{x}} %s\n</memory>b"),
        (f"{MARK}|{MARK}", "<memory>\n$& {{x}} %s\n</memory>|<memory>\n$& {{x}} %s\n</memory>"),
    ],
    ids=["alone", "appended", "placed", "placed twice"],
)
def test_a_base_prompt_and_the_text_stay_as_they_are(base: str | None, text: str) -> None:
    assert compile_tree(tree({"MEMORY.md": "$& {{x}} %s\n"}), base).text == text


def test_a_mark_in_memory_is_text() -> None:
    found = compile_tree(tree({"MEMORY.md": f"Say {MARK}.\n"}), f"<<{MARK}>>")
    assert found.text == f"<<<memory>\nSay {MARK}.\n</memory>>>"


def test_a_link_compiles_to_the_path_it_holds_and_a_submodule_to_nothing() -> None:
    modes = {"link.md": FileMode.LINK, "module.md": FileMode.SUBMODULE}
    found = compile_tree(tree({"MEMORY.md": "", "link.md": "a.md", "module.md": ""}, modes))
    assert [block.name for block in found.blocks] == ["link", "memory"]
    assert "<link>\na.md\n</link>" in found.text


def test_what_is_no_text_is_shown_escaped() -> None:
    found = compile_tree(tree({"MEMORY.md": b"caf\xe9\n", "caf\udce9.md": "x"}))
    assert found.text == "<caf\\xe9>\nx\n</caf\\xe9>\n\n<memory>\ncaf\\xe9\n</memory>"


def test_skills_are_listed_apart() -> None:
    held = tree(
        {"skills/pdf/SKILL.md": "---\ndescription: Read PDFs.\n---\n", "skills/pdf/x.md": "", "skills/a.md": ""}
    )
    assert list(skills(held)) == [Skill("pdf", "Read PDFs.", "skills/pdf/SKILL.md")]
    assert compile_tree(held).text == ""


@given(trees, st.one_of(st.none(), st.just(f"Head {MARK} tail"), texts))
def test_compiling_is_pure_and_says_where_everything_stands(files: dict[str, str], base: str | None) -> None:
    held = tree({**files, "MEMORY.md": "Index.\n"})
    found = compile_tree(held, base)
    assert compile_tree(held, base) == found
    assert [block.name for block in found.blocks][-1] == "memory"
    for block in found.blocks:
        element = found.text[block.start : block.end]
        assert element.startswith(f"<{block.name}>\n")
        assert element.endswith(f"\n</{block.name}>")
        assert block.characters == len(element)
        assert block.body.rstrip() in element


@given(trees)
def test_nothing_but_what_reaches_the_prompt_changes_it(files: dict[str, str]) -> None:
    whole = tree({**files, "MEMORY.md": "I", "a/MEMORY.md": "i", "a/n.md": "x", "skills/s/SKILL.md": "s", "t.txt": "t"})
    seen = Tree(tuple(file for file in whole if reaches_prompt(file.path)))
    assert compile_tree(seen).text == compile_tree(whole).text
