"""Moves of the automaton: the closest legion first, along the shortest way, over red borders, merging at the Target."""

import pytest

from landsraad_engine.arrakis.acts import ChooseTarget, MoveLegion
from landsraad_engine.arrakis.mahdi.distances import ways_left
from landsraad_engine.arrakis.mahdi.moves import MoveByAutomaton, as_fits, can_move, free_areas, goals, next_moves
from landsraad_engine.arrakis.mahdi.zones import TURN_FLIGHT, TURN_TARGET
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN, ORNITHOPTER
from landsraad_engine.arrakis.words import Legion
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo


def solo_with(target: str) -> Solo:
    """All Sietches on the board, undefended: what is left of distances."""
    solo = Solo().harvesting("habbanya_ridge" if target != "habbanya_ridge" else "gara_kulon").target(target)
    for area in solo.g.board.names(solo.g.board.sietches):
        if f"sietch/{area}" not in solo.g.table:
            solo.sietch(area)
    return solo


def ends(solo: Solo) -> set[str]:
    """The areas in which the move may end, or the area in which it has ended."""
    if solo.done:
        return set(solo.g.board.names(solo.g.survey().harkonnen))
    return {act.target for act in solo.legal(ATREIDES, MoveLegion)}


def towards(solo: Solo) -> MoveByAutomaton:
    return MoveByAutomaton(goal="gara_kulon")


def one_move(solo: Solo, **more: object) -> Solo:
    return solo.run(MoveByAutomaton(count=1, **more))  # type: ignore[arg-type]


class TestTheExamples:
    @covers("WFA-Y.74", "WFA-Y.75", "WFA-Y.5")
    def test_11_three_steps_tie(self) -> None:
        assert ends(one_move(solo_with("windgap").legion(HARKONNEN, "north_pole", regular=2))) == {
            "cse_1",
            "csw_4",
            "wind_pass",
        }

    @covers("WFA-Y.75")
    def test_11_without_a_wormsign(self) -> None:
        solo = solo_with("windgap").legion(HARKONNEN, "north_pole", regular=2).wormsign("csw_4")
        assert ends(one_move(solo)) == {"cse_1", "wind_pass"}

    @covers("WFA-Y.76", "WFA-Y.77")
    def test_12_by_ornithopter_to_the_plateau(self) -> None:
        solo = solo_with("windgap").legion(HARKONNEN, "north_pole", regular=2).ornithopter("z6")
        assert ends(one_move(solo)) == {"csw_2"}
        assert not solo.g.vehicle("z6")[ORNITHOPTER]
        assert solo.g.table[TURN_FLIGHT]

    @covers("WFA-Y.169", "WFA-Y.170", "WFA-Y.74")
    def test_13_over_red_borders(self) -> None:
        solo = solo_with("sihaya_ridge").village("arrakeen").legion(HARKONNEN, "arrakeen", regular=2)
        assert ends(one_move(solo)) == {"broken_land", "rimwall_west"}
        flying = solo_with("sihaya_ridge").village("arrakeen").legion(HARKONNEN, "arrakeen", regular=2)
        flying.ornithopter(flying.g.board.zones_of["arrakeen"][0])
        assert ends(one_move(flying)) == {"ne_4", "ne_5"}

    @covers("WFA-Y.75", "WFA-Y.77")
    def test_14(self) -> None:
        solo = solo_with("gara_kulon").legion(HARKONNEN, "imperial_basin", regular=2)
        assert ends(one_move(solo)) == {"cne_5"}
        flying = solo_with("gara_kulon").legion(HARKONNEN, "imperial_basin", regular=2)
        flying.ornithopter(flying.g.board.zones_of["imperial_basin"][0])
        assert ends(one_move(flying)) == {"cne_6"}

    @covers("WFA-Y.75", "WFA-Y.77")
    def test_15(self) -> None:
        solo = solo_with("bight_of_the_cliff").legion(HARKONNEN, "hagga_basin", regular=2)
        assert ends(one_move(solo)) == {"cnw_2", "shield_wall_west"}
        flying = solo_with("bight_of_the_cliff").legion(HARKONNEN, "hagga_basin", regular=2)
        flying.ornithopter(flying.g.board.zones_of["hagga_basin"][0])
        assert ends(one_move(flying)) == {"cnw_1", "nw_14"}

    @covers("WFA-Y.75", "WFA-Y.82", "WFA-Y.157")
    def test_27_as_many_units_as_fit(self) -> None:
        solo = solo_with("gara_kulon").village("carthag")
        solo.legion(HARKONNEN, "carthag", regular=3, elite=2, leader=1).legion(HARKONNEN, "arsunt", regular=4)
        assert list(as_fits(solo.at(HARKONNEN, "carthag"), 2)) == [Legion((0, 2, 0, 1))]


