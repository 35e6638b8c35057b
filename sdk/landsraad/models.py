"""What the service says about games and matches, as plain frozen values; and how they are read from messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal, get_args

from google.protobuf.timestamp_pb2 import Timestamp

from landsraad.v1 import catalog_pb2, common_pb2, matches_pb2, play_pb2
from landsraad.wire.catalog import read_options
from landsraad.wire.values import read_value

State = Literal["open", "live", "over"]
Fill = Literal["open", "invited", "house_bot"]
Presence = Literal["", "here", "away", "resigned"]
Outcome = Literal["default_act", "resign", "house_bot"]

#: The longest of a clock's times, a bank of thirty days. The service says which of the others may be less.
_MOST_SECONDS: Final = 2_592_000


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended, and for whom."""

    #: "played" to an ending of the game, or "timeout", "resignation", "illegal_acts", "aborted", "infrastructure"
    kind: str
    #: which of the game's endings, if it was played to the end
    ending: str
    winners: tuple[int, ...]
    #: the seat whose timeout, resignation or illegal acts ended it
    cause_seat: int | None = None
    #: said by who has ended it early
    reason: str = ""

    def __str__(self) -> str:
        who = ", ".join(f"seat {seat}" for seat in self.winners) or "nobody"
        return f"{self.ending or self.kind}: {who}{self.reason and f' ({self.reason})'}"


