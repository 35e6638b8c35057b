"""The planning cards of the Corrino Ally, one by one."""

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    Attack,
    BringForces,
    Cease,
    ChooseEnemyDie,
    ChooseTarget,
    Claim,
    Continue,
    DiscardCards,
    Done,
    DrawCards,
    MoveLegion,
    PlaceVehicle,
    PlayCard,
    RetreatTo,
    Scout,
    Spy,
    UpgradeUnits,
)
from landsraad_engine.arrakis.legions import Settle
from landsraad_engine.arrakis.movement import MoveLegions
from landsraad_engine.arrakis.muster import deployable
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import ASIDE, DECK, DISCARD, FIGURE, LAID, TANK, hand
from landsraad_engine.kernel.execution import plays
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack, move
from landsraad_engine.testing.seat_knowledge import faces_known_to

SHADDAM = "emperor_shaddam_iv"


def with_decks(war: War) -> War:
    war.lay(DECK["house_harkonnen"], "sandmasters", "spotter_control")
    return war.lay(DECK["corrino_ally"], "troop_carriers", "shigawire")


def sardaukar(war: War, *areas: str) -> War:
    """A Regular and a Sardaukar in each of the areas."""
    for area in areas:
        war.legion(HARKONNEN, area, regular=1, special=1)
    return war


class TestShaddam:
    @covers("WFA-C.27", "WFA-C.28", "WFA-C.29", "WFA-L.10")
    def test_rage_overcame_shaddam_iv_enters(self) -> None:
        for version in "abc":
            war = War().hand(HARKONNEN, "troop_carriers").play_card(HARKONNEN, f"rage_overcame_shaddam_iv_{version}")
            war.answer(HARKONNEN, ChooseTarget("bring_in", SHADDAM))
            assert war.g.whereabouts(SHADDAM) == ASIDE
            war.answer(HARKONNEN, ChooseTarget("play_another", "troop_carriers"))
            assert war.g.hand(war.harkonnen) == ()

    @covers("WFA-C.27")
    def test_rage_overcame_shaddam_iv_a(self) -> None:
        war = War().village("carthag").put(FIGURE[SHADDAM], ASIDE).play_card(HARKONNEN, "rage_overcame_shaddam_iv_a")
        war.answer(HARKONNEN, BringForces("carthag", (4, 0, 0, 0), (SHADDAM,)))
        assert war.at(HARKONNEN, "carthag")[:2] == ((4, 0, 0, 0), (SHADDAM,))

    @covers("WFA-C.28")
    def test_rage_overcame_shaddam_iv_b(self) -> None:
        war = War().legion(HARKONNEN, "ne_3", regular=1).put(FIGURE[SHADDAM], ASIDE)
        war.play_card(HARKONNEN, "rage_overcame_shaddam_iv_b")
        war.answer(HARKONNEN, BringForces("ne_3", (0, 0, 2, 0), (SHADDAM,)))
        assert war.at(HARKONNEN, "ne_3")[:2] == ((1, 0, 2, 0), (SHADDAM,))

    @covers("WFA-C.29", "WFA-C.5")
    def test_rage_overcame_shaddam_iv_c(self) -> None:
        war = sardaukar(War(), "carthag").legion(HARKONNEN, "hagga_basin", regular=2).put(FIGURE[SHADDAM], ASIDE)
        war.legion(ATREIDES, "nw_16", regular=1).play_card(HARKONNEN, "rage_overcame_shaddam_iv_c")
        assert {act.place for act in war.legal(HARKONNEN, BringForces)} == {"carthag"}
        war.answer(HARKONNEN, BringForces("carthag", (0, 0, 0, 0), (SHADDAM,)))
        war.answer(HARKONNEN, move("carthag", "arsunt", regular=1, special=1, leaders=(SHADDAM,)))
        assert {act.source for act in war.legal(HARKONNEN, Attack)} == {"arsunt"}
        war.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", "special")
        war.answer(HARKONNEN, attack("arsunt", "nw_16", regular=1, special=1, leaders=(SHADDAM,)))
        assert war.hits() == [(0, 2)], "a surprise attack, so Shaddam has a Special"

    @covers("WFA-C.29", "WFA-C.88")
    def test_rage_overcame_shaddam_iv_c_attacks_from_where_he_is_if_nobody_moves(self) -> None:
        war = sardaukar(War(), "carthag", "hagga_basin").legion(ATREIDES, "arsunt", regular=1)
        war.put(FIGURE[SHADDAM], ASIDE).play_card(HARKONNEN, "rage_overcame_shaddam_iv_c")
        war.answer(HARKONNEN, BringForces("carthag", (0, 0, 0, 0), (SHADDAM,))).answer(HARKONNEN, Done())
        assert {act.source for act in war.legal(HARKONNEN, Attack)} == {"carthag"}


