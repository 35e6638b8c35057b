"""Scenarios: put a match into a position by hand, run one procedure of the rules, answer its questions.

s = Scenario(DUNE, ("atreides", "harkonnen"))
s.lay("hand/atreides", "shield", "snooper")
s.run(SomeRound())
s.answer("atreides", Pass())
assert s.done
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self, TypeVar, overload

from landsraad_engine.errors import Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.chance import match_key
from landsraad_engine.kernel.events import Event
from landsraad_engine.kernel.frames import Flow, FlowTable, Frame, step
from landsraad_engine.kernel.game import Game, setting_for
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.kernel.overrides import Moment
from landsraad_engine.kernel.zones import Content

Kind = TypeVar("Kind", bound=Act)


class Halt(Act, frozen=True):
    """The answer that nobody gives: a scenario stands still when its procedure is over."""


class Standstill(Frame):
    """Below the procedure under test, so that the match does not end with it."""

    @step()
    def halt(f, g: Any) -> Flow:
        return Ask.one(0, Choice(Halt), why="", default=Halt())

    @halt.answer
    def halted(f, g: Any, seat: int, act: Act) -> Flow:
        raise AssertionError("the scenario is over")


class Scenario:
    """One position of a game, with its seats played by the test."""

    def __init__(
        self, game: Game, sides: Sequence[str], *, seed: str = "scenario", orders: bool = False, **options: Any
    ) -> None:
        chosen = game.parse_options(options, len(sides))
        setting = setting_for(game, chosen, len(sides), match_key(b"test", seed))
        flow = FlowTable((*game.frames, Moment, Standstill), game.overlay(chosen))
        self.g: Any = game.state(replace(setting, flow=flow))
        for seat, side in enumerate(sides):
            self.g.assign(seat, side)
            if orders:
                self.g.table[f"orders/{seat}"] = (execution.AUTO,)
        execution.push(self.g, Standstill())
        execution.advance(self.g)
        self.events: list[Event] = []
        self.g.events.clear()

    # --- the position

    def put(self, key: str, value: Any) -> Self:
        """Give a place a value as it is written in the table (None empties it)."""
        place = self.g.setting.places[key]
        if value is None:
            self.g.table.pop(key, None)
        else:
            self.g.table[key] = tuple(sorted(value)) if place.zone.content is Content.HAND else value
        self.g.table.pop("*" + key, None)
        self.g.forget()
        return self

    def lay(self, key: str, *faces: str) -> Self:
        """Lay pieces into a place (top last in a pile)."""
        return self.put(key, faces or None)

    # --- playing

    def run(self, frame: Frame | None) -> Self:
        """Run a procedure up to its first question (None, as from a moment at which nobody acts: nothing to run)."""
        if frame is None:
            self._keep()
            return self
        self.g.ask = None
        execution.push(self.g, frame)
        execution.advance(self.g)
        self._keep()
        return self

    def again(self) -> Self:
        """Put the open question again, after the position was changed by hand."""
        self.g.ask = None
        execution.advance(self.g)
        self._keep()
        return self

    def answer(self, side: str, act: Act) -> Self:
        """Answer the open question for a side (Refused if the act is not legal)."""
        execution.answer(self.g, self.seat(side), act)
        self._keep()
        return self

    def play(self, side: str, act: Act) -> Self:
        """Make an out-of-turn play for a side."""
        execution.play(self.g, self.seat(side), act)
        self._keep()
        return self

    def refused(self, side: str, act: Act, rule: str = "") -> Refused:
        """The refusal of an act, which must leave everything as it was."""
        before = (dict(self.g.table), [frame.copy() for frame in self.g.stack])
        try:
            execution.answer(self.g, self.seat(side), act)
        except Refused as error:
            refusal = error
        else:
            raise AssertionError(f"{act} was accepted")
        assert (dict(self.g.table), list(self.g.stack)) == before, "a refused act changed the state"
        if rule:
            assert refusal.rule == rule, f"refused by {refusal.rule}, not by {rule}: {refusal}"
        return refusal

    def _keep(self) -> None:
        self.events += self.g.events
        self.g.events.clear()

    # --- looking

    def seat(self, side: str) -> int:
        return int(self.g.seats_of(side)[0])

    @property
    def done(self) -> bool:
        """Whether the procedure is over (or the match)."""
        return self.g.result is not None or type(self.g.stack[-1]) is Standstill

    @property
    def asked(self) -> tuple[str, ...]:
        """The sides that have something to answer, in seat order."""
        return () if self.done else tuple(self.g.side(seat) for seat in self.g.waiting)

    @property
    def where(self) -> str:
        """The public step that asks: "Frame.step"."""
        return f"{type(self.g.stack[-1]).__name__}.{self.g.stack[-1].pc}"

    def options(self, side: str) -> Options:
        """What a side may answer now."""
        options: Options = self.g.ask.options[self.seat(side)]
        return options

    @overload
    def legal(self, side: str) -> list[Act]: ...
    @overload
    def legal(self, side: str, kind: type[Kind]) -> list[Kind]: ...
    def legal(self, side: str, kind: type[Act] | None = None) -> Any:
        """Every legal answer of a side, or those of one act type."""
        return [act for act in self.options(side).enumerate() if kind is None or type(act) is kind]

    def told(self, verb: str, *, rule: str = "") -> list[Event]:
        """The events of one verb so far."""
        return [e for e in self.events if e.verb == verb and (not rule or e.rule == rule)]

    def seen(self, side: str) -> list[tuple[Any, ...]]:
        """All events so far as one side saw them."""
        bit = 1 << self.seat(side)
        return [seen for e in self.events if (seen := e.seen_by(bit)) is not None]
