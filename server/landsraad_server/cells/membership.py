"""Membership: a process's part in its cell: the store of accounts, placement of new matches, and the other cells."""

from __future__ import annotations

from landsraad_server.cells.account_cache import CachedAccounts
from landsraad_server.cells.cell_map import CellMap, read_cell_map
from landsraad_server.cells.peers import Peers
from landsraad_server.cells.placement import Placement
from landsraad_server.cells.routing import CellRouter, wrong_cell
from landsraad_server.config import Config
from landsraad_server.store import Durability, Store, connect


class CellMembership:
    """All that a worker of a cell has beside its store."""

    def __init__(self, cells: CellMap, config: Config, store: Store, shared: Store) -> None:
        self.cells = cells
        self.router = CellRouter(cells)
        self.accounts = CachedAccounts(shared.link)
        self.placement = Placement(cells, store, shared.link)
        self.peers = Peers(cells, config)
        self._shared = shared
        shared.on_health = lambda up: self.accounts.distrust() if up else None

    async def check_placement(self, identity: str, request_id: str, wanted: str) -> None:
        """Raise `Denied` if a new match is to be made in another cell. `wanted` is the cell that the request names."""
        cell = await self.placement.choose(identity, request_id, here=wanted == self.cells.own)
        if cell != self.cells.own:
            raise wrong_cell(self.cells, cell, "the match is to be made in")

    async def close(self) -> None:
        """Close the connections to the store of accounts and to the other cells."""
        await self.peers.close()
        await self._shared.close()


async def join_cell(config: Config, store: Store) -> CellMembership | None:
    """Return the membership of this process, whose store then finds accounts in the shared one; None without cells."""
    if config.cells is None:
        return None
    cells = read_cell_map(config.cells, config.cell)
    shared = await connect(config.accounts, durability=Durability.EVERYSEC)
    membership = CellMembership(cells, config, store, shared)
    store.accounts = membership.accounts
    return membership
