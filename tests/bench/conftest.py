"""Benches say what they measured: one table at the end, milliseconds beside the ratio to the peer."""

import pytest
from speed import SpeedTable

TABLE = pytest.StashKey[SpeedTable]()


@pytest.fixture(scope="session")
def speed_table(pytestconfig: pytest.Config) -> SpeedTable:
    """Where a bench enters what it measured."""
    return pytestconfig.stash.setdefault(TABLE, SpeedTable())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print the table."""
    table = config.stash.get(TABLE, SpeedTable())
    if table.lines:
        terminalreporter.section("speed: quickest turn (median)")
    for line in table.lines:
        terminalreporter.write_line(str(line))
