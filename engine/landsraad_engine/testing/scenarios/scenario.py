"""Scenarios: put a match into a position by hand, run one procedure of the rules, answer its questions.

s = Scenario(DUNE, ("atreides", "harkonnen"))
s.lay("hand/atreides", "shield", "snooper")
s.run(SomeRound())
s.answer("atreides", Pass())
assert s.done
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Self, TypeAlias, TypeVar, overload

from landsraad_engine.errors import Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.announcements import Announcement
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.kernel.chance import match_key
from landsraad_engine.kernel.events import Event
from landsraad_engine.kernel.frames import Flow, FlowTable, Frame, step
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.kernel.overrides import Moment
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.kernel.zones import Content
from landsraad_engine.testing.kernel_laws import state_faults
from landsraad_engine.testing.scenarios.act_building import build_act
from landsraad_engine.testing.scenarios.scenario_state import scenario_state, split

Kind = TypeVar("Kind", bound=Act)
Fact = TypeVar("Fact", bound=Announcement)

#: More answers than this on the way to a goal mean that it never comes.
ANSWERS_AT_MOST = 2000


class Halt(Act, frozen=True):
    """The answer that is never given: a scenario stands still when its procedure is over."""


class Standstill(Frame):
    """The frame below the procedure under test, so that the match does not end with it."""

    @step()
    def halt(f, g: Any) -> Flow:
        return Ask.one(0, Choice(Halt), why="", default=Halt())

    @halt.answer
    def halted(f, g: Any, seat: int, act: Act) -> Flow:
        raise AssertionError("the scenario is over")


class _Reached(Exception):
    """Leaves the kernel's loop in front of the step that a scenario is to stop at."""


#: A point to run on to: a step ("Frame.step"), a frame ("Frame" or the class), a kind of act that is offered, or a
#: condition: a function of the scenario.
Goal: TypeAlias = "type[Frame | Act] | str | Callable[[Any], bool]"


