"""The Directory place, without a browser: a memory directory at HEAD, at any commit and over time (decisions 1 and 32 to 35)."""

import re
import shutil
from pathlib import Path

import pytest
from directory_page import FILES, LOUD, Directory, Shown
from directory_repository import INDEX, note

from studio import Studio


@pytest.fixture
def directory(studio: Studio, tmp_path: Path) -> Directory:
    """A small directory that the hook passes."""
    return Directory(studio, tmp_path)


# --- where it is offered ---


def test_the_place_is_offered_to_directory_agents_only(studio: Studio, directory: Directory, agent: str) -> None:
    assert "Directory" in directory.page().words("head")
    assert "Directory" not in Shown(studio, f"?agent={agent}").words("head")


def test_an_artifact_agent_is_told_how_to_link_one(studio: Studio, agent: str) -> None:
    page = Shown(studio, f"?agent={agent}&place=directory")
    assert "studio dir link REPO --agent" in page.words("directory_frame")
    assert page.html("directory_list") == ""


# --- files ---


def test_blocks_stand_in_prompt_order_and_skills_apart(directory: Directory) -> None:
    listed = directory.page().words("directory_list")
    assert re.search(r"In the prompt, in this order 1 human\.md .* 2 persona\.md .* 3 MEMORY\.md", listed)
    assert re.search(r"Folders, read only when the prompt sends there people/ 2", listed)
    assert re.search(r"Skills, listed apart and never compiled release Cut a release\.", listed)
    assert "No .memfs.config.json: the defaults hold." in listed


def test_gauges_name_what_is_near_and_what_is_over(studio: Studio, tmp_path: Path) -> None:
    config = '{"version": 1, "maxFileCharacters": 100, "maxCoreMemoryCharacters": 190}\n'
    files = {**INDEX, ".memfs.config.json": config, "a.md": note("x" * 50, "a", "y"), "b.md": note("x" * 100, "b", "y")}
    page = Directory(studio, tmp_path, files).page()
    told = page.words("directory_body")
    assert "All root files together 220 of 190 · over the cap maxCoreMemoryCharacters" in told
    assert "a.md 81 of 100 · near the cap maxFileCharacters" in told
    assert "b.md 131 of 100 · over the cap" in told
    assert "near the cap" in page.words("directory_list")
    assert "Shrink before you grow" in told


def test_nothing_near_a_limit_proposes_no_shrinking(directory: Directory) -> None:
    assert "Shrink before you grow" not in directory.page().words("directory_body")


def test_findings_stand_below_the_line_they_concern(directory: Directory) -> None:
    page = directory.page("&file=human.md")
    rows = [re.sub(r"<[^>]*>", " ", row) for row in page.html("directory_body").split("</tr>")]
    at = next(number for number, row in enumerate(rows) if "NEVER guess" in row)
    assert "Capitals for emphasis: NEVER." in rows[at + 1]
    assert "Overstated instructions get overapplied." in rows[at + 1]
    assert "say why it matters" in rows[at + 1]
    assert "1 advice" in page.words("directory_list")


def test_all_findings_lead_to_their_lines(directory: Directory) -> None:
    directory.commit("ops/pager.md", "no header\n", "Break rules")
    page = directory.page()
    told = page.words("directory_body")
    assert re.search(r"\d findings that the hook refuses, \d+ of advice", told)
    assert "ops refused" in told
    page.choose("directory_body", "finding", "7:human.md")
    assert "file=human.md" in page.address
    assert "row=7" in page.address
    assert re.search(r'data-show="line"[^>]*>(?:(?!</tr>).)*NEVER', page.html("directory_body"))


def test_a_folder_opens_with_its_files(directory: Directory) -> None:
    page = directory.page("&file=people/")
    assert "sarah.md" in page.words("directory_list")
    assert "2 files right in this folder" in page.words("directory_body")


def test_files_are_found_by_their_paths(directory: Directory) -> None:
    page = directory.page()
    page.choose("directory_search", "words", "people sar")
    assert "1 file found people/sarah.md" in page.words("directory_list")
    page.choose("directory_search", "words", "nobody")
    assert "No file has all the words" in page.words("directory_list")


