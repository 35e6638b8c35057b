"""Victory: the secret objective and when it is looked at, the end of the Supremacy Track, the last round."""

from random import Random
from typing import Any

import pytest

from landsraad_engine.arrakis.acts import Detonate
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.objectives import CheckObjective, draw_second_objective, may_be_held
from landsraad_engine.arrakis.round import EndOfRound
from landsraad_engine.arrakis.settlements import DestroySettlement
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.arrakis.terms import MARKERS
from landsraad_engine.arrakis.tracks import AdvanceMarker, GainSupremacy
from landsraad_engine.arrakis.zones import ASIDE
from landsraad_engine.knowledge.information import view_of
from landsraad_engine.knowledge.worlds import sample_world
from landsraad_engine.play.bot import RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing
from landsraad_engine.testing import covers
from landsraad_engine.testing.arrakis import War

EDITIONS = ("exclusive", "v1_1", "preview_2022")
LATER: list[dict[str, Any]] = [{}, {"faq": False}, {"edition": "v1_1"}]
CHOSEN = "the_chosen_one"  # 8, 5, 5


def holding(*steps: int, objective: str = CHOSEN, **options: Any) -> War:
    """The Atreides hold an objective, the markers stand on these steps."""
    war = War(**options).lay("objectives", objective)
    others = [each for each in war.g.content.objective if each != objective]
    war.lay("objectives_away", *others)
    for marker, step in zip(MARKERS, steps, strict=True):
        war.put(f"marker/{marker}", step)
    return war


def checks(war: War) -> list[bool]:
    """What the checks so far have made public."""
    return [arguments[2] for arguments in war.said("declare")]


class TestTheEndOfARound:
    @pytest.mark.parametrize("options", LATER)
    @covers("WFA-Q.21", "WFA-Q.22", "WFA-U.4")
    def test_the_atreides_win_if_each_marker_has_reached_its_target(self, options: dict[str, Any]) -> None:
        war = holding(8, 5, 5, **options).run(EndOfRound())
        assert war.g.result == ("prescience", war.g.seats_of(ATREIDES))

    @pytest.mark.parametrize("steps", [(7, 5, 5), (8, 4, 10), (8, 10, 4), (0, 0, 0)])
    @covers("WFA-Q.21", "WFA-Q.22")
    def test_not_if_one_of_them_is_short(self, steps: tuple[int, ...]) -> None:
        assert holding(*steps).run(EndOfRound()).g.result is None

    @covers("WFA-Q.3", "WFA-Q.22")
    def test_targets_may_be_passed(self) -> None:
        assert holding(10, 9, 6).run(CheckObjective()).g.result is not None

    @covers("WFA-Q.24")
    def test_a_check_tells_whether_it_is_met_and_nothing_else(self) -> None:
        war = holding(7, 5, 5).run(EndOfRound())
        assert checks(war) == [False]
        assert all(CHOSEN not in repr(event) for event in war.seen(HARKONNEN))

    @pytest.mark.parametrize("options", LATER)
    @covers("WFA-Q.21", "WFA-Q.22")
    def test_in_the_midst_of_a_round_nobody_looks(self, options: dict[str, Any]) -> None:
        war = holding(7, 5, 5, **options).run(AdvanceMarker(marker="kwisatz_haderach", steps=1))
        assert war.g.result is None
        assert checks(war) == []


class TestArrakeen:
    def falls(self, area: str = "arrakeen", **options: Any) -> War:
        war = holding(5, 2, 2, **options).village("arrakeen").village("carthag")
        return war.run(DestroySettlement(side=HARKONNEN, area=area))

    @pytest.mark.parametrize("options", [{}, {"edition": "v1_1"}])
    @covers("WFA-Q.22", "WFA-B.50")
    def test_its_fall_advances_the_markers_and_wins_at_once(self, options: dict[str, Any]) -> None:
        war = self.falls(**options)
        assert war.g.result == ("prescience", war.g.seats_of(ATREIDES))

    @covers("WFA-Q.21")
    def test_without_the_corrections_it_waits_for_the_end_of_the_round(self) -> None:
        war = self.falls(faq=False)
        assert war.g.result is None
        assert checks(war) == []
        assert war.run(EndOfRound()).g.result is not None

    @covers("WFA-Q.22")
    def test_no_other_settlement_has_it_checked(self) -> None:
        assert checks(self.falls("carthag")) == []


