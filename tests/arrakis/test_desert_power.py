"""The Desert Power action: wormsigns laid, sandworms moved, sandworms that attack; and what cards take of it."""

from typing import Any

import pytest

from landsraad_engine.arrakis.action_resolution import ActionTurn
from landsraad_engine.arrakis.acts import Done, LayWormsigns, MoveWorm, StrikeWithWorm, TakeDesertPower, TakeWorm
from landsraad_engine.arrakis.desert_power import DesertPower, DriveWorm, PlaceWormsigns
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.worms import CallWorm, WormAttack
from landsraad_engine.arrakis.zones import FIGURE
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War


def power(war: War) -> War:
    return war.run(DesertPower(seat=war.atreides))


def targets(war: War, kind: type[MoveWorm] | type[StrikeWithWorm], source: str) -> set[str]:
    """Where a sandworm may go, or strike."""
    return {act.target for act in war.legal(ATREIDES) if isinstance(act, kind) and act.source == source}


class TestWormsigns:
    @covers("WFA-A.25", "WFA-A.26")
    def test_two_in_different_deserts_without_wormsign_worm_and_sietch(self) -> None:
        war = War().wormsign("se_3").worm("se_1").sietch("windgap").harvester("cnw_3")
        power(war.legion(HARKONNEN, "se_6", regular=1))
        war.answer(ATREIDES, LayWormsigns(("cnw_3", "se_6")))
        assert war.done, "laid beside a harvester or a legion they stay face down"
        assert {"wormsign/cnw_3", "wormsign/se_6"} <= war.g.table.keys()
        laid = power(War().wormsign("se_3").worm("se_1").sietch("windgap"))
        offered = laid.options(ATREIDES).choices[0].domain("areas").items  # type: ignore[attr-defined]
        assert {"se_3", "se_1", "windgap", "cne_8", "cne_4"}.isdisjoint(offered)
        assert {"cnw_4", "se_8"} <= set(offered)

    @covers("WFA-A.28")
    def test_they_are_drawn_at_random_and_nobody_sees_them(self) -> None:
        war = power(War()).answer(ATREIDES, LayWormsigns(("cnw_3", "se_6")))
        assert war.said("move") == [
            ("wormsigns", 15, "wormsign/cnw_3", 0, None),
            ("wormsigns", 14, "wormsign/se_6", 0, None),
        ]

    @covers("WFA-A.28")
    def test_with_fewer_in_the_pool_those_that_are_there(self) -> None:
        war = power(War().lay("wormsigns", "sand"))
        assert {len(act.areas) for act in war.legal(ATREIDES, LayWormsigns)} == {1}

    @covers("WFA-A.12", "WFA-A.26")
    def test_a_card_may_lay_some_and_nothing_has_to_be_laid(self) -> None:
        war = War().run(PlaceWormsigns(seat=1, count=3))
        war.refused(ATREIDES, MoveWorm("se_3", "se_4"))
        war.answer(ATREIDES, LayWormsigns(("cnw_3", "se_6", "se_7")))
        assert len(war.g.table["wormsigns"]) == 13
        war.run(PlaceWormsigns(seat=1, count=3)).answer(ATREIDES, Done())
        assert len(war.g.table["wormsigns"]) == 13


