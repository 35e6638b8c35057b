"""Special actions of named leaders: when they are open, and what each of them does."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    Attack,
    BringForces,
    ChooseTarget,
    DeployLeader,
    DeployToken,
    Done,
    DrawCards,
    DrawToken,
    LayWormsigns,
    MoveLegion,
    RemoveExcess,
    RetreatTo,
    TakeAction,
    UpgradeUnits,
    UseSpecial,
)
from landsraad_engine.arrakis.announcements import LeaderActs
from landsraad_engine.arrakis.leaders.special import SpecialAction, leaders_for
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack, move

EDITIONS = ("exclusive", "v1_1", "preview_2022")
RESULTS = ("leadership", "strategy", "deployment", "mentat", "house")


def ready(side: str, leader: str, place: str = "aside", **options: Any) -> War:
    """A leader in play, a die of each result for either side."""
    war = War(**options).leader(leader, place)
    dice = dict.fromkeys(RESULTS, 1)
    return war.dice(HARKONNEN, **dice).dice(ATREIDES, **dice)


def offered(war: War, side: str) -> set[tuple[str, str]]:
    """Dice and leaders of the special actions that are open to a side in its turn."""
    return {(act.die, act.leader) for act in war.legal(side, UseSpecial)}


def use(war: War, side: str, leader: str) -> War:
    """Spend the die of the leader's own box on the special action."""
    war.run(ActionTurn(side=side))
    return war.answer(side, UseSpecial(war.g.leader(leader).box, leader))


def decks(war: War) -> War:
    """Planning decks with a few known cards, top last."""
    war.lay("deck/house_harkonnen", "sandmasters", "arsunt_legion", "spotter_control", "forced_recruitment")
    war.lay("deck/corrino_ally", "shigawire", "troop_carriers", "sardaukar_pogrom")
    war.lay("deck/house_atreides", "death_commandos", "chatt_the_leaper", "war_plan")
    return war.lay("deck/fremen_ally", "sandtides", "stillsuits", "hieregs")


class TestOpen:
    @covers("WFA-A.30", "WFA-A.31")
    def test_the_card_is_spent_once_the_action_is_executed(self) -> None:
        war = use(
            ready(HARKONNEN, "baron_harkonnen").legion(HARKONNEN, "carthag", regular=1), HARKONNEN, "baron_harkonnen"
        )
        assert war.g.table["card/baron_harkonnen"] == "ready"
        war.answer(HARKONNEN, UpgradeUnits((1,)))
        assert war.g.table["card/baron_harkonnen"] == "spent"
        war.run(ActionTurn(side=HARKONNEN))
        assert not offered(war, HARKONNEN)
        assert war.announced(LeaderActs) == [LeaderActs("baron_harkonnen")]
        assert war.told("announce")[0].rule == "WFA-L.3", "the log says which statement describes him"

    @covers("WFA-A.32", "WFA-A.35")
    def test_a_leader_aside_acts_unless_his_own_legion_is_needed(self) -> None:
        war = ready(HARKONNEN, "baron_harkonnen").leader("beast_rabban")
        assert offered(war.run(ActionTurn(side=HARKONNEN)), HARKONNEN) == {("house", "baron_harkonnen")}
        war = ready(HARKONNEN, "beast_rabban", "carthag").legion(HARKONNEN, "carthag", regular=1)
        assert offered(war.run(ActionTurn(side=HARKONNEN)), HARKONNEN) == {("leadership", "beast_rabban")}

    @covers("WFA-T.12", "WFA-A.32")
    def test_a_leader_in_the_tank_does_not_act(self) -> None:
        war = ready(HARKONNEN, "baron_harkonnen", "tank/0").run(ActionTurn(side=HARKONNEN))
        assert not offered(war, HARKONNEN)

    @covers("WFA-A.12", "WFA-A.13", "WFA-X.4")
    def test_each_part_may_be_left_out_but_their_order_stands(self) -> None:
        war = ready(HARKONNEN, "feyd_rautha").legion(HARKONNEN, "carthag", regular=2, named=("feyd_rautha",))
        war.legion(ATREIDES, "arsunt", regular=1)
        use(war, HARKONNEN, "feyd_rautha")
        assert not war.legal(HARKONNEN, Attack)
        war.answer(HARKONNEN, Done())
        assert war.legal(HARKONNEN, Attack)
        war.answer(HARKONNEN, Done())
        assert war.done

    @covers("WFA-L.24", "WFA-A.31")
    def test_who_takes_a_leaders_place_in_the_midst_of_the_action_is_spent_with_it(self) -> None:
        war = ready(ATREIDES, "paul_atreides").legion(ATREIDES, "ne_5", regular=1, named=("paul_atreides",))
        war.station("ne_4", "kwisatz_haderach").markers(kwisatz_haderach=2)
        war.legion(HARKONNEN, "ne_1", regular=1)
        use(war, ATREIDES, "paul_atreides").answer(
            ATREIDES, move("ne_5", "ne_4", regular=1, leaders=("paul_atreides",))
        )
        assert war.g.whereabouts("paul_muad_dib") == "ne_4"
        assert {act.target for act in war.legal(ATREIDES, Attack)} == {"ne_1"}, "the action goes on"
        war.answer(ATREIDES, Done())
        assert war.g.table["card/paul_muad_dib"] == "spent"
        assert "card/paul_atreides" not in war.g.table

    @pytest.mark.parametrize("back_to", ["pasty_mesa", "se_2"])
    @covers("WFA-L.38", "WFA-M.41")
    def test_rabban_moves_once_more_wherever_a_sandworm_has_driven_him_from_his_first_move(self, back_to: str) -> None:
        war = ready(HARKONNEN, "beast_rabban").wormsign("se_1", "sandworm")
        war.legion(HARKONNEN, "pasty_mesa", regular=2, named=("beast_rabban",))
        use(war, HARKONNEN, "beast_rabban").answer(
            HARKONNEN, move("pasty_mesa", "se_1", regular=2, leaders=("beast_rabban",))
        )
        war.answer(ATREIDES, RetreatTo(back_to))
        assert {act.source for act in war.legal(HARKONNEN, MoveLegion)} == {back_to}
        war.answer(HARKONNEN, Done())
        assert "here" not in war.g.table