class TestHandsAndDice:
    @covers("WFA-C.31", "WFA-C.7")
    def test_manipulation_of_others(self) -> None:
        war = (
            with_decks(War())
            .hand(ATREIDES, "war_plan", "hieregs", "thumpers")
            .play_card(HARKONNEN, "manipulation_of_others")
        )
        war.answer(ATREIDES, DiscardCards(("hieregs", "war_plan")))
        war.answer(HARKONNEN, DrawCards((2, 0)))
        assert war.g.hand(war.atreides) == ("thumpers",)
        assert len(war.g.hand(war.harkonnen)) == 2

    @covers("WFA-C.94", "WFA-C.31")
    def test_no_claim_uses_up_the_cards_that_are_to_be_discarded(self) -> None:
        war = War(edition="preview_2022").lay("prescience_row", "the_narrow_path").dice(HARKONNEN, house=1)
        war.hand(ATREIDES, "war_plan", "hieregs", "thumpers").hand(HARKONNEN, "manipulation_of_others")
        war.run(ActionTurn(side=HARKONNEN))
        assert Claim("the_narrow_path") in plays(war.g, war.atreides).enumerate()
        war.answer(HARKONNEN, PlayCard("house", "manipulation_of_others"))
        assert war.where == "GiveUpCards.choose"
        assert not plays(war.g, war.atreides).choices

    @covers("WFA-C.32", "WFA-D.14")
    def test_breeding_program(self) -> None:
        war = War().put("bene_gesserit/reserve", (0, 1)).hand(HARKONNEN, "troop_carriers")
        war.play_card(HARKONNEN, "breeding_program")
        assert war.g.get("bene_gesserit/harkonnen") == (0, 1)
        assert war.where == "PlayMore.choose"
        assert War().play_card(HARKONNEN, "breeding_program").done, "nothing happens if the reserve is empty"

    @covers("WFA-C.33")
    def test_breeding_program_of_2022_takes_a_card_from_the_discards(self) -> None:
        war = War(edition="preview_2022").lay(DISCARD["corrino_ally"], "bene_gesserit_corrino")
        war.play_card(HARKONNEN, "breeding_program")
        assert war.legal(HARKONNEN, ChooseTarget) == [ChooseTarget("fetch_card", "discards")]
        war.answer(HARKONNEN, ChooseTarget("fetch_card", "discards"))
        assert war.g.hand(war.harkonnen) == ("bene_gesserit_corrino",)

    @covers("WFA-C.33")
    def test_breeding_program_of_2022_searches_the_deck(self) -> None:
        war = War(edition="preview_2022").lay(DECK["corrino_ally"], "bene_gesserit_corrino", "shigawire")
        war.play_card(HARKONNEN, "breeding_program").answer(HARKONNEN, ChooseTarget("fetch_card", "deck"))
        assert war.g.hand(war.harkonnen) == ("bene_gesserit_corrino",)
        assert ("shuffle", (DECK["corrino_ally"],)) in [(event.verb, event.public) for event in war.events]
        assert faces_known_to(war.g, war.atreides, hand("corrino_ally", war.harkonnen)) == ["bene_gesserit_corrino"]
        assert not any("shigawire" in str(event.public) for event in war.events), "what else is there stays hidden"
        war = (
            War(edition="preview_2022").lay(DECK["corrino_ally"], "shigawire").play_card(HARKONNEN, "breeding_program")
        )
        assert war.legal(HARKONNEN) == [Done()], "the Atreides are not told that there is none"

    @covers("WFA-C.37")
    def test_reports_of_traitors(self) -> None:
        war = War().dice(ATREIDES, house=1, mentat=2).play_card(HARKONNEN, "reports_of_traitors")
        assert war.legal(HARKONNEN, ChooseEnemyDie) == [ChooseEnemyDie("sietch_tabr", "house")]
        war.answer(HARKONNEN, ChooseEnemyDie("sietch_tabr", "house"))
        assert war.g.dice("sietch_tabr") == {"mentat": 2}
        assert War().dice(ATREIDES, mentat=2).play_card(HARKONNEN, "reports_of_traitors").done


