"""The planning cards of the Fremen Ally, one by one; every card has its text."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    Bombard,
    BringForces,
    ChooseTarget,
    ChooseTargets,
    DeployToken,
    Detonate,
    Displace,
    Done,
    DrawCards,
    DrawToken,
    DriveLegion,
    LayWormsigns,
    MoveLegion,
    MoveSietch,
    MoveWorm,
    PlayCard,
    RemovePrescience,
    Scout,
    StrikeWithWorm,
    SwapTokens,
    TakeWorm,
)
from landsraad_engine.arrakis.cards.bene_gesserit import CARDS
from landsraad_engine.arrakis.content import load
from landsraad_engine.arrakis.hooks import Query
from landsraad_engine.arrakis.prescience import ClaimCard, UnclaimedCards
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import ASIDE, DECK, DISCARD, FIGURE, LAID, SIETCH, TANK
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, loss, move


def with_decks(war: War) -> War:
    war.lay(DECK["house_atreides"], "war_plan", "usul_the_base_of_the_pillar")
    return war.lay(DECK["fremen_ally"], "hieregs", "thumpers")


def worms(war: War) -> tuple[str, ...]:
    names: tuple[str, ...] = war.g.board.names(war.g.survey().worms)
    return names


#: Where the figures of two sandworms on the board may come from.
AT = ("", "ne_3", "sw_6")


def neighbours(war: War, area: str) -> set[str]:
    """The empty Deserts next to an area."""
    return set(war.g.board.names(war.g.board.adjacent[area] & war.g.board.desert & ~war.g.survey().taken()))


class TestTheDesert:
    @covers("WFA-C.67", "WFA-L.30", "WFA-L.36")
    def test_shai_hulud_enters(self) -> None:
        war = War().play_card(ATREIDES, "shai_hulud").answer(ATREIDES, ChooseTarget("bring_in", "wild_maker"))
        war.answer(ATREIDES, TakeWorm("ne_3", "", "wild_maker"))
        assert war.g.in_play("wild_maker")
        assert worms(war) == ("ne_3",)

    @covers("WFA-C.67", "WFA-L.33")
    def test_shai_hulud_in_play(self) -> None:
        war = War().put(FIGURE["wild_maker"], ASIDE).worm("ne_3", wild_maker=True).worm("sw_6")
        war.legion(HARKONNEN, "ne_8", regular=1).play_card(ATREIDES, "shai_hulud")
        assert {act.source for act in war.legal(ATREIDES, MoveWorm)} == {"ne_3"}
        war.answer(ATREIDES, MoveWorm("ne_3", "ne_5"))
        assert war.legal(ATREIDES, StrikeWithWorm) == [StrikeWithWorm("ne_5", "ne_8")]
        war.answer(ATREIDES, StrikeWithWorm("ne_5", "ne_8"))
        assert war.thrown() == [6]

    @covers("WFA-C.67", "WFA-L.32")
    def test_shai_hulud_of_2022_brings_the_card_alone(self) -> None:
        war = (
            War(edition="preview_2022")
            .play_card(ATREIDES, "shai_hulud")
            .answer(ATREIDES, ChooseTarget("bring_in", "wild_maker"))
        )
        assert war.done
        assert worms(war) == ()

    @covers("WFA-C.68", "WFA-M.43")
    def test_wall_of_sandworms(self) -> None:
        war = War().worm("ne_3").wormsign("ne_4").play_card(ATREIDES, "wall_of_sandworms")
        areas = {act.area for act in war.legal(ATREIDES, TakeWorm)}
        assert areas == {"ne_1", "nw_11", "nw_3"}, "empty Deserts next to a sandworm"
        war.answer(ATREIDES, TakeWorm("ne_1", "", "sandworm"))
        assert set(worms(war)) == {"ne_1", "ne_3"}
        assert war.where == "DesertPower.choose"

    @covers("WFA-C.91")
    def test_wall_of_sandworms_stands_beside_another_than_the_one_that_is_taken(self) -> None:
        war = War().worm("ne_3").play_card(ATREIDES, "wall_of_sandworms")
        assert {act.source for act in war.legal(ATREIDES, TakeWorm)} == {""}, "the only one has no other beside it"
        war = War().worm("ne_3").worm("sw_6").play_card(ATREIDES, "wall_of_sandworms")
        beside = {source: {act.area for act in war.legal(ATREIDES, TakeWorm) if act.source == source} for source in AT}
        assert beside["ne_3"] == neighbours(war, "sw_6")
        assert beside["sw_6"] == neighbours(war, "ne_3")
        assert beside[""] == beside["ne_3"] | beside["sw_6"]

    @covers("WFA-C.80")
    def test_thumpers(self) -> None:
        war = War().legion(ATREIDES, "ne_3", regular=1).play_card(ATREIDES, "thumpers")
        war.answer(ATREIDES, TakeWorm("ne_4", "", "sandworm"))
        assert "ne_4" not in {act.area for act in war.legal(ATREIDES, TakeWorm)}
        war.answer(ATREIDES, TakeWorm("ne_1", "", "sandworm"))
        assert set(worms(war)) == {"ne_1", "ne_4"}
        assert war.done

    @covers("WFA-C.77")
    def test_grandmother_of_a_storm(self) -> None:
        war = War().legion(HARKONNEN, "ne_3", regular=3).legion(HARKONNEN, "broken_land", regular=3)
        war.rolls("combat/storm", "hit", "shield").play_card(ATREIDES, "grandmother_of_a_storm")
        assert war.figures(HARKONNEN, "ne_3") == (2, 0, 0, 0)
        assert war.thrown() == [2], "the Mountains are safe"

    @covers("WFA-C.76")
    def test_hieregs(self) -> None:
        war = War().play_card(ATREIDES, "hieregs")
        war.refused(ATREIDES, ChooseTargets("scatter_regulars", ("ne_3", "ne_4", "ne_5")))
        war.answer(ATREIDES, ChooseTargets("scatter_regulars", ("ne_3", "ne_5")))
        assert war.figures(ATREIDES, "ne_3") == war.figures(ATREIDES, "ne_5") == (1, 0, 0, 0)
        war.answer(ATREIDES, LayWormsigns(("ne_4", "ne_7")))
        assert war.done


class TestVehicles:
    @covers("WFA-C.69")
    def test_dust_chasms(self) -> None:
        war = War().harvester("ne_1").harvester("ne_2").harvester("ne_3").harvester("nw_1")
        war.play_card(ATREIDES, "dust_chasms")
        war.refused(ATREIDES, ChooseTargets("remove_vehicles", ("ne_1", "nw_1")))
        war.refused(ATREIDES, ChooseTargets("remove_vehicles", ("ne_3",)))
        war.answer(ATREIDES, ChooseTargets("remove_vehicles", ("ne_1", "ne_2")))
        assert war.g.board.names(war.g.survey().harvesters) == ("ne_3", "nw_1")
        assert war.where == "DesertPower.choose"

    @covers("WFA-C.70")
    def test_fremen_rockets(self) -> None:
        war = War().legion(ATREIDES, "ne_5", regular=1).harvester("ne_1").ornithopter("z1").carryall("z3")
        war.harvester("nw_1").play_card(ATREIDES, "fremen_rockets")
        assert war.legal(ATREIDES, ChooseTarget) == [ChooseTarget("aim_at", "north_east")], (
            "a sector with a legion, and vehicles"
        )
        war.rolls("combat/atreides", "hit", "special", "shield").answer(ATREIDES, ChooseTarget("aim_at", "north_east"))
        war.answer(ATREIDES, ChooseTargets("remove_vehicles", ("ne_1", "z1")))
        assert war.g.vehicle("z1") == (0, 0, 0)
        assert war.g.vehicle("z3") == (0, 0, 1)

    @covers("WFA-C.70")
    def test_fremen_rockets_that_miss(self) -> None:
        war = War().legion(ATREIDES, "ne_5", regular=1).harvester("ne_1").play_card(ATREIDES, "fremen_rockets")
        assert war.rolls("combat/atreides", *["shield"] * 3).answer(ATREIDES, ChooseTarget("aim_at", "north_east")).done

    @covers("WFA-C.72", "WFA-C.6")
    def test_captured_ornithopter(self) -> None:
        war = War().ornithopter("z1").legion(HARKONNEN, "ne_5", regular=4).legion(HARKONNEN, "sw_6", regular=1)
        war.play_card(ATREIDES, "captured_ornithopter")
        assert war.legal(ATREIDES, Bombard) == [Bombard("ne_5", "z1")]
        war.rolls("combat/atreides", "hit", "special", "shield").answer(ATREIDES, Bombard("ne_5", "z1"))
        assert war.figures(HARKONNEN, "ne_5") == (2, 0, 0, 0)
        assert war.g.vehicle("z1") == (0, 0, 0)

    @covers("WFA-C.72", "WFA-F.8")
    def test_an_ornithopter_that_scouts_first_is_not_captured(self) -> None:
        war = War(edition="preview_2022").ornithopter("z1").sietch("gara_kulon").legion(HARKONNEN, "ne_5", regular=4)
        war.play_card(ATREIDES, "captured_ornithopter").play(
            HARKONNEN, Scout("z1", "gara_kulon", sietch=True, tokens=False)
        )
        assert war.done

    @covers("WFA-C.70", "WFA-F.8")
    def test_nor_shot_down(self) -> None:
        war = War(edition="preview_2022").ornithopter("z1").harvester("ne_5").legion(ATREIDES, "ne_3", regular=1)
        war.sietch("gara_kulon").play_card(ATREIDES, "fremen_rockets")
        war.rolls("combat/atreides", "hit", "shield", "shield").answer(ATREIDES, ChooseTarget("aim_at", "north_east"))
        war.play(HARKONNEN, Scout("z1", "gara_kulon", sietch=True, tokens=False))
        assert war.legal(ATREIDES, ChooseTargets) == [ChooseTargets("remove_vehicles", ("ne_5",))]

    @covers("WFA-C.72", "WFA-C.6")
    def test_captured_ornithopter_leaves_casualties_to_their_owner(self) -> None:
        war = War().ornithopter("z1").legion(HARKONNEN, "ne_5", regular=2, elite=2)
        war.play_card(ATREIDES, "captured_ornithopter").rolls("combat/atreides", "hit", "shield", "shield")
        war.answer(ATREIDES, Bombard("ne_5", "z1")).answer(HARKONNEN, loss(elite=1))
        assert war.figures(HARKONNEN, "ne_5") == (3, 1, 0, 0)

    @covers("WFA-C.92", "WFA-C.72", "WFA-F.8")
    def test_in_2022_no_ornithopter_is_captured_that_has_scouted_meanwhile(self) -> None:
        war = War(edition="preview_2022").ornithopter("z1").legion(HARKONNEN, "ne_5", regular=4).sietch("gara_kulon")
        war.play_card(ATREIDES, "captured_ornithopter").play(HARKONNEN, Scout("z1", "gara_kulon", True, False))
        assert war.done
        assert war.figures(HARKONNEN, "ne_5") == (4, 0, 0, 0)

    @covers("WFA-C.92", "WFA-C.7", "WFA-F.8")
    def test_in_2022_rockets_do_not_hit_what_has_scouted_meanwhile(self) -> None:
        war = War(edition="preview_2022").ornithopter("z1").harvester("ne_1").sietch("gara_kulon")
        war.legion(ATREIDES, "ne_5", regular=1).play_card(ATREIDES, "fremen_rockets")
        war.rolls("combat/atreides", "hit", "shield", "shield").answer(ATREIDES, ChooseTarget("aim_at", "north_east"))
        assert set(war.legal(ATREIDES, ChooseTargets)) == {
            ChooseTargets("remove_vehicles", ("ne_1",)),
            ChooseTargets("remove_vehicles", ("z1",)),
        }
        war.play(HARKONNEN, Scout("z1", "gara_kulon", True, False))
        assert war.legal(ATREIDES, ChooseTargets) == [ChooseTargets("remove_vehicles", ("ne_1",))]

    @covers("WFA-C.92", "WFA-C.72", "WFA-F.3")
    def test_what_the_atomics_have_moved_meanwhile_is_struck_where_it_is(self) -> None:
        war = War().markers(jihad=8).dice(ATREIDES, strategy=1).dice(HARKONNEN, strategy=1)
        war.ornithopter("z2").legion(HARKONNEN, "splintered_rock", regular=4).hand(ATREIDES, "captured_ornithopter")
        war.run(ActionTurn(side=ATREIDES)).answer(ATREIDES, PlayCard("strategy", "captured_ornithopter"))
        war.play(ATREIDES, Detonate("splintered_rock")).answer(ATREIDES, Displace("cne_2"))
        assert war.legal(ATREIDES, Bombard) == [Bombard("cne_2", "z2")]


class TestLegions:
    @covers("WFA-C.73")
    def test_crysknife(self) -> None:
        war = War().legion(ATREIDES, "nw_11", special=1).legion(HARKONNEN, "arsunt", regular=1, named=("beast_rabban",))
        war.legion(ATREIDES, "wind_pass", regular=1)
        war.legion(HARKONNEN, "north_pole", regular=1, named=("baron_harkonnen",)).play_card(ATREIDES, "crysknife")
        war.answer(ATREIDES, move("nw_11", "nw_16", special=1)).answer(
            ATREIDES, ChooseTarget("strike_down", "beast_rabban")
        )
        assert war.g.whereabouts("beast_rabban") == TANK[0]
        assert war.g.whereabouts("baron_harkonnen") == "north_pole"

    @covers("WFA-C.75", "WFA-C.93")
    def test_jubba_cloaks(self) -> None:
        war = War().legion(ATREIDES, "ne_3", regular=1, leader=1).legion(ATREIDES, "ne_8", regular=1)
        war.legion(ATREIDES, "pasty_mesa", regular=1, leader=1).hand(ATREIDES, "hieregs").play_card(
            ATREIDES, "jubba_cloaks"
        )
        assert {act.source for act in war.legal(ATREIDES, MoveLegion)} == {"ne_3"}
        war.refused(ATREIDES, move("ne_3", "ne_4", regular=1), "WFA-M.3")
        war.answer(ATREIDES, move("ne_3", "ne_4", regular=1, leader=1)).answer(
            ATREIDES, ChooseTarget("play_another", "hieregs")
        )
        assert war.where == "Scatter.choose"

    @covers("WFA-C.79", "WFA-C.84")
    def test_i_am_stilgar_the_fremen(self) -> None:
        war = with_decks(War()).put(FIGURE["stilgar"], ASIDE).village("arsunt")
        war.play_card(ATREIDES, "i_am_stilgar_the_fremen")
        assert "arsunt" not in {act.place for act in war.legal(ATREIDES, BringForces)}
        war.answer(ATREIDES, BringForces("pasty_mesa", (1, 2, 0, 0), ("stilgar",))).answer(ATREIDES, DrawCards((0, 1)))
        assert war.at(ATREIDES, "pasty_mesa")[:2] == ((1, 2, 0, 0), ("stilgar",))

    @covers("WFA-C.82")
    def test_sandtides(self) -> None:
        war = War().legion(HARKONNEN, "ne_3", regular=2, named=("beast_rabban",)).wormsign("ne_4")
        war.legion(HARKONNEN, "carthag", regular=1).play_card(ATREIDES, "sandtides")
        assert {(act.source, act.target) for act in war.legal(ATREIDES, DriveLegion)} == {
            ("ne_3", area) for area in ("ne_1", "nw_11", "nw_3")
        }
        war.answer(ATREIDES, DriveLegion("ne_3", "ne_1"))
        assert war.at(HARKONNEN, "ne_1")[:2] == ((2, 0, 0, 0), ("beast_rabban",))
        assert war.where == "DesertPower.choose"


class TestSietches:
    @covers("WFA-C.74")
    def test_cielagos_piping_message(self) -> None:
        war = with_decks(War()).sietch("windgap").sietch("hobars_gap").legion(HARKONNEN, "csw_4", regular=1)
        war.play_card(ATREIDES, "cielagos_piping_message").answer(ATREIDES, DrawToken())
        assert war.legal(ATREIDES, DeployToken) == [DeployToken("windgap", "")], "a Harkonnen legion is two areas away"
        war.answer(ATREIDES, DeployToken("windgap", "")).answer(ATREIDES, DrawCards((1, 0)))
        assert len(war.g.tokens("windgap")) == 1
        assert war.done

    @covers("WFA-C.74")
    def test_cielagos_piping_message_without_a_threat(self) -> None:
        war = with_decks(War()).sietch("windgap").play_card(ATREIDES, "cielagos_piping_message")
        assert war.where == "DrawPlanningCards.draw"

    @covers("WFA-C.78", "WFA-S.27")
    def test_stillsuits(self) -> None:
        war = War().sietch("windgap").sietch("gara_kulon").put(FIGURE["stilgar"], "gara_kulon")
        war.legion(ATREIDES, "gara_kulon", leader=1, tokens=("atreides_standard_1", "atreides_standard_2"))
        war.play_card(ATREIDES, "stillsuits")
        assert {act.source for act in war.legal(ATREIDES, MoveLegion)} == {"gara_kulon"}
        war.answer(ATREIDES, Done()).answer(ATREIDES, SwapTokens("windgap", "gara_kulon"))
        assert war.g.tokens("windgap") == ("atreides_standard_1", "atreides_standard_2")
        assert war.g.whereabouts("stilgar") == TANK[0], "leaders left alone go off the board"
        assert war.figures(ATREIDES, "gara_kulon") == (0, 0, 0, 0)

    @covers("WFA-C.78")
    def test_stillsuits_swap_the_tokens_of_either_with_none(self) -> None:
        for manned in (sietches := {"gara_kulon", "windgap", "hobars_gap"}):
            war = War()
            for area in sietches:
                war.sietch(area)
            war.legion(ATREIDES, manned, tokens=("atreides_standard_1",)).play_card(ATREIDES, "stillsuits")
            pairs = {
                frozenset((act.one, act.other)) for act in war.answer(ATREIDES, Done()).legal(ATREIDES, SwapTokens)
            }
            assert pairs == {frozenset((manned, other)) for other in sietches - {manned}}

    @covers("WFA-C.81", "WFA-U.7")
    def test_kitab_al_ibar(self) -> None:
        war = (
            War().sietch("windgap", 3).legion(ATREIDES, "windgap", regular=1, leader=1, tokens=("atreides_standard_1",))
        )
        war.wormsign("csw_3").play_card(ATREIDES, "kitab_al_ibar")
        assert {act.target for act in war.legal(ATREIDES, MoveSietch)} == {"csw_5", "csw_6", "sw_9"}
        war.answer(ATREIDES, MoveSietch("windgap", "csw_5"))
        assert war.g.hidden_sietch("csw_5"), "the Harkonnen have not seen its rank on the way"
        assert war.g.rank(ATREIDES, "csw_5") == 3
        assert war.at(ATREIDES, "csw_5") == ((1, 0, 0, 1), (), ("atreides_standard_1",))
        assert SIETCH["windgap"] not in war.g.table

    @covers("WFA-C.81", "WFA-F.9")
    def test_kitab_al_ibar_with_a_revealed_sietch(self) -> None:
        war = War().sietch("windgap", 3, shown=True).play_card(ATREIDES, "kitab_al_ibar")
        war.answer(ATREIDES, MoveSietch("windgap", "csw_5"))
        assert not war.g.hidden_sietch("csw_5")


class TestEyesOfIbad:
    @covers("WFA-C.71", "WFA-A.33")
    def test_eyes_of_ibad(self) -> None:
        war = War().lay("prescience_row", "razzia", "sihaya").play_card(ATREIDES, "eyes_of_ibad")
        war.answer(ATREIDES, ChooseTarget("choose_revealed", "razzia"))
        assert war.g.table[LAID["fremen_ally"]] == ("eyes_of_ibad",)
        war.run(UnclaimedCards()).answer(ATREIDES, RemovePrescience(()))
        assert war.g.table["prescience_row"] == ("razzia",), "it stays, beside those of the next round"
        war.run(ClaimCard(seat=war.atreides, card="razzia"))
        assert war.g.table[DISCARD["fremen_ally"]] == ("eyes_of_ibad",)
        assert "attached" not in war.g.table

    @covers("WFA-C.71")
    def test_eyes_of_ibad_keep_their_card_from_being_discarded(self) -> None:
        war = War().lay("prescience_row", "razzia").play_card(ATREIDES, "eyes_of_ibad")
        war.answer(ATREIDES, ChooseTarget("choose_revealed", "razzia")).run(UnclaimedCards())
        assert war.g.table["prescience_row"] == ("razzia",)


@pytest.mark.parametrize("options", [{}, {"edition": "v1_1"}, {"edition": "preview_2022"}])
@covers("WFA-S.43", "WFA-S.46", "WFA-C.30", "WFA-C.53")
def test_every_card_has_a_text(options: dict[str, Any]) -> None:
    war = War(**options)
    content = load(edition=options.get("edition", "exclusive"))
    silent = {
        card.id
        for card in content.planning_card.values()
        if not card.future and not war.g.query(Query.EFFECTS, (), card.id)
    }
    assert silent == (set(CARDS) if options.get("edition") == "preview_2022" else {"hawats_scheming"})
