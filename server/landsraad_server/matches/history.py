"""Log history: the entries of one information log, read back from the match's records."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from landsraad_server.matches.records import MatchRecord, Waypoint
from landsraad_server.store import GENESIS, Head


def find_start(waypoints: Sequence[Waypoint], log: int, first: int) -> tuple[Head, int]:
    """Find the latest waypoint before the entry `first` of a log.

    Waypoints hold the lengths of all logs at every 32nd version, so bisection finds the place for any cursor.

    Returns:
        The version to read from, and the number of entries of the log up to it.
    """
    at = bisect_left(waypoints, first, key=lambda waypoint: waypoint.counts[log])
    return (waypoints[at - 1].head, waypoints[at - 1].counts[log]) if at else (GENESIS, 0)


class History(NamedTuple):
    """The end of one log: all its entries from some version on."""

    log: int
    #: number of entries of this log before the first record
    skipped: int
    records: Sequence[MatchRecord]

    def after(self, number: int) -> Iterator[tuple[int, bytes]]:
        """Yield the entries after this number, each with the time of its record."""
        at = self.skipped
        for record in self.records:
            for body in record.log(self.log):
                at += 1
                if at > number:
                    yield record.at, body