class TestWhoMoves:
    @covers("WFA-Y.70", "WFA-Y.81")
    def test_the_closest_first_and_of_equally_close_ones_the_strongest(self) -> None:
        solo = solo_with("gara_kulon").legion(HARKONNEN, "imperial_basin", regular=2)
        solo.legion(HARKONNEN, "cne_5", regular=1)
        one_move(solo)
        assert solo.figures(HARKONNEN, "imperial_basin") == (2, 0, 0, 0), "the closer one moves"
        tied = solo_with("gara_kulon").legion(HARKONNEN, "cne_5", regular=1).legion(HARKONNEN, "ne_5", regular=2)
        moves = next_moves(towards(tied), tied.g)
        left = ways_left(tied.g, "gara_kulon", free_areas(tied.g))
        assert left["cne_5"] == left["ne_5"]
        assert {move.source for move in moves} == {"ne_5"}, "of two equally far the stronger"

    @covers("WFA-Y.71", "WFA-Y.72", "WFA-Y.73")
    def test_a_temporary_target_takes_the_place_of_one_that_is_too_strong(self) -> None:
        solo = solo_with("gara_kulon").legion(ATREIDES, "gara_kulon", special=6)
        solo.legion(HARKONNEN, "imperial_basin", regular=2)
        mover = MoveByAutomaton(count=1)
        (goal, *others) = goals(mover, solo.g)
        assert goal != "gara_kulon"
        solo.run(mover)
        if others:
            solo.answer(ATREIDES, ChooseTarget("name_target", goal))
        assert solo.g.table[TURN_TARGET] in (goal, *others)
        kept = solo.g.table[TURN_TARGET]
        assert goals(MoveByAutomaton(count=1), solo.g) == [kept], "for the rest of the turn"

    @covers("WFA-Y.73")
    def test_if_no_sietch_can_be_beaten_nothing_moves(self) -> None:
        solo = Solo().harvesting("habbanya_ridge").target("gara_kulon").legion(ATREIDES, "gara_kulon", special=6)
        solo.legion(HARKONNEN, "imperial_basin", regular=2)
        assert not can_move(MoveByAutomaton(), solo.g)
        assert one_move(solo).done
        assert solo.figures(HARKONNEN, "imperial_basin") == (2, 0, 0, 0)

    @covers("WFA-Y.72")
    def test_of_equally_close_ones_that_of_the_highest_rank(self) -> None:
        solo = Solo().harvesting("habbanya_ridge").target("windgap").legion(ATREIDES, "windgap", special=6)
        near = sorted(
            (solo.g.board.within_by_air("windgap", steps) & solo.g.board.bit[area], steps, area)
            for area in ("habbanya_ridge", "hobars_gap")
            for steps in range(12)
        )
        first = {area: min(steps for there, steps, a in near if there and a == area) for _, _, area in near}
        closest = min(first, key=lambda area: first[area])
        for area in first:
            solo.sietch(area, 3 if area == closest else 1)
        solo.legion(HARKONNEN, "north_pole", regular=2)
        assert goals(MoveByAutomaton(), solo.g) == [closest]

    @covers("WFA-Y.59", "WFA-Y.73")
    def test_only_legions_that_the_action_is_for(self) -> None:
        solo = solo_with("gara_kulon").legion(HARKONNEN, "imperial_basin", regular=2)
        assert one_move(solo, led=True).done
        assert solo.figures(HARKONNEN, "imperial_basin") == (2, 0, 0, 0)


def neighbours(solo: Solo, target: str = "gara_kulon") -> tuple[str, str]:
    """Two areas next to a Sietch and to each other."""
    board = solo.g.board
    near = board.adjacent[target]
    return next((a, b) for a in board.names(near) for b in board.names(near & board.adjacent[a]))


