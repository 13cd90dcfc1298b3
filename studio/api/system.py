"""Whether the server is well, what it serves, and to whom; and the demo for a new store."""

from importlib.metadata import PackageNotFoundError, version

from studio.api import metrics, schemas_store
from studio.api.operations import EVERYONE, OPERATORS, Answer, Call, Operation, Route, answer
from studio.api.parameters import Parameter
from studio.api.problems import Problem
from studio.domain.archive import iso_z
from studio.domain.tokens import Role
from studio.errors import StoreDied, StoreFull, StoreReadOnly, StudioError
from studio.render.wire_backups import contents_record, lost_record


def health(call: Call) -> Answer:
    """Say whether the store answers and takes writes; a real query is asked. `deep` checks hashes and links and needs a sign-in."""
    try:
        call.studio.check()
    except StudioError as error:
        raise Problem(503, _why(error)) from None
    lost = call.studio.lost
    said = {} if lost is None else {"lost": lost_record(lost)}
    if call.query.get("deep") in (None, "false"):
        return answer({"status": "ok"} | said)
    contents = call.studio.verify(quick=True)
    sound = contents.checked is not None and not contents.checked.findings
    record = {"status": "ok" if sound else "findings", "store": contents_record(contents)}
    return answer(record | said, status=200 if sound else 503)


def _why(error: StudioError) -> str:
    """Why the store does no work, for anybody: without the place of its file."""
    if isinstance(error, StoreFull | StoreDied):
        return "The store takes no writes: its disk is full, or failed."
    if isinstance(error, StoreReadOnly):
        return "The store takes no writes: its file may only be read."
    return "The store does not answer."


def read_metrics(call: Call) -> Answer:
    """Give the counts that Prometheus reads."""
    try:
        call.studio.check()
    except StudioError:
        well = False
    else:
        well = True
    lost = call.studio.lost
    missing = 0 if lost is None else lost.noted - lost.found
    return Answer(metrics.text(takes_writes=well, missing_changes=missing).encode(), metrics.CONTENT_TYPE)


def release() -> str:
    """The installed release of Prompt Studio."""
    try:
        return version("prompt-studio")
    except PackageNotFoundError:  # run from a checkout
        return "0"


def get_store(call: Call) -> Answer:
    """Read who you are here, the time, and for operators where the store and its templates lie, and whether all its rows are sound."""
    visitor, studio = call.visitor, call.studio
    mine = visitor.role is Role.OPERATOR
    record = {
        "release": release(),
        "now": iso_z(studio.now()),
        "you": {"role": str(visitor.role), "name": visitor.name, "agent": visitor.agent},
        "commits": studio.commits,
        "operator": studio.operator if mine else None,
        "path": studio.path if mine else None,
        "prompts": str(studio.prompts_folder) if mine else None,
        "lost": None if studio.lost is None else lost_record(studio.lost),
    }
    asked = call.query.get("verify")
    if asked is not None and not mine:
        raise Problem(403, f"A token of the role {visitor.role} may not verify the store.")
    verified = {} if asked is None else {"verified": contents_record(studio.verify(quick=asked == "quick"))}
    return answer(record | verified)


def load_demo(call: Call) -> Answer:
    """Fill an empty store with the demo organisation, all of it or nothing."""
    call.studio.load_demo()
    return Answer(status=204)


DEEP = Parameter(
    "deep", {"type": "string", "enum": ["", "true", "false"]}, "Check hashes, sizes and links; operators only."
)
VERIFY = Parameter(
    "verify",
    {"type": "string", "enum": ["quick", "full"]},
    "Check all rows, or hashes, sizes and links alone; operators only.",
)
ROUTES = (
    Route(
        "/health",
        {"GET": Operation(health, EVERYONE, (DEEP,), answers=schemas_store.HEALTH, open=True, closed_by=DEEP.name)},
    ),
    Route("/api/store", {"GET": Operation(get_store, EVERYONE, (VERIFY,), answers=schemas_store.STORE)}),
    Route("/api/demo", {"POST": Operation(load_demo, OPERATORS, status=204)}),
    Route("/metrics", {"GET": Operation(read_metrics, OPERATORS, answers_text=metrics.CONTENT_TYPE)}),
)
