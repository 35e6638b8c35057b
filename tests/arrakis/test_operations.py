"""The operations that content files are made of: what each one means."""

import pytest

from landsraad_engine.arrakis.acts import (
    Attack,
    BringForces,
    ChooseMarker,
    ChooseTarget,
    DeployLeader,
    DeployToken,
    DiscardCards,
    Done,
    DrawCards,
    DrawToken,
    LayWormsigns,
    MoveLegion,
    MoveWorm,
    StrikeWithWorm,
    TakeWorm,
    UpgradeUnits,
)
from landsraad_engine.arrakis.operations import vocabulary as rows
from landsraad_engine.arrakis.operations.conditions import CONDITIONS, holds
from landsraad_engine.arrakis.operations.deeds import DEEDS
from landsraad_engine.arrakis.operations.effects import EFFECTS, effect
from landsraad_engine.arrakis.operations.vocabulary import Operation
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import Since
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War
from landsraad_engine.testing.seat_knowledge import faces_known_to

TOKENS = ("atreides_starting_1", "atreides_starting_2", "atreides_starting_3")


def do(war: War, row: Operation, side: str = ATREIDES) -> War:
    """Carry a row out for a side."""
    return war.run(effect(row, war.g, war.seat(side)))


def can(war: War, row: Operation, side: str = ATREIDES) -> bool:
    """Whether a deed can be done."""
    return DEEDS[type(row)].possible(row, war.g, war.seat(side))


@covers("WFA-Q.15", "WFA-U.10")
def test_every_operation_of_the_vocabulary_has_a_meaning() -> None:
    assert set(rows.KINDS["requirement"]) == {*CONDITIONS, *DEEDS}
    assert {*rows.KINDS["reward"], *rows.KINDS["special"]} == {*EFFECTS, rows.UseAnyResultRow}


class TestWhereUnitsAre:
    def war(self) -> War:
        war = War().legion(ATREIDES, "harg_pass", regular=2).legion(ATREIDES, "cne_7", special=2, tokens=TOKENS[:1])
        war.legion(ATREIDES, "tasmin_sink", elite=1).sietch("tasmin_sink")
        return war.legion(HARKONNEN, "se_1", regular=1)

    @pytest.mark.parametrize(
        ("row", "met"),
        [
            (rows.UnitsInAreasRow(areas=3), True),
            (rows.UnitsInAreasRow(areas=4), False),
            (rows.UnitsInAreasRow(side="harkonnen"), True),
            (rows.UnitsInAreasRow(side="harkonnen", areas=2), False),
            (rows.UnitsInAreasRow(units=3), True),
            (rows.UnitsInAreasRow(units=2, areas=2), True),
            (rows.UnitsInAreasRow(unit="special", units=2), True),
            (rows.UnitsInAreasRow(unit="special", units=3), False),
            (rows.UnitsInAreasRow(unit="elite", settlement="with"), True),
            (rows.UnitsInAreasRow(unit="elite", settlement="without"), False),
            (rows.UnitsInAreasRow(terrain=("minor_erg",), areas=2), True),
            (rows.UnitsInAreasRow(terrain=("deep_desert",)), False),
            (rows.UnitsInAreasRow(sectors="outer", areas=2), False),
            (rows.UnitsInAreasRow(sectors="central", areas=2), True),
            (rows.UnitsInAreasRow(near=("tasmin_sink",)), True),
            (rows.UnitsInAreasRow(near=("pasty_mesa",)), False),
            (rows.UnitsInAreasRow(near=("pasty_mesa",), distance=1), True),
        ],
    )
    @covers("WFA-Q.12", "WFA-Q.10", "WFA-S.21")
    def test_areas_of_a_kind_with_so_many_units(self, row: rows.UnitsInAreasRow, met: bool) -> None:
        assert holds(row, self.war().g) is met


