"""The lint of 100 KB of anything, against reading the same text as CommonMark with a library, in one run."""

from time import process_time

import pytest
from lint_builders import a_block, a_tree
from markdown_it import MarkdownIt

from studio.domain.directory.lint.run import lint_tree
from studio.memfs.secrets import find_keys

CHARACTERS = 100_000
SECONDS = 1.5
"""What any text may take on a machine of two cores; "well under a second" with nothing else running."""
TIMES_USUAL = 8
USUAL = """\
## Answers

- Lead with the answer, because the user reads the first line and skims the rest.
  - Not: "I looked at the config, then the logs." Instead: "The timeout is too low."
- Verify claims against the running system, and say in {} words what was seen.

"""
MOTIFS = [
    "a",
    "[[",
    "- ",
    "`",
    "<!--",
    '"',
    "> ",
    "\n- x",
    "](",
    "a/",
    " ",
    "---",
    "~~~\n",
    "NEVER ",
    "Sarah said ",
    "Not: ",
    "2026-03-11 ",
]
MOTIFS += [
    "\n- Not: x",
    "<memory>",
    "< ",
    "\u200b",
    "eyJ",
    "aws",
    "[a](b.md) ",
    "(@a ",
    "Aa ",
    "回答を先に。",
    "# Status\n",
    "├\n",
    "1. x\n",
    "For example, x. ",
]
TEXTS = {"usual": "".join(USUAL.format(number) for number in range(CHARACTERS // len(USUAL)))}
TEXTS |= {repr(motif): (motif * CHARACTERS)[:CHARACTERS] for motif in MOTIFS}


def seconds(text: str) -> float:
    """The faster of two rounds, in seconds of this process."""
    tree = a_tree({"MEMORY.md": "Open memory first.\n", "persona.md": a_block(text)})
    times = []
    for _ in range(2):
        start = process_time()
        lint_tree(tree, scan=find_keys)
        times.append(process_time() - start)
    return min(times)


def test_no_text_of_100_000_characters_is_much_slower_than_a_usual_one(capsys: pytest.CaptureFixture[str]) -> None:
    ours = {name: seconds(text) for name, text in TEXTS.items()}
    start = process_time()
    MarkdownIt().parse(TEXTS["usual"])
    peer = process_time() - start
    with capsys.disabled():
        print(
            f"\nusual: lint {ours['usual'] * 1e3:.0f} ms, CommonMark {peer * 1e3:.0f} ms ({ours['usual'] / peer:.1f}x)"
        )
        for name, took in sorted(ours.items(), key=lambda one: -one[1])[:5]:
            print(f"{name:>14}: {took * 1e3:.0f} ms")
    assert max(ours.values()) <= SECONDS
    assert max(ours.values()) <= TIMES_USUAL * ours["usual"]
