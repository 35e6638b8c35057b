"""Battles of the automaton: cards for dice, hits, going on, advancing, retreats."""

from typing import Any

import pytest

from landsraad_engine.arrakis.acts import EnterTank, Retreat, RetreatTo, Stand, TakeCasualties, UseLeaders
from landsraad_engine.arrakis.atomics import DisplaceLegion
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.retreat import RetreatFrom
from landsraad_engine.arrakis.mahdi.automaton import AUTOMATON
from landsraad_engine.arrakis.mahdi.battle import ceases
from landsraad_engine.arrakis.mahdi.hits import next_hit
from landsraad_engine.arrakis.regeneration import ToTank
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.words import Legion
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import loss
from landsraad_engine.testing.mahdi import Solo

CARDS = ("sandmasters", "shigawire", "carthag_the_former_capital", "troop_carriers")


def solo_with(target: str = "gara_kulon", **options: Any) -> Solo:
    return Solo(**options).harvesting("habbanya_ridge").target(target)


def fight(solo: Solo, source: str = "carthag", target: str = "arsunt", *, seat: int = AUTOMATON) -> Solo:
    return solo.run(Battle(seat=seat, source=source, target=target))


class TestCards:
    @covers("WFA-Y.136", "WFA-Y.166")
    def test_as_many_as_it_needs_for_six_dice_from_the_top(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=4).legion(ATREIDES, "arsunt", regular=1)
        solo.reinforcements(*CARDS)
        solo.rolls("combat/harkonnen", *["hit"] * 6).rolls("combat/atreides", "hit")
        fight(solo)
        assert solo.reserve == list(CARDS[:2])
        assert solo.thrown()[0] == 6
        assert solo.g.table["last_discarded"] == "house_harkonnen", "carthag_the_former_capital went last"

    @covers("WFA-Y.136")
    def test_as_a_defender_too(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", regular=1)
        solo.reinforcements(*CARDS[:2])
        fight(solo, "arsunt", "carthag", seat=0)
        assert not solo.reserve
        assert 3 in solo.thrown()

    @covers("WFA-Y.167")
    def test_not_under_the_landsraad_ban(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=2).legion(ATREIDES, "arsunt", regular=1)
        fight(solo.reinforcements(*CARDS).bans("landsraad"))
        assert solo.reserve == list(CARDS)


class TestHits:
    @covers("WFA-Y.138", "WFA-Y.139")
    def test_example_17(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=2, elite=1, leader=2, named=("beast_rabban",))
        solo.leader("beast_rabban", "carthag").run(Casualties(side=HARKONNEN, area="carthag", hits=5, seats=()))
        assert solo.done
        assert solo.at(HARKONNEN, "carthag") == Legion((1, 0, 0, 0), ("beast_rabban",))

    @covers("WFA-Y.138")
    def test_example_18_the_leader_before_the_last_regulars(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=2).leader("beast_rabban", "carthag")
        solo.run(Casualties(side=HARKONNEN, area="carthag", hits=2, seats=()))
        assert solo.at(HARKONNEN, "carthag") == Legion((1, 0, 0, 0))
        assert solo.g.in_tank("beast_rabban")

    @covers("WFA-Y.138")
    def test_elites_then_sardaukar_then_regulars(self) -> None:
        assert next_hit(Legion((1, 1, 1, 0)), 1) == [loss(elite=1)]
        assert next_hit(Legion((1, 0, 1, 0)), 1) == [loss(special=1)]
        assert next_hit(Legion((2, 0, 0, 1)), 1) == [loss(regular=1)]

    @covers("WFA-Y.139")
    def test_which_of_several_named_leaders_goes_is_for_the_humans(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=2)
        solo.leader("beast_rabban", "carthag").leader("feyd_rautha", "carthag")
        solo.run(Casualties(side=HARKONNEN, area="carthag", hits=1, seats=()))
        assert {act.leaders for act in solo.legal(ATREIDES, TakeCasualties)} == {("beast_rabban",), ("feyd_rautha",)}

    @covers("WFA-Y.139")
    def test_without_a_regular_in_the_supply_the_better_unit_is_removed(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=1, special=1).put("supply/harkonnen", None)
        solo.run(Casualties(side=HARKONNEN, area="carthag", hits=1, seats=()))
        assert solo.figures(HARKONNEN, "carthag") == (1, 0, 0, 0)


class TestGoingOn:
    @pytest.mark.parametrize(("leader", "over"), [(0, True), (1, False)])
    @covers("WFA-Y.140", "WFA-Y.141")
    def test_example_26(self, leader: int, over: bool) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=2, leader=leader)
        solo.legion(ATREIDES, "arsunt", regular=2, special=1)
        assert ceases(Battle(seat=AUTOMATON, source="carthag", target="arsunt"), solo.g) is over
        fight(solo)
        assert (not solo.thrown()) is over

    @covers("WFA-Y.140", "WFA-Y.142", "WFA-Y.57")
    def test_it_goes_on_without_a_hit_against_a_sietch_and_never_retreats(self) -> None:
        solo = solo_with("tasmin_sink").lay("tactical_discard", "windgap").sietch("windgap")
        solo.legion(HARKONNEN, "pasty_mesa", regular=4).legion(ATREIDES, "tasmin_sink", regular=3)
        solo.rolls("combat/harkonnen", *["shield"] * 4, *["hit"] * 4).rolls("combat/atreides", *["shield"] * 8)
        fight(solo, "pasty_mesa", "tasmin_sink")
        assert solo.asked == (ATREIDES,), "whether they retreat"
        assert {type(act) for act in solo.legal(ATREIDES)} == {Stand, Retreat}
        assert solo.figures(HARKONNEN, "pasty_mesa") == (4, 0, 0, 0)

    @covers("WFA-Y.140")
    def test_as_a_defender_it_stands(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", regular=3)
        solo.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", *["shield"] * 3, *["hit"] * 3)
        fight(solo, "arsunt", "carthag", seat=0)
        solo.passes(ATREIDES) if not solo.done else None
        assert HARKONNEN not in solo.asked

    @covers("WFA-Y.144")
    def test_a_victorious_legion_advances_whole(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=3, leader=1).legion(ATREIDES, "arsunt", regular=1)
        solo.rolls("combat/harkonnen", *["hit"] * 3).rolls("combat/atreides", "shield")
        fight(solo)
        assert solo.figures(HARKONNEN, "arsunt") == (3, 0, 0, 1)

    @covers("WFA-Y.144", "WFA-Y.157")
    def test_without_the_corrections_too_and_tokens_stay_in_the_settlement(self) -> None:
        solo = solo_with(faq=False).village("carthag").legion(HARKONNEN, "carthag", regular=3)
        solo.legion(ATREIDES, "arsunt", regular=1)
        solo.rolls("combat/harkonnen", *["hit"] * 3).rolls("combat/atreides", "shield")
        fight(solo)
        assert solo.figures(HARKONNEN, "arsunt") == (3, 0, 0, 0)
        assert len(solo.g.garrison("carthag")) == 2

    @covers("WFA-Y.144")
    def test_its_leaders_abilities_are_the_humans_choice(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=2, leader=1).leader("baron_harkonnen", "carthag")
        solo.legion(ATREIDES, "arsunt", regular=1)
        solo.rolls("combat/harkonnen", "special", "shield").rolls("combat/atreides", "shield")
        fight(solo)
        assert len(solo.legal(ATREIDES, UseLeaders)) == 2

    @covers("WFA-Y.144")
    def test_the_order_into_the_tank_is_the_humans_choice(self) -> None:
        solo = solo_with().leader("baron_harkonnen").leader("feyd_rautha")
        solo.run(ToTank(leaders=("baron_harkonnen", "feyd_rautha")))
        assert len(solo.legal(ATREIDES, EnterTank)) == 2


class TestRetreats:
    @covers("WFA-Y.143")
    def test_the_humans_retreat_to_empty_areas_if_there_are_any(self) -> None:
        solo = solo_with().legion(ATREIDES, "se_1", regular=1).wormsign("se_5")
        solo.run(RetreatFrom(side=ATREIDES, area="se_1", seats=(AUTOMATON,)))
        areas = {act.area for act in solo.legal(ATREIDES, RetreatTo)}
        taken = set(solo.g.board.names(solo.g.survey().taken()))
        assert areas
        assert not areas & taken

    @covers("WFA-Y.143")
    def test_else_to_the_others(self) -> None:
        solo = solo_with().legion(ATREIDES, "se_1", regular=1)
        for area in solo.g.board.neighbours("se_1"):
            solo.legion(ATREIDES, area, leader=1)
        solo.run(RetreatFrom(side=ATREIDES, area="se_1", seats=(AUTOMATON,)))
        assert {act.area for act in solo.legal(ATREIDES, RetreatTo)} == set(solo.g.board.neighbours("se_1"))

    @covers("WFA-Y.145", "WFA-Y.170")
    def test_the_humans_drive_its_legions_away_over_red_borders_too(self) -> None:
        solo = solo_with()
        board = solo.g.board
        area = next(a for a in board.areas if board.adjacent_by_air[a] & ~board.adjacent[a])
        solo.legion(HARKONNEN, area, regular=1).run(RetreatFrom(side=HARKONNEN, area=area, seats=(0,)))
        free = board.adjacent_by_air[area] & ~solo.g.survey().barred(HARKONNEN)
        assert {act.area for act in solo.legal(ATREIDES, RetreatTo)} == set(board.names(free))

    @covers("WFA-Y.145")
    def test_the_humans_displace_their_own_legion(self) -> None:
        solo = solo_with().legion(ATREIDES, "se_1", regular=1).run(DisplaceLegion(side=ATREIDES, area="se_1"))
        assert solo.asked == (ATREIDES,)
        assert len(solo.legal(ATREIDES)) == len(solo.g.board.neighbours("se_1")) - bool(
            solo.g.board.adjacent["se_1"] & solo.g.survey().worms
        )
