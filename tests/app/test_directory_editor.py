"""Editing a memory directory on its page, without a browser: commits through the checks, no typed text lost (decisions 1, 34, 37)."""

from pathlib import Path

import pytest
from directory_page import FILES, Directory
from directory_repository import note

from studio import Studio, git_write

PLAIN = FILES["persona.md"]
BRIEF = note("Be brief.\n", "persona", "Who you are.")
CONFIG = ".memfs.config.json"


@pytest.fixture
def directory(studio: Studio, tmp_path: Path) -> Directory:
    """A small directory that the hook passes."""
    return Directory(studio, tmp_path)


def test_an_edit_is_a_commit_by_this_operator_that_says_why(studio: Studio, directory: Directory) -> None:
    page = directory.page("&file=persona.md")
    page.choose("directory_bar", "edit")
    assert page.typed == PLAIN
    page.type(BRIEF, "  Shorter answers were asked for.  ")
    assert "unsaved changes" in page.words("directory_bar")
    page.choose("directory_bar", "save")
    assert not page.editing
    assert "Committed persona.md in" in page.words("notice")
    assert "The compiled memory is version 2 now." in page.words("notice")
    assert "Be brief." in page.words("directory_body")
    newest = studio.directories.history(directory.agent)[0]
    assert newest.origin is not None
    assert (newest.number, newest.author.name, newest.origin.subject) == (2, "Ana", "Shorter answers were asked for.")
    assert (directory.folder / "persona.md").read_text() == BRIEF
    assert directory.repository.git("status", "--porcelain") == ""


def test_after_an_edit_the_timeline_and_the_compiled_prompt_are_new(directory: Directory) -> None:
    page = directory.page("&file=persona.md&mode=edit")
    page.type(BRIEF, "Shorter")
    page.choose("directory_editor", "save")
    page.choose("notice", "prompt")
    assert "removed Be plain" in page.words("directory_body")
    assert "added Be brief" in page.words("directory_body")
    page.choose("directory_frame", "tab", "history")
    assert "2 live Ana" in page.words("directory_list")
    assert "Shorter" in page.words("directory_list")


