"""The look of the page: its style sheets put together."""

from importlib.resources import files

from studio.render import fragments_css


def style() -> str:
    """The style sheet: the page's own, the fragments', and both palettes under the names that fragments use."""
    folder = files("studio.render")
    own = "\n".join(folder.joinpath(name).read_text("utf-8") for name in ("page.css", "places.css", "directory.css"))
    inherited = "".join(f"--studio-{name}: inherit;" for name in fragments_css.LIGHT)
    light, dark = (_palette(colours) for colours in (fragments_css.LIGHT, fragments_css.DARK))
    return "\n".join(
        [
            fragments_css.CSS,
            f":root {{ {light} color-scheme: light; }}",
            f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme=light]) {{ {dark} color-scheme: dark; }} }}",
            f":root[data-theme=dark] {{ {dark} color-scheme: dark; }}",
            f".fragment .studio-fragment {{ {inherited} }}",
            own,
        ]
    )


def _palette(colours: dict[str, str]) -> str:
    return " ".join(f"--studio-{name}: {value};" for name, value in colours.items())
