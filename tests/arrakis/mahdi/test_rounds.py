"""The frame of the mode: setup, the start of a round, turns and dice, reveals, the end of a round."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionResolution, ActionTurn, turn_choices
from landsraad_engine.arrakis.acts import TakeDesertPower
from landsraad_engine.arrakis.cards.fremen_ally import KitabAlIbar
from landsraad_engine.arrakis.desert_hazards import CoriolisStorms, DesertHazards
from landsraad_engine.arrakis.dice import RollDice
from landsraad_engine.arrakis.free_actions import guerrilla_training, scouting
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.leaders.entering import EnterPlay
from landsraad_engine.arrakis.legions import TurnUpTokens
from landsraad_engine.arrakis.mahdi.automaton import AUTOMATON, humans
from landsraad_engine.arrakis.mahdi.bene_gesserit import gain_token
from landsraad_engine.arrakis.mahdi.targets import (
    draw_tactical_cards,
    draw_target,
    harvesting_card,
    sietch_of,
    target_area,
    target_card,
)
from landsraad_engine.arrakis.mahdi.turn import AutomatonTurn, closed_results
from landsraad_engine.arrakis.mahdi.zones import SPENT_RESULTS, TACTICAL_DECK, TACTICAL_DISCARD, TURN_TARGET
from landsraad_engine.arrakis.round import EndOfRound, LeaderExchange
from landsraad_engine.arrakis.settlements import DestroySettlement
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.tracks import GainSupremacy
from landsraad_engine.arrakis.zones import SIETCH, STARTING_SETS
from landsraad_engine.kernel.zones import HIDDEN
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import view_apart
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo


def solo_with(target: str = "gara_kulon", **options: Any) -> Solo:
    return Solo(**options).harvesting("habbanya_ridge").target(target)


@pytest.fixture(scope="module")
def match() -> Any:
    return Match(ARRAKIS, 1, {"mahdi": True})


class TestSetup:
    @covers("WFA-Y.1", "WFA-Y.7", "WFA-Y.8", "WFA-Y.10")
    def test_as_for_two_players_and_all_tokens_form_the_pool(self, match: Any) -> None:
        g = match.g
        assert g.seats_of(ATREIDES) == (0,)
        assert g.side(AUTOMATON) == HARKONNEN
        assert g.seats_of(HARKONNEN) == ()
        assert all(g.size(HARKONNEN, area) for area in g.board.rank)
        assert [len(g.table[name]) for name in STARTING_SETS] == [6, 6]
        assert set(g.known_to_all(STARTING_SETS[0])) == {HIDDEN}
        assert g.hand(AUTOMATON) == ()

    @covers("WFA-Y.9")
    def test_the_humans_may_look_at_sietches_and_tokens(self, match: Any) -> None:
        view: Any = view_apart(match, 0)
        sietches = view.board.names(view.survey().sietches)
        assert all(view.table[SIETCH[area]][0] != HIDDEN for area in sietches)
        assert match.g.hidden_sietch(sietches[0])

    @covers("WFA-Y.2", "WFA-Y.3", "WFA-Y.6", "WFA-Y.20")
    def test_two_humans_are_house_atreides_and_the_fremen_ally(self) -> None:
        g: Any = Match(ARRAKIS, 2, {"mahdi": True}).g
        assert [g.powers(seat) for seat in (0, 1)] == [("house_atreides",), ("fremen_ally",)]
        assert [len(g.hand(seat)) for seat in (0, 1)] == [1, 1], "each draws from its own deck"
        assert humans(g) == (0, 1)
        g.stack.append(DesertHazards())
        assert humans(g) == (1,), "in Desert Hazards the Fremen Ally"


class TestTheStart:
    @covers("WFA-Y.11", "WFA-Y.12", "WFA-Y.13", "WFA-Y.18", "WFA-Y.19", "WFA-Y.20", "WFA-Y.14")
    def test_cards_of_a_round(self, match: Any) -> None:
        g = match.g
        cards = g.content.tactical_card
        assert len(g.table["prescience_row"]) == 2
        assert cards[harvesting_card(g)].sector != cards[target_card(g)].sector
        assert g.table["reinforcements"] == ("corrino_ally", "house_harkonnen")
        assert g.known_to_all("reinforcements_corrino_ally") == (HIDDEN,)
        assert len(g.hand(0)) == 2

    @covers("WFA-Y.14")
    def test_a_card_of_the_same_sector_or_a_fallen_sietch_is_discarded(self) -> None:
        solo = Solo().harvesting("gara_kulon").sietch("windgap")
        solo.lay(TACTICAL_DECK, "windgap", "tasmin_sink", "sihaya_ridge")
        draw_target(solo.g)
        assert target_area(solo.g) == "windgap"
        assert solo.g.table[TACTICAL_DISCARD] == ("sihaya_ridge", "tasmin_sink")

    @covers("WFA-Y.16")
    def test_if_no_card_fits_one_is_drawn_of_all_whose_sietch_stands(self) -> None:
        solo = Solo().harvesting("gara_kulon").sietch("gara_kulon").lay(TACTICAL_DECK, "tasmin_sink")
        draw_target(solo.g)
        assert target_card(solo.g) == "gara_kulon" == harvesting_card(solo.g), "it serves as both"

    @covers("WFA-Y.15")
    def test_a_target_that_falls_is_replaced_at_once(self) -> None:
        solo = solo_with("gara_kulon").sietch("windgap").lay(TACTICAL_DECK, "windgap")
        solo.run(DestroySettlement(side=ATREIDES, area="gara_kulon"))
        assert target_area(solo.g) == "windgap"
        assert solo.g.table[TACTICAL_DISCARD] == ("gara_kulon",)

    @covers("WFA-Y.17")
    def test_a_sietch_that_is_moved_stays_that_of_its_card(self) -> None:
        solo = solo_with("gara_kulon").run(KitabAlIbar(seat=0))
        act = next(act for act in solo.legal(ATREIDES) if getattr(act, "source", "") == "gara_kulon")
        solo.answer(ATREIDES, act)
        assert target_area(solo.g) == act.target == sietch_of(solo.g, "gara_kulon")  # type: ignore[attr-defined]


class TestTurns:
    @covers("WFA-Y.35")
    def test_only_the_humans_roll_at_the_start(self) -> None:
        solo = solo_with().pool_dice(4).dice(ATREIDES, pool=3).run(RollDice())
        assert solo.thrown() == [3]

    @covers("WFA-Y.35", "WFA-Y.37")
    def test_one_die_is_rolled_and_used_and_keeps_its_result(self) -> None:
        solo = solo_with().pool_dice(2).rolls("action/harkonnen", "house").run(AutomatonTurn(side=HARKONNEN))
        while not solo.done:
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert solo.g.table[SPENT_RESULTS] == ("house",)
        assert solo.g.unused(HARKONNEN) == 1

    @covers("WFA-Y.37")
    def test_example_24_a_fourth_die_of_a_result_is_rolled_again(self) -> None:
        solo = solo_with().pool_dice(1).put(SPENT_RESULTS, ("strategy",) * 3)
        assert closed_results(solo.g) == ("strategy",)
        solo.rolls("action/harkonnen", "strategy", "strategy", "house").run(AutomatonTurn(side=HARKONNEN))
        assert solo.g.table[SPENT_RESULTS][-1] == "house"

    @covers("WFA-Y.36")
    @pytest.mark.parametrize(("options", "slot"), [({}, 1), ({"edition": "v1_1"}, 1), ({"faq": False}, 1)])
    def test_the_tank_advances(self, options: dict[str, Any], slot: int) -> None:
        solo = solo_with(**options).pool_dice(1).leader("baron_harkonnen", "tank/0")
        solo.rolls("action/harkonnen", "leadership").run(AutomatonTurn(side=HARKONNEN))
        assert solo.g.table["figure/baron_harkonnen"] == f"tank/{slot}"

    @covers("WFA-Y.38", "WFA-Y.39")
    def test_desert_power_compares_with_dice_not_rolled_yet(self) -> None:
        solo = solo_with().pool_dice(2)
        assert solo.g.unused(HARKONNEN) == 2
        assert any(choice.act is TakeDesertPower for choice in turn_choices(solo.g, 0))

    @covers("WFA-Y.39")
    def test_the_phase_ends_with_its_last_die(self) -> None:
        solo = solo_with().run(ActionResolution(turn=0, pc="next_turn"))
        assert solo.done

    @covers("WFA-Y.73", "WFA-Y.76")
    def test_what_belongs_to_a_turn_is_forgotten(self) -> None:
        solo = solo_with().pool_dice(1).put(TURN_TARGET, "windgap").put("turn_flight", True)
        solo.rolls("action/harkonnen", "leadership").run(AutomatonTurn(side=HARKONNEN))
        assert TURN_TARGET not in solo.g.table
        assert "turn_flight" not in solo.g.table

    @covers("WFA-Y.34")
    def test_it_never_scouts(self) -> None:
        solo = solo_with().legion(ATREIDES, "gara_kulon", tokens=("atreides_standard_1",)).ornithopter("z5")
        assert HARKONNEN not in solo.g.sides
        assert not list(scouting(solo.g, 0))


class TestBeneGesserit:
    @covers("WFA-Y.43")
    def test_a_locked_die_else_a_point(self) -> None:
        solo = solo_with().put("dice/giedi_prime/locked", (1, 0))
        assert gain_token(solo.g) is None
        assert solo.g.get("dice/giedi_prime/pool") == (1, 0)
        frame = gain_token(solo.g)
        assert isinstance(frame, GainSupremacy)

    @covers("WFA-Y.43")
    def test_gaius_brings_it(self) -> None:
        solo = solo_with().put("dice/giedi_prime/locked", (1, 0)).leader("thufir_hawat")
        solo.put("bene_gesserit/reserve", (0, 3)).put("supremacy", 7)
        solo.run(EnterPlay(leader="gaius_helen_mohiam"))
        assert solo.g.get("dice/giedi_prime/pool") == (1, 0)
        assert not solo.g.get("bene_gesserit/harkonnen")[1]


class TestReveals:
    def trained(self, *, zone: str = "") -> set[str]:
        solo = solo_with()
        token = solo.g.table["bag"][0]
        solo.legion(ATREIDES, "gara_kulon", tokens=(token,))
        if zone:
            solo.ornithopter(zone)
        solo.g.stack.append(ActionTurn(side=ATREIDES))
        return {area for choice in guerrilla_training(solo.g, 0) for area in choice.domain("area").values()}

    @covers("WFA-Y.44", "WFA-Y.46")
    def test_not_voluntarily_beside_an_ornithopter(self) -> None:
        assert self.trained() == {"gara_kulon"}
        zone = solo_with().g.board.zones_of["gara_kulon"][0]
        assert self.trained(zone=zone) == set()

    @pytest.mark.parametrize(("ban", "cards"), [(False, 1), (True, 0)])
    @covers("WFA-Y.45", "WFA-Y.46")
    def test_each_voluntary_one_gives_it_a_card(self, ban: bool, cards: int) -> None:
        solo = solo_with().deck("house_harkonnen", "sandmasters")
        token = solo.g.table["bag"][0]
        solo.legion(ATREIDES, "gara_kulon", tokens=(token,))
        if ban:
            solo.bans("spacing_guild")
        forced = solo.fork().run(TurnUpTokens(area="gara_kulon"))
        assert not forced.reserve, "not when it is attacked"
        solo.run(TurnUpTokens(area="gara_kulon", tokens=(token,)))
        assert len(solo.reserve) == cards


class TestTheEnd:
    @covers("WFA-Y.153", "WFA-Y.154", "WFA-Y.137")
    def test_supremacy_advances_and_the_tactical_cards_make_a_new_deck(self) -> None:
        solo = solo_with().reinforcements("sandmasters").put(SPENT_RESULTS, ("house",))
        solo.lay(TACTICAL_DECK, *(c for c in solo.g.content.tactical_card if c not in ("habbanya_ridge", "gara_kulon")))
        solo.run(EndOfRound(pc="dice_back"))
        assert solo.g.supremacy == 1
        assert len(solo.g.table[TACTICAL_DECK]) == 8
        assert SPENT_RESULTS not in solo.g.table
        assert solo.reserve == ["sandmasters"]
        draw_tactical_cards(solo.sietch("windgap").sietch("tasmin_sink").g)

    @covers("WFA-Y.155")
    def test_its_named_leaders_stay(self) -> None:
        solo = solo_with().legion(HARKONNEN, "carthag", regular=1).leader("beast_rabban", "carthag")
        assert solo.run(LeaderExchange(side=HARKONNEN)).done

    @covers("WFA-Y.154")
    def test_the_game_ends_without_a_winner_or_with_all_humans(self) -> None:
        lost = Solo(seats=2).put("supremacy", 9).run(GainSupremacy(points=1))
        assert lost.g.result == ("supremacy", ())

    @covers("WFA-Y.146")
    def test_storms_are_as_usual(self) -> None:
        solo = solo_with().legion(HARKONNEN, "se_1", regular=1, elite=1, leader=1)
        solo.rolls("combat/storm", "hit", "shield").run(CoriolisStorms())
        assert solo.figures(HARKONNEN, "se_1") == (2, 0, 0, 1)
