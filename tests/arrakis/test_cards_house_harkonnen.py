"""The planning cards of House Harkonnen, one by one."""

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    Attack,
    Bombard,
    BringForces,
    ChooseTarget,
    ChooseTargets,
    Claim,
    Detonate,
    Displace,
    Done,
    DrawCards,
    GiveUpForces,
    PlaceVehicle,
    PlayCard,
    RemoveExcess,
    SpreadUnits,
)
from landsraad_engine.arrakis.cards.play import playable
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import ASIDE, CARD, DECK, FIGURE, GONE, READY, TANK, VILLAGE
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack, move

VILLAGES = ("north_pole", "arrakeen", "carthag", "imperial_basin", "arsunt", "hagga_basin")


def settled() -> War:
    war = War()
    for area in VILLAGES:
        war.village(area)
    return war


def with_decks(war: War) -> War:
    war.lay(DECK["house_harkonnen"], "sandmasters", "spotter_control")
    return war.lay(DECK["corrino_ally"], "troop_carriers", "shigawire")


class TestUnits:
    @covers("WFA-C.9", "WFA-C.83")
    def test_hard_times_and_oppression(self) -> None:
        war = settled().put(VILLAGE["arsunt"], None).play_card(HARKONNEN, "hard_times_and_oppression")
        slots = war.options(HARKONNEN).choices[0].domain("regulars").slots  # type: ignore[attr-defined]
        assert set(slots) == set(VILLAGES) - {"arsunt"}, "a village that has fallen is a village no more"
        elites = tuple(int(area in ("arrakeen", "carthag")) for area in slots)
        war.answer(HARKONNEN, SpreadUnits(tuple(1 - elite for elite in elites), elites))
        assert war.figures(HARKONNEN, "hagga_basin") == (1, 0, 0, 0)
        assert war.figures(HARKONNEN, "arrakeen") == (0, 1, 0, 0)
        assert war.done

    @covers("WFA-C.9", "WFA-H.59", "WFA-H.40")
    def test_hard_times_and_oppression_passes_over_where_the_atomics_have_brought_an_enemy(self) -> None:
        war = War(edition="preview_2022").village("arsunt").markers(sand_dwellers=6).dice(HARKONNEN, mentat=1)
        war.legion(ATREIDES, "rimwall_west", regular=1).legion(ATREIDES, "cne_7", regular=1)
        war.legion(ATREIDES, "cne_8", regular=1).lay("prescience_row", "holders_of_the_minor_erg")
        war.hand(HARKONNEN, "hard_times_and_oppression").run(ActionTurn(side=HARKONNEN))
        war.answer(HARKONNEN, PlayCard("mentat", "hard_times_and_oppression"))
        war.play(ATREIDES, Claim("holders_of_the_minor_erg")).answer(ATREIDES, Detonate("rimwall_west"))
        war.answer(HARKONNEN, Displace("arrakeen"))
        slots = war.options(HARKONNEN).choices[0].domain("regulars").slots  # type: ignore[attr-defined]
        assert set(slots) == {"carthag", "arsunt"}

    @covers("WFA-C.9", "WFA-S.19")
    def test_hard_times_and_oppression_brings_one_unit_to_each(self) -> None:
        war = settled().play_card(HARKONNEN, "hard_times_and_oppression")
        refusal = war.refused(HARKONNEN, SpreadUnits((1,) * 6, (0, 1, 0, 0, 0, 0)))
        assert refusal.rule == "WFA-C.9"
        war.answer(HARKONNEN, SpreadUnits((1,) * 6, (0,) * 6))
        assert war.figures(HARKONNEN, "carthag") == (1, 0, 0, 0), "a Regular may come in place of the Elite"

    @covers("WFA-C.10", "WFA-C.83")
    def test_forced_recruitment(self) -> None:
        war = War().put(FIGURE["baron_harkonnen"], ASIDE).play_card(HARKONNEN, "forced_recruitment")
        war.answer(HARKONNEN, BringForces("arrakeen", (0, 3, 0, 0), ("baron_harkonnen",)))
        assert war.at(HARKONNEN, "arrakeen")[:2] == ((0, 3, 0, 0), ("baron_harkonnen",)), "settlement or not"

    @covers("WFA-C.83")
    def test_forced_recruitment_finds_arrakeen_taken(self) -> None:
        assert War().legion(ATREIDES, "arrakeen", regular=1).play_card(HARKONNEN, "forced_recruitment").done

    @covers("WFA-C.10", "WFA-S.19", "WFA-S.26")
    def test_forced_recruitment_in_part(self) -> None:
        war = War().play_card(HARKONNEN, "forced_recruitment")
        war.refused(HARKONNEN, BringForces("arrakeen", (0, 0, 0, 1), ()), "WFA-S.26")
        war.refused(HARKONNEN, BringForces("arrakeen", (2, 2, 0, 0), ()), "WFA-S.19")
        war.answer(HARKONNEN, BringForces("arrakeen", (1, 1, 0, 1), ()))
        assert war.figures(HARKONNEN, "arrakeen") == (1, 1, 0, 1)

    @covers("WFA-C.13")
    def test_harkonnen_patrols(self) -> None:
        war = War().wormsign("ne_3").play_card(HARKONNEN, "harkonnen_patrols")
        war.refused(HARKONNEN, ChooseTargets("scatter_regulars", ("ne_3", "ne_4", "ne_5")))
        war.answer(HARKONNEN, ChooseTargets("scatter_regulars", ("ne_4", "ne_5", "nw_9")))
        assert [war.figures(HARKONNEN, area)[0] for area in ("ne_4", "ne_5", "nw_9")] == [1, 1, 1]

    @covers("WFA-C.18")
    def test_evidence_of_rebellion(self) -> None:
        war = with_decks(settled()).put(VILLAGE["carthag"], None).play_card(HARKONNEN, "evidence_of_rebellion")
        war.refused(HARKONNEN, BringForces("carthag", (0, 2, 0, 0), ()))
        war.answer(HARKONNEN, BringForces("hagga_basin", (0, 2, 0, 0), ()))
        war.answer(HARKONNEN, DrawCards((1, 1)))
        assert war.figures(HARKONNEN, "hagga_basin") == (0, 2, 0, 0)
        assert len(war.g.hand(war.harkonnen)) == 2

    @covers("WFA-C.19")
    def test_polar_cap_factories(self) -> None:
        war = War().put(FIGURE["baron_harkonnen"], ASIDE).wormsign("cne_3").wormsign("csw_4").wormsign("ne_3")
        war.play_card(HARKONNEN, "polar_cap_factories")
        war.refused(HARKONNEN, BringForces("north_pole", (2, 1, 0, 0), ("baron_harkonnen",)))
        war.answer(HARKONNEN, BringForces("north_pole", (2, 1, 0, 1), ()))
        war.refused(HARKONNEN, ChooseTargets("discard_wormsigns", ("ne_3",)))
        war.answer(HARKONNEN, ChooseTargets("discard_wormsigns", ("cne_3", "csw_4")))
        assert war.figures(HARKONNEN, "north_pole") == (2, 1, 0, 1)
        assert war.g.survey().wormsigns == war.g.board.bit["ne_3"]
        assert len(war.g.table["wormsigns"]) == 15

    @covers("WFA-C.20", "WFA-S.28")
    def test_carthag_the_former_capital(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=4).play_card(HARKONNEN, "carthag_the_former_capital")
        war.answer(HARKONNEN, BringForces("carthag", (3, 1, 0, 1), ()))
        war.answer(HARKONNEN, RemoveExcess((2, 0, 0), ()))
        assert war.figures(HARKONNEN, "carthag") == (5, 1, 0, 1)