class TestMerging:
    @covers("WFA-Y.78")
    def test_a_legion_next_to_the_target_stays(self) -> None:
        solo = solo_with("gara_kulon").legion(HARKONNEN, "cne_9", regular=2)
        assert one_move(solo).done
        assert solo.figures(HARKONNEN, "cne_9") == (2, 0, 0, 0)

    @covers("WFA-Y.79", "WFA-Y.80")
    def test_unless_it_can_merge_with_another(self) -> None:
        solo = solo_with("gara_kulon").legion(ATREIDES, "gara_kulon", regular=3)
        here, there = neighbours(solo)
        solo.legion(HARKONNEN, here, regular=2).legion(HARKONNEN, there, regular=2, leader=1)
        one_move(solo)
        while not solo.done:
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        merged = {area: solo.figures(HARKONNEN, area) for area in (here, there)}
        assert (4, 0, 0, 1) in merged.values()

    @covers("WFA-Y.80")
    def test_no_merge_that_would_not_beat_the_target(self) -> None:
        solo = Solo().harvesting("habbanya_ridge").target("gara_kulon").legion(ATREIDES, "gara_kulon", special=6)
        here, there = neighbours(solo)
        solo.legion(HARKONNEN, here, regular=2).legion(HARKONNEN, there, regular=2)
        assert one_move(solo).done
        assert solo.figures(HARKONNEN, here) == (2, 0, 0, 0)


class TestSeveralMoves:
    @covers("WFA-Y.81")
    def test_nothing_moves_twice_in_one_action(self) -> None:
        solo = solo_with("gara_kulon").legion(HARKONNEN, "imperial_basin", regular=2)
        solo.run(MoveByAutomaton(count=2))
        while not solo.done:
            solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
        assert solo.figures(HARKONNEN, "cne_5") == (2, 0, 0, 0)

    @covers("WFA-Y.81")
    def test_wormsigns_are_resolved_after_the_last_move(self) -> None:
        solo = solo_with("gara_kulon").legion(HARKONNEN, "imperial_basin", regular=2).wormsign("cne_5", "sand")
        solo.legion(HARKONNEN, "carthag", regular=1)
        solo.run(MoveByAutomaton(count=2), until="EnterWormsign")
        assert not solo.g.table.get("legion/harkonnen/imperial_basin")
        solo.finish()
        assert "wormsign/cne_5" not in solo.g.table

    @covers("WFA-Y.76")
    def test_one_ornithopter_in_a_turn(self) -> None:
        solo = solo_with("windgap").legion(HARKONNEN, "north_pole", regular=2).ornithopter("z6")
        solo.put(TURN_FLIGHT, True)
        assert ends(one_move(solo)) == {"cse_1", "csw_4", "wind_pass"}


class TestRoom:
    @pytest.mark.parametrize(
        ("room", "going"), [(6, (3, 1, 1, 1)), (1, (0, 0, 1, 1)), (2, (0, 1, 1, 1)), (3, (1, 1, 1, 1))]
    )
    @covers("WFA-Y.75", "WFA-Y.82")
    def test_the_strongest_units_and_all_leaders(self, room: int, going: tuple[int, int, int, int]) -> None:
        assert [part.units for part in as_fits(Legion((3, 1, 1, 1)), room)] == [going]

    @covers("WFA-Y.82")
    def test_regulars_and_tokens_count_alike(self) -> None:
        legion = Legion((1, 0, 0, 0), (), ("harkonnen_black", "harkonnen_silver"))
        parts = list(as_fits(legion, 1))
        assert {part.size for part in parts} == {1}
        assert len(parts) == 3

    @covers("WFA-Y.81", "WFA-Y.75")
    def test_no_move_ends_in_a_full_area(self) -> None:
        solo = solo_with("gara_kulon").legion(HARKONNEN, "imperial_basin", regular=2)
        solo.legion(HARKONNEN, "cne_5", regular=6).legion(ATREIDES, "gara_kulon", regular=3)
        one_move(solo)
        assert solo.figures(HARKONNEN, "imperial_basin") == (2, 0, 0, 0)
