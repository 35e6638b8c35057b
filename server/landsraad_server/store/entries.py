"""Log entries: the store's header before each entry, heads and snapshots. The payload is opaque to the store.

An entry is one text line of header and then the payload, separated by spaces so that `XRANGE` in a terminal can be
read::

    version epoch nonce due previous-nonce payload...

The first four fields are the *head*: stored under a key of its own, it is what a commit compares and what a reader
confirms. Each entry names the nonce of the one before it, so a subscriber can tell a continued log from a rewritten one
even where the version numbers agree.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Head(NamedTuple):
    """The position of a log: its last version, and in which epoch and by which commit that was written."""

    version: int
    epoch: int  # raised whenever entries that had been read were lost
    nonce: bytes  # unique for each commit: the writer's id and a counter
    due: int  # deadline of the match's clock in ms since 1970; 0: none

    def encode(self) -> bytes:
        return _encoded(self)


@lru_cache(8192)  # each head is encoded twice: as the one an entry leads to, and as the one the next entry follows
def _encoded(head: Head) -> bytes:
    return b"%d %d %b %d" % head


#: Head of a match without entries; commit.lua has the same constant.
GENESIS = Head(0, 0, b"-", 0)


def parse_head(raw: bytes | None) -> Head:
    """Parse a stored head; a missing key stands for GENESIS."""
    if raw is None:
        return GENESIS
    version, epoch, nonce, due = raw.split(b" ")
    return Head(int(version), int(epoch), nonce, int(due))


class Entry(NamedTuple):
    """One committed entry of a match's log."""

    head: Head
    previous: bytes  # nonce of the previous entry
    payload: bytes

    def follows(self, head: Head) -> bool:
        """Return whether this is the entry right after `head`, in the same history."""
        return self.head.version == head.version + 1 and self.previous == head.nonce

    def encode(self) -> bytes:
        return b" ".join((self.head.encode(), self.previous, self.payload))


def parse_entry(blob: bytes) -> Entry:
    version, epoch, nonce, due, previous, payload = blob.split(b" ", 5)
    return Entry(Head(int(version), int(epoch), nonce, int(due)), previous, payload)


class Snapshot(NamedTuple):
    """The state of a match at one confirmed version."""

    head: Head
    payload: bytes


def parse_snapshot(blob: bytes) -> Snapshot:
    version, epoch, nonce, due, payload = blob.split(b" ", 4)
    return Snapshot(Head(int(version), int(epoch), nonce, int(due)), payload)
