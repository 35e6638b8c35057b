"""What the fremen can do that the main rules do not know."""

from landsraad_engine.dune.pieces import FREMEN
from landsraad_engine.exceptions import Source

source = Source(FREMEN, FREMEN)
