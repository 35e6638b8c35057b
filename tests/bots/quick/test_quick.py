"""The quick players: greedy's worths, computed faster."""

from random import Random
from typing import Any

import pytest

from landsraad.bots import make_bot
from landsraad_bots.greedy.dune import position
from landsraad_bots.quick.dune.territories import TerritoryWorths
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.dune.game import DUNE
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing, view_apart


def begun(game: Game, seats: int, inputs: int, bot: str = "quick") -> Match:
    match = Match(game, seats, secret=b"quick", record=False, orders=standing(seats))
    play_out(match, [make_bot(bot, game.id, seat) for seat in range(seats)], inputs)
    return match


@pytest.mark.parametrize("inputs", [60, 200, 350])
def test_the_gain_by_territories_is_the_difference_of_positions(inputs: int) -> None:
    match = begun(DUNE, 4, inputs)
    rng = Random(inputs)
    for seat in range(4):
        view: Any = view_apart(match, seat)
        worths = TerritoryWorths.of(view)
        troops = position.own_troops(view)
        now = position.worth(view, troops)
        for cell in rng.sample(["arrakeen:9", "carthag:10", "sietch_tabr:13", "polar_sink", *troops], 4):
            have = troops.get(cell, (0, 0, 0))
            after = {**troops, cell: (have[0] + 3, have[1], have[2])}
            assert worths.arrival(cell, 3, 0) == pytest.approx(position.worth(view, after) - now)


@pytest.mark.parametrize(("game", "seats"), [(DUNE, 2), (DUNE, 6), (ARRAKIS, 2)])
def test_quick_players_end_their_matches(game: Game, seats: int) -> None:
    assert begun(game, seats, 100_000).result is not None


@pytest.mark.parametrize(("game", "seats"), [(DUNE, 4), (ARRAKIS, 2)])
def test_quick_players_repeat_their_acts(game: Game, seats: int) -> None:
    one, other = begun(game, seats, 150), begun(game, seats, 150)
    assert one.journal == other.journal
