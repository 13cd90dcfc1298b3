"""`studio memory`: what is stored is what is shown, patches apply, and a save notices what it did not see."""

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from builders import TEXTS, open_store, wake
from cli_shell import NOW, Given, Shell
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

OVER_CAP = b"x" * 12_001
KEYS = [
    "version",
    "author",
    "at",
    "added",
    "removed",
    "characters",
    "status",
    "live",
    "run",
    "call",
    "based_on",
    "origin",
]

few = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
"""Every example opens the store several times."""


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def save(shell: Shell, content: bytes, *words: str) -> dict[str, object]:
    saved: dict[str, object] = shell.done(
        "memory", "save", "scout", "--json", "--yes-to", "empty", *words, given=content
    ).json
    return saved


# --- list ---------------------------------------------------------------------------------------------------------------


def test_list_is_a_plain_array_of_the_fields_of_decision_36_newest_first(shell: Shell) -> None:
    save(shell, b"one\ntwo\n")
    listed = shell.done("memory", "list", "scout", "--json").json
    assert [list(record) for record in listed] == [KEYS, [*KEYS, "occasion"]]
    assert listed[0] == {
        "version": 2,
        "author": {"kind": "operator", "name": "Ana", "via": None, "evidence": None},
        "at": NOW,
        "added": 2,
        "removed": 0,
        "characters": 8,
        "status": "modified",
        "live": True,
        "run": None,
        "call": None,
        "based_on": None,
        "origin": None,
    }
    assert (listed[1]["version"], listed[1]["author"]["kind"], listed[1]["live"]) == (1, "unknown", False)


def test_a_table_names_the_zone_and_says_what_a_filter_hides(shell: Shell) -> None:
    save(shell, b"one\n")
    result = shell("memory", "list", "scout", "--author", "operator:Ana")
    assert result.text == (
        "VERSION  WRITTEN                  AUTHOR        CHANGE  CHARACTERS\n"
        "2        2026-09-13 09:00:12 UTC  operator Ana  +1 −0   4           live\n"
    )
    assert result.err == "1 of 2 versions.\n"


def test_all_versions_are_listed_unless_limited(shell: Shell) -> None:
    for number in range(7):
        save(shell, b"%d\n" % number)

    def numbers(*words: str) -> list[int]:
        return [record["version"] for record in shell.done("memory", "list", "scout", "--json", *words).json]

    assert numbers() == [8, 7, 6, 5, 4, 3, 2, 1]
    assert numbers("--limit", "3") == [8, 7, 6]
    assert numbers("--before", "6", "--limit", "2") == [5, 4]
    assert numbers("--author", "unknown") == [1]


def test_columns_stay_aligned_with_wide_names(shell: Shell) -> None:
    for name in ("ガイド", "guide"):
        save(shell, name.encode(), "--operator", name)
    first, second = shell.done("memory", "list", "scout").text.splitlines()[1:3]
    assert first.index("+1") == second.index("+1") + 3  # each of three characters takes two cells


# --- show ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"no newline",
        b"windows\r\nlines\r\n",
        b"mixed\r\nlines\nand\rmore",
        b"\xef\xbb\xbfwith a mark\n",
        "astral 🪸 and combining é\n".encode(),
        b"other separators \xe2\x80\xa8\xc2\x85\x0b\x0c\x1c\n",
        b"a tail of blanks  \n\n\n",
        b"\x1b[31mred\x1b[0m",
    ],
    ids=["empty", "newline", "no-final-newline", "crlf", "mixed", "bom", "astral", "separators", "blanks", "escapes"],
)
def test_show_writes_the_stored_bytes_and_nothing_else_decision_5(shell: Shell, content: bytes) -> None:
    assert save(shell, content)["sha256"] == sha256(content)
    assert shell.done("memory", "show", "scout").out == content


def test_bytes_survive_the_pipes_of_a_real_process(shell: Shell) -> None:
    content = "\ufeffmixed\r\nlines\nand\rmore 🪸\u2028".encode()
    assert shell.program("memory", "save", "scout", "--json", given=content).json["sha256"] == sha256(content)
    shown = shell.program("memory", "show", "scout", LC_ALL="C", PYTHONUTF8="0")
    assert (shown.code, shown.out, shown.err) == (0, content, "")


@few
@given(text=TEXTS)
def test_show_gives_back_what_save_took(shell: Shell, text: str) -> None:
    content = text.encode()
    version = save(shell, content, "--force")["version"]
    assert shell.done("memory", "show", "scout", "--version", version).out == content


def test_show_as_json_is_the_record_with_its_text(shell: Shell) -> None:
    save(shell, b"\xef\xbb\xbfone\r\n")
    shown = shell.done("memory", "show", "scout", "--json").json
    assert list(shown) == [*KEYS, "text", "sha256"]
    assert shown["text"] == "\ufeffone\r\n"


# --- diff ---------------------------------------------------------------------------------------------------------------