class TestLeaders:
    @covers("WFA-C.11", "WFA-C.86", "WFA-C.3", "WFA-L.28")
    def test_beloved_feyd_rautha_enters(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1, named=("beast_rabban",)).hand(HARKONNEN, "sandmasters")
        war.play_card(HARKONNEN, "beloved_feyd_rautha").answer(HARKONNEN, ChooseTarget("bring_in", "feyd_rautha"))
        assert (war.g.whereabouts("feyd_rautha"), war.g.whereabouts("beast_rabban")) == (ASIDE, GONE)
        war.answer(HARKONNEN, ChooseTarget("play_another", "sandmasters"))
        assert war.where == "PlaceSomeVehicles.one_vehicle"

    @covers("WFA-C.11")
    def test_beloved_feyd_rautha_in_play(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1, named=("feyd_rautha",))
        war.play_card(HARKONNEN, "beloved_feyd_rautha")
        war.answer(HARKONNEN, BringForces("carthag", (0, 2, 0, 0), ()))
        assert war.figures(HARKONNEN, "carthag") == (1, 2, 0, 0)
        assert War().put(FIGURE["feyd_rautha"], TANK[0]).play_card(HARKONNEN, "beloved_feyd_rautha").done

    @covers("WFA-C.12", "WFA-L.29")
    def test_beloved_feyd_rautha_of_2022_leaves_rabban_where_he_is(self) -> None:
        war = War(edition="preview_2022").legion(HARKONNEN, "carthag", regular=1, named=("beast_rabban",))
        war.play_card(HARKONNEN, "beloved_feyd_rautha").answer(HARKONNEN, ChooseTarget("bring_in", "feyd_rautha"))
        assert war.g.whereabouts("beast_rabban") == "carthag"

    @covers("WFA-C.14", "WFA-C.5")
    @pytest.mark.parametrize("deed", ["move", "attack"])
    def test_arsunt_legion(self, deed: str) -> None:
        war = War().legion(ATREIDES, "broken_land", regular=1).legion(HARKONNEN, "carthag", regular=1)
        war.play_card(HARKONNEN, "arsunt_legion").answer(HARKONNEN, BringForces("arsunt", (1, 1, 0, 1), ()))
        war.answer(HARKONNEN, ChooseTarget("choose_deed", deed))
        sources = {act.source for act in war.legal(HARKONNEN) if not isinstance(act, Done)}  # type: ignore[attr-defined]
        assert sources == {"arsunt"}, "only the legion there moves or attacks"

    @covers("WFA-C.15", "WFA-C.4", "WFA-C.84")
    def test_barons_personal_guard(self) -> None:
        war = War().legion(HARKONNEN, "arsunt", regular=1, named=("baron_harkonnen",))
        war.play_card(HARKONNEN, "barons_personal_guard")
        war.answer(HARKONNEN, BringForces("carthag", (0, 2, 0, 0), ("baron_harkonnen",)))
        assert war.at(HARKONNEN, "carthag")[:2] == ((0, 2, 0, 0), ("baron_harkonnen",))
        war.answer(HARKONNEN, move("arsunt", "hagga_basin", regular=1))
        assert war.figures(HARKONNEN, "hagga_basin") == (1, 0, 0, 0)
        assert war.done, "one legion moves"

    @covers("WFA-C.4", "WFA-A.29")
    def test_barons_personal_guard_leaves_the_baron_in_the_tank(self) -> None:
        war = War().put(FIGURE["baron_harkonnen"], TANK[1]).play_card(HARKONNEN, "barons_personal_guard")
        war.refused(HARKONNEN, BringForces("carthag", (0, 2, 0, 0), ("baron_harkonnen",)))

    @covers("WFA-C.25", "WFA-C.84")
    def test_mudir_nahya_the_demon_ruler(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1).legion(HARKONNEN, "hagga_basin", regular=1)
        war.legion(ATREIDES, "arsunt", regular=2).put(FIGURE["beast_rabban"], ASIDE)
        war.play_card(HARKONNEN, "mudir_nahya_the_demon_ruler")
        war.answer(HARKONNEN, BringForces("carthag", (0, 1, 0, 0), ("beast_rabban",)))
        assert {act.source for act in war.legal(HARKONNEN, Attack)} == {"carthag"}
        war.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", "special", "special")
        war.answer(HARKONNEN, attack("carthag", "arsunt", regular=1, elite=1, leaders=("beast_rabban",)))
        assert war.hits() == [(0, 2)], "the Special of the surprise gives Rabban his two hits"

    @covers("WFA-C.25")
    def test_mudir_nahya_the_demon_ruler_when_rabban_is_gone(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1).put(FIGURE["beast_rabban"], GONE)
        war.legion(ATREIDES, "arsunt", regular=2).play_card(HARKONNEN, "mudir_nahya_the_demon_ruler")
        war.answer(HARKONNEN, BringForces("carthag", (0, 2, 0, 1), ()))
        assert war.figures(HARKONNEN, "carthag") == (1, 2, 0, 1)
        assert war.done

    @covers("WFA-C.26", "WFA-C.7", "WFA-T.2")
    def test_hunter_seeker(self) -> None:
        war = War().legion(HARKONNEN, "arsunt", regular=1).legion(ATREIDES, "cnw_2", regular=1, named=("stilgar",))
        war.legion(ATREIDES, "ne_3", regular=1, named=("lady_jessica",)).play_card(HARKONNEN, "hunter_seeker")
        assert war.legal(HARKONNEN, ChooseTarget) == [ChooseTarget("strike_down", "stilgar")]
        war.answer(HARKONNEN, ChooseTarget("strike_down", "stilgar"))
        assert war.g.whereabouts("stilgar") == TANK[0]
        assert War().legion(HARKONNEN, "arsunt", regular=1).play_card(HARKONNEN, "hunter_seeker").done

    @covers("WFA-C.92", "WFA-C.26")
    def test_hunter_seeker_does_not_find_whom_a_claim_has_brought_to_the_tank_meanwhile(self) -> None:
        war = hunted("stilgar").put(FIGURE["chani"], TANK[0]).answer(ATREIDES, GiveUpForces(SIETCH, (2, 0, 0), ()))
        assert war.done
        assert war.g.whereabouts("stilgar") == TANK[0]
        assert war.g.whereabouts("chani") == TANK[1], "nobody is pushed twice"

    @covers("WFA-C.92", "WFA-L.23", "WFA-L.25")
    def test_hunter_seeker_finds_who_has_taken_a_leaders_place_meanwhile(self) -> None:
        war = hunted("lady_jessica", regular=3).markers(sand_dwellers=1).put(CARD["lady_jessica"], READY)
        war.answer(ATREIDES, GiveUpForces(SIETCH, (2, 0, 0), ()))
        assert war.legal(HARKONNEN, ChooseTarget) == [ChooseTarget("strike_down", "reverend_mother_jessica")]


