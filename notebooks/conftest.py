"""The cells of a notebook run together and in order, whatever a plugin does with the order of tests."""

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the cells of each notebook behind its first one, in the order they stand in."""
    cells: dict[pytest.Collector, list[pytest.Item]] = {}
    for item in items:
        if isinstance(item.parent, pytest.File) and item.path.suffix == ".ipynb":
            cells.setdefault(item.parent, []).append(item)
    ordered: list[pytest.Item] = []
    for item in items:
        if item.parent not in cells:
            ordered.append(item)
        elif item is cells[item.parent][0]:
            ordered += sorted(cells[item.parent], key=lambda cell: cell.cell_num)  # type: ignore[attr-defined]
    items[:] = ordered
