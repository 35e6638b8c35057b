"""Outbox: the bounded output queue of one client, with backpressure. All that waits is written as one frame."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from landsraad_server.store.resp import noop

#: Limits of what may wait for one client.
MOST_ITEMS = 2048
MOST_BYTES = 4 << 20
#: Upper limit of the size of an item that no snapshot can replace.
_ITEM_BYTES = 8 << 10


class Outbox:
    """A queue of encoded items with one reader, which writes them to the transport.

    When the queue is full, all items of logs are discarded and `on_full` is called with them: snapshots must stand in
    for them. When all items have been read, `on_empty` is called.

    The reader sets `on_due`, which is called when there is something to write or the outbox is closed, and then calls
    `drain`: once, or, if `report_empty` is set, until that returns nothing.
    """

    __slots__ = (
        "_bytes",
        "_closed",
        "_has_room",
        "_items",
        "_on_empty",
        "_on_full",
        "_permanent",
        "on_due",
        "report_empty",
    )

    def __init__(self, on_full: Callable[[list[bytes]], None], on_empty: Callable[[], None]) -> None:
        self._on_full = on_full
        self._on_empty = on_empty
        self.on_due: Callable[[], None] = noop
        #: whether the reader must drain until `on_empty` is called
        self.report_empty = False
        self._items: list[bytes] = []
        self._permanent: list[int] = []  # The indices of items that no snapshot can replace.
        self._bytes = 0
        self._has_room = asyncio.Event()  # Set while the queue is less than half full.
        self._has_room.set()
        self._closed = False

    def put(self, item: bytes, *, log: bool = False) -> None:
        """Queue an item. `log` says that a snapshot can stand in for it."""
        items = self._items
        if not log:
            self._permanent.append(len(items))
        items.append(item)
        self._bytes += len(item)
        if len(items) == 1:
            self.on_due()
        if len(self._items) > MOST_ITEMS // 2 or self._bytes > MOST_BYTES // 2:
            self._has_room.clear()
            if len(self._items) > MOST_ITEMS or self._bytes > MOST_BYTES:
                self._discard_log_items()

    def make_room(self) -> None:
        """Discard log items now if another item would fill the queue.

        Call this before putting an item that says how far the logs go, since discarding them later would falsify it.
        """
        if len(self._items) >= MOST_ITEMS or self._bytes > MOST_BYTES - _ITEM_BYTES:
            self._discard_log_items()

    def _discard_log_items(self) -> None:
        if self._closed:  # These are the last items: no snapshot will come to stand in for them.
            return
        permanent = set(self._permanent)
        discarded = [item for place, item in enumerate(self._items) if place not in permanent]
        self._items = [self._items[place] for place in self._permanent]
        self._permanent = list(range(len(self._items)))
        self._bytes = sum(map(len, self._items))
        self._on_full(discarded)

    async def wait_for_room(self) -> None:
        """Wait until the queue is less than half full. Call this before putting many items."""
        await self._has_room.wait()

    @property
    def full(self) -> bool:
        """Tell whether too many items wait although all log items were discarded: the client does not read at all."""
        return len(self._items) > MOST_ITEMS

    def close(self) -> None:
        """Close the outbox: what waits is still written, and nothing else is discarded."""
        self._closed = True
        self.on_due()

    def abandon(self) -> None:
        """Close the outbox of a client that has gone, and drop the callbacks, to break reference cycles."""
        self._closed = True
        self.on_due = self._on_full = self._on_empty = noop

    @property
    def due(self) -> bool:
        """Tell whether its reader has anything to do."""
        return bool(self._items) or self._closed or self.report_empty

    @property
    def finished(self) -> bool:
        """Tell whether the outbox is closed and all items have been read."""
        return self._closed and not self._items

    def drain(self) -> bytes:
        """Take all items that wait, as one frame; empty if there are none."""
        if not self._items:
            if not self._closed:
                self._on_empty()
            if not self._items:
                return b""
        items, self._items = self._items, []
        self._permanent.clear()
        self._bytes = 0
        self._has_room.set()
        return b"".join(items)
