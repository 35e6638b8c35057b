"""Log subscriptions: deliver each entry of a match once, in order and without gaps.

Entries are published as they are committed. A publication may be lost (a broken connection, a slot that moves), so it
only repeats what the log holds: a subscription subscribes first and then reads the log, and whatever it receives that
is not simply the next entry makes it read again.
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

#: Seconds until a failed read is retried, unless the connection comes back before.
_RETRY_SECONDS = 0.5


class PubSub(Protocol):
    """A source of publications: one connection, or one for each node of a cluster."""

    def listen(self, channel: bytes, listener: Listener) -> None: ...

    def unlisten(self, channel: bytes) -> None: ...


class LogSubscriptions:
    """All log subscriptions of one worker."""

    def __init__(self, log: MatchLog, pubsub: PubSub) -> None:
        self.log = log
        self.pubsub = pubsub
        self._behind: set[LogSubscription] = set()  # whose read failed
        self._retry: asyncio.TimerHandle | None = None
        self._closed = False
        self.by_match: dict[str, LogSubscription] = {}

    def subscribe(
        self,
        match: str,
        after: Head,
        on_entry: Callable[[Entry], None],
        on_rewound: Callable[[Rewound], None],
    ) -> LogSubscription:
        """Call `on_entry` for each entry after `after`, from now until the subscription is closed.

        `on_rewound` is the last call: entries delivered earlier are no longer in the log. One subscription per match.
        """
        subscription = self.by_match[match] = LogSubscription(self, match, after, on_entry, on_rewound)
        return subscription

    def expect(self, draft: Draft) -> None:
        """Announce a draft that this worker is about to commit: its publication then needs no parsing."""
        subscription = self.by_match.get(draft.match)
        if subscription is not None:
            subscription.expected = draft

    def retry_later(self, subscription: LogSubscription) -> None:
        """Retry a failed read when commands can be sent again, or soon, if only this one failed."""
        self._behind.add(subscription)
        if self._retry is None and not self._closed:
            self._retry = asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.catch_up)

    def catch_up(self) -> None:
        """Retry all failed reads."""
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
        behind, self._behind = self._behind, set()
        for subscription in behind:
            subscription.ready()

    def forget(self, subscription: LogSubscription) -> None:
        """Drop a closed subscription."""
        self._behind.discard(subscription)
        del self.by_match[subscription.match]

    def close(self) -> None:
        """Stop retrying."""
        self._closed = True
        if self._retry is not None:
            self._retry.cancel()


class LogSubscription:
    """Subscription to the log of one match."""

    __slots__ = (
        "_buffer",
        "_channel",
        "_closed",
        "_echo",
        "_on_entry",
        "_on_rewound",
        "_owner",
        "_read_again",
        "_reading",
        "expected",
        "head",
        "match",
    )

    def __init__(
        self,
        owner: LogSubscriptions,
        match: str,
        after: Head,
        on_entry: Callable[[Entry], None],
        on_rewound: Callable[[Rewound], None],
    ) -> None:
        self.match = match
        self.head = after  # of the last entry delivered
        self.expected: Draft | None = None  # this worker's pending commit, recognised by its bytes
        self._owner = owner
        self._on_entry = on_entry
        self._on_rewound = on_rewound
        self._channel = keys.log(match)
        self._closed = False
        self._reading = False
        self._read_again = False  # read once more after the present read
        self._buffer: list[bytes] = []  # received while reading
        self._echo: dict[int, bytes] = {}  # read from the log, and possibly still to be published: version to nonce
        owner.pubsub.listen(self._channel, self)

    def close(self) -> None:
        """End the subscription: no callback is called any more."""
        if not self._closed:
            self._closed = True
            self._owner.forget(self)
            self._owner.pubsub.unlisten(self._channel)

    # --- called by PubSub

    def ready(self) -> None:
        # A read that is under way may have been answered before the subscription began, so it does not count.
        if self._reading:
            self._read_again = True
        elif not self._closed:
            self._read()

    def message(self, blob: bytes) -> None:
        if self._reading:
            self._buffer.append(blob)
        else:
            self._on_blob(blob)

    # --- deciding what to deliver and when to read

    def _on_blob(self, blob: bytes) -> None:
        expected = self.expected
        if expected is not None and blob == expected.blob:
            entry, self.expected = expected.entry, None
        else:
            entry = parse_entry(blob)
        if entry.follows(self.head):
            # Published after all that was read, so nothing read is still to be published.
            self._echo.clear()
            self._give(entry)
        elif self._echo.get(entry.head.version) != entry.head.nonce:
            self._read()

    def _give(self, entry: Entry) -> None:
        self.head = entry.head
        self._on_entry(entry)

    def _read(self) -> None:
        self._reading, self._read_again = True, False
        try:
            self._owner.log.fetch(self.match, self.head, self._fetched)
        except StoreUnavailable:
            self._retry_later()

    def _retry_later(self) -> None:
        self._reading = False
        self._buffer.clear()  # the next read returns their entries
        self._owner.retry_later(self)

    def _fetched(self, fetched: Fetched) -> None:
        if self._closed:
            return
        if isinstance(fetched, Rewound):
            self.close()
            self._on_rewound(fetched)
        elif isinstance(fetched, StoreError):
            self._retry_later()
        else:
            self._echo = {entry.head.version: entry.head.nonce for entry in fetched}
            self._catch_up(fetched)

    def _catch_up(self, fetched: list[Entry]) -> None:
        for entry in fetched:
            self._give(entry)
            if self._closed:
                return
        self._reading = False
        received, self._buffer = self._buffer, []
        if self._read_again or len(fetched) == CHUNK:
            received = []  # the next read returns them
            self._read()
        for blob in received:
            if not (self._closed or self._reading):  # the first unexpected one starts a read, which returns the rest
                self._on_blob(blob)