@dataclass(frozen=True, slots=True)
class ClockRules:
    """The clock of a match, in seconds. Without time for a decision and without a bank, there is no limit."""

    #: free time for each decision, before the bank is touched; 0: none
    decision: float = 0
    #: each seat's bank at the start; 0: there are no banks
    bank: float = 0
    #: added to the bank after each decision, where there are banks
    increment: float = 0
    #: how long a seat that is asked may have no connection, before its time counts as up; 0: that does not matter
    disconnect: float = 0
    #: what a timeout does
    outcome: Outcome = "default_act"


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a seat, in seconds; None where there is no limit."""

    decision: float | None
    bank: float | None
    increment: float | None
    #: what happens when the time is up
    outcome: str
    #: the act that is taken then
    default: Any
    #: how much of the last answer's time the network took, and how much was thinking
    network: float
    thinking: float


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """One seat of a match."""

    number: int
    fill: Fill
    player: str
    presence: Presence
    invited: str = ""


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """One match: what is agreed about it, and where it stands."""

    name: str
    game: str
    options: Mapping[str, Any]
    seats: tuple[SeatInfo, ...]
    clock: ClockRules | None
    state: State
    result: Result | None
    title: str
    watch_delay: float
    #: what was published of the match's chance before it began; the certificate reveals the rest
    commitment: str
    engine_build: str
    content_digest: str
    created: datetime | None = None
    started: datetime | None = None
    ended: datetime | None = None


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One option of a game's matches."""

    name: str
    meaning: str
    default: Any
    #: what may be chosen; empty: anything of the default's type, numbers from ``low`` to ``high``
    values: tuple[Any, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """One statement of a rulebook."""

    id: str
    section: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class GameInfo:
    """One game that the service offers; rules and digest only where one game was asked for."""

    id: str
    title: str
    seats: tuple[int, ...]
    options: tuple[OptionInfo, ...]
    endings: tuple[str, ...]
    rules: Mapping[str, RuleInfo] = field(default_factory=dict)
    content_digest: str = ""
    #: what `Seat.orders` may name
    standing_orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ticket:
    """What lets a client play a seat: keep it to come back after a crash. ``credential`` is a secret."""

    match: str
    seat: int
    credential: str = field(default="", repr=False)


# -------------------------------------------------------------------------------------------------------------- reading


def read_game(parsed: catalog_pb2.Game) -> GameInfo:
    """A game of the catalog."""
    options = tuple(
        OptionInfo(
            option.name,
            option.meaning,
            read_value(option.default),
            tuple(map(read_value, option.values)),
            option.low,
            option.high,
        )
        for option in parsed.options
    )
    rules = {rule.id: RuleInfo(rule.id, rule.section, rule.heading, rule.text) for rule in parsed.rules}
    game = parsed.name.removeprefix("games/")
    return GameInfo(
        game,
        parsed.title,
        tuple(parsed.seats),
        options,
        tuple(parsed.endings),
        rules,
        parsed.content_digest,
        tuple(parsed.standing_orders),
    )


def read_match(parsed: matches_pb2.Match) -> MatchInfo:
    """A match."""
    return MatchInfo(
        name=parsed.name,
        game=parsed.game.removeprefix("games/"),
        options=read_options(parsed.options),
        seats=tuple(map(_read_seat, parsed.seats)),
        clock=_read_rules(parsed.clock) if parsed.HasField("clock") else None,
        state=_word(common_pb2.MatchState.Name(parsed.state), "MATCH_STATE_"),
        result=read_result(parsed.result) if parsed.HasField("result") else None,
        title=parsed.title,
        watch_delay=parsed.watch_delay_ms / 1000,
        commitment=parsed.commitment.hex(),
        engine_build=parsed.engine_build,
        content_digest=parsed.content_digest,
        created=_time(parsed.create_time),
        started=_time(parsed.start_time),
        ended=_time(parsed.end_time),
    )


def read_result(parsed: common_pb2.MatchResult) -> Result:
    """How a match ended."""
    cause = parsed.cause_seat if parsed.HasField("cause_seat") else None
    kind = _word(common_pb2.ResultKind.Name(parsed.kind), "RESULT_KIND_")
    return Result(kind, parsed.ending, tuple(parsed.winners), cause, parsed.reason)


def read_clock(parsed: play_pb2.Clock, default: Any) -> Clock:
    """A seat's clock."""
    limits = (parsed.decision_ms, parsed.bank_ms, parsed.increment_ms)
    decision, bank, increment = (ms / 1000 if parsed.limited else None for ms in limits)
    outcome = _word(common_pb2.TimeoutOutcome.Name(parsed.outcome), "TIMEOUT_OUTCOME_")
    return Clock(decision, bank, increment, outcome, default, parsed.network_ms / 1000, parsed.thinking_ms / 1000)


def presence_word(number: matches_pb2.Presence.ValueType) -> Presence:
    """Whether somebody is there, as a word."""
    word: Presence = _word(matches_pb2.Presence.Name(number), "PRESENCE_")
    return word


def _read_seat(parsed: matches_pb2.Seat) -> SeatInfo:
    fill = _word(matches_pb2.SeatFill.Name(parsed.fill), "SEAT_FILL_")
    return SeatInfo(parsed.number, fill, parsed.player, presence_word(parsed.presence), parsed.invited)


def _read_rules(parsed: common_pb2.ClockRules) -> ClockRules:
    return ClockRules(
        parsed.decision_ms / 1000,
        parsed.bank_ms / 1000,
        parsed.increment_ms / 1000,
        parsed.disconnect_ms / 1000,
        _word(common_pb2.TimeoutOutcome.Name(parsed.outcome), "TIMEOUT_OUTCOME_"),
    )


def _word(name: str, prefix: str) -> Any:
    """The last part of an enum's name in lower case: one of the words above; "" for the one that is never sent."""
    return name.removeprefix(prefix).removeprefix("UNSPECIFIED").lower()


def _time(stamp: Timestamp) -> datetime | None:
    return stamp.ToDatetime(UTC) if stamp.seconds else None


# -------------------------------------------------------------------------------------------------------------- writing


def clock_message(rules: ClockRules) -> common_pb2.ClockRules:
    """The clock rules of a new match; ValueError says which of them is none."""
    message = common_pb2.ClockRules()
    for name in ("decision", "bank", "increment", "disconnect"):
        seconds = getattr(rules, name)
        if not 0 <= seconds <= _MOST_SECONDS:
            raise ValueError(f"{name}: seconds, from 0 to {_MOST_SECONDS}, not {seconds}")
        setattr(message, f"{name}_ms", round(seconds * 1000))
    if rules.outcome not in get_args(Outcome):
        raise ValueError(f"outcome: one of {', '.join(get_args(Outcome))}, not {rules.outcome!r}")
    message.outcome = common_pb2.TimeoutOutcome.Value(f"TIMEOUT_OUTCOME_{rules.outcome.upper()}")
    return message
