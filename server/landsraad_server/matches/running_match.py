"""A match that is being played, as a worker has it in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec

from landsraad import games
from landsraad.wire.codec import Codec, codec_for
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.chance import match_key
from landsraad_engine.kernel.game import Game, senses, setting_for, window_ms
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.snapshots import decode, frames_of, tuples, untangle
from landsraad_engine.play.match import HELD, Input, Match
from landsraad_server.matches.records import LogCounters, Terms
from landsraad_server.matches.wire_recorder import WireRecorder

_encode_stack = msgspec.msgpack.Encoder(order="deterministic").encode


@lru_cache(32)
def _stack_decoder(game: Game) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(list[frames_of(game)])  # type: ignore[misc]


class RunningMatch(Match):
    """The engine's match, but it can go on from what another worker has stored, and keeps neither logs nor journal.

    What has happened since the last `take_...` is what the next record will hold.
    """

    # Not Match.__init__: that begins a match, and one begins once, whereas it is loaded often.
    def __init__(self, name: str, terms: Terms) -> None:
        game = games.load(terms.game)
        self.game = game
        self.name = name
        self.secret = terms.secret
        self.entropy = tuple(plan.entropy for plan in terms.seats)
        self.options = terms.options
        self.seats = len(terms.seats)
        self.codec: Codec = codec_for(game)
        key = match_key(self.secret, name, self.entropy)
        timed = window_ms(self.options) > 0
        self.g = game.state(replace(setting_for(game, self.options, self.seats, key), timed=timed))
        self.journal = []
        self.scribe = WireRecorder(self.seats, self.codec)
        self.recorder = self.scribe
        self._stale: LogCounters | None = (
            None  # set: the state is that of another worker, its question not yet put again
        )

    def begin(self, orders: Mapping[int, tuple[str, ...]]) -> None:
        """Play up to the first question."""
        if self.g.setting.timed:
            self.journal.append(HELD)
        for seat, given in sorted(orders.items()):
            standing = tuple(sorted(set(given)))
            execution.set_orders(self.g, seat, standing)
            self.journal.append(Input(seat, "opening", standing))
        execution.begin(self.g)
        self._settle()

    def _well_formed(self, act: Any) -> Act:
        return act  # type: ignore[no-any-return]  # the codec has built it, field by field

    # ------------------------------------------------------------------------------------------------- what is stored

    def take_inputs(self) -> list[tuple[int, str, tuple[Any, ...]]]:
        """The inputs since the last call, as the journal has them."""
        inputs = [(given.seat, given.kind, given.act) for given in self.journal]
        self.journal.clear()
        return inputs

    def stack(self) -> bytes:
        """The stack of frames, as a record holds it."""
        return _encode_stack(self.g.stack)

    def absorb(self, changes: Mapping[str, Any], stack: bytes, marks: LogCounters) -> None:
        """Bring in what another worker has stored. Its question is put again when somebody needs it."""
        g = self.g
        table = g.table
        sides = False
        for key, value in changes.items():
            sides = sides or key.startswith("side/")
            if value is None:
                table.pop(key, None)
            else:
                table[key] = tuples(value)
        g.stack[:] = [untangle(frame) for frame in _stack_decoder(self.game).decode(stack)]
        if sides:
            g.sides, g.eyes, g.hooks = senses(g.setting, table)
        self._stale = marks

    def resume(self, image: bytes, marks: LogCounters) -> None:
        """Go on from the engine's image of this match."""
        self.g = decode(self.g.setting, image)
        self._stale = marks

    @property
    def touched(self) -> bool:
        """Whether there is something to be stored."""
        return bool(self.journal or self.g.dirty or self.scribe.spoken)

    def last(self, log: int) -> int:
        """The number of a log's last entry."""
        return self.scribe.last(log) if self._stale is None else self._stale.counts[log]

    def refresh(self, *, asking: bool) -> None:
        """Put the question again, if the state came from elsewhere and there is one."""
        if self._stale is not None:
            marks, self._stale = self._stale, None
            g = self.g
            g.ask, g.waiting = None, ()
            g.forget()
            if asking:
                execution.refresh(g)
                g.events.clear()
                g.dirty.clear()
            self.scribe.resume(g, marks)

    def stop(self) -> None:
        """Nobody is asked any more: the match ends by something other than its rules."""
        self.g.ask, self.g.waiting = None, ()
        self.scribe.note(self.g)
