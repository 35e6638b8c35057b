"""Greedy play of War for Arrakis: a one-step evaluation in percent of a victory."""

from landsraad_bots.greedy.arrakis.player import GreedyArrakis

__all__ = ["GreedyArrakis"]
