"""What the emperor can do that the main rules do not know."""

from landsraad_engine.dune.pieces import EMPEROR
from landsraad_engine.exceptions import Source

source = Source(EMPEROR, EMPEROR)
