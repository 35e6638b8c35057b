"""Coriolis Storms: whom they strike, and how hard."""

from typing import Any

import pytest

from landsraad_engine.arrakis.desert_hazards import CoriolisStorms, DesertHazards
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, loss

#: The grounds that storms reach, by one area of each.
GROUNDS = {"deep_desert": "se_8", "desert": "se_3", "minor_erg": "cse_2", "plateau": "pasty_mesa"}


def storm(ground: str, *faces: str, **options: Any) -> War:
    """A storm over eight Regulars' worth of legion on this ground."""
    war = War(**options).legion(HARKONNEN, GROUNDS[ground], regular=6)
    return war.rolls("combat/storm", *faces).run(CoriolisStorms())


class TestWhere:
    @covers("WFA-H.22", "WFA-H.23")
    def test_mountains_and_the_five_plateaus_ringed_by_them_are_safe(self) -> None:
        war = War()
        for area in ("cne_4", "arrakeen", "carthag", "imperial_basin", "hagga_basin", "arsunt"):
            war.legion(HARKONNEN, area, regular=1)
        assert war.run(CoriolisStorms()).done
        assert war.strikes("storm") == []

    @covers("WFA-H.22")
    @pytest.mark.parametrize("area", GROUNDS.values())
    def test_all_other_ground_is_not(self, area: str) -> None:
        war = War().legion(HARKONNEN, area, regular=1).rolls("combat/storm", "shield", "shield").run(CoriolisStorms())
        assert war.strikes("storm") == [("storm", HARKONNEN, area, 0)]

    @covers("WFA-H.24")
    def test_in_2022_areas_with_a_harkonnen_settlement_are_safe_and_no_others(self) -> None:
        war = War(edition="preview_2022").legion(HARKONNEN, "arrakeen", regular=2).village("arrakeen")
        war.legion(HARKONNEN, "carthag", regular=2).rolls("combat/storm", "hit").run(CoriolisStorms())
        assert war.figures(HARKONNEN, "arrakeen") == (2, 0, 0, 0)
        assert war.figures(HARKONNEN, "carthag") == (1, 0, 0, 0), "its settlement has fallen"

    @covers("WFA-H.25")
    def test_atreides_vehicles_and_settlements_take_no_harm(self) -> None:
        war = War().legion(ATREIDES, "se_3", regular=2).harvester("se_6").sietch("tasmin_sink").ornithopter("z1")
        war.run(CoriolisStorms())
        assert war.done
        assert war.thrown() == []

    @covers("WFA-H.29", "WFA-H.44", "WFA-H.45", "WFA-H.46")
    @pytest.mark.parametrize("edition", ["exclusive", "v1_1", "preview_2022"])
    @pytest.mark.parametrize(
        ("token", "opened"),
        [
            ("splintered_rock", {"hagga_basin"}),
            ("hole_in_the_rock", {"imperial_basin"}),
            ("rimwall_west", {"imperial_basin", "arrakeen"}),
        ],
    )
    def test_the_atomics_open_plateaus_with_their_settlements(self, edition: str, token: str, opened: set[str]) -> None:
        war = War(edition=edition).put("atomics", token)
        plateaus = ("arrakeen", "carthag", "imperial_basin", "hagga_basin", "arsunt")
        for area in plateaus:
            war.legion(HARKONNEN, area, regular=2).village(area)
        war.rolls("combat/storm", *["hit"] * 9).run(CoriolisStorms())
        assert {area for area in plateaus if war.figures(HARKONNEN, area) != (2, 0, 0, 0)} == opened


class TestHits:
    @covers("WFA-H.26", "WFA-H.28")
    @pytest.mark.parametrize(
        ("ground", "faces", "hits"),
        [
            ("deep_desert", ("special", "special"), 4),
            ("deep_desert", ("hit", "special"), 3),
            ("desert", ("hit", "special"), 2),
            ("minor_erg", ("hit", "special"), 1),
            ("plateau", ("special", "special"), 0),
            ("desert", ("shield", "shield"), 0),
        ],
    )
    def test_two_dice_with_specials_by_the_ground(self, ground: str, faces: tuple[str, ...], hits: int) -> None:
        war = storm(ground, *faces)
        assert war.thrown() == [2]
        assert war.figures(HARKONNEN, GROUNDS[ground])[0] == 6 - hits

    @covers("WFA-H.27")
    @pytest.mark.parametrize(("ground", "dice"), [("deep_desert", 3), ("desert", 2), ("minor_erg", 1), ("plateau", 1)])
    def test_in_2022_dice_by_the_ground_and_each_hit_or_special_hits(self, ground: str, dice: int) -> None:
        war = storm(ground, *("hit", "special", "special")[:dice], edition="preview_2022")
        assert war.thrown() == [dice]
        assert war.figures(HARKONNEN, GROUNDS[ground])[0] == 6 - dice

    @covers("WFA-H.28")
    def test_casualties_are_chosen_by_the_legions_owner_and_leaders_help_nothing(self) -> None:
        war = War().legion(HARKONNEN, "se_3", regular=1, elite=1, named=("baron_harkonnen",))
        war.rolls("combat/storm", "hit", "shield").run(CoriolisStorms())
        assert war.asked == (HARKONNEN,)
        assert set(war.legal(HARKONNEN)) == {loss(regular=1), loss(elite=1), loss(named=("baron_harkonnen",))}

    @covers("WFA-H.54")
    def test_legions_are_struck_in_the_order_of_the_board(self) -> None:
        war = War().legion(HARKONNEN, "se_3", regular=2).legion(HARKONNEN, "cse_2", regular=2)
        war.rolls("combat/storm", "hit", "hit", "shield", "shield").run(CoriolisStorms())
        assert [(strike.area, strike.hits) for strike in war.strikes("storm")] == [("cse_2", 2), ("se_3", 0)]

    @covers("WFA-H.22")
    def test_they_end_the_phase(self) -> None:
        war = War().legion(HARKONNEN, "se_3", regular=1).lay("wormsigns", *["sand"] * 16)
        war.rolls("combat/storm", "hit", "shield").run(DesertHazards())
        assert war.done
        assert war.figures(HARKONNEN, "se_3") == (0, 0, 0, 0)
