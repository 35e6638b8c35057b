"""What the guild can do that the main rules do not know."""

from landsraad_engine.dune.pieces import GUILD
from landsraad_engine.exceptions import Source

source = Source(GUILD, GUILD)
