"""Which names a note or collection can get: those that an embed can name (decision 23)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.domain.embeds_links import references
from studio.domain.places import PlaceKind, check_embeddable, parse_place
from studio.errors import BadName, UnknownPath

PIECES = st.sampled_from(["a", "b", " ", "`", "[", "]", "!", "|", "#", "^", "~", "/", "\u2028", "\u00a0", "<!--", "😀"])


@given(name=st.lists(PIECES, min_size=1, max_size=8).map("".join), kind=st.sampled_from(PlaceKind))
def test_what_is_taken_can_be_embedded_in_any_text(name: str, kind: PlaceKind) -> None:
    name = f"{name}.md" if kind is PlaceKind.NOTE else name
    path = f"org/o_1/{kind}s/{name}"
    try:
        place = parse_place(path)
        check_embeddable(place.kind, place.name)
    except (UnknownPath, BadName):
        return
    assert references(f"- ![[{path}]] and ![[{path}]], not `![[org/o_1/notes/code.md]]`") == (path,)


@pytest.mark.parametrize("name", ["[draft] a.md", "a]/b.md", "a|b#c^d.md", "Preise 2026 – €.md"])
def test_what_is_odd_but_can_be_embedded_is_taken(name: str) -> None:
    check_embeddable(PlaceKind.NOTE, name)
