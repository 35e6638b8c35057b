"""Positions of classic Dune for tests."""

from __future__ import annotations

from typing import Any

from landsraad_engine.dune.game import DUNE
from landsraad_engine.testing.scenario import Scenario


def at_table(*factions: str, storm: int = 18, turn: int = 2, seed: str = "dune", **options: Any) -> Scenario:
    """Some factions round an empty board, on dots 0, 1, ...: with the storm at its start that is their dot order."""
    scenario = Scenario(DUNE, factions, seed=seed, **options)
    for dot, faction in enumerate(factions):
        scenario.put(f"dot/{faction}", dot)
    return scenario.put("storm", storm).put("turn", turn)


def stand(scenario: Scenario, faction: str, cell: str, tokens: int, elites: int = 0, coexisting: int = 0) -> Scenario:
    """Put tokens of a faction into a cell."""
    return scenario.put(f"at/{faction}/{cell}", (tokens, elites, coexisting))
