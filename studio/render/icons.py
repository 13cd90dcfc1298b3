"""Small pictures drawn in the page itself; each stands beside words that say the same, so it is hidden from screen readers."""

from studio.domain.authors import AuthorKind
from studio.render.tags import Html

_PATHS = {
    "run": '<rect x="3" y="6" width="10" height="7" rx="2"/><path d="M8 6V3M6 9.2v.6M10 9.2v.6M1.5 9v2M14.5 9v2"/>',
    "operator": '<circle cx="8" cy="5.2" r="2.7"/><path d="M2.8 13.6c.5-2.8 2.6-4.2 5.2-4.2s4.7 1.4 5.2 4.2"/>',
    "agent": '<path d="M8 2l5.2 3v6L8 14l-5.2-3V5z"/><path d="M8 6.5v3"/>',
    "unknown": '<circle cx="8" cy="8" r="5.7"/><path d="M6.3 6.3c.2-2 3.5-1.9 3.4.1 0 1.3-1.7 1.4-1.7 2.5M8 11.2v.2"/>',
    "group": '<circle cx="5.5" cy="6" r="2.2"/><circle cx="11" cy="7" r="2"/><path d="M1.5 13q1-3.6 4-3.6t4 3.6"/>',
    "schedule": '<circle cx="8" cy="8" r="5.7"/><path d="M8 4.8V8l2.3 1.6"/>',
    "note": '<path d="M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3M5.8 8.5h4.4M5.8 11h3"/>',
    "folder": '<path d="M2 4.5h4l1.5 1.7H14v7H2z"/>',
    "table": '<path d="M2.5 3.5h11v9h-11zM2.5 6.5h11M6.2 6.5v6"/>',
    "search": '<circle cx="7" cy="7" r="4.3"/><path d="M10.3 10.3L14 14"/>',
    "warning": '<path d="M8 2.2l6.2 11H1.8zM8 6.5v3M8 11.4v.2"/>',
    "close": '<path d="M4 4l8 8M12 4l-8 8"/>',
}


def icon(name: str) -> Html:
    """One picture, as large as the text around it."""
    return Html(
        '<svg class="icon" viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" stroke-width="1.4"'
        f' stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">{_PATHS[name]}</svg>'
    )


def author_icon(kind: AuthorKind) -> Html:
    """The picture of a kind of author."""
    return icon(str(kind))
