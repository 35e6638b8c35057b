"""Spice and carryalls of the automaton."""

from typing import Any

import pytest

from landsraad_engine.arrakis.acts import ChooseBan, RescueHarvester, SpendSpice
from landsraad_engine.arrakis.harvesting import FALL, KEEP, RAISE, SpiceHarvesting
from landsraad_engine.arrakis.mahdi.hazards import most_saved
from landsraad_engine.arrakis.mahdi.spice import ways_to_spend
from landsraad_engine.arrakis.sides import ATREIDES, CARRYALL, HARVESTER
from landsraad_engine.arrakis.worms import UnderWorms, WormTakesHarvester
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo


def solo_with(choam: int, spacing_guild: int, landsraad: int, **options: Any) -> Solo:
    solo = Solo(**options).harvesting("habbanya_ridge").target("gara_kulon")
    return solo.imperium(choam=choam, spacing_guild=spacing_guild, landsraad=landsraad)


def orders(act: SpendSpice) -> tuple[str, str, str, int]:
    return (act.choam, act.spacing_guild, act.landsraad, act.reserve)


class TestSpice:
    @pytest.mark.parametrize(
        ("spice", "markers", "ways"),
        [
            (5, (5, 4, 4), {(FALL, KEEP, KEEP, 1)}),  # MX.19
            (8, (5, 5, 3), {(KEEP, KEEP, RAISE, 1)}),  # MX.20
            (8, (4, 3, 3), {(KEEP, RAISE, RAISE, 0)}),  # MX.21
            (3, (2, 2, 2), {(KEEP, FALL, FALL, 1), (FALL, KEEP, FALL, 1), (FALL, FALL, KEEP, 1)}),  # MX.23
            (0, (3, 2, 1), {(FALL, FALL, FALL, 0)}),
            (7, (5, 4, 4), {(KEEP, RAISE, KEEP, 0), (KEEP, KEEP, RAISE, 0)}),
        ],
    )
    @covers("WFA-Y.149", "WFA-Y.151", "WFA-Y.152")
    def test_the_examples(
        self, spice: int, markers: tuple[int, int, int], ways: set[tuple[str, str, str, int]]
    ) -> None:
        assert {orders(act) for act in ways_to_spend(solo_with(*markers).g, spice)} == ways

    @covers("WFA-Y.150", "WFA-Y.152")
    def test_example_22_all_on_the_top_step(self) -> None:
        solo = solo_with(5, 5, 5).put("spice", 9).run(SpiceHarvesting(), until=None)
        assert solo.done
        assert solo.g.supremacy == 1
        assert solo.g.get("reserve") == 0

    @covers("WFA-Y.150")
    def test_seven_spice_on_the_top_step(self) -> None:
        solo = solo_with(5, 5, 5).put("spice", 6).put("reserve", 1).run(SpiceHarvesting())
        assert solo.g.supremacy == 1

    @covers("WFA-Y.151")
    def test_there_is_no_stockpiling(self) -> None:
        solo = solo_with(4, 4, 4).put("spice", 9).run(SpiceHarvesting())
        assert solo.g.supremacy == 0
        assert [solo.g.table[f"imperium/{power}"] for power in ("choam", "spacing_guild", "landsraad")] == [5, 5, 5]

    @covers("WFA-Y.149", "WFA-Y.152")
    def test_the_humans_choose_between_equal_markers_and_the_ban(self) -> None:
        solo = solo_with(4, 4, 4, faq=False).put("spice", 2).run(SpiceHarvesting())
        assert len(solo.legal(ATREIDES, SpendSpice)) == 3
        solo.answer(ATREIDES, SpendSpice(KEEP, FALL, FALL, stockpile=False, reserve=0))
        assert {act.power for act in solo.legal(ATREIDES, ChooseBan)} == {"spacing_guild", "landsraad"}


class TestCarryalls:
    @covers("WFA-Y.147", "WFA-Y.148")
    def test_a_carryall_is_always_used_if_it_may_be(self) -> None:
        solo = solo_with(5, 5, 5).harvester("se_1").carryall("z5").run(WormTakesHarvester(area="se_1", rescue=True))
        assert solo.done
        assert solo.g.vehicle("se_1")[HARVESTER]
        assert not solo.g.vehicle("z5")[CARRYALL]

    @covers("WFA-Y.147", "WFA-Y.148")
    def test_none_is_given_up_for_a_desert_that_a_deep_desert_still_needs(self) -> None:
        solo = solo_with(5, 5, 5).harvester("se_1").harvester("se_2").carryall("z5")
        assert solo.g.board.terrain["se_1"] == "desert"
        assert solo.g.board.terrain["se_2"] == "deep_desert"
        solo.run(UnderWorms(areas=("se_1", "se_2"), rescue=True))
        while not solo.done:
            first = next(act for act in solo.legal(ATREIDES) if getattr(act, "area", "se_1") == "se_1")
            solo.answer(ATREIDES, first)
        assert not solo.g.vehicle("se_1")[HARVESTER]
        assert solo.g.vehicle("se_2")[HARVESTER]

    @covers("WFA-Y.148")
    def test_which_zone_is_for_the_humans(self) -> None:
        solo = solo_with(5, 5, 5)
        area = next(a for a in solo.g.board.names(solo.g.board.desert) if len(solo.g.board.zones_of[a]) > 1)
        zones = solo.g.board.zones_of[area][:2]
        solo.harvester(area).carryall(zones[0]).carryall(zones[1]).run(WormTakesHarvester(area=area, rescue=True))
        assert {act.carryall for act in solo.legal(ATREIDES, RescueHarvester)} == set(zones)

    @covers("WFA-Y.148")
    def test_each_carryall_saves_one(self) -> None:
        zones = {"a": ("x",), "b": ("x", "y"), "c": ("y",)}
        assert most_saved(zones, frozenset("xy")) == 2
        assert most_saved(zones, frozenset("x")) == 1
        assert most_saved(zones, frozenset()) == 0
