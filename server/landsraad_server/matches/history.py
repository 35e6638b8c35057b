"""Log history: the entries of one information log, read back from the match's records."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from landsraad_server.matches.records import LogRecord, Waypoint
from landsraad_server.store import GENESIS, Head


def find_start(waypoints: Sequence[Waypoint], log: int, first: int) -> tuple[Head, int]:
    """Find the latest waypoint before the entry `first` of a log.

    Waypoints hold the lengths of all logs at every 32nd version, so bisection finds the place for any cursor.

    Returns:
        The version to read from, and the number of entries of the log up to it.
    """
    at = bisect_left(waypoints, first, key=lambda waypoint: waypoint.counts[log])
    return (waypoints[at - 1].head, waypoints[at - 1].counts[log]) if at else (GENESIS, 0)


def find_end(waypoints: Sequence[Waypoint], log: int, last: int) -> Head | None:
    """Find the earliest waypoint that has the entry `last` of a log behind it.

    Returns:
        The version to read to; None if only the end of the match's log will do.
    """
    at = bisect_left(waypoints, last, key=lambda waypoint: waypoint.counts[log])
    return waypoints[at].head if at < len(waypoints) else None


class History(NamedTuple):
    """A part of one log: its entries between two versions of the match."""

    log: int
    #: number of entries of this log before the first record
    skipped: int
    records: Sequence[LogRecord]
    #: the versions of the records
    heads: Sequence[Head]

    def nonce_of(self, number: int) -> bytes | None:
        """Return the nonce of the commit with this entry; None if it is not in this part."""
        at = self.skipped
        for head, record in zip(self.heads, self.records, strict=True):
            before, at = at, at + len(record.log(self.log))
            if before < number <= at:
                return head.nonce
        return None

    @property
    def last_nonce(self) -> bytes:
        """Return the nonce of the commit with the last entry; empty if this part has no entry."""
        pairs = zip(reversed(self.heads), reversed(self.records), strict=True)
        return next((head.nonce for head, record in pairs if record.log(self.log)), b"")

    def after(self, number: int) -> Iterator[tuple[int, bytes]]:
        """Yield the entries after this number, each with the time of its record."""
        at = self.skipped
        for record in self.records:
            for body in record.log(self.log):
                at += 1
                if at > number:
                    yield record.at, body
