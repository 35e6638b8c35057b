"""What the bene gesserit can do that the main rules do not know."""

from landsraad_engine.dune.pieces import BENE_GESSERIT
from landsraad_engine.exceptions import Source

source = Source(BENE_GESSERIT, BENE_GESSERIT)