class TestSeeing:
    @covers("WFA-C.36", "WFA-C.87")
    def test_hope_clouds_observation(self) -> None:
        war = War().lay("prescience_row", "razzia", "sihaya").lay("prescience_deck", "the_narrow_path")
        war.put("attached", (("razzia", "eyes_of_ibad"), ("sihaya", "fear_is_the_mind_killer")))
        war.lay(LAID["fremen_ally"], "eyes_of_ibad").lay(LAID["house_atreides"], "fear_is_the_mind_killer")
        war.play_card(HARKONNEN, "hope_clouds_observation")
        assert war.legal(HARKONNEN, ChooseTarget) == [ChooseTarget("choose_revealed", "sihaya")], (
            "Eyes of Ibad keep the other"
        )
        war.answer(HARKONNEN, ChooseTarget("choose_revealed", "sihaya"))
        assert sorted(war.g.table["prescience_deck"]) == ["sihaya", "the_narrow_path"]
        assert war.g.table["attached"] == (("razzia", "eyes_of_ibad"),)
        assert war.g.table[DISCARD["house_atreides"]] == ("fear_is_the_mind_killer",)

    @covers("WFA-C.40")
    def test_spies_all_over_arrakis(self) -> None:
        war = with_decks(War()).sietch("windgap", 2).sietch("hobars_gap")
        war.legion(ATREIDES, "hobars_gap", tokens=("atreides_standard_1", "atreides_standard_4"))
        war.play_card(HARKONNEN, "spies_all_over_arrakis").answer(HARKONNEN, Spy("windgap", "hobars_gap"))
        assert not war.g.hidden_sietch("windgap")
        assert war.g.hidden_sietch("hobars_gap")
        assert war.figures(ATREIDES, "hobars_gap") == (3, 0, 1, 0)
        war.answer(HARKONNEN, DrawCards((1, 1)))
        assert war.done

    @covers("WFA-C.40", "WFA-A.12")
    def test_spies_find_tokens_where_no_sietch_is_hidden(self) -> None:
        war = with_decks(War()).legion(ATREIDES, "ne_3", tokens=("atreides_standard_1",))
        war.play_card(HARKONNEN, "spies_all_over_arrakis").answer(HARKONNEN, Spy("", "ne_3"))
        assert not war.g.tokens("ne_3")


