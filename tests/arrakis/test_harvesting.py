"""Phase 4: spice is collected and spent; markers, stockpiling, the reserve. What bans do: test_bans.py."""

from typing import Any

import pytest

from landsraad_engine.arrakis.acts import ChooseBan, SpendSpice
from landsraad_engine.arrakis.harvesting import SpiceHarvesting
from landsraad_engine.arrakis.sides import HARKONNEN
from landsraad_engine.arrakis.zones import BAN, IMPERIUM
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War

#: Two deserts and a deep desert each.
DESERTS = ("cnw_3", "cnw_4", "se_3", "se_6", "cne_3", "ne_11")
DEEP = ("se_8", "se_4", "ne_1", "ne_13")


def harvest(war: War, spice: int = 0, **at: int) -> War:
    """The phase with so much spice to collect, and markers on these steps."""
    for power, step in at.items():
        war.put(IMPERIUM[power], step)
    for area in DEEP[: spice // 2] + DESERTS[: spice % 2]:
        war.harvester(area)
    return war.run(SpiceHarvesting())


def orders(
    choam: str = "fall",
    spacing_guild: str = "fall",
    landsraad: str = "fall",
    *,
    stockpile: bool = False,
    reserve: int = 0,
) -> SpendSpice:
    return SpendSpice(choam, spacing_guild, landsraad, stockpile, reserve)


def markers(war: War) -> tuple[int, ...]:
    return tuple(war.g.table[key] for key in IMPERIUM.values())


def bans(war: War) -> set[str]:
    return {power for power in BAN if war.g.banned(power)}


class TestCollecting:
    @covers("WFA-P.1")
    def test_harvesters_bring_one_from_a_desert_two_from_deep_desert_and_go_off_the_board(self) -> None:
        war = War().harvester("cnw_3").harvester("se_8").harvester("windgap").run(SpiceHarvesting())
        assert war.g.get("spice") == 4
        assert war.g.table["vehicles"] == (8, 6, 3)

    @covers("WFA-P.1", "WFA-H.42")
    def test_the_ground_that_the_atomics_have_laid_bare_is_a_desert(self) -> None:
        war = War().put("atomics", "splintered_rock").harvester("splintered_rock").run(SpiceHarvesting())
        assert war.g.get("spice") == 1

    @covers("WFA-P.2")
    def test_without_spice_nobody_is_asked_and_all_markers_fall(self) -> None:
        war = harvest(War())
        assert war.done
        assert markers(war) == (4, 4, 4)


class TestSpending:
    @covers("WFA-P.2")
    @pytest.mark.parametrize(("choam", "price", "step"), [("fall", 0, 2), ("keep", 2, 3), ("raise", 3, 4)])
    def test_two_hold_a_marker_and_three_raise_it_by_one_step(self, choam: str, price: int, step: int) -> None:
        for collected in range(1, 5):
            war = harvest(War(), collected, choam=3, spacing_guild=3, landsraad=3)
            if collected < price:
                war.refused(HARKONNEN, orders(choam), "WFA-P.2")
                continue
            war.answer(HARKONNEN, orders(choam))
            assert markers(war) == (step, 2, 2)

    @covers("WFA-P.2")
    def test_all_three_are_paid_from_one_harvest(self) -> None:
        war = harvest(War(), 7, choam=2, spacing_guild=3, landsraad=4)
        war.refused(HARKONNEN, orders("raise", "raise", "keep"), "WFA-P.2")
        war.answer(HARKONNEN, orders("keep", "raise", "keep"))
        assert markers(war) == (2, 4, 4)

    @covers("WFA-P.3", "WFA-P.4")
    def test_markers_stay_between_the_bottom_and_the_top_step(self) -> None:
        war = harvest(War(), 6, choam=1, spacing_guild=5, landsraad=5)
        war.answer(HARKONNEN, orders("fall", "keep", "raise"))
        assert markers(war) == (1, 5, 5)

    @covers("WFA-P.7", "WFA-P.8")
    def test_one_spice_point_may_be_put_by_and_the_rest_is_lost(self) -> None:
        war = harvest(War(), 5)
        assert {act.reserve for act in war.legal(HARKONNEN, SpendSpice)} == {0, 1}
        war.answer(HARKONNEN, orders("keep", reserve=1))
        assert war.g.get("reserve") == 1
        assert war.g.get("spice") == 0

    @covers("WFA-P.8")
    def test_the_reserve_is_added_to_a_later_harvest_or_kept(self) -> None:
        war = harvest(War().put("reserve", 1), 1).answer(HARKONNEN, orders("keep"))
        assert war.g.get("reserve") == 0
        assert markers(war) == (5, 4, 4)
        war = harvest(War().put("reserve", 1), 2).answer(HARKONNEN, orders("keep", reserve=1))
        assert war.g.get("reserve") == 1
        assert not [arguments for arguments in war.said("transfer") if "reserve" in arguments], (
            "it has not been touched"
        )


class TestStockpiling:
    @covers("WFA-P.5")
    @pytest.mark.parametrize(("supremacy", "allowed"), [(0, True), (5, True), (6, False)])
    def test_three_spice_are_a_supremacy_point_up_to_step_five(self, supremacy: int, allowed: bool) -> None:
        war = harvest(War().put("supremacy", supremacy), 5)
        if not allowed:
            war.refused(HARKONNEN, orders("keep", stockpile=True), "WFA-P.5")
            return
        war.refused(HARKONNEN, orders("raise", stockpile=True), "WFA-P.2")
        war.answer(HARKONNEN, orders("keep", stockpile=True))
        assert war.g.supremacy == supremacy + 1
        assert markers(war)[0] == 5

    @covers("WFA-P.5", "WFA-Q.26")
    def test_the_point_brings_what_its_step_brings(self) -> None:
        before = War().put("bene_gesserit/reserve", (0, 4))
        war = harvest(before.put("supremacy", 3), 3).answer(HARKONNEN, orders(stockpile=True))
        assert war.g.get("bene_gesserit/atreides") == (0, 1)

    @covers("WFA-P.6")
    def test_2022_has_none(self) -> None:
        war = harvest(War(edition="preview_2022"), 8)
        assert {act.stockpile for act in war.legal(HARKONNEN, SpendSpice)} == {False}


class TestWhichBansComeIntoForce:
    @covers("WFA-P.10", "WFA-P.12")
    @pytest.mark.parametrize("options", [{}, {"edition": "v1_1"}])
    def test_those_of_markers_that_fell_and_of_markers_on_the_bottom(self, options: dict[str, Any]) -> None:
        war = harvest(War(**options), 3, choam=1, spacing_guild=3, landsraad=4)
        war.answer(HARKONNEN, orders(landsraad="raise"))
        assert bans(war) == {"choam", "spacing_guild"}

    @covers("WFA-P.9")
    def test_they_end_before_the_next_are_set(self) -> None:
        war = War().bans("choam", "landsraad")
        harvest(war, 6).answer(HARKONNEN, orders("keep", "keep", "keep"))
        assert bans(war) == set()

    @covers("WFA-P.9")
    def test_they_do_not_bar_what_the_phase_itself_does(self) -> None:
        war = harvest(War().bans("choam"), 2)
        assert bans(war) == set(), "the old one has ended, the new ones are not set yet"

    @covers("WFA-P.11")
    def test_without_the_corrections_of_markers_that_fell_the_harkonnen_choose_one(self) -> None:
        war = harvest(War(faq=False), 0, choam=1, spacing_guild=3, landsraad=4)
        assert war.legal(HARKONNEN) == [ChooseBan("spacing_guild"), ChooseBan("landsraad")]
        war.answer(HARKONNEN, ChooseBan("landsraad"))
        assert bans(war) == {"choam", "landsraad"}

    @covers("WFA-P.11", "WFA-P.10")
    def test_one_that_fell_to_the_bottom_is_active_already_and_not_the_one_chosen(self) -> None:
        war = harvest(War(faq=False), 2, choam=2, spacing_guild=3, landsraad=4)
        war.answer(HARKONNEN, orders(landsraad="keep"))
        assert war.done
        assert bans(war) == {"choam", "spacing_guild"}

    @covers("WFA-X.5", "WFA-P.2")
    @pytest.mark.parametrize(
        ("options", "banned"),
        [({}, {"spacing_guild"}), ({"faq": False}, {"spacing_guild"}), ({"edition": "preview_2022"}, set[str]())],
    )
    def test_example_exclusive_p21_four_spice(self, options: dict[str, Any], banned: set[str]) -> None:
        war = harvest(War(**options), 4, choam=4, spacing_guild=4, landsraad=4)
        war.answer(HARKONNEN, orders("keep", "fall", "keep"))
        assert war.done
        assert markers(war) == (4, 3, 4)
        assert bans(war) == banned

    @covers("WFA-X.6", "WFA-P.12")
    def test_example_v1_1_p21_four_spice(self) -> None:
        war = harvest(War(edition="v1_1"), 4, choam=4, spacing_guild=4, landsraad=4)
        war.answer(HARKONNEN, orders("keep", "keep", "fall"))
        assert markers(war) == (4, 4, 3)
        assert bans(war) == {"landsraad"}
