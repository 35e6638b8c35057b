"""The worlds of one decision, drawn when they are needed and kept, so that all candidates meet the same ones."""

from __future__ import annotations

from random import Random

from landsraad_engine.play.bot import Decision
from landsraad_engine.play.world import World

#: Bits of the seeds of the players in a world.
_SEED_BITS = 48


class WorldPool:
    """Worlds by number, each with a seed for the players of its playouts."""

    def __init__(self, ask: Decision, rng: Random) -> None:
        self._ask = ask
        self._rng = rng
        self._worlds: list[tuple[World, int]] = []

    def __getitem__(self, number: int) -> tuple[World, int]:
        """Return a world and the seed of its players. The world must be copied before it is played on.

        Raises:
            NoWorld: No position was found that agrees with the view.
            OtherRules: The match is played by other rules than those installed here.
        """
        while number >= len(self._worlds):
            world = self._ask.world(self._rng)
            # Sealed answers are drawn at random in a world; the players of its playouts give better ones.
            world.reopen()
            self._worlds.append((world, self._rng.getrandbits(_SEED_BITS)))
        return self._worlds[number]
