"""What a client has been told of one match: the folded view, the open question, the place in the log.

No input or output here: a subscription of any transport hands its items in, and this says what is known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from landsraad import games
from landsraad.errors import IllegalAct, UnknownGame
from landsraad.models import Clock, MatchInfo, Presence, presence_word, read_clock, read_match
from landsraad.v1 import act_pb2, ask_pb2, common_pb2, log_pb2, matches_pb2, play_pb2
from landsraad.wire.acts import made
from landsraad.wire.codec import Codec, codec_for
from landsraad.wire.entries import read_observation
from landsraad_engine.errors import BadOption, Refused
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.knowledge.fold import Fold, ResumedFold
from landsraad_engine.knowledge.information import Entry, KnownTable
from landsraad_engine.knowledge.views import SeatView
from landsraad_engine.play.bot import Decision

#: How many log entries are kept for whoever asks what has happened; older ones are forgotten.
_REMEMBERED = 10_000


def installed(game: str) -> Game:
    """A game by its id; UnknownGame if it is not installed here."""
    try:
        return games.load(game)
    except KeyError:
        raise UnknownGame(f"{game!r} is not installed here; there is: {', '.join(games.known())}") from None


class LogGap(Exception):
    """Entries are missing before those that came: the subscription has to be taken up again."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of an information log, as the engine has it; see landsraad_engine.knowledge.information."""

    number: int
    entry: Entry


class SeatDecision(Decision):
    """A question put to the seat, and what the seat knew when it was put."""

    __slots__ = ("clock", "decision", "view")

    def __init__(
        self, seat: int, options: Options, why: str, window: str, *, decision: int, view: Any, clock: Clock | None
    ) -> None:
        super().__init__(seat, options, why, window)
        #: the question's number in the seat's log
        self.decision = decision
        #: a typed facade over what the seat knows (for `dune`: DuneSeatView); it stays as it is
        self.view = view
        #: None if the match has no clock
        self.clock = clock


@dataclass(frozen=True, slots=True)
class Update:
    """What has happened since the update before."""

    #: the new entries of the log
    told: Sequence[LogEntry]
    view: Any
    #: the public step: frames of the rules in progress, rule of the open question, seats that are asked
    step: tuple[Any, ...]
    match: MatchInfo
    presences: dict[int, Presence]
    #: the seat's open question, if it has one
    turn: SeatDecision | None = None


