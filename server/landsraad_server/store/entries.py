"""The header the store puts before an entry. What follows it is the server's own and never looked into.

An entry is one text line of header and then the payload, separated by spaces so that `XRANGE` in a terminal can be
read::

    version epoch nonce due previous-nonce payload...

Its first four fields are the *head*: kept in a key of its own, it is what a commit compares and what a reader confirms.
Each entry names the nonce of the one before it, so a follower can tell a continued log from a rewritten one even where
the version numbers agree.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Head(NamedTuple):
    """Where a log stands: its last version, and by whom and in which epoch that was written."""

    version: int
    epoch: int  # raised whenever entries that somebody has seen were lost
    nonce: bytes  # unique per commit: the writer's id and a counter
    due: int  # when the match's clock runs out, in ms since 1970; 0 = no clock

    def encode(self) -> bytes:
        return _encoded(self)


@lru_cache(8192)  # each is written twice: as what an entry leads to, and as what the next one follows
def _encoded(head: Head) -> bytes:
    return b"%d %d %b %d" % head


#: The head of a match that has no entry yet; commit.lua spells it the same.
GENESIS = Head(0, 0, b"-", 0)


def parse_head(raw: bytes | None) -> Head:
    """The head as stored; a missing key means that nothing was ever committed."""
    if raw is None:
        return GENESIS
    version, epoch, nonce, due = raw.split(b" ")
    return Head(int(version), int(epoch), nonce, int(due))


class Entry(NamedTuple):
    """One committed entry of a match's log."""

    head: Head
    previous: bytes  # nonce of the entry before
    payload: bytes

    def follows(self, head: Head) -> bool:
        """Whether this is the very next entry after `head`, in the same history."""
        return self.head.version == head.version + 1 and self.previous == head.nonce

    def encode(self) -> bytes:
        return b" ".join((self.head.encode(), self.previous, self.payload))


def parse_entry(blob: bytes) -> Entry:
    version, epoch, nonce, due, previous, payload = blob.split(b" ", 5)
    return Entry(Head(int(version), int(epoch), nonce, int(due)), previous, payload)


class Snapshot(NamedTuple):
    """The state of a match as of one confirmed version."""

    head: Head
    payload: bytes


def parse_snapshot(blob: bytes) -> Snapshot:
    version, epoch, nonce, due, payload = blob.split(b" ", 4)
    return Snapshot(Head(int(version), int(epoch), nonce, int(due)), payload)