class TestWhereLeadersAre:
    def war(self) -> War:
        war = War().put("figure/lady_jessica", "tasmin_sink").put("figure/paul_atreides", "se_1").sietch("tasmin_sink")
        return war.put("figure/stilgar", "se_8").put("figure/chani", "aside")

    @pytest.mark.parametrize(
        ("row", "met"),
        [
            (rows.LeaderInRow("jessica"), True),
            (rows.LeaderInRow("reverend_mother_jessica"), True),
            (rows.LeaderInRow("chani"), False),
            (rows.LeaderInRow("alia"), False),
            (rows.LeaderInRow("jessica", settlement="with"), True),
            (rows.LeaderInRow("paul", settlement="with"), False),
            (rows.LeaderInRow("paul", terrain=("desert",), sectors="outer"), True),
            (rows.LeaderInRow("paul", sectors="central"), False),
            (rows.LeadersTogetherRow("paul", ("stilgar",)), False),
            (rows.LeadersTogetherRow("paul", ("stilgar",), "sector"), True),
            (rows.LeadersTogetherRow("paul", ("chani", "stilgar"), "sector"), True),
            (rows.LeadersTogetherRow("paul", ("chani",), "sector"), False),
            (rows.LeadersTogetherRow("chani", ("paul",), "sector"), False),
        ],
    )
    @covers("WFA-L.25", "WFA-Q.10")
    def test_a_leader_in_some_area_or_near_others(self, row: Operation, met: bool) -> None:
        assert holds(row, self.war().g) is met

    @covers("WFA-L.25")
    def test_together_in_one_area(self) -> None:
        war = self.war().put("figure/stilgar", "se_1")
        assert holds(rows.LeadersTogetherRow("paul", ("stilgar",)), war.g)


class TestWhatStandsAndWhatHappened:
    @covers("WFA-Q.10", "WFA-Q.12")
    def test_settlements_that_still_stand(self) -> None:
        war = War().sietch("tasmin_sink").sietch("windgap").village("carthag")
        assert holds(rows.SettlementsHeldRow("atreides", 2), war.g)
        assert not holds(rows.SettlementsHeldRow("atreides", 3), war.g)
        assert holds(rows.SettlementsHeldRow("harkonnen", 1), war.g)
        assert not holds(rows.SettlementsHeldRow("harkonnen", 1, ("arrakeen",)), war.g)

    @covers("WFA-Q.12", "WFA-Q.3")
    def test_a_marker_that_has_reached_a_step(self) -> None:
        war = War().markers(jihad=4)
        assert holds(rows.MarkerAtLeastRow("jihad", 4), war.g)
        assert holds(rows.MarkerAtLeastRow("any", 3), war.g)
        assert not holds(rows.MarkerAtLeastRow("sand_dwellers", 1), war.g)
        assert not holds(rows.MarkerAtLeastRow("any", 5), war.g)

    @covers("WFA-L.33", "WFA-Q.12")
    def test_sandworms_on_the_board_the_wild_maker_among_them(self) -> None:
        war = War().worm("se_2").worm("se_4", wild_maker=True)
        assert holds(rows.WormsOnBoardRow(2), war.g)
        assert not holds(rows.WormsOnBoardRow(3), war.g)

    @pytest.mark.parametrize(("since", "times"), [("turn", 1), ("round", 2), ("game", 4)])
    @covers("WFA-Q.12", "WFA-Q.10")
    def test_how_often_something_has_happened(self, since: Since, times: int) -> None:
        war = War().put("tally/station_taken", (1, 2, 4))
        assert holds(rows.HappenedRow("station_taken", since, at_least=times), war.g)
        assert not holds(rows.HappenedRow("station_taken", since, at_least=times + 1), war.g)
        assert holds(rows.HappenedRow("station_taken", since, at_most=times), war.g)
        assert not holds(rows.HappenedRow("station_taken", since, at_most=times - 1), war.g)
        assert holds(rows.HappenedRow("sietch_destroyed", since, at_most=0), war.g)

    @covers("WFA-B.40", "WFA-B.41", "WFA-Q.10")
    def test_a_battle_that_was_won(self) -> None:
        war = War().put("won/turn", (("attacker", ("regular", "elite")),))
        assert holds(rows.BattleWonRow(), war.g)
        assert holds(rows.BattleWonRow("attacker", ("elite", "special")), war.g)
        assert not holds(rows.BattleWonRow("defender"), war.g)
        assert not holds(rows.BattleWonRow("attacker", ("special",)), war.g)
        assert not holds(rows.BattleWonRow(since="game"), war.g)

    @covers("WFA-M.12", "WFA-Q.12")
    def test_a_ride_over_so_many_areas(self) -> None:
        war = War().put("ridden", 3)
        assert holds(rows.SandrodeRow(3), war.g)
        assert not holds(rows.SandrodeRow(4), war.g)
        assert not holds(rows.SandrodeRow(1), War().g)


