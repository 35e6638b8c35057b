"""Talk feeds: the talk of the matches that are read on one worker, in its memory, kept up to date by publications.

A feed subscribes first and then reads everything. A publication that is not the next message of its channel makes it
read everything again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from landsraad_server.store.errors import StoreError
from landsraad_server.store.talk_store import MOST_KEPT, Said, TalkStore, parse

#: Delay between attempts to read while the store cannot be reached.
_RETRY_SECONDS = 0.5


class TalkReader(Protocol):
    """A reader of a feed."""

    def wake(self) -> None:
        """Learn that something may be new."""


class TalkFeed:
    """The talk of one match, with its readers."""

    def __init__(self, feeds: TalkFeeds, match: str) -> None:
        self.match = match
        #: by channel, oldest first
        self.messages: dict[str, list[Said]] = {}
        self.mutes: set[tuple[int, int]] = set()
        #: set once everything has been read
        self.loaded = False
        self.readers: set[TalkReader] = set()
        self._feeds = feeds
        self._reading: asyncio.Task[None] | None = None
        self._read_again = False

    def after(self, channel: str, number: int) -> list[Said]:
        """Return the messages of a channel after a number, oldest first."""
        messages = self.messages.get(channel, [])
        # Numbers have no gaps: this is where the message stands, if it is kept.
        return messages[max(0, number + 1 - messages[0].number) :] if messages else []

    def last(self, channel: str) -> int:
        """Return the number of the last message of a channel; 0 if there is none."""
        messages = self.messages.get(channel)
        return messages[-1].number if messages else 0

    # ------------------------------------------------------------------------------------------------- as a listener

    def ready(self) -> None:
        """Read everything: from now on nothing is missed."""
        if self._reading is not None:
            self._read_again = True
            return
        self._reading = asyncio.get_running_loop().create_task(self._read())

    def message(self, blob: bytes) -> None:
        """Take what was published; see `parse`."""
        found = parse(blob)
        if found is None or self._reading is not None or not self.loaded:
            self.ready()
            return
        channel, said = found
        if said.number != self.last(channel) + 1:
            if said.number > self.last(channel):
                self.ready()
            return
        messages = self.messages.setdefault(channel, [])
        messages.append(said)
        if len(messages) > MOST_KEPT:
            del messages[0]
        self._wake_all()

    async def _read(self) -> None:
        try:
            while True:
                self._read_again = False
                try:
                    content = await self._feeds.store.read(self.match)
                except StoreError:
                    await asyncio.sleep(_RETRY_SECONDS)
                    continue
                if not self._read_again:
                    break
        finally:
            self._reading = None
        self.messages, self.mutes = content
        self.loaded = True
        self._wake_all()

    def close(self) -> None:
        """Stop reading."""
        if self._reading is not None:
            self._reading.cancel()

    def _wake_all(self) -> None:
        for reader in tuple(self.readers):
            reader.wake()


class TalkFeeds:
    """The feeds of one worker, one for each match that has readers here.

    Args:
        store: The talk of all matches.
        now: The source of time, in ms since 1970.
    """

    def __init__(self, store: TalkStore, now: Callable[[], int]) -> None:
        self.store = store
        self.now = now
        self.by_match: dict[str, TalkFeed] = {}
        self._waiting: dict[TalkReader, int] = {}

    def join(self, match: str, reader: TalkReader) -> TalkFeed:
        """Add a reader to the feed of a match."""
        feed = self.by_match.get(match)
        if feed is None:
            feed = self.by_match[match] = TalkFeed(self, match)
            self.store.listen(match, feed)
        feed.readers.add(reader)
        return feed

    def leave(self, match: str, reader: TalkReader) -> None:
        """Remove a reader; with the last one, the feed ends."""
        self._waiting.pop(reader, None)
        feed = self.by_match.get(match)
        if feed is None:
            return
        feed.readers.discard(reader)
        if not feed.readers:
            del self.by_match[match]
            self.store.unlisten(match)
            feed.close()

    def wake_at(self, reader: TalkReader, time: int) -> None:
        """Wake a reader at a time, in ms since 1970: then it may show what is delayed."""
        self._waiting[reader] = time

    def release(self, now: int) -> None:
        """Wake the readers whose time has come."""
        for reader in [reader for reader, time in self._waiting.items() if time <= now]:
            del self._waiting[reader]
            reader.wake()

    def close(self) -> None:
        """Stop all reading."""
        for feed in self.by_match.values():
            feed.close()
