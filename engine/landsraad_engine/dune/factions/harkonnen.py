"""What the harkonnen can do that the main rules do not know."""

from landsraad_engine.dune.pieces import HARKONNEN
from landsraad_engine.exceptions import Source

source = Source(HARKONNEN, HARKONNEN)