class TestDeeds:
    @covers("WFA-Q.9", "WFA-L.25")
    def test_a_leader_is_sent_to_the_tank_from_the_board(self) -> None:
        war = War().legion(ATREIDES, "se_1", regular=1, named=("lady_jessica",)).legion(HARKONNEN, "se_8", regular=1)
        assert can(war, rows.SendToTankRow("jessica"))
        assert not can(war, rows.SendToTankRow("jessica", "sector_without_enemy_legion"))
        assert not can(war, rows.SendToTankRow("chani"))
        row = rows.SendToTankRow("jessica")
        war.run(DEEDS[rows.SendToTankRow].done(row, war.g, war.atreides))
        assert war.g.whereabouts("lady_jessica") == "tank/0"

    @covers("WFA-Q.9")
    def test_the_north_pole_lies_in_all_central_sectors(self) -> None:
        war = War().legion(ATREIDES, "north_pole", regular=1, named=("lady_jessica",))
        row = rows.SendToTankRow("jessica", "sector_without_enemy_legion")
        assert can(war, row)
        assert not can(war.legion(HARKONNEN, "windgap", regular=1), row)

    @covers("WFA-Q.9")
    def test_forces_of_one_settlement(self) -> None:
        war = War().sietch("tasmin_sink").legion(ATREIDES, "tasmin_sink", regular=1, tokens=TOKENS[:2])
        assert can(war, rows.GiveUpForcesRow(tokens=2, units=2))
        assert not can(war, rows.GiveUpForcesRow(tokens=3, units=2))
        assert can(war, rows.GiveUpForcesRow(tokens=3, units=1, sectors="outer"))
        assert not can(war, rows.GiveUpForcesRow(tokens=1, units=1, sectors="central"))

    @covers("WFA-C.1", "WFA-Q.9")
    def test_cards_of_a_deck_or_of_any(self) -> None:
        war = War().hand(ATREIDES, "war_plan", "thumpers", "hieregs")
        assert can(war, rows.DiscardCardsRow(3))
        assert can(war, rows.DiscardCardsRow(2, "fremen_ally"))
        assert not can(war, rows.DiscardCardsRow(2, "house_atreides"))
        row = rows.DiscardCardsRow(1, "fremen_ally")
        war.run(DEEDS[rows.DiscardCardsRow].done(row, war.g, war.atreides))
        assert set(war.legal(ATREIDES)) == {DiscardCards(("hieregs",)), DiscardCards(("thumpers",))}

    @covers("WFA-Q.8")
    def test_a_die(self) -> None:
        assert not can(War(), rows.SpendActionDieRow())
        assert can(War().dice(ATREIDES, house=1), rows.SpendActionDieRow())


