"""The page on which people sign in: one document that needs nothing else, and no script."""

from studio.render.tags import Html, joined, tag

_CSS = """
body { align-items: center; justify-content: center; padding: 20px; }
.sign-in { width: 100%; max-width: 384px; overflow: visible; flex: none; padding: 28px; scrollbar-gutter: auto;
  background: var(--studio-surface); border: 1px solid var(--studio-border); border-radius: 12px; }
.sign-in h1 { display: flex; align-items: center; gap: 10px; margin: 0 0 10px; font-size: 19px; letter-spacing: -.01em; }
.sign-in p { margin: 0 0 18px; color: var(--studio-muted); }
.sign-in .wrong { padding: 8px 12px; border-radius: 7px; background: var(--studio-removed); color: var(--studio-removed-sign); }
.sign-in label { display: block; margin-bottom: 6px; font-weight: 550; }
.sign-in input { width: 100%; height: 38px; padding: 0 11px; border: 1px solid var(--studio-border); border-radius: 7px;
  background: var(--studio-surface); color: var(--studio-text); font: 14px var(--mono); }
.sign-in input:hover { border-color: var(--studio-muted); }
.sign-in button { width: 100%; height: 38px; margin: 14px 0 18px; border: 0; border-radius: 7px; cursor: pointer;
  background: var(--studio-accent); color: var(--studio-surface); font: 600 14px var(--font); }
.sign-in button:hover { filter: brightness(1.08); }
.sign-in small { display: block; color: var(--studio-muted); font-size: 12.5px; }
.sign-in code { font-family: var(--mono); font-size: .95em; overflow-wrap: anywhere; color: var(--studio-text); }
.sign-in code.whole { white-space: nowrap; }
"""
_MARK = Html(
    '<svg viewBox="0 0 16 16" width="24" height="24" aria-hidden="true"><rect width="16" height="16" rx="4" '
    'fill="var(--studio-accent)"/><path d="M4 5h8M4 8h6M4 11h3" fill="none" stroke="var(--studio-surface)" '
    'stroke-width="1.5" stroke-linecap="round"/></svg>'
)


def sign_in_page(style: str, *, leads_to: str, wrong: str | None = None) -> str:
    """The document.

    Args:
        style: the page's style sheet.
        leads_to: the address that is opened next; the form hands it back.
        wrong: why the last try did not work.
    """
    main = tag(
        "main",
        tag("h1", _MARK, "Prompt Studio"),
        tag("p", wrong, class_="wrong", role="alert", id="wrong") if wrong else None,
        tag("p", "Sign in with a token. What you change here bears its name."),
        _form(leads_to, wrong),
        tag(
            "small",
            "No token? Whoever runs this server makes one: ",
            tag("code", "studio token create NAME --role operator"),
            ", or ",
            tag("code", "--role viewer", class_="whole"),
            " for somebody who reads only.",
        ),
        class_="sign-in",
    )
    head = joined(
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", "Sign in · Prompt Studio"),
        tag("style", Html(style + _CSS)),
    )
    return f"<!DOCTYPE html>\n{tag('html', tag('head', head), tag('body', main), lang='en')}\n"


def _form(leads_to: str, wrong: str | None) -> Html:
    return tag(
        "form",
        tag("input", type="hidden", name="next", value=leads_to),
        tag("label", "Token", for_="token"),
        tag(
            "input",
            id="token",
            name="token",
            type="password",
            autocomplete="current-password",
            required=True,
            autofocus=True,
            spellcheck="false",
            aria_describedby="wrong" if wrong else None,
            aria_invalid="true" if wrong else None,
        ),
        tag("button", "Sign in", type="submit"),
        method="post",
        action="sign-in",
    )


def passing_page(leads_to: str) -> str:
    """A document that opens an address at once: for who comes by a link on another site, whose browser hides our cookie until then."""
    head = joined(
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="refresh", content=f"0;url={leads_to}"),
        tag("title", "Prompt Studio"),
    )
    link = tag("a", "Open Prompt Studio", href=leads_to)
    return f"<!DOCTYPE html>\n{tag('html', tag('head', head), tag('body', link), lang='en')}\n"
