"""House play of War for Arrakis: columns against the nearest Sietch; a guard at home, and every station visited."""

from landsraad_bots.house.arrakis.player import HouseArrakis

__all__ = ["HouseArrakis"]
