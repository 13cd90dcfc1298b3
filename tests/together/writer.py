"""A program that writes one agent's memory beside others, until it is ended: a person's, or a runtime with the agent's token.

`python writer.py person STORE AGENT NAME WRITES` saves; `python writer.py runtime URL AGENT NAME WRITES TOKEN` wakes, writes and ends
its wake, as a runtime does. WRITES is how often, 0 for ever. Each line that it prints is a write that was acknowledged, or an error.
"""

import json
import sys
import time
import uuid
from collections.abc import Iterator
from itertools import count, islice

from studio import RunKind, Studio, StudioError, Trigger, open_studio
from studio.domain.runs import RunStatus

WRITES_A_WAKE = 3
PAUSE_SECONDS = 0.02


def text(name: str, number: int) -> str:
    """A text that nobody else writes, with lines that repeat, that stay and that move."""
    kept = "".join(f"- rule {line}\n" for line in range(number % 7, 12))
    again = "- again\n" * (number % 3)
    return f"# {name}\n\n{kept}\n- rule 3\nWritten as {uuid.uuid4()}.\n{again}"


def said(**told: object) -> None:
    """Print one line at once."""
    print(json.dumps(told), flush=True)


def person(studio: Studio, agent: str, name: str) -> Iterator[None]:
    """Save over whatever is live, for ever."""
    for number in count():
        content = text(name, number)
        saved = studio.save_memory(agent, content, force=True, operator=name)
        said(agent=agent, version=saved.version, text=content, kind="operator", name=name)
        yield


def runtime(studio: Studio, agent: str, name: str) -> Iterator[None]:
    """Wake, write the memory a few times and end the wake, for ever."""
    for number in count():
        run = studio.create_run(agent, Trigger(RunKind.SCHEDULE, instruction=f"wake {number} of {name}"))
        for call in range(WRITES_A_WAKE):
            content = text(name, number * WRITES_A_WAKE + call)
            answer = studio.call_tool(agent, "memory_write", {"content": content}, run=run.id, call=f"c_{call}")
            if answer.accepted:
                said(agent=agent, text=content, kind="run", name=run.id)
            else:
                said(error=answer.text)
            if call == WRITES_A_WAKE - 1:
                studio.finish_run(run.id, RunStatus.COMPLETED)
            yield


def main(what: str, store: str, agent: str, name: str, writes: str, token: str | None = None) -> None:
    """Write until it is enough; an error is told, and then it goes on."""
    left = int(writes) or sys.maxsize
    with open_studio(store, token=token, operator=name if token is None else None) as studio:
        writing = runtime if what == "runtime" else person
        while left:
            try:
                for _ in islice(writing(studio, agent, name), left):
                    left -= 1
                    time.sleep(PAUSE_SECONDS)
            except StudioError as error:
                said(error=f"{type(error).__name__}: {error}")
                time.sleep(PAUSE_SECONDS)


if __name__ == "__main__":
    main(*sys.argv[1:])
