"""Support for tests of games, ours and yours: scenarios, complete positions, citations of rules.

`docs/testing-rules.md` shows the language. The words of each game are in `testing.dune` and `testing.arrakis`.
"""

from landsraad_engine.testing.citations import covers
from landsraad_engine.testing.scenarios.positions import position
from landsraad_engine.testing.scenarios.scenario import Scenario

__all__ = ["Scenario", "covers", "position"]
