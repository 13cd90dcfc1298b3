"""An agent's Task: its timeline, its live text as a file, the draft, and the prompt that all of it makes."""

from studio.actions.drafts import NO_DRAFT
from studio.api import schemas
from studio.api.listing import answer_page, answer_whole, page_of
from studio.api.memory import AGAINST, BY_AUTHOR, PAGE_VERSIONS, change_answer, number_of, saved_answer, text_answer
from studio.api.operations import (
    EVERYONE,
    MARKDOWN,
    OPERATORS,
    READERS,
    Answer,
    Call,
    Guarding,
    Operation,
    Route,
    answer,
)
from studio.api.parameters import choice, integer
from studio.api.tables import Paging, Table
from studio.domain.drafts import TaskDraft
from studio.domain.guidelines import Flag
from studio.domain.records import text_record
from studio.domain.run_kinds import RunKind
from studio.errors import NoDraft, NoReplacedDraft
from studio.render.wire import (
    draft_record,
    expansion_record,
    prompt_record,
    replaced_draft_record,
    review_record,
    task_version_record,
)

TASK_VERSIONS = Table("versions", schemas.TASK_VERSION, Paging.BEFORE, page_rows=PAGE_VERSIONS)

REPLACED = Table("drafts", schemas.REPLACED_DRAFT)


def list_task(call: Call) -> Answer:
    """List the Task's versions, newest first, without their texts."""
    page = page_of(call, TASK_VERSIONS)
    found = call.studio.list_task_versions(
        call.agent, author=call.query.get("author") or None, limit=page.one_more, before=page.before
    )
    return answer_page(call, TASK_VERSIONS, found, task_version_record, number=number_of)


def get_task_version(call: Call) -> Answer:
    """Read a version of the Task with its text, or its change from another version."""
    number = int(call.named["version"])
    if "against" in call.query:
        return change_answer(call, call.studio.compare_task(call.agent, number, call.query["against"]))
    found = call.studio.get_task_version(call.agent, number)
    return answer(text_record(found), etag=found.body.sha256)


def restore_task(call: Call) -> Answer:
    """Publish an old version's text as a new version by the operator."""
    saved = call.studio.restore_task(
        call.agent,
        int(call.named["version"]),
        expect=call.expect,
        yes_to=call.yes_to,
    )
    return saved_answer(saved)


def get_task(call: Call) -> Answer:
    """Read the live Task, byte for byte."""
    return text_answer(call.studio.get_task_version(call.agent).body)


def put_task(call: Call) -> Answer:
    """Publish a text as the Task, in the operator's name; a draft that is there stays."""
    saved = call.studio.save_task(
        call.agent,
        call.text,
        expect=call.expect,
        force=call.force,
        yes_to=call.yes_to,
    )
    return saved_answer(saved)


def get_draft(call: Call) -> Answer:
    """Read the draft of the Task with its text."""
    draft = call.studio.get_task_draft(call.agent)
    if draft is None:
        raise NoDraft(call.studio.get_agent(call.agent).name)
    return _draft(draft)


def put_draft(call: Call) -> Answer:
    """Keep a draft; the live Task stays as it is."""
    expect = NO_DRAFT if call.only_new else call.expect
    based_on = call.query.get("based_on")
    return _draft(call.studio.draft_task(call.agent, call.text, based_on=based_on, expect=expect, force=call.force))


def _draft(draft: TaskDraft) -> Answer:
    return answer(draft_record(draft) | {"text": draft.text}, etag=draft.etag)


def list_drafts(call: Call) -> Answer:
    """List the drafts that were discarded or that somebody else's replaced, the last to go first, without their texts."""
    return answer_whole(call, REPLACED, call.studio.list_replaced_drafts(call.agent), replaced_draft_record)


def get_replaced_draft(call: Call) -> Answer:
    """Read a draft that was discarded or replaced with its text."""
    number = int(call.named["draft"])
    for one in call.studio.list_replaced_drafts(call.agent):
        if one.number == number:
            return answer(replaced_draft_record(one) | {"text": one.draft.text})
    raise NoReplacedDraft(call.studio.get_agent(call.agent).name, number)


def restore_draft(call: Call) -> Answer:
    """Make a draft that was discarded or replaced the draft again; the one that it replaces is kept in its turn."""
    expect = NO_DRAFT if call.only_new else call.expect
    number = int(call.named["draft"])
    return _draft(call.studio.restore_task_draft(call.agent, number, expect=expect, force=call.force))


def delete_draft(call: Call) -> Answer:
    """Drop the draft; it can be brought back."""
    call.studio.discard_task_draft(call.agent, expect=call.expect)
    return Answer(status=204)


