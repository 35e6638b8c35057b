"""A refusal says which rule an act breaks."""

import pytest

from landsraad_engine.arrakis.acts import RetreatTo
from landsraad_engine.arrakis.battle.attack import AttackWith
from landsraad_engine.arrakis.battle.retreat import RetreatFrom
from landsraad_engine.arrakis.movement import MoveLegions
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack, move


@pytest.mark.parametrize(
    ("target", "rule"),
    [
        ("hagga_basin", "WFA-S.9"),
        ("nw_11", "WFA-S.8"),
        ("cne_3", "WFA-M.1"),
        ("ne_1", "WFA-M.47"),
    ],
)
@covers("WFA-S.8", "WFA-S.9", "WFA-M.1", "WFA-M.47")
def test_why_a_legion_does_not_go_there(target: str, rule: str) -> None:
    war = War().legion(HARKONNEN, "broken_land", regular=1).legion(ATREIDES, "hagga_basin", regular=1).worm("ne_1")
    war.run(MoveLegions(seat=war.harkonnen))
    war.refused(HARKONNEN, move("broken_land", target, regular=1), rule)


@covers("WFA-S.16", "WFA-B.1")
def test_why_it_does_not_attack_there() -> None:
    war = War().legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", regular=1)
    war.run(AttackWith(seat=war.harkonnen))
    war.legion(ATREIDES, "cne_3", regular=1)
    war.refused(HARKONNEN, attack("carthag", "arrakeen", regular=1), "WFA-B.1")
    war.refused(HARKONNEN, attack("carthag", "cne_3", regular=1), "WFA-M.1")
    war.refused(HARKONNEN, attack("arrakeen", "carthag", regular=1), "WFA-S.16")


@pytest.mark.parametrize(("target", "rule"), [("se_1", "WFA-B.35"), ("se_5", "WFA-B.36"), ("cne_3", "WFA-M.1")])
@covers("WFA-B.35", "WFA-B.36")
def test_why_a_legion_does_not_retreat_there(target: str, rule: str) -> None:
    war = War().legion(HARKONNEN, "tasmin_sink", regular=1).legion(ATREIDES, "se_1", regular=1).wormsign("se_5")
    war.run(RetreatFrom(side=HARKONNEN, area="tasmin_sink", seats=(war.atreides,)))
    war.refused(ATREIDES, RetreatTo(target), rule)


@covers("WFA-M.2")
def test_why_such_a_part_does_not_go() -> None:
    war = War().legion(HARKONNEN, "arsunt", regular=1).legion(HARKONNEN, "carthag", regular=1, leader=1)
    war.run(MoveLegions(seat=war.harkonnen))
    war.refused(HARKONNEN, move("carthag", "arrakeen", leader=1), "WFA-M.2")
    war.refused(HARKONNEN, move("carthag", "arrakeen", regular=2), "WFA-S.16")


@covers("WFA-M.12")
def test_a_ride_is_not_too_far() -> None:
    war = War().legion(ATREIDES, "sw_5", regular=1, leader=1).wormsign("sw_3")
    war.run(MoveLegions(seat=war.atreides))
    war.refused(ATREIDES, move("sw_5", "nw_12", leader=1), "WFA-M.2")
