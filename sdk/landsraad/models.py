"""Games and matches as the service describes them: frozen values, and their conversion from and to messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal, get_args

from google.protobuf.timestamp_pb2 import Timestamp

from landsraad.v1 import accounts_service_pb2, catalog_pb2, common_pb2, matches_pb2, play_pb2
from landsraad.wire.catalog import read_options, read_outline
from landsraad.wire.enums import enum_name
from landsraad.wire.values import read_value
from landsraad_engine.content.outlines import BoardOutline

State = Literal["open", "live", "over"]
Fill = Literal["open", "invited", "house_bot"]
Presence = Literal["", "here", "away", "resigned"]
Outcome = Literal["default_act", "resign", "house_bot"]

#: The kinds of seat of a new match. Any other word is the id or the name of an account to invite.
OPEN: Final = "open"
HOUSE: Final = "house"
#: The longest time of a clock, a bank of thirty days. The service may allow less.
_MOST_SECONDS: Final = 2_592_000


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match."""

    #: "played" to an ending of the game, or "timeout", "resignation", "illegal_acts", "aborted", "infrastructure"
    kind: str
    #: the ending of the game, if it was played to the end
    ending: str
    winners: tuple[int, ...]
    #: the seat whose timeout, resignation or illegal acts ended it
    cause_seat: int | None = None
    #: the reason that was given for an early end
    reason: str = ""

    def __str__(self) -> str:
        who = ", ".join(f"seat {seat}" for seat in self.winners) or "nobody"
        return f"{self.ending or self.kind}: {who}{self.reason and f' ({self.reason})'}"


