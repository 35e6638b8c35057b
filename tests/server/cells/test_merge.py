"""Merged pages against a list of everything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from landsraad_server.api.merged_lists import merge

Cell = list[tuple[str, bool]]


def page(cell: Cell, size: int, after: str, *, newest_first: bool) -> tuple[list[str], str]:
    """Return a page as a cell makes it: it reads so many, and leaves out those that are hidden."""
    ordered = sorted(cell, reverse=newest_first)
    behind = [one for one in ordered if not after or (one[0] < after if newest_first else one[0] > after)]
    read = behind[:size]
    return [name for name, shown in read if shown], read[-1][0] if len(read) == size else ""


PLACES = st.integers(0, 99).map("{:02d}".format)
CELLS = st.lists(st.dictionaries(PLACES, st.booleans(), max_size=12), min_size=1, max_size=4)


@pytest.mark.parametrize("newest_first", [True, False])
@given(drawn=CELLS, size=st.integers(1, 5))
def test_pages_hold_everything_once_and_in_order(newest_first: bool, drawn: list[dict[str, bool]], size: int) -> None:
    # A place is unique over all cells: it ends with the id of the match, which names the cell.
    cells: list[Cell] = [
        [(f"{place} {number}", shown) for place, shown in cell.items()] for number, cell in enumerate(drawn)
    ]
    everything = sorted((name for cell in cells for name, shown in cell if shown), reverse=newest_first)
    found: list[str] = []
    token = ""
    for _ in range(sum(map(len, cells)) + 2):
        pages = [page(cell, size, token, newest_first=newest_first) for cell in cells]
        items, token = merge(pages, size, str, newest_first=newest_first)
        assert len(items) <= size
        found += items
        if not token:
            break
    assert not token
    assert found == everything
