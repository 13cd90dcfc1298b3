"""Characters that a reader cannot see: where they hide something, and where they belong to the spelling (case poisoning-03)."""

import regex

_SCRIPTS_WITH_JOINERS = (
    r"[\p{Arabic}\p{Syriac}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gujarati}\p{Gurmukhi}\p{Kannada}\p{Malayalam}\p{Oriya}"
    r"\p{Sinhala}\p{Tamil}\p{Telugu}\p{Khmer}]"
)
_FITTING = rf"""
    # the flags of England, Scotland and Wales
    \U0001F3F4\U000E0067\U000E0062
      (?: \U000E0065\U000E006E\U000E0067 | \U000E0073\U000E0063\U000E0074 | \U000E0077\U000E006C\U000E0073 ) \U000E007F
    # a joined emoji
    | (?<= [\p{{Extended_Pictographic}}\uFE0F\p{{Emoji_Modifier}}]) \u200D (?= \p{{Extended_Pictographic}})
    # an emoji as a picture or as text
    | (?<= \p{{Emoji}}) [\uFE0E\uFE0F]
    # a variant of a Chinese character
    | (?<= \p{{Han}}) [\U000E0100-\U000E01EF]
    # spelling, not hiding
    | (?<= {_SCRIPTS_WITH_JOINERS}) [\u200C\u200D] (?= {_SCRIPTS_WITH_JOINERS})
"""
"""What is invisible and yet in its place."""
_HIDDEN = r"""
    (?P<hidden>
      [[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]--[\t\n]]
    )
"""
FIND = regex.compile(rf"{_FITTING}|{_HIDDEN}", regex.V1 | regex.VERBOSE)
"""Finds both; what hides has the group `hidden`."""