def git_apply(content: bytes, patch: bytes) -> bytes:
    """What real git makes of a file with a patch."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "memory.md")
        file.write_bytes(content)
        environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": folder,
        }
        subprocess.run(
            ["git", "apply", "--whitespace=nowarn", "-"],
            input=patch,
            cwd=folder,
            check=True,
            capture_output=True,
            env=environment,
        )
        return file.read_bytes()


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "\n", "🪸\n", "\ufeffx\n", "d\u2028e\n"]), max_size=8)
ENDS = st.sampled_from(["", "no newline", "cr\r"])
MEMORIES = st.builds(lambda lines, end: ("".join(lines) + end).encode(), LINES, ENDS)


@few
@given(old=MEMORIES, new=MEMORIES)
def test_git_apply_turns_one_version_into_the_other(shell: Shell, old: bytes, new: bytes) -> None:
    first = save(shell, old, "--force")["version"]
    second = save(shell, new, "--force")["version"]
    patch = shell.done("memory", "diff", "scout", first, second).out
    if old == new:
        assert patch == b""
    else:
        assert patch.startswith(b"diff --git a/memory.md b/memory.md\n")
        assert git_apply(old, patch) == new


def test_diff_is_a_patch_and_as_json_a_change_record(shell: Shell) -> None:
    save(shell, b"one\ntwo\n")
    save(shell, b"one\n2\n")
    assert shell.done("memory", "diff", "scout", "2", "3").text == (
        "diff --git a/memory.md b/memory.md\n--- a/memory.md\n+++ b/memory.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    )
    record = shell.done("memory", "diff", "scout", "2", "3", "--json").json
    change = record["change"]
    assert (record["version"], change["against"], change["added"], change["removed"]) == (3, 2, 1, 1)
    assert change["blocks"] == [
        {"kind": "replace", "old_start": 2, "new_start": 2, "removed": ["two\n"], "added": ["2\n"]}
    ]
    assert shell.done("memory", "diff", "scout", "3", "3").out == b""


# --- save ---------------------------------------------------------------------------------------------------------------


def test_save_says_what_it_did(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "memory.md"
    file.write_bytes(b"one\n")
    assert shell.done("memory", "save", "scout", file).text == "Saved as version 2.\n"
    assert shell.done("memory", "save", "scout", file).text == "Nothing changed; version 2 stays live.\n"
    assert shell.done("memory", "save", "scout", "-", given=b"two\n").text == "Saved as version 3.\n"
    assert save(shell, b"three\n") == {"version": 4, "changed": True, "sha256": sha256(b"three\n")}
    assert save(shell, b"three\n") == {"version": 4, "changed": False, "sha256": sha256(b"three\n")}


def test_save_over_the_expected_text_is_done_in_either_letter_case(shell: Shell) -> None:
    first = sha256(b"")
    assert save(shell, b"one\n", "--expect", first)["version"] == 2
    assert save(shell, b"two\n", "--expect", sha256(b"one\n").upper())["version"] == 3


def test_save_over_another_text_than_expected_is_stale_decision_37(shell: Shell) -> None:
    save(shell, b"theirs\n", "--operator", "Ben")
    before = shell.all_that_is_stored()
    result = shell("memory", "save", "scout", "--expect", sha256(b""), "--json", given=b"mine\n")
    assert (result.code, result.error["kind"]) == (3, "stale")
    live = sha256(b"theirs\n")
    assert result.error["message"] == (
        "The memory of scout changed since you read it: version 2 by operator Ben is live now;"
        f" compare with it, then save again with its sha256 {live} or force the save."
    )
    assert shell.all_that_is_stored() == before
    assert save(shell, b"mine\n", "--force")["version"] == 3


def test_repeating_a_save_that_is_stored_succeeds_decision_37(shell: Shell) -> None:
    for changed in (True, False):
        assert save(shell, b"mine\n", "--expect", sha256(b""))["changed"] is changed


def test_a_write_that_lands_while_the_text_is_typed_is_noticed(shell: Shell) -> None:
    def another_save() -> None:
        with open_store(shell.store, operator="Ben") as studio:
            studio.save_memory("scout", "theirs\n", force=True)

    result = shell("memory", "save", "scout", given=Given(b"mine\n", another_save))
    assert result.code == 3
    assert "version 2 by operator Ben is live now" in result.err
    assert shell.done("memory", "show", "scout").out == b"theirs\n"


def test_a_save_may_be_longer_than_the_cap_of_memory_write_decision_5(shell: Shell) -> None:
    save(shell, OVER_CAP)
    assert shell.done("memory", "show", "scout").out == OVER_CAP


def test_a_line_of_a_megabyte_is_saved_listed_and_compared(shell: Shell) -> None:
    content = b"x" * 1_000_000
    save(shell, content)
    assert shell.done("memory", "list", "scout", "--json").json[0]["characters"] == 1_000_000
    patch = shell.done("memory", "diff", "scout", "1", "2").out
    assert git_apply(b"", patch) == content


# --- restore, write, archive --------------------------------------------------------------------------------------------


def test_restore_makes_a_new_version_and_history_only_grows_decision_17(shell: Shell) -> None:
    save(shell, b"one\n")
    save(shell, b"two\n")
    restored = shell.done("memory", "restore", "scout", "2", "--json").json
    assert restored == {"version": 4, "changed": True, "sha256": sha256(b"one\n")}
    assert shell.done("memory", "restore", "scout", "2").text == "Nothing changed; version 4 stays live.\n"
    stale = shell("memory", "restore", "scout", "3", "--expect", sha256(b"two\n"))
    assert (stale.code, stale.out) == (3, b"")
    assert shell.done("memory", "restore", "scout", "3", "--expect", sha256(b"one\n")).text == "Saved as version 5.\n"


def test_write_is_the_tool_memory_write(shell: Shell) -> None:
    assert shell.done("memory", "write", "scout", given=b"note\n").text == "Memory saved: 5 of 12,000 characters.\n"
    assert shell.done("memory", "write", "scout", given=b"note\n").text.startswith("Memory is unchanged")
    listed = shell.done("memory", "list", "scout", "--json").json
    assert [record["author"]["kind"] for record in listed] == ["agent", "unknown"]


def test_a_write_of_a_run_names_run_call_and_what_it_was_based_on(shell: Shell) -> None:
    with open_store(shell.store) as studio:
        run = wake(studio, "scout")
    words = ("memory", "write", "scout", "--run", run, "--call", "c_1", "--json")
    assert shell.done(*words, given=b"note\n").json == {"version": 2, "changed": True, "sha256": sha256(b"note\n")}
    written = shell.done("memory", "list", "scout", "--json").json[0]
    assert (written["author"]["kind"], written["run"], written["call"], written["based_on"]) == ("run", run, "c_1", 1)


def test_a_write_over_the_cap_is_refused_in_the_words_of_decision_6(shell: Shell) -> None:
    before = shell.all_that_is_stored()
    result = shell("memory", "write", "scout", given=OVER_CAP)
    assert (result.code, result.out, result.err) == (3, b"", "ERROR: memory exceeds 12000 characters\n")
    as_json = shell("memory", "write", "scout", "--json", given=OVER_CAP)
    assert as_json.error == {"kind": "refused", "message": "ERROR: memory exceeds 12000 characters"}
    assert shell.all_that_is_stored() == before
    assert shell.done("memory", "write", "scout", given="🪸".encode() * 12_000).text.startswith(
        "Memory saved: 12,000 of"
    )


def test_the_archive_lists_names_newest_first_and_shows_one_with_its_two_lines(shell: Shell) -> None:
    save(shell, b"one\r\n")
    save(shell, b"two\n")
    names = shell.done("memory", "archive", "scout").text.splitlines()
    assert names == ["2026-09-13T09-00-12Z_02-ana.md", "2026-09-13T09-00-12Z-ana.md"]
    assert shell.done("memory", "archive", "scout", "--json").json == [
        {"version": 2, "name": names[0]},
        {"version": 1, "name": names[1]},
    ]
    assert shell.done("memory", "archive", "scout", names[0]).out == (
        f"Current: {NOW} → {NOW}\nReplaced by: operator Ana (Memory view)\n\none\r\n".encode()
    )


def test_a_change_can_leave_out_how_lines_end(shell: Shell) -> None:
    save(shell, b"a\r\nb  \r\nc\r\n")
    save(shell, b"a\nb\nd\n")
    words = ("memory", "diff", "scout", 2, 3)
    whole, both = shell(*words).text, shell.done(*words, "--ignore", "line-endings,trailing-space").text
    assert (whole.count("\n-"), both.count("\n-"), "-c\n+d\n" in both) == (4, 2, True)
    as_json = shell.done(*words, "--json", "--ignore", "line-endings,trailing-space").json["change"]
    assert (as_json["added"], as_json["removed"]) == (1, 1)
    wrong = shell(*words, "--ignore", "case")
    assert (wrong.code, "it takes line-endings, trailing-space" in wrong.err) == (2, True)


def test_a_patch_says_beside_itself_which_lines_look_the_same(shell: Shell) -> None:
    save(shell, "Pay 10\u00a0EUR\n".encode())
    save(shell, b"Pay 10 EUR\n")
    told = shell("memory", "diff", "scout", 2, 3)
    assert told.code == 0
    assert told.err == "Line 1 and line 1 look the same: another kind of space (U+00A0 NO-BREAK SPACE).\n"
    assert "look the same" not in told.text
    alike = shell.done("memory", "diff", "scout", 2, 3, "--json").json["change"]["alike"]
    assert [(one["old_line"], one["new_line"]) for one in alike] == [(1, 1)]
