"""Hosted match: the state of a match as of one version of its log, cached by a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy

from msgspec.structs import replace

from landsraad_engine.kernel.execution import held
from landsraad_engine.kernel.match_options import window_ms
from landsraad_engine.kernel.snapshots import encode as encode_state
from landsraad_engine.kernel.zones import Sight
from landsraad_server.matches.builds import is_ours, other_build
from landsraad_server.matches.change_set import ChangeSet
from landsraad_server.matches.match_clocks import BOTS_MS, KEPT_MS, OPEN_MS, runs_out, stand, start_clock
from landsraad_server.matches.records import (
    ClockTerms,
    Ending,
    Fill,
    Image,
    LogCounters,
    MatchRecord,
    MatchResult,
    MatchStage,
    MatchStatus,
    Presence,
    SeatPlan,
    SeatState,
    Terms,
    Waypoint,
    new_secret,
)
from landsraad_server.matches.running_match import PlayedPart, RunningMatch
from landsraad_server.refusals import Denied
from landsraad_server.store import Head
from landsraad_server.store.match_log import SNAPSHOT_EVERY
from landsraad_server.store.pulse import Pause

_NOT_THERE = (Presence.NOBODY, Presence.AWAY)


def _of_the_house(terms: Terms) -> tuple[int, ...]:
    """Return the seats that house bots play."""
    return tuple([number for number, plan in enumerate(terms.seats) if plan.fill is Fill.HOUSE])


class HostedMatch:
    """The terms, status and seats of a match, and its game once it has begun.

    Attributes are for reading. Requests write to `changes` and play in `game`, and `take_record` makes a record of
    both. `absorb` applies a record that is already stored, without running a rule.
    """

    def __init__(self, match: str, terms: Terms) -> None:
        self.match = match
        self.terms = terms
        self.status = MatchStatus()
        self.seats = [SeatState() for _ in terms.seats]
        self.log_counters = LogCounters.none(len(terms.seats))
        self.running: RunningMatch | None = None
        #: whether this process has the engine build and the content files that play the match
        self.ours = is_ours(terms)
        self._unreadable = False  # Another build has written a state that this one cannot read.
        self.waypoints: list[Waypoint] = []
        #: by log: the nonce of the commit with its last entry; empty: it has none, or it is unknown
        self.log_nonces: list[bytes] = [b""] * (len(terms.seats) + 1)
        self._noted_counts: list[int] = [0] * (len(terms.seats) + 1)  # up to `log_nonces`
        #: what spectators may know of the match, encoded, with the version of which that is true; none: not encoded yet
        self.public_observation: tuple[Head, bytes] | None = None
        self._house_seats = _of_the_house(terms)
        self._window_ms = window_ms(terms.options)
        self._stood_until = 0  # The end of the last pause that is dealt with. A window that was open begins anew.
        #: the writes that no record holds yet
        self.changes = ChangeSet(self)

    # -------------------------------------------------------------------------------------------------------- reading

    @property
    def name(self) -> str:
        """The resource name of the match."""
        return f"matches/{self.match}"

    @property
    def stage(self) -> MatchStage:
        """The stage of the match's life."""
        return self.status.stage

    @property
    def over(self) -> bool:
        """Tell whether the match has ended."""
        return self.status.stage is MatchStage.OVER

    @property
    def of_other_build(self) -> bool:
        """Tell whether workers of another build are playing the match: this one cannot ask its game anything."""
        return not self.ours and self.stage is MatchStage.LIVE

    @property
    def game(self) -> RunningMatch:
        """The game of a match that has begun, with its question put.

        Raises:
            Denied: Another build plays the match.
        """
        if self.of_other_build:
            raise other_build()
        running = self.running
        assert running is not None
        running.refresh(asking=not self.over)
        return running

    def decision(self, seat: int) -> int:
        """Return the number of a seat's open question; 0 if it has none."""
        return 0 if self.over else self.log_counters.question_entries[seat]

    def last(self, log: int) -> int:
        """Return the number of the last entry of a log, including entries that no record holds yet."""
        running = self.running
        return 0 if running is None else running.last(log)

    def due(self, called: int = 0) -> int:
        """Return the next deadline of the match, in ms since 1970; 0 if it has none.

        Args:
            called: The time of the last request for house bots; 0 for none.
        """
        stage = self.stage
        if stage is MatchStage.OPEN:
            return self.terms.created + OPEN_MS
        if stage is MatchStage.OVER:
            return self.status.ended + KEPT_MS
        clock, bots = self._clock_due(), self.bots_due(called)
        return min(clock, bots) if clock and bots else clock or bots

    def _clock_due(self) -> int:
        rules, window_ends = self.terms.clock, self.window_ends
        if rules is None or window_ends:
            return window_ends
        if not self._house_seats:  # A short cut, since every act needs the deadline.
            return min(filter(None, (runs_out(rules, seat) for seat in self.seats)), default=0)
        times = (runs_out(rules, seat, self.waits_until(number)) for number, seat in enumerate(self.seats))
        return min(filter(None, times), default=0)

    def bots_due(self, called: int = 0) -> int:
        """Return the time at which house bots must be requested for seats that still have none; 0 if none lacks one."""
        if not self._house_seats:
            return 0
        missing = [self.waits_until(number) for number in self._house_seats if self.wants_bot(number)]
        return max(min(missing), called + BOTS_MS) if missing else 0

    def waits_until(self, number: int) -> int:
        """Return the time until which a seat's clock waits for a house bot; 0 if it has one or needs none."""
        if not self._house_seats or not self.wants_bot(number):
            return 0
        return max(self.seats[number].away_at, self.status.started) + BOTS_MS

    @property
    def window_ends(self) -> int:
        """The time at which the open reaction window of fixed length closes, in ms since 1970; 0 if none is open."""
        opened = self.log_counters.window_at
        return max(opened, self._stood_until) + self._window_ms if opened and not self.over else 0

    # -------------------------------------------------------------------------------------------------------- writing

    def begin(self, now: int) -> None:
        """Play up to the first question."""
        self.running = RunningMatch(self.match, self.terms)
        orders = {number: plan.orders for number, plan in enumerate(self.terms.seats) if plan.orders}
        self.running.begin(orders)
        status = self.changes.status()
        status.stage = MatchStage.LIVE
        status.started = now

    def stand_clocks(self, pause: Pause) -> None:
        """Let the clocks of open questions stand during a pause."""
        if self._stood_until >= pause.end or self.stage is not MatchStage.LIVE or self.of_other_build:
            return
        self._stood_until = pause.end
        for number, seat in enumerate(self.seats):
            if 0 < seat.asked_at < pause.end:
                stand(self.changes.seat(number), pause, self.waits_until(number))

    def raise_epoch(self, epoch: int) -> None:
        """Begin a new epoch after the log has lost its end: dice that players may have seen are not rolled again."""
        if self.over:
            pass  # No dice are left to be rolled.
        elif self.running is not None:
            self.game.raise_epoch(epoch)
        else:
            self.changes.terms().secret = new_secret()
        self.changes.status()

    def end(self, result: MatchResult, now: int) -> None:
        """End the match."""
        if self.running is not None:
            self.game.stop()
        status = self.changes.status()
        status.stage, status.ended, status.result = MatchStage.OVER, now, result

    def close_window(self) -> None:
        """Close the open reaction window: its time is up."""
        self.game.close_window()
        # A window that is open now is a new one. The counters may be part of a record, so a copy is changed.
        self.log_counters = replace(self.log_counters, window_at=0)

    def assign_seat(self, number: int, plan: SeatPlan) -> None:
        """Assign a seat to another player."""
        self.changes.replace_plan(number, plan)
        self._house_seats = _of_the_house(self.terms)

    def frozen_copy(self) -> HostedMatch:
        """Return a copy without the game, which later writes do not reach.

        For callers that read it after an `await`: the next batch may write changes that are never committed.
        """
        twin = copy(self)
        twin.seats = self.seats.copy()
        twin.running = None
        twin.changes = ChangeSet(twin)
        return twin

    def check_seat(self, number: int) -> None:
        """Raise `Denied` if there is no such seat."""
        if not 0 <= number < len(self.seats):
            raise Denied("NO_SUCH_SEAT", f"the match has the seats 0 to {len(self.seats) - 1}")

    def wants_bot(self, number: int) -> bool:
        """Tell whether a seat of the house has no bot."""
        return number in self._house_seats and self.seats[number].presence in _NOT_THERE

    # --------------------------------------------------------------------------------------------- records and images

    def take_record(self, now: int) -> MatchRecord | None:
        """Return the changes since the last record as a new one; None if there are none."""
        running = self.running
        played = None if running is None else running.take()
        if played is None and not self.changes:
            return None
        if running is not None and played is not None:
            self._follow_play(running, played, now)
        return self.changes.record(now, played, self.log_counters)

    def _follow_play(self, running: RunningMatch, played: PlayedPart, now: int) -> None:
        """Update counters, clocks and the end of the match after inputs were played."""
        before, self.log_counters = self.log_counters, played.counters
        if held(running.g):
            same = before.window_at and before.steps[-1] == self.log_counters.steps[-1]
            self.log_counters.window_at = before.window_at if same else now
        if self.terms.clock is not None:
            answered = {seat for seat, kind, _ in played.inputs if kind == "answer"}
            self._update_clocks(self.terms.clock, before, answered, now)
        if running.result is not None and not self.over:
            ending, winners = running.result
            self.end(MatchResult(Ending.PLAYED, ending, winners), now)

    def _update_clocks(self, rules: ClockTerms, before: LogCounters, answered: set[int], now: int) -> None:
        ask = self.game.g.ask
        window = ask is not None and ask.sight is Sight.QUIET
        for number, (was, asked) in enumerate(
            zip(before.question_entries, self.log_counters.question_entries, strict=True)
        ):
            if was != asked:
                given, waits = number in answered, self.waits_until(number)
                start_clock(
                    rules, self.changes.seat(number), was, asked, now, answered=given, window=window, waits=waits
                )

    def absorb(self, record: MatchRecord) -> None:
        """Apply a stored record."""
        if record.terms is not None:
            self.terms = record.terms
            self._house_seats = _of_the_house(self.terms)
        if record.status is not None:
            self.status = record.status
        for number, seat in record.seats.items():
            self.seats[number] = seat
        if record.log_counters is not None:
            log_counters = self.log_counters = record.log_counters
            self._update_running(lambda running: running.absorb(record.changes, record.stack, log_counters))

    def _update_running(self, update: Callable[[RunningMatch], None]) -> None:
        """Apply a stored state to the game. If another build has written what this one cannot read, drop the game."""
        if self._unreadable:
            return
        try:
            if self.running is None:
                self.running = RunningMatch(self.match, self.terms)
            update(self.running)
        except Exception:
            if self.ours:
                raise
            self.running, self._unreadable = None, True

    def add_waypoint(self, head: Head) -> None:
        """Remember the logs to which this version has added, and the lengths of all if it is one in so many."""
        counts, noted = self.log_counters.counts, self._noted_counts
        if counts != noted:
            pairs = zip(counts, noted, self.log_nonces, strict=True)
            self.log_nonces = [head.nonce if count != before else nonce for count, before, nonce in pairs]
            self._noted_counts = list(counts)
        if head.version % SNAPSHOT_EVERY == 0:
            self.waypoints.append(Waypoint(*head, list(self.log_counters.counts)))

    def image(self) -> Image:
        """Return the whole match, for a snapshot."""
        state = b"" if self.running is None else encode_state(self.running.g)
        return Image(self.terms, self.status, self.seats, self.log_counters, state, self.waypoints, self.log_nonces)

    @classmethod
    def from_image(cls, match: str, image: Image) -> HostedMatch:
        """Restore a match from a snapshot."""
        hosted = cls(match, image.terms)
        hosted.status, hosted.seats, hosted.log_counters = image.status, image.seats, image.log_counters
        hosted.waypoints = image.waypoints
        hosted.log_nonces = image.log_nonces or hosted.log_nonces
        hosted._noted_counts = list(image.log_counters.counts)
        if image.state:
            hosted._update_running(lambda running: running.resume(image.state, image.log_counters))
        return hosted

    @classmethod
    def from_records(cls, match: str, records: Sequence[tuple[Head, MatchRecord]]) -> HostedMatch | None:
        """Restore a match from its whole log; None if that is empty."""
        if not records or records[0][1].terms is None:
            return None
        hosted = cls(match, records[0][1].terms)
        hosted.absorb_all(records)
        return hosted

    def absorb_all(self, records: Iterable[tuple[Head, MatchRecord]]) -> None:
        """Apply several records in order."""
        for head, record in records:
            self.absorb(record)
            self.add_waypoint(head)