class Scenario:
    """One position of a game, with its seats played by the test.

    Args:
        game: the game to be played.
        sides: the side of each seat, from seat 0 on.
        seats: the number of seats of a table at which no sides are given out yet, for scenarios of the set-up.
        seed: where chance comes from that is not fixed.
        orders: whether seats that can only pass are passed over, as with the standing order "auto".
        checked: whether the invariants must hold at every question.
        options: options of the match.

    """

    def __init__(
        self,
        game: Game,
        sides: Sequence[str] = (),
        *,
        seats: int = 0,
        seed: str = "scenario",
        orders: bool = False,
        checked: bool = False,
        **options: Any,
    ) -> None:
        number = seats or len(sides)
        chosen = game.parse_options(options, number)
        setting = setting_for(game, chosen, number, match_key(b"test", seed))
        flow = FlowTable((*game.frames, Moment, Standstill), game.overlay(chosen))
        self.g: Any = scenario_state(game.state)(replace(setting, flow=self._watched(flow)))
        self.checked = False
        self.events: list[Event] = []
        for seat, side in enumerate(sides):
            self.g.assign(seat, side)
        for seat in range(number if orders else 0):
            self.g.table[f"orders/{seat}"] = (execution.AUTO,)
        execution.push(self.g, Standstill())
        execution.advance(self.g)
        self.g.events.clear()
        self.checked = checked

    def _watched(self, flow: FlowTable) -> FlowTable:
        """Return the steps, some of which may leave notes in the state; for scenarios of one game."""
        return flow

    def fork(self) -> Self:
        """Return an independent copy: what is done to one is not done to the other."""
        twin = copy.copy(self)
        twin.g = self.g.copy()
        twin.events = list(self.events)
        return twin

    # ------------------------------------------------------------------------------------------------- the position

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
        """Lay pieces into a place (top last in a pile), instead of what was there."""
        return self.put(key, faces or None)

    def top(self, pile: str, *faces: str) -> Self:
        """Bring cards of a pile to its top, the first to be drawn first."""
        lying = self.g.table.get(pile, ())
        below, wanted = split(lying, faces)
        return self.put(pile, tuple(lying[at] for at in (*below, *reversed(wanted))))

    def deal(self, pile: str, dealt: Mapping[str, Sequence[str]]) -> Self:
        """Give places exactly these pieces, out of the pile and of one another; what they had goes under the pile.

        Raises:
            AssertionError: a piece is wanted more often than there is one in these places.

        """
        at_hand = [face for key in dealt for face in self.g.table.get(key, ())]
        pieces = (*at_hand, *self.g.table.get(pile, ()))
        below, _ = split(pieces, [face for faces in dealt.values() for face in faces])
        for key, faces in dealt.items():
            self.lay(key, *faces)
        return self.lay(pile, *(pieces[at] for at in below))

    def problems(self) -> list[str]:
        """Return what the invariants of the game and the laws of the kernel find wrong with the position."""
        return [*self.g.setting.game.problems(self.g), *state_faults(self.g)]

    # ------------------------------------------------------------------------------------------------------- chance

    def rolls(self, label: str, *faces: Any) -> Self:
        """Fix the next open dice of a label: the numbers that they show, from 0 on."""
        numbers = [self._face(label, face) for face in faces]
        self.g.numbers.setdefault("die/" + label, []).extend(numbers)
        return self

    def _face(self, label: str, face: Any) -> int:
        """Return the number of a face; games whose dice have named faces override this."""
        return int(face)

    def picks(self, label: str, *indices: int) -> Self:
        """Fix the next blind picks of a label, by the position of what is picked."""
        self.g.numbers.setdefault("pick/" + label, []).extend(indices)
        return self

    def shuffles(self, pile: str, *faces: str) -> Self:
        """Fix which cards lie on top after the next shuffle of a pile, the first to be drawn first."""
        self.g.orders[pile] = faces
        return self

    def unfix(self) -> Self:
        """Drop fixed chance that has not come up."""
        self.g.numbers.clear()
        self.g.orders.clear()
        return self

    @property
    def chance_left(self) -> tuple[str, ...]:
        """The labels of fixed chance that has not come up."""
        return (*self.g.numbers, *self.g.orders)

    # ------------------------------------------------------------------------------------------------------ playing

    def run(self, frame: Frame | None, *, until: Goal | None = None) -> Self:
        """Run a procedure up to its first question, or up to a goal of `until`.

        A moment at which no source acts gives None as its frame; then there is nothing to run.
        """
        if frame is not None:
            self.g.ask = None
            self.g.waiting = ()
            execution.push(self.g, frame)
            if until is not None:
                return self.until(until)
            execution.advance(self.g)
        return self._keep()

    def again(self) -> Self:
        """Put the open question again after the position was changed by hand, or go on from where `until` stopped."""
        self.g.ask = None
        execution.advance(self.g)
        return self._keep()

    def answer(self, side: str, act: Act | type[Act], **fields: Any) -> Self:
        """Answer the open question for a side.

        Args:
            side: the side that answers.
            act: the act, or its kind; then `fields` are written by name, as `build_act` takes them.
            fields: the fields of the act that differ from doing nothing.

        Raises:
            Refused: the act is not legal.

        """
        execution.answer(self.g, self.seat(side), self._act(self._offered(side), act, fields))
        return self._keep()

    def play(self, side: str, act: Act | type[Act], **fields: Any) -> Self:
        """Make an out-of-turn play for a side, written as in `answer`."""
        execution.play(self.g, self.seat(side), self._act(self.open_plays(side), act, fields))
        return self._keep()

    def refused(self, side: str, act: Act | type[Act], rule: str = "", *, play: bool = False, **fields: Any) -> Refused:
        """Return the refusal of an act, which must leave everything as it was.

        Args:
            side: the side that tries it.
            act: the act, or its kind with `fields`.
            rule: the statement of the rulebook by which it must be refused.
            play: whether it is tried as an out-of-turn play.
            fields: as in `answer`.

        Raises:
            AssertionError: the act was accepted, was refused by another rule, or changed something.

        """
        offered = self.open_plays(side) if play else self._offered(side)
        tried = self._act(offered, act, fields)
        before = (dict(self.g.table), [frame.copy() for frame in self.g.stack])
        try:
            (execution.play if play else execution.answer)(self.g, self.seat(side), tried)
        except Refused as error:
            refusal = error
        else:
            raise AssertionError(f"{tried} was accepted")
        assert (dict(self.g.table), list(self.g.stack)) == before, "a refused act changed the state"
        if rule:
            assert refusal.rule == rule, f"refused by {refusal.rule}, not by {rule}: {refusal}"
        return refusal

    @staticmethod
    def _act(options: Options, act: Act | type[Act], fields: Mapping[str, Any]) -> Act:
        if isinstance(act, Act):
            assert not fields, f"{act} is built already"
            return act
        return build_act(options, act, fields)

    def _offered(self, side: str) -> Options:
        asked = self.g.ask is not None and self.seat(side) in self.g.waiting
        return self.options(side) if asked else Options(())

    def _keep(self) -> Self:
        self.events += self.g.events
        self.g.events.clear()
        if self.checked and (self.g.ask is not None or self.done):
            problems = self.problems()
            assert not problems, "; ".join(problems)
        return self

    # --------------------------------------------------------------------------------------------------- running on

    def passes(self, *sides: str) -> Self:
        """Let sides pass at the open question, or all that are asked; where passing is no answer, take the default."""
        for side in sides or self.asked:
            seat = self.seat(side)
            assert seat in self.g.waiting, f"{side} is not asked; {self.asked} are"
            execution.answer(self.g, seat, self._idle(seat))
        return self._keep()

    def _idle(self, seat: int) -> Act:
        """Return the answer of a seat that does as little as it can."""
        choices = self.g.ask.options[seat].choices
        passing = next((choice.act() for choice in choices if choice.act.__name__ == "Pass"), None)
        return passing or self.g.ask.default_for(seat)  # type: ignore[no-any-return]

    def until(self, goal: Goal, *, side: str = "") -> Self:
        """Let all seats pass until a step, frame, question or condition comes.

        At a step that asks, its question is open. In front of any other step, and at the beginning of a frame, the
        scenario stands still with no open question; `again` and `until` go on from there.

        Args:
            goal: a step ("BattleRound.choose"), a frame (its name or class), a kind of act that must be offered, or a
                function of the scenario.
            side: the side to which the kind of act must be offered.

        Raises:
            AssertionError: the procedure was over first.

        """
        steps, holds = self._goal(goal, side)
        named = goal if isinstance(goal, str) else getattr(goal, "__name__", goal)
        with self._stopping_at(steps):
            for _ in range(ANSWERS_AT_MOST):
                if holds(self):
                    return self._keep()
                assert not self.done, f"the procedure is over, and {named} has not come"
                try:
                    if self.g.ask is None:
                        execution.advance(self.g)
                    else:
                        seat = self.g.waiting[0]
                        execution.answer(self.g, seat, self._idle(seat))
                except _Reached:
                    return self._keep()
                self._keep()
        raise AssertionError(f"{named} has not come in {ANSWERS_AT_MOST} answers; the scenario stands at {self.where}")

    def finish(self) -> Self:
        """Let all seats pass until the procedure is over."""
        return self.until(lambda scenario: scenario.done)

    def _goal(self, goal: Goal, side: str) -> tuple[frozenset[tuple[str, str]], Callable[[Self], bool]]:
        """Return the steps to stop in front of, and whether the scenario has come to its goal."""
        info = self.g.setting.flow.info
        if isinstance(goal, type) and issubclass(goal, Act):
            kind = goal
            return frozenset(), lambda s: any(s._offered(each).offers(kind) for each in ((side,) if side else s.asked))
        if callable(goal) and not isinstance(goal, type):
            return frozenset(), goal
        name, _, at = (goal if isinstance(goal, str) else goal.__name__).partition(".")
        frame = next((cls for cls in info if cls.__name__ == name), None)
        assert frame is not None, f"{self.g.setting.game.id} has no frame {name}"
        first, steps = info[frame]
        at = at or first
        assert at in steps, f"{name} has no step {at}; it has {', '.join(steps)}"
        _, _, handler, _ = steps[at]
        return frozenset() if handler else frozenset({(name, at)}), lambda s: s.where == f"{name}.{at}"

    @contextmanager
    def _stopping_at(self, steps: frozenset[tuple[str, str]]) -> Iterator[None]:
        """Stop the kernel in front of steps that put no question."""
        if not steps:
            yield
            return

        def stopping(frame: str, name: str, fn: Callable[..., Flow]) -> Callable[..., Flow]:
            def stop(f: Any, g: Any) -> Flow:
                raise _Reached

            return stop if (frame, name) in steps else fn

        setting = self.g.setting
        self.g.setting = replace(setting, flow=setting.flow.wrapped(stopping))
        try:
            yield
        finally:
            self.g.setting = setting

    # ------------------------------------------------------------------------------------------------------ looking

    def seat(self, side: str) -> int:
        """Return the seat of a side, the first one if several play it."""
        return int(self.g.seats_of(side)[0])

    @property
    def done(self) -> bool:
        """True once the procedure, or the match, is over."""
        return self.g.result is not None or type(self.g.stack[-1]) is Standstill

    @property
    def asked(self) -> tuple[str, ...]:
        """The sides that have something to answer, in seat order."""
        return () if self.done else tuple(self.g.side(seat) for seat in self.g.waiting)

    @property
    def where(self) -> str:
        """The public step that asks, or at which `until` has stopped: "Frame.step"."""
        return f"{type(self.g.stack[-1]).__name__}.{self.g.stack[-1].pc}"

    def options(self, side: str) -> Options:
        """Return the options of a side at the open question."""
        options: Options = self.g.ask.options[self.seat(side)]
        return options

    def open_plays(self, side: str) -> Options:
        """Return the out-of-turn plays that are open to a side."""
        return execution.plays(self.g, self.seat(side))

    @overload
    def legal(self, side: str) -> list[Act]: ...
    @overload
    def legal(self, side: str, kind: type[Kind]) -> list[Kind]: ...
    def legal(self, side: str, kind: type[Act] | None = None) -> Any:
        """Return every legal answer of a side, or those of one act type."""
        return [act for act in self.options(side).enumerate() if kind is None or type(act) is kind]

    def told(self, verb: str, *, rule: str = "") -> list[Event]:
        """Return the events of one verb so far."""
        return [e for e in self.events if e.verb == verb and (not rule or e.rule == rule)]

    def announced(self, kind: type[Fact]) -> list[Fact]:
        """Return every announcement of a kind so far."""
        told = (event.public for event in self.told("announce"))
        return [kind(*facts[1:]) for facts in told if facts is not None and facts[0] == kind.__name__]

    def seen(self, side: str) -> list[tuple[Any, ...]]:
        """Return all events so far as one side saw them."""
        bit = 1 << self.seat(side)
        return [seen for e in self.events if (seen := e.seen_by(bit)) is not None]
