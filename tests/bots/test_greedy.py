"""The greedy bot: it plays by the rules, and beats random beyond doubt."""

from math import comb

import pytest

from landsraad_bots.greedy import greedy
from landsraad_engine.bot import RandomBot
from landsraad_engine.dune.game import DUNE
from landsraad_engine.match import Match
from landsraad_engine.selfplay import play_out, standing


def wins(matches: int, seats: int, first: int) -> int:
    """In how many matches one greedy bot, in a seat that changes, is among the winners over random ones."""
    won = 0
    for number in range(first, first + matches):
        match = Match(DUNE, seats, secret=number.to_bytes(4, "big"), record=False, orders=standing(seats))
        seat = number % seats
        bots = [greedy("dune")(number) if s == seat else RandomBot(number + s) for s in range(seats)]
        play_out(match, bots)
        assert match.result is not None
        won += seat in match.result[1]
    return won


def chance_of_at_least(won: int, matches: int, share: float) -> float:
    """How likely so many wins are if each match is won with this chance."""
    return sum(comb(matches, k) * share**k * (1 - share) ** (matches - k) for k in range(won, matches + 1))


def test_greedy_wins_most_matches_against_random() -> None:
    # With alliances a random seat is among the winners in about a third of the matches; half would be plenty.
    won = wins(12, 6, first=0)
    assert chance_of_at_least(won, 12, 0.5) < 0.02, f"{won} of 12"


@pytest.mark.long
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_greedy_beats_random_at_every_number_of_seats(seats: int) -> None:
    # For two players four strongholds alone are needed, and most matches end by subterfuge or in a stalemate.
    won = wins(60, seats, first=1000)
    assert chance_of_at_least(won, 60, 0.55) < 0.001, f"{won} of 60 at {seats} seats"


def test_a_game_without_a_greedy_player_is_named() -> None:
    with pytest.raises(LookupError, match="chess"):
        greedy("chess")
