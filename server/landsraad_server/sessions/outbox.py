"""What waits for one client: bounded, and written as one frame."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

#: More than this waits for nobody.
MOST_ITEMS = 2048
MOST_BYTES = 4 << 20
#: So long may a part of the log wait that asks nothing of its reader. A write costs far more than what is written, and
#: most of a match is told to seats that only look on: what they are told in this time goes out together. It is about
#: what one picture lasts on a screen, and shorter than most ways through the network.
LINGER_SECONDS = 0.025


class Outbox:
    """A queue of items, each the bytes of a frame, with one reader: the task that writes to the transport.

    An item that is `patient` waits a little for others. The first that is not takes all that wait along, so the order
    is always kept. When too much waits, the parts of the log are thrown away and `on_full` is called: a snapshot has to
    stand in for them. When all has been written, `on_empty` is called.
    """

    __slots__ = ("_bytes", "_closed", "_due", "_items", "_lingering", "_on_empty", "_on_full", "_wake")

    def __init__(self, on_full: Callable[[], None], on_empty: Callable[[], None]) -> None:
        self._on_full = on_full
        self._on_empty = on_empty
        self._items: list[tuple[bytes, bool]] = []
        self._bytes = 0
        self._due = False  # what waits is to be written now
        self._lingering = False  # it will be, at the latest when the timer says so
        self._wake: asyncio.Future[None] | None = None
        self._closed = False

    def put(self, item: bytes, *, log: bool = False, patient: bool = False) -> None:
        """Let an item be written; `log` says that a snapshot can stand in for it."""
        self._items.append((item, log))
        self._bytes += len(item)
        if not patient:
            self._hurry()
        elif not (self._due or self._lingering):
            self._lingering = True
            asyncio.get_running_loop().call_later(LINGER_SECONDS, self._lingered)
        if len(self._items) > MOST_ITEMS or self._bytes > MOST_BYTES:
            self._items = [kept for kept in self._items if not kept[1]]
            self._bytes = sum(len(body) for body, _ in self._items)
            self._hurry()
            self._on_full()

    @property
    def full(self) -> bool:
        """Whether too much waits although all logs were thrown away: the client does not read at all."""
        return len(self._items) > MOST_ITEMS

    def close(self) -> None:
        """Nothing comes any more; what waits is still written."""
        self._closed = True
        self._hurry()

    def _lingered(self) -> None:
        self._lingering = False
        if self._items:
            self._hurry()

    def _hurry(self) -> None:
        self._due = True
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def take(self) -> bytes:
        """All that waits, as one frame, once some of it is due; empty once the outbox is closed and nothing waits."""
        while not (self._items and self._due):
            if not self._items:
                if self._closed:
                    return b""
                self._due = False
                self._on_empty()
                if self._due:
                    continue
            self._wake = asyncio.get_running_loop().create_future()
            try:
                await self._wake
            finally:
                self._wake = None
        items, self._items = self._items, []
        self._bytes = 0
        self._due = False
        return b"".join([body for body, _ in items])
