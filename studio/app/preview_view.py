"""The Preview place: the composed message exactly as the model gets it (decision 26)."""

from studio.app.elements import Fragment
from studio.app.selection import Place, Shown, Source
from studio.app.session import Session
from studio.domain.agents import Agent
from studio.domain.compose import REGISTERED_FLAGS, Prompt
from studio.domain.guidelines import Flag
from studio.domain.run_kinds import RunKind
from studio.domain.sections import Neutralised
from studio.errors import StudioError
from studio.render import fragments_preview as fragments
from studio.render.fragments_embeds import ledger
from studio.render.tags import joined


class PreviewView:
    """Composes one agent's prompt and shows it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        chosen = session.guarded(self._chosen)
        self.bar = Fragment(on=chosen)
        self.body = Fragment(on=chosen)
        self._prompt: Prompt | None = None
        session.selection.param.watch(self.show, ["agent", "place", "kind", "flags", "shown", "source", "stamp"])
        self.show()

    def show(self, *_: object) -> None:
        """Compose and show, if this place is open."""
        selection, agent = self._session.selection, self._session.agent()
        if selection.place != Place.PREVIEW or agent is None:
            self._prompt = None
            return
        draft = self._session.studio.get_task_draft(agent.id)
        task = draft.text if draft and selection.source == Source.DRAFT else None
        failed = ""
        try:
            self._prompt = self._session.studio.preview(
                agent.id, kind=RunKind(selection.kind), registered=self._registered(), task=task
            )
        except StudioError as error:
            self._prompt, failed = None, str(error)
        self.bar.html = fragments.preview_bar(
            self._prompt,
            kind=selection.kind,
            shown=selection.shown,
            source=selection.source,
            registered=self._registered(),
            draft=draft is not None,
            href=self._session.href,
        )
        prompt = self._prompt
        if prompt is None:
            self.body.html = fragments.cannot_compose(failed)
            return
        places = self._places(agent, prompt, task)
        raw = selection.shown == Shown.RAW
        self._session.show(
            self.body,
            len(prompt.text),
            lambda: joined(
                fragments.sizes(prompt),
                ledger(prompt.embeds, prompt.embed_bytes, self._session.href),
                fragments.warnings(prompt.warnings),
                fragments.neutralised(places),
                fragments.raw(prompt) if raw else fragments.sections(prompt),
            ),
        )

    def _registered(self) -> frozenset[Flag]:
        """What the runtime is taken to have registered tools for; other words in the address are left out."""
        named = self._session.selection.flags.split(",")
        return frozenset(flag for flag in REGISTERED_FLAGS if flag in named)

    def _places(self, agent: Agent, prompt: Prompt, task: str | None) -> list[tuple[Neutralised, int | None]]:
        """Each tag that was made harmless, with its line where its source is a text with lines."""
        if not prompt.neutralised:
            return []
        studio = self._session.studio
        texts = {
            "Task": task if task is not None else studio.get_task_version(agent.id).body.text or "",
            "Memory": studio.get_memory_version(agent.id).body.text or "",
        }
        return [
            (place, texts[place.source].count("\n", 0, place.start) + 1 if place.source in texts else None)
            for place in prompt.neutralised
        ]

    def _chosen(self, action: str, value: str) -> None:
        selection, prompt = self._session.selection, self._prompt
        if action in ("kind", "shown", "source"):
            selection.go(**{action: type(getattr(selection, action))(value)})
        elif action == "flags":
            selection.go(flags=value)
        elif action == "open-note":
            selection.go(place=Place.NOTES, note=value)
        elif action == "copy" and prompt is not None:
            self.bar.give(prompt.text)
            self._session.say(f"Copied {len(prompt.text):,} characters.")
        elif action == "download" and prompt is not None:
            self.bar.give(prompt.text, f"{selection.agent}-{selection.kind}-prompt.txt")
