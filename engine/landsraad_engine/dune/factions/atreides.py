"""What the atreides can do that the main rules do not know."""

from landsraad_engine.dune.pieces import ATREIDES
from landsraad_engine.exceptions import Source

source = Source(ATREIDES, ATREIDES)
