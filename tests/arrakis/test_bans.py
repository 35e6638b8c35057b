"""The three Imperium Bans: what each of them does, and how long."""

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import DiscardDown, RemoveExcess, Scout, SpendSpice
from landsraad_engine.arrakis.bans import ImposeBans
from landsraad_engine.arrakis.harvesting import SpiceHarvesting
from landsraad_engine.arrakis.round import EndOfRound, Round
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import BAN, IMPERIUM
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War

CARDS = ("hunter_seeker", "sandmasters", "spotter_control", "workhorse_of_arrakis", "polar_cap_factories")


def under(power: str, war: War | None = None) -> War:
    """A war under a power's ban."""
    return (war or War()).put(BAN[power], True)


class TestChoam:
    @covers("WFA-P.14", "WFA-S.28")
    def test_the_harkonnen_may_have_five_units_in_an_area_and_excess_goes_at_once(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=5, elite=1).legion(HARKONNEN, "arsunt", regular=5)
        war.legion(HARKONNEN, "se_3", special=6, leader=1).legion(ATREIDES, "se_6", regular=6)
        war.run(ImposeBans(powers=("choam",)))
        assert war.where == "Settle.stacking"
        war.answer(HARKONNEN, RemoveExcess((1, 0, 0), ())).answer(HARKONNEN, RemoveExcess((0, 0, 1), ()))
        assert war.done
        assert war.figures(HARKONNEN, "carthag") == (4, 1, 0, 0)
        assert war.figures(HARKONNEN, "se_3") == (0, 0, 5, 1)
        assert war.figures(ATREIDES, "se_6") == (6, 0, 0, 0), "it is a ban on the Harkonnen"

    @covers("WFA-P.14")
    def test_the_limit_holds_for_as_long_as_the_ban(self) -> None:
        war = under("choam")
        assert (war.g.stacking(HARKONNEN), war.g.stacking(ATREIDES)) == (5, 6)
        war.put(BAN["choam"], None)
        assert war.g.stacking(HARKONNEN) == 6

    @covers("WFA-P.14", "WFA-P.9")
    def test_a_harvest_that_brings_the_ban_removes_the_excess(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=6).run(SpiceHarvesting())
        assert war.where == "Settle.stacking"
        war.answer(HARKONNEN, RemoveExcess((1, 0, 0), ()))
        assert war.done


class TestSpacingGuild:
    @covers("WFA-P.15")
    @pytest.mark.parametrize(("power", "scouts"), [("spacing_guild", False), ("choam", True)])
    @pytest.mark.parametrize("edition", ["exclusive", "preview_2022"])
    def test_no_scouting(self, power: str, scouts: bool, edition: str) -> None:
        war = under(power, War(edition=edition)).ornithopter("z5").sietch("tasmin_sink").dice(HARKONNEN, mentat=1)
        war.run(ActionTurn(side=HARKONNEN))
        kinds = {choice.act for choice in war.g.setting.game.plays(war.g, war.harkonnen)}
        assert (Scout in kinds) is scouts


class TestLandsraad:
    @covers("WFA-P.16")
    @pytest.mark.parametrize(
        ("power", "where"), [("landsraad", "Battle.go_on"), ("choam", "BattleRound.attacker_discards")]
    )
    def test_no_cards_are_discarded_for_dice(self, power: str, where: str) -> None:
        war = under(power).hand(HARKONNEN, *CARDS)
        war.legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", regular=1)
        war.rolls("combat/harkonnen", "shield").rolls("combat/atreides", "shield").clash()
        assert war.where == where

    @covers("WFA-P.16")
    def test_the_atreides_still_may(self) -> None:
        war = under("landsraad").hand(ATREIDES, "shai_hulud")
        war.legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", regular=1).clash()
        assert war.where == "BattleRound.defender_discards"

    @covers("WFA-P.17")
    def test_in_2022_it_lowers_the_hand_limit_instead(self) -> None:
        war = under("landsraad", War(edition="preview_2022")).hand(HARKONNEN, *CARDS)
        war.run(EndOfRound())
        assert war.asked == (HARKONNEN,)
        war.refused(HARKONNEN, DiscardDown(()))
        war.answer(HARKONNEN, DiscardDown(("hunter_seeker",)))
        assert len(war.g.hand(war.harkonnen)) == 4

    @covers("WFA-P.17", "WFA-P.16")
    def test_in_2022_cards_are_discarded_for_dice_all_the_same(self) -> None:
        war = under("landsraad", War(edition="preview_2022")).hand(HARKONNEN, *CARDS)
        war.legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", regular=1).clash()
        assert war.where == "BattleRound.attacker_discards"


class TestHowLong:
    """In 2022 a ban is in force while its marker is on the bottom step."""

    def war(self, **at: int) -> War:
        war = War(edition="preview_2022")
        for power, step in at.items():
            war.put(IMPERIUM[power], step)
        return war

    @covers("WFA-P.13")
    def test_it_begins_with_the_round(self) -> None:
        war = self.war(choam=1, landsraad=2).legion(HARKONNEN, "carthag", regular=6).run(Round())
        assert war.where == "Settle.stacking"
        assert (war.g.banned("choam"), war.g.banned("landsraad")) == (True, False)

    @covers("WFA-P.13")
    def test_a_marker_that_falls_to_the_bottom_bans_nothing_yet(self) -> None:
        war = self.war(choam=2).run(SpiceHarvesting())
        assert war.g.table[IMPERIUM["choam"]] == 1
        assert not war.g.banned("choam")

    @covers("WFA-P.13")
    def test_it_ends_as_soon_as_the_marker_rises_and_not_before(self) -> None:
        war = self.war(choam=1, spacing_guild=1).bans("choam", "spacing_guild")
        war.harvester("se_8").harvester("cnw_3").run(SpiceHarvesting())
        assert war.g.banned("choam")
        war.answer(HARKONNEN, SpendSpice("raise", "fall", "fall", stockpile=False, reserve=0))
        assert (war.g.banned("choam"), war.g.banned("spacing_guild")) == (False, True)