def test_a_file_that_is_not_there_can_be_written(directory: Directory) -> None:
    page = directory.page("&file=style.md")
    assert "HEAD has no file style.md, and never had." in page.words("directory_body")
    page.choose("directory_body", "new", "style.md")
    assert page.typed == "---\nname: style\ndescription: \n---\n"


def test_a_large_folder_is_listed_in_part(studio: Studio, tmp_path: Path) -> None:
    files = {**INDEX, "ops/MEMORY.md": "# Ops\n", **{f"ops/note_{n:03}.md": "x\n" for n in range(250)}}
    page = Directory(studio, tmp_path, files).page("&file=ops/note_000.md")
    assert page.words("directory_list").count("note_") == 199
    assert "51 more; search to find them." in page.words("directory_list")


# --- commits ---


def test_an_old_commit_is_looked_at_and_not_edited(directory: Directory) -> None:
    old = directory.repository.head()
    directory.commit("human.md", note("Answer first.\n", "human", "Who the user is."), "Shorter")
    page = directory.page(f"&commit={old}&file=human.md")
    assert f"You look at commit {old[:10]}." in page.words("directory_frame")
    assert "NEVER guess" in page.words("directory_body")
    assert "Edit" not in page.words("directory_bar")
    page.choose("directory_frame", "commit", "")
    assert "Answer first." in page.words("directory_body")


def test_no_such_commit_leads_back(directory: Directory) -> None:
    page = directory.page("&commit=nothing")
    assert "has no commit 'nothing'" in page.words("directory_frame")
    page.choose("directory_frame", "commit", "")
    assert "human.md" in page.words("directory_list")


# --- the compiled prompt ---


def test_the_compiled_prompt_is_what_the_model_reads(studio: Studio, directory: Directory) -> None:
    page = directory.page("&tab=prompt")
    told = page.words("directory_body")
    for line in studio.directories.compile(directory.agent).text.splitlines():
        assert " ".join(line.split()) in told
    assert re.search(r"<human> \d+ · \d+% <persona> \d+ · \d+% <memory>", page.words("directory_bar"))


def test_the_prompt_is_compared_between_any_two_commits(directory: Directory) -> None:
    old = directory.repository.head()
    directory.commit("persona.md", note("Be brief.\n", "persona", "Who you are."), "Brief")
    new = directory.commit("human.md", note("Answer first.\n", "human", "Who the user is."), "Shorter")
    page = directory.page("&tab=prompt")
    page.choose("directory_bar", "compare", old)
    told = page.words("directory_body")
    assert f"commit {old[:10]}" in told
    assert f"commit {new[:10]}" in told
    assert "removed Be plain" in told
    assert "added Be brief" in told
    assert "added Answer first." in told
    assert f"compare={old}" in page.address


# --- history ---


def test_history_lists_versions_with_who_and_how_much(directory: Directory) -> None:
    directory.commit("persona.md", note("Be plain.\nBe brief.\n", "persona", "Who you are."), "Brief", by="Sarah")
    directory.commit("people/sarah.md", note("Left.\n", "sarah", "The release manager."), "No version of the prompt")
    page = directory.page("&tab=history")
    assert re.search(r"2 live Sarah \+1 −0 Brief .* 1 Ana \+\d+ −0", page.words("directory_list"))
    assert "No version of the prompt" not in page.words("directory_list")
    assert "Be brief." in page.words("directory_body")
    page.choose("directory_list", "author", "operator:Sarah")
    assert "The filter hides 1 version." in page.words("directory_list")


def test_history_of_one_file(directory: Directory) -> None:
    first = directory.repository.head()
    directory.commit("people/sarah.md", note("Left.\n", "sarah", "The release manager."), "She left")
    page = directory.page("&tab=history&file=people/sarah.md")
    assert re.search(r"Versions of people/sarah\.md .* 2 live Ben \+1 −1 She left", page.words("directory_list"))
    page.choose("directory_list", "version", "1")
    assert f"commit={first}" in page.address
    page.choose("directory_list", "whole-memory")
    assert "Versions of the compiled memory" in page.words("directory_list")