def test_a_commit_that_the_working_tree_could_not_follow_is_shown_as_made(
    directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody cleans the working tree up in the moment in which HEAD moves."""
    move_head = git_write.move_head

    def moved(*arguments: object) -> bool:
        done = move_head(*arguments)  # type: ignore[arg-type]
        directory.repository.git("clean", "--quiet", "--force")
        return done

    monkeypatch.setattr(git_write, "move_head", moved)
    page = directory.page("&file=persona.md&mode=edit")
    page.type(BRIEF, "Shorter")
    page.choose("directory_bar", "save")
    assert not page.editing
    assert f"Committed persona.md in {directory.repository.head()[:7]}" in page.words("notice")
    assert "The working tree could not follow (No such file or directory)" in page.words("notice")
    assert directory.repository.git("status", "--porcelain") == "M persona.md"


def test_without_a_reason_nothing_is_committed(directory: Directory) -> None:
    before = directory.repository.head()
    page = directory.page("&file=persona.md&mode=edit")
    page.type(BRIEF)
    assert "say why, then commit" in page.words("directory_bar")
    page.choose("directory_editor", "save")
    assert "Say why this changes first" in page.words("notice")
    assert directory.repository.head() == before


def test_what_the_checks_say_stands_beside_the_lines_while_typing(directory: Directory) -> None:
    page = directory.page("&file=persona.md&mode=edit")
    page.type(note("ALWAYS be plain.\n", "persona", "Who you are."))
    assert "5 ALWAYS be plain. advice Capitals for emphasis: ALWAYS." in page.words("directory_body")
    page.type("no header\n")
    assert "This would be refused: 1 to mend 1 no header refused persona.md:" in page.words("directory_body")
    page.type(BRIEF)
    assert page.html("directory_body") == ""


def test_a_refusal_tells_every_finding_and_keeps_the_text(directory: Directory) -> None:
    before = directory.repository.head()
    secret = "ghp_" + "a1B2c3D4e5" * 4
    page = directory.page("&file=persona.md&mode=edit")
    typed = f"no header\n\nToken {secret[:40]}\n" + "x" * 20_001
    page.type(typed, "Try")
    page.choose("directory_bar", "save")
    told = page.words("directory_body")
    assert "Not committed: 3 to mend" in told
    assert "20,000 are allowed" in told
    assert "what looks like a secret" in told
    assert "see below your text what is to mend" in page.words("notice")
    assert directory.repository.head() == before
    assert page.editing
    page.choose("head", "place", "memory")
    assert "Leave your unsaved changes?" in page.words("question")


def test_uncommitted_changes_of_that_file_refuse_the_edit(directory: Directory) -> None:
    (directory.folder / "persona.md").write_text("half done\n")
    page = directory.page("&file=persona.md&mode=edit")
    page.type(BRIEF, "Shorter")
    page.choose("directory_bar", "save")
    assert "it has uncommitted changes in the working tree" in page.words("notice")
    assert page.editing
    assert (directory.folder / "persona.md").read_text() == "half done\n"
    assert directory.text("persona.md") == PLAIN


def test_a_refusal_for_nothing_of_this_edit_says_the_way_out(directory: Directory) -> None:
    directory.commit("broken.md", "no header\n", "Round the hook")
    page = directory.page("&file=persona.md&mode=edit")
    page.type(BRIEF, "Shorter")
    page.choose("directory_bar", "save")
    told = page.words("notice")
    assert "Nothing of that is new: the hook refuses every commit" in told
    assert f"make it with git in {directory.folder}" in told


@pytest.mark.parametrize("answer", ["keep-mine", "take-theirs"])
def test_a_file_that_changed_meanwhile_holds_the_edit_back(directory: Directory, answer: str) -> None:
    page = directory.page("&file=persona.md&mode=edit")
    page.type(BRIEF, "Shorter")
    theirs = note("Be kind.\n", "persona", "Who you are.")
    directory.commit("persona.md", theirs, "Kind", by="Sarah")
    page.choose("directory_bar", "save")
    banner = page.words("directory_stale")
    assert "persona.md changed while you were editing. It was committed by Sarah" in banner
    assert directory.text("persona.md") == theirs
    page.choose("directory_stale", "compare-mine")
    assert "removed Be kind" in page.words("directory_stale")
    assert "added Be brief" in page.words("directory_stale")
    page.choose("directory_stale", answer)
    if answer == "take-theirs":
        assert page.typed == theirs
        assert page.html("directory_stale") == ""
    else:
        assert directory.text("persona.md") == BRIEF
        assert "Committed persona.md" in page.words("notice")


def test_a_file_that_was_deleted_meanwhile_is_written_again_only_when_asked(directory: Directory) -> None:
    page = directory.page("&file=persona.md&mode=edit")
    page.type(BRIEF, "Shorter")
    directory.commit("persona.md", None, "Away", by="Sarah")
    page.choose("directory_bar", "save")
    assert "persona.md was deleted while you were editing." in page.words("directory_stale")
    page.choose("directory_stale", "keep-mine")
    assert directory.text("persona.md") == BRIEF


def test_what_others_commit_never_replaces_typed_text(directory: Directory) -> None:
    page = directory.page("&file=persona.md&mode=edit")
    page.type(BRIEF, "Shorter")
    directory.commit("human.md", note("Another file.\n", "human", "Who the user is."), "Elsewhere")
    loads = page.page.roots["directory_editor"].loads  # type: ignore[union-attr]
    page.page._session.selection.param.trigger("stamp")
    assert page.page.roots["directory_editor"].loads == loads  # type: ignore[union-attr]
    assert page.html("directory_stale") == ""
    page.choose("directory_bar", "save")
    assert directory.text("persona.md") == BRIEF
    assert "Another file." in directory.text("human.md")


def test_text_typed_before_a_reload_comes_back_over_a_newer_file(directory: Directory) -> None:
    page = directory.page("&file=persona.md&mode=edit")
    page.choose("directory_editor", "regained", '{"base": "0000", "text": "mine"}')
    assert "persona.md changed while you were editing." in page.words("directory_stale")


def test_line_endings_survive_an_edit_unless_they_are_to_go(directory: Directory) -> None:
    (directory.folder / "people" / "MEMORY.md").write_bytes(b"# People\r\n\r\n- sarah.md: releases\r\n")
    directory.repository.git("commit", "--quiet", "--no-verify", "--all", "--message=CRLF")
    page = directory.page("&file=people/MEMORY.md&mode=edit")
    assert page.typed == "# People\n\n- sarah.md: releases\n"
    page.type("# People\n\n- sarah.md: the release manager\n", "Sharper")
    page.choose("directory_bar", "save")
    assert (
        directory.folder / "people" / "MEMORY.md"
    ).read_bytes() == b"# People\r\n\r\n- sarah.md: the release manager\r\n"
    page.choose("directory_bar", "edit")
    page.choose("directory_bar", "plain-endings")
    page.choose("directory_form", "why", "Lines end in LF")
    page.choose("directory_bar", "save")
    assert (directory.folder / "people" / "MEMORY.md").read_bytes() == b"# People\n\n- sarah.md: the release manager\n"


def test_a_new_file_becomes_a_block(studio: Studio, directory: Directory) -> None:
    page = directory.page()
    page.choose("directory_frame", "new")
    page.choose("directory_form", "path", "style.md")
    assert page.typed == "---\nname: style\ndescription: \n---\n"
    page.type(note("Write plainly.\n", "style", "How to write."), "Say how to write")
    page.choose("directory_bar", "save")
    assert "file=style.md" in page.address
    assert [block.name for block in studio.directories.compile(directory.agent).blocks][2] == "style"


@pytest.mark.parametrize("path", ["../out.md", "notes.txt", ".git/config", "a//b.md"])
def test_a_new_file_stays_in_the_directory(directory: Directory, path: str) -> None:
    page = directory.page("&mode=new")
    page.choose("directory_form", "path", path)
    page.type("words\n", "Try")
    assert path in page.words("directory_body")
    page.choose("directory_bar", "save")
    assert path in page.words("notice")
    assert page.editing


def test_a_new_file_never_replaces_one_that_is_there(directory: Directory) -> None:
    page = directory.page("&mode=new")
    page.choose("directory_form", "path", "persona.md")
    page.type(BRIEF, "Try")
    assert "persona.md is there already. Give the new file another path" in page.words("directory_stale")
    assert "while you were editing" not in page.words("directory_stale")
    for action in ("save", "keep-mine"):
        page.choose("directory_bar", action)
        assert "persona.md is there already" in page.words("notice")
        assert directory.text("persona.md") == PLAIN
    page.choose("directory_form", "path", "brief.md")
    assert page.html("directory_stale") == ""


def test_the_file_that_is_there_is_opened_from_the_form_of_a_new_one(directory: Directory) -> None:
    page = directory.page("&mode=new")
    page.choose("directory_form", "path", "persona.md")
    page.choose("directory_stale", "open-there", "persona.md")
    assert not page.editing
    assert ("file=persona.md" in page.address, "mode=" in page.address) == (True, False)


def test_a_read_only_file_says_so_and_is_not_edited(directory: Directory) -> None:
    directory.commit(".memfs.config.json", '{"version": 1, "readOnlyFiles": ["per*.md"]}', "Protect")
    page = directory.page("&file=persona.md&mode=edit")
    assert not page.editing
    assert "Read-only by per*.md in .memfs.config.json." in page.words("directory_bar")
    assert "Edit" not in page.words("directory_bar")
    assert "Edit" in directory.page("&file=human.md").words("directory_bar")


def test_a_file_is_deleted_once_confirmed(directory: Directory) -> None:
    page = directory.page("&file=persona.md&mode=edit")
    page.choose("directory_bar", "delete")
    assert "Say why the file goes first" in page.words("notice")
    page.choose("directory_form", "why", "Said elsewhere")
    page.choose("directory_bar", "delete")
    assert "Delete persona.md?" in page.words("question")
    page.choose("question", "yes")
    assert "Deleted persona.md in" in page.words("notice")
    assert not (directory.folder / "persona.md").exists()


def test_a_change_of_the_limits_is_approved_by_the_operator_first(directory: Directory) -> None:
    directory.commit(CONFIG, '{"version": 1}\n', "Limits")
    page = directory.page(f"&file={CONFIG}&mode=edit")
    page.type('{"version": 1, "maxDepth": 1}\n', "Keep it flat")
    page.choose("directory_bar", "save")
    assert "Change the limits of this directory?" in page.words("question")
    assert "maxDepth" not in directory.text(CONFIG)
    page.choose("question", "yes")
    assert "maxDepth" in directory.text(CONFIG)


def test_leaving_typed_text_asks(directory: Directory) -> None:
    page = directory.page("&file=persona.md&mode=edit")
    page.type(BRIEF)
    page.choose("directory_frame", "tab", "history")
    assert "Leave your unsaved changes?" in page.words("question")
    page.choose("question", "no")
    assert page.editing
    page.choose("directory_list", "file", "human.md")
    page.choose("question", "yes")
    assert "NEVER guess" in page.words("directory_body")


def test_closing_an_editor_without_changes_asks_nothing(directory: Directory) -> None:
    page = directory.page("&file=persona.md&mode=edit")
    page.choose("directory_bar", "close-editor")
    assert page.html("question") == ""
    assert not page.editing


def test_binary_and_foreign_files_have_no_editor(directory: Directory) -> None:
    (directory.folder / "logo.md").write_bytes(b"\0\1\2")
    directory.commit("notes.txt", "words\n", "Other files")
    for path in ("logo.md", "notes.txt"):
        page = directory.page(f"&file={path}")
        assert "Edit" not in page.words("directory_bar")
        page = directory.page(f"&file={path}&mode=edit")
        assert not page.editing