SIETCH = "gara_kulon"


def hunted(leader: str, regular: int = 2) -> War:
    """The Harkonnen have played Hunter-Seeker against a leader, whose side claims a card for two of his units."""
    card = "families_flee_to_the_palmaries_of_the_south"
    war = War().sietch(SIETCH).legion(ATREIDES, SIETCH, regular=regular, named=(leader,)).lay("prescience_row", card)
    war.legion(HARKONNEN, "ne_5", regular=1).hand(HARKONNEN, "hunter_seeker").dice(HARKONNEN, strategy=1)
    war.run(ActionTurn(side=HARKONNEN)).answer(HARKONNEN, PlayCard("strategy", "hunter_seeker"))
    return war.play(ATREIDES, Claim(card))


class TestTheRest:
    @covers("WFA-C.21", "WFA-C.2")
    def test_workhorse_of_arrakis(self) -> None:
        war = with_decks(War()).play_card(HARKONNEN, "workhorse_of_arrakis")
        war.answer(HARKONNEN, PlaceVehicle("harvester", "ne_3", "")).answer(
            HARKONNEN, PlaceVehicle("carryall", "z1", "")
        )
        war.answer(HARKONNEN, DrawCards((2, 0)))
        assert (war.g.vehicle("ne_3"), war.g.vehicle("z1")) == ((1, 0, 0), (0, 0, 1))
        assert war.g.hand(war.harkonnen) == ("sandmasters", "spotter_control")

    @covers("WFA-C.22")
    def test_spotter_control(self) -> None:
        war = with_decks(War()).wormsign("ne_3").wormsign("ne_4").wormsign("ne_5").wormsign("ne_6")
        war.play_card(HARKONNEN, "spotter_control")
        war.refused(HARKONNEN, ChooseTargets("discard_wormsigns", ("ne_3", "ne_4", "ne_5", "ne_6")))
        war.answer(HARKONNEN, ChooseTargets("discard_wormsigns", ("ne_3", "ne_4", "ne_6"))).answer(
            HARKONNEN, DrawCards((0, 2))
        )
        assert war.g.board.names(war.g.survey().wormsigns) == ("ne_5",)

    @covers("WFA-C.23", "WFA-C.6", "WFA-S.22")
    def test_explosive_artillery(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1).sietch("hobars_gap")
        war.legion(ATREIDES, "hobars_gap", regular=1, tokens=("atreides_standard_1",))
        war.play_card(HARKONNEN, "explosive_artillery").answer(HARKONNEN, Done())
        assert war.done, "nobody is next to a Harkonnen legion"
        war.legion(HARKONNEN, "cse_5", regular=2).play_card(HARKONNEN, "explosive_artillery")
        war.answer(HARKONNEN, move("cse_5", "cse_4", regular=1)).rolls(
            "combat/harkonnen", "hit", "special", "shield", "shield"
        )
        war.answer(HARKONNEN, Bombard("hobars_gap", ""))
        assert not war.g.tokens("hobars_gap"), "an attack of any manner reveals tokens"
        assert war.g.hidden_sietch("hobars_gap"), "but no Sietch"
        assert war.done, "two hits on three Regulars leave no choice"
        assert war.figures(ATREIDES, "hobars_gap") == (1, 0, 0, 0)

    @covers("WFA-C.6", "WFA-B.47")
    def test_explosive_artillery_leaves_a_settlement_standing(self) -> None:
        war = War().sietch("hobars_gap").legion(ATREIDES, "hobars_gap", regular=1).legion(HARKONNEN, "cse_4", regular=1)
        war.play_card(HARKONNEN, "explosive_artillery").answer(HARKONNEN, Done())
        war.rolls("combat/harkonnen", *["hit"] * 4).answer(HARKONNEN, Bombard("hobars_gap", ""))
        assert war.done
        assert not war.g.size(ATREIDES, "hobars_gap")
        assert war.g.survey().sietches
        assert war.g.hidden_sietch("hobars_gap")

    @covers("WFA-C.24")
    def test_sandmasters(self) -> None:
        war = with_decks(War()).play_card(HARKONNEN, "sandmasters")
        for area in ("ne_3", "ne_4", "ne_5"):
            war.answer(HARKONNEN, PlaceVehicle("harvester", area, ""))
        war.answer(HARKONNEN, DrawCards((1, 0)))
        assert war.g.board.names(war.g.survey().harvesters) == ("ne_3", "ne_4", "ne_5")

    @covers("WFA-C.17")
    def test_hawats_scheming_of_2022(self) -> None:
        war = with_decks(War(edition="preview_2022"))
        war.play_card(HARKONNEN, "hawats_scheming").answer(HARKONNEN, ChooseTarget("bring_in", "thufir_hawat"))
        assert war.g.whereabouts("thufir_hawat") == ASIDE
        war.play_card(HARKONNEN, "hawats_scheming")
        assert war.where == "DrawPlanningCards.draw", "with Hawat in play two cards are drawn"

    @covers("WFA-C.16")
    def test_hawats_scheming_is_not_played(self) -> None:
        war = War().hand(HARKONNEN, "hawats_scheming", "hawats_scheming")
        assert playable(war.g, war.harkonnen) == ()
        war = War(edition="preview_2022").hand(HARKONNEN, "hawats_scheming")
        assert playable(war.g, war.harkonnen) == ("hawats_scheming",)


