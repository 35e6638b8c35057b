"""Positions of classic Dune for tests."""

from __future__ import annotations

from typing import Any

from landsraad_engine.dune.acts import BattlePlan
from landsraad_engine.dune.battle.battle import Battle
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.pieces import LEADERS
from landsraad_engine.testing.scenarios.scenario import Scenario


def at_table(*factions: str, storm: int = 18, turn: int = 2, seed: str = "dune", **options: Any) -> Scenario:
    """Some factions round an empty board, on dots 0, 1, ...: with the storm at its start that is their dot order."""
    scenario = Scenario(DUNE, factions, seed=seed, **options)
    for dot, faction in enumerate(factions):
        scenario.put(f"dot/{faction}", dot)
    return scenario.put("storm", storm).put("turn", turn)


def stand(scenario: Scenario, faction: str, cell: str, tokens: int, elites: int = 0, coexisting: int = 0) -> Scenario:
    """Put tokens of a faction into a cell."""
    return scenario.put(f"at/{faction}/{cell}", (tokens, elites, coexisting))


def plan(
    dial: int = 0,
    leader: str | None = None,
    weapon: str | None = None,
    defense: str | None = None,
    *,
    hero: bool = False,
    kh: bool = False,
) -> BattlePlan:
    """A battle plan; ``hero`` brings a Cheap Hero, ``kh`` the Kwisatz Haderach."""
    return BattlePlan(dial, leader, weapon, defense, hero, kh)


def duel(aggressor: str, defender: str, *others: str, cell: str = "arrakeen:9", **options: Any) -> Scenario:
    """Five tokens a side face each other in Arrakeen, all leaders at home, all hands empty.

    Seats that can only pass are not asked. :func:`clash` starts the battle.
    """
    scenario = at_table(aggressor, defender, *others, orders=True, **options)
    for faction in (aggressor, defender, *others):
        scenario.lay(f"leaders/{faction}", *LEADERS[faction])
    for faction in (aggressor, defender):
        stand(scenario, faction, cell, 5)
    return scenario


def clash(scenario: Scenario, *cells: str) -> Scenario:
    """Start the battle of the first two seats, in Arrakeen or in the given cells."""
    return scenario.run(Battle(cells or ("arrakeen:9",), scenario.g.side(0), scenario.g.side(1)))


def commit(scenario: Scenario, aggressor: BattlePlan, defender: BattlePlan) -> Scenario:
    """Commit the plans of the first two seats."""
    return scenario.answer(scenario.g.side(0), aggressor).answer(scenario.g.side(1), defender)
