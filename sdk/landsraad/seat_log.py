"""The log of one match as a client knows it: the folded view, the open decision, the cursor.

There is no input or output here. A subscription of any transport applies its items to a `SeatLog`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec

from landsraad import games
from landsraad.errors import IllegalAct, OtherRules, UnknownGame
from landsraad.models import Clock, MatchInfo, Presence, presence_word, read_clock, read_match
from landsraad.v1 import ask_pb2, common_pb2, log_pb2, play_pb2
from landsraad.wire.acts import convert_act
from landsraad.wire.codec import Codec, codec_for
from landsraad.wire.entries import read_observation
from landsraad.wire.seat_semantics import cursor_at
from landsraad_engine.errors import BadOption, Refused
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.knowledge.fold import Fold, ResumedFold
from landsraad_engine.knowledge.information import Entry, KnownTable
from landsraad_engine.knowledge.views import SeatView
from landsraad_engine.play.bot import Decision, Worlds
from landsraad_engine.play.build import engine_build
from landsraad_engine.play.world import World, WorldSource

#: Log entries kept for the next update; older ones are dropped.
_MAX_ENTRIES = 10_000


def installed_game(game: str) -> Game:
    """Return a game by its id.

    Raises:
        UnknownGame: It is not installed here.
    """
    try:
        return games.load(game)
    except KeyError:
        raise UnknownGame(
            f"the game {game!r} is not installed here; installed are: {', '.join(games.known())}"
        ) from None


class LogGap(Exception):
    """Entries are missing before those that came. The client has to subscribe again from its cursor."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One entry of an information log in the form of the engine, see `landsraad_engine.knowledge.information`."""

    number: int
    entry: Entry


class SeatDecision(Decision):
    """A decision of a seat, with the seat's view and clock at the moment when it was put.

    It is a `Decision`, the same that `Bot.decide` receives, plus `number` and `view`.
    """

    __slots__ = ("number", "view")

    #: None if the match has no clock
    clock: Clock | None

    def __init__(
        self,
        seat: int,
        options: Options,
        why: str,
        window: str,
        *,
        number: int,
        view: Any,
        clock: Clock | None,
        worlds: Worlds | None = None,
    ) -> None:
        super().__init__(seat, options, why, window, clock, worlds=worlds)
        #: the number of its entry in the seat's log
        self.number = number
        #: the seat's knowledge when the decision was put to it, typed by the game; it never changes
        self.view = view


class MatchWorlds:
    """The worlds of one decision of a match on a service, if it is played by the rules that are installed here."""

    __slots__ = ("_match", "_source")

    def __init__(self, match: MatchInfo, game: Game, known: KnownTable) -> None:
        self._match = match
        self._source = WorldSource(game, match.options, len(match.seats), known)

    def draw(self, rng: Random) -> World:
        """Draw a world; see `Decision.world`."""
        check_rules(self._match)
        return self._source.draw(rng)


def check_rules(match: MatchInfo) -> None:
    """Check that a match is played by the rules and with the components that are installed here.

    Raises:
        OtherRules: It is not.
    """
    content = installed_game(match.game).content_digest(match.options)
    for what, theirs, ours in (
        ("engine build", match.engine_build, engine_build()),
        ("content digest", match.content_digest, content),
    ):
        if theirs != ours:
            raise OtherRules(f"{match.name} has the {what} {theirs or '(none)'}, and here it is {ours or '(none)'}")


@dataclass(frozen=True, slots=True)
class Update:
    """The changes since the previous update of a match."""

    #: the new entries of the log
    entries: Sequence[LogEntry]
    view: Any
    #: the public step: frames of the rules in progress, rule of the open question, seats that have to answer
    step: tuple[Any, ...]
    match: MatchInfo
    presences: dict[int, Presence]
    #: the open decision of the seat, if it has one
    decision: SeatDecision | None = None


