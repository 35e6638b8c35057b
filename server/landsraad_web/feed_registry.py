"""All feeds of the page: shared by their readers, and dropped some time after the last one has left."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from landsraad import AsyncClient
from landsraad_web.cursors import Cursor
from landsraad_web.errors import PageError
from landsraad_web.feeds import LogFeed
from landsraad_web.seat_feed import SeatFeed
from landsraad_web.settings import PageLimits
from landsraad_web.spectator_feed import SpectatorFeed

FeedKey = tuple[str, int | None, str]


class FeedRegistry:
    """Feeds by match, seat and token: whoever has the same token may read the same.

    Args:
        client: The client for streams of the service.
        limits: How many readers there may be.
    """

    def __init__(self, client: AsyncClient, limits: PageLimits) -> None:
        self._client = client
        self._limits = limits
        self._feeds: dict[FeedKey, LogFeed] = {}
        self._readers: Counter[str] = Counter()
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def readers(self) -> int:
        """Return the number of event streams."""
        return sum(feed.readers for feed in self._feeds.values())

    @asynccontextmanager
    async def reader(
        self, match: str, seat: int | None, token: str, cursor: Cursor | None, owners: dict[str, int]
    ) -> AsyncIterator[LogFeed]:
        """Hold a feed for one reader.

        Args:
            match: The name of the match.
            seat: The seat; None for the spectators' log.
            token: The token by which the reader may read it; empty for a match that all may see.
            cursor: The last entry that the reader knows.
            owners: Those whom the stream counts for, each with the most it may have.

        Raises:
            PageError: The reader has too many streams.
        """
        if self.readers >= self._limits.streams or any(self._readers[one] >= most for one, most in owners.items()):
            raise PageError(429, "too_many_streams", "you have too many event streams open", retry_after=5)
        key = match, seat, token
        feed = self._feeds.get(key)
        if feed is None or (feed.ended and not feed.over):
            feed = self._feeds[key] = self._make(match, seat, token)
            feed.start(cursor)
        feed.readers += 1
        self._readers.update(owners.keys())
        try:
            yield feed
        finally:
            self._readers.subtract(owners.keys())
            self._readers += Counter()  # without those that have none
            feed.readers -= 1
            if not feed.readers:
                self._later(lambda: self._drop(key, feed))

    def announce(self, match: str, seat: int, token: str, kind: str, content: object) -> None:
        """Tell the readers of a seat something that is not part of its log."""
        feed = self._feeds.get((match, seat, token))
        if feed is not None:
            feed.announce(kind, content)

    async def close(self) -> None:
        """End all feeds and their streams."""
        for task in self._ending:
            task.cancel()
        feeds, self._feeds = list(self._feeds.values()), {}
        for feed in feeds:
            feed.end("restarting")
        await asyncio.gather(*(feed.stop() for feed in feeds))

    def _make(self, match: str, seat: int | None, token: str) -> LogFeed:
        if seat is None:
            return SpectatorFeed(self._client, match, token)
        return SeatFeed(self._client, match, seat, token)

    def _later(self, drop: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(self._limits.linger_seconds, drop)

    def _drop(self, key: FeedKey, feed: LogFeed) -> None:
        """Drop a feed that has had no reader for long; if one has come meanwhile, this runs again when it leaves."""
        if feed.readers:
            return
        if self._feeds.get(key) is feed:
            del self._feeds[key]
        task = asyncio.get_running_loop().create_task(feed.stop())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
