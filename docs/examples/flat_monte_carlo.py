"""Flat Monte Carlo: try a few acts in sampled worlds, play each world out at random, take the best act on average."""

from landsraad import Bot, run


class FlatMonteCarlo(Bot):
    worlds = 20  #: worlds in which each act is tried
    width = 8  #: acts that are tried
    depth = 400  #: random answers after an act, at the most

    def decide(self, view, ask):
        acts = list(dict.fromkeys(ask.sample(self.rng) for _ in range(self.width)))
        score = dict.fromkeys(acts, 0.0)
        for _ in range(self.worlds):
            world = ask.world(self.rng)
            for act in acts:  # the same world for all acts: they differ by what they do, not by luck
                after = world.copy()
                after.apply(act, ask.seat)
                score[act] += self.playout(after)[ask.seat]
        return max(acts, key=score.__getitem__)

    def playout(self, world):
        """Play on at random; return the value for each seat. Override this with an evaluation that knows the game."""
        for _ in range(self.depth):
            if not world.asked:
                break
            seat = world.asked[0]
            world.apply(world.legal(seat).sample(self.rng), seat)
        return world.result.shares if world.result else [1 / world.seats] * world.seats


if __name__ == "__main__":
    run(FlatMonteCarlo, game="dune", seats=2, opponents="random")
