"""Clients that ask a served store over REST, each in a thread, in a process of their own.

`python rest_load.py URL SECRET write|read CLIENTS SECONDS [EACH_SECOND]` prints as JSON how many requests were answered, in how many
seconds, and how long each answer took. With EACH_SECOND that many requests are due in each second, evenly among the clients, and an
answer's time runs from when its request was due, so that a client held up by one answer does not hide what the next ones waited.
"""

import http.client
import json
import sys
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

AGENTS = 1_000
"""How many agents the store has."""
LINE = "- a line of a memory that is as long as those of the store are, so that eight kilobytes are a hundred lines of it\n"


def memory(number: int) -> bytes:
    """A text of about 8 KB, of which one line is new."""
    return (LINE * 70 + f"- one more line, number {number}\n").encode()


@dataclass(slots=True)
class Client:
    """One client: what it asks and what it saw."""

    url: str
    secret: str
    writes: bool
    number: int
    """Its own, from 0; it asks for agents that no other client does."""
    clients: int
    milliseconds: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def run(self, until: float, due: float, every: float | None) -> None:
        """Ask until a time, each request when it is due or straight after the answer before."""
        place = urlsplit(self.url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=60)
        turn = 0
        while due < until and time.perf_counter() < until:
            if (left := due - time.perf_counter()) > 0:
                time.sleep(left)
            begun = due if every is not None else time.perf_counter()
            self._ask(connection, turn)
            self.milliseconds.append((time.perf_counter() - begun) * 1e3)
            due += every or 0.0
            turn += 1
        connection.close()

    def _ask(self, connection: http.client.HTTPConnection, turn: int) -> None:
        agent = f"/api/agents/a_{(self.number + turn * self.clients * 7) % AGENTS:06d}"
        bearer = {"Authorization": f"Bearer {self.secret}"}
        if self.writes:
            connection.request("PUT", f"{agent}/files/memory.md", memory(turn), {**bearer, "If-Match": "*"})
        else:
            what = ("/memory?limit=50", "/files/memory.md", "/memory/30")[turn % 3]
            connection.request("GET", agent + what, headers=bearer)
        answer = connection.getresponse()
        said = answer.read()
        if answer.status != http.client.OK:
            self.failed.append(said.decode())


def main(url: str, secret: str, what: str, clients: str, seconds: str, each_second: str = "") -> None:
    """Let the clients ask, and print what they saw."""
    count = int(clients)
    every = count / float(each_second) if each_second else None
    asking = [Client(url, secret, what == "write", number, count) for number in range(count)]
    begun = time.perf_counter()
    until = begun + float(seconds)
    threads = [
        threading.Thread(target=one.run, args=(until, begun + (every or 0.0) * one.number / count, every))
        for one in asking
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - begun
    milliseconds = sorted(one for client in asking for one in client.milliseconds)
    failed = [said for client in asking for said in client.failed]
    print(json.dumps({"answered": len(milliseconds), "seconds": took, "milliseconds": milliseconds, "failed": failed}))


if __name__ == "__main__":
    main(*sys.argv[1:])
