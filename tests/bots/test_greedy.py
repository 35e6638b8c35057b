"""The greedy bot: it plays by the rules, and beats random beyond doubt."""

import re
from collections.abc import Sequence
from math import comb
from pathlib import Path
from random import Random

import pytest

import landsraad_engine.arrakis
from landsraad_bots.greedy import greedy
from landsraad_bots.greedy.arrakis import automaton
from landsraad_bots.greedy.arrakis.player import TARGET_SCORES, TARGETS_SCORES
from landsraad_bots.greedy.candidates import candidates
from landsraad_bots.greedy.dune.cards import card_worth, keep_worth, unseen_worth
from landsraad_bots.greedy.dune.player import CARD_SCORES, SCORES
from landsraad_bots.greedy.dune.position import chance, spice_worth
from landsraad_engine.arrakis.acts import ChooseTarget, Done, target_choice
from landsraad_engine.arrakis.mahdi.vehicle_placement import HARVEST_IN
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.dune import acts
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.pieces import FAMILY_ATOMICS, HAJR, KARAMA, TREACHERY, WEATHER_CONTROL, WORTHLESS
from landsraad_engine.kernel.domains import Alloc, OneOf, Range
from landsraad_engine.kernel.grammar import Act, Choice, Options
from landsraad_engine.play.bot import Bot, Decision, RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing


def play(bots: Sequence[Bot], number: int) -> Match:
    match = Match(DUNE, len(bots), secret=number.to_bytes(4, "big"), record=False, orders=standing(len(bots)))
    play_out(match, bots)
    return match


def wins(matches: int, seats: int, first: int) -> int:
    """In how many matches one greedy bot, in a seat that changes, is among the winners over random ones."""
    won = 0
    for number in range(first, first + matches):
        bots: list[Bot] = [RandomBot(number + seat) for seat in range(seats)]
        bots[number % seats] = greedy("dune")(number)
        result = play(bots, number).result
        assert result is not None
        won += number % seats in result[1]
    return won


def lower_bound(won: int, matches: int, doubt: float) -> float:
    """The least share of wins with which so many would not be a wonder (Clopper and Pearson)."""
    low, high = 0.0, 1.0
    for _ in range(40):
        share = (low + high) / 2
        tail = sum(comb(matches, k) * share**k * (1 - share) ** (matches - k) for k in range(won, matches + 1))
        low, high = (share, high) if tail < doubt else (low, share)
    return low


def test_greedy_wins_most_matches_against_random() -> None:
    won = wins(12, 6, first=0)
    # With alliances a random seat is among the winners in about a third of the matches.
    assert lower_bound(won, 12, 0.01) > 0.5, f"{won} of 12"


@pytest.mark.long
@pytest.mark.parametrize("seats", DUNE.seats)
def test_greedy_beats_random_at_every_number_of_seats(seats: int) -> None:
    won = wins(60, seats, first=1000)
    assert lower_bound(won, 60, 0.001) > 0.75, f"{won} of 60 at {seats} seats"


@pytest.mark.long
def test_six_greedy_players_make_matches_of_every_kind() -> None:
    endings = {str(play([greedy("dune")(number + seat) for seat in range(6)], number).result) for number in range(20)}
    assert len(endings) > 5


def test_the_bound_is_known_values() -> None:
    assert lower_bound(10, 10, 0.05) == pytest.approx(0.05 ** (1 / 10), abs=1e-6)
    assert lower_bound(0, 10, 0.05) == pytest.approx(0, abs=1e-6)


def test_every_score_is_of_an_act_of_the_game() -> None:
    assert set(SCORES) <= set(DUNE.acts)
    assert set(DUNE.acts) == set(SCORES), "an act without a score is played blindly"


class PlayNewCard(Act, frozen=True):
    """The act of a card that the bots have never heard of."""


def test_an_act_without_a_score_is_neither_refused_nor_silent(caplog: pytest.LogCaptureFixture) -> None:
    window = Decision(0, Options((Choice(acts.Pass), Choice(PlayNewCard))), "DUNE-T.13", "")
    chosen = {type(greedy("dune")(seed).decide(None, window)) for seed in range(40)}
    assert chosen == {acts.Pass, PlayNewCard}
    assert [record.args for record in caplog.records] == [("GreedyDune", "PlayNewCard")], "it is said once"


