"""Action turns: who acts, what dice are spent for, the basic actions."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionResolution, ActionTurn
from landsraad_engine.arrakis.acts import (
    Attack,
    Deploy,
    DeployLeader,
    DeployToken,
    Done,
    DrawCards,
    DrawToken,
    MoveLegion,
    PlayCard,
    TakeAction,
    TakeDesertPower,
    UpgradeUnits,
    UseSpecial,
)
from landsraad_engine.arrakis.legions import TurnUpTokens
from landsraad_engine.arrakis.muster import DeployTokenAndLeader, DeployUnits, DrawPlanningCards, Upgrade
from landsraad_engine.arrakis.sides import ATREIDES, ELITE, HARKONNEN, SPECIAL
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, move


def turn(war: War, side: str) -> War:
    return war.run(ActionTurn(side=side))


def actions(war: War, side: str) -> set[tuple[str, str]]:
    return {(act.die, act.action) for act in war.legal(side) if isinstance(act, TakeAction)}


class TestTurns:
    def sequence(self, war: War) -> list[str]:
        """Who acts, turn by turn; nothing is done with what they choose."""
        war.run(ActionResolution())
        acted = []
        while not war.done:
            side = war.asked[0]
            if war.where == "ActionTurn.choose":
                acted.append(side)
                legal = [act for act in war.legal(side) if isinstance(act, TakeAction | TakeDesertPower)]
                war.answer(side, legal[0])
            else:
                war.answer(side, Done())
        return acted

    @covers("WFA-A.1", "WFA-A.6", "WFA-A.7", "WFA-A.11")
    def test_the_sides_alternate_until_the_last_harkonnen_die(self) -> None:
        war = War().dice(HARKONNEN, mentat=3).dice(ATREIDES, mentat=1)
        assert self.sequence(war) == [ATREIDES, HARKONNEN] * 3
        assert war.g.get("dice/giedi_prime/used") == (3, 0)

    @covers("WFA-A.7")
    def test_atreides_dice_left_over_are_lost(self) -> None:
        war = War().dice(HARKONNEN, mentat=1).dice(ATREIDES, mentat=2, strategy=2)
        assert self.sequence(war) == [ATREIDES, HARKONNEN]
        assert war.g.unused(ATREIDES) == 3

    @covers("WFA-A.8", "WFA-A.9")
    def test_in_2022_both_sides_spend_all_their_dice(self) -> None:
        war = War(edition="preview_2022").dice(HARKONNEN, mentat=1).dice(ATREIDES, mentat=3)
        assert self.sequence(war) == [ATREIDES, HARKONNEN, ATREIDES, ATREIDES]
        war = War(edition="preview_2022").dice(HARKONNEN, mentat=2)
        assert self.sequence(war) == [ATREIDES, HARKONNEN] * 2, "with fewer dice the Atreides have Desert Power"


class TestChoosing:
    def both(self, **options: Any) -> War:
        every = {"leadership": 1, "strategy": 1, "deployment": 1, "mentat": 1, "house": 1}
        return War(**options).dice(HARKONNEN, **every).dice(ATREIDES, **every)

    @covers("WFA-A.2", "WFA-A.5", "WFA-A.21")
    def test_a_harkonnen_die_is_spent_for_an_action_of_its_result(self) -> None:
        assert actions(turn(self.both(), HARKONNEN), HARKONNEN) == {
            ("leadership", "lead"),
            ("leadership", "surprise"),
            ("strategy", "move"),
            ("strategy", "attack"),
            ("deployment", "deploy"),
            ("mentat", "mentat"),
            ("house", "upgrade"),
            ("house", "vehicles"),
        }

    @covers("WFA-A.20")
    def test_an_atreides_house_die_counts_as_any_other_result(self) -> None:
        war = turn(self.both(), ATREIDES)
        house = {action for die, action in actions(war, ATREIDES) if die == "house"}
        assert house == {"lead", "surprise", "move", "attack", "deploy_token", "mentat"}
        assert ("strategy", "mentat") not in actions(war, ATREIDES)

    @covers("WFA-A.3")
    def test_any_die_plays_a_card(self) -> None:
        war = turn(self.both().hand(HARKONNEN, "sandmasters", "hawats_scheming"), HARKONNEN)
        plays = {(act.die, act.card) for act in war.legal(HARKONNEN) if isinstance(act, PlayCard)}
        assert plays == {(die, "sandmasters") for die in ("leadership", "strategy", "deployment", "mentat", "house")}

    @pytest.mark.parametrize(
        ("harkonnen", "atreides", "open_"), [(2, 1, True), (1, 1, False), (1, 2, False), (1, 0, True)]
    )
    @covers("WFA-A.4", "WFA-A.11")
    def test_desert_power_while_the_atreides_have_fewer_dice(self, harkonnen: int, atreides: int, open_: bool) -> None:
        war = turn(War().dice(HARKONNEN, mentat=harkonnen).dice(ATREIDES, mentat=atreides), ATREIDES)
        assert (TakeDesertPower() in war.legal(ATREIDES)) is open_

    @covers("WFA-A.4")
    def test_the_harkonnen_have_no_desert_power(self) -> None:
        war = turn(War().dice(HARKONNEN, mentat=1).dice(ATREIDES, mentat=4), HARKONNEN)
        assert TakeDesertPower() not in war.legal(HARKONNEN)

    @covers("WFA-A.10")
    def test_a_turn_cannot_be_passed(self) -> None:
        war = turn(self.both(), HARKONNEN)
        assert Done() not in war.legal(HARKONNEN)

    @covers("WFA-A.30", "WFA-A.32")
    def test_a_leader_whose_card_is_up_offers_its_special_action_off_the_board_too(self) -> None:
        war = self.both().leader("baron_harkonnen")
        turn(war, HARKONNEN)
        assert [act for act in war.legal(HARKONNEN) if isinstance(act, UseSpecial)] == [
            UseSpecial("house", "baron_harkonnen")
        ]

    @pytest.mark.parametrize(("figure", "card"), [("tank/2", "ready"), ("aside", "spent")])
    @covers("WFA-A.30", "WFA-A.31", "WFA-T.12")
    def test_not_from_the_tank_and_not_twice_in_a_round(self, figure: str, card: str) -> None:
        war = self.both().leader("baron_harkonnen", figure, card=card)
        assert not [act for act in turn(war, HARKONNEN).legal(HARKONNEN) if isinstance(act, UseSpecial)]

    @covers("WFA-A.20", "WFA-A.30")
    def test_an_atreides_house_die_reaches_the_leaders_of_every_box(self) -> None:
        war = War().dice(ATREIDES, house=1).dice(HARKONNEN, house=1)
        for leader, place in (("stilgar", "aside"), ("paul_atreides", "se_1")):
            war.leader(leader, place)
        turn(war, ATREIDES)
        specials = {act.leader for act in war.legal(ATREIDES) if isinstance(act, UseSpecial)}
        assert specials == {"stilgar", "paul_atreides"}


class TestStrategyAndLeadership:
    def legions(self) -> War:
        war = War().dice(HARKONNEN, strategy=1, leadership=1)
        war.legion(HARKONNEN, "carthag", regular=2, leader=1).legion(HARKONNEN, "arsunt", regular=2)
        return war.legion(ATREIDES, "hagga_basin", regular=1)

    @covers("WFA-A.14", "WFA-X.3", "WFA-A.5")
    def test_strategy_moves_two_legions_or_attacks_with_one_not_both(self) -> None:
        war = turn(self.legions(), HARKONNEN).answer(HARKONNEN, TakeAction("strategy", "move"))
        war.answer(HARKONNEN, move("carthag", "arrakeen", regular=2, leader=1))
        kinds = {type(act) for act in war.legal(HARKONNEN)}
        assert kinds == {MoveLegion, Done}
        war = turn(self.legions(), HARKONNEN).answer(HARKONNEN, TakeAction("strategy", "attack"))
        assert {type(act) for act in war.legal(HARKONNEN)} == {Attack, Done}

    @covers("WFA-A.15")
    def test_leadership_makes_a_surprise_attack_with_a_led_legion(self) -> None:
        war = turn(self.legions(), HARKONNEN).answer(HARKONNEN, TakeAction("leadership", "surprise"))
        attacks = [act for act in war.legal(HARKONNEN) if isinstance(act, Attack)]
        assert {act.source for act in attacks} == {"carthag"}
        war.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", "shield")
        war.answer(HARKONNEN, attacks[0])
        assert war.hits() == [(0, 0)], "one shield stops the Special that the Bashar has turned"
        war.unfix()


class TestDeployment:
    def harkonnen(self) -> War:
        war = War().village("carthag").village("arsunt").legion(HARKONNEN, "carthag", regular=2)
        war.put("figure/beast_rabban", "aside")
        return war.run(DeployUnits(seat=war.harkonnen))

    def deploy(self, arsunt: int, carthag: int, leader: str = "", place: str = "") -> Deploy:
        return Deploy((carthag, arsunt), leader, place)

    @covers("WFA-A.17")
    def test_three_regulars_and_a_leader_are_spread_over_settlements(self) -> None:
        war = self.harkonnen()
        war.refused(HARKONNEN, self.deploy(2, 2))
        war.answer(HARKONNEN, self.deploy(2, 1, "beast_rabban", "arsunt"))
        assert war.figures(HARKONNEN, "arsunt") == (2, 0, 0, 0)
        assert war.figures(HARKONNEN, "carthag") == (3, 0, 0, 0)
        assert war.at(HARKONNEN, "arsunt").named == ("beast_rabban",)

    @covers("WFA-A.18", "WFA-S.26")
    def test_a_leader_goes_only_where_units_stand_or_come(self) -> None:
        war = self.harkonnen()
        war.refused(HARKONNEN, self.deploy(0, 3, "bashar", "arsunt"), "WFA-A.18")
        assert war.options(HARKONNEN).contains(self.deploy(0, 0, "bashar", "carthag"))
        assert war.options(HARKONNEN).contains(self.deploy(1, 0, "bashar", "arsunt"))

    @covers("WFA-A.12")
    def test_any_part_may_be_left_out(self) -> None:
        war = self.harkonnen()
        war.answer(HARKONNEN, self.deploy(0, 0))
        assert war.done

    @covers("WFA-A.17", "WFA-S.17")
    def test_no_more_regulars_than_the_supply_has(self) -> None:
        war = War().village("carthag").put("supply/harkonnen", (2, 12, 8, 6)).run(DeployUnits(seat=0))
        assert max(sum(act.regulars) for act in war.legal(HARKONNEN) if isinstance(act, Deploy)) == 2

    @covers("WFA-A.17", "WFA-S.28")
    def test_the_stacking_limit_holds_at_once(self) -> None:
        war = War().village("carthag").legion(HARKONNEN, "carthag", regular=5)
        war.run(DeployUnits(seat=war.harkonnen)).answer(HARKONNEN, Deploy((3,), "", ""))
        assert war.where == "Settle.stacking"

    @covers("WFA-A.16", "WFA-S.20")
    def test_the_atreides_draw_a_token_look_at_it_and_lay_it_with_a_leader(self) -> None:
        war = War().sietch("tasmin_sink").sietch("gara_kulon").put("figure/stilgar", "aside")
        war.run(DeployTokenAndLeader(seat=war.atreides)).answer(ATREIDES, DrawToken())
        (token,) = war.g.table["drawn_token"]
        assert any(token in repr(event) for event in war.seen(ATREIDES))
        assert not any(token in repr(event) for event in war.seen(HARKONNEN))
        war.answer(ATREIDES, DeployToken("gara_kulon", "stilgar"))
        assert war.at(ATREIDES, "gara_kulon") == ((0, 0, 0, 0), ("stilgar",), (token,))

    @covers("WFA-S.25", "WFA-A.18")
    def test_without_tokens_in_the_bag_only_a_leader_is_deployed(self) -> None:
        war = War().sietch("tasmin_sink").sietch("gara_kulon").legion(ATREIDES, "tasmin_sink", regular=1)
        war.put("bag", None).run(DeployTokenAndLeader(seat=war.atreides))
        assert set(war.legal(ATREIDES)) == {Done(), DeployLeader("tasmin_sink", "naib")}
        war.answer(ATREIDES, DeployLeader("tasmin_sink", "naib"))
        assert war.figures(ATREIDES, "tasmin_sink") == (1, 0, 0, 1)

    @covers("WFA-B.51")
    def test_a_destroyed_settlement_takes_no_figures(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2)
        war.run(DeployUnits(seat=war.harkonnen))
        assert war.done


class TestMentat:
    def war(self) -> War:
        return War().put("deck/house_atreides", ("war_plan", "the_voice")).put("deck/fremen_ally", ("thumpers",))

    @covers("WFA-A.19")
    def test_two_cards_the_decks_named_beforehand(self) -> None:
        war = self.war()
        war.run(DrawPlanningCards(seat=war.atreides))
        assert {act.cards for act in war.legal(ATREIDES) if isinstance(act, DrawCards) and sum(act.cards) == 2} == {
            (2, 0),
            (1, 1),
        }, "the Fremen Ally have one card left"
        war.answer(ATREIDES, DrawCards((1, 1)))
        assert war.g.hand(war.atreides) == ("the_voice", "thumpers")

    @covers("WFA-A.34")
    def test_an_empty_deck_gives_no_more_cards(self) -> None:
        war = War().put("discard/house_atreides", ("war_plan",))
        war.run(DrawPlanningCards(seat=war.atreides))
        assert war.done
        assert war.g.table["discard/house_atreides"] == ("war_plan",)

    @covers("WFA-A.33")
    def test_a_played_card_goes_face_up_to_the_discards_of_its_deck(self) -> None:
        war = War().hand(ATREIDES, "war_plan")
        war.g.discard(war.atreides, "war_plan")
        assert war.g.table["discard/house_atreides"] == ("war_plan",)


class TestHouse:
    @covers("WFA-A.21", "WFA-A.22", "WFA-S.17")
    def test_two_regulars_wherever_they_are_become_elites(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1).legion(HARKONNEN, "arsunt", regular=3)
        war.run(Upgrade(seat=war.harkonnen)).answer(HARKONNEN, UpgradeUnits((1, 1)))
        assert war.figures(HARKONNEN, "carthag") == (0, 1, 0, 0)
        assert war.figures(HARKONNEN, "arsunt") == (2, 1, 0, 0)

    @covers("WFA-S.17")
    def test_no_more_than_the_box_holds(self) -> None:
        war = War().legion(HARKONNEN, "carthag", elite=3, special=2)
        for area in ("arsunt", "arrakeen"):
            war.legion(HARKONNEN, area, special=3 if area == "arsunt" else 2)
        war.run(Upgrade(seat=war.harkonnen, count=3, kind=ELITE, by=SPECIAL))
        assert max(sum(act.units) for act in war.legal(HARKONNEN) if isinstance(act, UpgradeUnits)) == 1


class TestSupply:
    @covers("WFA-S.19", "WFA-S.17")
    def test_lower_kinds_stand_in_for_kinds_that_have_run_out(self) -> None:
        war = War().put("supply/atreides", (16, 1, 0, 12)).legion(ATREIDES, "se_1", tokens=("atreides_standard_6",))
        war.run(TurnUpTokens(area="se_1"))
        assert war.figures(ATREIDES, "se_1") == (1, 1, 0, 0), "the Elite is there, the Fedaykin is not"
