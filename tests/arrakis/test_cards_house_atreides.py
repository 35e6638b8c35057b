"""The planning cards of House Atreides, one by one."""

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    Attack,
    BringForces,
    Cease,
    ChooseEnemyDie,
    ChooseMarker,
    ChooseTarget,
    ChooseTargets,
    Continue,
    Detonate,
    DiscardCards,
    DiscardForDice,
    Done,
    DrawCards,
    LayWormsigns,
    MoveLegion,
    PlayCard,
    RemovePrescience,
    RevealTokens,
    ShiftMarkers,
    Stand,
    TakeAction,
    UpgradeUnits,
)
from landsraad_engine.arrakis.objectives import CheckObjective
from landsraad_engine.arrakis.prescience import ClaimCard, UnclaimedCards
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import ASIDE, BAN, DECK, DISCARD, FIGURE, IMPERIUM, LAID, MARKER, TANK
from landsraad_engine.kernel.execution import plays
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack, move

FEAR = "fear_is_the_mind_killer"
TOKEN = ("atreides_starting_1",)


def with_decks(war: War) -> War:
    war.lay(DECK["house_atreides"], "war_plan", "usul_the_base_of_the_pillar")
    return war.lay(DECK["fremen_ally"], "hieregs", "thumpers")


class TestLegions:
    @covers("WFA-C.47", "WFA-C.5")
    def test_war_plan(self) -> None:
        war = War().legion(ATREIDES, "nw_16", regular=2).legion(HARKONNEN, "arsunt", regular=3)
        war.play_card(ATREIDES, "war_plan").answer(ATREIDES, ChooseTarget("choose_deed", "attack"))
        war.rolls("combat/atreides", *["shield"] * 6).rolls("combat/harkonnen", *["shield"] * 6)
        war.answer(ATREIDES, attack("nw_16", "arsunt", regular=2)).answer(ATREIDES, Continue()).answer(
            HARKONNEN, Stand()
        )
        assert war.thrown() == [3, 3, 3, 3], "one more for the two attackers, in every round"

    @covers("WFA-C.47")
    def test_war_plan_may_move_a_legion_instead(self) -> None:
        war = War().legion(ATREIDES, "nw_16", regular=2).play_card(ATREIDES, "war_plan")
        war.answer(ATREIDES, ChooseTarget("choose_deed", "move")).answer(ATREIDES, move("nw_16", "arsunt", regular=2))
        assert war.done, "one legion"

    @covers("WFA-C.63")
    def test_battle_language(self) -> None:
        war = War().legion(ATREIDES, "nw_16", regular=2, leader=1).legion(ATREIDES, "shield_wall_west", regular=1)
        war.legion(HARKONNEN, "arsunt", regular=6).hand(HARKONNEN, "sandmasters").play_card(ATREIDES, "battle_language")
        war.answer(ATREIDES, ChooseTarget("choose_deed", "attack"))
        assert {act.source for act in war.legal(ATREIDES, Attack)} == {"nw_16"}, "with a leader"
        war.rolls("combat/atreides", *["shield"] * 4).rolls("combat/harkonnen", *["shield"] * 10)
        war.answer(ATREIDES, attack("nw_16", "arsunt", regular=2, leader=1))
        assert war.thrown() == [2, 4], "no card can raise the limit"
        war.answer(ATREIDES, Continue()).answer(HARKONNEN, Stand())
        assert war.thrown() == [2, 4, 2, 6], "in the first round alone"

    @covers("WFA-C.54")
    def test_death_commandos(self) -> None:
        war = War().legion(ATREIDES, "ne_3", elite=2).legion(ATREIDES, "nw_9", regular=1)
        war.play_card(ATREIDES, "death_commandos").answer(ATREIDES, UpgradeUnits((2,)))
        assert war.figures(ATREIDES, "ne_3") == (0, 0, 2, 0)
        assert {act.source for act in war.legal(ATREIDES, MoveLegion)} == {"ne_3"}

    @covers("WFA-C.56")
    def test_chatt_the_leaper(self) -> None:
        war = War().sietch("windgap").put(FIGURE["stilgar"], ASIDE).play_card(ATREIDES, "chatt_the_leaper")
        war.refused(ATREIDES, BringForces("windgap", (0, 0, 2, 0), ("stilgar",)))
        war.answer(ATREIDES, BringForces("windgap", (0, 0, 2, 1), ()))
        assert war.figures(ATREIDES, "windgap") == (0, 0, 2, 1)

    @covers("WFA-C.61", "WFA-L.25", "WFA-C.84")
    def test_voice_from_the_outer_world(self) -> None:
        war = (
            War().legion(ATREIDES, "nw_16", regular=2).legion(ATREIDES, "windgap", regular=1, named=("paul_muad_dib",))
        )
        war.legion(HARKONNEN, "arsunt", regular=1).play_card(ATREIDES, "voice_from_the_outer_world")
        war.answer(ATREIDES, BringForces("nw_16", (0, 0, 1, 0), ("paul_muad_dib",)))
        assert war.at(ATREIDES, "nw_16")[:2] == ((2, 0, 1, 0), ("paul_muad_dib",)), "either Paul, from where he is"
        war.answer(ATREIDES, ChooseTarget("choose_deed", "attack"))
        war.answer(ATREIDES, attack("nw_16", "arsunt", regular=2, special=1, leaders=("paul_muad_dib",)))
        assert not war.figures(HARKONNEN, "arsunt")[0]


