"""What waits for one client: bounded, and written as one frame."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

#: More than this waits for nobody.
MOST_ITEMS = 2048
MOST_BYTES = 4 << 20


class Outbox:
    """A queue of items, each the bytes of a frame, with one reader: the task that writes to the transport.

    When too much waits, the parts of the log are thrown away and `on_full` is called: a snapshot has to stand in for
    them. When all has been written, `on_empty` is called.
    """

    __slots__ = ("_bytes", "_closed", "_items", "_on_empty", "_on_full", "_wake")

    def __init__(self, on_full: Callable[[], None], on_empty: Callable[[], None]) -> None:
        self._on_full = on_full
        self._on_empty = on_empty
        self._items: list[tuple[bytes, bool]] = []
        self._bytes = 0
        self._wake: asyncio.Future[None] | None = None
        self._closed = False

    def put(self, item: bytes, *, log: bool = False) -> None:
        """Let an item be written; `log` says that a snapshot can stand in for it."""
        self._items.append((item, log))
        self._bytes += len(item)
        if self._wake is not None:
            self._wake_up()
        if len(self._items) > MOST_ITEMS or self._bytes > MOST_BYTES:
            self._items = [kept for kept in self._items if not kept[1]]
            self._bytes = sum(len(body) for body, _ in self._items)
            self._on_full()

    @property
    def full(self) -> bool:
        """Whether too much waits although all logs were thrown away: the client does not read at all."""
        return len(self._items) > MOST_ITEMS

    def close(self) -> None:
        """Nothing comes any more; what waits is still written."""
        self._closed = True
        self._wake_up()

    def _wake_up(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def take(self) -> bytes:
        """All that waits, as one frame; empty once the outbox is closed and nothing waits."""
        while not self._items:
            if self._closed:
                return b""
            self._on_empty()
            if not self._items:
                self._wake = asyncio.get_running_loop().create_future()
                try:
                    await self._wake
                finally:
                    self._wake = None
        items, self._items = self._items, []
        self._bytes = 0
        return b"".join([body for body, _ in items])