class SeatLog:
    """The log of a seat, or of a spectator if `seat` is None, folded into a view."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self.match: MatchInfo | None = None
        self.presences: dict[int, Presence] = {}
        self.clock: Clock | None = None
        #: the open out-of-turn plays, and the number of the step to which they belong
        self.plays: Options = Options(())
        self.during = 0
        self.last_seq = 0
        self.epoch = 0
        self.number = 0
        #: the mark of the last entry: it tells the service to which history the log belongs
        self.mark = b""
        #: begin with the first entry, not with a snapshot
        self.from_first = False
        self._game: Game | None = None
        self._codec: Codec | None = None
        self._fold: Fold | None = None
        self._entries: deque[LogEntry] = deque(maxlen=_MAX_ENTRIES)
        self._parsed_options: ask_pb2.Options | None = None
        self._options: Options | None = None
        #: epochs and numbers of the questions that an answer has closed, whoever gave it
        self.closed_by_answer: set[tuple[int, int]] = set()
        #: the number of reaction windows that were closed before the seat had answered
        self.missed_windows = 0
        self._asked_at: tuple[Any, ...] = ()
        self._decision_id = 0  # of the last question

    # ------------------------------------------------------------------------------------------------- applying items

    def apply(self, item: play_pb2.ServerItem) -> None:
        """Apply one item of a subscription. Items about the connection, such as acknowledgements, are ignored.

        Raises:
            LogGap: Entries are missing before those of this item.
            UnknownGame: The game or its content file is not installed here.
        """
        match item.WhichOneof("item"):
            case "match":
                self.set_match(read_match(item.match))
            case "snapshot":
                self._apply_snapshot(item.snapshot.observation, item.snapshot.mark)
            case "entries":
                self._apply_entries(item.entries)
            case "clock":
                self._apply_clock(item.clock)
            case "plays":
                self.during = item.plays.during
                self.plays = self.codec.read_options(item.plays.options)
            case "presence":
                self.presences[item.presence.seat] = presence_word(item.presence.presence)
            case "rewound":
                self._apply_rewound(item.rewound)

    def apply_frame(self, frame: play_pb2.Frame) -> bool:
        """Apply the items of a frame of a spectator's stream; True once the match is over and the log complete."""
        for item in frame.items:
            if item.HasField("closed"):
                return item.closed.reason == play_pb2.CLOSED_REASON_OVER
            self.apply(item)
        return False

    def set_match(self, match: MatchInfo) -> None:
        """Set the terms and the state of the match, as the first item of each subscription does."""
        if self._game is None:
            self._game = installed_game(match.game)
            self._codec = codec_for(self._game)
        self.match = match
        self.presences.update({seat.number: seat.presence for seat in match.seats})

    def _apply_snapshot(self, parsed: log_pb2.Observation, mark: bytes) -> None:
        """Replace all entries so far by a view."""
        view = read_observation(parsed)
        self._fold = ResumedFold(self._layout(), view, parsed.number)
        self.epoch, self.number, self.mark = parsed.epoch, parsed.number, mark
        self.last_seq = parsed.last_seq
        self.during = parsed.during
        self._asked_at = self.step
        self._set_question(parsed.question)

    def _apply_entries(self, parsed: log_pb2.Entries) -> None:
        """Append entries, leaving out those that are known already."""
        if self._fold is None:
            self._fold = Fold(self._layout(), self.seat)
        if parsed.first > self.number + 1:
            raise LogGap(f"entry {parsed.first} came after {self.number}")
        known = self.number + 1 - parsed.first
        if known < len(parsed.entries):
            self.mark = parsed.mark
        read = self.codec.read_entries(parsed)[known:]
        for entry, message in zip(read, parsed.entries[known:], strict=True):
            self.number += 1
            question = self.question
            self._fold.add((entry,))
            self._entries.append(LogEntry(self.number, entry))
            if question is not None:
                self._note_closing(entry[0], question)
            if entry[0] == "at":
                self.during = self.number
            elif entry[0] == "ask":
                self._asked_at = self._fold.view.at
                self._set_question(message.question)

    def _note_closing(self, kind: str, question: tuple[int, str, str]) -> None:
        """Note how a question was closed, because a client learns of a timeout only by that."""
        number, _, window = question
        if kind == "answer":
            self.closed_by_answer.add((self.epoch, number))
        elif kind in ("closed", "ask") and window:
            # A play out of turn also withdraws the question, but leaves the procedure that asks at its step.
            asking, now = self._frames(self._asked_at), self._frames(self.step)
            self.missed_windows += now[: len(asking)] != asking

    @staticmethod
    def _frames(step: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(step[0]) if step else ()

    def _set_question(self, question: ask_pb2.Question) -> None:
        """Keep the legal acts as they came. They are parsed on first use: most are read once, some never."""
        self._decision_id = question.decision_id
        self._parsed_options, self._options = question.options, None

    def _apply_clock(self, parsed: play_pb2.Clock) -> None:
        """Set the seat's clock."""
        default = self.codec.read_act(parsed.default) if parsed.HasField("default") else None
        self.clock = read_clock(parsed, default)

    def _apply_rewound(self, parsed: play_pb2.Rewound) -> None:
        """Forget the log: the service has lost its end, and sends a snapshot next."""
        self.from_first = False
        self.epoch = parsed.epoch
        self.number = 0
        self.mark = b""
        self._fold = None
        self._entries.clear()

    # ---------------------------------------------------------------------------------------------------------- asked

    @property
    def codec(self) -> Codec:
        assert self._codec is not None, "the match comes first"
        return self._codec

    def write(self, act: Act) -> bytes:
        """Write an act as the bytes of its message.

        Raises:
            IllegalAct: The act does not belong to this game, or a field has a value of the wrong type.
        """
        assert self._game is not None, "the match comes first"
        if type(act) not in self._game.acts:
            raise IllegalAct("malformed", f"{type(act).__name__} is not an act of {self._game.id}")
        try:  # bots build acts without validation; a list is as good as a tuple
            return self.codec.act_bytes(convert_act(msgspec.to_builtins(act), type(act)))
        except Refused as wrong:
            fields = {wrong.field: wrong.message}
            raise IllegalAct(wrong.reason, wrong.message, field=wrong.field, fields=fields) from None
        except (TypeError, OverflowError) as unfit:
            raise IllegalAct("malformed", f"{type(act).__name__}: {unfit}") from None

    @property
    def cursor(self) -> common_pb2.Cursor | None:
        """The place at which to resume the log; None to begin with a snapshot."""
        if self._fold is None:
            return cursor_at(0, 1) if self.from_first else None
        return common_pb2.Cursor(epoch=self.epoch, mark=self.mark, **{"from": self.number + 1})

    @property
    def question(self) -> tuple[int, str, str] | None:
        """The open decision: its number, its rule and its kind of window; None if there is none."""
        view = self._known()
        return None if view is None or view.ask is None else (self._decision_id, *view.ask[1][:2])

    @property
    def options(self) -> Options:
        """The legal answers to the last decision."""
        if self._options is None:
            assert self._parsed_options is not None, "nothing was asked"
            self._options = self.codec.read_options(self._parsed_options)
        return self._options

    @property
    def step(self) -> tuple[Any, ...]:
        """The public step: frames, rule, and the seats that have to answer."""
        view = self._known()
        return () if view is None else view.at

    def view(self) -> SeatView:
        """Return the current view, typed by the game. It does not change afterwards."""
        assert self._game is not None, "the match comes first"
        view = self._known()
        places, at = ({}, ()) if view is None else (dict(view.places), view.at)
        seen: SeatView = self._game.facade.of(places, self.seat, at[0] if at else ())
        return seen

    def worlds(self, view: SeatView) -> Worlds:
        """Return the source of worlds for the current view."""
        known = self._known()
        assert self.match is not None, "the match comes first"
        assert self._game is not None
        assert known is not None
        kept = KnownTable(self.seat)
        kept.places, kept.shown, kept.at, kept.ask = view.table, dict(known.shown), known.at, known.ask
        return MatchWorlds(self.match, self._game, kept)

    def take_entries(self) -> Sequence[LogEntry]:
        """Return the entries since the last call."""
        entries = tuple(self._entries)
        self._entries.clear()
        return entries

    def update(self, decision: SeatDecision | None = None) -> Update:
        """Return everything since the last update."""
        assert self.match is not None, "the match comes first"
        return Update(self.take_entries(), self.view(), self.step, self.match, dict(self.presences), decision)

    def _known(self) -> KnownTable | None:
        return None if self._fold is None else self._fold.view

    def _layout(self) -> Any:
        assert self.match is not None, "the match comes first"
        assert self._game is not None
        try:
            return setting_for(self._game, self.match.options, len(self.match.seats), b"").layout
        except BadOption as error:
            raise UnknownGame(f"{self.match.name} cannot be followed here: {error}") from None
