"""House play of War for Arrakis: columns against the nearest Sietch; a guard at home, and every station visited."""

from landsraad_bots.rules_of_thumb.arrakis.player import RulesOfThumbArrakis

__all__ = ["RulesOfThumbArrakis"]
