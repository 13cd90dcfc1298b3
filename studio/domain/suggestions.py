"""What somebody may have meant who named something that is not there."""

from collections.abc import Iterable

from studio.domain.notes import folded

CLOSE_ENOUGH = 0.7
"""From which likeness on a name is offered; 1 is the same name in other letter case."""
MOST_OFFERED = 3
"""How many names are offered at once."""


def nearest(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known names that a slip of the keyboard could have made this word of, likeliest first; each once.

    Letter case does not count, and a name that begins with the word is near whatever its length.
    """
    from rapidfuzz import process  # noqa: PLC0415 - only a slip needs it
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    sought, names = folded(word.strip()), sorted(set(known))
    if not sought:
        return ()
    compared = [folded(name) for name in names]
    begun = [name for name, one in zip(names, compared, strict=True) if one.startswith(sought)]
    found = process.extract(
        sought, compared, scorer=OSA.normalized_similarity, score_cutoff=CLOSE_ENOUGH, limit=MOST_OFFERED
    )
    return tuple(dict.fromkeys([*(names[index] for _, __, index in found), *begun]))[:MOST_OFFERED]
