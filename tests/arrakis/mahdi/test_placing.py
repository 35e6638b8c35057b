"""Units that come to the board and units that are exchanged: Deployment, House, and what has run out."""

from landsraad_engine.arrakis.acts import BringForces
from landsraad_engine.arrakis.mahdi.garrisons import available
from landsraad_engine.arrakis.mahdi.placing import (
    PlaceByAutomaton,
    deploying_order,
    deployment,
    placing_order,
    who_is_deployed,
)
from landsraad_engine.arrakis.mahdi.swapping import SwapByAutomaton, can_swap
from landsraad_engine.arrakis.mahdi.turn import ACTIONS
from landsraad_engine.arrakis.sides import ATREIDES, ELITE, HARKONNEN, REGULAR, SPECIAL
from landsraad_engine.testing import covers
from landsraad_engine.testing.mahdi import Solo


def solo_with(target: str = "gara_kulon") -> Solo:
    return Solo().harvesting("habbanya_ridge").target(target)


def on(solo: Solo) -> Solo:
    """Answer every question with the first answer."""
    while not solo.done:
        solo.answer(ATREIDES, solo.legal(ATREIDES)[0])
    return solo


class TestDeployment:
    @covers("WFA-Y.87")
    def test_to_the_settlement_with_the_strongest_legion(self) -> None:
        solo = solo_with().village("carthag").village("arrakeen").legion(HARKONNEN, "carthag", regular=1)
        solo.run(deployment(solo.g))
        assert solo.done
        assert solo.figures(HARKONNEN, "carthag") == (4, 0, 0, 1)

    @covers("WFA-Y.87", "WFA-Y.90")
    def test_then_to_the_one_closest_to_the_target(self) -> None:
        solo = solo_with("sihaya_ridge").village("carthag").village("arrakeen").village("arsunt")
        first = deploying_order(solo.g)[0]
        distances = dict.fromkeys(("carthag", "arrakeen", "arsunt"), solo.g.board.within_by_air)
        steps = {
            area: next(n for n in range(20) if reach(area, n) & solo.g.board.bit["sihaya_ridge"])
            for area, reach in distances.items()
        }
        assert set(first) == {area for area in steps if steps[area] == min(steps.values())}

    @covers("WFA-Y.88")
    def test_rabban_and_feyd_before_other_leaders_a_bashar_last(self) -> None:
        solo = solo_with()
        assert who_is_deployed(solo.g) == ("bashar",)
        solo.leader("baron_harkonnen").leader("captain_aramsham")
        assert set(who_is_deployed(solo.g)) == {"baron_harkonnen", "captain_aramsham"}
        solo.leader("beast_rabban")
        assert who_is_deployed(solo.g) == ("beast_rabban",)
        solo.leader("beast_rabban", "tank")
        assert "beast_rabban" not in who_is_deployed(solo.g)

    @covers("WFA-Y.88")
    def test_between_other_named_leaders_the_humans_choose(self) -> None:
        solo = solo_with().village("carthag").leader("baron_harkonnen").leader("captain_aramsham")
        solo.run(deployment(solo.g))
        offered = solo.legal(ATREIDES, BringForces)
        assert {act.leaders for act in offered} == {("baron_harkonnen",), ("captain_aramsham",)}

    @covers("WFA-Y.89", "WFA-Y.90")
    def test_units_beyond_the_limit_go_to_the_next_settlement(self) -> None:
        solo = solo_with().village("carthag").village("arrakeen").legion(HARKONNEN, "carthag", regular=5)
        solo.legion(HARKONNEN, "arrakeen", regular=1)
        on(solo.run(deployment(solo.g)))
        assert solo.figures(HARKONNEN, "carthag") == (6, 0, 0, 1)
        assert solo.figures(HARKONNEN, "arrakeen") == (3, 0, 0, 0)

    @covers("WFA-Y.90")
    def test_which_units_go_first_is_for_the_humans(self) -> None:
        solo = solo_with().village("carthag").legion(HARKONNEN, "carthag", regular=5)
        solo.run(deployment(solo.g, (2, 0, 1)))
        assert {act.units[:3] for act in solo.legal(ATREIDES, BringForces)} == {(1, 0, 0), (0, 0, 1)}

    @covers("WFA-Y.90")
    def test_a_leader_comes_even_if_no_unit_finds_room(self) -> None:
        solo = solo_with().village("carthag").legion(HARKONNEN, "carthag", regular=6)
        on(solo.run(deployment(solo.g)))
        assert solo.figures(HARKONNEN, "carthag") == (6, 0, 0, 1)

    @covers("WFA-Y.90")
    def test_with_no_settlement_nothing_is_deployed(self) -> None:
        solo = solo_with()
        assert solo.run(deployment(solo.g)).done
        assert not solo.g.survey().harkonnen


