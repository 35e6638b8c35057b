"""Battles: who attacks whom, cards for dice, the combat roll, leaders, Special Elites."""

from typing import Any

import pytest

from landsraad_engine.arrakis.acts import (
    Attack,
    Cease,
    Continue,
    DiscardForDice,
    Done,
    RemoveExcess,
    Stand,
    Stay,
    UseLeaders,
)
from landsraad_engine.arrakis.battle.attack import AttackWith
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.zones import FIGURE
from landsraad_engine.kernel.execution import plays
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War, attack, loss

EVERY_EDITION = pytest.mark.parametrize("edition", ["exclusive", "v1_1", "preview_2022"])


class TestTheExample:
    """The battle of page 24 to 26: five dice each, one card, three hits each way."""

    def war(self, edition: str) -> War:
        war = War(edition=edition)
        war.legion(HARKONNEN, "pasty_mesa", regular=2, elite=2, special=1, leader=1, named=("baron_harkonnen",))
        war.legion(ATREIDES, "tasmin_sink", regular=2, special=1, named=("paul_muad_dib",))
        war.sietch("tasmin_sink", 2)
        war.hand(HARKONNEN, "forced_recruitment").hand(ATREIDES, "war_plan")
        war.rolls("combat/harkonnen", "special", "special", "special", "hit", "hit", "shield")
        war.rolls("combat/atreides", "hit", "hit", "hit", "hit", "hit")
        return war.clash(HARKONNEN, "pasty_mesa", "tasmin_sink")

    @EVERY_EDITION
    @covers("WFA-X.9", "WFA-B.10", "WFA-B.11", "WFA-B.7", "WFA-B.53")
    def test_dice_of_both_sides(self, edition: str) -> None:
        war = self.war(edition)
        assert war.asked == (HARKONNEN,)
        assert war.legal(HARKONNEN) == [DiscardForDice(()), DiscardForDice(("forced_recruitment",))]
        war.answer(HARKONNEN, DiscardForDice(("forced_recruitment",)))
        assert war.g.table["discard/house_harkonnen"] == ("forced_recruitment",)
        war.answer(ATREIDES, DiscardForDice(()))
        assert war.thrown() == [6, 5]

    @EVERY_EDITION
    @covers("WFA-X.10", "WFA-X.12", "WFA-B.15", "WFA-B.16", "WFA-B.17", "WFA-B.18", "WFA-B.20", "WFA-B.22", "WFA-B.27")
    def test_three_hits_each_way(self, edition: str) -> None:
        war = self.war(edition)
        war.answer(HARKONNEN, DiscardForDice(("forced_recruitment",))).answer(ATREIDES, DiscardForDice(()))
        assert war.hits() == [(3, 3)]

    @EVERY_EDITION
    @covers("WFA-X.11", "WFA-B.23", "WFA-B.24", "WFA-T.2")
    def test_casualties_of_both_sides(self, edition: str) -> None:
        war = self.war(edition)
        war.answer(HARKONNEN, DiscardForDice(("forced_recruitment",))).answer(ATREIDES, DiscardForDice(()))
        assert war.asked == (HARKONNEN,), "the attacker removes first"
        war.answer(HARKONNEN, loss(elite=2, named=("baron_harkonnen",)))
        assert war.figures(HARKONNEN, "pasty_mesa") == (4, 0, 1, 1)
        assert war.g.table[FIGURE["baron_harkonnen"]] == "tank/0"
        war.answer(ATREIDES, loss(regular=2, special=1))
        assert war.figures(ATREIDES, "tasmin_sink") == (1, 0, 0, 0)
        assert war.at(ATREIDES, "tasmin_sink").named == ("paul_muad_dib",)


