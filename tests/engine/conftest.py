"""A configurable game for tests, with the places and frames that a test passes in."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import pytest

from landsraad_engine.kernel.frames import Frame, Step
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.kernel.match_options import OptionSpec
from landsraad_engine.kernel.overrides import Source
from landsraad_engine.kernel.setting import setting_for
from landsraad_engine.kernel.state import State
from landsraad_engine.kernel.zones import Zone
from landsraad_engine.knowledge.views import SeatView
from landsraad_engine.play.bot import Decision, RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing


class Toy(Game):
    """A game whose parts a test sets."""

    id = "toy"
    seats = (1, 2, 3, 4, 5, 6)
    state = State
    facade = SeatView
    results = ("over",)

    def __init__(
        self,
        zones: Sequence[Zone] = (),
        frames: Sequence[type[Frame]] = (),
        acts: Sequence[type[Act]] = (),
        *,
        sources: Sequence[Source] = (),
        overlay: Mapping[tuple[str, str], Step] | None = None,
        census: Mapping[str, Sequence[str]] | None = None,
        disclosures: Sequence[str] = (),
        option_specs: Sequence[OptionSpec] = (),
        plays: Callable[[Any, int], Sequence[Choice]] | None = None,
        play: Callable[[Any, int, Act], Frame] | None = None,
    ) -> None:
        self.zones = tuple(zones)
        self.frames = tuple(frames)
        self.acts = tuple(acts)
        self.option_specs = tuple(option_specs)
        self.disclosures = frozenset(disclosures)
        self._sources = tuple(sources)
        self._overlay = dict(overlay or {})
        self._census = dict(census or {})
        self._plays = plays
        self._play = play

    def layout(self, options: Mapping[str, Any], seats: int) -> Sequence[Zone]:
        return self.zones

    def sources(self, options: Mapping[str, Any]) -> Sequence[Source]:
        return self._sources

    def overlay(self, options: Mapping[str, Any]) -> dict[tuple[str, str], Step]:
        return self._overlay

    def opening(self, g: Any) -> Frame:
        return self.frames[0]()

    def plays(self, g: Any, seat: int) -> Sequence[Choice]:
        return self._plays(g, seat) if self._plays else ()

    def play(self, g: Any, seat: int, act: Act) -> Frame:
        assert self._play is not None
        return self._play(g, seat, act)

    def census(self, g: Any) -> Mapping[str, Sequence[str]]:
        return self._census


class MakeToy(Protocol):
    def __call__(self, *arguments: Any, **more: Any) -> Toy: ...


class MakeState(Protocol):
    def __call__(self, game: Game, sides: Sequence[str] = (), seats: int | None = None) -> State: ...


class QuestionsOf(Protocol):
    def __call__(self, game: Game, seats: int, name: str) -> list[Options]: ...


@pytest.fixture(scope="session")
def questions_of() -> QuestionsOf:
    """Plays a random match and returns its questions with several answers."""

    def play(game: Game, seats: int, name: str) -> list[Options]:
        found: list[Options] = []

        class Recording(RandomBot):
            def decide(self, view: Any, ask: Decision) -> Act:
                found.append(ask.options)
                return super().decide(view, ask)

        match = Match(game, seats, secret=name.encode(), record=False, orders=standing(seats))
        play_out(match, [Recording(seat) for seat in range(seats)])
        return found

    return play


@pytest.fixture(scope="session")
def toy() -> MakeToy:
    """Return a factory of games."""
    return Toy


@pytest.fixture(scope="session")
def state_of() -> MakeState:
    """Return a factory of states with given sides and an empty stack."""

    def make(game: Game, sides: Sequence[str] = (), seats: int | None = None) -> State:
        g = game.state(setting_for(game, {}, seats or len(sides), b"key"))
        for seat, side in enumerate(sides):
            g.assign(seat, side)
        return g

    return make
