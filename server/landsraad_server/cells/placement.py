"""Placement: the cell in which a new match is made.

Each cell publishes its load (open and live matches for each worker) in the store of accounts, where it expires, so that
nothing is placed in a dead cell. A new match is made where it is asked for, unless another cell has clearly more room.
The choice for a request id is remembered: a repeated request must find the match of the first, wherever that was made.
"""

from __future__ import annotations

import asyncio
import time

from landsraad_server.cells.cell_map import CellMap
from landsraad_server.store import IndexState, Store, keys
from landsraad_server.store.pipeline import Link

#: Milliseconds for which a published load is good.
_LOAD_MS = 5000
#: Milliseconds in which one worker of a cell publishes its load.
PUBLISH_MS = 1000
#: Seconds for which a worker keeps the loads that it has read.
_KEPT_SECONDS = 0.5
#: Seconds for which the cell of a request id is remembered.
_PLACED_SECONDS = 7 * 86_400
#: Another cell has clearly more room if the own one has so much more load, and one match of a worker more.
_CLEARLY = 1.1


class Placement:
    """The loads of all cells, and the choice of one by them."""

    def __init__(self, cells: CellMap, store: Store, shared: Link) -> None:
        self._cells = cells
        self._store = store
        self._shared = shared
        self._loads: dict[str, float] = {}
        self._read_at = float("-inf")

    async def publish(self) -> None:
        """Publish the load of the own cell, unless another worker has just done it."""
        lock = keys.LOAD_PUBLISHED
        if not await self._store.link.call(lock, b"SET", lock, b"", b"NX", b"PX", PUBLISH_MS * 9 // 10):
            return
        index = self._store.index
        matches = sum(await asyncio.gather(index.count(IndexState.OPEN), index.count(IndexState.LIVE)))
        load = matches / max(1, len(self._store.roster.workers))
        key = keys.cell_load(self._cells.own)
        await self._shared.call(key, b"SET", key, b"%f" % load, b"PX", _LOAD_MS)

    async def loads(self) -> dict[str, float]:
        """Return the loads of the cells that are alive."""
        now = time.monotonic()
        if now > self._read_at + _KEPT_SECONDS:
            found = await asyncio.gather(*(self._load(cell) for cell in self._cells.cells))
            self._loads = {cell: load for cell, load in zip(self._cells.cells, found, strict=True) if load is not None}
            self._read_at = now
        return self._loads

    async def choose(self, identity: str, request_id: str, *, here: bool) -> str:
        """Return the cell for a new match.

        Args:
            identity: The account that creates it.
            request_id: The id of its request; the choice for it is final. Empty: none.
            here: Whether the request names the own cell, since another has sent it here.
        """
        key = keys.placed(identity, request_id)
        if request_id and (placed := await self._shared.call(key, b"GET", key)) in self._names():
            return str(placed, "ascii")
        cell = self._cells.own if here else await self._roomiest()
        if not request_id:
            return cell
        if await self._shared.call(key, b"SET", key, cell.encode(), b"NX", b"EX", _PLACED_SECONDS):
            return cell
        placed = await self._shared.call(key, b"GET", key)  # The same request, at the same time, at another worker.
        return str(placed, "ascii") if placed in self._names() else cell

    async def _roomiest(self) -> str:
        own = self._cells.own
        loads = await self.loads()
        best = min(loads, key=loads.__getitem__, default=own)
        return best if loads.get(own, 0.0) > loads.get(best, 0.0) * _CLEARLY + 1 else own

    def _names(self) -> set[bytes]:
        return {cell.encode() for cell in self._cells.cells}

    async def _load(self, cell: str) -> float | None:
        key = keys.cell_load(cell)
        load = await self._shared.call(key, b"GET", key, read=True)
        return None if load is None else float(load)
