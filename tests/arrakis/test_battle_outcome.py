"""How battles go on and end: casualties, continuing and its price, retreat, advance, settlements that fall."""

from typing import Any

import pytest

from landsraad_engine.arrakis.acts import (
    Advance,
    Cease,
    Continue,
    Retreat,
    RetreatTo,
    Stand,
    Stay,
)
from landsraad_engine.arrakis.battle.attack import AttackWith
from landsraad_engine.arrakis.battle.casualties import Casualties
from landsraad_engine.arrakis.battle.retreat import RetreatFrom
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.worms import WormAttack
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack, loss


class TestCasualties:
    def hit(self, hits: int, **units: Any) -> War:
        war = War().legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", **units)
        war.run(Casualties(side=ATREIDES, area="arsunt", hits=hits, seats=(war.atreides,)))
        return war

    @covers("WFA-B.24")
    def test_a_hit_removes_a_regular_or_turns_an_elite_or_removes_a_leader(self) -> None:
        war = self.hit(1, regular=1, elite=1, special=1, leader=1)
        assert set(war.legal(ATREIDES)) == {loss(regular=1), loss(elite=1), loss(special=1), loss(leader=1)}
        war.answer(ATREIDES, loss(special=1))
        assert war.figures(ATREIDES, "arsunt") == (2, 1, 0, 1)

    @covers("WFA-B.24")
    def test_a_regular_that_an_elite_has_become_may_be_hit_again(self) -> None:
        war = self.hit(2, elite=1, leader=1)
        assert set(war.legal(ATREIDES)) == {loss(regular=1, elite=1), loss(elite=1, leader=1)}

    @covers("WFA-B.24", "WFA-B.27")
    @pytest.mark.parametrize("kind", ["elite", "special"])
    def test_an_elite_of_either_kind_takes_two_hits_before_it_is_destroyed(self, kind: str) -> None:
        war = self.hit(1, **{kind: 1})
        assert war.done, "there is one way only to take it"
        assert war.figures(ATREIDES, "arsunt") == (1, 0, 0, 0)
        assert self.hit(2, **{kind: 1}).figures(ATREIDES, "arsunt") == (0, 0, 0, 0)

    @covers("WFA-B.24")
    @pytest.mark.parametrize("kind", ["elite", "special"])
    def test_a_legion_of_two_elites_stands_after_three_hits(self, kind: str) -> None:
        war = self.hit(3, **{kind: 2})
        assert war.figures(ATREIDES, "arsunt") == (1, 0, 0, 0)

    @covers("WFA-B.26", "WFA-S.27")
    def test_leaders_go_with_the_last_unit(self) -> None:
        war = self.hit(2, regular=2, leader=2)
        war.answer(ATREIDES, loss(regular=2))
        assert war.figures(ATREIDES, "arsunt") == (0, 0, 0, 0)
        assert war.g.supply(ATREIDES) == (16, 8, 6, 12)

    @covers("WFA-B.27")
    def test_hits_beyond_what_a_legion_can_take_are_lost(self) -> None:
        war = self.hit(9, regular=1, elite=1)
        assert war.done
        assert war.figures(ATREIDES, "arsunt") == (0, 0, 0, 0)

    @covers("WFA-B.25")
    def test_without_regulars_in_the_supply_an_elite_that_is_hit_is_removed(self) -> None:
        war = War().legion(ATREIDES, "arsunt", elite=2, special=1)
        for area in ("carthag", "hagga_basin", "arrakeen"):
            war.legion(ATREIDES, area, regular=5 if area != "arrakeen" else 6)
        war.run(Casualties(side=ATREIDES, area="arsunt", hits=2, seats=(war.atreides,)))
        war.answer(ATREIDES, loss(elite=1))
        assert war.figures(ATREIDES, "arsunt") == (0, 1, 1, 0)
        war.answer(ATREIDES, loss(special=1))
        assert war.figures(ATREIDES, "arsunt") == (0, 1, 0, 0)

    @covers("WFA-B.25")
    def test_with_fewer_regulars_in_the_supply_than_elites_each_hit_is_taken_by_itself(self) -> None:
        war = War().legion(ATREIDES, "arsunt", elite=1, special=1, leader=1).put("supply/atreides", (1, 7, 5, 11))
        war.run(Casualties(side=ATREIDES, area="arsunt", hits=2, seats=(war.atreides,)))
        war.answer(ATREIDES, loss(elite=1))
        assert war.figures(ATREIDES, "arsunt") == (1, 0, 1, 1)
        war.answer(ATREIDES, loss(special=1))
        assert war.figures(ATREIDES, "arsunt") == (1, 0, 0, 1), "no second Regular has been there for the Fedaykin"

    @covers("WFA-B.24")
    def test_where_there_is_no_choice_nobody_is_asked(self) -> None:
        war = self.hit(1, regular=3)
        assert war.done
        assert war.figures(ATREIDES, "arsunt") == (2, 0, 0, 0)


