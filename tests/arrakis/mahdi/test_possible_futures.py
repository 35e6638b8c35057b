"""The Possible Futures against the automaton: leaders, cards, extra forces, Dr. Yueh."""

import pytest

from landsraad_engine.arrakis.acts import DiscardCards
from landsraad_engine.arrakis.announcements import CardTakesEffect
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.mahdi.combat_power import power_at
from landsraad_engine.arrakis.mahdi.futures import more_reinforcements
from landsraad_engine.arrakis.mahdi.special_actions import SpecialByAutomaton, leaders_for
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import ASIDE, FIGURE, LOYALTY, TANK
from landsraad_engine.play.match import Match
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo

HOUSE, ALLY = "house_harkonnen", "corrino_ally"
POLAR, GROUP = "polar_cap_factories", "moving_the_battle_group"
YUEH, NEFUD = "dr_yueh", "iakin_nefud"


def board(futures: str) -> Solo:
    return Solo(futures=futures).target("gara_kulon")


def played(solo: Solo) -> list[str]:
    return [fact.card for fact in solo.announced(CardTakesEffect)]


class TestLeaders:
    @covers("WFA-Y.172")
    def test_piter_de_vries(self) -> None:
        solo = (
            board("1")
            .leader("piter_de_vries")
            .deck(HOUSE, POLAR, "forced_recruitment", "sandmasters")
            .deck(ALLY, GROUP)
        )
        solo.hand(ATREIDES, "war_plan", "hieregs").run(SpecialByAutomaton(leader="piter_de_vries"))
        assert played(solo) == [POLAR, "forced_recruitment"]
        solo.answer(ATREIDES, DiscardCards(("hieregs",)))
        assert solo.g.hand(solo.atreides) == ("war_plan",)

    @covers("WFA-Y.172")
    @pytest.mark.parametrize(
        ("futures", "leader", "cards"),
        [("4", "lady_fenring", [POLAR, GROUP]), ("7", "princess_irulan", [GROUP, "breeding_program", POLAR])],
    )
    def test_lady_fenring_and_princess_irulan(self, futures: str, leader: str, cards: list[str]) -> None:
        solo = (
            board(futures)
            .leader(leader)
            .deck(HOUSE, POLAR)
            .deck(ALLY, GROUP, "hope_clouds_observation", "breeding_program")
        )
        solo.run(SpecialByAutomaton(leader=leader))
        assert played(solo) == cards, "one of the Corrino Ally's has no effect, one draws and plays another"

    @covers("WFA-Y.172")
    def test_iakin_nefud(self) -> None:
        solo = board("2").legion(HARKONNEN, "imperial_basin", regular=1).leader(NEFUD, "imperial_basin")
        assert leaders_for(solo.g, "leadership") == (NEFUD,)
        solo.run(SpecialByAutomaton(leader=NEFUD))
        assert solo.at(HARKONNEN, "cne_5")[:2] == ((1, 1, 0, 0), (NEFUD,))

    @covers("WFA-Y.172")
    def test_count_fenring(self) -> None:
        solo = board("4").leader("count_fenring").legion(HARKONNEN, "ne_1", regular=3)
        solo.legion(ATREIDES, "ne_15", regular=1, leader=1).legion(ATREIDES, "ne_3", regular=1, leader=1)
        solo.legion(ATREIDES, "cne_9", regular=1, leader=1).run(SpecialByAutomaton(leader="count_fenring"))
        assert solo.figures(HARKONNEN, "ne_1") == (1, 2, 0, 0)
        naibs = [solo.figures(ATREIDES, area)[3] for area in ("ne_15", "ne_3", "cne_9")]
        assert naibs == [0, 1, 1], "the closest in a Sector with a Harkonnen legion"

    @covers("WFA-Y.172")
    def test_dr_yueh_moves_the_last_of_the_tank(self) -> None:
        solo = (
            board("6")
            .leader(YUEH)
            .put(LOYALTY[YUEH], HOUSE)
            .leader("beast_rabban", TANK[0])
            .leader("baron_harkonnen", TANK[2])
        )
        assert leaders_for(solo.g, "house") == (YUEH,)
        solo.run(SpecialByAutomaton(leader=YUEH))
        assert solo.g.table[FIGURE["beast_rabban"]] == TANK[2]
        assert leaders_for(board("6").leader(YUEH).leader("beast_rabban", TANK[0]).g, "house") == (), (
            "the Atreides' own"
        )


