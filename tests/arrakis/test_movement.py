"""Moving legions: on foot, splitting, several at once, stacking, stations, harvesters."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionResolution
from landsraad_engine.arrakis.acts import Advance, Done, MoveLegion, PassStations, RemoveExcess, TakeAction
from landsraad_engine.arrakis.battle.attack import AttackWith
from landsraad_engine.arrakis.legions import Settle, TurnUpTokens
from landsraad_engine.arrakis.movement import MoveLegions
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, SPECIAL
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack, move


def moving(war: War, side: str = HARKONNEN, **more: Any) -> War:
    war.run(MoveLegions(seat=war.seat(side), **more))
    return war


def reach(war: War, side: str, source: str) -> set[str]:
    """Where a legion may go now."""
    moves = [act for act in war.legal(side) if isinstance(act, MoveLegion)]
    return {act.target for act in moves if act.source == source}


class TestOnFoot:
    @covers("WFA-M.1", "WFA-S.9", "WFA-S.11")
    def test_a_legion_goes_next_door_where_it_is_free(self) -> None:
        war = War().legion(HARKONNEN, "pasty_mesa", regular=1)
        war.legion(ATREIDES, "se_1", regular=1).sietch("tasmin_sink").worm("ne_15").harvester("se_5")
        assert reach(moving(war), HARKONNEN, "pasty_mesa") == {"cne_9", "cse_2", "cse_3", "se_5"}

    @covers("WFA-S.8", "WFA-M.1")
    def test_no_legion_crosses_an_impassable_border_on_foot(self) -> None:
        war = moving(War().legion(HARKONNEN, "nw_15", regular=1))
        assert "nw_16" not in reach(war, HARKONNEN, "nw_15")

    @covers("WFA-S.9", "WFA-M.47")
    def test_villages_and_worms_bar_the_atreides_too(self) -> None:
        war = War().legion(ATREIDES, "hagga_basin", regular=1).village("arsunt").village("carthag").wormsign("cnw_2")
        war.legion(HARKONNEN, "cne_1", leader=1, regular=1)
        targets = reach(moving(war, ATREIDES), ATREIDES, "hagga_basin")
        assert targets.isdisjoint({"arsunt", "carthag", "cne_1"})
        assert "cne_2" in targets

    @covers("WFA-A.12", "WFA-X.4")
    def test_moves_may_be_left_undone(self) -> None:
        war = moving(War().legion(HARKONNEN, "carthag", regular=2))
        war.answer(HARKONNEN, Done())
        assert war.done
        assert war.figures(HARKONNEN, "carthag") == (2, 0, 0, 0)


class TestSplitting:
    @covers("WFA-M.2", "WFA-S.26")
    def test_any_figures_go_but_leaders_only_with_a_unit(self) -> None:
        war = moving(War().legion(HARKONNEN, "carthag", regular=2, leader=1, named=("beast_rabban",)))
        assert war.options(HARKONNEN).contains(move("carthag", "arsunt", regular=1, leaders=("beast_rabban",)))
        assert war.options(HARKONNEN).contains(move("carthag", "arsunt", regular=2))
        war.refused(HARKONNEN, move("carthag", "arsunt", leader=1), "WFA-M.2")
        war.refused(HARKONNEN, move("carthag", "arsunt", leaders=("beast_rabban",)), "WFA-M.2")

    @covers("WFA-X.7", "WFA-M.6")
    def test_the_part_that_stayed_may_move_by_the_second_movement(self) -> None:
        war = moving(War().legion(HARKONNEN, "carthag", regular=5, leader=1))
        war.answer(HARKONNEN, move("carthag", "arrakeen", regular=2)).answer(
            HARKONNEN, move("carthag", "arsunt", regular=3, leader=1)
        )
        assert war.done
        assert war.figures(HARKONNEN, "arrakeen") == (2, 0, 0, 0)
        assert war.figures(HARKONNEN, "arsunt") == (3, 0, 0, 1)

    @covers("WFA-M.3", "WFA-M.48", "WFA-A.15")
    def test_leadership_moves_legions_with_a_leader_who_goes_along(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2, leader=1).legion(HARKONNEN, "arsunt", regular=2)
        moving(war, led=True)
        assert not reach(war, HARKONNEN, "arsunt")
        war.refused(HARKONNEN, move("carthag", "arrakeen", regular=2), "WFA-M.3")
        war.answer(HARKONNEN, move("carthag", "arrakeen", regular=1, leader=1))
        assert war.done, "no other legion has a leader"

    @covers("WFA-M.4", "WFA-S.21")
    def test_a_face_down_token_moves_whole_and_stays_hidden(self) -> None:
        war = War().legion(ATREIDES, "tasmin_sink", leader=1, tokens=("atreides_starting_1", "atreides_starting_4"))
        moving(war, ATREIDES, count=1)
        war.answer(ATREIDES, move("tasmin_sink", "se_1", leader=1, tokens=("atreides_starting_4",)))
        assert war.g.tokens("se_1") == ("atreides_starting_4",)
        assert all("starting" not in repr(event) for event in war.seen(HARKONNEN))

    @covers("WFA-S.27")
    def test_leaders_left_behind_alone_go_off_the_board(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1, leader=1, named=("beast_rabban",))
        moving(war, count=1)
        war.answer(HARKONNEN, move("carthag", "arrakeen", regular=1))
        assert war.figures(HARKONNEN, "carthag") == (0, 0, 0, 0)
        assert war.g.whereabouts("beast_rabban") == "tank/0"


class TestSeveral:
    @covers("WFA-M.5", "WFA-X.8")
    def test_a_figure_that_has_moved_does_not_move_on_with_those_it_joins(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2).legion(HARKONNEN, "arsunt", regular=3)
        moving(war).answer(HARKONNEN, move("carthag", "arsunt", regular=2))
        assert not war.options(HARKONNEN).contains(move("arsunt", "hagga_basin", regular=4))
        war.answer(HARKONNEN, move("arsunt", "hagga_basin", regular=3))
        assert war.figures(HARKONNEN, "arsunt") == (2, 0, 0, 0)

    @covers("WFA-M.8", "WFA-M.10", "WFA-S.28")
    def test_one_legion_may_make_room_for_the_other(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=6).legion(HARKONNEN, "arsunt", regular=6)
        moving(war).answer(HARKONNEN, move("carthag", "arsunt", regular=6)).answer(
            HARKONNEN, move("arsunt", "hagga_basin", regular=6)
        )
        assert war.done
        assert war.figures(HARKONNEN, "arsunt") == (6, 0, 0, 0)

    @covers("WFA-S.28", "WFA-M.10")
    def test_units_beyond_six_are_removed_by_their_owner(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=3, elite=1).legion(HARKONNEN, "arsunt", regular=4)
        moving(war, count=1).answer(HARKONNEN, move("carthag", "arsunt", regular=3, elite=1))
        assert set(war.legal(HARKONNEN)) == {RemoveExcess((2, 0, 0), ()), RemoveExcess((1, 1, 0), ())}
        war.answer(HARKONNEN, RemoveExcess((2, 0, 0), ()))
        assert war.figures(HARKONNEN, "arsunt") == (5, 1, 0, 0)
        assert war.g.supply(HARKONNEN)[0] == 24 - 5

    @covers("WFA-X.1", "WFA-S.21", "WFA-S.28")
    def test_four_units_and_two_tokens_fill_an_area(self) -> None:
        war = War().legion(ATREIDES, "tasmin_sink", regular=4, tokens=("atreides_starting_1", "atreides_starting_2"))
        war.run(Settle(side=ATREIDES, area="tasmin_sink"))
        assert war.done
        war.legion(ATREIDES, "tasmin_sink", elite=1).run(Settle(side=ATREIDES, area="tasmin_sink"))
        assert war.asked == (ATREIDES,)

    @covers("WFA-S.28", "WFA-S.24")
    def test_tokens_that_are_turned_up_may_overfill_an_area(self) -> None:
        war = War().legion(ATREIDES, "tasmin_sink", regular=4, tokens=("atreides_starting_1", "atreides_starting_7"))
        war.run(TurnUpTokens(area="tasmin_sink"))
        war.answer(ATREIDES, RemoveExcess((2, 0, 0), ()))
        assert war.figures(ATREIDES, "tasmin_sink") == (4, 2, 0, 0)

    @covers("WFA-M.9", "WFA-C.93")
    def test_a_card_may_ask_for_a_legion_with_a_kind_of_unit(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2, special=1).legion(HARKONNEN, "arsunt", regular=2)
        moving(war, unit=SPECIAL)
        assert not reach(war, HARKONNEN, "arsunt")
        war.refused(HARKONNEN, move("carthag", "arrakeen", regular=2), "WFA-C.93")
        war.answer(HARKONNEN, move("carthag", "arrakeen", regular=1, special=1))


class TestSandriding:
    def riders(self, **options: Any) -> War:
        """Wormsigns in a row from Habbanya Ridge: sw_3, cnw_3, bight of the cliff's neighbour nw_13 beyond."""
        war = War(**options).legion(ATREIDES, "sw_5", regular=2)
        return war.wormsign("sw_3").wormsign("cnw_3")

    @covers("WFA-C.93")
    def test_where_no_legion_has_such_a_unit_there_is_nothing_to_ask(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2, elite=1).legion(HARKONNEN, "arrakeen", regular=1)
        assert moving(war.fork()).asked == (HARKONNEN,)
        assert moving(war, unit=SPECIAL).done

    @covers("WFA-C.93")
    def test_only_legions_with_such_a_unit_are_listed(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2).legion(HARKONNEN, "arrakeen", regular=1, special=1)
        moving(war, unit=SPECIAL)
        assert {act.source for act in war.legal(HARKONNEN, MoveLegion)} == {"arrakeen"}
        assert all(choice.possible() for choice in war.options(HARKONNEN).choices)

    @covers("WFA-M.12", "WFA-M.14", "WFA-M.49", "WFA-M.13")
    def test_a_chain_of_wormsigns_is_crossed_and_the_ride_ends_on_it_or_beside_it(self) -> None:
        war = self.riders()
        reached = reach(moving(war, ATREIDES, count=1), ATREIDES, "sw_5")
        on_foot = {"csw_1", "false_wall_west", "habbanya_ridge", "sw_3", "sw_6", "sw_7", "sw_8"}
        beside_sw_3 = {"cnw_3", "csw_1", "habbanya_ridge", "nw_12", "sw_2"}
        beside_cnw_3 = {"bight_of_the_cliff", "cnw_1", "cnw_4", "csw_1", "nw_12", "nw_13", "sw_3"}
        assert reached == on_foot | beside_sw_3 | beside_cnw_3
        war.answer(ATREIDES, move("sw_5", "cnw_4", regular=2))
        assert {"wormsign/sw_3", "wormsign/cnw_3"} <= war.g.table.keys()

    @covers("WFA-M.14", "WFA-M.47")
    def test_a_ride_passes_sandworms_but_never_ends_on_one(self) -> None:
        war = War().legion(ATREIDES, "sw_5", regular=2).worm("sw_3")
        reached = reach(moving(war, ATREIDES), ATREIDES, "sw_5")
        assert "sw_3" not in reached
        assert "nw_12" in reached

    @covers("WFA-M.15", "WFA-M.16")
    def test_enemy_legions_bar_the_way_and_harvesters_do_not(self) -> None:
        assert "cnw_4" in reach(moving(self.riders().harvester("sw_3"), ATREIDES), ATREIDES, "sw_5")
        war = self.riders().legion(HARKONNEN, "sw_3", regular=1)
        assert "cnw_4" not in reach(moving(war, ATREIDES), ATREIDES, "sw_5")

    @covers("WFA-M.16")
    def test_the_end_must_be_free(self) -> None:
        war = self.riders().legion(HARKONNEN, "cnw_4", regular=1)
        assert "cnw_4" not in reach(moving(war, ATREIDES), ATREIDES, "sw_5")

    @covers("WFA-M.19")
    def test_each_legion_of_an_action_may_ride(self) -> None:
        war = moving(self.riders().legion(ATREIDES, "csw_1", regular=1), ATREIDES)
        war.answer(ATREIDES, move("sw_5", "cnw_4", regular=2)).answer(ATREIDES, move("csw_1", "nw_13", regular=1))
        assert war.figures(ATREIDES, "nw_13") == (1, 0, 0, 0)

    @covers("WFA-M.11", "WFA-M.27")
    def test_a_station_is_taken_where_the_ride_ends_not_on_the_way(self) -> None:
        war = War().legion(ATREIDES, "cnw_3", regular=1).wormsign("cnw_4").station("cnw_4", "jihad")
        moving(war, ATREIDES, count=1).answer(ATREIDES, move("cnw_3", "csw_2", regular=1))
        assert war.g.table["station/cnw_4"] == ("jihad",)
        war = War().legion(ATREIDES, "cnw_3", regular=1).station("cnw_4", "jihad")
        moving(war, ATREIDES, count=1).answer(ATREIDES, move("cnw_3", "cnw_4", regular=1))
        assert war.g.marker("jihad") == 1

    @covers("WFA-M.28")
    def test_in_2022_a_ride_takes_stations_in_passing(self) -> None:
        war = War(edition="preview_2022").legion(ATREIDES, "cnw_3", regular=1).wormsign("cnw_4")
        war.station("cnw_4", "kwisatz_haderach")
        moving(war, ATREIDES, count=1).answer(ATREIDES, move("cnw_3", "csw_2", regular=1))
        war.answer(ATREIDES, PassStations(("cnw_4",)))
        assert war.done
        assert war.g.marker("kwisatz_haderach") == 1
        assert war.figures(ATREIDES, "csw_2") == (1, 0, 0, 0)

    @covers("WFA-M.53", "WFA-B.45")
    def test_in_2022_an_advance_after_an_attack_by_sandriding_takes_none_in_passing(self) -> None:
        war = War(edition="preview_2022").legion(ATREIDES, "cnw_3", regular=2).wormsign("cnw_4")
        war.station("cnw_4", "kwisatz_haderach").legion(HARKONNEN, "csw_2", regular=1)
        war.rolls("combat/atreides", "hit", "hit").rolls("combat/harkonnen", "shield")
        war.run(AttackWith(seat=war.atreides)).answer(ATREIDES, attack("cnw_3", "csw_2", regular=2))
        war.answer(ATREIDES, Advance((2, 0, 0, 0), ()))
        assert war.done
        assert war.figures(ATREIDES, "csw_2") == (2, 0, 0, 0)
        assert war.g.table["station/cnw_4"] == ("kwisatz_haderach",)


