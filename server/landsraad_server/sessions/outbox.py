"""What waits for one client: bounded, and written as one frame."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

#: More than this waits for nobody.
MOST_ITEMS = 2048
MOST_BYTES = 4 << 20


class Waiting(NamedTuple):
    """One item, as the bytes of a frame."""

    subscription: int
    body: bytes
    #: part of the log, which a snapshot can stand in for
    log: bool


class Outbox:
    """A queue with one reader, the task that writes to the transport.

    When too much waits, the parts of the log are thrown away and `on_full` is called: a snapshot has to stand in for
    them. When all has been written, `on_empty` is called.
    """

    __slots__ = ("_bytes", "_closed", "_items", "_wake", "on_empty", "on_full")

    def __init__(self, on_full: Callable[[], None], on_empty: Callable[[], None]) -> None:
        self.on_full = on_full
        self.on_empty = on_empty
        self._items: list[Waiting] = []
        self._bytes = 0
        self._wake: asyncio.Future[None] | None = None
        self._closed = False

    def put(self, subscription: int, body: bytes, *, log: bool = False) -> None:
        """Let something be written."""
        self._items.append(Waiting(subscription, body, log))
        self._bytes += len(body)
        if self._wake is not None:
            if not self._wake.done():
                self._wake.set_result(None)
        elif len(self._items) > MOST_ITEMS or self._bytes > MOST_BYTES:
            self._shed()

    def _shed(self) -> None:
        self._items = [item for item in self._items if not item.log]
        self._bytes = sum(len(item.body) for item in self._items)
        self.on_full()

    @property
    def full(self) -> bool:
        """Whether too much waits even without logs: the client does not read at all."""
        return len(self._items) > MOST_ITEMS

    def close(self) -> None:
        """Nothing comes any more; what waits is still written."""
        self._closed = True
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def take(self) -> bytes:
        """All that waits, as one frame; empty once the outbox is closed and nothing waits."""
        while not self._items:
            if self._closed:
                return b""
            self.on_empty()
            if self._items:
                break
            self._wake = asyncio.get_running_loop().create_future()
            try:
                await self._wake
            finally:
                self._wake = None
        items, self._items = self._items, []
        self._bytes = 0
        return b"".join([item.body for item in items])
