"""The typed base class of bots for classic Dune."""

from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.play.bot import Bot


class DuneBot(Bot[DuneSeatView]):
    """Base class of bots for classic Dune: a `Bot` whose views are typed. See `Bot`."""

    game = "dune"
