"""Rules of thumb for classic Dune: first whatever decides the match, then strongholds and spice at a fair price."""

from landsraad_bots.rules_of_thumb.dune.player import RulesOfThumbDune

__all__ = ["RulesOfThumbDune"]
