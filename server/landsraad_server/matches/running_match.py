"""Running match: the game of a match that has begun, in the memory of a worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from landsraad import games
from landsraad.wire.codec import Codec, codec_for
from landsraad_engine.kernel.chance import match_key
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.match_options import window_ms
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.kernel.state import State
from landsraad_engine.play.match_core import Delta, Input, MatchCore, write_logs
from landsraad_server.matches.records import LogCounters, Terms
from landsraad_server.matches.wire_recorder import WireRecorder


class PlayedPart(NamedTuple):
    """The part of a record that comes from playing: inputs, changes and log entries since the last record."""

    #: inputs in the form of the engine's journal: seat, kind, act
    inputs: list[tuple[int, str, tuple[Any, ...]]]
    #: changed places with their new values; None: the place is empty now
    changes: dict[str, Any]
    #: the encoded stack of frames
    stack: bytes
    #: new log entries: a bit mask of the logs that hold the entry, and its bytes
    entries: list[tuple[int, bytes]]
    #: the lengths of the logs
    counters: LogCounters


class RunningMatch:
    """A `MatchCore` whose logs a `WireRecorder` writes. It can continue from the records of another worker.

    It keeps no journal and no logs, only the inputs, places and entries since the last `take`, for the next record.
    Acts come from the codec, which has checked their form.
    """

    def __init__(self, name: str, terms: Terms) -> None:
        game = games.load(terms.game)
        seats = len(terms.seats)
        key = match_key(terms.secret, name, [plan.entropy for plan in terms.seats])
        setting = setting_for(game, terms.options, seats, key)
        self.codec: Codec = codec_for(game)
        self.core = MatchCore(game.state(replace(setting, timed=window_ms(terms.options) > 0)))
        self.recorder = WireRecorder(seats, self.codec)
        self._inputs: list[Input] = []
        self._places: set[str] = set()
        #: set while the state comes from another worker, and its question has not been put on this one
        self._stale: LogCounters | None = None

    # ------------------------------------------------------------------------------------------------------- reading

    @property
    def g(self) -> State:
        """The state of the match."""
        return self.core.state

    @property
    def result(self) -> tuple[str, tuple[int, ...]] | None:
        """The kind of the end by the rules and the winners; None before it."""
        return self.core.state.result

    def last(self, log: int) -> int:
        """Return the number of a log's last entry."""
        return self.recorder.last(log) if self._stale is None else self._stale.counts[log]

    def is_play(self, seat: int, act: Act, during: int | None = None) -> bool:
        """Tell out-of-turn plays from answers; see `MatchCore.is_play`."""
        return self.core.is_play(seat, act, as_play=during is not None)

    def try_out(self, seat: int, act: Act) -> None:
        """Raise `Refused` where `submit` would; no step is run."""
        self.core.try_out(seat, act)

    # -------------------------------------------------------------------------------------------------------- inputs

    def begin(self, orders: Mapping[int, Sequence[str]]) -> None:
        """Play up to the first question."""
        self._keep(self.core.begin(orders))

    def submit(self, seat: int, act: Act, decision: int | None = None, during: int | None = None) -> None:
        """Answer the open question, or make an out-of-turn play; see `Match.submit` of the engine."""
        self.core.check_open(seat)
        self.recorder.check_current(seat, decision, during)
        self._keep(self.core.submit(seat, act, as_play=during is not None))

    def answer(self, seat: int, act: Act) -> None:
        """Answer the open question."""
        self._keep(self.core.answer(seat, act))

    def set_orders(self, seat: int, orders: Sequence[str]) -> None:
        """Set a seat's standing orders."""
        self._keep(self.core.set_orders(seat, orders))

    def set_absent(self, seat: int, absent: bool = True) -> None:
        """Let a seat take the default act of every question from now on."""
        self._keep(self.core.set_absent(seat, absent))

    def close_window(self) -> None:
        """Close the open reaction window: its time is up."""
        self._keep(self.core.close_window())

    def raise_epoch(self, epoch: int) -> None:
        """Continue with the chance of another epoch, because the log has lost its end."""
        self._keep(self.core.raise_epoch(epoch))

    def stop(self) -> None:
        """Withdraw the question: the match ends by something other than its rules."""
        self.core.ask_nothing()
        self.recorder.note(self.core.state, ())

    def _keep(self, delta: Delta) -> None:
        self._inputs += delta.inputs
        self._places |= delta.places
        write_logs(self.recorder, self.core.state, delta)

    # ------------------------------------------------------------------------------------------------- what is stored

    def take(self) -> PlayedPart | None:
        """Return the part that was played since the last call; None if there is none."""
        if not (self._inputs or self._places or self.recorder.has_entries):
            return None
        inputs, self._inputs = self._inputs, []
        places, self._places = self._places, set()
        return PlayedPart(
            [(given.seat, given.kind, given.act) for given in inputs],
            self.core.changes(places),
            self.core.stack(),
            self.recorder.take(),
            self.recorder.log_counters(),
        )

    def absorb(self, changes: Mapping[str, Any], stack: bytes, log_counters: LogCounters) -> None:
        """Apply the changes of another worker's record; `refresh` puts its question."""
        self.core.absorb(changes, stack)
        self._stale = log_counters

    def resume(self, image: bytes, log_counters: LogCounters) -> None:
        """Continue from the engine's snapshot of this match."""
        self.core.resume(image)
        self._stale = log_counters

    def refresh(self, *, asking: bool) -> None:
        """Put the question of a state that came from another worker, if there is one."""
        if self._stale is not None:
            log_counters, self._stale = self._stale, None
            if asking:
                self.core.ask_again()
            else:
                self.core.ask_nothing()
            self.recorder.resume(self.core.state, log_counters)
