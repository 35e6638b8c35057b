"""Vehicles of the automaton: harvesters by the Harvesting Sector, carryalls above them, ornithopters for attacks."""

import pytest

from landsraad_engine.arrakis.acts import ChooseTargets, PlaceVehicle
from landsraad_engine.arrakis.mahdi.vehicle_placement import PlaceByKind, PlaceFliers, PlaceHarvesters
from landsraad_engine.arrakis.sides import ATREIDES, CARRYALL, HARKONNEN, HARVESTER, ORNITHOPTER
from landsraad_engine.arrakis.vehicles import VehiclePlacement
from landsraad_engine.arrakis.zones import AIR_ZONES
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo


def at_setup(harvesting: str, target: str = "rock_outcroppings") -> Solo:
    """All Sietches, settlements and stations on the board, and no legion."""
    solo = Solo().harvesting(harvesting).target(target)
    board = solo.g.board
    for area in board.names(board.sietches):
        if area != solo.g.content.tactical_card[target].sietch:
            solo.sietch(area)
    for area in board.rank:
        solo.village(area)
    for area in board.names(board.stations):
        solo.put(f"station/{area}", ("any",))
    return solo


def harvesters(solo: Solo) -> set[str]:
    return set(solo.g.board.names(solo.g.survey().harvesters))


def offered(solo: Solo) -> set[str]:
    return {area for act in solo.legal(ATREIDES, ChooseTargets) for area in act.targets}


class TestHarvesters:
    @pytest.mark.parametrize(
        ("sector", "number", "placed", "choice"),
        [
            ("gara_kulon", 3, {"ne_1", "ne_13"}, {"ne_3", "ne_5", "ne_7", "ne_8"}),  # MX.3
            ("tasmin_sink", 3, {"se_2", "se_4"}, {"se_7", "se_8"}),  # MX.4
            ("habbanya_ridge", 3, {"sw_7"}, {"sw_1", "sw_4", "sw_6", "sw_9"}),  # MX.5
            ("bight_of_the_cliff", 3, {"the_great_flat", "nw_1", "nw_5"}, set()),  # MX.6
            ("windgap", 3, set(), {"cne_3", "cse_1", "csw_1", "csw_4", "wind_pass"}),  # MX.7
            ("windgap", 6, {"cne_3", "cse_1", "csw_1", "csw_4", "wind_pass", "cse_5"}, set()),  # MX.7
        ],
    )
    @covers("WFA-Y.22", "WFA-Y.23", "WFA-Y.4", "WFA-Y.12", "WFA-Y.5", "WFA-Y.6")
    def test_the_examples(self, sector: str, number: int, placed: set[str], choice: set[str]) -> None:
        solo = at_setup(sector).run(PlaceHarvesters(number=number))
        assert harvesters(solo) == placed
        assert (set() if solo.done else offered(solo)) == choice

    @covers("WFA-Y.24", "WFA-Y.25")
    def test_the_rest_goes_into_a_sector_beside_it_but_not_the_targets(self) -> None:
        solo = at_setup("tasmin_sink", "gara_kulon")
        for area in ("se_1", "se_3", "se_6"):
            solo.wormsign(area).worm(area)
        solo.run(PlaceHarvesters(number=6))
        assert harvesters(solo) == {"se_2", "se_4", "se_7", "se_8"}
        assert solo.choices("harvest_sector") == {"south_west", "central"}
        solo.choose("harvest_sector", "south_west")
        assert "sw_7" in harvesters(solo)
        assert offered(solo) == {"sw_1", "sw_4", "sw_6", "sw_9"}

    @covers("WFA-Y.22")
    def test_example_8_all_find_room(self) -> None:
        solo = at_setup("tasmin_sink", "gara_kulon").run(PlaceHarvesters(number=6))
        assert harvesters(solo) == {"se_2", "se_4", "se_7", "se_8"}
        assert offered(solo) == {"se_1", "se_3", "se_6"}
        solo.answer(ATREIDES, ChooseTargets("harvest_in", ("se_1", "se_3")))
        assert solo.done