class TestAttacking:
    @covers("WFA-B.1", "WFA-B.2", "WFA-B.3")
    def test_a_whole_legion_attacks_next_door_and_stays_where_it_is(self) -> None:
        war = War()
        war.legion(HARKONNEN, "carthag", regular=2, leader=1).legion(ATREIDES, "arsunt", regular=1)
        war.run(AttackWith(seat=war.harkonnen))
        assert war.legal(HARKONNEN, Attack) == [attack("carthag", "arsunt", regular=2, leader=1)]
        war.refused(HARKONNEN, attack("carthag", "arsunt", regular=1))
        war.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", "shield")
        war.answer(HARKONNEN, attack("carthag", "arsunt", regular=2, leader=1))
        assert war.where == "Battle.go_on"
        assert war.figures(HARKONNEN, "carthag") == (2, 0, 0, 1)

    @covers("WFA-B.1", "WFA-S.8")
    def test_no_attack_crosses_an_impassable_border_on_foot(self) -> None:
        war = War().legion(HARKONNEN, "broken_land", regular=2).legion(ATREIDES, "ne_3", regular=1)
        war.run(AttackWith(seat=war.harkonnen))
        assert war.done, "there is nothing to attack"

    @covers("WFA-B.4")
    def test_in_2022_part_of_a_legion_attacks_and_the_rest_takes_no_part(self) -> None:
        war = War(edition="preview_2022")
        war.legion(HARKONNEN, "carthag", regular=3, leader=1).legion(ATREIDES, "arsunt", regular=3)
        war.run(AttackWith(seat=war.harkonnen))
        war.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", "hit", "hit", "hit")
        war.answer(HARKONNEN, attack("carthag", "arsunt", regular=2))
        assert war.figures(ATREIDES, "arsunt") == (3, 0, 0, 0)
        war.answer(HARKONNEN, Cease())
        assert war.done
        assert war.figures(HARKONNEN, "carthag") == (2, 0, 0, 1), "one of three hits has come through two shields"

    def with_tokens(self, regular: int = 0) -> War:
        """In 2022 one of two tokens attacks, and nobody else."""
        war = War(edition="preview_2022").legion(HARKONNEN, "carthag", regular=1)
        war.legion(ATREIDES, "arsunt", regular=regular, tokens=("atreides_starting_1", "atreides_starting_7"))
        war.run(AttackWith(seat=war.atreides))
        return war.answer(ATREIDES, Attack("arsunt", "carthag", (0, 0, 0, 0), (), ("atreides_starting_7",), ""))

    @covers("WFA-B.4", "WFA-S.23", "WFA-B.6")
    def test_in_2022_all_tokens_of_an_area_that_attacks_are_turned_up(self) -> None:
        war = self.with_tokens()
        assert war.at(ATREIDES, "arsunt") == ((2, 2, 0, 0), (), ())
        assert {(act.source, act.target) for act in war.legal(ATREIDES, Attack)} == {("arsunt", "carthag")}
        assert not plays(war.g, war.atreides).count(), "it is the same attack"
        war.rolls("combat/harkonnen", "shield").rolls("combat/atreides", "shield", "shield")
        war.answer(ATREIDES, attack("arsunt", "carthag", elite=2))
        assert war.thrown() == [2, 1]
        war.answer(ATREIDES, Cease())
        assert war.at(ATREIDES, "arsunt") == ((2, 2, 0, 0), (), ())

    @covers("WFA-S.23", "WFA-S.28")
    def test_in_2022_an_area_that_attacks_with_a_part_holds_no_more_than_six_units(self) -> None:
        war = self.with_tokens(regular=3).answer(ATREIDES, RemoveExcess((1, 0, 0), ()))
        war.rolls("combat/harkonnen", "shield").rolls("combat/atreides", *["hit"] * 6)
        war.answer(ATREIDES, attack("arsunt", "carthag", regular=4, elite=2)).answer(ATREIDES, Stay())
        assert war.figures(ATREIDES, "arsunt") == (4, 2, 0, 0)

    @covers("WFA-S.23", "WFA-B.48")
    def test_in_2022_an_attack_with_tokens_for_which_no_figure_is_left_does_not_take_place(self) -> None:
        war = War(edition="preview_2022").legion(HARKONNEN, "carthag", regular=1)
        war.legion(ATREIDES, "se_1", regular=4, elite=2, special=0).legion(ATREIDES, "se_2", regular=6)
        war.legion(ATREIDES, "se_3", elite=6).legion(ATREIDES, "se_4", regular=6)
        war.legion(ATREIDES, "arsunt", leader=1, tokens=("atreides_starting_1", "atreides_starting_7"))
        war.run(AttackWith(seat=war.atreides))
        war.answer(ATREIDES, Attack("arsunt", "carthag", (0, 0, 0, 0), (), ("atreides_starting_7",), ""))
        assert war.done
        assert war.at(ATREIDES, "arsunt") == ((0, 0, 0, 0), (), ())

    @covers("WFA-B.4")
    def test_in_2022_an_attack_by_leadership_needs_a_leader_in_the_attacking_part(self) -> None:
        war = War(edition="preview_2022")
        war.legion(HARKONNEN, "carthag", regular=2, leader=1).legion(ATREIDES, "arsunt", regular=1)
        war.run(AttackWith(seat=war.harkonnen, led=True))
        war.refused(HARKONNEN, attack("carthag", "arsunt", regular=2))
        assert attack("carthag", "arsunt", regular=1, leader=1) in war.legal(HARKONNEN)

    @covers("WFA-M.47")
    def test_an_area_with_a_sandworm_is_not_attacked(self) -> None:
        war = War().legion(HARKONNEN, "pasty_mesa", regular=2).sietch("tasmin_sink").worm("tasmin_sink")
        war.run(AttackWith(seat=war.harkonnen))
        assert war.done


