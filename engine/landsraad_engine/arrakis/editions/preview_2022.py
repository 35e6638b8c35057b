"""The rulebook published as work in progress in 2022: what it has otherwise."""

from landsraad_engine.arrakis.editions import Edition
from landsraad_engine.exceptions import Source

source = Source("preview_2022")

EDITION = Edition(source)