class TestMarkersAndCards:
    @covers("WFA-Q.1")
    def test_one_marker_or_any(self) -> None:
        war = do(War(), rows.AdvanceMarkerRow("jihad", 2))
        assert war.g.marker("jihad") == 2
        do(war, rows.AdvanceMarkerRow("any", 1)).answer(ATREIDES, ChooseMarker("sand_dwellers"))
        assert war.g.marker("sand_dwellers") == 1

    @covers("WFA-A.19", "WFA-A.12")
    def test_cards_of_either_own_deck_or_of_one(self) -> None:
        war = War().lay("deck/house_atreides", "war_plan", "the_voice").lay("deck/fremen_ally", "hieregs")
        do(war, rows.DrawCardsRow(2))
        assert {act.cards for act in war.legal(ATREIDES, DrawCards)} == {(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)}
        do(war, rows.DrawCardsRow(1, "fremen_ally")).answer(ATREIDES, DrawCards((1,)))
        assert war.g.hand(war.atreides) == ("hieregs",)

    @covers("WFA-C.3")
    def test_cards_are_played_at_no_cost_and_anybody_with_a_hand_is_asked(self) -> None:
        war = do(War().hand(HARKONNEN, "hawats_scheming"), rows.PlayCardsRow(), HARKONNEN)
        assert war.legal(HARKONNEN) == [Done()], "whether a hand holds a card to play is its secret"
        war = do(War().hand(HARKONNEN, "sandmasters"), rows.PlayCardsRow(), HARKONNEN)
        assert set(war.legal(HARKONNEN)) == {Done(), ChooseTarget("play_another", "sandmasters")}
        assert do(War(), rows.PlayCardsRow(), HARKONNEN).done

    @covers("WFA-C.1", "WFA-A.12")
    def test_cards_go_back_on_top_of_their_decks_one_by_one(self) -> None:
        war = War().hand(ATREIDES, "war_plan", "the_voice", "hieregs").lay("deck/house_atreides", "chatt_the_leaper")
        do(war, rows.ReturnCardsRow(2)).answer(ATREIDES, ChooseTarget("return_card", "war_plan")).answer(
            ATREIDES, ChooseTarget("return_card", "the_voice")
        )
        assert war.done
        assert war.g.table["deck/house_atreides"] == ("chatt_the_leaper", "war_plan", "the_voice")
        do(war, rows.ReturnCardsRow(2)).answer(ATREIDES, Done())
        assert war.g.hand(war.atreides) == ("hieregs",)

    @covers("WFA-C.7", "WFA-C.16")
    def test_the_opponent_discards_by_choice_what_it_can(self) -> None:
        war = War().hand(HARKONNEN, "sandmasters", "hawats_scheming", "hawats_scheming")
        do(war, rows.OpponentDiscardsRow(2))
        assert war.legal(HARKONNEN) == [DiscardCards(("sandmasters",))]
        war.answer(HARKONNEN, DiscardCards(("sandmasters",)))
        assert war.done
        assert do(War(), rows.OpponentDiscardsRow(1)).done, "nobody is asked for a card of an empty hand"

    @covers("WFA-C.16", "WFA-C.89")
    def test_the_opponent_loses_cards_at_random(self) -> None:
        war = War().hand(HARKONNEN, "sandmasters", "arsunt_legion", "shigawire", "hawats_scheming")
        do(war, rows.OpponentDiscardsRow(2, "random"))
        assert war.done
        assert len(war.g.hand(war.harkonnen)) == 2
        assert "hawats_scheming" in war.g.hand(war.harkonnen)
        lost = set()
        for seed in range(12):
            war = War(seed=str(seed)).hand(HARKONNEN, "sandmasters", "shigawire")
            lost.update({"sandmasters", "shigawire"} - set(do(war, rows.OpponentDiscardsRow(1, "random")).g.hand(0)))
        assert lost == {"sandmasters", "shigawire"}

    @covers("WFA-C.89")
    def test_chance_falls_on_a_back_and_then_on_a_card(self) -> None:
        war = War().hand(HARKONNEN, "sandmasters", "hawats_scheming", "shigawire")
        war.rolls("lost_card", 1)
        assert do(war, rows.OpponentDiscardsRow(1, "random")).g.hand(0) == ("hawats_scheming", "shigawire")

    @covers("WFA-C.89", "WFA-C.16")
    def test_where_nothing_can_be_discarded_nothing_is_and_everybody_sees_why(self) -> None:
        war = War().hand(HARKONNEN, "hawats_scheming", "shigawire")
        war.rolls("lost_card", 0)
        assert do(war, rows.OpponentDiscardsRow(1, "random")).g.hand(0) == ("hawats_scheming", "shigawire")
        assert war.said("declare") == [(war.harkonnen, "nothing_to_lose", True)]

    @covers("WFA-C.1")
    def test_a_look_at_the_enemy_hand_shows_it_to_nobody_else(self) -> None:
        war = do(War().hand(HARKONNEN, "sandmasters", "shigawire"), rows.LookAtHandRow())
        assert set(faces_known_to(war.g, war.atreides, "hand/house_harkonnen/0")) == {"sandmasters"}
        assert set(faces_known_to(war.g, war.atreides, "hand/corrino_ally/0")) == {"shigawire"}
        assert any("shigawire" in repr(event) for event in war.seen(ATREIDES))
        assert not any("shigawire" in repr(event.public) for event in war.events)


