"""The rulebooks of our games: their statements as data beside this module, and how each is cited."""

from landsraad_engine.checks.rulebook import Rulebook

_HERE = "landsraad_engine"

ARRAKIS = Rulebook("arrakis", "WFA", _HERE, "rules/arrakis.toml", editions=("exclusive", "v1_1", "preview_2022"))
DUNE = Rulebook("dune", "DUNE", _HERE, "rules/dune.toml")
TEACHING = Rulebook("teaching", "TEACH", _HERE, "rules/teaching.toml")