class TestMoving:
    @covers("WFA-M.44", "WFA-M.45")
    def test_up_to_two_deserts_far_into_one_without_figures_and_tokens_but_stations(self) -> None:
        war = War().worm("se_3").legion(HARKONNEN, "se_1", regular=1).sietch("tasmin_sink").wormsign("se_2")
        war.legion(ATREIDES, "se_7", regular=1).worm("ne_16").harvester("se_6")
        reached = targets(power(war), MoveWorm, "se_3")
        assert reached == {"ne_15", "se_4", "se_8"}, "past a legion, past a Sietch, past other pieces"
        war = power(War().worm("cnw_3").station("cnw_4", "jihad"))
        assert "cnw_4" in targets(war, MoveWorm, "cnw_3")

    @covers("WFA-M.46")
    def test_in_2022_only_figures_are_in_the_way(self) -> None:
        war = War(edition="preview_2022").worm("se_3").wormsign("se_2").legion(HARKONNEN, "se_1", regular=1)
        war.sietch("tasmin_sink").harvester("se_6")
        assert targets(power(war), MoveWorm, "se_3") == {"se_2", "se_4", "se_7", "ne_15", "ne_16", "se_8"}

    @covers("WFA-H.51")
    def test_a_worm_above_a_legion_that_has_still_to_retreat_is_not_driven_away(self) -> None:
        war = power(War().worm("se_3").worm("cne_3").legion(HARKONNEN, "cne_3", regular=1).harvester("cse_1"))
        assert {act.source for act in war.legal(ATREIDES, MoveWorm)} == {"se_3"}
        assert not war.legal(ATREIDES, StrikeWithWorm)

    @covers("WFA-A.25")
    def test_two_different_worms_move(self) -> None:
        war = power(War().worm("se_3").worm("cne_3")).answer(ATREIDES, MoveWorm("se_3", "se_8"))
        assert {type(act) for act in war.legal(ATREIDES)} == {MoveWorm, Done}
        assert {act.source for act in war.legal(ATREIDES, MoveWorm)} == {"cne_3"}
        war.answer(ATREIDES, MoveWorm("cne_3", "cse_1"))
        assert war.done
        assert (war.g.get("worm/se_8"), war.g.get("worm/cse_1")) == ((1, 0), (1, 0))

    @covers("WFA-A.12")
    def test_or_only_one(self) -> None:
        war = power(War().worm("se_3").worm("cne_3")).answer(ATREIDES, MoveWorm("se_3", "se_8"))
        war.answer(ATREIDES, Done())
        assert war.done

    @covers("WFA-L.33")
    def test_the_wild_maker_moves_like_any_other(self) -> None:
        war = power(War().worm("se_3", wild_maker=True)).answer(ATREIDES, MoveWorm("se_3", "se_8"))
        assert war.g.get("worm/se_8") == (0, 1)