@pytest.mark.parametrize("edition", EDITIONS)
class TestHouseHarkonnen:
    @covers("WFA-L.3")
    def test_the_baron_makes_three_elites_of_regulars(self, edition: str) -> None:
        war = ready(HARKONNEN, "baron_harkonnen", edition=edition)
        war.legion(HARKONNEN, "carthag", regular=2).legion(HARKONNEN, "arsunt", regular=2)
        use(war, HARKONNEN, "baron_harkonnen")
        assert max(sum(act.units) for act in war.legal(HARKONNEN, UpgradeUnits)) == 3
        war.answer(HARKONNEN, UpgradeUnits((2, 1)))
        assert war.figures(HARKONNEN, "carthag") == (0, 2, 0, 0)
        assert war.figures(HARKONNEN, "arsunt") == (1, 1, 0, 0)

    @covers("WFA-L.4", "WFA-A.35")
    def test_rabban_leads_his_legion_and_leads_it_on(self, edition: str) -> None:
        war = ready(HARKONNEN, "beast_rabban", edition=edition)
        war.legion(HARKONNEN, "carthag", regular=3, named=("beast_rabban",)).legion(HARKONNEN, "pasty_mesa", regular=1)
        use(war, HARKONNEN, "beast_rabban")
        moves = war.legal(HARKONNEN, MoveLegion)
        assert {(act.source, act.leaders) for act in moves} == {("carthag", ("beast_rabban",))}
        war.answer(HARKONNEN, move("carthag", "arsunt", regular=2, leaders=("beast_rabban",)))
        moves = war.legal(HARKONNEN, MoveLegion)
        assert {(act.source, act.leaders) for act in moves} == {("arsunt", ("beast_rabban",))}
        war.answer(HARKONNEN, move("arsunt", "hagga_basin", regular=1, leaders=("beast_rabban",)))
        assert war.at(HARKONNEN, "hagga_basin") == ((1, 0, 0, 0), ("beast_rabban",), ())
        assert war.figures(HARKONNEN, "arsunt") == (1, 0, 0, 0)
        assert war.g.table["card/beast_rabban"] == "spent"

    @covers("WFA-L.4")
    def test_rabban_does_not_move_once_more_if_he_has_not_moved(self, edition: str) -> None:
        war = ready(HARKONNEN, "beast_rabban", edition=edition)
        war.legion(HARKONNEN, "carthag", regular=3, named=("beast_rabban",))
        use(war, HARKONNEN, "beast_rabban").answer(HARKONNEN, Done())
        assert war.done

    @covers("WFA-L.38", "WFA-M.2", "WFA-S.28")
    def test_rabban_takes_others_along_in_his_second_move_and_leaves_some_behind(self, edition: str) -> None:
        war = ready(HARKONNEN, "beast_rabban", edition=edition)
        war.legion(HARKONNEN, "carthag", regular=2, named=("beast_rabban",)).legion(HARKONNEN, "arsunt", elite=5)
        use(war, HARKONNEN, "beast_rabban")
        war.answer(HARKONNEN, move("carthag", "arsunt", regular=2, leaders=("beast_rabban",)))
        war.answer(HARKONNEN, RemoveExcess((1, 0, 0), ()))
        war.answer(HARKONNEN, move("arsunt", "hagga_basin", elite=3, leaders=("beast_rabban",)))
        assert war.done
        assert war.at(HARKONNEN, "hagga_basin") == ((0, 3, 0, 0), ("beast_rabban",), ())
        assert war.figures(HARKONNEN, "arsunt") == (1, 2, 0, 0)

    @covers("WFA-L.38", "WFA-L.4", "WFA-M.23")
    def test_only_the_first_move_of_rabban_may_be_a_flight(self, edition: str) -> None:
        war = ready(HARKONNEN, "beast_rabban", edition=edition).ornithopter("z1").ornithopter("z2")
        war.legion(HARKONNEN, "carthag", regular=2, named=("beast_rabban",))
        use(war, HARKONNEN, "beast_rabban")
        assert any(act.ornithopter for act in war.legal(HARKONNEN, MoveLegion))
        war.answer(HARKONNEN, move("carthag", "arrakeen", regular=2, leaders=("beast_rabban",)))
        flight = move("arrakeen", "cne_5", regular=2, leaders=("beast_rabban",), ornithopter="z1")
        war.refused(HARKONNEN, flight)
        assert {act.ornithopter for act in war.legal(HARKONNEN, MoveLegion)} == {""}
        targets = {act.target for act in war.legal(HARKONNEN, MoveLegion)}
        assert targets <= set(war.g.board.names(war.g.board.adjacent["arrakeen"]))

    @covers("WFA-L.5", "WFA-A.35")
    def test_feyd_moves_and_attacks(self, edition: str) -> None:
        war = ready(HARKONNEN, "feyd_rautha", edition=edition)
        war.legion(HARKONNEN, "carthag", regular=3, named=("feyd_rautha",)).legion(HARKONNEN, "gara_kulon", elite=1)
        war.legion(ATREIDES, "hagga_basin", regular=1)
        use(war, HARKONNEN, "feyd_rautha").answer(
            HARKONNEN, move("carthag", "arsunt", regular=3, leaders=("feyd_rautha",))
        )
        attacks = war.legal(HARKONNEN, Attack)
        assert {(act.source, act.target) for act in attacks} == {("arsunt", "hagga_basin")}
        war.rolls("combat/harkonnen", "hit", "special", "hit").rolls("combat/atreides", "shield")
        war.answer(HARKONNEN, attack("arsunt", "hagga_basin", regular=3, leaders=("feyd_rautha",)))
        assert war.hits() == [(0, 3)], "a Special is worth two hits and a shield to him; no surprise"

    @covers("WFA-L.6", "WFA-L.7")
    def test_hawat_draws_three_cards_of_house_harkonnen(self, edition: str) -> None:
        war = use(decks(ready(HARKONNEN, "thufir_hawat", edition=edition)), HARKONNEN, "thufir_hawat")
        assert set(war.legal(HARKONNEN)) == {DrawCards((n,)) for n in range(4)}
        war.answer(HARKONNEN, DrawCards((3,)))
        assert war.g.hand(war.harkonnen) == ("arsunt_legion", "forced_recruitment", "spotter_control")


