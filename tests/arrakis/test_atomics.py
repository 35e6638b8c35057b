"""The Family Atomics: when they detonate, what becomes of the area, and of a legion there."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    Advance,
    BringForces,
    ChooseTarget,
    ChooseTargets,
    Claim,
    Continue,
    Detonate,
    Displace,
    Done,
    LayWormsigns,
    MoveLegion,
    MoveWorm,
    PassStations,
    RemoveExcess,
    RescueHarvester,
    ResolveWorm,
    Retreat,
    RetreatTo,
    StrikeWithWorm,
    TakeAction,
    TakeWorm,
)
from landsraad_engine.arrakis.atomics import Detonation
from landsraad_engine.arrakis.battle.attack import AttackWith
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.desert_hazards import DesertHazards
from landsraad_engine.arrakis.desert_power import DesertPower
from landsraad_engine.arrakis.movement import MoveLegions
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.arrakis.tracks import AdvanceAllMarkers, AdvanceMarker
from landsraad_engine.arrakis.words import Legion
from landsraad_engine.arrakis.zones import MARKER
from landsraad_engine.kernel.execution import plays
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack, move

TOKENS = ("splintered_rock", "hole_in_the_rock", "rimwall_west")


def armed(step: int = 8, marker: str = "jihad", **options: Any) -> War:
    """An Atreides turn with a marker on this step."""
    war = War(**options).put(MARKER[marker], step).dice(ATREIDES, strategy=1).dice(HARKONNEN, strategy=1)
    return war.run(ActionTurn(side=ATREIDES))


def may_detonate(war: War, seat: int) -> bool:
    return any(choice.act is Detonate for choice in plays(war.g, seat).choices)


def detonate(war: War, area: str = "splintered_rock") -> War:
    return war.run(Detonation(seats=(war.atreides,), area=area))


class TestWhen:
    @covers("WFA-H.39")
    @pytest.mark.parametrize("marker", MARKERS)
    @pytest.mark.parametrize(("step", "ready"), [(7, False), (8, True), (9, True)])
    def test_a_free_action_of_the_atreides_from_step_eight_of_any_marker(
        self, marker: str, step: int, ready: bool
    ) -> None:
        war = armed(step, marker)
        assert may_detonate(war, war.atreides) is ready
        assert not may_detonate(war, war.harkonnen)

    @covers("WFA-H.39", "WFA-F.3")
    def test_it_leaves_the_action_of_the_turn_as_it_was(self) -> None:
        war = armed().play(ATREIDES, Detonate("rimwall_west"))
        assert war.g.board.detonated == "rimwall_west"
        assert war.where == "ActionTurn.choose"

    @covers("WFA-H.39")
    def test_it_is_not_open_in_the_turn_of_the_harkonnen(self) -> None:
        war = War().markers(jihad=8).dice(HARKONNEN, strategy=1).run(ActionTurn(side=HARKONNEN))
        assert not may_detonate(war, war.atreides)

    @covers("WFA-H.39", "WFA-F.2")
    def test_without_the_corrections_not_in_the_middle_of_the_action(self) -> None:
        for faq, ready in ((True, True), (False, False)):
            war = armed(faq=faq).legion(ATREIDES, "se_3", regular=1)
            war.again().answer(ATREIDES, TakeAction("strategy", "move"))
            assert war.where == "MoveLegions.move"
            assert may_detonate(war, war.atreides) is ready

    @covers("WFA-H.41")
    def test_once_in_the_game_with_one_of_three_tokens(self) -> None:
        war = armed()
        offered = {act.area for act in plays(war.g, war.atreides).enumerate() if isinstance(act, Detonate)}
        assert offered == set(TOKENS)
        war.play(ATREIDES, Detonate("hole_in_the_rock"))
        assert not may_detonate(war, war.atreides)
        detonate(war, "rimwall_west")
        assert war.g.board.detonated == "hole_in_the_rock", "a card cannot set them off again either"

    @covers("WFA-H.40", "WFA-H.41")
    def test_in_2022_they_detonate_when_a_marker_reaches_eight_where_the_atreides_say(self) -> None:
        war = War(edition="preview_2022").markers(jihad=6).run(AdvanceMarker(marker="jihad", steps=3))
        assert war.asked == (ATREIDES,)
        assert set(war.legal(ATREIDES)) == {Detonate(token) for token in TOKENS}
        war.answer(ATREIDES, Detonate("rimwall_west"))
        assert war.done
        assert (war.g.board.detonated, war.g.marker("jihad")) == ("rimwall_west", 9)

    @covers("WFA-H.40", "WFA-H.41")
    def test_in_2022_further_markers_bring_nothing_more(self) -> None:
        war = War(edition="preview_2022")
        for key in MARKER.values():
            war.put(key, 7)
        war.run(AdvanceAllMarkers(steps=1)).answer(ATREIDES, Detonate("splintered_rock"))
        assert war.done

    @covers("WFA-H.52")
    def test_nothing_comes_between_a_hit_and_its_casualty(self) -> None:
        war = armed().legion(ATREIDES, "splintered_rock", regular=2, elite=1)
        war.run(Casualties(side=ATREIDES, area="splintered_rock", hits=1, seats=(war.atreides,)))
        assert war.where == "Casualties.choose"
        assert not may_detonate(war, war.atreides)


class TestTheArea:
    @covers("WFA-H.42")
    @pytest.mark.parametrize("area", TOKENS)
    def test_the_mountain_becomes_a_desert_for_wormsigns(self, area: str) -> None:
        war = detonate(War(), area).run(DesertPower(seat=1)).answer(ATREIDES, LayWormsigns((area,)))
        assert f"wormsign/{area}" in war.g.table

    @covers("WFA-H.42", "WFA-H.47")
    @pytest.mark.parametrize(("area", "start"), list(zip(TOKENS, ("wind_pass", "cne_3", "ne_4"), strict=True)))
    def test_and_for_sandworms(self, area: str, start: str) -> None:
        war = War().worm(start).run(DesertPower(seat=1))
        war.refused(ATREIDES, MoveWorm(start, area))
        war.answer(ATREIDES, Done())
        detonate(war, area).run(DesertPower(seat=1)).answer(ATREIDES, MoveWorm(start, area))
        assert war.g.get(f"worm/{area}") == (1, 0)

    @covers("WFA-H.47", "WFA-S.8")
    def test_rimwall_west_loses_its_impassable_borders(self) -> None:
        war = War().legion(HARKONNEN, "ne_4", regular=1)
        assert "rimwall_west" not in war.g.board.neighbours("ne_4")
        assert "rimwall_west" in detonate(war, "rimwall_west").g.board.neighbours("ne_4")


class TestTheLegion:
    @covers("WFA-H.43", "WFA-X.17")
    def test_example_exclusive_p29_an_atreides_legion_is_moved_by_the_harkonnen(self) -> None:
        token = "atreides_standard_6"
        war = War().legion(ATREIDES, "splintered_rock", regular=2, leader=1, named=("stilgar",), tokens=(token,))
        detonate(war)
        assert war.asked == (HARKONNEN,)
        assert {act.area for act in war.legal(HARKONNEN, Displace)} == {"cne_2", "hagga_basin", "wind_pass", "cnw_2"}
        war.answer(HARKONNEN, Displace("cnw_2"))
        assert war.done
        assert war.at(ATREIDES, "cnw_2") == Legion((2, 0, 0, 1), ("stilgar",), (token,))

    @covers("WFA-H.43")
    def test_a_harkonnen_legion_by_the_atreides_into_a_free_area(self) -> None:
        war = War().legion(HARKONNEN, "splintered_rock", regular=3).legion(ATREIDES, "cne_2", regular=1)
        war.worm("wind_pass").village("hagga_basin")
        detonate(war)
        assert war.legal(ATREIDES) == [Displace("hagga_basin"), Displace("cnw_2")]

    @covers("WFA-H.43", "WFA-T.2")
    def test_without_a_free_area_it_is_destroyed(self) -> None:
        war = War().legion(HARKONNEN, "splintered_rock", regular=3, leader=1, named=("baron_harkonnen",))
        for area in ("cne_2", "hagga_basin", "wind_pass", "cnw_2"):
            war.legion(ATREIDES, area, regular=1)
        assert detonate(war).done
        assert war.at(HARKONNEN, "splintered_rock") == Legion()
        assert war.g.in_tank("baron_harkonnen")

    @covers("WFA-H.43", "WFA-H.47")
    def test_over_borders_that_the_detonation_opens(self) -> None:
        war = detonate(War().legion(HARKONNEN, "rimwall_west", regular=3), "rimwall_west")
        assert {"ne_4", "ne_5"} <= {act.area for act in war.legal(ATREIDES, Displace)}

    @covers("WFA-H.53", "WFA-M.50", "WFA-S.28")
    def test_it_joins_own_units_up_to_the_limit_and_turns_up_a_wormsign(self) -> None:
        war = War().legion(HARKONNEN, "splintered_rock", regular=3).legion(HARKONNEN, "wind_pass", regular=4)
        detonate(war.wormsign("wind_pass", "sand")).answer(ATREIDES, Displace("wind_pass"))
        war.answer(HARKONNEN, RemoveExcess((1, 0, 0), ()))
        assert war.done
        assert war.figures(HARKONNEN, "wind_pass") == (6, 0, 0, 0)
        assert "wormsign/wind_pass" not in war.g.table

    @covers("WFA-H.53")
    def test_it_takes_no_station_and_removes_no_harvester(self) -> None:
        war = War().legion(ATREIDES, "splintered_rock", regular=1).station("cne_2", "jihad").harvester("wind_pass")
        detonate(war).answer(HARKONNEN, Displace("cne_2"))
        assert war.g.table["station/cne_2"] == ("jihad",)
        war = War().legion(ATREIDES, "splintered_rock", regular=1).harvester("wind_pass")
        detonate(war).answer(HARKONNEN, Displace("wind_pass"))
        assert war.g.vehicle("wind_pass") == (1, 0, 0)


def battle(attackers: str, defenders: str) -> War:
    """An undecided battle in which the Atreides, who are armed, may go on."""
    war = armed().legion(HARKONNEN, defenders, regular=2).legion(ATREIDES, attackers, regular=2)
    war.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", "shield", "shield")
    war.again().answer(ATREIDES, TakeAction("strategy", "attack")).answer(
        ATREIDES, attack(attackers, defenders, regular=2)
    )
    assert war.where == "Battle.go_on"
    return war


class TestInTheMiddleOfABattle:
    @covers("WFA-H.43", "WFA-H.56", "WFA-F.3")
    def test_defenders_that_are_displaced_have_left_it_to_the_attackers(self) -> None:
        war = battle("wind_pass", "splintered_rock")
        war.play(ATREIDES, Detonate("splintered_rock")).answer(ATREIDES, Displace("cnw_2"))
        assert war.where == "Battle.advance"
        assert war.figures(HARKONNEN, "cnw_2") == (2, 0, 0, 0)

    @covers("WFA-H.56")
    def test_it_is_over_for_attackers_that_are_displaced(self) -> None:
        war = battle("splintered_rock", "wind_pass")
        war.play(ATREIDES, Detonate("splintered_rock")).answer(HARKONNEN, Displace("cnw_2"))
        assert war.done
        assert war.figures(HARKONNEN, "wind_pass") == (2, 0, 0, 0)

    @covers("WFA-H.56")
    def test_nobody_decides_about_standing_any_more(self) -> None:
        war = battle("wind_pass", "splintered_rock").answer(ATREIDES, Continue())
        assert war.where == "Battle.stand"
        war.play(ATREIDES, Detonate("splintered_rock")).answer(ATREIDES, Displace("cnw_2"))
        assert war.where == "Battle.advance"

    @covers("WFA-H.56")
    def test_a_retreat_in_progress_is_made_by_the_displacement(self) -> None:
        war = battle("wind_pass", "splintered_rock").answer(ATREIDES, Continue()).answer(HARKONNEN, Retreat())
        assert war.where == "RetreatFrom.where"
        war.play(ATREIDES, Detonate("splintered_rock")).answer(ATREIDES, Displace("cnw_2"))
        assert war.where == "Battle.advance"
        assert war.figures(HARKONNEN, "cnw_2") == (2, 0, 0, 0)

    @covers("WFA-H.56", "WFA-B.35")
    def test_a_retreat_that_has_no_way_left_does_not_take_place(self) -> None:
        war = battle("arsunt", "carthag").answer(ATREIDES, Continue()).answer(HARKONNEN, Retreat())
        for act in war.legal(ATREIDES, RetreatTo):
            war.legion(ATREIDES, act.area, regular=1)
        war.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", "shield", "shield").again()
        assert war.where == "Battle.go_on"
        assert war.figures(HARKONNEN, "carthag") == (2, 0, 0, 0)

    @covers("WFA-H.58")
    def test_victors_that_are_displaced_do_not_advance(self) -> None:
        war = battle("splintered_rock", "wind_pass").answer(ATREIDES, Continue()).answer(HARKONNEN, Retreat())
        war.answer(ATREIDES, RetreatTo("csw_3"))
        war.play(ATREIDES, Detonate("splintered_rock")).answer(HARKONNEN, Displace("cnw_2"))
        assert war.done
        assert war.figures(ATREIDES, "cnw_2") == (2, 0, 0, 0)

    @covers("WFA-H.58")
    def test_victors_do_not_advance_to_where_the_atomics_have_brought_an_enemy(self) -> None:
        war = battle("cnw_2", "wind_pass").answer(ATREIDES, Continue()).answer(HARKONNEN, Retreat())
        war.answer(ATREIDES, RetreatTo("csw_3")).legion(HARKONNEN, "splintered_rock", regular=1)
        war.play(ATREIDES, Detonate("splintered_rock")).answer(ATREIDES, Displace("wind_pass"))
        assert war.done
        assert war.figures(ATREIDES, "cnw_2") == (2, 0, 0, 0)

    @pytest.mark.parametrize("options", [{"faq": False}, {"edition": "preview_2022"}])
    @covers("WFA-H.58", "WFA-B.42", "WFA-B.45")
    def test_nor_in_the_older_books_if_they_had_to(self, options: dict[str, Any]) -> None:
        war = War(**options).legion(HARKONNEN, "carthag", regular=1).village("arsunt")
        war.legion(ATREIDES, "sw_5", regular=2).clash(ATREIDES, "sw_5", "arsunt")
        war.legion(HARKONNEN, "arsunt", regular=1).again()
        assert war.done
        assert war.figures(ATREIDES, "sw_5") == (2, 0, 0, 0)

    @covers("WFA-H.57")
    def test_nothing_is_displaced_while_figures_are_between_two_areas(self) -> None:
        war = armed().legion(ATREIDES, "wind_pass", regular=1).legion(ATREIDES, "cne_4", regular=1)
        war.again().answer(ATREIDES, TakeAction("strategy", "move"))
        assert may_detonate(war, war.atreides)
        war.answer(ATREIDES, move("wind_pass", "cnw_2", regular=1))
        assert war.where == "MoveLegions.move"
        assert not may_detonate(war, war.atreides), "or an enemy could be put where they are about to arrive"

    @covers("WFA-H.57", "WFA-H.40", "WFA-M.28", "WFA-M.5")
    def test_nor_in_2022_by_a_station_that_a_ride_takes_in_passing(self) -> None:
        war = War(edition="preview_2022").legion(ATREIDES, "cnw_3", regular=2).wormsign("cnw_4")
        war.station("cnw_4", "kwisatz_haderach").markers(kwisatz_haderach=7)
        war.legion(HARKONNEN, "splintered_rock", regular=1).run(MoveLegions(seat=war.atreides))
        war.answer(ATREIDES, move("cnw_3", "wind_pass", regular=1)).answer(ATREIDES, Done())
        war.answer(ATREIDES, PassStations(("cnw_4",))).answer(ATREIDES, Detonate("splintered_rock"))
        war.refused(ATREIDES, Displace("wind_pass"))
        war.answer(ATREIDES, Displace("cnw_2"))
        assert war.done
        assert war.figures(ATREIDES, "wind_pass") == (1, 0, 0, 0)

    @covers("WFA-H.40", "WFA-H.43", "WFA-B.4", "WFA-B.55")
    def test_in_2022_they_displace_those_too_who_took_no_part_in_the_battle_that_sets_them_off(self) -> None:
        war = fall_of_arrakeen("rimwall_west").answer(ATREIDES, Detonate("rimwall_west"))
        war.answer(HARKONNEN, Displace("cne_5"))
        assert war.done
        assert war.figures(ATREIDES, "cne_5") == (2, 0, 0, 0)

    @covers("WFA-H.40", "WFA-H.43", "WFA-B.55")
    def test_in_2022_nobody_is_displaced_to_where_the_others_of_the_victors_have_stayed(self) -> None:
        war = fall_of_arrakeen("imperial_basin").legion(HARKONNEN, "hole_in_the_rock", regular=1)
        war.answer(ATREIDES, Detonate("hole_in_the_rock"))
        war.refused(ATREIDES, Displace("imperial_basin"))
        war.answer(ATREIDES, Displace("cne_3"))
        assert war.figures(ATREIDES, "imperial_basin") == (2, 0, 0, 0)


def fall_of_arrakeen(source: str) -> War:
    """One of three Regulars has taken Arrakeen from here, and a marker is on step 8 by that."""
    war = War(edition="preview_2022").village("arrakeen").legion(ATREIDES, source, regular=3).markers(jihad=5)
    war.run(AttackWith(seat=war.atreides)).answer(ATREIDES, attack(source, "arrakeen", regular=1))
    return war.answer(ATREIDES, Advance((1, 0, 0, 0), ()))


class TestInTheMiddleOfACard:
    @pytest.mark.parametrize(
        ("card", "target"),
        [("thumpers", "wind_pass"), ("hieregs", "wind_pass"), ("i_am_stilgar_the_fremen", "hagga_basin")],
    )
    @covers("WFA-H.59", "WFA-F.3")
    def test_nothing_comes_to_where_a_legion_has_been_moved_meanwhile(self, card: str, target: str) -> None:
        war = armed().legion(ATREIDES, "cne_3", regular=1).legion(HARKONNEN, "splintered_rock", regular=1)
        war.play_card(ATREIDES, card)
        assert target in named(war)
        war.play(ATREIDES, Detonate("splintered_rock")).answer(ATREIDES, Displace(target))
        assert named(war)
        assert target not in named(war)

    @covers("WFA-H.51", "WFA-L.31")
    def test_no_sandworm_is_taken_from_above_a_legion_that_has_still_to_retreat_from_it(self) -> None:
        war = armed(edition="v1_1").legion(HARKONNEN, "splintered_rock", regular=1).wormsign("wind_pass", "sandworm")
        war.legion(HARKONNEN, "se_6", regular=1).worm("ne_2")
        war.play_card(ATREIDES, "shai_hulud").answer(ATREIDES, ChooseTarget("bring_in", "wild_maker"))
        war.answer(ATREIDES, TakeWorm("se_6", "", "wild_maker"))
        assert war.where == "RetreatFrom.where"
        war.play(ATREIDES, Detonate("splintered_rock")).answer(ATREIDES, Displace("wind_pass"))
        assert {act.source for act in war.legal(ATREIDES, TakeWorm)} == {"", "ne_2"}

    @covers("WFA-C.92", "WFA-C.50", "WFA-H.43")
    def test_who_joins_a_legion_that_has_been_moved_meanwhile_joins_it_where_it_is(self) -> None:
        war = armed().legion(ATREIDES, "splintered_rock", regular=1, named=("gurney_halleck",))
        war.play_card(ATREIDES, "smugglers_b")
        assert named(war) == {"splintered_rock"}
        war.play(ATREIDES, Detonate("splintered_rock")).answer(HARKONNEN, Displace("wind_pass"))
        assert named(war) == {"wind_pass"}
        war.answer(ATREIDES, BringForces("wind_pass", (0, 2, 0, 0), ()))
        assert war.where == "ActionTurn.choose", "the card is done with"
        assert war.at(ATREIDES, "wind_pass") == ((1, 2, 0, 0), ("gurney_halleck",), ())

    @covers("WFA-C.92", "WFA-C.61", "WFA-C.90")
    def test_or_any_other_legion_and_then_goes_on_with_it(self) -> None:
        war = armed().legion(ATREIDES, "splintered_rock", regular=1).legion(ATREIDES, "se_1", regular=1)
        war.put("figure/paul_atreides", "aside").play_card(ATREIDES, "voice_from_the_outer_world")
        assert named(war) == {"splintered_rock", "se_1"}
        war.play(ATREIDES, Detonate("splintered_rock")).answer(HARKONNEN, Displace("wind_pass"))
        assert named(war) == {"wind_pass", "se_1"}
        war.answer(ATREIDES, BringForces("wind_pass", (0, 0, 1, 0), ("paul_atreides",)))
        war.answer(ATREIDES, ChooseTarget("choose_deed", "move"))
        assert {act.source for act in war.legal(ATREIDES, MoveLegion)} == {"wind_pass"}

    @covers("WFA-C.92", "WFA-C.67", "WFA-H.9")
    def test_the_wild_maker_attacks_from_where_it_has_come_to_meanwhile(self) -> None:
        war = armed().legion(HARKONNEN, "splintered_rock", regular=1).wormsign("wind_pass", "sandworm")
        war.worm("se_3", wild_maker=True).put("figure/wild_maker", "aside").harvester("se_6").harvester("csw_3")
        war.play_card(ATREIDES, "shai_hulud").answer(ATREIDES, MoveWorm("se_3", "se_8"))
        assert {act.source for act in war.legal(ATREIDES, StrikeWithWorm)} == {"se_8"}
        war.play(ATREIDES, Detonate("splintered_rock")).answer(ATREIDES, Displace("wind_pass"))
        war.answer(ATREIDES, TakeWorm("wind_pass", "se_8", "wild_maker")).answer(ATREIDES, RetreatTo("csw_2"))
        assert {act.source for act in war.legal(ATREIDES, StrikeWithWorm)} == {"wind_pass"}
        war.answer(ATREIDES, StrikeWithWorm("wind_pass", "csw_3"))
        assert war.g.get("worms") == (4, 1)

    @pytest.mark.parametrize(("edition", "there"), [("exclusive", False), ("v1_1", True)])
    @covers("WFA-H.59", "WFA-L.30", "WFA-L.31")
    def test_the_wild_maker_does_not_come_up_under_a_legion_that_has_been_moved_meanwhile(
        self, edition: str, there: bool
    ) -> None:
        war = armed(edition=edition).legion(HARKONNEN, "splintered_rock", regular=1)
        war.play_card(ATREIDES, "shai_hulud").answer(ATREIDES, ChooseTarget("bring_in", "wild_maker"))
        assert "wind_pass" in named(war)
        war.play(ATREIDES, Detonate("splintered_rock")).answer(ATREIDES, Displace("wind_pass"))
        assert ("wind_pass" in named(war)) is there, "in v1.1 it may come to any Desert"


class TestInTheMiddleOfDesertHazards:
    """In 2022, where a claim may set the Atomics off at any moment."""

    def displaced(self, side: str, *, harvester: bool = False) -> War:
        """A sandworm is about to come to cne_3, a figure from elsewhere, when a legion is moved there."""
        war = War(edition="preview_2022").lay("prescience_row", "shai_hulud_answers").markers(sand_dwellers=5)
        war.worm("windgap").worm("cse_4").worm("ne_11").worm("ne_2").wormsign("cne_3", "sandworm")
        war.legion(side, "hole_in_the_rock", regular=2).rolls("combat/storm", *["shield"] * 4)
        if harvester:
            war.harvester("cne_3").carryall("z1")
        war.run(DesertHazards())
        if harvester:
            war.answer(HARKONNEN, RescueHarvester("z1"))
        assert war.where == "PlaceWorms.figure"
        war.play(ATREIDES, Claim("shai_hulud_answers")).answer(ATREIDES, Detonate("hole_in_the_rock"))
        return war

    @pytest.mark.parametrize("harvester", [False, True])
    @covers("WFA-H.59", "WFA-H.40", "WFA-H.18", "WFA-H.21")
    def test_no_sandworm_comes_up_beside_a_legion_that_has_been_moved_there(self, harvester: bool) -> None:
        war = self.displaced(ATREIDES, harvester=harvester).answer(HARKONNEN, Displace("cne_3"))
        assert war.done
        assert war.figures(ATREIDES, "cne_3") == (2, 0, 0, 0)
        assert war.g.survey().worms.bit_count() == 4
        assert "worm/cne_3" not in war.g.table

    @covers("WFA-H.59", "WFA-H.40", "WFA-H.17")
    def test_a_harkonnen_legion_that_has_been_moved_there_is_attacked(self) -> None:
        war = self.displaced(HARKONNEN).rolls("combat/worm", "hit", "shield", "shield", "shield")
        war.answer(ATREIDES, Displace("cne_3"))
        assert war.done
        assert war.figures(HARKONNEN, "cne_3") == (1, 0, 0, 0)
        assert "worm/cne_3" not in war.g.table

    @covers("WFA-H.59", "WFA-H.40", "WFA-H.2")
    def test_where_the_atreides_have_come_to_before_its_turn_nothing_happens(self) -> None:
        war = War(edition="preview_2022").lay("prescience_row", "shai_hulud_answers").markers(sand_dwellers=5)
        war.worm("windgap").worm("cse_4").wormsign("cne_3", "sandworm").wormsign("se_3", "sandworm")
        war.legion(ATREIDES, "hole_in_the_rock", regular=2).run(DesertHazards())
        war.play(ATREIDES, Claim("shai_hulud_answers")).answer(ATREIDES, Detonate("hole_in_the_rock"))
        war.answer(HARKONNEN, Displace("cne_3"))
        if not war.done:
            war.answer(ATREIDES, ResolveWorm("cne_3"))
        assert war.done
        assert "worm/cne_3" not in war.g.table
        assert "worm/se_3" in war.g.table


def named(war: War) -> set[str]:
    """The areas to which the open question lets figures come."""
    acts = war.legal(ATREIDES)
    single = {act.area for act in acts if isinstance(act, TakeWorm)}
    single |= {act.place for act in acts if isinstance(act, BringForces)}
    return single | {area for act in acts if isinstance(act, ChooseTargets) for area in act.targets}
