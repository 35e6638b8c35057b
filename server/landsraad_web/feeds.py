"""Feeds: one log of one match, read once from the service and sent to any number of event streams.

A feed encodes each entry once. A reader holds no queue of its own: it has a place in the feed's buffer, and one that
falls behind the buffer gets a snapshot instead of what it has missed.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncGenerator
from itertools import islice
from typing import Any, Final, NamedTuple

from landsraad import games
from landsraad.seat_log import LogGap
from landsraad.v1 import log_pb2, play_pb2
from landsraad.wire.codec import codec_for
from landsraad_web.cursors import Cursor
from landsraad_web.errors import describe
from landsraad_web.json_forms import JsonForms, encode, message_json

#: Events that a feed keeps for readers that come back, and entries after which a newcomer gets a newer snapshot.
_KEPT: Final = 4096
_STALE_SNAPSHOT: Final = 256
#: Seconds after which a silent stream gets a comment, so that proxies keep it open.
COMMENT_SECONDS: Final = 15.0
_COMMENT: Final = b":\n\n"
#: Bytes that a reader is given at a time.
_MOST_BYTES: Final = 256 * 1024


class FeedEvent(NamedTuple):
    """One event as the bytes of an event stream."""

    data: bytes
    #: epoch and number of an entry, or of the last entry of a snapshot; None for other events
    place: tuple[int, int] | None = None
    #: nothing that came before matters to a reader that knows this
    replaces: bool = False


def encode_event(kind: str, content: Any, cursor: Cursor | None = None) -> bytes:
    """Encode an event."""
    head = b"" if cursor is None else f"id: {cursor}\n".encode()
    return b"%sevent: %s\ndata: %s\n\n" % (head, kind.encode(), encode(content))


class LogFeed(ABC):
    """A log as its readers get it. Subclasses bring it the items of the service."""

    def __init__(self) -> None:
        self.readers = 0
        #: the last entry that has come
        self.cursor: Cursor | None = None
        self.game = ""
        self.over = False
        self.last_used = 0.0
        self._forms: JsonForms | None = None
        self._events: deque[FeedEvent] = deque(maxlen=_KEPT)
        self._count = 0  # of all events so far, those that are not kept any more included
        self._snapshot: tuple[tuple[int, int], bytes] | None = None
        #: what a newcomer has to know beside the log, by kind
        self._state: dict[str, bytes] = {}
        self._ended = False
        self._changed = asyncio.Event()
        self._taking: asyncio.Task[None] | None = None

    # --------------------------------------------------------------------------------------------------- from upstream

    @abstractmethod
    def start(self, cursor: Cursor | None) -> None:
        """Begin to read the log, after an entry that a reader knows already."""

    @abstractmethod
    async def stop(self) -> None:
        """Stop reading."""

    @abstractmethod
    async def fetch_snapshot(self) -> None:
        """Fetch a newer snapshot and hand it to `take_snapshot`."""

    def apply(self, item: play_pb2.ServerItem) -> None:
        """Take an item of the service.

        Raises:
            LogGap: Entries are missing before these.
        """
        match item.WhichOneof("item"):
            case "match":
                self.game = item.match.game.removeprefix("games/")
                self._forms = JsonForms(codec_for(games.load(self.game)))
                self._put_state("match", message_json(item.match))
            case "snapshot":
                self._apply_snapshot(item.snapshot)
            case "entries":
                self._apply_entries(item.entries)
            case "clock":
                assert self._forms is not None, "the match comes first"
                self._put_state("clock", self._forms.clock(item.clock))
            case "plays":
                self._put_state("plays", message_json(item.plays))
            case "presence":
                self._put_state("presence", message_json(item.presence), key=f"presence {item.presence.seat}")
            case "rewound":
                self._snapshot, self.cursor = None, None
                self._put(FeedEvent(encode_event("rewound", message_json(item.rewound))))

    def _apply_snapshot(self, snapshot: play_pb2.Snapshot) -> None:
        self.take_snapshot(snapshot.observation, snapshot.mark)
        assert self._snapshot is not None
        seen = snapshot.observation
        self.cursor = Cursor(seen.epoch, seen.number, snapshot.mark)
        self._put(FeedEvent(self._snapshot[1], self._snapshot[0], replaces=True))

    def take_snapshot(self, seen: log_pb2.Observation, mark: bytes = b"") -> None:
        """Keep a snapshot for newcomers."""
        cursor = Cursor(seen.epoch, seen.number, mark)
        self._snapshot = cursor.place, encode_event("snapshot", message_json(seen), cursor)

    def _apply_entries(self, entries: log_pb2.Entries) -> None:
        assert self._forms is not None, "the match comes first"
        known = 0 if self.cursor is None else self.cursor.number
        epoch = 0 if self.cursor is None else self.cursor.epoch
        if entries.first > known + 1:
            raise LogGap(f"entry {entries.first} came after {known}")
        last = entries.first + len(entries.entries) - 1
        for number, entry in enumerate(entries.entries, entries.first):
            if number > known:
                self.cursor = Cursor(epoch, number, entries.mark if number == last else b"")
                self._put(FeedEvent(encode_event("entry", self._forms.entry(entry), self.cursor), self.cursor.place))

    def _put_state(self, kind: str, content: Any, *, key: str = "") -> None:
        event = self._state[key or kind] = encode_event(kind, content)
        self._put(FeedEvent(event))

    def announce(self, kind: str, content: Any) -> None:
        """Tell all present readers something that is not part of the log."""
        self._put(FeedEvent(encode_event(kind, content)))

    def end(self, reason: str, error: Exception | None = None) -> None:
        """Tell all readers that there will be no more, and why."""
        if not self._ended:
            told: dict[str, Any] = {"reason": reason}
            if error is not None:
                told["error"] = describe(error)[1]
            self._ended, self.over = True, reason == "over"
            self._put_state("closed", told)

    @property
    def ended(self) -> bool:
        """Return whether there will be no more events."""
        return self._ended

    def _put(self, event: FeedEvent) -> None:
        self._events.append(event)
        self._count += 1
        self._changed.set()
        self._changed = asyncio.Event()

    # ----------------------------------------------------------------------------------------------------- for readers

    async def read(self, after: Cursor | None) -> AsyncGenerator[bytes, None]:
        """Follow the feed.

        Args:
            after: The last entry that the reader knows; None to begin with a snapshot.

        Yields:
            The bytes of events, and of a comment when nothing has happened for some time.
        """
        while self._snapshot is None and self.cursor is None and not self._ended:
            yield await self._wait()
        resumed = None if after is None else self._place_after(after)
        if after is None or resumed is None:
            beginning, known = await self._beginning()
            position = self._count - len(self._events)
        else:
            beginning, known, position = self._state.get("match", b""), after.place, resumed
        state = [event for kind, event in self._state.items() if kind not in ("match", "closed")]
        closing = self._state.get("closed", b"")
        upto = self._count
        missed, known = self._entries(position, upto, known)
        yield b"".join((beginning, *missed, *state, closing))
        position = upto
        while not (self._ended and position == self._count):
            if position == self._count:
                yield await self._wait()
            elif position < self._count - len(self._events):  # a slow reader
                beginning, known = await self._beginning()
                upto, position = self._count, self._count - len(self._events)
                missed, known = self._entries(position, upto, known)
                yield b"".join((beginning, *missed, *self._state.values()))
                position = upto
            else:
                data, position, known = self._next(position, known)
                yield data

    async def _wait(self) -> bytes:
        """Wait for a change; return a comment if there was none for long."""
        changed = self._changed
        try:
            async with asyncio.timeout(COMMENT_SECONDS):
                await changed.wait()
        except TimeoutError:
            return _COMMENT
        return b""

    async def _beginning(self) -> tuple[bytes, tuple[int, int]]:
        """Return the match and a snapshot that is not too old, with the place of the latter."""
        stale = self.cursor is not None and (
            self._snapshot is None
            or self._snapshot[0][0] != self.cursor.epoch
            or self.cursor.number - self._snapshot[0][1] > _STALE_SNAPSHOT
            or not self._has_all_after(self._snapshot[0])
        )
        if stale and not self._ended:
            if self._taking is None or self._taking.done():  # all who come at once share one
                self._taking = asyncio.get_running_loop().create_task(self.fetch_snapshot())
            await asyncio.shield(self._taking)
        place, snapshot = self._snapshot or ((0, 0), b"")
        return self._state.get("match", b"") + snapshot, place

    def _has_all_after(self, place: tuple[int, int]) -> bool:
        """Return whether all entries after a place are in the buffer."""
        first = next((event.place for event in self._events if event.place is not None), None)
        return first is None or first <= (place[0], place[1] + 1)

    def _place_after(self, known: Cursor) -> int | None:
        """Return the position of the first event after an entry; None if entries between are not at hand."""
        if self.cursor is None or known.place > self.cursor.place:
            return None
        if known.place == self.cursor.place:
            return self._count
        position = self._count - len(self._events)
        for at, event in enumerate(self._events, position):
            if event.place == known.place:
                return at + 1
            if event.place == (known.epoch, known.number + 1) and not event.replaces:
                return at
        return None

    def _entries(self, start: int, stop: int, known: tuple[int, int]) -> tuple[list[bytes], tuple[int, int]]:
        """Return the entries between two positions that a reader does not know, and the last one it knows then."""
        found = []
        first = self._count - len(self._events)
        for event in islice(self._events, start - first, stop - first):
            if event.place is not None and event.place > known and not event.replaces:
                found.append(event.data)
                known = event.place
        return found, known

    def _next(self, position: int, known: tuple[int, int]) -> tuple[bytes, int, tuple[int, int]]:
        """Return the next events for a reader, the position after them, and the last entry that it knows then."""
        found, size = [], 0
        first = self._count - len(self._events)
        for event in islice(self._events, position - first, None):
            position += 1
            if event.place is not None:
                if event.place <= known and not event.replaces:
                    continue
                known = event.place
            found.append(event.data)
            size += len(event.data)
            if size > _MOST_BYTES:
                break
        return b"".join(found), position, known
