"""The look of our fragments, in one place: colours for light and dark, and the layout.

A fragment carries its theme as a class on its root, so the same style works in a page, in a shadow root and in a notebook:
`light`, `dark`, or `auto` (the surroundings decide: JupyterLab's theme, else what the system prefers).
Additions are blue and removals clay rather than green and red, so that they differ for everyone; signs say the same.
"""

from importlib.resources import files

LIGHT = {
    "surface": "#ffffff",
    "text": "#1f2429",
    "muted": "#57606a",
    "border": "#d7dde3",
    "soft": "#f5f7f9",
    "accent": "#1f5f8b",
    "added": "#eaf3f9",
    "added-mark": "#bcdcf0",
    "added-sign": "#1f5f8b",
    "removed": "#fbf0ea",
    "removed-mark": "#f5cdb8",
    "removed-sign": "#93401a",
    "moved": "#f2f1f7",
    "moved-sign": "#5a4e8c",
    "warning": "#fdf6e3",
    "warning-text": "#6b4e00",
}
"""Colours of the light theme."""

DARK = {
    "surface": "#15191d",
    "text": "#dbe2e8",
    "muted": "#9aa5b0",
    "border": "#2e363e",
    "soft": "#1c2228",
    "accent": "#8ec5ea",
    "added": "#15283a",
    "added-mark": "#245273",
    "added-sign": "#8ec5ea",
    "removed": "#33211a",
    "removed-mark": "#6d3a27",
    "removed-sign": "#f0ab8b",
    "moved": "#242332",
    "moved-sign": "#b9aef0",
    "warning": "#2e2815",
    "warning-text": "#e8cf86",
}
"""Colours of the dark theme."""

_LAYOUT = files("studio.render").joinpath("fragments.css").read_text("utf-8")


def _colours(theme: dict[str, str]) -> str:
    """A theme as custom properties."""
    return " ".join(f"--studio-{name}: {colour};" for name, colour in theme.items())


_DIGITS = "\n".join(f".studio-fragment .digits-{n} col.number {{ width: calc({n}ch + 14px); }}" for n in range(2, 8))

CSS = f"""
.studio-fragment {{ {_colours(LIGHT)} }}
.studio-fragment.dark {{ {_colours(DARK)} color-scheme: dark; }}
@media (prefers-color-scheme: dark) {{ .studio-fragment.auto {{ {_colours(DARK)} color-scheme: dark; }} }}
[data-jp-theme-light="true"] .studio-fragment.auto {{ {_colours(LIGHT)} color-scheme: light; }}
[data-jp-theme-light="false"] .studio-fragment.auto {{ {_colours(DARK)} color-scheme: dark; }}
{_LAYOUT}{_DIGITS}
"""
"""The whole style; put it once into the page or shadow root that shows fragments, or use `fragments.with_style`."""
