"""What a record tells whoever listens to its match: worked out once, for all of them.

Every act is heard by every stream of its match, on every worker, so what each of them asks stands here ready.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from landsraad_server.matches.records import MatchRecord, Presence, SeatState


class LogSlice:
    """What one record tells one log."""

    __slots__ = ("bodies", "entries")

    def __init__(self, entries: int, bodies: bytes) -> None:
        #: so many entries
        self.entries = entries
        #: their bytes, joined
        self.bodies = bodies


class RecordFanout:
    """See above. Nobody writes to it."""

    __slots__ = ("agreed", "asked", "counts", "presence", "record", "seats", "shares", "standing")

    def __init__(self, record: MatchRecord) -> None:
        self.record = record
        #: seats whose own state has changed, and whether those who play them are there
        self.seats: Mapping[int, SeatState] = record.seats
        self.presence: list[tuple[int, Presence]] = [(number, seat.presence) for number, seat in record.seats.items()]
        #: where the match stands is news, or that and what is agreed
        self.standing = record.standing is not None
        self.agreed = self.standing or record.terms is not None
        #: by log: what it is told, and how far it goes after that; nothing at all if none is told anything
        self.shares: list[LogSlice] = []
        self.counts: list[int] = []
        #: by seat: the entry that put its open question
        self.asked: list[int] = []
        marks = record.marks
        if marks is not None and record.told:
            self.counts = marks.counts
            self.asked = marks.asked
            self.shares = log_slices(record.told, len(marks.counts))


@lru_cache(1024)
def members(logs: int) -> tuple[int, ...]:
    """The numbers of the logs in a mask."""
    return tuple([number for number in range(logs.bit_length()) if logs >> number & 1])


def log_slices(told: Sequence[tuple[int, bytes]], logs: int) -> list[LogSlice]:
    """What was told, by log: most are told the same, and it is joined once for all of them."""
    everybody = (1 << logs) - 1
    # Of the entries that not everybody was told: a bit for each, and by log the sum of those that it was told.
    heard = [0] * logs
    bit = 1
    for mask, _ in told:
        if mask != everybody:
            for log in members(mask):
                heard[log] |= bit
            bit <<= 1
    made = {which: _share(told, everybody, which) for which in set(heard)}
    return [made[which] for which in heard]


def _share(told: Sequence[tuple[int, bytes]], everybody: int, which: int) -> LogSlice:
    """What a log is told that hears, of the entries that not everybody was told, these."""
    bodies = []
    for mask, body in told:
        if mask == everybody:
            bodies.append(body)
        else:
            if which & 1:
                bodies.append(body)
            which >>= 1
    return LogSlice(len(bodies), b"".join(bodies))
