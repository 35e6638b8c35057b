"""Cell routing: the refusal of matches that belong to another cell. The id of a match names its cell."""

from __future__ import annotations

from landsraad.wire.match_names import cell_of
from landsraad_server.cells.cell_map import CellMap
from landsraad_server.refusals import Denied


def wrong_cell(cells: CellMap, cell: str, what: str) -> Denied:
    """Return the refusal that sends a client to another cell."""
    return Denied(
        "WRONG_CELL",
        f"{what} cell {cell}: send the same request to the address of this refusal",
        cell=cell,
        address=cells.cells[cell].address,
    )


class CellRouter:
    """The check of a match's id against the own cell."""

    def __init__(self, cells: CellMap) -> None:
        self._cells = cells

    def check(self, match: str) -> None:
        """Raise `Denied` unless the match belongs to the own cell."""
        cell = cell_of(match) or self._cells.first
        if cell == self._cells.own:
            return
        if cell not in self._cells.cells:
            raise Denied("NO_SUCH_MATCH", "there is no such match")
        raise wrong_cell(self._cells, cell, "the match belongs to")
