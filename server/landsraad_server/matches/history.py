"""What was told so far: one information log, read from the records that hold it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from landsraad_server.matches.records import MatchRecord, Waypoint
from landsraad_server.store import GENESIS, Head


def start_for(waypoints: Sequence[Waypoint], log: int, first: int) -> tuple[Head, int]:
    """From which version on to read, so as to find the entry `first` of a log; and how many entries lie before it.

    Every record counts the logs, and waypoints are those counts every 32 versions: found by bisection, whatever a
    cursor says.
    """
    at = bisect_left(waypoints, first, key=lambda waypoint: waypoint.counts[log])
    return (waypoints[at - 1].head, waypoints[at - 1].counts[log]) if at else (GENESIS, 0)


class History(NamedTuple):
    """Part of a log, to its end."""

    log: int
    #: entries of this log that lie before the records
    told: int
    records: Sequence[MatchRecord]

    def after(self, number: int) -> Iterator[tuple[int, bytes]]:
        """The entries that follow the one with this number, each with the time at which it was told."""
        at = self.told
        for record in self.records:
            for body in record.log(self.log):
                at += 1
                if at > number:
                    yield record.at, body