def review_draft(call: Call) -> Answer:
    """Read what publishing the draft would do: the change from the live Task, and what it would ask."""
    review = call.studio.review_task(call.agent)
    return answer(review_record(review), etag=review.draft.etag)


def expand_task(call: Call) -> Answer:
    """Read what becomes of every embed of a Task's text, one that is not stored too."""
    return answer(expansion_record(call.studio.expand_task(call.text)))


def preview_prompt(call: Call) -> Answer:
    """Read the prompt as a run would be given it with another Task, another memory, or tools that its runtime registers."""
    given = call.data
    prompt = call.studio.preview(
        call.agent,
        kind=RunKind(given.get("kind", RunKind.DIRECT)),
        registered=frozenset(Flag(one) for one in given.get("registered", ())),
        task=given.get("task"),
        memory_text=given.get("memory"),
    )
    return answer(prompt_record(prompt))


def publish(call: Call) -> Answer:
    """Make the draft the live Task. If-Match is the ETag of the draft that was reviewed."""
    given = call.data
    saved = call.studio.publish_task(
        call.agent,
        note=given.get("note"),
        force=given.get("force", False),
        yes_to=call.yes_to,
        expect=call.expect,
    )
    return saved_answer(saved)


def get_prompt(call: Call) -> Answer:
    """Compose the prompt as a run created now would store it."""
    return answer(prompt_record(call.studio.preview(call.agent, kind=RunKind(call.query.get("kind", RunKind.DIRECT)))))


_GUARDED = Guarding.MATCH
ROUTES = (
    Route("/api/agents/{agent}/task", {"GET": Operation(list_task, READERS, query=BY_AUTHOR, table=TASK_VERSIONS)}),
    Route(
        "/api/agents/{agent}/task/draft",
        {
            "GET": Operation(get_draft, READERS, answers=schemas.DRAFT_TEXT),
            "PUT": Operation(
                put_draft,
                OPERATORS,
                query=(integer("based_on", "The Task version that the draft starts from."),),
                takes_text=MARKDOWN,
                guarding=Guarding.MATCH_OR_NEW,
                answers=schemas.DRAFT_TEXT,
            ),
            "DELETE": Operation(delete_draft, OPERATORS, guarding=_GUARDED, status=204),
        },
    ),
    Route("/api/agents/{agent}/task/drafts", {"GET": Operation(list_drafts, READERS, table=REPLACED)}),
    Route(
        "/api/agents/{agent}/task/drafts/{draft}",
        {"GET": Operation(get_replaced_draft, READERS, answers=schemas.REPLACED_DRAFT_TEXT)},
    ),
    Route(
        "/api/agents/{agent}/task/drafts/{draft}/restore",
        {"POST": Operation(restore_draft, OPERATORS, guarding=Guarding.MATCH_OR_NEW, answers=schemas.DRAFT_TEXT)},
    ),
    Route(
        "/api/agents/{agent}/task/publish",
        {
            "POST": Operation(
                publish, OPERATORS, takes=schemas.PUBLISH, guarding=_GUARDED, asks=True, answers=schemas.SAVED
            )
        },
    ),
    Route(
        "/api/agents/{agent}/task/{version}",
        {"GET": Operation(get_task_version, READERS, query=AGAINST, answers=schemas.VERSION)},
    ),
    Route(
        "/api/agents/{agent}/task/{version}/restore",
        {"POST": Operation(restore_task, OPERATORS, guarding=_GUARDED, asks=True, answers=schemas.SAVED)},
    ),
    Route("/api/agents/{agent}/task/review", {"GET": Operation(review_draft, READERS, answers=schemas.REVIEW)}),
    Route(
        "/api/expansion",
        {"POST": Operation(expand_task, READERS, takes_text=MARKDOWN, reads=True, answers=schemas.EXPANSION)},
    ),
    Route(
        "/api/agents/{agent}/files/task.md",
        {
            "GET": Operation(get_task, EVERYONE, answers_text=MARKDOWN),
            "PUT": Operation(
                put_task,
                OPERATORS,
                takes_text=MARKDOWN,
                guarding=_GUARDED,
                asks=True,
                answers=schemas.SAVED,
            ),
        },
    ),
    Route(
        "/api/agents/{agent}/prompt",
        {
            "GET": Operation(
                get_prompt,
                EVERYONE,
                query=(choice("kind", "For which kind of run; direct without it.", RunKind),),
                answers=schemas.PROMPT,
            ),
            "POST": Operation(preview_prompt, READERS, takes=schemas.PREVIEW, reads=True, answers=schemas.PROMPT),
        },
    ),
)
