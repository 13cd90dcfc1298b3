"""Whether the server is well, what it serves, and to whom; and the demo for a new store."""

from importlib.metadata import PackageNotFoundError, version

from studio.api import metrics, schemas
from studio.api.operations import EVERYONE, OPERATORS, Answer, Call, Operation, Route, answer
from studio.api.problems import Problem
from studio.domain.archive import iso_z
from studio.domain.tokens import Role
from studio.errors import StoreDied, StoreFull, StoreReadOnly, StudioError
from studio.render.wire_backups import lost_record


def health(call: Call) -> Answer:
    """Say whether the store answers and takes writes; a real query is asked. Needs no sign-in."""
    try:
        call.studio.check()
    except StudioError as error:
        raise Problem(503, _why(error)) from None
    lost = call.studio.lost
    return answer({"status": "ok"} | ({} if lost is None else {"lost": lost_record(lost)}))


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
    """Read who you are here, the time, and for operators where the store and its templates lie."""
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
    return answer(record)


def load_demo(call: Call) -> Answer:
    """Fill an empty store with the demo organisation, all of it or nothing."""
    call.studio.load_demo()
    return Answer(status=204)


ROUTES = (
    Route("/health", {"GET": Operation(health, EVERYONE, answers=schemas.HEALTH, open=True)}),
    Route("/api/store", {"GET": Operation(get_store, EVERYONE, answers=schemas.STORE)}),
    Route("/api/demo", {"POST": Operation(load_demo, OPERATORS, status=204)}),
    Route("/metrics", {"GET": Operation(read_metrics, OPERATORS, answers_text=metrics.CONTENT_TYPE)}),
)