class TestAliaAndGurney:
    @covers("WFA-C.48", "WFA-C.86")
    def test_alia_the_abomination_enters(self) -> None:
        war = War().put(FIGURE["reverend_mother_jessica"], ASIDE).hand(ATREIDES, "hieregs")
        war.play_card(ATREIDES, "alia_the_abomination").answer(ATREIDES, ChooseTarget("bring_in", "alia"))
        assert war.g.whereabouts("alia") == ASIDE
        assert ChooseTarget("play_another", "hieregs") in war.legal(ATREIDES)

    @covers("WFA-C.48")
    def test_alia_the_abomination_needs_the_reverend_mother(self) -> None:
        war = War().put(FIGURE["lady_jessica"], ASIDE).hand(ATREIDES, "hieregs")
        assert war.play_card(ATREIDES, "alia_the_abomination").done

    @covers("WFA-C.48")
    def test_alia_the_abomination_in_play(self) -> None:
        war = with_decks(War()).put(FIGURE["alia"], TANK[0])
        war.legion(HARKONNEN, "carthag", regular=1, named=("beast_rabban",)).play_card(ATREIDES, "alia_the_abomination")
        war.answer(ATREIDES, ChooseTarget("strike_down", "beast_rabban")).answer(ATREIDES, DrawCards((0, 2)))
        assert war.g.whereabouts("beast_rabban") == TANK[0]
        assert war.g.hand(war.atreides) == ("hieregs", "thumpers")

    @covers("WFA-C.49", "WFA-C.50", "WFA-C.51", "WFA-L.16")
    def test_smugglers_bring_gurney(self) -> None:
        for version in "abc":
            war = (
                War()
                .play_card(ATREIDES, f"smugglers_{version}")
                .answer(ATREIDES, BringForces("ne_3", (0, 2, 0, 0), ()))
            )
            assert war.at(ATREIDES, "ne_3")[:2] == ((0, 2, 0, 0), ("gurney_halleck",))
            assert war.done

    @covers("WFA-C.49")
    def test_smugglers_a(self) -> None:
        war = War().legion(ATREIDES, "nw_9", regular=1, named=("gurney_halleck",)).legion(ATREIDES, "ne_3", regular=1)
        war.play_card(ATREIDES, "smugglers_a")
        assert max(len(act.areas) for act in war.legal(ATREIDES, LayWormsigns)) == 2
        war.answer(ATREIDES, LayWormsigns(("nw_10", "nw_8")))
        assert {act.source for act in war.legal(ATREIDES, MoveLegion)} == {"nw_9"}
        war.answer(ATREIDES, move("nw_9", "rock_outcroppings", regular=1))
        assert war.done

    @covers("WFA-C.50")
    def test_smugglers_b(self) -> None:
        war = War().legion(ATREIDES, "nw_9", regular=1, named=("gurney_halleck",))
        war.play_card(ATREIDES, "smugglers_b").answer(ATREIDES, BringForces("nw_9", (0, 2, 0, 0), ()))
        assert war.figures(ATREIDES, "nw_9") == (1, 2, 0, 0)
        assert War().put(FIGURE["gurney_halleck"], TANK[0]).play_card(ATREIDES, "smugglers_b").done

    @covers("WFA-C.51", "WFA-C.85")
    def test_smugglers_c(self) -> None:
        war = War().legion(ATREIDES, "nw_9", regular=1, named=("gurney_halleck",)).harvester("nw_1").harvester("ne_3")
        war.ornithopter("z3").ornithopter("z1").play_card(ATREIDES, "smugglers_c")
        places = {place for act in war.legal(ATREIDES, ChooseTargets) for place in act.targets}
        assert places == {"nw_1", "z3"}
        war.answer(ATREIDES, ChooseTargets("remove_vehicles", ("nw_1", "z3")))
        assert war.g.zones_with(1) == ("z1",)
        assert war.g.table["tally/harvester_removed"] == (1, 1, 1)