class TestCarryalls:
    @covers("WFA-Y.26", "WFA-Y.27")
    def test_they_go_where_most_harvesters_are(self) -> None:
        solo = at_setup("gara_kulon").harvester("se_2").harvester("ne_1").run(PlaceFliers(vehicle="carryall", number=1))
        best = max((solo.g.board.zone[z] & solo.g.survey().harvesters).bit_count() for z in AIR_ZONES)
        zones = {act.place for act in solo.legal(ATREIDES, PlaceVehicle)} if not solo.done else set()
        chosen = zones or {z for z in AIR_ZONES if solo.g.vehicle(z)[CARRYALL]}
        harvesting = solo.g.survey().harvesters
        assert chosen == {z for z in AIR_ZONES if (solo.g.board.zone[z] & harvesting).bit_count() == best}

    @covers("WFA-Y.27")
    def test_a_zone_with_a_vehicle_is_left_out(self) -> None:
        solo = at_setup("gara_kulon").harvester("se_2").ornithopter("z5").run(PlaceFliers(vehicle="carryall", number=1))
        assert "z5" not in {act.place for act in solo.legal(ATREIDES, PlaceVehicle)}


class TestOrnithopters:
    @covers("WFA-Y.30", "WFA-Y.31", "WFA-Y.32", "WFA-Y.33")
    def test_example_9(self) -> None:
        solo = at_setup("gara_kulon", "tasmin_sink").run(PlaceFliers(vehicle="ornithopter", number=2))
        assert solo.g.vehicle("z5")[ORNITHOPTER]
        assert {act.place for act in solo.legal(ATREIDES, PlaceVehicle)} == {"z2", "z4", "z6"}

    @covers("WFA-Y.30", "WFA-Y.32")
    def test_example_10(self) -> None:
        solo = at_setup("gara_kulon", "windgap").run(PlaceFliers(vehicle="ornithopter", number=2))
        assert {act.place for act in solo.legal(ATREIDES, PlaceVehicle)} == {"z6", "z7", "z8"}

    @covers("WFA-Y.28", "WFA-Y.29")
    def test_first_for_legions_two_areas_from_a_sietch_that_they_can_attack(self) -> None:
        solo = Solo().harvesting("gara_kulon").target("habbanya_ridge").sietch("tasmin_sink")
        near = next(a for a in solo.g.board.areas if solo.g.board.within_by_air(a, 2) & solo.g.board.bit["tasmin_sink"]
                    and not solo.g.board.within_by_air(a, 1) & solo.g.board.bit["tasmin_sink"]
                    and len(solo.g.board.zones_of[a]) == 1)  # fmt: skip
        solo.legion(HARKONNEN, near, regular=1).run(PlaceFliers(vehicle="ornithopter", number=1))
        assert solo.done
        assert solo.g.vehicle(solo.g.board.zones_of[near][0])[ORNITHOPTER]

    @covers("WFA-Y.28", "WFA-Y.63")
    def test_not_for_one_that_is_too_weak(self) -> None:
        solo = Solo().harvesting("gara_kulon").target("habbanya_ridge").sietch("tasmin_sink")
        solo.legion(ATREIDES, "tasmin_sink", regular=4).legion(HARKONNEN, "ne_15", regular=1)
        solo.run(PlaceFliers(vehicle="ornithopter", number=1))
        here = set(solo.g.board.zones_of["habbanya_ridge"])
        zones = {act.place for act in solo.legal(ATREIDES, PlaceVehicle)} if not solo.done else here
        assert zones == here


@covers("WFA-Y.21")
def test_all_vehicles_of_the_active_row_are_placed() -> None:
    solo = at_setup("bight_of_the_cliff", "gara_kulon").pool_dice(8).run(VehiclePlacement())
    while not solo.done:
        solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
    row = solo.g.content.spice_row["5"]
    numbers = [len(harvesters(solo)), *(len(solo.g.zones_with(kind)) for kind in (ORNITHOPTER, CARRYALL))]
    assert numbers == [row.harvesters, row.ornithopters, row.carryalls]


@covers("WFA-Y.86")
def test_only_vehicles_off_the_board_are_placed() -> None:
    solo = at_setup("bight_of_the_cliff", "gara_kulon")
    for n in range(1, 9):
        solo.harvester(f"sw_{n}")
    assert not solo.g.get("vehicles")[HARVESTER]
    before = harvesters(solo)
    solo.run(PlaceByKind(kinds=(("harvester", 1),)))
    assert solo.done
    assert harvesters(solo) == before
