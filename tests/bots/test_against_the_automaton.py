"""The players of War for Arrakis against Mahdi: whole matches, and what they choose in its name."""

from collections.abc import Callable
from typing import Any

import pytest

from landsraad_bots.greedy import greedy
from landsraad_bots.greedy.arrakis import automaton
from landsraad_bots.rules_of_thumb import rules_of_thumb
from landsraad_engine.arrakis import acts
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.arrakis.mahdi.automaton import exactly
from landsraad_engine.arrakis.sides import ATREIDES, HARKONNEN
from landsraad_engine.kernel.asks import Ask
from landsraad_engine.play.bot import Bot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing, view_apart
from landsraad_engine.testing.mahdi import Solo

Player = Callable[[str], type[Bot]]
MODES: tuple[dict[str, Any], ...] = ({}, {"faq": False}, {"edition": "v1_1"})


@pytest.mark.parametrize("options", MODES)
@pytest.mark.parametrize(("player", "seats"), [(greedy, 1), (rules_of_thumb, 2)])
def test_a_player_plays_to_the_end(player: Player, seats: int, options: dict[str, Any]) -> None:
    """No act is refused: play_out raises for that."""
    match = Match(ARRAKIS, seats, {"mahdi": True, **options}, record=False, orders=standing(seats))
    play_out(match, [player("arrakis")(seat) for seat in range(seats)])
    assert match.result is not None
    kind, winners = match.result
    assert (kind, winners) in [("supremacy", ()), ("prescience", tuple(range(seats)))]


@pytest.mark.long
@pytest.mark.parametrize("options", MODES)
@pytest.mark.parametrize("seats", [1, 2])
@pytest.mark.parametrize("player", [greedy, rules_of_thumb])
def test_many_matches(player: Player, seats: int, options: dict[str, Any]) -> None:
    for number in range(15):
        chance = number.to_bytes(4, "big")
        match = Match(ARRAKIS, seats, {"mahdi": True, **options}, secret=chance, record=False, orders=standing(seats))
        play_out(match, [player("arrakis")(number + seat) for seat in range(seats)])
        assert match.result is not None


def choice_of(solo: Solo, act: Any) -> float:
    """Return the score of an act in the automaton's name."""
    view: Any = ARRAKIS.facade.of({**solo.g.table, "edition": "exclusive"}, 0, ())
    score = automaton.score_of(view, act, "WFA-Y.75")
    assert score is not None
    return score(view, act, exactly(act), "WFA-Y.75")


class TestInItsName:
    def test_of_attacks_that_tie_the_one_that_promises_least(self) -> None:
        solo = Solo().harvesting("habbanya_ridge").target("tasmin_sink")
        solo.legion(HARKONNEN, "pasty_mesa", regular=4).legion(ATREIDES, "se_1", regular=1)
        solo.legion(ATREIDES, "se_6", special=1, leader=1)
        weak = choice_of(solo, acts.Attack("pasty_mesa", "se_1", (4, 0, 0, 0), (), (), ""))
        strong = choice_of(solo, acts.Attack("pasty_mesa", "se_6", (4, 0, 0, 0), (), (), ""))
        assert weak != strong

    def test_the_strongest_leader_is_lost(self) -> None:
        solo = Solo()
        both = [acts.TakeCasualties((0, 0, 0, 0), (leader,)) for leader in ("baron_harkonnen", "captain_aramsham")]
        worth = {act.leaders[0]: choice_of(solo, act) for act in both}
        combat = {leader: solo.g.leader(leader).combat for leader in worth}
        assert worth == {leader: each.hits + each.shields for leader, each in combat.items()}

    def test_questions_of_its_own_are_left_to_the_usual_scores(self) -> None:
        match = Match(ARRAKIS, 1, {"mahdi": True})
        assert isinstance(match.g.ask, Ask)
        view: Any = view_apart(match, 0)
        assert automaton.score_of(view, acts.TakeDesertPower(), "WFA-A.1") is None
