"""Membership: a process's part in its cell: the store of accounts, placement of new matches, and the other cells."""

from __future__ import annotations

from landsraad_server.cells.account_cache import CachedAccounts
from landsraad_server.cells.cell_map import CellMap, read_cell_map
from landsraad_server.cells.peers import Peers
from landsraad_server.cells.placement import Placement
from landsraad_server.cells.routing import CellRouter, wrong_cell
from landsraad_server.config import Config
from landsraad_server.store import Durability, Store, connect, keys
from landsraad_server.store.errors import SetupError

#: Owner of the store of accounts. No cell can have this name, since it is too long.
_ACCOUNTS = "of-all-cells"


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
        await _check_owner(store, "")
        return None
    cells = read_cell_map(config.cells, config.cell)
    await _claim(store, cells.own)
    shared = await connect(config.accounts, durability=Durability.EVERYSEC)
    try:
        await _claim(shared, _ACCOUNTS)
    except BaseException:
        await shared.close()
        raise
    membership = CellMembership(cells, config, store, shared)
    store.accounts = membership.accounts
    return membership


async def _claim(store: Store, owner: str) -> None:
    """Write down to whom a store belongs; SetupError if it belongs to another."""
    await store.link.call(keys.CELL, b"SET", keys.CELL, owner.encode(), b"NX")
    await _check_owner(store, owner)


async def _check_owner(store: Store, owner: str) -> None:
    found = (await store.link.call(keys.CELL, b"GET", keys.CELL, read=True) or b"").decode()
    if found != owner:
        names = {_ACCOUNTS: "the store of accounts", "": "a store of a service without cells"}
        theirs, ours = (names.get(name, f"the store of cell {name}") for name in (found, owner))
        raise SetupError(f"this is {theirs}, and cannot be used as {ours}")