@pytest.mark.parametrize("edition", EDITIONS)
class TestCorrinoAlly:
    @covers("WFA-L.8", "WFA-A.29", "WFA-S.26")
    def test_aramsham_brings_two_regulars_a_sardaukar_and_a_leader_over_settlements(self, edition: str) -> None:
        war = ready(HARKONNEN, "captain_aramsham", edition=edition).village("carthag").village("arsunt")
        use(war, HARKONNEN, "captain_aramsham")
        war.refused(HARKONNEN, BringForces("arsunt", (0, 0, 0, 0), ("captain_aramsham",)), "WFA-S.26")
        war.refused(HARKONNEN, BringForces("arsunt", (2, 0, 2, 0), ()))
        war.answer(HARKONNEN, BringForces("arsunt", (1, 0, 0, 0), ("captain_aramsham",)))
        war.refused(HARKONNEN, BringForces("arsunt", (0, 0, 0, 1), ()))
        war.answer(HARKONNEN, BringForces("carthag", (1, 0, 1, 0), ()))
        assert war.done
        assert war.at(HARKONNEN, "arsunt") == ((1, 0, 0, 0), ("captain_aramsham",), ())
        assert war.figures(HARKONNEN, "carthag") == (1, 0, 1, 0)

    @covers("WFA-L.8", "WFA-S.19")
    def test_a_regular_or_elite_may_come_in_place_of_his_sardaukar(self, edition: str) -> None:
        war = ready(HARKONNEN, "captain_aramsham", edition=edition).village("carthag")
        use(war, HARKONNEN, "captain_aramsham")
        assert war.options(HARKONNEN).contains(BringForces("carthag", (3, 0, 0, 1), ()))
        war.answer(HARKONNEN, BringForces("carthag", (0, 1, 0, 0), ()))
        war.refused(HARKONNEN, BringForces("carthag", (0, 0, 1, 0), ()))
        war.answer(HARKONNEN, BringForces("carthag", (2, 0, 0, 1), ()))
        assert war.done

    @covers("WFA-L.9", "WFA-C.3")
    def test_gaius_draws_two_corrino_cards_then_plays_one(self, edition: str) -> None:
        war = use(decks(ready(HARKONNEN, "gaius_helen_mohiam", edition=edition)), HARKONNEN, "gaius_helen_mohiam")
        war.answer(HARKONNEN, DrawCards((2,)))
        assert war.g.hand(war.harkonnen) == ("sardaukar_pogrom", "troop_carriers")
        assert set(war.legal(HARKONNEN)) == {
            Done(),
            ChooseTarget("play_another", "sardaukar_pogrom"),
            ChooseTarget("play_another", "troop_carriers"),
        }
        war.answer(HARKONNEN, ChooseTarget("play_another", "troop_carriers"))
        while not war.done:
            war.answer(HARKONNEN, Done())
        assert war.g.table["discard/corrino_ally"] == ("troop_carriers",)
        assert war.g.get("dice/giedi_prime/used") == (1, 0), "the second card cost no die"

    @covers("WFA-L.10")
    def test_shaddam_makes_three_sardaukar_of_elites(self, edition: str) -> None:
        war = ready(HARKONNEN, "emperor_shaddam_iv", edition=edition).legion(HARKONNEN, "carthag", regular=1, elite=4)
        use(war, HARKONNEN, "emperor_shaddam_iv")
        assert max(sum(act.units) for act in war.legal(HARKONNEN, UpgradeUnits)) == 3
        war.answer(HARKONNEN, UpgradeUnits((3,)))
        assert war.figures(HARKONNEN, "carthag") == (1, 1, 3, 0)


