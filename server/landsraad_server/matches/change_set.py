"""Change set: the writes to a hosted match that no record holds yet, copied on first write."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from landsraad_server.matches.records import LogCounters, MatchRecord, MatchStatus, SeatPlan, SeatState, Terms
from landsraad_server.matches.running_match import PlayedPart

if TYPE_CHECKING:
    from landsraad_server.matches.hosted_match import HostedMatch


class ChangeSet:
    """The parts of one match that were changed since its last record.

    A part is copied when it is first requested for writing, so objects that were read before, or that an earlier record
    holds, never change. The copy replaces the part in the match at once: a request sees the changes of earlier ones in
    the same batch.
    """

    __slots__ = ("_match", "_plans", "_seats", "_status", "_terms", "refusals")

    def __init__(self, match: HostedMatch) -> None:
        self._match = match
        self._seats: dict[int, SeatState] = {}
        self._plans: dict[int, SeatPlan] = {}
        self._status: MatchStatus | None = None
        self._terms: Terms | None = None
        #: refused acts by seat; they are stored with the next record, but are no reason for one
        self.refusals: dict[int, int] = {}

    def __bool__(self) -> bool:
        """Tell whether there is something to record."""
        return bool(self._seats) or self._status is not None or self._terms is not None

    def seat(self, number: int) -> SeatState:
        """Return the state of a seat, to be written to."""
        seat = self._seats.get(number)
        if seat is None:
            seat = self._seats[number] = self._match.seats[number] = copy(self._match.seats[number])
        return seat

    def status(self) -> MatchStatus:
        """Return the status of the match, to be written to."""
        if self._status is None:
            self._status = self._match.status = copy(self._match.status)
        return self._status

    def terms(self) -> Terms:
        """Return the terms, to be written to. Their seats are written by `plan`."""
        if self._terms is None:
            self._terms = self._match.terms = copy(self._match.terms)
            self._terms.seats = self._terms.seats.copy()
        return self._terms

    def plan(self, number: int) -> SeatPlan:
        """Return the plan of a seat, to be written to."""
        plan = self._plans.get(number)
        if plan is None:
            seats = self.terms().seats
            plan = self._plans[number] = seats[number] = copy(seats[number])
        return plan

    def replace_plan(self, number: int, plan: SeatPlan) -> None:
        """Replace the plan of a seat."""
        self._plans[number] = self.terms().seats[number] = plan

    def everything(self) -> None:
        """Record all parts: the match is new."""
        self.terms()
        self.status()
        for number in range(len(self._match.seats)):
            self.seat(number)

    def refuse(self, number: int) -> int:
        """Count a refused act of a seat, and return how many it has had since the last record."""
        count = self.refusals[number] = self.refusals.get(number, 0) + 1
        return count

    def record(self, now: int, played: PlayedPart | None, counters: LogCounters) -> MatchRecord:
        """Return the changes as a record, and clear them.

        Args:
            now: The time of the record.
            played: The part that was played; None if nothing was.
            counters: The lengths of the logs.
        """
        for number, count in self.refusals.items():
            self.seat(number).refused += count
        record = MatchRecord(
            at=now,
            inputs=[] if played is None else played.inputs,
            changes={} if played is None else played.changes,
            stack=b"" if played is None else played.stack,
            entries=[] if played is None else played.entries,
            log_counters=None if played is None else counters,
            seats={number: self._seats[number] for number in sorted(self._seats)},
            status=self._status,
            terms=self._terms,
        )
        self._seats, self._plans, self.refusals = {}, {}, {}
        self._status = self._terms = None
        return record
