"""Rules of thumb for War for Arrakis: columns against the nearest Sietch, guards at home, visits to stations."""

from landsraad_bots.rules_of_thumb.arrakis.player import RulesOfThumbArrakis

__all__ = ["RulesOfThumbArrakis"]