@pytest.mark.parametrize("edition", EDITIONS)
class TestHouseAtreides:
    @covers("WFA-L.13", "WFA-A.35")
    def test_paul_moves_and_then_attacks_by_surprise(self, edition: str) -> None:
        war = ready(ATREIDES, "paul_atreides", edition=edition)
        war.legion(ATREIDES, "hagga_basin", regular=2, named=("paul_atreides",)).legion(HARKONNEN, "carthag", regular=1)
        use(war, ATREIDES, "paul_atreides").answer(
            ATREIDES, move("hagga_basin", "arsunt", regular=2, leaders=("paul_atreides",))
        )
        war.rolls("combat/atreides", "shield", "shield").rolls("combat/harkonnen", "hit")
        war.answer(ATREIDES, attack("arsunt", "carthag", regular=2, leaders=("paul_atreides",)))
        # He makes a hit of the Special that a surprise adds; in 2022 it adds none.
        assert war.hits() == [(0, 0 if edition == "preview_2022" else 1)]

    @covers("WFA-L.14", "WFA-A.13")
    def test_jessica_draws_two_puts_one_back_draws_one(self, edition: str) -> None:
        war = use(decks(ready(ATREIDES, "lady_jessica", edition=edition)), ATREIDES, "lady_jessica")
        war.answer(ATREIDES, DrawCards((1, 1)))
        assert set(war.legal(ATREIDES)) == {
            Done(),
            ChooseTarget("return_card", "war_plan"),
            ChooseTarget("return_card", "hieregs"),
        }
        war.answer(ATREIDES, ChooseTarget("return_card", "hieregs"))
        assert war.g.table["deck/fremen_ally"][-1] == "hieregs"
        assert not any("hieregs" in repr(event) for event in war.seen(HARKONNEN)), "it goes back face down"
        war.answer(ATREIDES, DrawCards((1, 0)))
        assert war.g.hand(war.atreides) == ("chatt_the_leaper", "war_plan")
        assert war.done

    @covers("WFA-L.15", "WFA-C.3")
    def test_the_reverend_mother_draws_two_and_plays_one(self, edition: str) -> None:
        leader = "reverend_mother_jessica"
        war = use(decks(ready(ATREIDES, leader, edition=edition)), ATREIDES, leader)
        war.answer(ATREIDES, DrawCards((0, 2)))
        assert set(war.legal(ATREIDES)) == {
            Done(),
            ChooseTarget("play_another", "hieregs"),
            ChooseTarget("play_another", "stillsuits"),
        }
        war.answer(ATREIDES, Done())
        assert war.done

    @covers("WFA-L.16")
    def test_gurney_has_no_special_action(self, edition: str) -> None:
        war = ready(ATREIDES, "gurney_halleck", "se_1", edition=edition).legion(ATREIDES, "se_1", regular=1)
        assert war.g.leader("gurney_halleck").special == ()
        assert not offered(war.run(ActionTurn(side=ATREIDES)), ATREIDES)

    @covers("WFA-L.17")
    def test_alia_sends_off_a_bashar_in_a_sector_with_an_atreides_legion(self, edition: str) -> None:
        war = ready(ATREIDES, "alia", edition=edition).legion(ATREIDES, "se_1", regular=1)
        war.legion(HARKONNEN, "se_5", regular=1, leader=2).legion(HARKONNEN, "nw_15", regular=1, leader=1)
        use(war, ATREIDES, "alia")
        assert set(war.legal(ATREIDES)) == {Done(), ChooseTarget("remove_leader", "se_5")}
        war.answer(ATREIDES, ChooseTarget("remove_leader", "se_5"))
        assert war.figures(HARKONNEN, "se_5") == (1, 0, 0, 1)
        assert war.g.supply(HARKONNEN)[3] == 4

    @covers("WFA-L.17", "WFA-A.20")
    def test_alias_die_is_then_used_as_any_result(self, edition: str) -> None:
        war = ready(ATREIDES, "alia", edition=edition).leader("stilgar")
        use(war, ATREIDES, "alia")
        legal = war.legal(ATREIDES)
        assert {act.action for act in legal if isinstance(act, TakeAction)} == {
            *("move", "attack", "lead", "surprise", "deploy_token", "mentat")
        }
        assert {act.leader for act in legal if isinstance(act, UseSpecial)} == {"stilgar"}, "her own is in progress"
        decks(war).again().answer(ATREIDES, TakeAction("house", "mentat")).answer(ATREIDES, DrawCards((1, 1)))
        assert war.done
        assert war.g.get("dice/sietch_tabr/used") == (1, 0)
        assert war.g.table["card/alia"] == "spent"

    @covers("WFA-L.17", "WFA-A.31")
    def test_by_alias_die_another_leader_acts_and_both_are_spent(self, edition: str) -> None:
        war = ready(ATREIDES, "alia", edition=edition).leader("stilgar")
        war.sietch("tasmin_sink")
        use(war, ATREIDES, "alia").answer(ATREIDES, UseSpecial("house", "stilgar")).answer(ATREIDES, Done())
        assert (war.g.table["card/alia"], war.g.table["card/stilgar"]) == ("spent", "spent")