class TestLegions:
    def war(self) -> War:
        war = War().legion(ATREIDES, "hagga_basin", regular=2, named=("stilgar",)).legion(ATREIDES, "se_1", regular=1)
        return war.legion(HARKONNEN, "arsunt", regular=1)

    @covers("WFA-A.35", "WFA-A.12")
    def test_any_legions_or_that_of_a_leader_move(self) -> None:
        war = do(self.war(), rows.MoveLegionsRow(count=2))
        assert {act.source for act in war.legal(ATREIDES, MoveLegion)} == {"hagga_basin", "se_1"}
        war = do(self.war(), rows.MoveLegionsRow(holding="stilgar"))
        assert {act.source for act in war.legal(ATREIDES, MoveLegion)} == {"hagga_basin"}
        assert do(self.war(), rows.MoveLegionsRow(holding="chani")).done, "she is not on the board"

    @covers("WFA-L.4", "WFA-L.38")
    def test_again_only_if_the_legion_has_just_moved(self) -> None:
        again = rows.MoveLegionsRow(holding="stilgar", again=True)
        assert do(self.war(), again).done
        assert do(self.war().put("here", "hagga_basin"), again).legal(ATREIDES, MoveLegion)

    @covers("WFA-L.38")
    def test_once_more_means_next_door(self) -> None:
        def targets(*, again: bool) -> set[str]:
            war = self.war().worm("cne_1").put("here", "hagga_basin")
            row = rows.MoveLegionsRow(holding="stilgar", again=again)
            return {act.target for act in do(war, row).legal(ATREIDES, MoveLegion)}

        assert targets(again=True) < targets(again=False)

    @covers("WFA-A.35")
    def test_any_legion_or_that_of_a_leader_attacks_by_surprise_or_not(self) -> None:
        war = do(self.war(), rows.AttackWithRow("stilgar", surprise=True))
        assert {(act.source, act.target) for act in war.legal(ATREIDES, Attack)} == {("hagga_basin", "arsunt")}
        assert war.g.stack[-1].surprise
        assert not do(self.war(), rows.AttackWithRow()).g.stack[-1].surprise
        assert do(self.war(), rows.AttackWithRow("alia")).done

    @covers("WFA-S.17")
    def test_units_become_units_of_another_kind(self) -> None:
        war = do(self.war(), rows.UpgradeUnitsRow(2, "regular", "special")).answer(ATREIDES, UpgradeUnits((1, 1)))
        assert war.figures(ATREIDES, "hagga_basin") == (1, 0, 1, 0)

    @covers("WFA-A.29", "WFA-S.26")
    def test_units_and_leaders_come_to_one_settlement_or_several(self) -> None:
        units = rows.Units(regular=2)
        war = do(
            self.war().village("carthag").village("arrakeen"), rows.PlaceUnitsRow(units, "one_settlement"), HARKONNEN
        )
        war.answer(HARKONNEN, BringForces("carthag", (1, 0, 0, 0), ()))
        assert war.done, "what is left over is not brought elsewhere"
        war = do(self.war().village("carthag").village("arrakeen"), rows.PlaceUnitsRow(units, "settlements"), HARKONNEN)
        war.answer(HARKONNEN, BringForces("carthag", (1, 0, 0, 0), ()))
        assert war.options(HARKONNEN).contains(BringForces("arrakeen", (1, 0, 0, 0), ()))
        war.answer(HARKONNEN, Done())
        assert war.done

    @covers("WFA-A.29", "WFA-A.35")
    def test_units_join_a_legion_or_that_of_a_leader(self) -> None:
        war = do(self.war(), rows.PlaceUnitsRow(rows.Units(special=1), "legion", leaders=1))
        assert {act.place for act in war.legal(ATREIDES, BringForces)} == {"hagga_basin", "se_1"}
        war = do(self.war(), rows.PlaceUnitsRow(rows.Units(special=1), "legion", holding="stilgar"))
        war.answer(ATREIDES, BringForces("hagga_basin", (0, 0, 1, 0), ()))
        assert war.figures(ATREIDES, "hagga_basin") == (2, 0, 1, 0)
        assert do(self.war(), rows.PlaceUnitsRow(rows.Units(special=1), "legion", holding="chani")).done

    @covers("WFA-S.28", "WFA-A.29")
    def test_the_stacking_limit_holds_for_what_comes(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=5).village("carthag")
        do(war, rows.PlaceUnitsRow(rows.Units(elite=2), "one_settlement"), HARKONNEN)
        war.answer(HARKONNEN, BringForces("carthag", (0, 2, 0, 0), ()))
        assert war.where == "Settle.stacking"

    @covers("WFA-S.17", "WFA-A.29")
    def test_what_has_run_out_does_not_come(self) -> None:
        war = War().put("supply/harkonnen", (0, 1, 0, 0)).village("carthag")
        do(war, rows.PlaceUnitsRow(rows.Units(regular=2, special=1), "one_settlement", leaders=1), HARKONNEN)
        assert war.legal(HARKONNEN, BringForces) == [BringForces("carthag", (0, 1, 0, 0), ())]

    @covers("WFA-A.16", "WFA-S.25")
    def test_tokens_and_leaders_in_one_sietch(self) -> None:
        war = War().sietch("tasmin_sink").sietch("gara_kulon")
        do(war, rows.DeployTokensRow(2, leaders=1)).answer(ATREIDES, DrawToken())
        war.answer(ATREIDES, DeployToken("tasmin_sink", "naib")).answer(ATREIDES, DrawToken())
        assert war.legal(ATREIDES) == [DeployToken("tasmin_sink", "")]
        war.answer(ATREIDES, DeployToken("tasmin_sink", ""))
        assert war.done
        assert len(war.g.tokens("tasmin_sink")) == 2

    @covers("WFA-A.16")
    def test_tokens_and_leaders_over_several(self) -> None:
        war = War().sietch("tasmin_sink").sietch("gara_kulon")
        do(war, rows.DeployTokensRow(2, leaders=1, where="sietches")).answer(ATREIDES, DrawToken())
        war.answer(ATREIDES, DeployToken("tasmin_sink", "")).answer(ATREIDES, DrawToken())
        war.answer(ATREIDES, DeployToken("gara_kulon", ""))
        assert {act.area for act in war.legal(ATREIDES, DeployLeader)} == {"tasmin_sink", "gara_kulon"}


