"""Vehicle Placement, vehicles placed by actions, and spice row."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import Done, PlaceVehicle, PlaceVehicles, Scout, TakeAction
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.muster import HouseVehicles
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.vehicles import PlaceSomeVehicles, VehiclePlacement
from landsraad_engine.arrakis.zones import IMPERIUM
from landsraad_engine.testing import covers, position
from landsraad_engine.testing.arrakis import War


def at_step(step: int, **others: int) -> War:
    """All Imperium markers on a step, but for those named."""
    war = War().dice(HARKONNEN, pool=8)
    for power, key in IMPERIUM.items():
        war.put(key, others.get(power, step))
    return war


def placed(war: War) -> PlaceVehicles:
    act = next(act for act in war.options(HARKONNEN).enumerate(limit=1))
    assert isinstance(act, PlaceVehicles)
    return act


class TestTheRow:
    @pytest.mark.parametrize(
        ("step", "rolled", "vehicles"),
        [(5, 8, (3, 2, 1)), (4, 7, (4, 2, 1)), (3, 6, (5, 3, 1)), (2, 5, (5, 4, 2)), (1, 4, (6, 4, 2))],
    )
    @covers("WFA-V.2", "WFA-V.3", "WFA-V.4", "WFA-V.5", "WFA-V.6")
    def test_dice_locked_and_vehicles_by_step(self, step: int, rolled: int, vehicles: tuple[int, ...]) -> None:
        war = at_step(step).run(VehiclePlacement())
        assert war.g.get("dice/giedi_prime/pool") == (rolled, 0)
        assert war.g.get("dice/giedi_prime/locked") == (8 - rolled, 0)
        act = placed(war)
        assert (len(act.harvesters), len(act.ornithopters), len(act.carryalls)) == vehicles

    @covers("WFA-V.1")
    def test_the_lowest_marker_counts_whatever_the_others_do(self) -> None:
        war = at_step(5, landsraad=2).run(VehiclePlacement())
        assert war.g.get("dice/giedi_prime/pool") == (5, 0)


class TestPlacing:
    @covers("WFA-V.7", "WFA-V.10")
    def test_harvesters_go_to_free_deserts_also_beside_signs_stations_and_own_legions(self) -> None:
        war = at_step(5)
        war.legion("atreides", "se_1", regular=1).sietch("tasmin_sink").worm("se_3").harvester("se_6")
        war.wormsign("cnw_3").station("cnw_4", "jihad").legion(HARKONNEN, "wind_pass", regular=1)
        war.run(VehiclePlacement())
        free = {"cnw_3", "cnw_4", "wind_pass", "se_7"}
        barred = {"se_1", "tasmin_sink", "se_3", "se_6", "pasty_mesa", "cne_7", "carthag"}
        options = war.options(HARKONNEN).choices[0].domain("harvesters").items  # type: ignore[attr-defined]
        assert free <= set(options)
        assert barred.isdisjoint(options)

    @covers("WFA-V.5", "WFA-V.8", "WFA-S.3")
    def test_all_are_placed_and_air_vehicles_one_to_a_zone(self) -> None:
        war = at_step(5).run(VehiclePlacement())
        war.refused(HARKONNEN, PlaceVehicles(("cnw_3", "cnw_4"), ("z1", "z2"), ("z3",)))
        war.answer(HARKONNEN, PlaceVehicles(("cnw_3", "cnw_4", "wind_pass"), ("z1", "z2"), ("z2",)))
        assert war.g.vehicle("z1") == (0, 1, 0)
        assert war.g.vehicle("z2") == (0, 0, 1), "a vehicle that comes to an occupied zone removes what is there"
        assert war.g.table["vehicles"] == (5, 5, 2)

    @covers("WFA-V.9")
    def test_vehicles_without_a_place_stay_in_the_supply(self) -> None:
        war = at_step(1)
        for area in war.g.board.names(war.g.board.desert)[2:]:
            war.put(f"settlement/{area}", None)
            war.put(f"sietch/{area}", ("1",))
        war.run(VehiclePlacement())
        assert len(placed(war).harvesters) == 2


class TestByActions:
    def house(self, **options: Any) -> War:
        war = War(**options)
        war.run(HouseVehicles(seat=war.harkonnen))
        return war

    @covers("WFA-A.21", "WFA-A.23")
    def test_any_two_vehicles(self) -> None:
        war = self.house()
        kinds = {act.vehicle for act in war.legal(HARKONNEN) if isinstance(act, PlaceVehicle)}
        assert kinds == {"harvester", "ornithopter", "carryall"}
        war.answer(HARKONNEN, PlaceVehicle("carryall", "z1", "")).answer(HARKONNEN, PlaceVehicle("carryall", "z2", ""))
        assert war.done
        assert war.g.table["vehicles"] == (8, 6, 1)

    @covers("WFA-A.22")
    def test_in_2022_one_of_each_kind(self) -> None:
        war = self.house(edition="preview_2022")
        for kind, place in (("ornithopter", "z1"), ("harvester", "cnw_3"), ("carryall", "z2")):
            assert {act.vehicle for act in war.legal(HARKONNEN) if isinstance(act, PlaceVehicle)} == {kind}
            war.answer(HARKONNEN, PlaceVehicle(kind, place, ""))
        assert war.done

    @covers("WFA-A.29")
    def test_placing_takes_vehicles_from_the_board_too(self) -> None:
        war = War().harvester("cnw_3").ornithopter("z1")
        war.run(PlaceSomeVehicles(kinds=("harvester", "ornithopter"), seats=(war.harkonnen,)))
        war.answer(HARKONNEN, PlaceVehicle("harvester", "cnw_4", "cnw_3"))
        war.answer(HARKONNEN, PlaceVehicle("ornithopter", "z5", "z1"))
        assert war.g.vehicle("cnw_3") == war.g.vehicle("z1") == (0, 0, 0)
        assert war.g.table["vehicles"] == (7, 5, 3)

    @covers("WFA-V.7", "WFA-A.29")
    def test_a_harvester_finds_no_place_where_something_stands_that_is_not_the_harkonnens(self) -> None:
        war = position(ARRAKIS, legions={ATREIDES: {"se_1": {"regular": 1}}}, worms=["se_3"], harvesters=["se_6"])
        war.run(PlaceSomeVehicles(kinds=("harvester",), seats=(war.harkonnen,)))
        for area in ("se_1", "tasmin_sink", "se_3", "se_6"):
            war.refused(HARKONNEN, PlaceVehicle, vehicle="harvester", place=area)
        war.refused(HARKONNEN, PlaceVehicle, vehicle="harvester", place="se_6", source="se_6")
        war.refused(HARKONNEN, PlaceVehicle, vehicle="harvester", place="carthag")

    @covers("WFA-V.10", "WFA-A.29")
    def test_a_harvester_shares_its_area_with_a_wormsign_a_station_and_an_own_legion(self) -> None:
        war = position(ARRAKIS, legions={HARKONNEN: {"se_7": {"regular": 1}}}, wormsigns={"se_3": "sandworm"})
        station = next(area for area in war.g.board.names(war.g.board.stations & war.g.board.desert))
        places = ("se_7", "se_3", station)
        war.run(PlaceSomeVehicles(kinds=("harvester",) * len(places), seats=(war.harkonnen,)))
        for area in places:
            war.answer(HARKONNEN, PlaceVehicle, vehicle="harvester", place=area)
        assert [war.g.vehicle(area) for area in places] == [(1, 0, 0)] * 3
        assert war.figures(HARKONNEN, "se_7") == (1, 0, 0, 0)
        assert "wormsign/se_3" in war.g.table
        assert f"station/{station}" in war.g.table

    @covers("WFA-A.12")
    def test_nothing_has_to_be_placed(self) -> None:
        war = self.house()
        war.answer(HARKONNEN, Done()).answer(HARKONNEN, Done())
        assert war.done

    @covers("WFA-F.10", "WFA-X.20")
    def test_the_first_ornithopter_scouts_before_the_second_is_placed_in_its_zone(self) -> None:
        war = War().sietch("gara_kulon", 3).dice(HARKONNEN, house=1)
        war.run(ActionTurn(side=HARKONNEN)).answer(HARKONNEN, TakeAction("house", "vehicles"))
        war.answer(HARKONNEN, PlaceVehicle("ornithopter", "z1", ""))
        war.play(HARKONNEN, Scout("z1", "gara_kulon", sietch=True, tokens=True))
        assert war.g.vehicle("z1") == (0, 0, 0)
        war.answer(HARKONNEN, PlaceVehicle("ornithopter", "z1", ""))
        assert war.g.vehicle("z1") == (0, 1, 0)
        assert not war.g.hidden_sietch("gara_kulon")
