"""The Directory place, without a browser: every commit that touched memory, and files that are gone (decision 42)."""

from pathlib import Path

import pytest
from directory_page import FILES, Directory
from directory_repository import note

from studio import Studio

SARAH = FILES["people/sarah.md"]


@pytest.fixture
def directory(studio: Studio, tmp_path: Path) -> Directory:
    """memfs-08: a bot deletes a deferred file and rewrites another; the prompt stays as it is."""
    made = Directory(studio, tmp_path)
    made.commit("people/tom.md", note("Tests.\n", "tom", "The tester."), "Add Tom", by="Dreamer[bot]")
    made.commit("people/sarah.md", None, "Forget <b>Sarah</b>", by="Dreamer[bot]")
    made.commit("human.md", note("Be kind.\n", "human", "Who."), "Be kind")
    return made


def test_every_commit_is_listed_and_the_newest_is_open(directory: Directory) -> None:
    page = directory.page("&tab=changes")
    page.settle()
    listed = page.words("directory_list")
    assert "Everyone (4) All operators (2)" in listed
    assert "3 Dreamer[bot] +0 −5 Forget <b>Sarah</b>" in listed
    assert "outside the prompt 1 file 1 deleted" in listed
    assert "<b>Sarah</b>" not in page.html("directory_list")
    assert "Be kind Ben" in page.words("directory_bar")
    assert "It made version 2 of the compiled memory." in page.words("directory_bar")
    assert "human.md modified" in page.words("directory_body")
    assert "Be kind." in page.words("directory_body")


def test_a_change_opens_the_diffs_of_its_files(directory: Directory) -> None:
    page = directory.page("&tab=changes&author=agent")
    page.settle()
    assert "The filter hides 2 changes." in page.words("directory_list")
    assert "It lies after version 1 of the compiled memory" in page.words("directory_bar")
    assert "people/sarah.md deleted" in page.words("directory_body")
    assert "Runs the releases." in page.words("directory_body")
    added = directory.repository.git("rev-parse", "HEAD~2")
    page.choose("directory_list", "commit", added)
    assert f"commit={added}" in page.address
    assert "people/tom.md added" in page.words("directory_body")
    page.choose("directory_body", "only", "people/tom.md")
    assert "Every commit that touched people/tom.md" in page.words("directory_list")
    page.choose("directory_list", "whole-memory")
    assert "file=" not in page.address
    page.page._session.selection.go(commit=None, author="operator:Nobody")
    assert "No change is by this author; the filter hides all 4." in page.words("directory_list")
    page.choose("directory_list", "author", "robot")
    assert "Show everyone's changes" in page.words("directory_list")


def test_changes_and_versions_of_a_folder(directory: Directory) -> None:
    changes = directory.page("&tab=changes&file=people/")
    assert "Everyone (3)" in changes.words("directory_list")
    versions = directory.page("&tab=history&file=people/")
    assert "Versions of people/" in versions.words("directory_list")
    assert "Everyone (3)" in versions.words("directory_list")
    assert "==> people/sarah.md <==" in versions.words("directory_body")
    whole = directory.page("&tab=history&file=people/&view=whole")
    assert "==> people/tom.md <==" in whole.words("directory_body")
    assert "no commit of HEAD knows it" in directory.page("&tab=changes&file=none/").words("directory_body")


def test_versions_say_where_changes_lie_between_them(directory: Directory) -> None:
    page = directory.page("&tab=history")
    assert "2 changes outside the prompt" in page.words("directory_list")
    page.choose("directory_list", "changes")
    assert "tab=changes" in page.address


def test_a_file_that_is_gone_opens_as_it_last_was_and_is_brought_back(directory: Directory) -> None:
    page = directory.page("&tab=changes&author=agent")
    page.choose("directory_body", "as-it-was", "people/sarah.md")
    assert "tab=" not in page.address
    assert "Deleted in" in page.words("directory_bar")
    assert "Dreamer[bot]" in page.words("directory_bar")
    assert "Runs the releases." in page.words("directory_body")
    page.choose("directory_bar", "gone-change", directory.repository.git("rev-parse", "HEAD~1"))
    assert "Forget <b>Sarah</b>" in page.words("directory_bar")
    page = directory.page("&file=people/sarah.md")
    page.choose("directory_bar", "restore", "people/sarah.md")
    assert "Brought back people/sarah.md in" in page.words("notice")
    assert directory.repository.ask("show", "HEAD:people/sarah.md").out == SARAH
    assert "Deferred memory" in page.words("directory_bar")


def test_what_stands_in_the_way_of_bringing_back_is_said(directory: Directory) -> None:
    (directory.folder / "people/sarah.md").write_text("being typed\n", encoding="utf-8")
    page = directory.page("&file=people/sarah.md")
    page.choose("directory_bar", "restore", "people/sarah.md")
    assert "people/sarah.md" in page.words("notice")
    assert "Bring it back" in page.words("directory_bar")


def test_a_file_that_never_was_can_be_written(directory: Directory) -> None:
    page = directory.page("&file=people/nobody.md")
    assert "HEAD has no file people/nobody.md, and never had." in page.words("directory_body")
    assert "Write it" in page.words("directory_body")


def test_limits_that_are_gone_come_back_when_a_person_approves(directory: Directory) -> None:
    directory.commit(".memfs.config.json", '{"version": 1, "maxDepth": 3}', "Deepen")
    directory.commit(".memfs.config.json", None, "Forget the limits")
    page = directory.page("&file=.memfs.config.json")
    page.choose("directory_bar", "restore", ".memfs.config.json")
    assert "Change the limits of this directory?" in page.words("question")
    page.choose("question", "yes")
    assert "Brought back .memfs.config.json in" in page.words("notice")


def test_a_text_that_deserves_a_question_is_asked_about_before_it_comes_back(directory: Directory) -> None:
    marked = note("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n", "sarah", "The release manager.")
    directory.commit("people/sarah.md", marked, "Merge badly")
    directory.commit("people/sarah.md", None, "Forget it")
    page = directory.page("&file=people/sarah.md")
    page.choose("directory_bar", "restore", "people/sarah.md")
    assert "Brought back" not in page.words("notice")
    before = directory.repository.head()
    page.choose("question", "no")
    assert directory.repository.head() == before
