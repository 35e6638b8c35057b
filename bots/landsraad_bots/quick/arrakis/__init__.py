"""The quick player of War for Arrakis."""

from landsraad_bots.quick.arrakis.player import QuickArrakis

__all__ = ["QuickArrakis"]