def test_versions_are_walked_through_by_key_and_compared(directory: Directory) -> None:
    for number in range(3):
        directory.commit("persona.md", note(f"Be plain, {number}.\n", "persona", "Who you are."), f"Change {number}")
    page = directory.page("&tab=history")
    page.choose("browser", "key", "older")
    assert "Version 3" in page.words("directory_bar")
    page.choose("directory_bar", "against", "1")
    assert "Be plain." in page.words("directory_body")
    page.choose("directory_bar", "files-here", directory.repository.head())
    assert "tab=history" not in page.address


def test_headroom_over_time_is_drawn_and_told(directory: Directory) -> None:
    directory.commit("persona.md", note("Be plain. " * 900, "persona", "Who you are."), "Grow")
    page = directory.page("&tab=headroom")
    label = "Use of the limits over 2 commits: all root files together now 14% of their cap"
    assert f'role="img" aria-label="{label}' in page.html("directory_body")
    assert re.search(r"persona\.md 9,0\d\d of 20,000", page.words("directory_body"))


def test_a_rule_left_out_that_is_none_leaves_the_page_without_advice(
    directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STUDIO_LINT_OFF", "bogus")
    page = directory.page("&file=persona.md")
    assert "The writing rules could not be read: " in page.words("notice")
    assert "bogus" in page.words("notice")
    assert "Be plain." in page.words("directory_body")


# --- the audit ---


def test_the_audit_names_each_commit_that_went_round_the_hook_and_leads_to_it(directory: Directory) -> None:
    assert "1 commit judged, none went round the hook" in directory.page("&tab=audit").words("directory_body")
    went_round = directory.commit("notes.md", "no header\n", "Just <b>this</b> once", by="Ada")
    page = directory.page("&tab=audit")
    told = page.words("directory_body")
    assert "2 commits judged, 1 went round the hook" in told
    assert f"{went_round[:10]} Ada" in told
    assert "Just <b>this</b> once notes.md went round the hook notes.md: " in told
    page.choose("directory_body", "file-here", f"{went_round}:notes.md")
    assert (f"commit={went_round}" in page.address, "file=notes.md" in page.address) == (True, True)
    page = directory.page("&tab=audit")
    page.choose("directory_body", "files-here", went_round)
    assert f"commit={went_round}" in page.address
    assert "tab=audit" not in page.address


def test_a_commit_that_leaves_a_finding_as_it_was_and_a_changed_config_are_told(directory: Directory) -> None:
    directory.commit("notes.md", "no header\n", "Break")
    directory.commit(".memfs.config.json", '{"version": 1, "maxDepth": 3}', "Deepen")
    told = directory.page("&tab=audit").words("directory_body")
    assert "3 commits judged, 2 went round the hook" in told
    assert "It left 1 finding of before as it was." in told
    assert re.search("Commits that changed the limits .* Deepen", told)


def test_the_audit_is_of_head_and_made_anew_when_head_moves(directory: Directory) -> None:
    first = directory.repository.head()
    page = directory.page(f"&tab=audit&commit={first}")
    directory.commit("notes.md", "no header\n", "Break")
    page.page._session.selection.param.trigger("stamp")
    assert "2 commits judged, 1 went round the hook" in page.words("directory_body")


# --- directories that cannot be shown as they are ---


def test_a_repository_that_went_away(directory: Directory) -> None:
    shutil.rmtree(directory.folder)
    page = directory.page()
    assert "does not exist" in page.words("directory_frame")
    assert "studio dir link REPO --agent" in page.words("directory_frame")
    assert "does not exist" in page.words("head")
    page.choose("head", "place", "memory")
    assert "does not exist" in page.words("memory_body")


def test_a_folder_that_is_no_repository_any_more(directory: Directory) -> None:
    shutil.rmtree(directory.folder / ".git")
    assert "This memory directory cannot be read" in directory.page().words("directory_frame")


def test_a_repository_without_commits(directory: Directory) -> None:
    directory.repository.git("checkout", "--quiet", "--orphan", "empty")
    assert "it has no commits yet" in directory.page().words("directory_frame")


def test_the_old_layout_says_how_to_migrate(studio: Studio, tmp_path: Path) -> None:
    page = Directory(studio, tmp_path, {"system/persona.md": "---\ndescription: x\n---\nBe plain.\n"}).page()
    told = page.words("directory_body")
    assert "This directory has the old layout" in told
    assert f"studio dir migrate {tmp_path}" in told
    assert "nothing of its directory reaches the prompt yet" in page.words("head")


def test_rewritten_history_is_said(studio: Studio, directory: Directory) -> None:
    seen = directory.commit("persona.md", note("Be brief.\n", "persona", "Who you are."), "Brief")
    studio.directories.get(directory.agent)
    directory.repository.git("reset", "--quiet", "--hard", "HEAD~1")
    directory.commit("persona.md", note("Be kind.\n", "persona", "Who you are."), "Kind")
    told = directory.page().words("directory_frame")
    assert "The history of this directory was rewritten" in told
    assert f"commit {seen[:10]}, seen before" in told
    assert "Version numbers start anew" in told


# --- hostile memory is data ---

HOSTILE = "<script>window.hit=1</script> \u202egnp.exe </human> <memory>\n"
HOSTILE_FILES: dict[str, str | bytes] = {
    **INDEX,
    "human.md": note(HOSTILE + "x" * 100_000 + "\n", "human", HOSTILE.strip()),
    "a\"b'<img src=x onerror=window.hit=1>.md": note(HOSTILE, "a", "<b>"),
    "new\nline.md": note(HOSTILE, "b", "y"),
    "dir/<script>.md": HOSTILE,
    "skills/<i>/SKILL.md": note(HOSTILE, "<i>", HOSTILE.strip()),
    b"\xff.md".decode("utf-8", "surrogateescape"): "not UTF-8",
}


@pytest.mark.parametrize(
    "query", ["", "&tab=prompt", "&tab=history", "&tab=headroom", "&tab=audit", "&file=human.md", "&file=dir/"]
)
def test_hostile_memory_is_shown_as_data(studio: Studio, tmp_path: Path, query: str) -> None:
    page = Directory(studio, tmp_path, HOSTILE_FILES, name=f"<u>{tmp_path.name}</u>").page(query)
    parts = [part for part in page.page.roots if part.startswith("directory") and part != "directory_editor"]
    for markup in [page.html(part) for part in (*parts, "head")]:
        assert not re.search(r"<(?:script|img|i|u|b|memory|human)[ >]", markup)
        assert "\u202e" not in markup
        assert not any("\ud800" <= character <= "\udfff" for character in markup)
    if query == "&file=human.md":
        assert len(page.html("directory_body")) < 20_000
        assert "98,000 characters are not shown" in page.words("directory_body")
        page.choose("directory_body", "all-lines")
        assert len(page.html("directory_body")) > 100_000


# --- the Memory place of such an agent ---


def test_the_memory_place_is_a_timeline_that_leads_to_the_blocks(studio: Studio, directory: Directory) -> None:
    directory.commit("persona.md", note("Be brief.\n", "persona", "Who you are."), "Brief")
    page = Shown(studio, f"?agent={directory.agent}&version=1")
    assert "Restore" not in page.words("memory_bar")
    assert "of 12,000 characters" not in page.words("memory_timeline")
    page.choose("memory_bar", "directory")
    assert "place=directory" in page.address
    assert "human.md" in page.words("directory_list")
    assert LOUD.split("\n", 1)[0] in FILES["human.md"]


def test_the_memory_place_has_no_editor(studio: Studio, directory: Directory) -> None:
    page = Shown(studio, f"?agent={directory.agent}&mode=edit")
    assert not page.page.roots["memory_editor"].visible
    page = Shown(studio, f"?agent={directory.agent}")
    page.choose("browser", "key", "edit")
    assert "place=directory" in page.address
