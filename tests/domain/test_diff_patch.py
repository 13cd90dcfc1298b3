"""The unified patch: its text in the cases that trip others, and `git apply` where files come and go."""

import os
import subprocess
from pathlib import Path

import pytest

from studio.domain.patch import unified_patch

GIT = "diff --git a/memory.md b/memory.md\n"
HEAD = f"{GIT}--- a/memory.md\n+++ b/memory.md\n"
NO_NEWLINE = "\\ No newline at end of file\n"

PATCHES = {
    "equal": ("a\n", "a\n", ""),
    "both-empty": ("", "", ""),
    "one-line": ("a\n", "b\n", f"{HEAD}@@ -1 +1 @@\n-a\n+b\n"),
    "from-an-empty-file": ("", "a\nb\n", f"{HEAD}@@ -0,0 +1,2 @@\n+a\n+b\n"),
    "to-an-empty-file": ("a\n", "", f"{HEAD}@@ -1 +0,0 @@\n-a\n"),
    "no-newline-at-the-old-end": ("a", "a\n", f"{HEAD}@@ -1 +1 @@\n-a\n{NO_NEWLINE}+a\n"),
    "no-newline-at-the-new-end": ("a\n", "a\nb", f"{HEAD}@@ -1 +1,2 @@\n a\n+b\n{NO_NEWLINE}"),
    "no-newline-at-either-end": (
        "a\nx",
        "b\nx",
        f"{HEAD}@@ -1,2 +1,2 @@\n-a\n+b\n x\n{NO_NEWLINE}",
    ),
    "crlf-is-kept": ("a\r\nb\r\n", "a\r\nc\r\n", f"{HEAD}@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"),
    "endings-alone (diff-02)": ("a\r\n", "a\n", f"{HEAD}@@ -1 +1 @@\n-a\r\n+a\n"),
    "nel-cuts-no-line (diff-06)": ("x\u0085y\nz", "x\u0085y\nz\n", f"{HEAD}@@ -1,2 +1,2 @@\n x\u0085y\n-z\n{NO_NEWLINE}+z\n"),
    "created": (None, "a\n", f"{GIT}new file mode 100644\n--- /dev/null\n+++ b/memory.md\n@@ -0,0 +1 @@\n+a\n"),
    "deleted": ("a\n", None, f"{GIT}deleted file mode 100644\n--- a/memory.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "patch"), PATCHES.values(), ids=PATCHES.keys())
def test_the_text_of_a_patch(old: str | None, new: str | None, patch: str) -> None:
    assert unified_patch(old, new) == patch


def test_far_changes_are_two_hunks() -> None:
    lines = [f"{n}\n" for n in range(20)]
    patch = unified_patch("".join(lines), "".join(["x\n", *lines[1:19], "y\n"]))
    assert [line for line in patch.splitlines() if line.startswith("@@")] == ["@@ -1,4 +1,4 @@", "@@ -17,4 +17,4 @@"]


FILES: dict[str, tuple[str | None, str | None]] = {
    "created": (None, "a\nb"),
    "created-empty": (None, ""),
    "deleted": ("a\nb", None),
    "deleted-empty": ("", None),
    "filled": ("", "a\n"),
    "emptied": ("a\n", ""),
    "looks-like-a-patch": ("--- a\n+++ b\n@@ -1 +1 @@\n", "--- a\n+++ c\n\\ No newline at end of file\n"),
}
NAMES = ["memory.md", "blocks/deep/file.md", "with blank.md", "記録.md", 'quo"te\\.md', "tab\there.md"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("old", "new"), FILES.values(), ids=FILES.keys())
def test_git_apply_makes_and_unmakes_files(tmp_path: Path, old: str | None, new: str | None, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if old is not None:
        file.write_bytes(old.encode())
    patch = unified_patch(old, new, name).encode()
    for arguments, after in ((["apply", "-"], new), (["apply", "-R", "-"], old)):
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
        done = subprocess.run(
            ["git", *arguments], cwd=tmp_path, input=patch, capture_output=True, check=False, env=environment
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert (file.read_bytes().decode() if file.exists() else None) == after