class SeatLog:
    """One subscription's knowledge of a match. ``seat`` None: that of a spectator."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.match: MatchInfo | None = None
        self.presences: dict[int, Presence] = {}
        self.clock: Clock | None = None
        #: out-of-turn plays that are open, and the step that they belong to
        self.plays: Options = Options(())
        self.during = 0
        self.last_seq = 0
        self.epoch = 0
        self.number = 0
        self._game: Game | None = None
        self._codec: Codec | None = None
        self._fold: Fold | None = None
        self._told: deque[LogEntry] = deque(maxlen=_REMEMBERED)
        self._asked: ask_pb2.Options | None = None
        self._options: Options | None = None

    # -------------------------------------------------------------------------------------------------------- hearing

    def hear_match(self, parsed: matches_pb2.Match) -> None:
        """What is agreed about the match; the first item of each subscription."""
        self.adopt(read_match(parsed))

    def adopt(self, match: MatchInfo) -> None:
        """What is known of the match from elsewhere."""
        if self._game is None:
            self._game = installed(match.game)
            self._codec = codec_for(self._game)
        self.match = match
        self.presences.update({seat.number: seat.presence for seat in match.seats})

    def hear_snapshot(self, parsed: log_pb2.Observation) -> None:
        """The whole view, in place of all entries so far."""
        view = read_observation(parsed)
        self._fold = ResumedFold(self._layout(), view, parsed.number)
        self.epoch, self.number = parsed.epoch, parsed.number
        self.last_seq = parsed.last_seq
        self.during = parsed.during
        self._ask(parsed.question.options)

    def hear_entries(self, parsed: log_pb2.Entries) -> None:
        """The next entries of the log; those that are known already are left out."""
        if self._fold is None:
            self._fold = Fold(self._layout(), self.seat)
        if parsed.first > self.number + 1:
            raise LogGap(f"entry {parsed.first} came after {self.number}")
        known = self.number + 1 - parsed.first
        read = self.codec.read_entries(parsed)[known:]
        for entry, message in zip(read, parsed.entries[known:], strict=True):
            self.number += 1
            self._fold.add((entry,))
            self._told.append(LogEntry(self.number, entry))
            if entry[0] == "at":
                self.during = self.number
            elif entry[0] == "ask":
                self._ask(message.question.options)

    def _ask(self, options: ask_pb2.Options) -> None:
        """Keep the answers to a question as they came: most are read once, some never."""
        self._asked, self._options = options, None

    def hear_clock(self, parsed: play_pb2.Clock) -> None:
        """The seat's clock."""
        default = self.codec.read_act(parsed.default) if parsed.HasField("default") else None
        self.clock = read_clock(parsed, default)

    def hear_plays(self, parsed: play_pb2.Plays) -> None:
        """The out-of-turn plays that are open."""
        self.during = parsed.during
        self.plays = self.codec.read_options(parsed.options)

    def hear_presence(self, parsed: play_pb2.PresenceItem) -> None:
        """Somebody has come or gone."""
        self.presences[parsed.seat] = presence_word(parsed.presence)

    def hear_rewound(self, parsed: play_pb2.Rewound) -> None:
        """The end of the log was lost; a snapshot follows."""
        self.epoch = parsed.epoch
        self.number = 0
        self._fold = None
        self._told.clear()

    # ---------------------------------------------------------------------------------------------------------- asked

    @property
    def codec(self) -> Codec:
        assert self._codec is not None, "the match comes first"
        return self._codec

    def message(self, act: Act) -> act_pb2.Act:
        """An act as it is sent; IllegalAct if it is none of this game's, or a field holds what it cannot hold."""
        assert self._game is not None, "the match comes first"
        if type(act) not in self._game.acts:
            raise IllegalAct("malformed", f"{type(act).__name__} is not an act of {self._game.id}")
        try:  # nothing has checked what a bot has put together; a list is as good as a tuple
            return self.codec.act(made(msgspec.to_builtins(act), type(act)))
        except Refused as wrong:
            fields = {wrong.field: wrong.message}
            raise IllegalAct(wrong.reason, wrong.message, field=wrong.field, fields=fields) from None
        except (TypeError, OverflowError) as unfit:
            raise IllegalAct("malformed", f"{type(act).__name__}: {unfit}") from None

    @property
    def cursor(self) -> common_pb2.Cursor | None:
        """Where to go on; None: with a snapshot."""
        return common_pb2.Cursor(epoch=self.epoch, **{"from": self.number + 1}) if self._fold is not None else None

    @property
    def question(self) -> tuple[int, str, str] | None:
        """The open question: its number in the log, its rule, its kind of window."""
        view = self._known()
        return None if view is None or view.ask is None else (view.ask[0], *view.ask[1][:2])

    @property
    def options(self) -> Options:
        """The answers to the question that was put last."""
        if self._options is None:
            assert self._asked is not None, "nothing was asked"
            self._options = self.codec.read_options(self._asked)
        return self._options

    @property
    def step(self) -> tuple[Any, ...]:
        """The public step: frames, rule, seats that are asked."""
        view = self._known()
        return () if view is None else view.at

    def view(self) -> SeatView:
        """What is known now, with the game's words. It does not change with what comes after."""
        assert self._game is not None, "the match comes first"
        view = self._known()
        places, at = ({}, ()) if view is None else (dict(view.places), view.at)
        seen: SeatView = self._game.facade.of(places, self.seat, at[0] if at else ())
        return seen

    def news(self) -> Sequence[LogEntry]:
        """The entries since the last call."""
        news = tuple(self._told)
        self._told.clear()
        return news

    def update(self, turn: SeatDecision | None = None) -> Update:
        """Everything since the last call."""
        assert self.match is not None, "the match comes first"
        return Update(self.news(), self.view(), self.step, self.match, dict(self.presences), turn)

    def _known(self) -> KnownTable | None:
        return None if self._fold is None else self._fold.view

    def _layout(self) -> Any:
        assert self.match is not None, "the match comes first"
        assert self._game is not None
        try:
            return setting_for(self._game, self.match.options, len(self.match.seats), b"").layout
        except BadOption as error:
            raise UnknownGame(f"{self.match.name} cannot be followed here: {error}") from None
