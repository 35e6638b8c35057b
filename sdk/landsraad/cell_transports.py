"""Cell transports: the way to the cell of each match, for services of several cells.

The id of a match names its cell. The first call about it goes to the address that the user has given, with the cell in
its metadata: a proxy in front of all cells routes by it. A worker of another cell refuses the call and names the right
address, to which everything about that cell goes from then on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from landsraad.errors import WrongCell
from landsraad.transport import Transport, is_loopback
from landsraad.wire.match_names import cell_of

#: Refusals of one call that are followed; more mean that cells send it round in circles.
MOST_HOPS: Final = 4


class CellTransports:
    """The transports of one client.

    Args:
        home: The transport to the address that the user has given.
        server: That address.
        make: Makes a transport to an address for a cell; None if refusals cannot be followed.
    """

    def __init__(self, home: Transport, server: str, make: Callable[[str, str], Transport] | None) -> None:
        self._home = home
        self._server = server
        self._make = make
        self._hints = True
        #: by cell: the transport and its address. Matches without a cell may have one, too: they belong to some cell
        self._known: dict[str, tuple[str, Transport]] = {}
        self._all = [home]

    def of(self, match: str) -> Transport:
        """Return the transport for a match; that to the given address for no match."""
        cell = cell_of(match)
        if match and cell in self._known:
            return self._known[cell][1]
        if not cell or self._make is None:
            return self._home
        return self._add(cell, self._server, cell)

    def follow(self, match: str, refused: WrongCell) -> Transport | None:
        """Take the way that a refusal names; None if that is impossible.

        Args:
            match: The match; empty if the call is about none, because it creates one.
            refused: The refusal.
        """
        if self._make is None or not refused.address:
            return None
        address, transport = self._known.get(refused.cell, ("", self._home))
        if address != refused.address:
            transport = self._add(refused.cell, refused.address, refused.cell)
        if match and cell_of(match) != refused.cell:
            self._known[cell_of(match)] = refused.address, transport
        return transport

    def forget(self, match: str, failed: Transport) -> None:
        """Go by the given address again after a transport has failed: its cell may have moved."""
        cell = cell_of(match)
        if match and cell in self._known and self._known[cell][1] is failed and self._known[cell][0] != self._server:
            del self._known[cell]

    def hinted(self, hint: str) -> Transport | None:
        """Return a way to the worker of a hint, or None if the hint is of no use here.

        A hint that names the loopback interface leads to another machine's worker if we came from elsewhere.
        """
        if self._make is None or not self._hints or not hint or is_loopback(hint) is not is_loopback(self._server):
            return None
        return self._make(hint, "")

    def ignore_hints(self) -> None:
        """Stop following hints: a proxy stands between the workers and this client, so others would fail as well."""
        self._hints = False

    async def close(self) -> None:
        """Close all transports."""
        await asyncio.gather(*(transport.close() for transport in self._all))

    def _add(self, cell: str, address: str, named: str) -> Transport:
        assert self._make is not None
        transport = self._make(address, named)
        self._all.append(transport)
        self._known[cell] = address, transport
        return transport
