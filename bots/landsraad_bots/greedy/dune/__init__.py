"""Greedy play of classic Dune: strongholds first, then spice, and spending by expected worth."""

from landsraad_bots.greedy.dune.player import GreedyDune

__all__ = ["GreedyDune"]
