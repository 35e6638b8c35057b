"""Battles of the automaton: cards for dice, how hits are taken, when it ceases, where retreats lead."""

import pytest

from landsraad_engine.arrakis.acts import (
    Displace,
    EnterTank,
    RemoveExcess,
    Retreat,
    RetreatTo,
    Stand,
    TakeCasualties,
    UseLeaders,
)
from landsraad_engine.arrakis.atomics import DisplaceLegion
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.retreat import RetreatFrom
from landsraad_engine.arrakis.battle.rounds import BattleRound
from landsraad_engine.arrakis.cards.house_atreides import BATTLE_LANGUAGE
from landsraad_engine.arrakis.legions import Settle
from landsraad_engine.arrakis.mahdi.automaton import AUTOMATON
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, REGULAR
from landsraad_engine.arrakis.zones import DISCARD, GARRISON, SUPPLY
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo

CARDS = ("shigawire", "sandmasters", "troop_carriers", "spotter_control", "sardaukar_pogrom", "hunter_seeker")


def attacked_by(solo: Solo) -> Battle:
    """An attack of the automaton from Carthag on Arsunt."""
    return Battle(seat=AUTOMATON, source="carthag", target="arsunt")


def attacking(solo: Solo) -> Battle:
    """An attack of the humans from Arsunt on Carthag."""
    return Battle(seat=solo.atreides, source="arsunt", target="carthag")


def facing(regular: int = 2, against: int = 2, **options: bool) -> Solo:
    """Legions in Carthag and Arsunt."""
    solo = Solo(**options).target("gara_kulon").legion(HARKONNEN, "carthag", regular=regular)
    return solo.legion(ATREIDES, "arsunt", regular=against)


class TestCards:
    @covers("WFA-Y.136", "WFA-Y.166")
    def test_it_discards_as_many_cards_as_it_needs_for_six_dice(self) -> None:
        solo = facing(regular=2).reinforcements(*CARDS)
        solo.run(attacked_by(solo), until="BattleRound.special_elites")
        assert solo.thrown()[0] == 6
        assert solo.reserve == list(CARDS[:2]), "from the top"
        assert solo.g.get(DISCARD["house_harkonnen"]) == ("hunter_seeker", "spotter_control")

    @covers("WFA-Y.136")
    def test_in_each_round_and_as_a_defender_too(self) -> None:
        solo = facing(regular=4).reinforcements(*CARDS)
        for _ in range(2):
            solo.rolls("combat/harkonnen", *["shield"] * 6).rolls("combat/atreides", "shield", "shield")
        solo.run(attacking(solo), until="Battle.go_on")
        assert len(solo.reserve) == 4
        solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert len(solo.reserve) == 2

    @covers("WFA-Y.166")
    def test_a_settlement_counts_before_cards_and_what_there_is_must_do(self) -> None:
        solo = facing(regular=2).village("carthag").reinforcements("shigawire")
        solo.run(attacking(solo), until="BattleRound.special_elites")
        assert solo.thrown()[:2] == [2, 5], "two units, a rank of two and the only card"
        assert solo.reserve == []

    @covers("WFA-Y.166")
    def test_a_lower_limit_holds(self) -> None:
        solo = facing(regular=2).reinforcements(*CARDS)
        battle_round = BattleRound(seat=0, source="arsunt", target="carthag", effects=(BATTLE_LANGUAGE,), number=1)
        solo.run(battle_round, until="BattleRound.special_elites")
        assert solo.thrown()[1] == 4
        assert len(solo.reserve) == 4, "two cards, for four dice"

    @covers("WFA-Y.167")
    def test_not_under_the_landsraad_ban(self) -> None:
        solo = facing(regular=2).reinforcements(*CARDS).bans("landsraad")
        solo.run(attacked_by(solo), until="BattleRound.special_elites")
        assert solo.thrown()[0] == 2
        assert solo.reserve == list(CARDS)


