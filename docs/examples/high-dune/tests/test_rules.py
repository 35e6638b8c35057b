"""High Dune by its rules: one test for each statement, and the kernel's laws in random play."""

import pytest
from high_dune.game import HAND, HIGH_DUNE, Swap

from landsraad_engine.play.match import Match
from landsraad_engine.testing import covers
from landsraad_engine.testing.conformance import play


@covers("HIGH-1.1")
def test_each_player_draws_a_card() -> None:
    match = Match(HIGH_DUNE, 2)
    assert [len(match.g.table[hand]) for hand in HAND.values()] == [1, 1]
    assert len(match.g.table["deck"]) == 7


@covers("HIGH-1.2")
@pytest.mark.parametrize("swaps", [True, False])
def test_a_swapped_card_lies_under_the_deck(swaps: bool) -> None:
    match = Match(HIGH_DUNE, 2)
    card = match.g.table[HAND[0]]
    match.submit(0, Swap(swaps))
    assert match.waiting == (1,)
    match.submit(1, Swap(False))
    assert match.g.table.get("under", ()) == (card if swaps else ())


@covers("HIGH-1.3")
@pytest.mark.parametrize("seed", range(6))
def test_the_higher_card_wins(seed: int) -> None:
    match = play(HIGH_DUNE, 2, seed=seed)
    hands = [match.view(None).places[hand] for hand in HAND.values()]
    assert match.result == ("higher", (0 if hands[0] > hands[1] else 1,))