@pytest.mark.parametrize("edition", EDITIONS)
class TestFremenAlly:
    @covers("WFA-L.18", "WFA-A.24")
    def test_paul_muad_dib_moves_attacks_and_takes_a_desert_power_action(self, edition: str) -> None:
        war = ready(ATREIDES, "paul_muad_dib", edition=edition)
        war.legion(ATREIDES, "hagga_basin", regular=2, named=("paul_muad_dib",))
        use(war, ATREIDES, "paul_muad_dib")
        war.answer(ATREIDES, move("hagga_basin", "arsunt", regular=2, leaders=("paul_muad_dib",)))
        assert war.where == "DesertPower.choose", "there is nobody to attack"
        war.answer(ATREIDES, LayWormsigns(("se_1", "se_3")))
        assert war.g.table["card/paul_muad_dib"] == "spent"
        assert war.g.get("wormsign/se_1")

    @covers("WFA-L.18", "WFA-A.32")
    def test_muad_dib_aside_still_gives_desert_power(self, edition: str) -> None:
        war = use(ready(ATREIDES, "paul_muad_dib", edition=edition), ATREIDES, "paul_muad_dib")
        assert war.where == "DesertPower.choose"

    @covers("WFA-L.19", "WFA-A.16")
    def test_stilgar_deploys_a_token_and_two_leaders_over_sietches(self, edition: str) -> None:
        war = ready(ATREIDES, "stilgar", edition=edition).sietch("tasmin_sink").sietch("gara_kulon")
        war.legion(ATREIDES, "gara_kulon", regular=1)
        use(war, ATREIDES, "stilgar").answer(ATREIDES, DrawToken()).answer(ATREIDES, DeployToken("tasmin_sink", ""))
        war.answer(ATREIDES, DeployLeader("gara_kulon", "naib")).answer(
            ATREIDES, DeployLeader("tasmin_sink", "stilgar")
        )
        assert war.done
        assert war.at(ATREIDES, "tasmin_sink")[:2] == ((0, 0, 0, 0), ("stilgar",))
        assert war.figures(ATREIDES, "gara_kulon") == (1, 0, 0, 1)

    @covers("WFA-L.20", "WFA-A.24")
    def test_chani_moves_two_legions_then_takes_a_desert_power_action(self, edition: str) -> None:
        war = (
            ready(ATREIDES, "chani", edition=edition)
            .legion(ATREIDES, "se_1", regular=1)
            .legion(ATREIDES, "arsunt", regular=1)
        )
        use(war, ATREIDES, "chani").answer(ATREIDES, move("arsunt", "carthag", regular=1))
        assert {act.source for act in war.legal(ATREIDES, MoveLegion)} == {"se_1"}
        war.answer(ATREIDES, Done())
        assert war.where == "DesertPower.choose"


@covers("WFA-A.30")
def test_special_actions_of_the_other_half_of_a_faction_are_its_own() -> None:
    war = ready(HARKONNEN, "baron_harkonnen").put("powers/0", ("corrino_ally",))
    assert leaders_for(war.g, war.harkonnen, "house") == ()
    war.put("powers/0", ("house_harkonnen",))
    assert leaders_for(war.g, war.harkonnen, "house") == ("baron_harkonnen",)


@covers("WFA-A.12")
def test_a_special_action_with_nothing_to_do_passes_by() -> None:
    war = War().run(SpecialAction(seat=0, leader="baron_harkonnen"))
    assert war.done
    assert war.g.table.get("card/baron_harkonnen") is None
