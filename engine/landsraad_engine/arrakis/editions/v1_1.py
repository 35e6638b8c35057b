"""Version 1.1: what it has otherwise than the corrected Exclusive Edition."""

from landsraad_engine.arrakis.editions import Edition
from landsraad_engine.exceptions import Source

source = Source("v1_1")

EDITION = Edition(source)
