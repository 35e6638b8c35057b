"""A bot that looks ahead: it tries a few acts in sampled positions and plays each of them on."""

from typing import Any

from landsraad import Bot
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.play.bot import Decision
from landsraad_engine.play.world import World


class LookAhead(Bot):
    """Take the act that does best on average (flat Monte Carlo). Improve `value`, `policy` and `width`."""

    game = "GAME"
    #: sampled positions in which each act is tried, acts that are tried, and answers after each of them
    worlds = 4
    width = 6
    depth = 30

    def decide(self, view: Any, ask: Decision) -> Act:
        """Try some legal acts in the same sampled positions."""
        acts = list(dict.fromkeys(ask.options.sample_kind(self.rng) for _ in range(self.width)))
        if len(acts) == 1:
            return acts[0]
        scores = [0.0] * len(acts)
        for _ in range(self.worlds):
            world = ask.world(self.rng)  # a position that your seat cannot tell from the true one
            for number, act in enumerate(acts):
                after = world.copy()
                after.apply(act, ask.seat)
                scores[number] += self.played_on(after, ask.seat)
        return acts[max(range(len(acts)), key=scores.__getitem__)]

    def played_on(self, world: World, seat: int) -> float:
        """Play a position on, and return its value for a seat."""
        for _ in range(self.depth):
            if not world.asked:
                break
            other = world.asked[0]
            world.apply(self.policy(world, other), other)
        return self.value(world, seat)

    def policy(self, world: World, seat: int) -> Act:
        """Choose for a seat while a position is played on. This draws at random; a quick rule of thumb does better."""
        options = world.legal(seat)
        assert options is not None
        return options.sample_kind(self.rng)

    def value(self, world: World, seat: int) -> float:
        """Return how good a position is for a seat, from 0 to 1. This knows results only: add what you know."""
        return world.result.shares[seat] if world.result is not None else 1 / world.seats