class TestTroopTransport:
    @covers("WFA-M.20", "WFA-M.21", "WFA-M.23", "WFA-M.24", "WFA-M.26", "WFA-M.10")
    def test_an_ornithopter_adds_an_area_over_borders_legions_and_worms(self) -> None:
        war = War().legion(HARKONNEN, "broken_land", regular=2).ornithopter("z1")
        war.legion(ATREIDES, "ne_3", regular=1).worm("ne_4")
        moving(war, count=1)
        war.refused(HARKONNEN, move("broken_land", "ne_1", regular=2), "WFA-M.20")
        assert not war.options(HARKONNEN).contains(move("broken_land", "ne_3", regular=2, ornithopter="z1"))
        war.answer(HARKONNEN, move("broken_land", "ne_1", regular=2, ornithopter="z1"))
        assert war.figures(HARKONNEN, "ne_1") == (2, 0, 0, 0)
        assert war.g.vehicle("z1") == (0, 0, 0)

    @covers("WFA-M.20", "WFA-S.3")
    def test_its_zone_must_serve_the_sector_of_departure(self) -> None:
        war = moving(War().legion(HARKONNEN, "broken_land", regular=2).ornithopter("z8"))
        assert "ne_1" not in reach(war, HARKONNEN, "broken_land")

    @covers("WFA-M.22")
    def test_a_legion_flies_once_a_turn(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2).ornithopter("z1").ornithopter("z2")
        moving(war, count=1).answer(HARKONNEN, move("carthag", "hole_in_the_rock", regular=2, ornithopter="z2"))
        moving(war)
        assert [act for act in war.legal(HARKONNEN) if isinstance(act, MoveLegion) and act.ornithopter] == []

    @covers("WFA-M.22")
    def test_wherever_it_has_gone_meanwhile(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2).ornithopter("z1").ornithopter("z2")
        moving(war, count=1).answer(HARKONNEN, move("carthag", "hole_in_the_rock", regular=2, ornithopter="z2"))
        moving(war, count=1).answer(HARKONNEN, move("hole_in_the_rock", "imperial_basin", regular=2))
        assert war.g.table["flown"] == ("hole_in_the_rock", "imperial_basin")
        moving(war)
        assert {act.ornithopter for act in war.legal(HARKONNEN, MoveLegion)} == {""}

    @covers("WFA-M.22", "WFA-M.5")
    def test_who_is_joined_in_the_air_may_still_fly(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2).legion(HARKONNEN, "hole_in_the_rock", regular=1)
        moving(war.ornithopter("z1").ornithopter("z2"))
        war.answer(HARKONNEN, move("carthag", "hole_in_the_rock", regular=2, ornithopter="z2"))
        flights = {act.source for act in war.legal(HARKONNEN, MoveLegion) if act.ornithopter}
        assert flights == {"hole_in_the_rock"}

    @covers("WFA-M.22", "WFA-M.25")
    def test_a_legion_that_has_flown_to_attack_has_flown_where_it_advances_to(self) -> None:
        war = (
            War()
            .legion(HARKONNEN, "carthag", regular=2)
            .village("carthag")
            .sietch("hole_in_the_rock")
            .ornithopter("z2")
        )
        war.run(AttackWith(seat=war.harkonnen))
        war.answer(HARKONNEN, attack("carthag", "hole_in_the_rock", regular=2, ornithopter="z2"))
        war.answer(HARKONNEN, Advance((2, 0, 0, 0), ()))
        assert "hole_in_the_rock" in war.g.table["flown"]

    @pytest.mark.parametrize("options", [{"faq": False}, {"edition": "preview_2022"}])
    @covers("WFA-M.22")
    def test_the_older_books_have_no_such_limit(self, options: dict[str, Any]) -> None:
        war = War(**options).legion(HARKONNEN, "carthag", regular=2).ornithopter("z1").ornithopter("z2")
        moving(war, count=1).answer(HARKONNEN, move("carthag", "hole_in_the_rock", regular=2, ornithopter="z2"))
        assert "cse_1" in reach(moving(war), HARKONNEN, "hole_in_the_rock")


