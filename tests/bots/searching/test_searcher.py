"""The searching player: evidence from worlds, equal acts for equal views, and its policy where it cannot search."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from landsraad.bots import make_bot
from landsraad.errors import OtherRules
from landsraad_bots.house_runner.cpu_budget import CpuBudget
from landsraad_bots.players import Budgeted, side_of
from landsraad_bots.searching import values
from landsraad_bots.searching.player import Searcher
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.dune.game import DUNE
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.state import State
from landsraad_engine.knowledge.information import KnownTable, at_entry, places_seen, shown_faces
from landsraad_engine.play.bot import Decision
from landsraad_engine.play.match import Match, replaying
from landsraad_engine.play.self_play import RepeatedBot, play_out, put_question, standing, view_apart
from landsraad_engine.play.world import WorldSource

#: Inputs after which seats of these matches are asked questions that are searched.
TABLES = [(DUNE, 4, 130), (ARRAKIS, 2, 60)]


def asked(game: Game, seats: int, inputs: int, kinds: Callable[[Decision], bool]) -> tuple[Match, int]:
    """Play quick players until a question that is searched is open."""
    match = Match(game, seats, secret=b"searched", record=False, orders=standing(seats))
    bots = [make_bot("quick", game.id, seat) for seat in range(seats)]
    play_out(match, bots, inputs)
    while match.g.ask is not None:
        seat = match.g.waiting[0]
        if match.g.ask.options[seat].only() is None and kinds(put_question(match, seat)[1]):
            return match, seat
        play_out(match, bots, 1)
    raise AssertionError("no such question")


def searcher(game: Game, options: str, seed: int = 7) -> Searcher:
    bot = make_bot(f"searcher@{options}", game.id, seed)
    assert isinstance(bot, Searcher)
    return bot


@pytest.fixture(params=TABLES, ids=["dune", "arrakis"])
def table(request: pytest.FixtureRequest) -> tuple[Match, int]:
    game, seats, inputs = request.param
    bot = searcher(game, "worlds=2")
    return asked(game, seats, inputs, lambda ask: bool(bot._kind(ask)) and ask.options.count(limit=9) > 8)


def test_a_counted_search_is_deterministic_and_explains_itself(table: tuple[Match, int]) -> None:
    match, seat = table
    reports = []
    for _ in range(2):
        bot = searcher(match.game, "worlds=6,k=4")
        view, ask = put_question(match, seat)
        reports.append(bot.consider(view, ask))
        assert bot.decide(*put_question(match, seat)) in list(ask.options.enumerate())
    one, other = reports
    assert [(row.act, row.value, row.worlds) for row in one.candidates] == [
        (row.act, row.value, row.worlds) for row in other.candidates
    ]
    assert one.worlds == 6
    assert {one.chosen, one.policy} <= {row.act for row in one.candidates}
    assert all(row.rule for row in one.candidates)
    tried = [row for row in one.candidates if row.value is not None]
    assert len(tried) >= 3
    for row in tried:
        assert row.value is not None
        assert row.low is not None
        assert row.high is not None
        assert 0 <= row.low <= row.value <= row.high <= 1


def test_a_search_depends_on_the_view_alone(table: tuple[Match, int]) -> None:
    """Two states that the seat cannot tell apart give the same act: nothing leads from the question to the truth."""
    match, seat = table
    view, ask = put_question(match, seat)
    truth = searcher(match.game, "worlds=4,k=3").decide(view, ask)
    for number in range(3):  # other truths that look the same
        state = ask.world(Random(number))._state
        assert {key for key, value in state.table.items() if match.g.table.get(key) != value}
        assert searcher(match.game, "worlds=4,k=3").decide(*question_in(state, match, seat)) == truth


def question_in(state: State, match: Match, seat: int) -> tuple[Any, Decision]:
    """Put the open question of a state to a seat."""
    known = KnownTable(seat)
    known.places = places_seen(state, seat)
    known.shown = shown_faces(state)
    known.at = at_entry(state)
    assert state.ask is not None
    worlds = WorldSource(match.game, match.options, match.seats, known)
    decision = Decision(seat, state.ask.options[seat], state.ask.why, worlds=worlds)
    known.ask = (match.decision(seat), ())
    return match.game.facade.of(known.places, seat, known.at[0]), decision


class Elsewhere:
    """A source of worlds in a match by other rules."""

    def draw(self, rng: Random) -> Any:
        raise OtherRules("the match has another content digest")


def test_without_worlds_the_policy_plays_and_it_is_said(
    table: tuple[Match, int], caplog: pytest.LogCaptureFixture
) -> None:
    match, seat = table
    view, ask = put_question(match, seat)
    policy = searcher(match.game, "worlds=4").consider(view, ask).policy
    bot = searcher(match.game, "worlds=4")
    for _ in range(2):
        view, _ = put_question(match, seat)
        report = bot.consider(view, Decision(seat, ask.options, ask.why, worlds=Elsewhere()))
        assert report.worlds == 0
        assert "another content digest" in report.note
    assert len([record for record in caplog.records if "plays its policy" in record.message]) == 1
    assert searcher(match.game, "worlds=4").consider(view, Decision(seat, ask.options, ask.why)).chosen == policy


def test_without_a_value_the_policy_plays(table: tuple[Match, int], monkeypatch: pytest.MonkeyPatch) -> None:
    match, seat = table
    monkeypatch.setattr("landsraad_bots.searching.player.value_for", lambda game, seats: None)
    view, ask = put_question(match, seat)
    report = searcher(match.game, "worlds=4").consider(view, ask)
    assert report.chosen == report.policy
    assert "no value" in report.note


def test_a_short_clock_leaves_the_quick_policy_alone(table: tuple[Match, int]) -> None:
    match, seat = table
    view, ask = put_question(match, seat)
    clock = type("Clock", (), {"decision": None, "bank": 0.05, "increment": 0.0})()
    hurried = Decision(seat, ask.options, ask.why, clock=clock, worlds=ask._worlds)
    report = searcher(match.game, "1s").consider(view, hurried)
    assert "no time" in report.note


def test_a_budget_that_is_used_up_leaves_the_policy(table: tuple[Match, int]) -> None:
    match, seat = table
    bot = searcher(match.game, "0.05s")
    assert isinstance(bot, Budgeted)
    budget = CpuBudget(0.001, cpu=lambda: 0.0, now=lambda: 0.0)
    bot.share_budget(budget)
    report = bot.consider(*put_question(match, seat))
    assert "budget" in report.note
    assert budget.grant(1.0) == pytest.approx(0.005)  # the grant was given back
    bot.share_budget(CpuBudget(1.0, cpu=lambda: 0.0, now=lambda: 0.0))
    assert bot.consider(*put_question(match, seat)).worlds > 1


@pytest.mark.parametrize(("game", "seats"), [(DUNE, 2), (ARRAKIS, 2)])
def test_a_match_with_a_searcher_can_be_played_again(game: Game, seats: int) -> None:
    match = Match(game, seats, secret=b"again", record=False, orders=standing(seats))
    bots = [make_bot("searcher@worlds=2,k=2" if seat == 0 else "quick", game.id, seat) for seat in range(seats)]
    play_out(match, bots, 120)
    repeated = None
    for again, given in replaying(game, match.certificate(), record=False):
        if repeated is None:
            repeated = RepeatedBot(again, 0, make_bot("searcher@worlds=2,k=2", game.id, 0))
        repeated.follow(given)
    assert repeated is not None
    assert repeated.decisions
    assert repeated.differing == []


@pytest.mark.parametrize(("game", "seats"), [("dune", 4), ("arrakis", 2)])
def test_weights_say_what_they_are_worth(game: str, seats: int) -> None:
    assert values.value_for(game, seats) is not None
    name = values.weights_name(game, seats if game == "dune" else 0)
    weights = values.read_weights((Path(values.__file__).parent / "weights" / name).read_bytes())
    assert weights.log_loss < weights.ignorance
    assert weights.command.startswith(f"landsraad train value {game}")
    assert sum(number for number, _, _ in weights.calibration) > 400


class Forgetful:
    """A value that misses a place."""

    def of(self, view: Any) -> float:
        raise KeyError("imperium/new")


def test_in_a_mode_that_the_value_does_not_know_the_policy_plays(
    table: tuple[Match, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    match, seat = table
    monkeypatch.setattr("landsraad_bots.searching.player.value_for", lambda game, seats: Forgetful())
    report = searcher(match.game, "worlds=4").consider(*put_question(match, seat))
    assert report.chosen == report.policy
    assert "does not know" in report.note


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_nearest_weights_serve_any_number_of_seats(seats: int) -> None:
    match = Match(DUNE, seats, secret=b"near", record=False, orders=standing(seats))
    play_out(match, [make_bot("quick", "dune", seat) for seat in range(seats)], 30 * seats)
    value = values.value_for("dune", seats)
    assert isinstance(value, values.DuneValue)
    assert sum(value.shares(view_apart(match, 0)).values()) == pytest.approx(1)
    assert values.value_for("errand", seats) is None
    assert values.value_for("arrakis", 1) is None


@pytest.mark.parametrize("seats", [1, 3, 4])
def test_other_numbers_of_seats_of_arrakis_are_played(seats: int) -> None:
    match = Match(ARRAKIS, seats, secret=b"many", record=False, orders=standing(seats))
    bots = [make_bot("searcher@worlds=2,k=2" if seat == 0 else "quick", "arrakis", seat) for seat in range(seats)]
    play_out(match, bots, 60)
    assert isinstance(bots[0], Searcher)
    assert bots[0].last_report is not None


def test_partners_of_arrakis_win_together() -> None:
    match = Match(ARRAKIS, 2, secret=b"side", record=False, orders=standing(2))
    play_out(match, [make_bot("quick", "arrakis", seat) for seat in range(2)], 60)
    view = view_apart(match, 0)
    value = values.value_for("arrakis", 4)
    assert value is not None
    view.table["side/2"] = view.side
    assert value.of_result(view, (0.5, 0.0, 0.5)) == 1.0
    assert value.of_result(view, (0.0, 1.0, 0.0)) == 0.0


def test_the_values_of_all_factions_add_up_to_one() -> None:
    match = Match(DUNE, 4, secret=b"sum", record=False, orders=standing(4))
    play_out(match, [make_bot("quick", "dune", seat) for seat in range(4)], 200)
    value = values.value_for("dune", 4)
    assert isinstance(value, values.DuneValue)
    view = view_apart(match, 0)
    shares = value.shares(view)
    assert len(shares) == 4
    assert sum(shares.values()) == pytest.approx(1)
    assert value.of(view) == shares[side_of(view)] > 0
