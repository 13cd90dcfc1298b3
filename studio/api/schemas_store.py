"""The shapes of what is said of the store itself: `schemas` has all others."""

from studio.api.shapes import NUMBER, TEXT, TIME, listed, maybe, shape

LOST = shape(found=NUMBER, noted=NUMBER, at=maybe(TIME), logs=listed(TEXT))
FOUND_OF = {name: maybe(TEXT) for name in ("agent", "name", "text")}
STORE_FINDING = shape(kind=TEXT, **FOUND_OF, version=maybe(NUMBER), what=TEXT, advice=TEXT)
VERIFIED = shape(
    path=TEXT,
    **dict.fromkeys(("size_bytes", "agents", "versions", "runs", "notes"), NUMBER),
    newest_change=maybe(NUMBER),
    lost=maybe(LOST),
    chained_since=maybe(TIME),
    findings=listed(STORE_FINDING),
    heads=shape(found=NUMBER, pruned=NUMBER),
)
STORE = shape(
    release=TEXT,
    now=TIME,
    commits=NUMBER,
    you=shape(role=TEXT, name=TEXT, agent=maybe(TEXT)),
    operator=maybe(TEXT),
    path=maybe(TEXT),
    prompts=maybe(TEXT),
    lost=maybe(LOST),
)
STORE["properties"]["verified"] = VERIFIED  # where it was asked for
HEALTH = shape(status={"enum": ["ok", "findings"]})
HEALTH["properties"]["store"] = VERIFIED  # where it was asked for