class TestHarvestersAndStations:
    @covers("WFA-M.33", "WFA-M.34", "WFA-M.52", "WFA-M.32", "WFA-S.29")
    def test_an_atreides_legion_overruns_a_harvester_and_its_token_stays_hidden(self) -> None:
        war = War().legion(ATREIDES, "cnw_4", tokens=("atreides_starting_1",)).harvester("cnw_3")
        moving(war, ATREIDES, count=1).answer(ATREIDES, move("cnw_4", "cnw_3", tokens=("atreides_starting_1",)))
        assert war.g.vehicle("cnw_3") == (0, 0, 0)
        assert war.g.table["vehicles"][0] == 8
        assert war.g.tokens("cnw_3") == ("atreides_starting_1",)
        assert war.g.table["tally/harvester_removed"] == (1, 1, 1)

    @covers("WFA-M.32")
    def test_harkonnen_pass_their_harvesters_by(self) -> None:
        war = War().legion(HARKONNEN, "cnw_4", regular=1).harvester("cnw_3").harvester("cnw_4")
        moving(war, count=1).answer(HARKONNEN, move("cnw_4", "cnw_3", regular=1))
        assert war.g.vehicle("cnw_3") == war.g.vehicle("cnw_4") == (1, 0, 0)

    @covers("WFA-M.51", "WFA-M.29", "WFA-M.27")
    def test_a_face_down_token_takes_a_station(self) -> None:
        war = War().legion(ATREIDES, "cnw_3", tokens=("atreides_starting_1",)).station("cnw_4", "sand_dwellers")
        moving(war, ATREIDES, count=1).answer(ATREIDES, move("cnw_3", "cnw_4", tokens=("atreides_starting_1",)))
        assert war.g.marker("sand_dwellers") == 1
        assert war.g.table["stations_taken"] == ("sand_dwellers",)
        assert war.g.tokens("cnw_4") == ("atreides_starting_1",)

    @covers("WFA-M.36", "WFA-M.37")
    def test_in_2022_every_second_harvester_of_action_resolution_advances_the_jihad(self) -> None:
        war = War(edition="preview_2022").dice(HARKONNEN, strategy=1).dice(ATREIDES, strategy=1)
        war.legion(ATREIDES, "cnw_4", regular=2).harvester("cnw_3").harvester("wind_pass")
        war.run(ActionResolution())
        war.answer(ATREIDES, TakeAction("strategy", "move"))
        war.answer(ATREIDES, move("cnw_4", "cnw_3", regular=1)).answer(ATREIDES, move("cnw_4", "wind_pass", regular=1))
        assert war.g.marker("jihad") == 1

    @covers("WFA-M.36")
    def test_in_2022_harvesters_lost_outside_action_resolution_advance_nothing(self) -> None:
        war = War(edition="preview_2022").legion(ATREIDES, "cnw_4", regular=2).harvester("cnw_3").harvester("wind_pass")
        moving(war, ATREIDES, count=2)
        war.answer(ATREIDES, move("cnw_4", "cnw_3", regular=1)).answer(ATREIDES, move("cnw_4", "wind_pass", regular=1))
        assert war.g.vehicle("cnw_3") == war.g.vehicle("wind_pass") == (0, 0, 0)
        assert war.g.marker("jihad") == 0

    @covers("WFA-M.37")
    def test_in_2022_the_count_starts_anew_each_round(self) -> None:
        war = War(edition="preview_2022").dice(HARKONNEN, strategy=1).dice(ATREIDES, strategy=1)
        war.legion(ATREIDES, "cnw_4", regular=2).harvester("cnw_3").put("tally/harvester_removed", (0, 0, 1))
        war.run(ActionResolution()).answer(ATREIDES, TakeAction("strategy", "move"))
        war.answer(ATREIDES, move("cnw_4", "cnw_3", regular=1)).answer(ATREIDES, Done())
        assert war.g.marker("jihad") == 0

    @covers("WFA-M.27")
    def test_the_harkonnen_take_no_station(self) -> None:
        war = War().legion(HARKONNEN, "cnw_3", regular=1).station("cnw_4", "jihad")
        moving(war, count=1).answer(HARKONNEN, move("cnw_3", "cnw_4", regular=1))
        assert war.g.table["station/cnw_4"] == ("jihad",)