class TestHits:
    @covers("WFA-Y.138")
    def test_mx_17(self) -> None:
        solo = Solo().legion(HARKONNEN, "carthag", regular=2, elite=1, leader=2, named=("beast_rabban",))
        solo.run(Casualties(side=HARKONNEN, area="carthag", hits=5, seats=()))
        assert solo.at(HARKONNEN, "carthag")[:2] == ((1, 0, 0, 0), ("beast_rabban",))

    @covers("WFA-Y.138")
    def test_mx_18(self) -> None:
        solo = Solo().legion(HARKONNEN, "carthag", regular=2, named=("beast_rabban",))
        solo.run(Casualties(side=HARKONNEN, area="carthag", hits=2, seats=()))
        assert solo.at(HARKONNEN, "carthag")[:2] == ((1, 0, 0, 0), ())
        assert solo.g.in_tank("beast_rabban")

    @covers("WFA-Y.138")
    def test_elites_go_before_sardaukar(self) -> None:
        solo = Solo().legion(HARKONNEN, "carthag", regular=1, elite=1, special=2)
        solo.run(Casualties(side=HARKONNEN, area="carthag", hits=2, seats=()))
        assert solo.figures(HARKONNEN, "carthag") == (3, 0, 1, 0)

    @covers("WFA-Y.139")
    def test_which_of_several_named_leaders_goes_the_humans_choose(self) -> None:
        solo = Solo().legion(HARKONNEN, "carthag", regular=2, named=("beast_rabban", "captain_aramsham"))
        solo.run(Casualties(side=HARKONNEN, area="carthag", hits=1, seats=()))
        assert {act.leaders for act in solo.legal(ATREIDES, TakeCasualties)} == {
            ("beast_rabban",),
            ("captain_aramsham",),
        }
        solo.answer(ATREIDES, TakeCasualties((0, 0, 0, 0), ("captain_aramsham",)))
        assert solo.at(HARKONNEN, "carthag").named == ("beast_rabban",)

    @covers("WFA-Y.139")
    def test_without_a_regular_in_the_supply_the_elite_is_removed(self) -> None:
        for options in ({}, {"faq": False}):
            solo = Solo(**options).legion(HARKONNEN, "carthag", regular=1, elite=2).put(SUPPLY[HARKONNEN], (0, 9, 8, 6))
            solo.run(Casualties(side=HARKONNEN, area="carthag", hits=1, seats=()))
            assert solo.figures(HARKONNEN, "carthag") == (1, 1, 0, 0)


