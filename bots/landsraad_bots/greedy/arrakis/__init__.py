"""Greedy play of War for Arrakis: what brings victory nearer first, and nobody left where more is lost than won."""

from landsraad_bots.greedy.arrakis.player import GreedyArrakis

__all__ = ["GreedyArrakis"]