class TestIn2022:
    @covers("WFA-Q.23", "WFA-Q.24")
    def test_the_step_that_completes_the_targets_wins_at_once(self) -> None:
        war = holding(7, 5, 4, edition="preview_2022").run(AdvanceMarker(marker="jihad", steps=1))
        assert war.g.result is None
        war.run(AdvanceMarker(marker="kwisatz_haderach", steps=1))
        assert war.g.result == ("prescience", war.g.seats_of(ATREIDES))
        assert checks(war) == [False, True]

    @covers("WFA-Q.23", "WFA-Q.16")
    def test_the_check_comes_before_the_leader_whom_the_step_brings(self) -> None:
        war = (
            holding(8, 5, 2, edition="preview_2022")
            .put("figure/chani", None)
            .run(AdvanceMarker(marker="jihad", steps=1))
        )
        assert war.g.whereabouts("chani") == ASIDE
        told = [
            event.verb for event in war.events if event.verb == "declare" or event.public == ("figure/chani", ASIDE)
        ]
        assert told == ["declare", "set"]

    def settlement_falls(self, *markers: int) -> War:
        war = holding(*markers, edition="preview_2022").village("arrakeen")
        return war.run(DestroySettlement(side=HARKONNEN, area="arrakeen"))

    @covers("WFA-Q.29", "WFA-B.50", "WFA-Q.23")
    def test_the_fall_of_a_settlement_wins_before_the_atomics_are_forced(self) -> None:
        war = self.settlement_falls(5, 2, 2)
        assert war.g.result == ("prescience", war.g.seats_of(ATREIDES))
        assert checks(war) == [True], "nothing is looked at before all three have moved"
        assert "atomics" not in war.g.table

    @covers("WFA-Q.29", "WFA-H.40")
    def test_without_a_victory_all_three_have_moved_before_the_atomics_go_off(self) -> None:
        war = self.settlement_falls(5, 1, 1)
        assert [war.g.marker(each) for each in MARKERS] == [8, 4, 4]
        assert war.asked == (ATREIDES,)
        assert war.answer(ATREIDES, Detonate("rimwall_west")).done
        assert checks(war) == [False], "the same markers are not checked twice"

    @covers("WFA-Q.29", "WFA-Q.26", "WFA-Q.16", "WFA-Q.17")
    def test_every_step_passed_brings_what_it_brings(self) -> None:
        war = holding(0, 0, 1, edition="preview_2022").put("figure/chani", None).put("figure/alia", None)
        war.village("arrakeen").run(DestroySettlement(side=HARKONNEN, area="arrakeen"))
        assert war.g.whereabouts("chani") == ASIDE, "the Jihad went past its third step"
        assert war.g.whereabouts("alia") is None, "nobody has reached the sixth"

    @covers("WFA-Q.29", "WFA-Q.2")
    def test_a_marker_near_its_end_goes_no_further_than_the_others_let_it(self) -> None:
        war = holding(10, 9, 0, edition="preview_2022").put("atomics", "rimwall_west").village("arrakeen")
        war.run(DestroySettlement(side=HARKONNEN, area="arrakeen"))
        assert [war.g.marker(each) for each in MARKERS] == [10, 10, 3]

    @covers("WFA-Q.23", "WFA-R.6")
    def test_the_end_of_a_round_is_no_occasion(self) -> None:
        assert checks(holding(7, 5, 5, edition="preview_2022").run(EndOfRound())) == []


