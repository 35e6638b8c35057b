"""Planted leaks: games made of a real one that tell what they must not. The leaks themselves live in tests only.

A leaky game is a subclass of the game: another state whose verbs say too much, zones that show too much, questions and
plays that depend on what is hidden. The two-run test is scored by how many of them it catches.
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

#: Makes a game with a leak when it is needed.
PlantedLeak: TypeAlias = Callable[[], Game]
#: Returns the secret that is told, from the state after a verb and the arguments of the verb.
Teller: TypeAlias = Callable[[Any, tuple[Any, ...]], Any]


class LeakyGames(NamedTuple):
    """Makes leaky games of a game."""

    game: Game

    def leaky(self, **more: Any) -> Game:
        """Return a game that differs from this one in these attributes."""
        made: Game = type("Leaky", (type(self.game),), more)()
        return made

    def says(self, verb: str, what: Teller) -> Game:
        """Return a game in which this verb announces something secret to all seats."""
        plain = getattr(self.game.state, verb)

        def spoken(g: Any, *args: Any, **kwargs: Any) -> Any:
            result = plain(g, *args, **kwargs)
            g.emit("announce", ("planted", what(g, args)))
            return result

        return self.leaky(state=type("LeakyState", (self.game.state,), {"__slots__": (), verb: spoken}))

    def shows(self, *names: str) -> Game:
        """Return a game in which these zones lie open; no decks, because the kernel refuses to shuffle open piles."""
        plain = type(self.game).layout

        def layout(game: Game, options: Mapping[str, Any], seats: int) -> Sequence[Zone]:
            zones = plain(game, options, seats)
            return tuple(replace(zone, sight=Sight.OPEN) if zone.name in names else zone for zone in zones)

        return self.leaky(layout=layout)

    def replaced(self, frame: type[Frame], name: str, fn: Callable[[Any, Any], Any]) -> Game:
        """Return a game in which another function runs as this step; its answers are taken as before."""
        return self._stepping(frame, name, fn, frame.STEPS[name].handler)

    def overheard(self, frame: type[Frame], name: str) -> Game:
        """Return a game in which the answers to this question are announced at once."""
        plain = frame.STEPS[name].handler
        assert plain is not None

        def heard(f: Any, g: Any, seat: int, act: Act) -> Any:
            g.emit("announce", ("planted", *execution.plain(act)))
            return plain(f, g, seat, act)

        return self._stepping(frame, name, frame.STEPS[name].fn, heard)

    def _stepping(self, frame: type[Frame], name: str, fn: Callable[..., Any], handler: Any) -> Game:
        step = Step(fn, frame.STEPS[name].rules)
        step.handler = handler
        plain = type(self.game).overlay
        return self.leaky(overlay=lambda game, options: {**plain(game, options), (frame.__name__, name): step})


def is_caught(plant: PlantedLeak) -> bool:
    """Return whether the two-run test finds the leak.

    A leak that breaks the game raises an error instead, and proves nothing.
    """
    game = plant()
    for number in range(MATCHES):
        seats, options = random_setting(game, Random(number))
        if leak_match(game, seats, options, 1000 + number, POSITIONS).findings:
            return True
    return False