class TestPlaying:
    @covers("WFA-A.33", "WFA-C.8", "WFA-C.1")
    def test_a_card_goes_to_its_discards_whatever_comes_of_it(self) -> None:
        war = War().play_card(HARKONNEN, "hunter_seeker")
        assert war.done
        assert war.g.table["discard/house_harkonnen"] == ("hunter_seeker",)

    @covers("WFA-A.12", "WFA-A.13", "WFA-C.88")
    def test_every_part_may_be_left_undone(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", regular=1)
        war.put(FIGURE["beast_rabban"], ASIDE).play_card(HARKONNEN, "mudir_nahya_the_demon_ruler")
        war.answer(HARKONNEN, Done())
        assert attack("carthag", "arsunt", regular=1) in war.legal(HARKONNEN), (
            "any legion may attack if nobody has joined one"
        )
        war.answer(HARKONNEN, Done())
        assert war.done

    @covers("WFA-C.3")
    def test_who_has_no_card_left_is_not_asked_for_another(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1)
        assert war.play_card(HARKONNEN, "beloved_feyd_rautha").answer(HARKONNEN, Done()).done

    @covers("WFA-X.4")
    def test_only_the_deployment_or_only_the_move(self) -> None:
        war = War().legion(HARKONNEN, "arsunt", regular=1).play_card(HARKONNEN, "barons_personal_guard")
        war.answer(HARKONNEN, BringForces("carthag", (0, 2, 0, 0), ())).answer(HARKONNEN, Done())
        assert war.figures(HARKONNEN, "carthag") == (0, 2, 0, 0)
        war = War().legion(HARKONNEN, "arsunt", regular=1).play_card(HARKONNEN, "barons_personal_guard")
        war.answer(HARKONNEN, Done()).answer(HARKONNEN, move("arsunt", "carthag", regular=1))
        assert war.figures(HARKONNEN, "carthag") == (1, 0, 0, 0)
        assert war.done
