"""Planning cards of partners: own decks, Fremen cards of House Atreides, limits, demands on both hands, battle dice."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    ChooseEnemyDie,
    ChooseTarget,
    DiscardCards,
    DiscardDown,
    DiscardForDice,
    DrawCards,
    LookAt,
    TakeAction,
)
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.cards.play import PlayMore
from landsraad_engine.arrakis.hands import LookAtHand, LoseCards
from landsraad_engine.arrakis.muster import DrawPlanningCards
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.operations.deeds import DEEDS
from landsraad_engine.arrakis.round import EndOfRound, Round, hand_limit
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, war_at_setup

HH, CORRINO, HA, FREMEN = "house_harkonnen", "corrino_ally", "house_atreides", "fremen_ally"


def held(war: War, half: str) -> list[str]:
    return list(war.g.hand(war.seat(half)))


def asked(war: War) -> list[str]:
    return list(war.asked)


class TestDrawing:
    @covers("WFA-G.21")
    def test_each_partner_draws_from_its_own_deck(self) -> None:
        war = war_at_setup(seats=4).run(Round())
        for half in (HH, CORRINO, HA, FREMEN):
            cards = held(war, half)
            assert [war.g.content.planning_card[card].deck for card in cards] == [half]

    @covers("WFA-G.22", "WFA-G.64")
    @pytest.mark.parametrize("options", [{"faq": False}, {"edition": "preview_2022"}])
    def test_partners_draw_from_their_own_decks_only(self, options: dict[str, Any]) -> None:
        war = war_at_setup(seats=4, **options).run(DrawPlanningCards(seat=2))
        assert {act.cards for act in war.legal(HA, DrawCards)} == {(0,), (1,), (2,)}
        war = war_at_setup(seats=4).run(DrawPlanningCards(seat=3))
        assert {act.cards for act in war.legal(FREMEN, DrawCards)} == {(0,), (1,), (2,)}

    @covers("WFA-G.23", "WFA-G.64", "WFA-G.65")
    @pytest.mark.parametrize("options", [{}, {"edition": "v1_1"}])
    def test_house_atreides_hands_fremen_cards_to_its_partner(self, options: dict[str, Any]) -> None:
        war = war_at_setup(seats=4, **options).top("deck/fremen_ally", "thumpers").run(DrawPlanningCards(seat=2))
        war.answer(HA, DrawCards((1, 1)))
        assert held(war, FREMEN) == ["thumpers"]
        assert len(held(war, HA)) == 1
        key = f"hand/fremen_ally/{war.seat(FREMEN)}"
        knowing = war.g.table["*" + key][0] | war.g.eyes[key]
        assert knowing & 0b1111 == 1 << war.seat(HA) | 1 << war.seat(FREMEN), "both know it, and nobody else"

    @covers("WFA-G.64")
    def test_a_text_that_names_the_partners_deck_makes_the_partner_draw(self) -> None:
        war = war_at_setup(seats=4, faq=False).run(DrawPlanningCards(seat=2, cards=1, decks=("fremen_ally",)))
        war.answer(HA, DrawCards((1,)))
        assert len(held(war, FREMEN)) == 1
        assert held(war, HA) == []
        key = f"hand/fremen_ally/{war.seat(FREMEN)}"
        assert "*" + key not in war.g.table, "unseen by House Atreides"

    @covers("WFA-G.66")
    def test_one_more_card_is_of_the_acting_players_hand(self) -> None:
        war = War(seats=4).hand(HA, "war_plan").hand(FREMEN, "thumpers").run(PlayMore(seat=3))
        assert asked(war) == [FREMEN]
        assert war.legal(FREMEN, ChooseTarget) == [ChooseTarget("play_another", "thumpers")]


class TestLimits:
    @covers("WFA-G.24", "WFA-G.25", "WFA-G.47", "WFA-G.48")
    @pytest.mark.parametrize(
        ("options", "usual", "banned"), [({}, 4, 4), ({"edition": "v1_1"}, 4, 4), ({"edition": "preview_2022"}, 3, 2)]
    )
    def test_cards_at_the_end_of_a_round(self, options: dict[str, Any], usual: int, banned: int) -> None:
        war = War(seats=4, **options)
        assert [hand_limit(war.g, seat) for seat in range(4)] == [usual] * 4
        war.bans("landsraad")
        assert [hand_limit(war.g, seat) for seat in range(4)] == [banned, banned, usual, usual]

    @covers("WFA-G.24")
    def test_each_partner_discards_down_by_itself(self) -> None:
        cards = ("thumpers", "hieregs", "stillsuits", "sandtides", "crysknife")
        war = war_at_setup(seats=4).hand(FREMEN, *cards).run(EndOfRound(), until=DiscardDown)
        assert asked(war) == [FREMEN]
        assert all(len(act.cards) == 1 for act in war.legal(FREMEN, DiscardDown))


class TestDemands:
    def demanded(self, *, house: tuple[str, ...], fremen: tuple[str, ...]) -> War:
        war = War(seats=4).hand(HA, *house).hand(FREMEN, *fremen)
        return war.play_card(CORRINO, "manipulation_of_others")

    @covers("WFA-G.27", "WFA-G.67", "WFA-G.91")
    def test_one_partner_discards_both_or_each_one(self) -> None:
        war = self.demanded(house=("war_plan", "the_voice"), fremen=("thumpers",))
        assert asked(war) == [HA, FREMEN]
        both = war.fork().answer(HA, DiscardCards(("war_plan",))).answer(HA, DiscardCards(("the_voice",)))
        assert held(both, FREMEN) == ["thumpers"]
        assert held(both, HA) == []
        war.answer(HA, DiscardCards(("war_plan",))).answer(FREMEN, DiscardCards(("thumpers",)))
        assert held(war, HA) == ["the_voice"]
        assert held(war, FREMEN) == []

    @covers("WFA-G.67")
    def test_as_many_as_they_have(self) -> None:
        war = self.demanded(house=("war_plan",), fremen=())
        assert asked(war) == [HA]
        war.answer(HA, DiscardCards(("war_plan",)))
        assert not held(war, HA)

    @covers("WFA-G.67")
    def test_a_partner_without_a_card_to_discard_leaves_it_to_the_other(self) -> None:
        war = War(seats=4).hand(HH, "hawats_scheming").hand(CORRINO, "shigawire").play_card(HA, "the_voice")
        assert asked(war) == [HH, CORRINO], "that it can discard none is its secret"
        assert war.legal(HH) == [DiscardCards(())]
        war.answer(HH, DiscardCards(()))
        assert asked(war) == [CORRINO]
        war.answer(CORRINO, DiscardCards(("shigawire",)))
        assert held(war, HH) == ["hawats_scheming"]

    @covers("WFA-G.67")
    def test_at_random_both_hands_are_one_pile(self) -> None:
        war = War(seats=4).hand(HA, "war_plan").hand(FREMEN, "thumpers", "hieregs")
        war.rolls("lost_card", 1, 1).run(LoseCards(seats=(2, 3), count=2))
        assert held(war, HA) == ["war_plan"]
        assert held(war, FREMEN) == []

    @covers("WFA-G.67")
    def test_the_acting_player_names_whose_hand_it_looks_at(self) -> None:
        war = War(seats=4).hand(HH, "sandmasters").hand(CORRINO, "shigawire").run(LookAtHand(seat=2))
        assert set(war.legal(HA)) == {LookAt(0), LookAt(1)}
        war.answer(HA, LookAt(1))
        assert "*hand/corrino_ally/1" in war.g.table
        assert "*hand/house_harkonnen/0" not in war.g.table

    @covers("WFA-G.68")
    def test_a_prescience_card_is_paid_from_both_hands(self) -> None:
        row = rows.DiscardCardsRow(2)
        deed = DEEDS[rows.DiscardCardsRow]
        war = War(seats=4).hand(HA, "war_plan")
        assert not deed.possible(row, war.g, 2)
        assert not deed.possible(row, war.g, 3)
        war.hand(FREMEN, "thumpers")
        assert deed.possible(row, war.g, 2)
        assert deed.possible(row, war.g, 3)
        war.run(deed.done(row, war.g, 3))
        assert asked(war) == [HA, FREMEN]


class TestDice:
    @covers("WFA-G.69", "WFA-G.70")
    def test_truthtrance_binds_the_partner_who_has_the_die(self) -> None:
        war = War(seats=4).dice(HH, mentat=1, house=1).dice(CORRINO, mentat=1).play_card(HA, "truthtrance")
        choices = set(war.legal(HA, ChooseEnemyDie))
        assert {(act.dashboard, act.die) for act in choices} == {(HH, "mentat"), (HH, "house"), (CORRINO, "mentat")}
        war.answer(HA, ChooseEnemyDie(HH, "house")).finish()
        war.run(ActionTurn(side=HARKONNEN))
        assert asked(war) == [HH]
        assert {act.die for act in war.legal(HH, TakeAction)} == {"house"}
        war.answer(HH, TakeAction("house", "upgrade")).finish()
        war.run(ActionTurn(side=HARKONNEN))
        assert asked(war) == [HH, CORRINO], "in the next turn of that faction alone"


class TestBattle:
    def battle(self, **options: Any) -> War:
        war = War(seats=4, **options).legion(HARKONNEN, "carthag", regular=2).legion(ATREIDES, "arsunt", regular=2)
        war.hand(HH, "sandmasters", "spotter_control").hand(CORRINO, "shigawire", "troop_carriers")
        return war.run(Battle(seat=1, source="carthag", target="arsunt"))

    @covers("WFA-G.26", "WFA-G.57")
    def test_both_partners_discard_for_combat_dice(self) -> None:
        war = self.battle()
        assert asked(war) == [HH, CORRINO], "in attack, too, both, and the acting player has no precedence"
        assert DiscardForDice(("sandmasters", "spotter_control")) in war.legal(HH)
        war.answer(HH, DiscardForDice(("sandmasters",)))
        assert asked(war) == [HH, CORRINO], "what is committed counts at once, and it may commit more"
        war.answer(HH, DiscardForDice(()))
        assert asked(war) == [CORRINO], "who is done is not asked again"
        war.answer(CORRINO, DiscardForDice(("shigawire",))).answer(CORRINO, DiscardForDice(()))
        assert war.thrown()[:2] == [4, 2], "two units and two cards against two units"

    @covers("WFA-G.57")
    def test_no_more_than_can_be_rolled(self) -> None:
        war = War(seats=4).legion(HARKONNEN, "carthag", regular=5).legion(ATREIDES, "arsunt", regular=2)
        war.hand(HH, "sandmasters", "spotter_control").hand(CORRINO, "shigawire")
        war.run(Battle(seat=0, source="carthag", target="arsunt"))
        assert max(len(act.cards) for act in war.legal(HH, DiscardForDice)) == 1
        war.answer(CORRINO, DiscardForDice(("shigawire",)))
        assert war.thrown()[:1] == [6]

    @covers("WFA-G.57")
    def test_cards_thrown_are_open_and_hands_are_not(self) -> None:
        war = self.battle()
        war.answer(HH, DiscardForDice(("sandmasters",)))
        assert war.g.table["discard/house_harkonnen"] == ("sandmasters",)
        own = 1 << war.seat(HH)
        assert war.g.eyes[f"hand/house_harkonnen/{war.seat(HH)}"] == own
        assert "*hand/house_harkonnen/0" not in war.g.table

    @covers("WFA-G.47")
    def test_a_ban_binds_both_partners(self) -> None:
        war = War(seats=4).legion(HARKONNEN, "carthag", regular=2).legion(ATREIDES, "arsunt", regular=2)
        war.hand(HH, "sandmasters").hand(CORRINO, "shigawire").bans("landsraad")
        war.run(Battle(seat=0, source="carthag", target="arsunt"))
        assert war.thrown()[:2] == [2, 2]
