"""The rulebook of High Dune: how its statements are cited, and where they lie."""

from landsraad_engine.checks.rulebook import Rulebook

HIGH_DUNE = Rulebook("high_dune", "HIGH", package="high_dune", document="rules.toml")
