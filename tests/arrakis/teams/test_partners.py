"""Partners: setup, who acts and who decides, dice used for each other, leaders of both halves."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionResolution, ActionTurn
from landsraad_engine.arrakis.acts import (
    Cease,
    Claim,
    HandOver,
    PlaceVehicle,
    PlayCard,
    RescueHarvester,
    RevealTokens,
    Scout,
    TakeAction,
    TakeDesertPower,
    UseSpecial,
)
from landsraad_engine.arrakis.battle.battle import Battle
from landsraad_engine.arrakis.content import load
from landsraad_engine.arrakis.desert_hazards import DesertHazards
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.harvesting import SpiceHarvesting
from landsraad_engine.arrakis.leaders.entering import EnterPlay
from landsraad_engine.arrakis.leaders.special import UseAnyResult
from landsraad_engine.arrakis.muster import HouseVehicles
from landsraad_engine.arrakis.prescience import ClaimMoment
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.tracks import GainSupremacy
from landsraad_engine.arrakis.worms import WormAttack
from landsraad_engine.play.match import Match
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, war_at_setup

HH, CORRINO, HA, FREMEN = "house_harkonnen", "corrino_ally", "house_atreides", "fremen_ally"
EDITIONS: tuple[dict[str, Any], ...] = ({}, {"faq": False}, {"edition": "v1_1"}, {"edition": "preview_2022"})


def offered(war: War, half: str, kind: type[Any]) -> list[Any]:
    return war.legal(half, kind)


class TestSetup:
    @covers("WFA-G.1", "WFA-G.10", "WFA-G.11", "WFA-G.12")
    @pytest.mark.parametrize("options", EDITIONS)
    def test_leaders_in_play_from_the_start(self, options: dict[str, Any]) -> None:
        war = war_at_setup(seats=4, **options)
        aside = {*war.g.leaders_aside(HARKONNEN), *war.g.leaders_aside(ATREIDES)}
        usual = {"paul_atreides", "lady_jessica", "stilgar", "baron_harkonnen", "beast_rabban", "captain_aramsham"}
        more = {"emperor_shaddam_iv"} if "2022" in options.get("edition", "") else set()
        assert aside == usual | more

    @covers("WFA-G.5")
    def test_leaders_belong_to_the_half_of_their_card(self) -> None:
        halves = {leader.id: leader.side for leader in load().leader.values()}
        assert (halves["baron_harkonnen"], halves["captain_aramsham"]) == (HH, CORRINO)
        assert (halves["lady_jessica"], halves["stilgar"]) == (HA, FREMEN)

    @covers("WFA-G.8", "WFA-G.9")
    def test_slots_of_small_dashboards(self) -> None:
        for edition, slots in (("exclusive", [2, 2, 1, 1]), ("v1_1", [2, 2, 1, 1])):
            content = load(edition=edition)  # type: ignore[arg-type]
            assert [content.dashboard[half].slots for half in (HH, CORRINO, HA, FREMEN)] == slots
        small = load(edition="preview_2022").dashboard
        assert all(len(small[half].boxes) < len(small["giedi_prime"].boxes) for half in (HH, CORRINO, HA, FREMEN))
        assert small[HH].slots >= 8, "none are counted in 2022"

    @covers("WFA-G.51")
    def test_partners_share_what_is_no_planning_card(self) -> None:
        war = war_at_setup(seats=4)
        eyes = war.g.eyes
        both = 1 << war.seat(HA) | 1 << war.seat(FREMEN)
        for key in ("tokens/gara_kulon", "sietch/gara_kulon", "objectives", "drawn_token"):
            assert eyes[key] == both
        for half in (HH, CORRINO, HA, FREMEN):
            seat = war.seat(half)
            assert eyes[f"hand/{half}/{seat}"] == 1 << seat


class TestTurns:
    @covers("WFA-G.37", "WFA-G.38", "WFA-G.54", "WFA-G.82")
    def test_either_partner_may_take_the_turn(self) -> None:
        war = War(seats=4).dice(HA, mentat=1).dice(FREMEN, strategy=1).dice(HH, mentat=1).dice(CORRINO, mentat=2)
        war.run(ActionResolution(turn=-1, pc=""), until="ActionTurn.choose")
        assert war.asked == (HA, FREMEN)
        assert {act.die for act in offered(war, HA, TakeAction)} == {"mentat"}
        assert {act.die for act in offered(war, FREMEN, TakeAction)} == {"strategy"}
        war.answer(FREMEN, TakeAction("strategy", "move")).until("ActionTurn.choose")
        assert war.asked == (HH, CORRINO)
        war.answer(CORRINO, TakeAction("mentat", "mentat")).until("ActionTurn.choose")
        assert war.asked == (HA, FREMEN), "the factions alternate; Desert Power is open to the Fremen Ally"
        assert offered(war, FREMEN, TakeAction) == []

    @covers("WFA-G.46", "WFA-G.54")
    def test_desert_power_compares_whole_factions(self) -> None:
        war = War(seats=4).dice(HA, mentat=1).dice(HH, mentat=1).dice(CORRINO, mentat=1)
        war.run(ActionTurn(side=ATREIDES))
        assert offered(war, HA, TakeDesertPower)
        assert offered(war, FREMEN, TakeDesertPower)
        war = War(seats=4).dice(HA, mentat=1, house=1).dice(HH, mentat=1).dice(CORRINO, mentat=1)
        war.run(ActionTurn(side=ATREIDES))
        assert war.asked == (HA,), "a partner without dice is asked only if Desert Power is open"

    @covers("WFA-G.17", "WFA-G.39", "WFA-G.58")
    def test_the_acting_player_decides_all_of_the_action(self) -> None:
        war = War(seats=4).dice(HH, house=1).legion(HARKONNEN, "carthag", regular=7).village("carthag")
        war.run(ActionTurn(side=HARKONNEN))
        war.answer(HH, TakeAction("house", "vehicles"))
        assert war.asked == (HH,)
        assert offered(war, HH, PlaceVehicle)

    @covers("WFA-G.41")
    def test_special_actions_are_those_of_the_own_half(self) -> None:
        war = War(seats=4).dice(HA, leadership=1).dice(FREMEN, leadership=1, deployment=1)
        war.leader("paul_atreides", "arsunt").leader("stilgar").legion(ATREIDES, "arsunt", regular=1)
        war.run(ActionTurn(side=ATREIDES))
        assert offered(war, HA, UseSpecial) == [UseSpecial("leadership", "paul_atreides")]
        assert offered(war, FREMEN, UseSpecial) == [UseSpecial("deployment", "stilgar")]

    @covers("WFA-G.85")
    def test_a_die_that_pays_for_a_card_is_the_players_own(self) -> None:
        war = War(seats=4).dice(HA, mentat=1).dice(FREMEN, strategy=1).hand(FREMEN, "thumpers")
        war.run(ActionTurn(side=ATREIDES))
        assert offered(war, FREMEN, PlayCard) == [PlayCard("strategy", "thumpers")]
        assert offered(war, HA, PlayCard) == []

    @covers("WFA-G.55")
    def test_free_actions_are_open_to_both_partners(self) -> None:
        war = War(seats=4).dice(HH, mentat=1).dice(CORRINO, mentat=1).ornithopter("z1")
        area = next(a for a in war.g.board.areas if "z1" in war.g.board.zones_of[a])
        war.legion(ATREIDES, area, tokens=("atreides_standard_1",))
        war.run(ActionTurn(side=HARKONNEN))
        for half in (HH, CORRINO):
            assert any(type(act) is Scout for act in war.open_plays(half).enumerate())
        assert not war.open_plays(HA).choices
        war = War(seats=4).dice(HA, mentat=1).legion(ATREIDES, "arsunt", tokens=("atreides_standard_1",))
        war.run(ActionTurn(side=ATREIDES))
        for half in (HA, FREMEN):
            assert any(type(act) is RevealTokens for act in war.open_plays(half).enumerate())

    @covers("WFA-G.61")
    def test_vehicles_of_an_action_are_placed_by_the_acting_player(self) -> None:
        war = War(seats=4).run(HouseVehicles(seat=1))
        assert war.asked == (CORRINO,)


class TestHouseDie:
    @covers("WFA-G.40", "WFA-G.83")
    def test_the_partner_acts_with_a_result_that_only_its_dashboard_has(self) -> None:
        war = War(seats=4).dice(HA, house=1).leader("stilgar").legion(ATREIDES, "arsunt", regular=2)
        war.run(ActionTurn(side=ATREIDES))
        assert {act.action for act in offered(war, HA, TakeAction)} == {"lead", "surprise", "mentat"}
        assert {act.result for act in offered(war, HA, HandOver)} == {"strategy", "deployment"}
        assert war.asked == (HA,)
        war.answer(HA, HandOver("house", "deployment"))
        assert war.g.table["dice/house_atreides/used"] == (1, 0), "the die is House Atreides'"
        assert war.asked == (FREMEN,)
        assert set(war.legal(FREMEN)) == {
            TakeAction("deployment", "deploy_token"),
            UseSpecial("deployment", "stilgar"),
        }
        war.answer(FREMEN, TakeAction("deployment", "deploy_token")).finish()

    @covers("WFA-G.83")
    def test_house_atreides_acts_where_both_have_the_result(self) -> None:
        war = War(seats=4).dice(HA, house=1).legion(ATREIDES, "arsunt", regular=2, leader=1)
        war.run(ActionTurn(side=ATREIDES)).answer(HA, TakeAction("house", "lead"))
        assert war.asked == (HA,)

    @covers("WFA-G.84")
    def test_a_special_action_as_any_result(self) -> None:
        war = War(seats=4).legion(ATREIDES, "arsunt", regular=2).run(UseAnyResult(seat=2))
        assert {act.result for act in offered(war, HA, HandOver)} == {"strategy", "deployment"}
        war.answer(HA, HandOver("house", "strategy"))
        assert war.asked == (FREMEN,)
        assert {act.action for act in offered(war, FREMEN, TakeAction)} == {"move", "attack"}

    @covers("WFA-G.40")
    def test_an_unshared_faction_hands_nothing_over(self) -> None:
        war = War(seats=3).dice(ATREIDES, house=1).run(ActionTurn(side=ATREIDES))
        assert offered(war, ATREIDES, HandOver) == []
        assert len(offered(war, ATREIDES, TakeAction)) == 6


class TestPhases:
    @covers("WFA-G.43", "WFA-G.60")
    @pytest.mark.parametrize("options", EDITIONS)
    def test_the_fremen_ally_decides_in_the_desert(self, options: dict[str, Any]) -> None:
        war = war_at_setup(seats=4, **options)
        deserts = war.g.board.names(war.g.board.desert)
        free = [area for area in deserts if not war.g.board.bit[area] & war.g.survey().taken()]
        for area in free[:: len(free) // 4][: war.g.table["wormsigns"].count("sandworm")]:
            war.legion(HARKONNEN, area, regular=1).wormsign(area, "sandworm")
        war.run(DesertHazards())
        asked = set()
        while not war.done:
            asked |= set(war.asked)
            war.passes(war.asked[0])
        assert FREMEN in asked
        assert HA not in asked

    @covers("WFA-G.58")
    def test_either_harkonnen_partner_may_send_a_carryall(self) -> None:
        war = War(seats=4)
        area = next(a for a in war.g.board.names(war.g.board.desert) if war.g.board.zones_of[a])
        war.harvester(area).carryall(war.g.board.zones_of[area][0])
        war.run(WormAttack(source="", target=area, rescue=True))
        assert war.asked == (HH, CORRINO)
        assert offered(war, CORRINO, RescueHarvester)

    @covers("WFA-G.58")
    def test_either_harkonnen_partner_may_spend_the_spice(self) -> None:
        war = War(seats=4).put("reserve", 3)
        war.run(SpiceHarvesting())
        assert war.asked == (HH, CORRINO)

    @covers("WFA-G.59")
    def test_either_atreides_partner_may_claim(self) -> None:
        war = War(seats=4).lay("prescience_row", "shai_hulud_answers")
        for area in war.g.board.names(war.g.board.desert)[:4]:
            war.worm(area)
        war.run(ClaimMoment(phase=war.g.content.prescience_card["shai_hulud_answers"].phase))
        assert war.asked == (HA, FREMEN)
        war.answer(FREMEN, Claim("shai_hulud_answers"))
        assert war.g.table["prescience_claimed"] == ("shai_hulud_answers",)

    @covers("WFA-G.16", "WFA-G.56")
    def test_units_of_the_faction_are_led_by_either_and_defended_by_both(self) -> None:
        war = War(seats=4).legion(HARKONNEN, "carthag", regular=4).legion(ATREIDES, "arsunt", regular=4)
        war.rolls("combat/harkonnen", *["hit"] * 1, *["shield"] * 3).rolls("combat/atreides", *["shield"] * 4)
        war.rolls("combat/atreides")
        war.run(Battle(seat=1, source="carthag", target="arsunt"))
        asked = set()
        while not war.done:
            asked.add((war.where, war.asked))
            cease = any(type(act) is Cease for act in war.legal(war.asked[0]))
            war.answer(war.asked[0], Cease()) if cease else war.passes(war.asked[0])
        for where, seats in asked:
            assert seats in ((CORRINO,), (HA, FREMEN)), where


class TestLeaders:
    @covers("WFA-G.62")
    def test_the_card_of_the_wild_maker_is_the_fremen_allys(self) -> None:
        war = War(seats=4).leader("wild_maker").dice(HH, mentat=1)
        area = war.g.board.names(war.g.board.desert)[0]
        war.worm(area, wild_maker=True)
        war.run(ActionTurn(side=ATREIDES))
        fork = war.fork().answer(HA, TakeDesertPower())
        assert not offered(fork, HA, UseSpecial)
        war.answer(FREMEN, TakeDesertPower())
        assert offered(war, FREMEN, UseSpecial) == [UseSpecial("", "wild_maker")]

    @covers("WFA-G.63")
    def test_muad_dib_takes_the_slot_of_paul_in_the_tank_of_the_fremen_ally(self) -> None:
        war = (
            War(seats=4).leader("paul_atreides", "tank/1").leader("stilgar", "tank/1").leader("lady_jessica", "tank/0")
        )
        war.run(EnterPlay(leader="paul_muad_dib")).finish()
        assert war.g.whereabouts("paul_muad_dib") == "tank/1"
        assert war.g.whereabouts("stilgar") == "tank/2"
        assert war.g.whereabouts("lady_jessica") == "tank/0"
        assert war.g.whereabouts("paul_atreides") == "gone"

    @covers("WFA-G.13", "WFA-G.80")
    def test_gaius_of_2022(self) -> None:
        shared = War(seats=4, edition="preview_2022").put("supremacy", 3)
        shared.run(GainSupremacy(points=1)).finish()
        assert shared.g.in_play("gaius_helen_mohiam")
        alone = war_at_setup("preview_2022", seats=3, shared="atreides").put("supremacy", 3)
        alone.run(GainSupremacy(points=1)).finish()
        assert not alone.g.in_play("gaius_helen_mohiam")
        assert not alone.g.in_play("emperor_shaddam_iv")

    @covers("WFA-G.14", "WFA-G.79")
    def test_the_alternative_feyd_of_2022(self) -> None:
        war = War(seats=4, edition="preview_2022").put("supremacy", 5)
        war.run(GainSupremacy(points=1)).finish()
        assert war.g.whereabouts("feyd_rautha_alternative") == "aside"
        assert war.g.whereabouts("feyd_rautha") is None, "the usual card stays in the box"
        assert war.g.in_play("feyd_rautha"), "texts that name him mean the one in play"
        assert war.g.bearer("feyd_rautha") == "feyd_rautha_alternative"
        by_card = War(seats=4, edition="preview_2022").run(EnterPlay(leader="feyd_rautha"))
        assert by_card.g.whereabouts("feyd_rautha_alternative") == "aside"
        unshared = War(edition="preview_2022").put("supremacy", 5).run(GainSupremacy(points=1)).finish()
        assert unshared.g.whereabouts("feyd_rautha") == "aside"
        assert unshared.g.whereabouts("feyd_rautha_alternative") is None


class TestGivingUp:
    @covers("WFA-G.81", "WFA-G.86")
    def test_a_partner_who_is_there_is_asked_alone(self) -> None:
        match = Match(ARRAKIS, 4, record=False)
        assert match.waiting == (0,), "House Harkonnen places the vehicles"
        match.set_absent(0)
        while "ActionTurn" not in str(match.g.stack) or match.g.side(match.waiting[0]) != HARKONNEN:
            match.answer(match.waiting[0], match.g.ask.default_for(match.waiting[0]))  # type: ignore[union-attr]
        assert match.g.ask is not None
        assert match.waiting == (1,)
        match.set_absent(0, False)
        assert match.waiting == match.g.ask.seats

    @covers("WFA-G.6", "WFA-G.81")
    def test_a_faction_has_lost_when_both_have_given_up(self) -> None:
        g = Match(ARRAKIS, 4, record=False).g
        assert not ARRAKIS.decided(g, (1, 2, 3))
        assert not ARRAKIS.decided(g, (1, 3))
        assert ARRAKIS.decided(g, (2, 3))
        assert ARRAKIS.decided(g, (0,))

    @covers("WFA-G.6")
    def test_partners_win_together(self) -> None:
        war = War(seats=4)
        war.put("supremacy", war.g.content.supremacy.length - 1).run(GainSupremacy(points=1))
        assert war.g.result == ("supremacy", (0, 1))