class TestLeaders:
    @covers("WFA-L.17")
    def test_bashars_are_sent_off_from_sectors_with_an_own_legion(self) -> None:
        war = War().legion(ATREIDES, "se_1", tokens=TOKENS[:1]).legion(HARKONNEN, "se_5", regular=1, leader=1)
        war.legion(HARKONNEN, "se_8", regular=1, leader=1).legion(HARKONNEN, "se_6", regular=1)
        do(war, rows.RemoveGenericLeadersRow(2)).answer(ATREIDES, ChooseTarget("remove_leader", "se_5"))
        assert set(war.legal(ATREIDES)) == {Done(), ChooseTarget("remove_leader", "se_8")}
        war.answer(ATREIDES, ChooseTarget("remove_leader", "se_8"))
        assert war.done
        assert war.g.supply(HARKONNEN)[3] == 6

    @covers("WFA-T.3", "WFA-T.10")
    def test_a_leader_moves_on_in_the_tank_and_pushes_others(self) -> None:
        war = War().put("figure/stilgar", "tank/0").put("figure/chani", "tank/1").put("figure/alia", "aside")
        do(war, rows.AdvanceTankRow(1))
        assert set(war.legal(ATREIDES)) == {
            Done(),
            ChooseTarget("advance_leader", "stilgar"),
            ChooseTarget("advance_leader", "chani"),
        }
        war.answer(ATREIDES, ChooseTarget("advance_leader", "stilgar"))
        assert (war.g.whereabouts("stilgar"), war.g.whereabouts("chani")) == ("tank/1", "tank/2")
        do(war, rows.AdvanceTankRow(2)).answer(ATREIDES, ChooseTarget("advance_leader", "stilgar"))
        assert (war.g.whereabouts("stilgar"), war.g.whereabouts("chani")) == ("leaving", "leaving")
        assert do(war, rows.AdvanceTankRow(1)).done, "the tank is empty"


class TestTheDesert:
    @covers("WFA-A.24")
    def test_desert_power_so_many_times_in_a_row(self) -> None:
        war = do(War(), rows.DesertPowerRow(2))
        for _ in range(2):
            assert war.where == "DesertPower.choose"
            war.answer(ATREIDES, LayWormsigns(("se_1",)) if not war.g.get("wormsign/se_1") else LayWormsigns(("se_2",)))
        assert war.done

    @covers("WFA-A.26")
    def test_wormsigns(self) -> None:
        war = do(War(), rows.PlaceWormsignsRow(3)).answer(ATREIDES, LayWormsigns(("se_1", "se_2", "se_3")))
        assert war.done
        assert all(war.g.get(f"wormsign/{area}") for area in ("se_1", "se_2", "se_3"))

    @covers("WFA-L.33", "WFA-L.37", "WFA-A.12")
    def test_a_worm_comes_moves_and_attacks(self) -> None:
        war = War().put("figure/wild_maker", "aside").worm("ne_4").legion(HARKONNEN, "se_7", regular=1)
        do(war, rows.DriveWormRow("wild_maker", enters=True))
        assert {act.worm for act in war.legal(ATREIDES, TakeWorm)} == {"wild_maker"}
        war.answer(ATREIDES, TakeWorm("se_2", "", "wild_maker"))
        assert {act.source for act in war.legal(ATREIDES, MoveWorm)} == {"se_2"}
        war.answer(ATREIDES, Done())
        assert {act.source for act in war.legal(ATREIDES, StrikeWithWorm)} <= {"se_2"}
        war = do(War().worm("ne_4").worm("se_2", wild_maker=True), rows.DriveWormRow(attacks=False))
        assert {act.source for act in war.legal(ATREIDES, MoveWorm)} == {"ne_4", "se_2"}
        war.answer(ATREIDES, Done())
        assert war.done
