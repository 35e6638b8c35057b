"""Greedy play of classic Dune: strongholds first, then spice, and no more spent than a thing is worth."""

from landsraad_bots.greedy.dune.scores import GreedyDune

__all__ = ["GreedyDune"]