class TestLegions:
    @covers("WFA-C.34")
    def test_troop_carriers(self) -> None:
        war = War().village("carthag").village("arrakeen").legion(HARKONNEN, "carthag", regular=2)
        war.legion(HARKONNEN, "sw_6", regular=1).play_card(HARKONNEN, "troop_carriers")
        moves = war.legal(HARKONNEN, MoveLegion)
        assert {(act.source, act.target) for act in moves} == {("carthag", "sw_6")}, "straight, and to a legion only"
        war.answer(HARKONNEN, move("carthag", "sw_6", regular=1))
        assert war.figures(HARKONNEN, "sw_6") == (2, 0, 0, 0)

    @covers("WFA-C.35")
    def test_shigawire(self) -> None:
        war = sardaukar(War(), "carthag").legion(ATREIDES, "nw_16", regular=1, named=("stilgar",))
        war.legion(ATREIDES, "splintered_rock", regular=1, named=("chani",)).play_card(HARKONNEN, "shigawire")
        war.answer(HARKONNEN, move("carthag", "arsunt", special=1))
        assert war.legal(HARKONNEN, ChooseTarget) == [ChooseTarget("strike_down", "stilgar")], (
            "next to where the legion is now"
        )
        war.answer(HARKONNEN, ChooseTarget("strike_down", "stilgar"))
        assert war.g.whereabouts("stilgar") == TANK[0]

    @covers("WFA-C.90")
    def test_shigawire_strikes_beside_the_legion_wherever_a_worm_has_driven_it(self) -> None:
        war = sardaukar(War(), "ne_3", "carthag").wormsign("ne_4", "sandworm")
        war.legion(ATREIDES, "arsunt", regular=1, named=("chani",))
        war.legion(ATREIDES, "ne_7", regular=1, named=("stilgar",)).play_card(HARKONNEN, "shigawire")
        war.answer(HARKONNEN, move("ne_3", "ne_4", regular=1, special=1)).answer(ATREIDES, RetreatTo("ne_5"))
        assert war.legal(HARKONNEN, ChooseTarget) == [ChooseTarget("strike_down", "stilgar")]

    @covers("WFA-C.90")
    def test_shigawire_strikes_nobody_once_that_legion_is_lost(self) -> None:
        war = sardaukar(War(edition="preview_2022"), "ne_3", "carthag").wormsign("ne_4", "sandworm")
        war.legion(ATREIDES, "arsunt", regular=1, named=("chani",)).play_card(HARKONNEN, "shigawire")
        war.rolls("combat/worm", *["hit"] * 4).answer(HARKONNEN, move("ne_3", "ne_4", regular=1, special=1))
        assert war.figures(HARKONNEN, "ne_4") == (0, 0, 0, 0)
        assert war.done, "another legion is no substitute"

    @covers("WFA-C.35", "WFA-C.88")
    def test_shigawire_without_a_move(self) -> None:
        war = sardaukar(War(), "arsunt").legion(ATREIDES, "nw_16", regular=1, named=("stilgar",))
        war.play_card(HARKONNEN, "shigawire").answer(HARKONNEN, Done())
        assert war.legal(HARKONNEN, ChooseTarget) == [ChooseTarget("strike_down", "stilgar")]

    @covers("WFA-C.38")
    def test_sardaukar_pogrom(self) -> None:
        war = sardaukar(War(), "carthag", "arrakeen", "hagga_basin").legion(HARKONNEN, "north_pole", regular=2)
        war.play_card(HARKONNEN, "sardaukar_pogrom")
        assert "north_pole" not in {act.source for act in war.legal(HARKONNEN, MoveLegion)}
        war.refused(HARKONNEN, move("carthag", "arsunt", regular=1))
        for source, target in (("carthag", "arsunt"), ("arrakeen", "broken_land"), ("hagga_basin", "cne_2")):
            war.answer(HARKONNEN, move(source, target, special=1))
        assert war.done
        assert war.figures(HARKONNEN, "cne_2") == (0, 0, 1, 0)

    @covers("WFA-C.39")
    def test_sardaukars_manner(self) -> None:
        war = (
            sardaukar(War(), "carthag").legion(ATREIDES, "arsunt", regular=1).play_card(HARKONNEN, "sardaukars_manner")
        )
        assert war.legal(HARKONNEN, ChooseTarget) == [
            ChooseTarget("choose_deed", "move"),
            ChooseTarget("choose_deed", "attack"),
        ]
        war.answer(HARKONNEN, ChooseTarget("choose_deed", "attack")).answer(
            HARKONNEN, attack("carthag", "arsunt", regular=1, special=1)
        )
        assert war.g.stack[-1].surprise

    @covers("WFA-C.41", "WFA-X.20")
    def test_full_control_of_the_air(self) -> None:
        war = War().dice(HARKONNEN, mentat=1).hand(HARKONNEN, "full_control_of_the_air").sietch("gara_kulon")
        war.legion(HARKONNEN, "carthag", regular=1).run(ActionTurn(side=HARKONNEN))
        war.answer(HARKONNEN, PlayCard("mentat", "full_control_of_the_air")).answer(
            HARKONNEN, PlaceVehicle("ornithopter", "z1", "")
        )
        war.play(HARKONNEN, Scout("z1", "gara_kulon", True, True))
        assert not war.g.hidden_sietch("gara_kulon")
        war.answer(HARKONNEN, PlaceVehicle("ornithopter", "z1", ""))
        assert war.where == "MoveLegions.move"
        war.answer(HARKONNEN, move("carthag", "arsunt", regular=1))
        assert war.g.vehicle("z1") == (0, 1, 0)

    @covers("WFA-C.42")
    def test_moving_the_battle_group(self) -> None:
        war = War().legion(ATREIDES, "cne_1", regular=1).play_card(HARKONNEN, "moving_the_battle_group")
        places = {act.place for act in war.legal(HARKONNEN, BringForces)}
        assert places == set(war.g.board.names(war.g.board.of_terrain["mountain"])) - {"cne_1"}
        war.answer(HARKONNEN, BringForces("nw_16", (0, 2, 0, 1), ()))
        assert war.figures(HARKONNEN, "nw_16") == (0, 2, 0, 1)

    @covers("WFA-C.43")
    def test_killers_without_mercy(self) -> None:
        war = sardaukar(War(), "csw_3").sietch("windgap", 3).legion(ATREIDES, "windgap", regular=4)
        war.play_card(HARKONNEN, "killers_without_mercy")
        war.rolls("combat/harkonnen", *["shield"] * 2).rolls("combat/atreides", *["shield"] * 6)
        war.answer(HARKONNEN, attack("csw_3", "windgap", regular=1, special=1)).answer(HARKONNEN, Continue())
        assert war.figures(HARKONNEN, "csw_3") == (1, 0, 1, 0), "not even against a Sietch it costs a hit"

    @covers("WFA-C.44")
    def test_sardaukar_disguised(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1, elite=3).legion(HARKONNEN, "arrakeen", regular=1)
        war.play_card(HARKONNEN, "sardaukar_disguised").answer(HARKONNEN, UpgradeUnits((2,)))
        assert war.figures(HARKONNEN, "carthag") == (1, 1, 2, 0)
        assert {act.source for act in war.legal(HARKONNEN, MoveLegion)} == {"carthag"}

    @covers("WFA-C.45")
    def test_i_decide_what_best_serves_his_majesty(self) -> None:
        war = sardaukar(War(), "carthag", "north_pole").legion(ATREIDES, "arsunt", regular=1)
        war.put(FIGURE["captain_aramsham"], ASIDE).play_card(HARKONNEN, "i_decide_what_best_serves_his_majesty")
        war.answer(HARKONNEN, BringForces("carthag", (0, 0, 0, 0), ("captain_aramsham",)))
        war.answer(HARKONNEN, ChooseTarget("choose_deed", "move"))
        assert {act.source for act in war.legal(HARKONNEN, MoveLegion)} == {"carthag"}


