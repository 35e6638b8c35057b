"""Possible Futures and the Old Man of the Desert with three and four seats."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import BringForces, ChooseTarget, DeployLeader, SummonOldMan, UseSpecial
from landsraad_engine.arrakis.content import load
from landsraad_engine.arrakis.desert_hazards import DesertHazards
from landsraad_engine.arrakis.desert_power import DesertPower
from landsraad_engine.arrakis.futures import sets
from landsraad_engine.arrakis.futures.setup import FuturesSetup, ReinforceSettlement
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.regeneration import ToTank, tank
from landsraad_engine.arrakis.round import Round
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import CARD, FIGURE, LOYALTY, OLD_MAN, RESTING, TANK, hand
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, war_at_setup
from landsraad_engine.testing.conformance import play

HALVES = ("house_harkonnen", "corrino_ally", "house_atreides", "fremen_ally")
MODULES = load().modules


def four(**options: Any) -> War:
    return War(seats=4, **options)


@covers("WFA-N.51")
def test_every_new_leaders_box_is_on_the_dashboard_of_the_half() -> None:
    content = load()
    new = [leader for leader in content.leader.values() if leader.future]
    assert len(new) == 11
    assert all(leader.box in content.dashboard[leader.side].boxes for leader in new)


@covers("WFA-N.51", "WFA-N.4")
def test_a_partner_uses_the_leaders_of_its_half_only() -> None:
    war = four(futures="1").leader("duke_leto").dice("house_atreides", leadership=1).dice("fremen_ally", leadership=1)
    war.dice("house_harkonnen", house=1).run(ActionTurn(side=ATREIDES))
    assert UseSpecial("leadership", "duke_leto") in war.legal("house_atreides")
    assert UseSpecial("leadership", "duke_leto") not in war.legal("fremen_ally")


@covers("WFA-N.7", "WFA-N.8", "WFA-N.26", "WFA-N.41")
def test_the_setup_asks_either_partner_and_gives_to_the_half() -> None:
    war = war_at_setup(seats=4, futures="36").run(FuturesSetup())
    assert war.g.table[FIGURE["liet_kynes"]] == TANK[0]
    assert tank(war.g, "liet_kynes") == {0: "liet_kynes"}
    assert tank(war.g, "paul_atreides") == {}
    war.answer("fremen_ally", ChooseTarget("replace_naib", "gara_kulon"))
    war.answer("corrino_ally", BringForces("carthag", (0, 1, 0, 0), ()))
    assert len(war.g.table[hand("corrino_ally", war.seat("corrino_ally"))]) == 1
    war.answer("house_atreides", DeployLeader("gara_kulon", "dr_yueh"))
    war.answer("house_harkonnen", BringForces("arsunt", (0, 1, 0, 0), ()))
    assert war.done
    assert war.problems() == []


@pytest.mark.parametrize("future", ["1", "2"])
@covers("WFA-N.15", "WFA-N.21")
def test_the_card_of_the_first_round_is_house_harkonnens(future: str) -> None:
    war = war_at_setup(seats=4, futures=future).run(FuturesSetup())
    war.run(Round(), until="Round.vehicle_placement")
    held = [len(war.g.hand(war.seat(half))) for half in HALVES]
    assert held == [2, 1, 1, 1]


@covers("WFA-N.50")
def test_dr_yueh_serves_house_harkonnen_or_house_atreides() -> None:
    war = four(futures="6").put(LOYALTY["dr_yueh"], "house_harkonnen").put(CARD["dr_yueh"], "ready")
    war.legion(HARKONNEN, "carthag", regular=1, named=("dr_yueh",)).dice("house_harkonnen", house=1)
    war.leader("beast_rabban", "tank/0").leader("captain_aramsham", "tank/0").dice("corrino_ally", mentat=1)
    offered = war.fork().run(ActionTurn(side=HARKONNEN))
    assert UseSpecial("house", "dr_yueh") in offered.legal("house_harkonnen")
    war.run(ToTank(leaders=("dr_yueh",)))
    assert tank(war.g, "dr_yueh") == {0: "dr_yueh", 1: "beast_rabban"}
    assert tank(war.g, "captain_aramsham") == {0: "captain_aramsham"}


@covers("WFA-O.25", "WFA-O.2")
def test_the_acting_partner_summons_the_old_man_and_nobody_is_asked_when_it_leaves() -> None:
    war = four(old_man=True).worm("ne_3")
    war.run(DesertPower(seat=war.seat("fremen_ally"))).answer("fremen_ally", SummonOldMan("north_east"))
    assert war.g.old_man == "north_east"
    war.run(DesertHazards())
    assert war.done
    assert war.g.table[OLD_MAN] == RESTING
    assert war_at_setup(seats=4, old_man=True).g.get("bene_gesserit/atreides") == (0, 0)


@covers("WFA-N.8")
def test_against_the_game_the_unit_comes_to_the_strongest_legion_and_the_humans_choose() -> None:
    war = War(seats=1, futures="5").village("carthag").village("arsunt").village("hagga_basin")
    war.legion(HARKONNEN, "carthag", regular=1).legion(HARKONNEN, "arsunt", regular=3)
    war.legion(HARKONNEN, "hagga_basin", regular=3).run(ReinforceSettlement(kind=2))
    assert {act.place for act in war.legal(ATREIDES, BringForces)} == {"arsunt", "hagga_basin"}


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (1, {"futures": "36"}),
        (3, {"futures": "1567"}),
        (3, {"futures": "36", "shared": "atreides"}),
        (4, {"futures": "2", "faq": False}),
    ],
)
def test_matches_conform(seats: int, options: dict[str, Any]) -> None:
    match = play(ARRAKIS, seats, {"round_limit": 1, "old_man": True, **options}, every=60)
    assert match.result is not None


@pytest.mark.long
@pytest.mark.parametrize("futures", sets.sets(MODULES))
@pytest.mark.parametrize("seats", [2, *(pytest.param(n, marks=pytest.mark.exhaustive) for n in (3, 4))])
def test_every_set_conforms_with_every_number_of_seats(futures: str, seats: int) -> None:
    for old_man in (False, True):
        play(ARRAKIS, seats, {"round_limit": 4, "old_man": old_man, "futures": futures}, seed=seats, every=30)