@dataclass(frozen=True, slots=True)
class AccountInfo:
    """The account of a caller."""

    #: the id, by which others can invite the account
    id: str
    #: the name, as the operator has set it; empty for a guest. Other accounts may have the same name.
    name: str
    #: True for a guest, whose account follows from its token
    guest: bool
    #: the rights of the token: "player" to create and join matches, "seat" to play one seat
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClockRules:
    """The clock of a match, in seconds. A match with neither decision time nor bank has no limit.

    Args:
        decision: Time for each decision before the bank is used; 0 for none.
        bank: Each seat's reserve at the start; 0 for none.
        increment: Seconds added to the bank after each decision.
        disconnect: Seconds after which a seat without a connection runs out of time; 0 for no such limit.
        outcome: The consequence of a timeout: "default_act", "resign" or "house_bot".

    Example:
        ::

            from landsraad import ClockRules

            blitz = ClockRules(decision=5, bank=120, increment=2, outcome="house_bot")
            client.create_match("arrakis", ["open", "house"], clock=blitz)
    """

    decision: float = 0
    bank: float = 0
    increment: float = 0
    disconnect: float = 0
    outcome: Outcome = "default_act"


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a seat, in seconds; None where there is no limit."""

    decision: float | None
    bank: float | None
    increment: float | None
    #: the consequence of a timeout
    outcome: str
    #: the act that a timeout takes, if it takes one
    default: Any
    #: the parts of the last answer's time that went to the network and to thinking
    network: float
    thinking: float


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """One seat of a match."""

    number: int
    fill: Fill
    player: str
    presence: Presence
    #: the id of the account that the seat is kept for
    invited: str = ""
    #: the name of the bot that plays the seat; empty for the game's usual one
    house_bot: str = ""


@dataclass(frozen=True, slots=True)
class MatchInfo:
    """One match: its terms and its state."""

    name: str
    game: str
    options: Mapping[str, Any]
    seats: tuple[SeatInfo, ...]
    clock: ClockRules | None
    state: State
    result: Result | None
    title: str
    watch_delay: float
    #: the commitment to the chance of the match, published before it began; the certificate reveals the secret
    commitment: str
    engine_build: str
    content_digest: str
    created: datetime | None = None
    started: datetime | None = None
    ended: datetime | None = None


class MatchList(list[MatchInfo]):
    """Matches, newest first."""

    #: the cells of the service that did not answer, so that their matches are missing
    missing_cells: tuple[str, ...] = ()

    def note_missing(self, cells: Iterable[str]) -> None:
        """Add cells that did not answer, by their resource names."""
        names = (name.removeprefix("cells/") for name in cells)
        self.missing_cells = tuple(sorted({*self.missing_cells, *names}))


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One option of a game."""

    name: str
    meaning: str
    default: Any
    #: the values to choose from; if empty, any value of the default's type, and numbers from ``low`` to ``high``
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
    """One game of the service. Rules and digest are present only if this game was asked for by its id."""

    id: str
    title: str
    seats: tuple[int, ...]
    options: tuple[OptionInfo, ...]
    endings: tuple[str, ...]
    rules: Mapping[str, RuleInfo] = field(default_factory=dict)
    content_digest: str = ""
    #: the orders for `Seat.orders`
    standing_orders: tuple[str, ...] = ()
    #: the shapes of the areas of its boards, by the name of the graph ("cells"), for drawing; as rules and digest
    boards: Mapping[str, BoardOutline] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right to play a seat. Keep it to come back after a crash; `credential` is a secret.

    Args:
        match: The name of the match.
        seat: The number of the seat.
        credential: The seat's own token.

    Example:
        ::

            from landsraad import Ticket

            ticket = Ticket(match.name, seat.number, seat.ticket.credential)
            print(client.seat(ticket).next_decision().why)
    """

    match: str
    seat: int
    credential: str = field(default="", repr=False)


# -------------------------------------------------------------------------------------------------------------- reading


def read_game(parsed: catalog_pb2.Game) -> GameInfo:
    """Read a game of the catalog."""
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
    drawn = {graph.name.removeprefix(f"{game}/"): read_outline(graph) for graph in parsed.graphs}
    return GameInfo(
        game,
        parsed.title,
        tuple(parsed.seats),
        options,
        tuple(parsed.endings),
        rules,
        parsed.content_digest,
        tuple(parsed.standing_orders),
        {name: outline for name, outline in drawn.items() if outline is not None},
    )


def read_account(parsed: accounts_service_pb2.WhoAmIResponse) -> AccountInfo:
    """Read the account of a caller."""
    account = parsed.account
    roles = tuple(_word(accounts_service_pb2.Role, role, "ROLE_") for role in parsed.roles)
    return AccountInfo(account.account_id, account.display_name, account.guest, roles)


def read_match(parsed: matches_pb2.Match) -> MatchInfo:
    """Read a match."""
    return MatchInfo(
        name=parsed.name,
        game=parsed.game.removeprefix("games/"),
        options=read_options(parsed.options),
        seats=tuple(map(_read_seat, parsed.seats)),
        clock=_read_rules(parsed.clock) if parsed.HasField("clock") else None,
        state=_word(common_pb2.MatchState, parsed.state, "MATCH_STATE_"),
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
    """Read the result of a match."""
    cause = parsed.cause_seat if parsed.HasField("cause_seat") else None
    kind = _word(common_pb2.ResultKind, parsed.kind, "RESULT_KIND_")
    return Result(kind, parsed.ending, tuple(parsed.winners), cause, parsed.reason)


def read_clock(parsed: play_pb2.Clock, default: Any) -> Clock:
    """Read the clock of a seat."""
    limits = (parsed.decision_ms, parsed.bank_ms, parsed.increment_ms)
    decision, bank, increment = (ms / 1000 if parsed.limited else None for ms in limits)
    outcome = _word(common_pb2.TimeoutOutcome, parsed.outcome, "TIMEOUT_OUTCOME_")
    return Clock(decision, bank, increment, outcome, default, parsed.network_ms / 1000, parsed.thinking_ms / 1000)


def presence_word(number: matches_pb2.Presence.ValueType) -> Presence:
    """Return a presence as a word."""
    word: Presence = _word(matches_pb2.Presence, number, "PRESENCE_")
    return word


def _read_seat(parsed: matches_pb2.Seat) -> SeatInfo:
    fill = _word(matches_pb2.SeatFill, parsed.fill, "SEAT_FILL_")
    presence = presence_word(parsed.presence)
    return SeatInfo(parsed.number, fill, parsed.player, presence, parsed.invited, parsed.house_bot)


def _read_rules(parsed: common_pb2.ClockRules) -> ClockRules:
    return ClockRules(
        parsed.decision_ms / 1000,
        parsed.bank_ms / 1000,
        parsed.increment_ms / 1000,
        parsed.disconnect_ms / 1000,
        _word(common_pb2.TimeoutOutcome, parsed.outcome, "TIMEOUT_OUTCOME_"),
    )


def _word(enum: Any, number: int, prefix: str) -> Any:
    """Return the last part of an enum's name in lower case; "" for UNSPECIFIED.

    A newer service may send a number that is unknown here. It becomes a word like "unknown_9".
    """
    return enum_name(enum, number, prefix).removeprefix("UNSPECIFIED").lower()


def _time(stamp: Timestamp) -> datetime | None:
    return stamp.ToDatetime(UTC) if stamp.seconds else None


# -------------------------------------------------------------------------------------------------------------- writing


def clock_message(rules: ClockRules) -> common_pb2.ClockRules:
    """Write the clock of a new match.

    Raises:
        ValueError: A time is out of range, or the outcome is unknown.
    """
    message = common_pb2.ClockRules()
    for name in ("decision", "bank", "increment", "disconnect"):
        seconds = getattr(rules, name)
        if not 0 <= seconds <= _MOST_SECONDS:
            raise ValueError(f"the clock's {name} is {seconds}; it has to be from 0 to {_MOST_SECONDS} seconds")
        setattr(message, f"{name}_ms", round(seconds * 1000))
    if rules.outcome not in get_args(Outcome):
        raise ValueError(
            f"the clock's outcome is {rules.outcome!r}; it has to be one of {', '.join(get_args(Outcome))}"
        )
    message.outcome = common_pb2.TimeoutOutcome.Value(f"TIMEOUT_OUTCOME_{rules.outcome.upper()}")
    return message


def seat_message(fill: str) -> matches_pb2.Seat:
    """Write a seat of a new match: "open", "house", "house:NAME", or the id or name of an account to invite."""
    if fill == OPEN:
        return matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_OPEN)
    name, _, bot = fill.partition(":")
    if name == HOUSE:
        return matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_HOUSE_BOT, house_bot=bot)
    return matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_INVITED, invited=fill)
