"""The quick player of classic Dune."""

from landsraad_bots.quick.dune.player import QuickDune

__all__ = ["QuickDune"]
