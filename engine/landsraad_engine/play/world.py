"""Sampled positions as bots search them: whole states that a seat cannot tell from the true one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from landsraad_engine.errors import Refused
from landsraad_engine.kernel import execution
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.kernel.reserved_places import absent_keys
from landsraad_engine.kernel.setting import Setting, setting_for
from landsraad_engine.kernel.state import State
from landsraad_engine.knowledge.information import KnownTable, places_seen, plain_stack
from landsraad_engine.knowledge.worlds import WorldSampler

from .match_core import MatchCore

#: Bytes of a chance key.
_KEY_SIZE = 16
#: Looked up once: copies are made by the thousand.
_new: Callable[[type[World]], World] = object.__new__


class WorldResult(NamedTuple):
    """The result of a match in a world."""

    #: the kind of the end
    kind: str
    #: the seats that have won
    winners: tuple[int, ...]
    #: the share of each seat in the win: the winners share 1 equally, and so do all seats if nobody has won
    shares: tuple[float, ...]


class World:
    """A sampled position, to be played on: a full state that a seat cannot tell from the true one.

    `ask.world(rng)` makes one. It is made of the seat's view alone, and so is everything that can be read from it.
    Later dice and shuffles follow from a key that was drawn from `rng`.

    Args:
        state: The sampled state, which the world changes.
    """

    __slots__ = ("_some_are_absent", "_state")

    def __init__(self, state: State) -> None:
        self._state = state
        self._some_are_absent = any(map(state.table.get, absent_keys(state.setting.seats)))

    def copy(self, rng: Random | None = None) -> World:
        """Return an independent copy.

        Args:
            rng: Draw the later dice and shuffles of the copy anew. Without it, they fall as in the original as long as
                both are played alike. The order of a deck is no later chance: it is a part of the position.

        Returns:
            The copy.
        """
        twin = _new(World)
        twin._state = state = self._state.copy()
        twin._some_are_absent = self._some_are_absent
        if rng is not None:
            state.setting = _with_own_chance(state.setting, rng)
        return twin

    @property
    def seats(self) -> int:
        """The number of seats."""
        seats: int = self._state.setting.seats
        return seats

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have an open question; empty at the end.

        If there are several, each of them answers for itself (battle plans, reactions), or the first answer counts for
        all (partners that decide together): `asked` tells after each `apply`.
        """
        return self._state.waiting

    @property
    def result(self) -> WorldResult | None:
        """The result; None before the end."""
        ended: tuple[str, tuple[int, ...]] | None = self._state.table.get("result")
        return None if ended is None else _result(*ended, self._state.setting.seats)

    def legal(self, seat: int) -> Options | None:
        """Return the legal answers of a seat.

        Args:
            seat: The number of the seat.

        Returns:
            Its options, as in `ask.options`; None if it is not asked.
        """
        state = self._state
        return state.ask.options[seat] if seat in state.waiting and state.ask is not None else None

    def plays(self, seat: int) -> Options:
        """Return the out-of-turn plays that are open to a seat.

        Args:
            seat: The number of the seat.

        Returns:
            The plays; without choices if there are none.
        """
        return execution.plays(self._state, seat)

    def why(self, seat: int) -> str:
        """Return the rule that asks a seat.

        Args:
            seat: The number of the seat.

        Returns:
            The id of the rule; empty if the seat is not asked.
        """
        state = self._state
        return state.ask.why if seat in state.waiting and state.ask is not None else ""

    def apply(self, act: Act, seat: int | None = None) -> None:
        """Give an answer, or make an out-of-turn play, and run on to the next question or the end.

        Answers to a sealed question are kept until the last seat has answered. A reaction window closes as soon as all
        seats have answered it.

        Args:
            act: A legal act.
            seat: The seat that acts. You may leave it out if only one is asked.

        Raises:
            Refused: The act is illegal. The world is unchanged.
            ValueError: The seat is left out, but not exactly one is asked.
        """
        state = self._state
        if seat is None:
            if len(state.waiting) != 1:
                raise ValueError(f"name the seat that acts: {len(state.waiting)} seats are asked, {state.waiting}")
            seat = state.waiting[0]
        try:
            execution.answer(state, seat, act)
        except Refused:  # an act that could be an answer or a play is an answer
            if state.ask is None or not execution.plays(state, seat).offers(type(act)):
                raise
            execution.play(state, seat, act)
        state.drop_events()
        if self._some_are_absent:
            self._answer_for_absent_seats()

    def reopen(self) -> None:
        """Take back the sealed answers to the open question, so that all its seats are asked again.

        In a world the sealed answers of others are drawn at random. Have them answered anew if you know better what
        these seats would play. Questions that are not sealed stay as they are.
        """
        state = self._state
        execution.reopen(state)
        state.drop_events()
        if self._some_are_absent:
            self._answer_for_absent_seats()

    def _answer_for_absent_seats(self) -> None:
        """Take the default acts of the seats that have resigned, as the match does."""
        MatchCore(self._state).settle()

    def explain(self, act: Act, seat: int) -> Refused | None:
        """Return why an act is illegal.

        Args:
            act: The act to check.
            seat: The seat that would act.

        Returns:
            The refusal that the act would meet; None if it is legal.
        """
        core = MatchCore(self._state)
        try:
            core.check_seat(seat)
            core.try_out(seat, core.well_formed(act))
        except Refused as refused:
            return refused
        return None

    def view(self, seat: int | None) -> Any:
        """Return what a seat would see in this world.

        Args:
            seat: The number of the seat; None for the spectators.

        Returns:
            The view, typed by the game. It does not change when the world is played on.
        """
        state = self._state
        return state.setting.game.facade.of(places_seen(state, seat), seat, plain_stack(state.stack))


class WorldSource:
    """The worlds of one question. Everything that they have in common is prepared for the first of them.

    Args:
        game: The game that is played.
        options: All options of the match.
        seats: How many play.
        known: What the seat knows. It must not be changed afterwards.

    """

    __slots__ = ("_game", "_known", "_options", "_sampler", "_seats", "_setting")

    def __init__(self, game: Game, options: Mapping[str, Any], seats: int, known: KnownTable) -> None:
        self._game = game
        self._options = options
        self._seats = seats
        self._known = known
        self._setting: Setting
        self._sampler: WorldSampler | None = None

    def draw(self, rng: Random) -> World:
        """Draw a world; see `Decision.world`."""
        if self._sampler is None:
            self._setting = setting_for(self._game, self._options, self._seats, b"")
            self._sampler = WorldSampler(self._setting, self._known)
        state = self._sampler.sample(rng)
        state.setting = _with_own_chance(self._setting, rng)
        return World(state)


def _with_own_chance(setting: Setting, rng: Random) -> Setting:
    """Return a setting in which dice and shuffles follow from a key of their own."""
    return replace(setting, key=rng.randbytes(_KEY_SIZE))


def _result(kind: str, winners: tuple[int, ...], seats: int) -> WorldResult:
    """Return a result with the shares of the seats."""
    sharing = winners or tuple(range(seats))
    return WorldResult(kind, winners, tuple([1 / len(sharing) if seat in sharing else 0.0 for seat in range(seats)]))