class TestHandsAndDice:
    @covers("WFA-C.52", "WFA-C.7", "WFA-C.3")
    def test_the_voice(self) -> None:
        war = (
            War().hand(HARKONNEN, "sandmasters", "shigawire").hand(ATREIDES, "hieregs").play_card(ATREIDES, "the_voice")
        )
        war.answer(HARKONNEN, DiscardCards(("shigawire",)))
        assert war.legal(ATREIDES) == [ChooseTarget("play_another", "hieregs"), Done()]

    @covers("WFA-C.94", "WFA-C.52", "WFA-F.3")
    def test_the_voice_is_obeyed_at_once(self) -> None:
        war = War().dice(ATREIDES, house=1).dice(HARKONNEN, house=1).legion(ATREIDES, "se_1", tokens=TOKEN)
        war.hand(HARKONNEN, "sandmasters", "shigawire").hand(ATREIDES, "hieregs", "the_voice")
        war.run(ActionTurn(side=ATREIDES)).answer(ATREIDES, PlayCard("house", "the_voice"))
        assert not plays(war.g, war.atreides).choices
        war.answer(HARKONNEN, DiscardCards(("shigawire",)))
        assert RevealTokens("se_1", TOKEN) in plays(war.g, war.atreides).enumerate(), "in the middle of the card"

    def entranced(self) -> War:
        war = with_decks(War()).dice(HARKONNEN, mentat=1, house=1).play_card(ATREIDES, "truthtrance")
        return war.answer(ATREIDES, ChooseEnemyDie("giedi_prime", "house"))

    @covers("WFA-C.57")
    def test_truthtrance(self) -> None:
        war = self.entranced().answer(ATREIDES, ChooseTarget("choose_deed", "draw")).answer(ATREIDES, DrawCards((1, 1)))
        war.run(ActionTurn(side=HARKONNEN))
        assert {act.die for act in war.legal(HARKONNEN, TakeAction)} == {"house"}
        war.answer(HARKONNEN, TakeAction("house", "vehicles")).answer(HARKONNEN, Done()).answer(HARKONNEN, Done())
        assert war.done
        war.run(ActionTurn(side=HARKONNEN))
        assert {act.die for act in war.legal(HARKONNEN, TakeAction)} == {"mentat"}, "in the next turn alone"

    @covers("WFA-C.57")
    def test_truthtrance_and_another_card(self) -> None:
        war = self.entranced().hand(ATREIDES, "hieregs").answer(ATREIDES, ChooseTarget("choose_deed", "play"))
        assert ChooseTarget("play_another", "hieregs") in war.legal(ATREIDES)


class TestPrescience:
    @covers("WFA-C.58", "WFA-C.87")
    def test_adab_the_demanding_memory(self) -> None:
        war = War().lay("prescience_row", "razzia", "sihaya", "the_desert_war")
        war.lay("prescience_deck", "the_narrow_path").hand(ATREIDES, "hieregs")
        war.put("attached", (("razzia", "eyes_of_ibad"),)).lay(LAID["fremen_ally"], "eyes_of_ibad")
        war.play_card(ATREIDES, "adab_the_demanding_memory")
        war.refused(ATREIDES, RemovePrescience(("razzia", "sihaya")))
        war.answer(ATREIDES, RemovePrescience(("sihaya", "the_desert_war")))
        assert war.g.table["prescience_out"] == ("sihaya", "the_desert_war")
        assert war.g.table["prescience_row"] == ("razzia", "the_narrow_path"), "as many as there are come instead"
        assert war.where == "PlayMore.choose"

    @covers("WFA-C.55", "WFA-Q.22")
    def test_tested_with_the_gom_jabbar(self) -> None:
        war = with_decks(War()).lay("objectives", "the_chosen_one").lay("objectives_away", "the_crusade")
        war.put("unmet", ((5, 5, 8),)).play_card(ATREIDES, "tested_with_the_gom_jabbar").answer(
            ATREIDES, DrawCards((2, 0))
        )
        assert war.g.table["objectives"] == ("the_chosen_one", "the_crusade")
        assert "unmet" not in war.g.table, "what earlier checks have told does not go for the second"
        for marker, step in zip(MARKER.values(), (5, 5, 8), strict=True):
            war.put(marker, step)
        war.run(CheckObjective())
        assert war.g.result == ("prescience", (war.atreides,)), "either of the two wins"

    def frightened(self, card: str = "razzia") -> War:
        war = War().lay("prescience_row", "razzia", "sihaya").play_card(ATREIDES, FEAR)
        return war.answer(ATREIDES, ChooseTarget("choose_revealed", card))

    @covers("WFA-C.66", "WFA-A.33")
    def test_fear_is_the_mind_killer(self) -> None:
        war = self.frightened()
        assert war.g.table[LAID["house_atreides"]] == (FEAR,)
        war.run(ClaimCard(seat=war.atreides, card="razzia")).answer(ATREIDES, ChooseMarker("sand_dwellers"))
        assert (war.g.marker("jihad"), war.g.marker("sand_dwellers")) == (3, 2)
        assert war.g.table[DISCARD["house_atreides"]] == (FEAR,)
        assert "attached" not in war.g.table

    @covers("WFA-C.66")
    def test_fear_is_the_mind_killer_is_gone_at_the_end_of_the_round(self) -> None:
        war = self.frightened().run(UnclaimedCards())
        assert war.g.table[DISCARD["house_atreides"]] == (FEAR,)
        assert "attached" not in war.g.table

    @covers("WFA-C.66", "WFA-C.8")
    def test_fear_is_the_mind_killer_with_nothing_revealed_is_discarded(self) -> None:
        war = War().play_card(ATREIDES, FEAR)
        assert war.done
        assert war.g.table[DISCARD["house_atreides"]] == (FEAR,)