class TestWhatHasRunOut:
    @covers("WFA-Y.165")
    def test_the_next_higher_kind_else_the_next_lower(self) -> None:
        solo = solo_with()
        assert available(solo.g, (3, 0, 0, 1), (1, 1, 5, 0)) == (1, 1, 1, 0)
        assert available(solo.g, (0, 2, 0, 0), (4, 0, 1, 0)) == (1, 0, 1, 0)
        assert available(solo.g, (0, 0, 2, 0), (4, 1, 0, 0)) == (1, 1, 0, 0)

    @covers("WFA-Y.165")
    def test_substitutes_are_deployed(self) -> None:
        solo = solo_with().village("carthag").put("supply/harkonnen", (1, 4, 0, 0))
        solo.run(deployment(solo.g))
        assert solo.figures(HARKONNEN, "carthag") == (1, 2, 0, 0)


class TestHouse:
    @covers("WFA-Y.84", "WFA-Y.85", "WFA-Y.86", "WFA-Y.21")
    def test_both_effects_from_the_top(self) -> None:
        solo = solo_with("tasmin_sink").legion(HARKONNEN, "pasty_mesa", regular=3)
        solo.legion(HARKONNEN, "carthag", regular=3)
        on(solo.run(ACTIONS["house"](solo.g)))
        assert solo.figures(HARKONNEN, "pasty_mesa") == (1, 2, 0, 0), "the legion closest to a Sietch"
        assert solo.g.survey().harvesters
        assert sum(solo.g.vehicle(zone)[1] for zone in solo.g.content.air_zone) == 1

    @covers("WFA-Y.85", "WFA-Y.86")
    def test_of_equally_close_ones_the_strongest_against_that_sietch(self) -> None:
        solo = solo_with("tasmin_sink").legion(HARKONNEN, "pasty_mesa", regular=2).legion(HARKONNEN, "se_1", regular=3)
        assert placing_order(solo.g, ("pasty_mesa", "se_1")) == (("se_1",), ("pasty_mesa",))

    @covers("WFA-Y.86")
    def test_one_legion_is_exhausted_before_the_next(self) -> None:
        solo = (
            solo_with("tasmin_sink").legion(HARKONNEN, "pasty_mesa", regular=1).legion(HARKONNEN, "carthag", regular=3)
        )
        on(solo.run(SwapByAutomaton(count=2)))
        assert solo.figures(HARKONNEN, "pasty_mesa") == (0, 1, 0, 0)
        assert solo.figures(HARKONNEN, "carthag") == (2, 1, 0, 0)

    @covers("WFA-Y.165")
    def test_sardaukar_come_where_elites_have_run_out(self) -> None:
        solo = solo_with("tasmin_sink").legion(HARKONNEN, "pasty_mesa", regular=2).put("supply/harkonnen", (5, 0, 1, 0))
        on(solo.run(SwapByAutomaton(count=2)))
        assert solo.figures(HARKONNEN, "pasty_mesa") == (1, 0, 1, 0)
        assert not can_swap(solo.g, REGULAR, ELITE)
        assert not can_swap(solo.g, ELITE, SPECIAL)

    @covers("WFA-Y.85", "WFA-Y.160")
    def test_tokens_are_turned_up_one_at_a_time_until_there_are_regulars_enough(self) -> None:
        solo = solo_with("tasmin_sink").garrison("pasty_mesa", black=1, silver=1)
        assert can_swap(solo.g, REGULAR, ELITE)
        solo.run(SwapByAutomaton(count=1))
        assert solo.choices("turn_up_black") | solo.choices("turn_up_silver") == {"pasty_mesa"}
        solo.choose("turn_up_black", "pasty_mesa")
        assert solo.g.garrison("pasty_mesa") in (("harkonnen_silver",), ())
        assert solo.g.figures(HARKONNEN, "pasty_mesa")[ELITE] >= 1

    @covers("WFA-Y.98", "WFA-Y.171")
    def test_what_does_not_fit_stays_off_the_board_or_goes_on(self) -> None:
        solo = (
            solo_with("tasmin_sink").legion(HARKONNEN, "pasty_mesa", regular=5).legion(HARKONNEN, "carthag", regular=1)
        )
        order = placing_order(solo.g, ("pasty_mesa", "carthag"))
        one = solo.fork().run(PlaceByAutomaton(units=(0, 2, 0), ranking=order))
        assert [one.figures(HARKONNEN, a)[ELITE] for a in ("pasty_mesa", "carthag")] == [1, 0]
        two = solo.fork().run(PlaceByAutomaton(units=(0, 2, 0), ranking=order, spread=True))
        assert [two.figures(HARKONNEN, a)[ELITE] for a in ("pasty_mesa", "carthag")] == [1, 1]
