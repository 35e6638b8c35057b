"""The core of a match: it keeps the state, takes inputs, and returns what each of them has led to.

It keeps no journal and no logs. `Match` adds both; a server adds records of its own. So there is one place that says
how an input is taken, and no need to switch parts of it off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from landsraad_engine.errors import Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.events import Event
from landsraad_engine.kernel.frames import Frame
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.reserved_places import absent_key, absent_keys
from landsraad_engine.kernel.setting import derive_senses
from landsraad_engine.kernel.snapshots import decode, decode_stack, encode, encode_stack, tuples
from landsraad_engine.kernel.state import State
from landsraad_engine.knowledge.recorder import Recorder


class Input(msgspec.Struct, frozen=True, gc=False):
    """One accepted input, as the journal keeps it: enough to play the match again."""

    seat: int
    #: "answer" | "play" | "orders" | "absent"; "opening": orders that stood before the first question; "window": True
    #: at the very beginning if windows are held open, False where one was closed; "epoch": see `MatchCore.raise_epoch`
    kind: str
    act: tuple[Any, ...]


#: The kinds of inputs that stand in the log of their seat.
_ACTS = ("answer", "play")

#: Stands first in the journal of a match whose windows are held open.
HELD = Input(0, "window", (True,))


class Delta(msgspec.Struct, frozen=True, gc=False):
    """The outcome of one input, with the default answers of absent seats."""

    #: what a journal has to keep; several only at the beginning of a match
    inputs: tuple[Input, ...]
    #: what the seats may be told, in its order
    events: Sequence[Event]
    #: places that were written; `MatchCore.changes` reads their values
    places: set[str]
    #: the question that is open now
    ask: Ask | None
    #: the seats that have to answer it
    waiting: tuple[int, ...]


class MatchCore:
    """A match as its rules see it.

    It begins (`begin`), or goes on from an image (`resume`) or from what another process has played (`absorb`). Each
    method that takes an input either raises `Refused` and leaves the state as it was to the byte, or returns a `Delta`.
    """

    __slots__ = ("state",)

    def __init__(self, state: State) -> None:
        self.state = state

    # ------------------------------------------------------------------------------------------------------- reading

    @property
    def game(self) -> Game:
        """The game that is played."""
        game: Game = self.state.setting.game
        return game

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that have something to answer."""
        return self.state.waiting

    @property
    def result(self) -> tuple[str, tuple[int, ...]] | None:
        """The kind of the end and the winners; None before the end."""
        return self.state.result

    def changes(self, places: Iterable[str]) -> dict[str, Any]:
        """Return the values of places, in the order of their keys (None: empty)."""
        table = self.state.table
        return {key: table.get(key) for key in sorted(places)}

    def image(self) -> bytes:
        """Return the state as bytes, for `resume`."""
        return encode(self.state)

    def stack(self) -> bytes:
        """Return the frames in progress as bytes, for `absorb`."""
        return encode_stack(self.state.stack)

    def is_play(self, seat: int, act: Act, *, as_play: bool = False) -> bool:
        """Tell out-of-turn plays from answers. An act that could be either is an answer.

        ``as_play`` says that the sender means a play, which decides for acts that could be neither.
        """
        g = self.state
        if g.ask is not None and seat in g.waiting and g.ask.options[seat].offers(type(act)):
            return False
        return as_play or execution.plays(g, seat).offers(type(act))

    def try_out(self, seat: int, act: Act) -> None:
        """Raise `Refused` where `submit` would. No step is run: the time it takes would tell what would come of it."""
        self.check_open(seat)
        check = execution.check_play if self.is_play(seat, act) else execution.check_answer
        check(self.state, seat, act)

    def check_open(self, seat: int) -> None:
        """Raise `Refused` unless this is a seat, and the match goes on."""
        self.check_seat(seat)
        if self.result is not None:
            raise Refused("over", "the match has ended")

    def check_seat(self, seat: int) -> None:
        """Raise `Refused` if there is no such seat."""
        if not 0 <= seat < self.state.setting.seats:
            raise Refused("not_asked", f"there is no seat {seat}")

    def well_formed(self, act: Any) -> Act:
        """Return the act with plain tuples and the types its fields declare; Refused if it is none of this game's."""
        game = self.game
        if type(act) not in game.acts:
            raise Refused("malformed", f"{type(act).__name__} is not an act of {game.id}")
        try:
            built: Act = msgspec.convert(msgspec.to_builtins(act), type(act), strict=True)
        except (msgspec.ValidationError, TypeError) as error:
            raise Refused("malformed", str(error)) from None
        values = (getattr(built, name) for name in built.__struct_fields__)
        return type(built)(*[tuples(list(v)) if type(v) in (list, tuple) else v for v in values])

    # -------------------------------------------------------------------------------------------------------- inputs

    def begin(self, orders: Mapping[int, Sequence[str]]) -> Delta:
        """Play up to the first question, with standing orders that hold from the very beginning."""
        g = self.state
        inputs = [HELD] if g.setting.timed else []
        for seat, given in sorted(orders.items()):
            self.check_seat(seat)
            kept = self._orders(given)
            execution.set_orders(g, seat, kept)
            inputs.append(Input(seat, "opening", kept))
        execution.begin(g)
        return self._settled(*inputs)

    def apply(self, given: Input) -> Delta:
        """Take an input as a journal keeps it.

        Raises:
            Refused: the state does not admit it.
            LawBroken: it names an act that the game does not have.

        """
        match given.kind:
            case "epoch":
                return self.raise_epoch(given.act[0])
            case "window":
                return self.close_window()
            case "orders":
                return self.set_orders(given.seat, given.act)
            case "absent":
                return self.set_absent(given.seat, given.act[0])
            case _:
                self.check_seat(given.seat)
                return self.submit(given.seat, self.well_formed(execution.from_plain(self.game, given.act)))

    def submit(self, seat: int, act: Act, *, as_play: bool = False) -> Delta:
        """Answer the open question, or make an out-of-turn play; see `is_play`."""
        self.check_open(seat)
        if not self.is_play(seat, act, as_play=as_play):
            return self.answer(seat, act)
        execution.play(self.state, seat, act)
        return self._settled(Input(seat, "play", execution.plain(act)))

    def answer(self, seat: int, act: Act) -> Delta:
        """Answer the open question."""
        execution.answer(self.state, seat, act)
        return self._settled(Input(seat, "answer", execution.plain(act)))

    def set_orders(self, seat: int, orders: Sequence[str]) -> Delta:
        """Set a seat's standing orders, which are among those of `kernel.standing_orders`."""
        self.check_seat(seat)
        kept = self._orders(orders)
        execution.set_orders(self.state, seat, kept)
        return self._settled(Input(seat, "orders", kept))

    def set_absent(self, seat: int, absent: bool = True) -> Delta:
        """Let a seat take the default act of every question from now on, and make no plays; its pieces stay."""
        self.check_seat(seat)
        g = self.state
        g.set_mark(absent_key(seat), True if absent else None)
        if g.ask is not None and g.ask.mode == "any":
            g.waiting = execution.present(g, g.ask)
        return self._settled(Input(seat, "absent", (absent,)))

    def close_window(self) -> Delta:
        """Close the open reaction window: its time is up."""
        execution.close_window(self.state)
        return self._settled(Input(0, "window", (False,)))

    def raise_epoch(self, epoch: int) -> Delta:
        """Go on with chance of another epoch, because the end of the match was lost.

        Dice that a player may have seen are not rolled again.
        """
        self.state.table["epoch"] = epoch
        self.state.dirty.add("epoch")
        return self._settled(Input(0, "epoch", (epoch,)))

    def _orders(self, orders: Sequence[str]) -> tuple[str, ...]:
        """Return standing orders as they are kept; Refused if one of them means nothing in this game."""
        if problem := execution.order_problem(self.game, orders):
            raise Refused("malformed", problem, field="orders")
        return tuple(sorted(set(orders)))

    def _settled(self, *inputs: Input) -> Delta:
        """Answer for absent seats, then take what has happened out of the state."""
        self.settle()
        g = self.state
        delta = Delta(inputs, g.events, g.dirty, g.ask, g.waiting)
        g.events = []
        g.dirty = set()
        return delta

    def settle(self) -> None:
        """Answer for absent seats."""
        g = self.state
        absent = absent_keys(g.setting.seats)
        while (ask := g.ask) is not None:
            for seat in g.waiting:
                if g.table.get(absent[seat]):
                    execution.answer(g, seat, ask.default_for(seat))
                    break
            else:
                break

    # ------------------------------------------------------------------------------------- what was played elsewhere

    def resume(self, image: bytes) -> None:
        """Go on from an image of this match, with its question put again."""
        self.state = decode(self.state.setting, image)

    def absorb(self, changes: Mapping[str, Any], stack: bytes) -> None:
        """Bring in changes and the stack that another process has recorded. Its question is put by `ask_again`."""
        g = self.state
        table = g.table
        sides = False
        for key, value in changes.items():
            sides = sides or key.startswith("side/")
            if value is None:
                table.pop(key, None)
            else:
                table[key] = tuples(value)
        frames: list[Frame] = decode_stack(self.game, stack)
        g.stack[:] = frames
        g.forget()
        if sides:
            g.sides, g.eyes, g.hooks = derive_senses(g.setting, table)

    def ask_again(self) -> None:
        """Put the question at which the state stands; its step has written nothing, so it may run again."""
        g = self.state
        self.ask_nothing()
        execution.refresh(g)
        g.events.clear()
        g.dirty.clear()

    def ask_nothing(self) -> None:
        """Withdraw the question: the match has ended by something other than its rules."""
        self.state.ask, self.state.waiting = None, ()


def write_logs(recorder: Recorder, g: State, delta: Delta) -> None:
    """Write into the logs of the seats what an input has led to."""
    for given in delta.inputs:
        if given.kind in _ACTS:
            recorder.accepted(given.seat, given.kind, given.act)
    recorder.note(g, delta.events)
