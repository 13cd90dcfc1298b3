"""Processes that a test starts and ends: none outlives its test, and none that hangs keeps the test waiting."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import AnyStr

ENDS_SECONDS = 30


@contextmanager
def ended(
    process: "subprocess.Popen[AnyStr]", by: signal.Signals = signal.SIGTERM
) -> Iterator["subprocess.Popen[AnyStr]"]:
    """A process until the block ends, which then gets the signal.

    Raises:
        subprocess.TimeoutExpired: it went on after the signal; it was killed.
    """
    with process:
        try:
            yield process
        finally:
            process.send_signal(by)
            try:
                process.wait(ENDS_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