class TestAttacking:
    @covers("WFA-H.30", "WFA-H.31")
    def test_up_to_two_areas_away_a_desert_between_and_never_a_mountain(self) -> None:
        war = War().worm("se_3").legion(HARKONNEN, "se_1", regular=1).legion(HARKONNEN, "ne_15", regular=1)
        war.legion(HARKONNEN, "pasty_mesa", regular=1).harvester("se_6").legion(HARKONNEN, "cse_3", regular=1)
        war.legion(ATREIDES, "se_2", regular=1)
        assert targets(power(war), StrikeWithWorm, "se_3") == {"se_1", "ne_15", "pasty_mesa", "se_6"}
        war = War().worm("cne_3").legion(HARKONNEN, "cne_4", regular=1).legion(HARKONNEN, "cne_2", regular=1)
        assert targets(power(war), StrikeWithWorm, "cne_3") == set()

    @covers("WFA-A.25", "WFA-H.30")
    def test_one_worm_attacks_and_is_removed(self) -> None:
        war = War().worm("se_3").worm("cne_3").legion(HARKONNEN, "se_1", regular=4)
        power(war.rolls("combat/worm", "hit", "special", "shield", "shield"))
        war.answer(ATREIDES, StrikeWithWorm("se_3", "se_1"))
        assert war.done, "the other one stays"
        assert war.figures(HARKONNEN, "se_1") == (2, 0, 0, 0)
        assert (war.g.get("worm/se_3"), war.g.get("worm/cne_3")) == ((0, 0), (1, 0))

    @covers("WFA-H.32", "WFA-H.19")
    def test_against_a_harvester_alone_no_dice_are_rolled_and_no_carryall_helps(self) -> None:
        war = power(War().worm("se_3").harvester("se_6").carryall("z5"))
        war.answer(ATREIDES, StrikeWithWorm("se_3", "se_6"))
        assert war.done
        assert war.thrown() == []
        assert war.g.vehicle("se_6") == (0, 0, 0)
        assert war.g.table["worms"] == (4, 1)

    @covers("WFA-H.33", "WFA-H.34")
    @pytest.mark.parametrize(("maker", "dice"), [(False, 4), (True, 6)])
    @pytest.mark.parametrize(("area", "special"), [("se_4", 2), ("se_6", 1), ("cse_3", 0), ("pasty_mesa", 0)])
    def test_dice_of_worms_and_what_their_specials_are_worth(
        self, maker: bool, dice: int, area: str, special: int
    ) -> None:
        war = War().worm("tasmin_sink", wild_maker=maker).legion(HARKONNEN, area, regular=6)
        war.rolls("combat/worm", "hit", "special", *["shield"] * (dice - 2))
        war.run(WormAttack(source="tasmin_sink", target=area))
        assert war.thrown() == [dice]
        assert war.figures(HARKONNEN, area) == (5 - special, 0, 0, 0)

    @covers("WFA-H.35", "WFA-H.36")
    @pytest.mark.parametrize(("area", "dice"), [("se_4", 5), ("se_6", 4), ("cse_3", 3), ("pasty_mesa", 3)])
    def test_in_2022_dice_by_the_ground(self, area: str, dice: int) -> None:
        for maker in (False, True):
            war = War(edition="preview_2022").worm("tasmin_sink", wild_maker=maker)
            war.legion(HARKONNEN, area, regular=6).rolls("combat/worm", "special", *["shield"] * (dice + 2 * maker - 1))
            war.run(WormAttack(source="tasmin_sink", target=area))
            assert war.thrown() == [dice + 2 * maker]
            assert war.figures(HARKONNEN, area) == (5, 0, 0, 0)

    @covers("WFA-H.38", "WFA-H.45")
    def test_a_legion_destroyed_in_a_settlement_leaves_it_standing(self) -> None:
        war = War().put("atomics", "hole_in_the_rock").worm("cne_3")
        war.legion(HARKONNEN, "imperial_basin", regular=1).village("imperial_basin")
        power(war.rolls("combat/worm", *["hit"] * 4)).answer(ATREIDES, StrikeWithWorm("cne_3", "imperial_basin"))
        assert war.figures(HARKONNEN, "imperial_basin") == (0, 0, 0, 0)
        assert war.g.rank(HARKONNEN, "imperial_basin") == 1
        assert war.g.marker("jihad") == 0

    @covers("WFA-H.44", "WFA-H.45", "WFA-H.46")
    @pytest.mark.parametrize(
        ("token", "start", "basin"),
        [
            ("splintered_rock", "wind_pass", "hagga_basin"),
            ("hole_in_the_rock", "cne_3", "imperial_basin"),
            ("rimwall_west", "ne_4", "arrakeen"),
            ("rimwall_west", "ne_4", "imperial_basin"),
        ],
    )
    def test_the_atomics_let_worms_reach_plateaus(self, token: str, start: str, basin: str) -> None:
        war = War().worm(start).legion(HARKONNEN, basin, regular=1).village(basin)
        assert targets(power(war), StrikeWithWorm, start) == set()
        assert basin in targets(power(war.put("atomics", token)), StrikeWithWorm, start)


