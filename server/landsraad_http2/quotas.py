"""Quotas by client address: buffered bytes, and budgets that outlive connections.

All connections share one budget of buffered bytes. When it is full, the largest client loses its largest streams; small
clients are not refused because of what large ones hold.
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

#: A client with one IPv6 address usually controls a network of this size.
_IPV6_PREFIX: Final = 64
#: Quotas without a connection that are kept.
_MOST_IDLE: Final = 10_000
#: An eviction frees this fraction of the budget, so that the next one is far away.
_ROOM: Final = 8
#: The fraction of the budget that every client may hold. Until an eviction has run, larger clients wait.
_ALWAYS: Final = 64
#: The hard bound, as a multiple of the budget.
_HARD: Final = 1.25


class RefillingBudget:
    """A token bucket that refills within so many seconds. It reads the clock only when it is used."""

    __slots__ = ("_loop", "_rate", "_renewed", "left", "size")

    def __init__(self, size: float, seconds: float) -> None:
        self.left = self.size = size
        self._rate = size / seconds
        self._loop = asyncio.get_running_loop()
        self._renewed = self._loop.time()

    def take(self, cost: float) -> bool:
        """Take tokens; return true if there were enough."""
        now = self._loop.time()
        self.left = min(self.size, self.left + (now - self._renewed) * self._rate) - cost
        self._renewed = now
        if self.left >= 0:
            return True
        self.left = max(self.left, -self.size)
        return False


class ClientQuota:
    """The quota of one client address: its connections, their buffered bytes and shared budgets."""

    __slots__ = ("abuse", "active", "connections", "fresh", "kept", "key", "left", "stale", "unpackable", "waiting")

    def __init__(self, key: object, limits: Limits) -> None:
        self.key = key
        self.connections: set[Connection] = set()
        self.kept = 0
        self.abuse = RefillingBudget(limits.address_abuse_budget, limits.beat_seconds)
        self.unpackable = RefillingBudget(limits.address_unpacked_bytes, limits.beat_seconds)
        #: true once it has worked in this turn of the loop; and the seconds of work left to it
        self.active = False
        self.left = 0.0
        #: true while connections of it wait for a turn
        self.waiting = False
        #: connections whose data wait for the next turn: those that had nothing waiting before, and the others
        self.fresh: deque[Connection] = deque()
        self.stale: deque[Connection] = deque()


class ClientQuotas:
    """The quotas of all client addresses, and the budget of buffered bytes that they share."""

    __slots__ = ("_by_key", "_evicting", "_idle_quotas", "_limits", "_loop", "_proxies", "_serial", "bytes")

    def __init__(self, limits: Limits) -> None:
        #: bytes buffered for all clients; see Limits.kept_bytes
        self.bytes = 0
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        self._by_key: dict[object, ClientQuota] = {}
        self._idle_quotas: dict[ClientQuota, float] = {}
        self._evicting = False
        self._proxies = [ipaddress.ip_network(one) for one in limits.proxies]
        self._serial = count()

    def join(self, connection: Connection, name: Any) -> ClientQuota:
        """Return the quota of a new connection from this socket address."""
        self._forget_idle()
        key = self._key(name)
        quota = self._by_key.get(key)
        if quota is None:
            quota = self._by_key[key] = ClientQuota(key, self._limits)
        self._idle_quotas.pop(quota, None)
        quota.connections.add(connection)
        self.charge(quota, CONNECTION_BYTES)
        return quota

    def part(self, connection: Connection, quota: ClientQuota) -> None:
        """Release a connection that has ended. Its quota is kept until the budgets are full again."""
        quota.connections.discard(connection)
        self.charge(quota, -CONNECTION_BYTES)
        if not quota.connections:
            self._idle_quotas[quota] = self._loop.time()

    def _key(self, name: Any) -> object:
        """Return the key of a quota: the address, or one key a connection behind a trusted proxy."""
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

    def _forget_idle(self) -> None:
        idle = self._idle_quotas
        until = self._loop.time() - 2 * self._limits.beat_seconds  # a bucket may be as far below zero as it is large
        while idle:
            quota = next(iter(idle))
            if idle[quota] > until and len(idle) <= _MOST_IDLE:
                return
            del idle[quota], self._by_key[quota.key]

    # ------------------------------------------------------------------------------------------- the memory budget

    def charge(self, quota: ClientQuota, size: int) -> bool:
        """Count buffered bytes (negative: released); return true if they may be kept.

        Above the budget, an eviction follows at the end of this turn. Until then only large clients are refused, and
        only above the hard bound, so that a new client does not pay for old ones.
        """
        quota.kept += size
        self.bytes += size
        most = self._limits.kept_bytes
        if self.bytes <= most or size <= 0:
            return True
        if not self._evicting:
            self._evicting = True
            self._loop.call_soon(self._evict)
        return self.bytes <= most * _HARD or quota.kept <= most // _ALWAYS

    def _evict(self) -> None:
        """Reset the largest streams of the largest holders until there is room again."""
        self._evicting = False
        target = self._limits.kept_bytes - self._limits.kept_bytes // _ROOM
        order = count()
        heap = [(-quota.kept, next(order), quota) for quota in self._by_key.values() if quota.kept]
        heapify(heap)
        while heap and self.bytes > target:
            _, _, quota = heappop(heap)
            # Down to the next one's share at most, for then that is the largest as well.
            next_largest = -heap[0][0] if heap else 0
            excess = min(self.bytes - target, max(quota.kept - next_largest, quota.kept // 4))
            before = quota.kept
            _shed(quota, excess)
            if 0 < quota.kept < before:
                heappush(heap, (-quota.kept, next(order), quota))


def _shed(quota: ClientQuota, excess: int) -> None:
    """End the largest streams of a client, then its largest connections if that is not enough."""
    streams = [(stream.kept, stream.number, one) for one in quota.connections for stream in one.streams.values()]
    streams.sort(key=lambda each: each[0], reverse=True)
    until = quota.kept - excess
    for _, number, connection in streams:
        if quota.kept <= until:
            return
        connection.evict_stream(number)
    for connection in sorted(quota.connections, key=lambda one: one.kept, reverse=True):
        if quota.kept <= until:
            return
        connection.evict_connection()
