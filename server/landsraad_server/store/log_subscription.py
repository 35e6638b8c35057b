"""Following a match: every entry once, in order, without a gap, however it arrives.

Entries are published as they are committed. Publication may be missed (a broken connection, a slot that moves), so it
only carries what the log holds as well: first subscribe, then read; and whatever is heard that is not simply the next
entry is a reason to read again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

from landsraad_server.store import keys
from landsraad_server.store.entries import Entry, Head, parse_entry
from landsraad_server.store.errors import Rewound, StoreError, StoreUnavailable
from landsraad_server.store.match_log import CHUNK, Draft, Fetched, MatchLog
from landsraad_server.store.subscriptions import Listener

#: Before who could not read tries again, unless it is told that it can.
_AGAIN_SECONDS = 0.5


class PubSub(Protocol):
    """Where publications are heard: one connection, or one per node of a cluster."""

    def listen(self, channel: bytes, listener: Listener) -> None: ...

    def unlisten(self, channel: bytes) -> None: ...


class LogSubscriptions:
    """All that one worker follows."""

    def __init__(self, log: MatchLog, ether: PubSub) -> None:
        self.log = log
        self.ether = ether
        self._behind: set[LogSubscription] = set()  # could not read when they wanted to
        self._again: asyncio.TimerHandle | None = None
        self._closed = False
        self.following: dict[str, LogSubscription] = {}

    def follow(
        self,
        match: str,
        after: Head,
        on_entry: Callable[[Entry], None],
        on_rewound: Callable[[Rewound], None],
    ) -> LogSubscription:
        """Call `on_entry` for each entry after `after`, from now until closed.

        `on_rewound` is the last call: entries given earlier are no longer in the log. One follow per match.
        """
        follow = self.following[match] = LogSubscription(self, match, after, on_entry, on_rewound)
        return follow

    def expect(self, draft: Draft) -> None:
        """This worker is about to commit the draft: most of what a worker hears it has written itself."""
        follow = self.following.get(draft.match)
        if follow is not None:
            follow.expected = draft

    def put_off(self, follow: LogSubscription) -> None:
        """It could not read: it will when commands can be sent again. They may all the while, but for this one."""
        self._behind.add(follow)
        if self._again is None and not self._closed:
            self._again = asyncio.get_running_loop().call_later(_AGAIN_SECONDS, self.catch_up)

    def catch_up(self) -> None:
        """Let everybody read who could not."""
        if self._again is not None:
            self._again.cancel()
            self._again = None
        behind, self._behind = self._behind, set()
        for follow in behind:
            follow.ready()

    def forget(self, follow: LogSubscription) -> None:
        """It is followed no longer."""
        self._behind.discard(follow)
        del self.following[follow.match]

    def close(self) -> None:
        """Nobody catches up any more."""
        self._closed = True
        if self._again is not None:
            self._again.cancel()


class LogSubscription:
    """One match being followed."""

    __slots__ = (
        "_again",
        "_buffer",
        "_channel",
        "_closed",
        "_echo",
        "_follower",
        "_on_entry",
        "_on_rewound",
        "_reading",
        "expected",
        "head",
        "match",
    )

    def __init__(
        self,
        follower: LogSubscriptions,
        match: str,
        after: Head,
        on_entry: Callable[[Entry], None],
        on_rewound: Callable[[Rewound], None],
    ) -> None:
        self.match = match
        self.head = after  # of the last entry given
        self.expected: Draft | None = None  # this worker's own, which need not be taken apart when it is heard
        self._follower = follower
        self._on_entry = on_entry
        self._on_rewound = on_rewound
        self._channel = keys.log(match)
        self._closed = False
        self._reading = False
        self._again = False  # read once more after this read
        self._buffer: list[bytes] = []  # heard while reading
        self._echo: dict[int, bytes] = {}  # read from the log and possibly still to be heard: version, nonce
        follower.ether.listen(self._channel, self)

    def close(self) -> None:
        """No more calls."""
        if not self._closed:
            self._closed = True
            self._follower.forget(self)
            self._follower.ether.unlisten(self._channel)

    # --- what the subscription says

    def ready(self) -> None:
        # A read that is under way may have been answered before the subscription began, so it does not count.
        if self._reading:
            self._again = True
        elif not self._closed:
            self._read()

    def message(self, blob: bytes) -> None:
        if self._reading:
            self._buffer.append(blob)
        else:
            self._hear(blob)

    # --- what to make of it

    def _hear(self, blob: bytes) -> None:
        expected = self.expected
        if expected is not None and blob == expected.blob:
            entry, self.expected = expected.entry, None
        else:
            entry = parse_entry(blob)
        if entry.follows(self.head):
            # Published after all that was read, so nothing read is still to be heard.
            self._echo.clear()
            self._give(entry)
        elif self._echo.get(entry.head.version) != entry.head.nonce:
            self._read()

    def _give(self, entry: Entry) -> None:
        self.head = entry.head
        self._on_entry(entry)

    def _read(self) -> None:
        self._reading, self._again = True, False
        try:
            self._follower.log.fetch(self.match, self.head, self._fetched)
        except StoreUnavailable:
            self._put_off()

    def _put_off(self) -> None:
        self._reading = False
        self._buffer.clear()  # what they held will be read
        self._follower.put_off(self)

    def _fetched(self, fetched: Fetched) -> None:
        if self._closed:
            return
        if isinstance(fetched, Rewound):
            self.close()
            self._on_rewound(fetched)
        elif isinstance(fetched, StoreError):
            self._put_off()
        else:
            self._echo = {entry.head.version: entry.head.nonce for entry in fetched}
            self._catch_up(fetched)

    def _catch_up(self, fetched: list[Entry]) -> None:
        for entry in fetched:
            self._give(entry)
            if self._closed:
                return
        self._reading = False
        heard, self._buffer = self._buffer, []
        if self._again or len(fetched) == CHUNK:
            heard = []  # the next read finds it
            self._read()
        for blob in heard:
            if not (self._closed or self._reading):  # the first surprise starts a read, which finds the rest
                self._hear(blob)