def test_a_new_card_is_played_at_times_and_not_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    window = Decision(0, Options((acts.PASSING, acts.card_choice("stone_burner"))), "DUNE-T.13", "")
    chosen = {greedy("dune")(seed).decide(None, window) for seed in range(40)}
    assert chosen == {acts.Pass(), acts.PlayCard("stone_burner")}
    assert [record.args for record in caplog.records] == [("GreedyDune", "stone_burner")], "it is said once"


def test_a_new_effect_is_carried_out_at_times_and_not_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    window = Decision(0, Options((Choice(Done), target_choice("blind", ("stilgar",)))), "WFA-A.12", "")
    view = ArrakisSeatView.of({}, 0)
    chosen = {greedy("arrakis")(seed).decide(view, window) for seed in range(40)}
    assert chosen == {Done(), ChooseTarget("blind", "stilgar")}
    assert [record.args for record in caplog.records] == [("GreedyArrakis", "blind")]


def test_every_effect_of_a_card_or_leader_has_a_score() -> None:
    """The effects that the rules name are those that have scores."""
    folder = Path(landsraad_engine.arrakis.__file__).parent
    code = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.py")))
    assert set(re.findall(r"target_choice\(\s*\"(\w+)\"", code)) == set(TARGET_SCORES)
    named = set(re.findall(r"targets_choice\(\s*\"(\w+)\"", code)) | {HARVEST_IN}
    assert named == set(TARGETS_SCORES) | set(automaton.TARGETS_SCORES)


def test_the_cards_of_the_box_have_scores(caplog: pytest.LogCaptureFixture) -> None:
    """Those with a module of their own that are played with the act for cards."""
    played = {FAMILY_ATOMICS, HAJR, WEATHER_CONTROL, KARAMA, *WORTHLESS}
    assert set(CARD_SCORES) == played
    assert played <= set(TREACHERY)


def test_a_card_that_is_not_known_is_worth_having_and_keeping() -> None:
    assert card_worth("stone_burner", ("shield",)) > card_worth("kulon", ())
    assert card_worth("shield", ("stone_burner",)) == card_worth("shield", ())
    assert keep_worth("stone_burner") > keep_worth("kulon")


def test_a_game_without_a_greedy_player_is_named() -> None:
    with pytest.raises(LookupError, match="chess"):
        greedy("chess")


def test_few_acts_are_all_looked_at_and_many_at_their_extremes() -> None:
    few = Options((Choice(acts.Bid, amount=Range(3, 9)), Choice(acts.Pass)))
    assert {act for _, act in candidates(few, Random(1))} == {*(acts.Bid(n) for n in range(3, 10)), acts.Pass()}
    cells = tuple(f"cell:{n}" for n in range(200))
    units = Alloc(("a", "b"), (9, 9), 1, 18)
    many = Options((Choice(acts.Manoeuvre, origin=OneOf(("here",)), units=units, to=OneOf(cells)),))
    found = [act for _, act in candidates(many, Random(1), most=300)]
    assert 0 < len(found) <= 300
    assert all(many.contains(act) for act in found)


@pytest.mark.parametrize("most", [5, 400])
def test_candidates_are_legal_in_play(most: int) -> None:
    match = Match(DUNE, 6, secret=b"candidates", record=False, orders=standing(6))
    rng = Random(2)
    for _ in range(150):
        assert match.g.ask is not None
        seat = match.waiting[0]
        options = match.g.ask.options[seat]
        assert {options.contains(act) for _, act in candidates(options, rng, most)} == {True}
        match.answer(seat, options.sample(rng))


def test_figures_go_the_right_way() -> None:
    assert chance(5, 5, 0, 0) == 1.0
    assert chance(3, 3, 9, 5) < 0.5 < chance(9, 5, 3, 3)
    assert spice_worth(1) - spice_worth(0) > spice_worth(11) - spice_worth(10) > 0
    assert unseen_worth(()) > unseen_worth(("shield",)) > 0
    assert card_worth("shield", ()) > card_worth("shield", ("shield",)) > card_worth("kulon", ())
    assert card_worth("?", ("?",)) == unseen_worth(("?",))
    assert all(isinstance(keep_worth(card), float) for card in TREACHERY)
