"""What counts as blank at the ends of a text, the same for every tool that compiles a directory."""

BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""ECMAScript's white space and line ends, which the cases were run with; unlike Python's it holds U+FEFF and no U+001C to U+001F."""


def trimmed(text: str) -> str:
    """The text without blanks at both ends."""
    return text.strip(BLANKS)


def trimmed_end(text: str) -> str:
    """The text without blanks at its end."""
    return text.rstrip(BLANKS)
