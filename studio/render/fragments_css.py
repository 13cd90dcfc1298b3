"""The look of our fragments, in one place: colours for light and dark, and the layout.

A fragment carries its theme as a class on its root, so the same style works in a page, in a shadow root and in a notebook:
`light`, `dark`, or `auto` (the surroundings decide: JupyterLab's theme, else what the system prefers).
Additions are blue and removals clay rather than green and red, so that they differ for everyone; signs say the same.
"""

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

_LAYOUT = """
.studio-fragment {
  background: var(--studio-surface); color: var(--studio-text);
  border: 1px solid var(--studio-border); border-radius: 8px; overflow: hidden;
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; text-align: left; container-type: inline-size;
}
.studio-fragment *, .studio-fragment *::before { box-sizing: border-box; }
.studio-fragment .only-read {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
.studio-fragment .bar {
  display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; margin: 0; padding: 7px 12px;
  background: var(--studio-soft); border-bottom: 1px solid var(--studio-border); color: var(--studio-muted); font-size: 13px;
}
.studio-fragment .bar strong { font-weight: 600; color: var(--studio-text); }
.studio-fragment .bar .added { color: var(--studio-added-sign); font-weight: 600; }
.studio-fragment .bar .removed { color: var(--studio-removed-sign); font-weight: 600; }
.studio-fragment .bar .moved { color: var(--studio-moved-sign); }
.studio-fragment .said {
  margin: 0; padding: 7px 12px; background: var(--studio-warning); color: var(--studio-warning-text);
  border-bottom: 1px solid var(--studio-border); font-size: 13px;
}
.studio-fragment .message { margin: 0; padding: 22px 12px; text-align: center; color: var(--studio-muted); }
.studio-fragment table.lines {
  width: 100%; margin: 0; border: 0; border-collapse: collapse; table-layout: fixed; background: none; color: inherit;
  font: 12.5px/1.55 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "Noto Sans Mono CJK SC", monospace;
  font-variant-ligatures: none; tab-size: 4;
}
.studio-fragment table.lines tr { background: none; border: 0; }
.studio-fragment table.lines td, .studio-fragment table.lines th {
  padding: 0; border: 0; vertical-align: top; text-align: left; max-width: none; font-weight: inherit;
}
.studio-fragment col.number { width: var(--studio-digits, 4ch); }
.studio-fragment col.sign { width: 2.4ch; }
.studio-fragment table.lines td.number {
  padding: 0 8px 0 4px; text-align: right; color: var(--studio-muted); user-select: none;
  font-variant-numeric: tabular-nums; white-space: nowrap;
}
.studio-fragment table.lines td.sign { text-align: center; color: var(--studio-muted); user-select: none; }
.studio-fragment table.lines td.text { padding-right: 10px; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.studio-fragment table.sides td.text { border-right: 1px solid var(--studio-border); padding-left: 2px; }
.studio-fragment table.sides td.text:last-child { border-right: 0; }
.studio-fragment td.added { background: var(--studio-added); }
.studio-fragment td.removed { background: var(--studio-removed); }
.studio-fragment td.moved { background: var(--studio-moved); }
.studio-fragment td.absent { background: var(--studio-soft); }
.studio-fragment table.lines td.sign.added, .studio-fragment table.lines td.number.added { color: var(--studio-added-sign); }
.studio-fragment table.lines td.sign.removed, .studio-fragment table.lines td.number.removed { color: var(--studio-removed-sign); }
.studio-fragment table.lines td.sign.moved, .studio-fragment table.lines td.number.moved { color: var(--studio-moved-sign); }
.studio-fragment ins, .studio-fragment del { text-decoration: none; color: inherit; background: none; }
.studio-fragment ins.word { background: var(--studio-added-mark); border-radius: 3px; box-shadow: 0 0 0 1px var(--studio-added-mark); }
.studio-fragment del.word { background: var(--studio-removed-mark); border-radius: 3px; box-shadow: 0 0 0 1px var(--studio-removed-mark); }
.studio-fragment table.lines tr.fold td, .studio-fragment table.lines tr.note td {
  padding: 3px 12px; color: var(--studio-muted); font: 12.5px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
}
.studio-fragment table.lines tr.fold td {
  background: var(--studio-soft); border-top: 1px solid var(--studio-border); border-bottom: 1px solid var(--studio-border);
}
.studio-fragment table.lines tr.fold:first-child td { border-top: 0; }
.studio-fragment table.lines tr.fold:last-child td { border-bottom: 0; }
.studio-fragment table.lines tr.note td { background: var(--studio-moved); color: var(--studio-moved-sign); }
.studio-fragment .aside {
  margin-left: 6px; padding: 0 5px; border: 1px solid var(--studio-border); border-radius: 4px; color: var(--studio-muted);
  background: var(--studio-surface); font: 11.5px/1.4 system-ui, -apple-system, "Segoe UI", sans-serif; white-space: normal; user-select: none;
}
.studio-fragment .aside:first-child { margin: 0 6px 0 0; }
.studio-fragment .invisible {
  margin: 0 1px; padding: 0 3px; border-radius: 3px; background: var(--studio-warning); color: var(--studio-warning-text);
  box-shadow: inset 0 0 0 1px currentColor; font-size: 0.82em; white-space: nowrap; cursor: help;
}
.studio-fragment .prose { padding: 4px 18px 12px; max-width: 78ch; overflow-wrap: anywhere; }
.studio-fragment .prose pre { padding: 10px 12px; background: var(--studio-soft); border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
.studio-fragment .prose code { font: 0.9em ui-monospace, Menlo, Consolas, monospace; color: inherit; background: none; }
.studio-fragment .prose :not(pre) > code { padding: 1px 4px; background: var(--studio-soft); border-radius: 4px; }
.studio-fragment .prose a { color: var(--studio-accent); }
.studio-fragment .prose .target, .studio-fragment .prose .info { color: var(--studio-muted); font-size: 0.85em; }
.studio-fragment .prose blockquote { margin: 8px 0; padding: 0 12px; border-left: 3px solid var(--studio-border); color: var(--studio-muted); }
.studio-fragment .prose table { border-collapse: collapse; display: block; overflow-x: auto; }
.studio-fragment .prose td, .studio-fragment .prose th { padding: 3px 9px; border: 1px solid var(--studio-border); }
.studio-fragment .prose h1 { font-size: 1.5em; } .studio-fragment .prose h2 { font-size: 1.25em; } .studio-fragment .prose h3 { font-size: 1.1em; }
@container (max-width: 520px) {
  .studio-fragment table.lines { font-size: 12px; }
  .studio-fragment table.lines td.number { padding: 0 4px 0 2px; }
}
"""


def _colours(theme: dict[str, str]) -> str:
    """A theme as custom properties."""
    return " ".join(f"--studio-{name}: {colour};" for name, colour in theme.items())


CSS = f"""
.studio-fragment {{ {_colours(LIGHT)} }}
.studio-fragment.dark {{ {_colours(DARK)} color-scheme: dark; }}
@media (prefers-color-scheme: dark) {{ .studio-fragment.auto {{ {_colours(DARK)} color-scheme: dark; }} }}
[data-jp-theme-light="true"] .studio-fragment.auto {{ {_colours(LIGHT)} color-scheme: light; }}
[data-jp-theme-light="false"] .studio-fragment.auto {{ {_colours(DARK)} color-scheme: dark; }}
{_LAYOUT}"""
"""The whole style; put it once into the page or shadow root that shows fragments, or use `fragments.with_style`."""
