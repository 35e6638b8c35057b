"""Accounts of client addresses: the bytes kept for each, and its budgets, which outlive its connections.

All connections together share one purse of kept bytes. Nobody is refused because of what others hold: when the purse is
full, the largest holder loses its largest streams.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import deque
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from landsraad_http2.limits import CONNECTION_BYTES, Limits

if TYPE_CHECKING:
    from landsraad_http2.connection import Connection

#: An address of IPv6 is worth nothing by itself: whoever has one has a network of this size.
_IPV6_PREFIX: Final = 64
#: Accounts without a connection that are remembered.
_MOST_DESERTED: Final = 10_000
#: An eviction makes so much room that the next is far away.
_ROOM: Final = 8
#: The bytes that an account may always hold, as a part of all: until an eviction has run, larger ones wait.
_ALWAYS: Final = 64
#: The bound that holds even until then.
_HARD: Final = 1.25


class Bucket:
    """A token bucket that fills to its size in so many seconds. Clocks are read only when it is used."""

    __slots__ = ("_loop", "_rate", "_renewed", "left", "size")

    def __init__(self, size: float, seconds: float) -> None:
        self.left = self.size = size
        self._rate = size / seconds
        self._loop = asyncio.get_running_loop()
        self._renewed = self._loop.time()

    def take(self, cost: float) -> bool:
        """Charge it; return whether there was enough."""
        now = self._loop.time()
        self.left = min(self.size, self.left + (now - self._renewed) * self._rate) - cost
        self._renewed = now
        if self.left >= 0:
            return True
        self.left = max(self.left, -self.size)
        return False


class Account:
    """One address: its connections, the bytes kept for them, and what they may do together."""

    __slots__ = ("active", "connections", "fresh", "kept", "key", "left", "stale", "trouble", "unpackable", "waiting")

    def __init__(self, key: object, limits: Limits) -> None:
        self.key = key
        self.connections: set[Connection] = set()
        self.kept = 0
        self.trouble = Bucket(limits.address_trouble, limits.beat_seconds)
        self.unpackable = Bucket(limits.address_unpacked_bytes, limits.beat_seconds)
        #: whether it has worked in this turn of the loop, and the seconds of work that it has left
        self.active = False
        self.left = 0.0
        #: whether some of its connections wait
        self.waiting = False
        #: connections whose data wait for the next turn: those that had nothing waiting before, and the others
        self.fresh: deque[Connection] = deque()
        self.stale: deque[Connection] = deque()


class Accounts:
    """All addresses of a server, and the purse of bytes kept for them."""

    __slots__ = ("_by_key", "_deserted", "_evicting", "_limits", "_loop", "_proxies", "_serial", "bytes")

    def __init__(self, limits: Limits) -> None:
        #: bytes kept for all clients; see Limits.kept_bytes
        self.bytes = 0
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._by_key: dict[object, Account] = {}
        self._deserted: dict[Account, float] = {}
        self._evicting = False
        self._proxies = [ipaddress.ip_network(one) for one in limits.proxies]
        self._serial = count()

    def join(self, connection: Connection, name: Any) -> Account:
        """Return the account of a new connection from this socket address."""
        self._forget_deserted()
        key = self._key(name)
        account = self._by_key.get(key)
        if account is None:
            account = self._by_key[key] = Account(key, self._limits)
        self._deserted.pop(account, None)
        account.connections.add(connection)
        self.charge(account, CONNECTION_BYTES)
        return account

    def part(self, connection: Connection, account: Account) -> None:
        """A connection has ended. Its account is remembered until its budgets are full again."""
        account.connections.discard(connection)
        self.charge(account, -CONNECTION_BYTES)
        if not account.connections:
            self._deserted[account] = self._loop.time()

    def _key(self, name: Any) -> object:
        """Return the address that is answerable; of a proxy, which many clients share, each connection is."""
        if not isinstance(name, tuple):
            return next(self._serial)
        try:
            address = ipaddress.ip_address(name[0].partition("%")[0])
        except ValueError:
            return name[0]
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
            address = address.ipv4_mapped
        if any(address in network for network in self._proxies):
            return next(self._serial)
        return int(address) if address.version == 4 else f"{int(address) >> (128 - _IPV6_PREFIX)}/"

    def _forget_deserted(self) -> None:
        deserted = self._deserted
        until = self._loop.time() - 2 * self._limits.beat_seconds  # a bucket may be as far below zero as it is large
        while deserted:
            account = next(iter(deserted))
            if deserted[account] > until and len(deserted) <= _MOST_DESERTED:
                return
            del deserted[account], self._by_key[account.key]

    # ------------------------------------------------------------------------------------------------------- the purse

    def charge(self, account: Account, size: int) -> bool:
        """Count kept bytes, or fewer; return whether they may be kept.

        When there are too many, an eviction follows at the end of this turn. Until then only a large holder is refused,
        and only if the purse is over its limit by far: whoever has just come pays for nobody.
        """
        account.kept += size
        self.bytes += size
        most = self._limits.kept_bytes
        if self.bytes <= most or size <= 0:
            return True
        if not self._evicting:
            self._evicting = True
            self._loop.call_soon(self._evict)
        return self.bytes <= most * _HARD or account.kept <= most // _ALWAYS

    def _evict(self) -> None:
        """Reset the largest streams of the largest holders until there is room again."""
        self._evicting = False
        target = self._limits.kept_bytes - self._limits.kept_bytes // _ROOM
        order = count()
        heap = [(-account.kept, next(order), account) for account in self._by_key.values() if account.kept]
        heapify(heap)
        while heap and self.bytes > target:
            _, _, account = heappop(heap)
            # Down to the next one's share at most, for then that is the largest as well.
            next_largest = -heap[0][0] if heap else 0
            excess = min(self.bytes - target, max(account.kept - next_largest, account.kept // 4))
            before = account.kept
            _shed(account, excess)
            if 0 < account.kept < before:
                heappush(heap, (-account.kept, next(order), account))


def _shed(account: Account, excess: int) -> None:
    """End the largest streams of an account, and its largest connections if that is not enough."""
    streams = [(stream.kept, stream.number, one) for one in account.connections for stream in one.streams.values()]
    streams.sort(key=lambda each: each[0], reverse=True)
    until = account.kept - excess
    for _, number, connection in streams:
        if account.kept <= until:
            return
        connection.evict(number)
    for connection in sorted(account.connections, key=lambda one: one.kept, reverse=True):
        if account.kept <= until:
            return
        connection.expel()