class TestContinuing:
    def war(self, **options: Any) -> War:
        """A roll without hits against a Sietch."""
        war = War(**options).legion(HARKONNEN, "pasty_mesa", regular=2).legion(ATREIDES, "tasmin_sink", regular=1)
        war.sietch("tasmin_sink", 1)
        war.rolls("combat/harkonnen", *["shield"] * 9).rolls("combat/atreides", *["shield"] * 9)
        return war.clash(HARKONNEN, "pasty_mesa", "tasmin_sink")

    @covers("WFA-B.28", "WFA-B.29")
    def test_against_a_settlement_going_on_costs_a_hit(self) -> None:
        war = self.war()
        war.answer(HARKONNEN, Continue())
        assert war.figures(HARKONNEN, "pasty_mesa") == (1, 0, 0, 0)
        assert war.legal(ATREIDES) == [Stand(), Retreat()]

    @covers("WFA-B.30")
    def test_in_2022_it_costs_nothing(self) -> None:
        war = self.war(edition="preview_2022")
        war.answer(HARKONNEN, Continue())
        assert war.figures(HARKONNEN, "pasty_mesa") == (2, 0, 0, 0)

    @covers("WFA-B.31", "WFA-B.41", "WFA-B.39")
    def test_ceasing_leaves_the_survivors_where_they_are_and_the_defender_has_won(self) -> None:
        war = self.war()
        war.answer(HARKONNEN, Cease())
        assert war.done
        assert (war.figures(HARKONNEN, "pasty_mesa")[0], war.figures(ATREIDES, "tasmin_sink")[0]) == (2, 1)
        assert war.g.table["won/turn"] == (("defender", ("regular",)),)

    @covers("WFA-B.33", "WFA-B.29")
    def test_an_attacker_whom_the_price_destroys_has_lost(self) -> None:
        war = self.war()
        war.answer(HARKONNEN, Continue()).answer(ATREIDES, Stand()).answer(HARKONNEN, Continue())
        assert war.done
        assert war.figures(HARKONNEN, "pasty_mesa") == (0, 0, 0, 0)
        assert war.g.table["won/turn"] == (("defender", ("regular",)),)

    @covers("WFA-B.32", "WFA-B.34")
    def test_facing_another_round_the_defender_stands_or_retreats(self) -> None:
        war = self.war()
        war.answer(HARKONNEN, Continue()).answer(ATREIDES, Stand())
        assert war.where == "Battle.go_on", "another round has been fought"
        war.answer(HARKONNEN, Cease())

    @covers("WFA-B.39", "WFA-B.40")
    def test_both_destroyed_and_nobody_wins(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", regular=1)
        war.rolls("combat/harkonnen", "hit").rolls("combat/atreides", "hit")
        war.clash()
        assert war.done
        assert "won/turn" not in war.g.table


class TestRetreat:
    def beaten(self, **options: Any) -> War:
        war = War(**options).legion(HARKONNEN, "tasmin_sink", regular=2, leader=1)
        war.legion(ATREIDES, "pasty_mesa", regular=3)
        war.rolls("combat/harkonnen", *["shield"] * 9).rolls("combat/atreides", *["shield"] * 9)
        return war

    def fall_back(self, war: War) -> War:
        war.clash(ATREIDES, "pasty_mesa", "tasmin_sink")
        war.answer(ATREIDES, Continue()).answer(HARKONNEN, Retreat())
        return war

    @covers("WFA-B.35", "WFA-B.36", "WFA-B.40")
    def test_the_opponent_moves_the_legion_to_a_free_area_without_wormsign(self) -> None:
        war = self.beaten().legion(ATREIDES, "se_1", regular=1).worm("se_3").wormsign("se_5").sietch("se_6")
        self.fall_back(war)
        assert war.legal(ATREIDES) == [RetreatTo("se_7")]
        war.answer(ATREIDES, RetreatTo("se_7"))
        assert war.figures(HARKONNEN, "se_7") == (2, 0, 0, 1)
        assert war.where == "Battle.advance"

    @covers("WFA-B.35")
    def test_without_a_free_area_there_is_no_retreat(self) -> None:
        war = self.beaten()
        for area in ("se_1", "se_3", "se_5", "se_6", "se_7"):
            war.legion(ATREIDES, area, regular=1)
        war.clash(ATREIDES, "pasty_mesa", "tasmin_sink")
        war.answer(ATREIDES, Continue())
        assert war.where == "Battle.go_on", "the next round has been fought at once"

    @covers("WFA-B.37", "WFA-M.50")
    def test_in_2022_a_retreat_may_end_on_a_wormsign_which_is_turned_up(self) -> None:
        war = self.beaten(edition="preview_2022").wormsign("se_5", "sand")
        self.fall_back(war)
        war.answer(ATREIDES, RetreatTo("se_5"))
        assert "wormsign/se_5" not in war.g.table
        assert len(war.g.table["wormsigns"]) == 16

    @covers("WFA-B.38", "WFA-S.28")
    def test_a_retreat_joins_own_units_up_to_the_limit(self) -> None:
        war = self.beaten().legion(HARKONNEN, "se_1", elite=5)
        self.fall_back(war)
        war.answer(ATREIDES, RetreatTo("se_1"))
        assert war.where == "Settle.stacking"
        assert war.asked == (HARKONNEN,)

    @covers("WFA-M.31", "WFA-M.32")
    def test_a_retreat_takes_no_station_and_no_harvester_along(self) -> None:
        war = War().legion(ATREIDES, "cnw_3", regular=1).legion(HARKONNEN, "cnw_1", regular=1)
        war.station("cnw_4", "jihad").harvester("cnw_4")
        war.run(RetreatFrom(side=ATREIDES, area="cnw_3", seats=(war.harkonnen,)))
        war.answer(HARKONNEN, RetreatTo("cnw_4"))
        assert war.done
        assert war.g.table["station/cnw_4"] == ("jihad",)
        assert war.g.vehicle("cnw_4") == (1, 0, 0)


class TestAdvance:
    def won(self, **options: Any) -> War:
        """An undefended Sietch of rank 2 has been attacked."""
        war = War(**options).legion(HARKONNEN, "pasty_mesa", regular=2, leader=1).sietch("tasmin_sink", 2)
        return war.clash(HARKONNEN, "pasty_mesa", "tasmin_sink")

    WHOLE = Advance((2, 0, 0, 1), ())

    @covers("WFA-B.43")
    def test_all_of_the_victors_advance_or_none(self) -> None:
        war = self.won()
        assert war.legal(HARKONNEN) == [self.WHOLE, Stay()]

    @covers("WFA-B.42")
    def test_without_the_corrections_they_must_advance(self) -> None:
        assert self.won(faq=False).legal(HARKONNEN) == [self.WHOLE]

    @covers("WFA-B.44")
    def test_in_2022_any_part_with_a_unit_advances_from_next_door(self) -> None:
        war = self.won(edition="preview_2022")
        assert set(war.legal(HARKONNEN, Advance)) == {Advance((n, 0, 0, k), ()) for n in (1, 2) for k in (0, 1)}
        assert Stay() in war.legal(HARKONNEN)

    @covers("WFA-B.55", "WFA-B.4")
    def test_in_2022_a_leader_who_stays_behind_stays_with_units_that_did_not_fight(self) -> None:
        war = War(edition="preview_2022").legion(HARKONNEN, "carthag", regular=3, leader=1)
        war.legion(ATREIDES, "arsunt", regular=1).run(AttackWith(seat=war.harkonnen))
        war.rolls("combat/harkonnen", "hit", "hit").rolls("combat/atreides", "shield")
        war.answer(HARKONNEN, attack("carthag", "arsunt", regular=2, leader=1)).answer(
            HARKONNEN, Advance((2, 0, 0, 0), ())
        )
        assert war.figures(HARKONNEN, "carthag") == (1, 0, 0, 1)
        assert war.figures(HARKONNEN, "arsunt") == (2, 0, 0, 0)

    @covers("WFA-B.45")
    def test_in_2022_all_must_come_who_attacked_from_further_away(self) -> None:
        war = War(edition="preview_2022").legion(ATREIDES, "sw_5", regular=2).village("arsunt")
        war.clash(ATREIDES, "sw_5", "arsunt")
        assert war.legal(ATREIDES) == [Advance((2, 0, 0, 0), ())]

    @covers("WFA-B.46", "WFA-B.49", "WFA-S.18")
    def test_a_sietch_falls_to_the_advance_and_gives_its_rank_in_supremacy(self) -> None:
        war = self.won()
        war.answer(HARKONNEN, self.WHOLE)
        assert war.g.supremacy == 2
        assert "sietch/tasmin_sink" not in war.g.table
        assert war.figures(HARKONNEN, "tasmin_sink") == (2, 0, 0, 1)

    @covers("WFA-B.46")
    def test_without_the_advance_the_settlement_stands(self) -> None:
        war = self.won()
        war.answer(HARKONNEN, Stay())
        assert war.g.table["sietch/tasmin_sink"] == ("2",)
        assert war.g.supremacy == 0

    @covers("WFA-B.50", "WFA-B.51", "WFA-Q.1")
    def test_a_harkonnen_settlement_advances_all_three_markers(self) -> None:
        war = War().legion(ATREIDES, "arsunt", regular=1).village("carthag")
        war.clash(ATREIDES, "arsunt", "carthag")
        war.answer(ATREIDES, Advance((1, 0, 0, 0), ()))
        assert [war.g.marker(marker) for marker in ("kwisatz_haderach", "sand_dwellers", "jihad")] == [2, 2, 2]
        assert not war.g.survey().villages
        assert war.g.table["won/turn"] == (("attacker", ()),), "won without a roll is won"

    @pytest.mark.parametrize("options", [{}, {"faq": False}, {"edition": "v1_1"}, {"edition": "preview_2022"}])
    @covers("WFA-B.48", "WFA-B.39", "WFA-S.17")
    def test_tokens_for_which_no_figure_is_left_win_nothing(self, options: dict[str, Any]) -> None:
        war = War(**options).legion(ATREIDES, "broken_land", tokens=("atreides_starting_1",)).village("arsunt")
        war.put("supply/atreides", (0, 0, 0, 12)).clash(ATREIDES, "broken_land", "arsunt")
        assert war.done
        assert war.g.rank(HARKONNEN, "arsunt") == 1
        assert "won/turn" not in war.g.table

    @covers("WFA-B.46", "WFA-M.35", "WFA-M.27", "WFA-B.54")
    def test_an_atreides_advance_takes_station_and_harvester(self) -> None:
        war = War().legion(ATREIDES, "cnw_3", regular=3).legion(HARKONNEN, "cnw_4", regular=1)
        war.station("cnw_4", "jihad").harvester("cnw_4")
        war.rolls("combat/atreides", "hit", "hit", "hit").rolls("combat/harkonnen", "shield")
        war.clash(ATREIDES, "cnw_3", "cnw_4")
        assert war.g.vehicle("cnw_4") == (1, 0, 0), "the battle itself has not touched it"
        war.answer(ATREIDES, Advance((3, 0, 0, 0), ()))
        assert war.g.marker("jihad") == 1
        assert war.g.vehicle("cnw_4") == (0, 0, 0)

    @covers("WFA-M.38")
    def test_a_harkonnen_advance_turns_a_wormsign_up(self) -> None:
        war = War().legion(HARKONNEN, "pasty_mesa", regular=3).legion(ATREIDES, "se_1", regular=1).wormsign("se_1")
        war.rolls("combat/harkonnen", "hit", "hit", "hit").rolls("combat/atreides", "shield")
        war.clash(HARKONNEN, "pasty_mesa", "se_1")
        war.answer(HARKONNEN, Advance((3, 0, 0, 0), ()))
        assert war.done
        assert "wormsign/se_1" not in war.g.table

    @covers("WFA-B.47", "WFA-H.38")
    def test_a_worm_that_empties_a_settlement_leaves_it_standing(self) -> None:
        war = War().legion(HARKONNEN, "arrakeen", regular=1).village("arrakeen").worm("cne_3")
        war.rolls("combat/worm", "hit", "hit", "hit", "hit")
        war.run(WormAttack(source="cne_3", target="arrakeen"))
        assert war.done
        assert war.figures(HARKONNEN, "arrakeen") == (0, 0, 0, 0)
        assert war.g.rank(HARKONNEN, "arrakeen") == 3