class TestSeekOutTheMahdi:
    def hunted(self) -> War:
        war = War().legion(HARKONNEN, "carthag", regular=1).dice(ATREIDES, strategy=2).dice(HARKONNEN, mentat=1)
        war.legion(ATREIDES, "wind_pass", regular=2, named=("paul_muad_dib",)).legion(ATREIDES, "nw_9", regular=1)
        war.play_card(HARKONNEN, "seek_out_the_mahdi").answer(HARKONNEN, Done())
        assert war.done
        return war

    @covers("WFA-C.46", "WFA-L.25")
    def test_seek_out_the_mahdi_keeps_his_legion_where_it_is(self) -> None:
        war = self.hunted().legion(HARKONNEN, "north_pole", regular=1).run(MoveLegions(seat=1))
        assert {act.source for act in war.legal(ATREIDES, MoveLegion)} == {"nw_9"}
        war = self.hunted().legion(HARKONNEN, "north_pole", regular=1).play_card(ATREIDES, "war_plan")
        assert war.legal(ATREIDES, ChooseTarget) == [ChooseTarget("choose_deed", "move")], "nor does it attack"

    @covers("WFA-C.46")
    def test_seek_out_the_mahdi_keeps_him_off_the_board(self) -> None:
        war = self.hunted().put(FIGURE["paul_muad_dib"], ASIDE)
        assert deployable(war.g, ATREIDES) == ("naib",)
        war.play_card(ATREIDES, "voice_from_the_outer_world")
        assert {act.leaders for act in war.legal(ATREIDES, BringForces)} == {()}, "nor is he placed by a card"

    @covers("WFA-C.46")
    def test_seek_out_the_mahdi_is_over_with_the_next_atreides_turn(self) -> None:
        war = self.hunted()
        for side in (HARKONNEN, ATREIDES):
            assert war.g.table["effects"] == (("seek_out_the_mahdi",),)
            war.run(ActionTurn(side=side))
            while not war.done:
                war.answer(war.asked[0], war.legal(war.asked[0])[0] if war.where == "ActionTurn.choose" else Done())
        assert "effects" not in war.g.table


def test_nothing_is_left_of_a_card_s_place_when_it_is_over() -> None:
    war = (
        sardaukar(War(), "arsunt")
        .play_card(HARKONNEN, "shigawire")
        .answer(HARKONNEN, move("arsunt", "carthag", special=1))
    )
    assert war.done
    assert "here" not in war.g.table
    assert war.run(Settle(side=HARKONNEN, area="carthag")).done


def test_a_battle_that_the_card_began_can_be_ceased() -> None:
    war = (
        sardaukar(War(), "carthag").legion(ATREIDES, "arsunt", regular=2).play_card(HARKONNEN, "killers_without_mercy")
    )
    war.rolls("combat/harkonnen", *["shield"] * 2).rolls("combat/atreides", *["shield"] * 2)
    war.answer(HARKONNEN, attack("carthag", "arsunt", regular=1, special=1)).answer(HARKONNEN, Cease())
    assert war.done