class TestMarkersAndAtomics:
    @covers("WFA-C.59")
    def test_alam_al_mithal_the_world_of_similitudes(self) -> None:
        war = with_decks(War()).markers(jihad=4, sand_dwellers=9)
        war.play_card(ATREIDES, "alam_al_mithal_the_world_of_similitudes")
        war.refused(ATREIDES, ShiftMarkers("jihad", "kwisatz_haderach", 5))
        war.refused(ATREIDES, ShiftMarkers("jihad", "sand_dwellers", 2))
        war.answer(ATREIDES, ShiftMarkers("jihad", "kwisatz_haderach", 3))
        assert (war.g.marker("jihad"), war.g.marker("kwisatz_haderach")) == (1, 3)
        assert war.g.in_play("paul_muad_dib"), "the third step brings what it brings"
        war.answer(ATREIDES, DrawCards((1, 1)))

    @covers("WFA-C.64")
    def test_bill_of_particulars(self) -> None:
        war = War().imperium(landsraad=2, choam=1).hand(ATREIDES, "hieregs")
        war.play_card(ATREIDES, "bill_of_particulars")
        assert war.legal(ATREIDES, ChooseTarget) == [
            ChooseTarget("lower_imperium", "spacing_guild"),
            ChooseTarget("lower_imperium", "landsraad"),
        ]
        war.answer(ATREIDES, ChooseTarget("lower_imperium", "landsraad"))
        assert war.g.table[IMPERIUM["landsraad"]] == 1
        assert BAN["landsraad"] not in war.g.table
        assert war.where == "PlayMore.choose"

    @covers("WFA-C.65")
    def test_bill_of_particulars_of_2022(self) -> None:
        war = War(edition="preview_2022").play_card(ATREIDES, "bill_of_particulars")
        war.answer(ATREIDES, ChooseTarget("lower_imperium", "choam"))
        assert war.g.table[IMPERIUM["choam"]] == 3

    @covers("WFA-C.60", "WFA-A.24")
    def test_usul_the_base_of_the_pillar(self) -> None:
        war = War().hand(ATREIDES, "hieregs").play_card(ATREIDES, "usul_the_base_of_the_pillar")
        war.answer(ATREIDES, LayWormsigns(("ne_3", "ne_4"))).answer(ATREIDES, ChooseTarget("play_another", "hieregs"))
        assert war.where == "Scatter.choose"

    @covers("WFA-C.62", "WFA-H.41")
    def test_our_family_atomics(self) -> None:
        war = War().markers(jihad=4).hand(ATREIDES, "hieregs").play_card(ATREIDES, "our_family_atomics")
        war.answer(ATREIDES, Detonate("rimwall_west"))
        assert war.g.table["atomics"] == "rimwall_west"
        assert war.where == "PlayMore.choose"
        war.answer(ATREIDES, Done()).play_card(ATREIDES, "our_family_atomics")
        war.answer(ATREIDES, LayWormsigns(("ne_3",))).answer(ATREIDES, LayWormsigns(("ne_4",)))
        assert war.done, "two Desert Power actions, if they have detonated before"

    @covers("WFA-C.62")
    def test_our_family_atomics_below_step_four(self) -> None:
        assert War().markers(jihad=3).hand(ATREIDES, "hieregs").play_card(ATREIDES, "our_family_atomics").done


class TestDiscarding:
    @covers("WFA-C.8", "WFA-B.53", "WFA-B.7")
    def test_any_card_may_be_discarded_for_a_die(self) -> None:
        war = War().legion(ATREIDES, "nw_16", regular=1).legion(HARKONNEN, "arsunt", regular=1).hand(ATREIDES, FEAR)
        war.rolls("combat/atreides", *["shield"] * 2).rolls("combat/harkonnen", "shield")
        war.clash(ATREIDES, "nw_16", "arsunt").answer(ATREIDES, DiscardForDice((FEAR,))).answer(ATREIDES, Cease())
        assert war.thrown() == [2, 1]
        assert war.g.table[DISCARD["house_atreides"]] == (FEAR,)