class TestTwoObjectives:
    @covers("WFA-C.55")
    def test_a_second_one_is_drawn_unseen_and_either_wins(self) -> None:
        war = holding(5, 5, 8)
        draw_second_objective(war.g)
        assert len(war.g.table["objectives"]) == 2
        war.lay("objectives", CHOSEN, "the_crusade").run(CheckObjective())
        assert war.g.result is not None

    @covers("WFA-C.55")
    def test_only_the_atreides_see_it(self) -> None:
        war = holding(0, 0, 0)
        draw_second_objective(war.g)
        drawn = next(each for each in war.g.table["objectives"] if each != CHOSEN)
        war.again()
        assert any(drawn in repr(event) for event in war.seen(ATREIDES))
        assert not any(drawn in repr(event) for event in war.seen(HARKONNEN))


class TestWhatChecksTell:
    @covers("WFA-Q.24")
    def test_objectives_that_a_failed_check_would_have_met_are_ruled_out(self) -> None:
        war = holding(8, 4, 10).run(CheckObjective())
        held = {each for each in war.g.content.objective if may_be_held(war.g, each)}
        assert held == {
            "the_chosen_one",
            "the_water_of_life",
            "prophet_of_the_desert",
            "the_green_and_the_red",
            "the_crusade",
        }
        assert "emperor_to_be" not in held

    @covers("WFA-Q.24")
    def test_only_the_highest_failures_are_kept(self) -> None:
        war = holding(3, 3, 3).run(CheckObjective())
        war.markers(jihad=5).run(CheckObjective()).markers(jihad=4, sand_dwellers=4)
        war.run(CheckObjective())
        assert war.g.table["unmet"] == ((3, 3, 5), (3, 4, 4))

    @covers("WFA-C.55", "WFA-Q.24")
    def test_of_a_second_objective_they_have_told_nothing(self) -> None:
        war = holding(8, 4, 10).run(CheckObjective())
        draw_second_objective(war.g)
        assert may_be_held(war.g, "emperor_to_be")

    @covers("WFA-Q.24", "WFA-U.7")
    def test_sampled_worlds_hold_no_objective_that_is_ruled_out(self) -> None:
        match = Match(ARRAKIS, 2, {}, name="objectives")
        g: Any = match.g
        g.table["objectives"], rest = ("the_chosen_one",), [e for e in g.content.objective if e != "the_chosen_one"]
        g.table["objectives_away"] = tuple(rest)
        g.table["unmet"] = ((8, 4, 10), (7, 8, 5))
        possible = {each for each in g.content.objective if may_be_held(g, each)}
        worlds = [sample_world(g.setting, view_of(g, 0), Random(n)) for n in range(60)]
        assert {world.table["objectives"][0] for world in worlds} == possible
        assert len(possible) < len(g.content.objective)


class TestOtherResults:
    @pytest.mark.parametrize("edition", EDITIONS)
    @covers("WFA-Q.20", "WFA-U.4")
    def test_the_harkonnen_win_at_once_at_the_end_of_their_track(self, edition: str) -> None:
        war = holding(10, 10, 10, edition=edition).put("supremacy", 7).sietch("tasmin_sink", 3)
        war.run(DestroySettlement(side=ATREIDES, area="tasmin_sink"))
        assert war.g.result == ("supremacy", war.g.seats_of(HARKONNEN))
        assert holding(0, 0, 0, edition=edition).run(GainSupremacy(points=9)).g.result is None

    @pytest.mark.parametrize("edition", EDITIONS)
    @covers("WFA-U.5", "WFA-U.4")
    def test_after_the_last_round_nobody_wins(self, edition: str) -> None:
        options = {"edition": edition, "round_limit": 1}
        match = Match(ARRAKIS, 2, options, name="short", record=False, orders=standing(2))
        play_out(match, [RandomBot(1), RandomBot(2)])
        assert match.result == ("round_limit", ())
