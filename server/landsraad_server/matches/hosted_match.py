"""A match as of one version: all that follows from its log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy

from msgspec.structs import replace

from landsraad_engine.kernel.execution import held, plays
from landsraad_engine.kernel.match_options import window_ms
from landsraad_engine.kernel.snapshots import encode as encode_state
from landsraad_engine.kernel.zones import Sight
from landsraad_server.matches.builds import is_ours, other_build
from landsraad_server.matches.change_set import ChangeSet
from landsraad_server.matches.match_clocks import BOTS_MS, KEPT_MS, OPEN_MS, runs_out, start_clock
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

_NOT_THERE = (Presence.NOBODY, Presence.AWAY)


def _of_the_house(terms: Terms) -> tuple[int, ...]:
    """The seats that bots of the house are to play."""
    return tuple([number for number, plan in enumerate(terms.seats) if plan.fill is Fill.HOUSE])


class HostedMatch:
    """What is agreed, where the match stands, its seats, and the game itself once it has begun.

    Attributes are for reading, and their parts are never written to: requests write to `changes` and play in `game`,
    and `take` makes a record of both. `absorb` brings in a record that was stored, without running a rule.
    """

    def __init__(self, match: str, terms: Terms) -> None:
        self.match = match
        self.terms = terms
        self.standing = MatchStatus()
        self.seats = [SeatState() for _ in terms.seats]
        self.marks = LogCounters.none(len(terms.seats))
        self.live: RunningMatch | None = None
        #: whether it is played by the rules of this process
        self.ours = is_ours(terms)
        self._strange = False  # other rules have written what ours cannot even read
        self.waypoints: list[Waypoint] = []
        self._house = _of_the_house(terms)
        self._window_ms = window_ms(terms.options)
        #: what no record holds yet
        self.changes = ChangeSet(self)

    # -------------------------------------------------------------------------------------------------------- reading

    @property
    def name(self) -> str:
        """The resource name."""
        return f"matches/{self.match}"

    @property
    def stage(self) -> MatchStage:
        return self.standing.stage

    @property
    def over(self) -> bool:
        return self.standing.stage is MatchStage.OVER

    @property
    def elsewhere(self) -> bool:
        """Whether it is being played by rules that are not ours: then there is nothing to ask the game about."""
        return not self.ours and self.stage is MatchStage.LIVE

    @property
    def game(self) -> RunningMatch:
        """The game, with its question put; only once the match has begun."""
        if self.elsewhere:
            raise other_build()
        live = self.live
        assert live is not None
        live.refresh(asking=not self.over)
        return live

    def decision(self, seat: int) -> int:
        """The number of a seat's open question; 0 if it has none."""
        return 0 if self.over else self.marks.asked[seat]

    def last(self, log: int) -> int:
        """The number of the last entry of a log, unwritten ones included."""
        live = self.live
        return 0 if live is None else live.last(log)

    def due(self, called: int = 0) -> int:
        """When somebody has to look at the match next, in ms since 1970; 0: never. The house was `called` last then."""
        stage = self.stage
        if stage is MatchStage.OPEN:
            return self.terms.created + OPEN_MS
        if stage is MatchStage.OVER:
            return self.standing.ended + KEPT_MS
        clock, bots = self._clock_due(), self.bots_due(called)
        return min(clock, bots) if clock and bots else clock or bots

    def _clock_due(self) -> int:
        rules, window_ends = self.terms.clock, self.window_ends
        if rules is None or window_ends:
            return window_ends
        if not self._house:  # which is asked for with every act
            return min(filter(None, (runs_out(rules, seat) for seat in self.seats)), default=0)
        times = (runs_out(rules, seat, self.waits(number)) for number, seat in enumerate(self.seats))
        return min(filter(None, times), default=0)

    def bots_due(self, called: int = 0) -> int:
        """When the house is to be called, for seats that its bots should play by then; 0: they do."""
        if not self._house:
            return 0
        missing = [self.waits(number) for number in self._house if self.wants_bot(number)]
        return max(min(missing), called + BOTS_MS) if missing else 0

    def waits(self, number: int) -> int:
        """Until when the clock of a seat waits for a bot of the house; 0: it has one, or wants none."""
        if not self._house or not self.wants_bot(number):
            return 0
        return max(self.seats[number].away_at, self.standing.started) + BOTS_MS

    @property
    def window_ends(self) -> int:
        """When the open reaction window of fixed length closes, in ms since 1970; 0 if there is none."""
        opened = self.marks.window_at
        return opened + self._window_ms if opened and not self.over else 0

    def has_plays(self, seat: int) -> bool:
        """Whether some out-of-turn play is open to a seat."""
        return bool(plays(self.game.g, seat).choices)

    # -------------------------------------------------------------------------------------------------------- writing

    def begin(self, now: int) -> None:
        """Play up to the first question."""
        self.live = RunningMatch(self.match, self.terms)
        orders = {number: plan.orders for number, plan in enumerate(self.terms.seats) if plan.orders}
        self.live.begin(orders)
        standing = self.changes.status()
        standing.stage = MatchStage.LIVE
        standing.started = now

    def raise_epoch(self, epoch: int) -> None:
        """The end of the log was lost: dice that somebody may have seen are not rolled again."""
        if self.live is not None:
            self.game.raise_epoch(epoch)
        else:
            self.changes.terms().secret = new_secret()
        self.changes.status()

    def end(self, result: MatchResult, now: int) -> None:
        """The match is over."""
        if self.live is not None:
            self.game.stop()
        standing = self.changes.status()
        standing.stage, standing.ended, standing.result = MatchStage.OVER, now, result

    def close_window(self) -> None:
        """The time of the open reaction window is up."""
        self.game.close_window()
        # If another one is open now, it is a new one. The counters may stand in a record, so they are not written to.
        self.marks = replace(self.marks, window_at=0)

    def plan(self, number: int, plan: SeatPlan) -> None:
        """Somebody else has the seat from now on."""
        self.changes.replace_plan(number, plan)
        self._house = _of_the_house(self.terms)

    def as_it_stands(self) -> HostedMatch:
        """Return what holds now, but the game: later writes do not reach it.

        For readers that wait: the next batch may write what never comes to stand.
        """
        twin = copy(self)
        twin.seats = self.seats.copy()
        twin.live = None
        twin.changes = ChangeSet(twin)
        return twin

    def check_seat(self, number: int) -> None:
        """Denied if there is no such seat."""
        if not 0 <= number < len(self.seats):
            raise Denied("NO_SUCH_SEAT", f"the match has the seats 0 to {len(self.seats) - 1}")

    def is_here(self, number: int) -> bool:
        return self.seats[number].presence is Presence.HERE

    def wants_bot(self, number: int) -> bool:
        """Whether it is a seat of the house that nobody plays."""
        return number in self._house and self.seats[number].presence in _NOT_THERE

    # --------------------------------------------------------------------------------------------- records and images

    def take(self, now: int) -> MatchRecord | None:
        """Return what was written since the last record; None if nothing was."""
        live = self.live
        played = None if live is None else live.take()
        if played is None and not self.changes:
            return None
        if live is not None and played is not None:
            self._go_on(live, played, now)
        return self.changes.record(now, played, self.marks)

    def _go_on(self, live: RunningMatch, played: PlayedPart, now: int) -> None:
        """Let counters, clocks and the end of the match follow what was played."""
        before, self.marks = self.marks, played.counters
        if held(live.g):
            same = before.window_at and before.steps[-1] == self.marks.steps[-1]
            self.marks.window_at = before.window_at if same else now
        if self.terms.clock is not None:
            answered = {seat for seat, kind, _ in played.inputs if kind == "answer"}
            self._wind(self.terms.clock, before, answered, now)
        if live.result is not None and not self.over:
            ending, winners = live.result
            self.end(MatchResult(Ending.PLAYED, ending, winners), now)

    def _wind(self, rules: ClockTerms, before: LogCounters, answered: set[int], now: int) -> None:
        ask = self.game.g.ask
        window = ask is not None and ask.sight is Sight.QUIET
        for number, (was, asked) in enumerate(zip(before.asked, self.marks.asked, strict=True)):
            if was != asked:
                given, waits = number in answered, self.waits(number)
                start_clock(
                    rules, self.changes.seat(number), was, asked, now, answered=given, window=window, waits=waits
                )

    def absorb(self, record: MatchRecord) -> None:
        """Bring in a record that was stored."""
        if record.terms is not None:
            self.terms = record.terms
            self._house = _of_the_house(self.terms)
        if record.standing is not None:
            self.standing = record.standing
        for number, seat in record.seats.items():
            self.seats[number] = seat
        if record.marks is not None:
            marks = self.marks = record.marks
            self._bring_in(lambda live: live.absorb(record.changes, record.stack, marks))

    def _bring_in(self, bring: Callable[[RunningMatch], None]) -> None:
        """Bring the game to where it was stored."""
        if self._strange:
            return
        try:
            if self.live is None:
                self.live = RunningMatch(self.match, self.terms)
            bring(self.live)
        except Exception:
            if self.ours:
                raise
            self.live, self._strange = None, True

    def passed(self, head: Head) -> None:
        """The position stands at this version now: remember the way."""
        if head.version % SNAPSHOT_EVERY == 0:
            self.waypoints.append(Waypoint(*head, list(self.marks.counts)))

    def image(self) -> Image:
        """All of it, for a snapshot."""
        state = b"" if self.live is None else encode_state(self.live.g)
        return Image(self.terms, self.standing, self.seats, self.marks, state, self.waypoints)

    @classmethod
    def of(cls, match: str, image: Image) -> HostedMatch:
        """The position of an image."""
        position = cls(match, image.terms)
        position.standing, position.seats, position.marks = image.standing, image.seats, image.marks
        position.waypoints = image.waypoints
        if image.state:
            position._bring_in(lambda live: live.resume(image.state, image.marks))
        return position

    @classmethod
    def from_records(cls, match: str, records: Sequence[tuple[Head, MatchRecord]]) -> HostedMatch | None:
        """The position after a whole log; None if there is none."""
        if not records or records[0][1].terms is None:
            return None
        position = cls(match, records[0][1].terms)
        position.follow(records)
        return position

    def follow(self, records: Iterable[tuple[Head, MatchRecord]]) -> None:
        """Bring in one record after the other."""
        for head, record in records:
            self.absorb(record)
            self.passed(head)