class TestStart:
    @covers("WFA-B.5", "WFA-B.48", "WFA-S.22")
    def test_an_undefended_sietch_is_turned_up_and_won_without_a_roll(self) -> None:
        war = War().legion(HARKONNEN, "pasty_mesa", regular=2).sietch("tasmin_sink", 3)
        war.clash(HARKONNEN, "pasty_mesa", "tasmin_sink")
        assert [face for _, _, face in war.said("reveal")] == ["3"]
        assert not war.told("roll")
        assert war.where == "Battle.advance"

    @covers("WFA-B.6", "WFA-S.24", "WFA-S.23")
    def test_tokens_of_either_side_of_the_battle_are_turned_up(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", tokens=("atreides_starting_7",))
        war.rolls("combat/harkonnen", "shield").rolls("combat/atreides", "shield", "shield")
        war.clash()
        assert war.figures(ATREIDES, "arsunt") == (0, 2, 0, 0)
        assert war.g.table["tokens_revealed"] == ("atreides_starting_7",)

    @covers("WFA-B.6")
    def test_an_attacker_turns_its_own_tokens_up(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", tokens=("atreides_starting_1",))
        war.rolls("combat/harkonnen", "shield").rolls("combat/atreides", "shield", "shield")
        war.clash(ATREIDES, "arsunt", "carthag")
        assert war.at(ATREIDES, "arsunt") == ((2, 0, 0, 0), (), ())


class TestCards:
    def war(self, *cards: str, **options: Any) -> War:
        war = War(**options).legion(HARKONNEN, "carthag", regular=4).legion(ATREIDES, "arsunt", regular=1)
        war.hand(HARKONNEN, *cards).hand(ATREIDES, "war_plan")
        return war

    CARDS = ("forced_recruitment", "spotter_control", "sandmasters")

    @covers("WFA-B.7", "WFA-B.9", "WFA-B.12")
    def test_no_more_cards_than_make_six_dice(self) -> None:
        war = self.war(*self.CARDS).clash()
        assert {len(act.cards) for act in war.legal(HARKONNEN, DiscardForDice)} == {0, 1, 2}

    @covers("WFA-B.53")
    def test_the_die_of_a_card_is_for_one_round(self) -> None:
        war = self.war(*self.CARDS).clash()
        war.rolls("combat/harkonnen", *["shield"] * 9).rolls("combat/atreides", *["shield"] * 2)
        war.answer(HARKONNEN, DiscardForDice(("sandmasters",))).answer(ATREIDES, DiscardForDice(()))
        war.answer(HARKONNEN, Continue()).answer(ATREIDES, Stand())
        war.answer(HARKONNEN, DiscardForDice(())).answer(ATREIDES, DiscardForDice(()))
        assert war.thrown() == [5, 1, 4, 1]

    @covers("WFA-B.8")
    def test_in_2022_only_the_attacker_discards_in_the_first_round_of_a_surprise_attack(self) -> None:
        war = self.war("sandmasters", edition="preview_2022").clash(surprise=True)
        war.rolls("combat/harkonnen", *["shield"] * 8).rolls("combat/atreides", *["shield"] * 2)
        war.answer(HARKONNEN, DiscardForDice(()))
        assert war.where == "Battle.go_on"
        war.answer(HARKONNEN, Continue()).answer(ATREIDES, Stand()).answer(HARKONNEN, DiscardForDice(()))
        assert war.asked == (ATREIDES,)


class TestRoll:
    @covers("WFA-B.12", "WFA-B.11")
    def test_nobody_rolls_more_than_six_dice(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=6).legion(ATREIDES, "arsunt", regular=1)
        war.village("carthag")
        war.clash(ATREIDES, "arsunt", "carthag")
        assert war.thrown() == [1, 6]

    @covers("WFA-B.13", "WFA-B.14")
    def test_surprise_adds_a_special_to_the_first_roll_only(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=6, leader=1).legion(ATREIDES, "arsunt", regular=3)
        war.rolls("combat/harkonnen", *["shield"] * 12).rolls("combat/atreides", *["shield"] * 3, "hit", "hit")
        war.clash(surprise=True)
        assert war.hits() == [(0, 0)], "three shields stop one hit"
        war.unfix()
        war.rolls("combat/harkonnen", *["shield"] * 6).rolls("combat/atreides", "hit", "hit", "hit")
        war.answer(HARKONNEN, Continue()).answer(ATREIDES, Stand())
        assert war.hits()[-1] == (0, 0)

    @covers("WFA-B.14")
    def test_the_special_of_surprise_needs_a_leader(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1).legion(ATREIDES, "arsunt", regular=1)
        war.rolls("combat/harkonnen", "shield").rolls("combat/atreides", "shield")
        war.clash(surprise=True)
        assert war.hits()[-1] == (0, 0)

    @covers("WFA-B.13")
    def test_with_a_leader_surprise_is_a_hit(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1, leader=1).legion(ATREIDES, "arsunt", regular=2)
        war.rolls("combat/harkonnen", "shield").rolls("combat/atreides", "hit", "hit")
        war.clash(surprise=True)
        assert war.hits()[-1] == (1, 1)


class TestLeaders:
    def war(self, *attack: str, defend: tuple[str, ...] = ("shield", "shield")) -> War:
        war = War()
        war.legion(HARKONNEN, "carthag", regular=3, leader=1, named=("baron_harkonnen", "beast_rabban"))
        war.legion(ATREIDES, "arsunt", regular=2, leader=1, named=("paul_atreides",))
        war.rolls("combat/harkonnen", *attack).rolls("combat/atreides", *defend)
        return war.clash()

    @covers("WFA-B.19")
    def test_the_attacker_chooses_first_when_both_have_more_leaders_than_specials(self) -> None:
        war = self.war("special", "hit", "hit", defend=("special", "hit"))
        assert war.asked == (HARKONNEN,)
        assert set(war.legal(HARKONNEN)) == {
            UseLeaders(1, ()),
            UseLeaders(0, ("baron_harkonnen",)),
            UseLeaders(0, ("beast_rabban",)),
        }
        war.answer(HARKONNEN, UseLeaders(0, ("beast_rabban",)))
        assert war.asked == (ATREIDES,)
        war.answer(ATREIDES, UseLeaders(0, ("paul_atreides",)))
        assert war.hits()[-1] == (2, 4)

    @covers("WFA-B.18", "WFA-B.17")
    def test_each_leader_uses_one_special(self) -> None:
        war = self.war("special", "special", "special")
        assert war.hits()[-1] == (0, 1), "1 for the Bashar, 2 for Rabban, less two shields"

    @covers("WFA-B.19")
    def test_generic_leaders_are_alike_so_nobody_is_asked(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2, leader=2).legion(ATREIDES, "arsunt", regular=2)
        war.rolls("combat/harkonnen", "special", "shield").rolls("combat/atreides", "shield", "shield")
        war.clash()
        assert war.hits()[-1] == (0, 0)


class TestSpecialElites:
    def war(self, edition: str) -> War:
        war = War(edition=edition)
        war.legion(HARKONNEN, "carthag", special=2).legion(ATREIDES, "arsunt", regular=2, named=("lady_jessica",))
        war.rolls("combat/harkonnen", "hit", "hit").rolls("combat/atreides", "special", "shield")
        return war.clash()

    @covers("WFA-B.20", "WFA-B.21")
    def test_they_cancel_shields_that_came_from_specials_too(self) -> None:
        assert self.war("exclusive").hits()[-1] == (0, 2)

    @covers("WFA-B.22")
    def test_in_2022_shields_from_specials_are_safe(self) -> None:
        assert self.war("preview_2022").hits()[-1] == (0, 1)


class TestSurprise:
    @covers("WFA-A.15", "WFA-A.14", "WFA-X.3")
    def test_done_leaves_an_attack_undone(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=2).legion(ATREIDES, "arsunt", regular=1)
        war.run(AttackWith(seat=war.harkonnen))
        war.answer(HARKONNEN, Done())
        assert war.done

    @covers("WFA-B.52")
    def test_all_figures_of_the_defender_take_part(self) -> None:
        war = War().legion(HARKONNEN, "carthag", regular=1)
        war.legion(ATREIDES, "arsunt", regular=1, elite=2, tokens=("atreides_starting_1",))
        war.clash()
        assert war.thrown() == [1, 5]


class TestReach:
    @pytest.mark.parametrize("edition", ["exclusive", "preview_2022"])
    @covers("WFA-M.17", "WFA-M.18", "WFA-B.1")
    def test_an_atreides_legion_attacks_where_a_ride_could_end(self, edition: str) -> None:
        war = War(edition=edition).legion(ATREIDES, "sw_5", regular=1).wormsign("sw_3").wormsign("cnw_3")
        war.legion(HARKONNEN, "cnw_1", regular=1).legion(HARKONNEN, "nw_8", regular=1)
        war.run(AttackWith(seat=war.atreides))
        assert war.legal(ATREIDES, Attack) == [attack("sw_5", "cnw_1", regular=1)]

    @covers("WFA-M.17")
    def test_not_through_an_enemy_legion(self) -> None:
        war = War().legion(ATREIDES, "sw_5", regular=1).wormsign("sw_3").wormsign("cnw_3")
        war.legion(HARKONNEN, "cnw_1", regular=1).legion(HARKONNEN, "sw_3", regular=1)
        war.run(AttackWith(seat=war.atreides))
        assert war.legal(ATREIDES, Attack) == [attack("sw_5", "sw_3", regular=1)]

    @covers("WFA-M.25", "WFA-M.26")
    def test_a_harkonnen_legion_attacks_by_ornithopter_over_borders(self) -> None:
        war = War().legion(HARKONNEN, "broken_land", regular=2).ornithopter("z1").legion(ATREIDES, "ne_4", regular=1)
        war.run(AttackWith(seat=war.harkonnen))
        assert war.legal(HARKONNEN, Attack) == [attack("broken_land", "ne_4", regular=2, ornithopter="z1")]
        war.rolls("combat/harkonnen", "shield", "shield").rolls("combat/atreides", "shield")
        war.answer(HARKONNEN, attack("broken_land", "ne_4", regular=2, ornithopter="z1"))
        assert war.g.vehicle("z1") == (0, 0, 0)
        assert war.figures(HARKONNEN, "broken_land") == (2, 0, 0, 0), "it fights from where it is"
