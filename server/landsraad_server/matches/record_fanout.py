"""Record fan-out: what one record tells the listeners of its match, computed once for all of them.

Every act reaches every stream of its match on every worker, so all that streams ask of a record stands here ready.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from landsraad_server.matches.records import MatchRecord, Presence, SeatState


class LogSlice:
    """The entries that one record adds to one log."""

    __slots__ = ("bodies", "entries")

    def __init__(self, entries: int, bodies: bytes) -> None:
        #: the number of entries
        self.entries = entries
        #: their bytes, joined
        self.bodies = bodies


class RecordFanout:
    """A record, prepared for the listeners of its match. It is shared by all of them, and must not be changed."""

    __slots__ = (
        "counts",
        "match_changed",
        "presence",
        "question_entries",
        "record",
        "seats",
        "slices",
        "status_changed",
    )

    def __init__(self, record: MatchRecord) -> None:
        self.record = record
        #: the seats whose own state has changed, and their presence
        self.seats: Mapping[int, SeatState] = record.seats
        self.presence: list[tuple[int, Presence]] = [(number, seat.presence) for number, seat in record.seats.items()]
        #: whether the match's status has changed, and whether its status or its terms have
        self.status_changed = record.status is not None
        self.match_changed = self.status_changed or record.terms is not None
        #: by log: the new entries, and the number of the last one; both are empty if no log has new entries
        self.slices: list[LogSlice] = []
        self.counts: list[int] = []
        #: by seat: the number of the entry with its open question
        self.question_entries: list[int] = []
        log_counters = record.log_counters
        if log_counters is not None and record.entries:
            self.counts = log_counters.counts
            self.question_entries = log_counters.question_entries
            self.slices = log_slices(record.entries, len(log_counters.counts))


@lru_cache(1024)
def members(logs: int) -> tuple[int, ...]:
    """Return the numbers of the logs in a bit mask."""
    return tuple([number for number in range(logs.bit_length()) if logs >> number & 1])


def log_slices(entries: Sequence[tuple[int, bytes]], logs: int) -> list[LogSlice]:
    """Split the entries of a record by log.

    Most logs get the same entries, which are joined once for all of them.

    Args:
        entries: Each entry with the bit mask of its logs.
        logs: The number of logs.
    """
    all_logs = (1 << logs) - 1
    # Number the entries that do not stand in all logs. By log, the bits of those that stand in it:
    partial_entries = [0] * logs
    bit = 1
    for mask, _ in entries:
        if mask != all_logs:
            for log in members(mask):
                partial_entries[log] |= bit
            bit <<= 1
    by_bits = {bits: _slice(entries, all_logs, bits) for bits in set(partial_entries)}
    return [by_bits[bits] for bits in partial_entries]


def _slice(entries: Sequence[tuple[int, bytes]], all_logs: int, bits: int) -> LogSlice:
    """Join the entries of a log: those of all logs and, of the others, those whose bits are set."""
    bodies = []
    for mask, body in entries:
        if mask == all_logs:
            bodies.append(body)
        else:
            if bits & 1:
                bodies.append(body)
            bits >>= 1
    return LogSlice(len(bodies), b"".join(bodies))
