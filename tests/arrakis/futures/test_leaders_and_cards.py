"""The eleven leaders and the three cards of the Possible Futures, one by one."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    Attack,
    BringForces,
    ChooseTarget,
    DeployToken,
    DiscardCards,
    Done,
    DrawCards,
    DrawToken,
    LayWormsigns,
    MoveLegion,
    PlayCard,
    UpgradeUnits,
    UseSpecial,
)
from landsraad_engine.arrakis.components import Combat
from landsraad_engine.arrakis.content import load
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, LEADER
from landsraad_engine.arrakis.zones import ASIDE, CARD, READY, hand
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack, move

RESULTS = ("leadership", "strategy", "deployment", "mentat", "house")


def ready(futures: str, side: str, leader: str, place: str = ASIDE, **options: Any) -> War:
    war = War(futures=futures, **options).leader(leader, place)
    dice = dict.fromkeys(RESULTS, 1)
    return decks(war.dice(HARKONNEN, **dice).dice(ATREIDES, **dice))


def decks(war: War) -> War:
    war.lay("deck/house_harkonnen", "sandmasters", "arsunt_legion", "spotter_control", "forced_recruitment")
    war.lay("deck/corrino_ally", "shigawire", "troop_carriers", "sardaukar_pogrom")
    war.lay("deck/house_atreides", "death_commandos", "chatt_the_leaper", "war_plan")
    return war.lay("deck/fremen_ally", "sandtides", "stillsuits", "hieregs")


def use(war: War, side: str, leader: str) -> War:
    war.run(ActionTurn(side=side))
    return war.answer(side, UseSpecial(war.g.leader(leader).box, leader))


def held(war: War, deck: str, side: str) -> int:
    return len(war.g.table.get(hand(deck, war.seat(side)), ()))


@pytest.mark.parametrize(
    ("leader", "box", "combat"),
    [
        ("duke_leto", "leadership", (1, 2)),
        ("thufir_hawat_atreides", "mentat", (1, 2)),
        ("duncan_idaho", "leadership", (3, 0)),
        ("dr_yueh", "house", (0, 1)),
        ("liet_kynes", "deployment", (1, 1)),
        ("jamis", "leadership", (2, 0)),
        ("piter_de_vries", "mentat", (1, 1)),
        ("iakin_nefud", "leadership", (1, 1)),
        ("lady_fenring", "mentat", (0, 2)),
        ("count_fenring", "house", (2, 1)),
        ("princess_irulan", "mentat", (0, 2)),
    ],
)
@covers("WFA-N.9", "WFA-N.58", "WFA-N.59", "WFA-N.60", "WFA-N.61", "WFA-N.62", "WFA-N.63", "WFA-N.64", "WFA-N.65")
@covers("WFA-N.66", "WFA-N.67", "WFA-N.68")
def test_boxes_and_combat_abilities(leader: str, box: str, combat: tuple[int, int]) -> None:
    row = load().leader[leader]
    assert (row.box, row.combat) == (box, Combat(*combat))


class TestAtreides:
    @covers("WFA-N.58")
    def test_duke_leto_moves_his_legion_and_another_and_draws(self) -> None:
        war = ready("1", ATREIDES, "duke_leto").legion(ATREIDES, "ne_5", regular=1, named=("duke_leto",))
        war.legion(ATREIDES, "se_1", regular=1)
        use(war, ATREIDES, "duke_leto")
        assert {act.source for act in war.legal(ATREIDES, MoveLegion)} == {"ne_5"}
        war.answer(ATREIDES, move("ne_5", "ne_4", regular=1, leaders=("duke_leto",)))
        war.answer(ATREIDES, war.legal(ATREIDES, MoveLegion)[0])
        war.answer(ATREIDES, DrawCards((1, 0)))
        assert held(war, "house_atreides", ATREIDES) == 1

    @covers("WFA-N.59")
    def test_thufir_hawat_draws_three_house_atreides_cards(self) -> None:
        war = use(ready("2", ATREIDES, "thufir_hawat_atreides"), ATREIDES, "thufir_hawat_atreides")
        war.answer(ATREIDES, DrawCards((3,)))
        assert held(war, "house_atreides", ATREIDES) == 3

    @covers("WFA-N.60")
    def test_duncan_idaho_moves_and_attacks(self) -> None:
        war = ready("5", ATREIDES, "duncan_idaho").legion(ATREIDES, "arsunt", regular=2, named=("duncan_idaho",))
        war.legion(HARKONNEN, "carthag", regular=1)
        use(war, ATREIDES, "duncan_idaho").answer(ATREIDES, Done())
        assert {act.target for act in war.legal(ATREIDES, Attack)} == {"carthag"}

    @covers("WFA-N.62")
    def test_liet_kynes_lays_wormsigns_and_deploys_a_token(self) -> None:
        war = ready("3", ATREIDES, "liet_kynes").sietch("gara_kulon").legion(ATREIDES, "gara_kulon", regular=1)
        use(war, ATREIDES, "liet_kynes").answer(ATREIDES, LayWormsigns(("se_1", "se_2")))
        war.answer(ATREIDES, DrawToken()).answer(ATREIDES, DeployToken("gara_kulon", ""))
        assert len(war.g.tokens("gara_kulon")) == 1
        assert war.g.survey().wormsigns == war.g.board.set_of(("se_1", "se_2"))

    @covers("WFA-N.63")
    def test_jamis_attacks_by_surprise(self) -> None:
        war = ready("3", ATREIDES, "jamis").legion(ATREIDES, "arsunt", regular=1, named=("jamis",))
        war.legion(HARKONNEN, "carthag", regular=2)
        war.rolls("combat/atreides", "shield").rolls("combat/harkonnen", "shield", "special")
        use(war, ATREIDES, "jamis").answer(ATREIDES, attack("arsunt", "carthag", regular=1, leaders=("jamis",)))
        assert war.hits() == [(0, 1)], "the added Special is two hits of his, one of them stopped"


class TestHarkonnen:
    @covers("WFA-N.64")
    def test_piter_de_vries_draws_two_and_costs_the_opponent_one(self) -> None:
        war = ready("1", HARKONNEN, "piter_de_vries").hand(ATREIDES, "hieregs", "war_plan")
        use(war, HARKONNEN, "piter_de_vries").answer(HARKONNEN, DrawCards((2,)))
        assert held(war, "house_harkonnen", HARKONNEN) == 2
        war.answer(ATREIDES, DiscardCards(("war_plan",)))
        assert war.g.hand(war.atreides) == ("hieregs",)

    @covers("WFA-N.65")
    def test_iakin_nefud_moves_and_an_elite_joins_him(self) -> None:
        war = ready("2", HARKONNEN, "iakin_nefud").legion(HARKONNEN, "carthag", regular=1, named=("iakin_nefud",))
        use(war, HARKONNEN, "iakin_nefud").answer(
            HARKONNEN, move("carthag", "arsunt", regular=1, leaders=("iakin_nefud",))
        )
        war.answer(HARKONNEN, BringForces("arsunt", (0, 1, 0, 0), ()))
        assert war.figures(HARKONNEN, "arsunt") == (1, 1, 0, 0)

    @covers("WFA-N.66")
    def test_lady_fenring_looks_at_a_hand_and_draws_two(self) -> None:
        war = ready("4", HARKONNEN, "lady_fenring").hand(ATREIDES, "hieregs")
        use(war, HARKONNEN, "lady_fenring").answer(HARKONNEN, DrawCards((1, 1)))
        assert war.told("look")
        assert len(war.g.hand(war.harkonnen)) == 2

    @covers("WFA-N.67")
    def test_count_fenring_makes_elites_and_sends_a_naib_off(self) -> None:
        war = ready("4", HARKONNEN, "count_fenring").legion(HARKONNEN, "carthag", regular=2)
        sector = war.g.board.names(war.g.board.same_sectors(war.g.board.bit["carthag"]))
        near = next(area for area in sector if area != "carthag")
        war.legion(ATREIDES, near, regular=1, leader=1).legion(ATREIDES, "se_1", regular=1, leader=1)
        use(war, HARKONNEN, "count_fenring").answer(HARKONNEN, UpgradeUnits((2,)))
        assert {act.target for act in war.legal(HARKONNEN, ChooseTarget)} == {near}
        war.answer(HARKONNEN, ChooseTarget("remove_leader", near))
        assert war.figures(ATREIDES, near)[LEADER] == 0

    @covers("WFA-N.68")
    def test_princess_irulan_draws_two_corrino_cards_and_plays_one(self) -> None:
        war = ready("7", HARKONNEN, "princess_irulan")
        use(war, HARKONNEN, "princess_irulan").answer(HARKONNEN, DrawCards((2,)))
        assert held(war, "corrino_ally", HARKONNEN) == 2
        assert {act.effect for act in war.legal(HARKONNEN, ChooseTarget)} == {"play_another"}


class TestCards:
    @covers("WFA-N.69")
    def test_twisted_mentat_shuffles_a_prescience_card_back_and_draws(self) -> None:
        war = decks(War(futures="1")).lay("prescience_row", "leading_the_fremen").lay("prescience_deck")
        war.hand(ATREIDES, "hieregs").play_card(HARKONNEN, "twisted_mentat")
        assert {act.target for act in war.legal(HARKONNEN, ChooseTarget)} == {"shuffle", "rob"}
        war.answer(HARKONNEN, ChooseTarget("choose_deed", "shuffle"))
        war.answer(HARKONNEN, ChooseTarget("choose_revealed", "leading_the_fremen"))
        assert war.g.table["prescience_deck"] == ("leading_the_fremen",)
        war.answer(HARKONNEN, DrawCards((1, 0)))
        assert war.g.hand(war.atreides) == ("hieregs",)
        assert war.done

    @covers("WFA-N.69")
    def test_twisted_mentat_or_takes_a_card_at_random(self) -> None:
        war = decks(War(futures="1")).hand(ATREIDES, "hieregs").play_card(HARKONNEN, "twisted_mentat")
        assert {act.target for act in war.legal(HARKONNEN, ChooseTarget)} == {"rob"}, "there is nothing to shuffle back"
        war.answer(HARKONNEN, ChooseTarget("choose_deed", "rob"))
        assert war.g.hand(war.atreides) == ()

    @covers("WFA-N.70", "WFA-N.20")
    def test_guard_captain_brings_iakin_nefud_with_an_elite(self) -> None:
        war = War(futures="2").village("carthag").village("arsunt").play_card(HARKONNEN, "guard_captain")
        war.answer(HARKONNEN, ChooseTarget("bring_in", "iakin_nefud"))
        assert war.g.whereabouts("iakin_nefud") == ASIDE
        assert war.g.table[CARD["iakin_nefud"]] == READY
        assert {act.place for act in war.legal(HARKONNEN, BringForces)} == {"carthag", "arsunt"}
        war.answer(HARKONNEN, BringForces("arsunt", (0, 1, 0, 0), ("iakin_nefud",)))
        assert war.at(HARKONNEN, "arsunt").named == ("iakin_nefud",)

    @covers("WFA-N.70")
    def test_guard_captain_strengthens_his_legion(self) -> None:
        war = War(futures="2").leader("iakin_nefud").legion(HARKONNEN, "carthag", regular=1, named=("iakin_nefud",))
        war.play_card(HARKONNEN, "guard_captain").answer(HARKONNEN, BringForces("carthag", (0, 2, 0, 0), ()))
        assert war.figures(HARKONNEN, "carthag") == (1, 2, 0, 0)
        aside = War(futures="2").leader("iakin_nefud").play_card(HARKONNEN, "guard_captain")
        assert aside.done, "his legion is not on the board"

    @covers("WFA-N.71", "WFA-N.31")
    def test_trained_in_the_bene_gesserit_ways_brings_lady_fenring_and_plays_a_card(self) -> None:
        war = War(futures="4").hand(HARKONNEN, "sandmasters")
        war.play_card(HARKONNEN, "trained_in_the_bene_gesserit_ways")
        war.answer(HARKONNEN, ChooseTarget("bring_in", "lady_fenring"))
        assert war.g.whereabouts("lady_fenring") == ASIDE
        assert ChooseTarget("play_another", "sandmasters") in war.legal(HARKONNEN)

    @covers("WFA-N.71")
    def test_with_her_in_play_the_opponent_discards_and_two_are_drawn(self) -> None:
        war = decks(War(futures="4")).leader("lady_fenring").hand(ATREIDES, "hieregs", "war_plan")
        war.play_card(HARKONNEN, "trained_in_the_bene_gesserit_ways").answer(ATREIDES, DiscardCards(("hieregs",)))
        war.answer(HARKONNEN, DrawCards((2, 0)))
        assert war.g.hand(war.atreides) == ("war_plan",)
        assert held(war, "house_harkonnen", HARKONNEN) == 2

    @covers("WFA-N.2", "WFA-N.14")
    def test_they_are_played_for_a_die_like_others(self) -> None:
        war = War(futures="1").hand(HARKONNEN, "twisted_mentat").dice(HARKONNEN, mentat=1)
        war.run(ActionTurn(side=HARKONNEN))
        assert PlayCard("mentat", "twisted_mentat") in war.legal(HARKONNEN)
