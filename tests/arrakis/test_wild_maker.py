"""The Wild Maker: entering, its card's special action, a sandworm for all other rules."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import (
    Done,
    MoveWorm,
    StrikeWithWorm,
    TakeDesertPower,
    TakeWorm,
    TameWildMaker,
    UseSpecial,
)
from landsraad_engine.arrakis.board import board_of
from landsraad_engine.arrakis.desert_power import DesertPower
from landsraad_engine.arrakis.leaders.entering import EnterPlay
from landsraad_engine.arrakis.leaders.wild_maker import area_of_the_maker
from landsraad_engine.arrakis.round import EndOfRound
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War

MAKER = "wild_maker"


def in_play(card: str = "ready", area: str = "", **options: Any) -> War:
    war = War(**options).leader(MAKER, card=card)
    return war.worm(area, wild_maker=True) if area else war


def entering(war: War) -> set[str]:
    """Where the Wild Maker may come to the board."""
    war.run(EnterPlay(leader=MAKER))
    return {act.area for act in war.legal(ATREIDES, TakeWorm)}


class TestEntering:
    @covers("WFA-L.30", "WFA-L.36", "WFA-L.22")
    def test_it_is_placed_at_once_in_an_empty_desert_with_its_card_spent(self) -> None:
        war = War().legion(HARKONNEN, "se_1", regular=1).wormsign("se_3").harvester("se_2").station("ne_4", "jihad")
        areas = entering(war)
        assert areas.isdisjoint({"se_1", "se_2", "se_3", "ne_4"})
        assert len(areas) == 65 - 4, "of 42 Deserts and 23 Deep Deserts"
        war.answer(ATREIDES, TakeWorm("se_4", "", MAKER))
        assert war.done
        assert war.g.get("worm/se_4") == (0, 1)
        assert (war.g.whereabouts(MAKER), war.g.table[f"card/{MAKER}"]) == ("aside", "spent")

    @covers("WFA-L.31", "WFA-M.43")
    def test_in_v1_1_in_any_desert_whoever_is_there(self) -> None:
        war = War(edition="v1_1").legion(HARKONNEN, "se_1", regular=1).wormsign("se_3").harvester("se_2")
        war.legion(ATREIDES, "ne_4", regular=1).worm("ne_5")
        areas = entering(war)
        assert {"se_1", "se_2", "se_3"} < areas
        assert areas.isdisjoint({"ne_4", "ne_5"}), "where no sandworm may be"
        war.answer(ATREIDES, TakeWorm("se_2", "", MAKER))
        assert war.g.vehicle("se_2") == (0, 0, 0), "it follows the rules for sandworms that appear"

    @covers("WFA-L.32")
    def test_in_2022_only_its_card_enters(self) -> None:
        war = War(edition="preview_2022").run(EnterPlay(leader=MAKER))
        assert war.done
        assert war.g.table[f"card/{MAKER}"] == "ready"
        assert war.g.get("worms") == (4, 1)

    @covers("WFA-L.36", "WFA-R.11")
    def test_its_card_is_restored_at_the_end_of_the_round(self) -> None:
        war = in_play("spent").run(EndOfRound())
        assert war.g.table[f"card/{MAKER}"] == "ready"


class TestSpecialAction:
    def offered(self, war: War) -> bool:
        return UseSpecial("", MAKER) in war.legal(ATREIDES)

    @covers("WFA-L.22", "WFA-A.30", "WFA-A.31", "WFA-L.33")
    def test_a_desert_power_action_may_be_to_move_and_attack_with_it(self) -> None:
        war = in_play(area="se_2").legion(HARKONNEN, "se_7", regular=2).dice(HARKONNEN, mentat=1)
        war.run(ActionTurn(side=ATREIDES)).answer(ATREIDES, TakeDesertPower()).answer(ATREIDES, UseSpecial("", MAKER))
        assert {act.source for act in war.legal(ATREIDES, MoveWorm)} == {"se_2"}
        target = next(
            act.target for act in war.legal(ATREIDES, MoveWorm) if act.target in war.g.board.neighbours("se_7")
        )
        war.answer(ATREIDES, MoveWorm("se_2", target))
        war.rolls("combat/worm", "shield", "shield", "shield", "shield", "hit", "hit")
        war.answer(ATREIDES, StrikeWithWorm(target, "se_7"))
        assert war.done
        assert war.thrown() == [6], "it rolls six dice"
        assert war.g.size(HARKONNEN, "se_7") == 0
        assert war.g.table[f"card/{MAKER}"] == "spent"

    @covers("WFA-A.31", "WFA-L.36")
    def test_not_with_its_card_spent(self) -> None:
        assert not self.offered(in_play("spent", "se_2").run(DesertPower(seat=1)))
        assert self.offered(in_play("ready", "se_2").run(DesertPower(seat=1)))

    @covers("WFA-A.32")
    def test_not_while_it_is_off_the_board(self) -> None:
        assert not self.offered(in_play().run(DesertPower(seat=1)))

    @covers("WFA-L.37", "WFA-L.32")
    def test_in_2022_its_action_puts_it_in_an_empty_desert(self) -> None:
        war = in_play(edition="preview_2022").legion(HARKONNEN, "se_1", regular=1).run(DesertPower(seat=1))
        assert self.offered(war)
        war.answer(ATREIDES, UseSpecial("", MAKER))
        areas = {act.area for act in war.legal(ATREIDES, TakeWorm)}
        assert "se_1" not in areas
        assert "se_2" in areas
        war.answer(ATREIDES, TakeWorm("se_2", "", MAKER))
        assert war.g.get("worm/se_2") == (0, 1)
        war.answer(ATREIDES, Done())
        assert {act.source for act in war.legal(ATREIDES, StrikeWithWorm)} == {"se_2"}


class TestASandworm:
    @covers("WFA-L.33", "WFA-M.12")
    def test_a_legion_rides_it_like_any_other(self) -> None:
        war = in_play(area="se_2").legion(ATREIDES, "se_1", regular=1)
        board = board_of(war.g.content)
        ride = board.ride("se_1", war.g.survey().worms)
        assert "se_2" in board.names(ride.track)

    @covers("WFA-L.33")
    def test_it_is_no_leader_of_a_legion(self) -> None:
        war = in_play(area="se_2").legion(ATREIDES, "se_1", regular=1)
        assert war.g.leaders_aside(ATREIDES) == ()
        assert war.g.leaders_on_board(ATREIDES) == ()

    @pytest.mark.parametrize("edition", ["exclusive", "v1_1", "preview_2022"])
    @covers("WFA-L.34")
    def test_at_the_end_of_a_round_an_ordinary_sandworm_may_take_its_place(self, edition: str) -> None:
        war = in_play(area="se_2", edition=edition).run(EndOfRound())
        assert war.where == "MakerStays.choose"
        assert set(war.legal(ATREIDES)) == {Done(), TameWildMaker()}
        war.answer(ATREIDES, TameWildMaker())
        assert war.g.get("worm/se_2") == (1, 0)
        assert war.g.get("worms") == (3, 1)
        assert war.g.in_play(MAKER)

    @covers("WFA-L.34", "WFA-S.17")
    def test_only_if_one_is_off_the_board(self) -> None:
        war = in_play(area="se_2")
        for area in ("se_4", "se_6", "ne_4", "ne_5"):
            war.worm(area)
        war.run(EndOfRound())
        assert war.where != "MakerStays.choose"
        assert area_of_the_maker(war.g) == "se_2"