class TestCards:
    @covers("WFA-Y.173")
    def test_twisted_mentat(self) -> None:
        solo = board("1").deck(HOUSE, POLAR).hand(ATREIDES, "hieregs")
        first, second, third = list(solo.g.content.prescience_card)[:3]
        solo.lay("prescience_row", first, second).lay("prescience_deck", third).play_drawn("twisted_mentat")
        solo.choose("choose_revealed", first)
        assert solo.g.get("prescience_row") == (second,)
        assert solo.g.hand(solo.atreides) == ("hieregs",)
        assert solo.reserve == [POLAR]
        without = board("1").hand(ATREIDES, "hieregs").play_drawn("twisted_mentat")
        assert without.g.hand(without.atreides) == ()

    @covers("WFA-Y.173")
    def test_guard_captain(self) -> None:
        solo = board("2").village("arrakeen").village("imperial_basin").play_drawn("guard_captain")
        assert solo.at(HARKONNEN, "imperial_basin")[:2] == ((0, 1, 0, 0), (NEFUD,))
        solo.play_drawn("guard_captain")
        assert solo.at(HARKONNEN, "imperial_basin")[:2] == ((0, 3, 0, 0), (NEFUD,))
        assert board("2").leader(NEFUD).play_drawn("guard_captain").reserve == ["guard_captain"]

    @covers("WFA-Y.173")
    def test_trained_in_the_bene_gesserit_ways(self) -> None:
        card = "trained_in_the_bene_gesserit_ways"
        solo = board("4").deck(HOUSE, POLAR).play_drawn(card)
        assert solo.g.whereabouts("lady_fenring") == ASIDE
        assert played(solo) == [card, POLAR]
        again = board("4").leader("lady_fenring").hand(ATREIDES, "hieregs").deck(HOUSE, POLAR).deck(ALLY, GROUP)
        again.play_drawn(card).answer(ATREIDES, DiscardCards(("hieregs",)))
        assert again.reserve == [POLAR, GROUP]


class TestStart:
    @covers("WFA-Y.174")
    def test_extra_cards_of_the_first_round(self) -> None:
        solo = board("1").deck(HOUSE, POLAR).put("round", 1)
        more_reinforcements(solo.g)
        assert solo.reserve == [POLAR]
        more_reinforcements(solo.put("round", 2).deck(HOUSE, POLAR).g)
        assert solo.reserve == [POLAR], "in the first round alone"

    @covers("WFA-Y.174")
    @pytest.mark.parametrize("futures", ["3", "5", "6", "1567"])
    def test_a_match_begins(self, futures: str) -> None:
        """Extra units and cards of the setup find their place, and the first turn comes."""
        match = Match(ARRAKIS, 1, {"futures": futures})
        while not any(type(frame).__name__ == "ActionTurn" for frame in match.g.stack):
            ask = match.g.ask
            assert ask is not None
            assert not ask.why.startswith("WFA-N.8"), "nobody leads the Harkonnens"
            match.answer(ask.seats[0], next(iter(ask.options[ask.seats[0]].enumerate())))
        cards = len(match.g.get("reinforcements"))
        assert cards == 2 + ("3" in futures) + ("1" in futures)


class TestDrYueh:
    @covers("WFA-Y.175")
    def test_hits_leave_him_out(self) -> None:
        solo = (
            board("6")
            .put(LOYALTY[YUEH], HOUSE)
            .legion(HARKONNEN, "carthag", regular=2, leader=1)
            .leader(YUEH, "carthag")
        )
        assert power_at(solo.g, HARKONNEN, "carthag") == (4, 7)
        solo.run(Casualties(side=HARKONNEN, area="carthag", hits=1, seats=()))
        # The Bashar is the one Leader that is left, so a Regular goes.
        assert solo.at(HARKONNEN, "carthag")[:2] == ((1, 0, 0, 1), (YUEH,))