class TestActivation:
    """In 2022 two different worms are activated."""

    def war(self, **options: Any) -> War:
        war = War(edition="preview_2022", **options).worm("se_3").worm("cne_3")
        war.legion(HARKONNEN, "se_1", regular=5).legion(HARKONNEN, "cse_1", regular=5)
        return power(war.rolls("combat/worm", *["shield"] * 12))

    @covers("WFA-A.27", "WFA-X.18")
    @pytest.mark.parametrize(
        ("first", "second"),
        [
            (StrikeWithWorm("se_3", "se_1"), StrikeWithWorm("cne_3", "cse_1")),
            (MoveWorm("se_3", "se_7"), MoveWorm("cne_3", "wind_pass")),
            (MoveWorm("se_3", "se_7"), StrikeWithWorm("cne_3", "cse_1")),
            (StrikeWithWorm("se_3", "se_1"), MoveWorm("cne_3", "wind_pass")),
        ],
    )
    def test_each_of_which_moves_or_attacks(self, first: Act, second: Act) -> None:
        war = self.war().answer(ATREIDES, first)
        assert {act.source for act in war.legal(ATREIDES) if isinstance(act, MoveWorm | StrikeWithWorm)} == {"cne_3"}
        war.answer(ATREIDES, second)
        assert war.done

    @covers("WFA-A.27")
    def test_or_two_wormsigns_are_laid(self) -> None:
        assert self.war().answer(ATREIDES, LayWormsigns(("cnw_3", "se_6"))).done


class TestByOtherMeans:
    @covers("WFA-A.24")
    def test_as_a_turn_it_costs_no_die(self) -> None:
        war = War().dice(HARKONNEN, strategy=2).dice(ATREIDES, strategy=1)
        war.run(ActionTurn(side=ATREIDES)).answer(ATREIDES, TakeDesertPower())
        assert war.where == "DesertPower.choose"
        assert war.g.dice("sietch_tabr") == {"strategy": 1}

    @covers("WFA-A.24")
    def test_a_card_or_leader_grants_it_whatever_the_dice(self) -> None:
        war = power(War().dice(HARKONNEN, strategy=1).dice(ATREIDES, strategy=4))
        assert war.legal(ATREIDES, LayWormsigns)

    @covers("WFA-L.37", "WFA-L.33")
    def test_a_worm_may_be_driven_on_and_attack_with_the_one_that_has_moved(self) -> None:
        war = War().put(FIGURE["wild_maker"], "aside").worm("cne_3").legion(HARKONNEN, "se_1", regular=6)
        war.rolls("combat/worm", *["shield"] * 6)
        war.run(DriveWorm(seat=1, kinds=("wild_maker",), enters=True))
        war.answer(ATREIDES, TakeWorm("se_6", "", "wild_maker"))
        assert {act.source for act in war.legal(ATREIDES, MoveWorm)} == {"se_6"}
        war.answer(ATREIDES, MoveWorm("se_6", "se_3")).answer(ATREIDES, StrikeWithWorm("se_3", "se_1"))
        assert war.done
        assert war.thrown() == [6]

    @covers("WFA-A.12")
    def test_any_worm_may_be_driven_but_only_one(self) -> None:
        war = War().worm("se_3").worm("se_6").legion(HARKONNEN, "se_1", regular=6).run(DriveWorm(seat=1))
        assert {act.source for act in war.legal(ATREIDES, MoveWorm)} == {"se_3", "se_6"}
        war.answer(ATREIDES, MoveWorm("se_6", "se_4"))
        assert {act.source for act in war.legal(ATREIDES, StrikeWithWorm)} == {"se_4"}

    @covers("WFA-M.43", "WFA-H.51", "WFA-H.13")
    def test_a_card_may_bring_several_worms(self) -> None:
        war = War().worm("windgap").run(CallWorm(seat=1, areas=("se_3", "se_6"), count=2))
        war.answer(ATREIDES, TakeWorm("se_3", "windgap", "sandworm"))
        assert war.legal(ATREIDES, TakeWorm) == [TakeWorm("se_6", "", "sandworm")]
        war.answer(ATREIDES, TakeWorm("se_6", "", "sandworm"))
        assert war.done
        assert war.g.get("worm/windgap") == (0, 0)

    @covers("WFA-M.43", "WFA-A.12")
    def test_or_none(self) -> None:
        assert War().run(CallWorm(seat=1, areas=("se_3",))).answer(ATREIDES, Done()).done