class TestGoingOn:
    @covers("WFA-Y.140", "WFA-Y.141")
    @pytest.mark.parametrize(("leaders", "goes_on"), [(0, False), (1, True)])
    def test_mx_26(self, leaders: int, goes_on: bool) -> None:
        solo = Solo().target("gara_kulon").legion(HARKONNEN, "carthag", regular=2, leader=leaders)
        solo.legion(ATREIDES, "arsunt", regular=2, special=1)
        solo.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", *["shield"] * 3)
        solo.run(attacked_by(solo))
        assert bool(solo.hits()) == goes_on, "looked at before the first round too"

    @covers("WFA-Y.141")
    def test_it_ceases_after_a_round_that_has_cost_too_much(self) -> None:
        solo = facing(regular=4, against=4)
        solo.rolls("combat/harkonnen", *["special"] * 4).rolls("combat/atreides", "hit", "hit", "shield", "shield")
        solo.run(attacked_by(solo))
        assert solo.done
        assert solo.figures(HARKONNEN, "carthag") == (2, 0, 0, 0)
        assert solo.hits() == [(2, 0)], "4 is half of 8: no second round"

    @covers("WFA-Y.142", "WFA-Y.141")
    def test_it_pays_nothing_to_go_on_against_a_sietch(self) -> None:
        solo = facing(regular=4, against=1).sietch("arsunt", 2)
        solo.rolls("combat/harkonnen", *["shield"] * 4).rolls("combat/atreides", *["shield"] * 3)
        solo.run(attacked_by(solo))
        assert solo.figures(HARKONNEN, "carthag") == (4, 0, 0, 0)
        assert solo.legal(ATREIDES, Stand), "the next round comes; the rank has not counted"

    @covers("WFA-Y.140")
    def test_it_does_not_retreat(self) -> None:
        solo = facing(regular=1, against=4)
        solo.rolls("combat/harkonnen", "shield").rolls("combat/atreides", "hit", *["special"] * 3)
        solo.run(attacking(solo), until="Battle.go_on").answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert len(solo.hits()) == 2

    @covers("WFA-Y.143")
    def test_the_humans_choose_where_they_retreat_to(self) -> None:
        solo = facing(regular=4, against=2)
        solo.rolls("combat/harkonnen", *["shield"] * 4).rolls("combat/atreides", *["shield"] * 2)
        solo.legion(ATREIDES, "nw_16", regular=1).run(attacked_by(solo)).answer(ATREIDES, Retreat())
        assert {act.area for act in solo.legal(ATREIDES, RetreatTo)} == {
            "broken_land",
            "hagga_basin",
            "shield_wall_west",
        }

    @covers("WFA-Y.143")
    def test_without_an_empty_area_any_that_the_usual_rule_allows(self) -> None:
        solo = facing(regular=4, against=2)
        for area in ("broken_land", "hagga_basin", "shield_wall_west"):
            solo.legion(HARKONNEN, area, regular=1)
        solo.legion(ATREIDES, "nw_16", regular=1)
        solo.rolls("combat/harkonnen", *["shield"] * 4).rolls("combat/atreides", *["shield"] * 2)
        solo.run(attacked_by(solo)).answer(ATREIDES, Retreat())
        assert solo.figures(ATREIDES, "nw_16") == (3, 0, 0, 0) or {act.area for act in solo.legal(ATREIDES)} == {
            "nw_16"
        }

    @covers("WFA-Y.144", "WFA-Y.157")
    def test_victors_advance_with_all_they_have(self) -> None:
        for options in ({}, {"faq": False}, {"edition": "v1_1"}):
            solo = facing(regular=4, against=1, **options).village("carthag")
            solo.rolls("combat/harkonnen", *["hit"] * 4).rolls("combat/atreides", "special")
            solo.run(attacked_by(solo))
            assert solo.figures(HARKONNEN, "arsunt") == (4, 0, 0, 0)
            assert [len(solo.g.get(keys["carthag"])) for keys in GARRISON.values()] == [1, 1]

    @covers("WFA-Y.144")
    def test_more_leaders_than_specials(self) -> None:
        solo = facing(regular=2, against=2).legion(HARKONNEN, "carthag", leader=1, named=("beast_rabban",))
        solo.rolls("combat/harkonnen", "special", "shield").rolls("combat/atreides", "shield", "shield")
        solo.run(attacked_by(solo))
        assert set(solo.legal(ATREIDES, UseLeaders)) == {UseLeaders(1, ()), UseLeaders(0, ("beast_rabban",))}

    @covers("WFA-Y.144")
    def test_excess_units_go_by_their_power(self) -> None:
        solo = Solo().legion(HARKONNEN, "carthag", regular=1, elite=5, special=2)
        solo.run(Settle(side=HARKONNEN, area="carthag"))
        assert solo.figures(HARKONNEN, "carthag") == (0, 4, 2, 0)
        tied = Solo().legion(HARKONNEN, "carthag", regular=6).garrison("carthag", black=1)
        tied.run(Settle(side=HARKONNEN, area="carthag"))
        offered = {(act.units[REGULAR], act.tokens) for act in tied.legal(ATREIDES, RemoveExcess)}
        assert offered == {(1, ()), (0, ("harkonnen_black",))}, "a token counts as a Regular does"

    @covers("WFA-Y.144")
    def test_the_order_into_the_tank(self) -> None:
        solo = facing(regular=1, against=6).leader("beast_rabban", "carthag").leader("captain_aramsham", "carthag")
        solo.rolls("combat/harkonnen", "shield").rolls("combat/atreides", *["hit"] * 6).run(attacking(solo))
        assert {act.leaders[0] for act in solo.legal(ATREIDES, EnterTank)} == {"beast_rabban", "captain_aramsham"}

    @covers("WFA-Y.145", "WFA-Y.170")
    def test_its_legions_are_moved_by_the_humans(self) -> None:
        solo = Solo().legion(HARKONNEN, "rimwall_west", regular=2)
        solo.run(RetreatFrom(side=HARKONNEN, area="rimwall_west", seats=(solo.atreides,)))
        assert {"ne_4", "ne_5"} <= {act.area for act in solo.legal(ATREIDES, RetreatTo)}, "over impassable borders"
        own = Solo().legion(ATREIDES, "rimwall_west", regular=2).run(DisplaceLegion(side=ATREIDES, area="rimwall_west"))
        reach = {act.area for act in own.legal(ATREIDES, Displace)}
        assert reach
        assert not reach & {"ne_4", "ne_5"}
