"""The typed base class of bots for Dune: War for Arrakis."""

from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.play.bot import Bot


class ArrakisBot(Bot[ArrakisSeatView]):
    """Base class of bots for Dune: War for Arrakis: a `Bot` whose views are typed. See `Bot`."""

    game = "arrakis"
