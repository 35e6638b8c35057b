"""What waits for one client: bounded, and written as one frame."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from landsraad_server.store.resp import noop

#: More than this waits for nobody.
MOST_ITEMS = 2048
MOST_BYTES = 4 << 20
#: More than any item has that is not of a log.
_ITEM_BYTES = 8 << 10


class Outbox:
    """A queue of items, each the bytes of a frame, with one reader: whoever writes to the transport.

    When too much waits, the parts of the log are thrown away and `on_full` is called: a snapshot has to stand in for
    them. When all has been written, `on_empty` is called.

    The reader may `take` one frame after the other; or it lets `on_due` tell it that there is something to be written,
    or that nothing comes any more, and then `gather`s: once, or, if it is `watched`, until that gives nothing.
    """

    __slots__ = ("_bytes", "_closed", "_items", "_lasting", "_on_empty", "_on_full", "_roomy", "on_due", "watched")

    def __init__(self, on_full: Callable[[], None], on_empty: Callable[[], None]) -> None:
        self._on_full = on_full
        self._on_empty = on_empty
        self.on_due: Callable[[], None] = noop
        #: whether somebody waits for `on_empty`
        self.watched = False
        self._items: list[bytes] = []
        self._lasting: list[int] = []  # where the items stand that no snapshot can stand in for
        self._bytes = 0
        self._roomy = asyncio.Event()  # less than half of what may wait does
        self._roomy.set()
        self._closed = False

    def put(self, item: bytes, *, log: bool = False) -> None:
        """Let an item be written; `log` says that a snapshot can stand in for it."""
        items = self._items
        if not log:
            self._lasting.append(len(items))
        items.append(item)
        self._bytes += len(item)
        if len(items) == 1:
            self.on_due()
        if len(self._items) > MOST_ITEMS // 2 or self._bytes > MOST_BYTES // 2:
            self._roomy.clear()
            if len(self._items) > MOST_ITEMS or self._bytes > MOST_BYTES:
                self._throw_away()

    def make_room(self) -> None:
        """Throw away at once what another item, not of a log, would be too much for: it says how far the logs go."""
        if len(self._items) >= MOST_ITEMS or self._bytes > MOST_BYTES - _ITEM_BYTES:
            self._throw_away()

    def _throw_away(self) -> None:
        if self._closed:  # what is said now is the last, and nothing can stand in for it any more
            return
        self._items = [self._items[place] for place in self._lasting]
        self._lasting = list(range(len(self._items)))
        self._bytes = sum(map(len, self._items))
        self._on_full()

    async def room(self) -> None:
        """Return when there is room for more than a few items: for whoever brings many."""
        await self._roomy.wait()

    @property
    def full(self) -> bool:
        """Whether too much waits although all logs were thrown away: the client does not read at all."""
        return len(self._items) > MOST_ITEMS

    def close(self) -> None:
        """Nothing comes any more; what waits is still written."""
        self._closed = True
        self.on_due()

    def abandon(self) -> None:
        """Nobody reads any more. Who was to be told of anything is let go: a stream leaves no circle of references."""
        self._closed = True
        self.on_due = self._on_full = self._on_empty = noop

    @property
    def finished(self) -> bool:
        """Whether it is closed, and all was written."""
        return self._closed and not self._items

    def gather(self) -> bytes:
        """All that waits, as one frame; empty if nothing does."""
        if not self._items:
            if not self._closed:
                self._on_empty()
            if not self._items:
                return b""
        items, self._items = self._items, []
        self._lasting.clear()
        self._bytes = 0
        self._roomy.set()
        return b"".join(items)

    async def take(self) -> bytes:
        """The next frame, as soon as there is one; empty once the outbox is closed and nothing waits."""
        while not (frame := self.gather()) and not self.finished:
            due = asyncio.Event()
            self.on_due = due.set
            try:
                await due.wait()
            finally:
                self.on_due = noop
        return frame
