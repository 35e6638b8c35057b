"""Combat Power: what a legion is worth to the automaton."""

from itertools import pairwise

from landsraad_engine.arrakis.mahdi.combat_power import NO_POWER, CombatPower, power_at, power_of
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.words import Legion
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War


class TestCombatPower:
    @covers("WFA-Y.54", "WFA-Y.55")
    def test_every_unit_and_leader_counts_one(self) -> None:
        assert power_of(Legion((1, 1, 1, 1), ("beast_rabban",))) == (5, 2 + 3 + 4 + 1 + 2)

    @covers("WFA-Y.54", "WFA-Y.56")
    def test_a_token_face_down_counts_two_either_way(self) -> None:
        assert power_of(Legion(tokens=("troops_1", "troops_2"))) == (4, 4)

    @covers("WFA-Y.55", "WFA-Y.56")
    def test_figures_in_detail_decide_where_points_are_equal(self) -> None:
        in_order = [
            Legion((0, 0, 0, 1)),  # a generic leader 1
            Legion((1, 0, 0, 0)),  # a Regular 2
            Legion((0, 1, 0, 0)),  # an Elite 3
            Legion((0, 0, 1, 0)),  # a Sardaukar or Fedaykin 4
            Legion((2, 0, 0, 0)),  # but two points are more than one, however good
        ]
        powers = [power_of(legion) for legion in in_order]
        assert all(less < more for less, more in pairwise(powers))
        assert power_of(Legion(named=("stilgar",))) == power_of(Legion((1, 0, 0, 0)))

    @covers("WFA-Y.55", "WFA-Y.56")
    def test_mx_16(self) -> None:
        """Equal points, so figures are compared in detail: 7 against 4."""
        harkonnen = power_of(Legion((3, 0, 0, 1)))
        atreides = power_of(Legion((0, 0, 0, 2), tokens=("troops_1",)))
        assert (harkonnen, atreides) == ((4, 7), (4, 4))
        assert harkonnen > atreides

    @covers("WFA-Y.56")
    def test_a_difference_is_of_points_then_of_points_in_detail(self) -> None:
        assert CombatPower(5, 9).over(CombatPower(3, 10)) == (2, -1)
        assert CombatPower(5, 12).over(CombatPower(3, 8)) > CombatPower(5, 9).over(CombatPower(3, 6))

    @covers("WFA-Y.57")
    def test_a_sietch_adds_nothing_and_counts_nothing_alone(self) -> None:
        war = War().sietch("tasmin_sink", 4).sietch("gara_kulon", 1).legion(ATREIDES, "tasmin_sink", regular=2)
        assert power_at(war.g, ATREIDES, "tasmin_sink") == (2, 4)
        assert power_at(war.g, ATREIDES, "gara_kulon") == NO_POWER
        assert power_of(Legion((0, 0, 0, 1))) > NO_POWER

    @covers("WFA-Y.54")
    def test_both_sides_are_measured_alike(self) -> None:
        war = War().legion(HARKONNEN, "carthag", special=1).legion(ATREIDES, "arsunt", special=1)
        assert power_at(war.g, HARKONNEN, "carthag") == power_at(war.g, ATREIDES, "arsunt") == (1, 4)


@covers("WFA-Y.170")
def test_distances_leave_out_impassable_borders() -> None:
    board = War().g.board
    assert board.distance("arrakeen", "sihaya_ridge") == 7
    assert board.distance_by_air("arrakeen", "sihaya_ridge") == 4
    assert board.distance_by_air("arrakeen", "arrakeen") == 0
