"""Planting leaks: games that tell what they must not, made of a real one. The leaks themselves live in tests only.

A plant is a subclass of the game: another state whose verbs say too much, zones that show too much, questions and plays
that depend on what is hidden. The two-run test is scored by how many of them it catches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple, TypeAlias

from landsraad_engine.kernel import execution
from landsraad_engine.kernel.frames import Frame, Step
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.kernel.zones import Sight, Zone
from landsraad_engine.testing.fuzz.random_play import random_setting
from landsraad_engine.testing.leaks.leak_match import leak_match

#: Matches tried for each plant, and positions in each.
MATCHES = 12
POSITIONS = 40

#: A game with a leak, made when it is needed.
Plant: TypeAlias = Callable[[], Game]
#: What is told, by the state after a verb and the arguments that the verb was given.
Told: TypeAlias = Callable[[Any, tuple[Any, ...]], Any]


class Soil(NamedTuple):
    """The game in which leaks are planted."""

    game: Game

    def leaky(self, **more: Any) -> Game:
        """A game that differs from this one in what is given."""
        made: Game = type("Leaky", (type(self.game),), more)()
        return made

    def says(self, verb: str, what: Told) -> Game:
        """After this verb everybody hears something that they must not."""
        plain = getattr(self.game.state, verb)

        def spoken(g: Any, *args: Any, **kwargs: Any) -> Any:
            result = plain(g, *args, **kwargs)
            g.announce("planted", what(g, args))
            return result

        return self.leaky(state=type("LeakyState", (self.game.state,), {"__slots__": (), verb: spoken}))

    def shows(self, *names: str) -> Game:
        """These zones lie open. (Not shuffled decks: the kernel refuses to shuffle what somebody sees.)"""
        plain = type(self.game).layout

        def layout(game: Game, options: Mapping[str, Any], seats: int) -> Sequence[Zone]:
            zones = plain(game, options, seats)
            return tuple(replace(zone, sight=Sight.OPEN) if zone.name in names else zone for zone in zones)

        return self.leaky(layout=layout)

    def replaced(self, frame: type[Frame], name: str, fn: Callable[[Any, Any], Any]) -> Game:
        """One step of the rules runs otherwise; its answers are taken as before."""
        return self._stepping(frame, name, fn, frame.STEPS[name].handler)

    def overheard(self, frame: type[Frame], name: str) -> Game:
        """Everybody hears at once what is answered to this question."""
        plain = frame.STEPS[name].handler
        assert plain is not None

        def heard(f: Any, g: Any, seat: int, act: Act) -> Any:
            g.announce("planted", *execution.plain(act))
            return plain(f, g, seat, act)

        return self._stepping(frame, name, frame.STEPS[name].fn, heard)

    def _stepping(self, frame: type[Frame], name: str, fn: Callable[..., Any], handler: Any) -> Game:
        step = Step(fn, frame.STEPS[name].rules)
        step.handler = handler
        plain = type(self.game).overlay
        return self.leaky(overlay=lambda game, options: {**plain(game, options), (frame.__name__, name): step})


def is_caught(plant: Plant) -> bool:
    """Whether the two-run test finds something. A plant that breaks the game instead raises, and proves nothing."""
    game = plant()
    for number in range(MATCHES):
        seats, options = random_setting(game, Random(number))
        if leak_match(game, seats, options, 1000 + number, POSITIONS).findings:
            return True
    return False
