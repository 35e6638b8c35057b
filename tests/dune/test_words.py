"""Reading the board: what is worked out once is what a look at every cell gives, at every moment of a game."""

from random import Random

from landsraad_engine.dune.board import CELLS, TERRITORIES, cells_of
from landsraad_engine.dune.game import DUNE
from landsraad_engine.dune.pieces import FACTIONS
from landsraad_engine.dune.words import AT, NONE, DuneState
from landsraad_engine.play.match import Match
from landsraad_engine.testing.fuzz.random_play import random_input

INPUTS = 400


def test_who_stands_where_is_known_at_every_moment() -> None:
    match = Match(DUNE, 6, secret=b"muster", record=False)
    rng = Random(5)
    met = 0
    for _ in range(INPUTS):
        if match.result is not None:
            break
        match.take(random_input(match, rng))
        assert isinstance(match.g, DuneState)
        met += looked_at(match.g)
    assert met > 100, "factions hardly ever met"


def looked_at(g: DuneState) -> int:
    """Compare all words about who stands where with the table; how often several factions stood in one territory."""
    for faction, keys in AT.items():
        stood = [(cell, g.table[keys[cell]]) for cell in CELLS if keys[cell] in g.table]
        assert list(g.on_board(faction)) == stood
    shared = 0
    for territory in TERRITORIES:
        cells = cells_of[territory]
        here = tuple(faction for faction in FACTIONS if g.tokens_in(faction, cells) != NONE)
        assert g.occupants(cells) == here
        fighting = tuple(faction for faction in here if any(g.tokens_in(faction, cells)[:2]))
        assert set(g.present(cells)) <= set(fighting)
        if not any(g.allies(faction) for faction in fighting):
            assert g.present(cells) == fighting
        shared += len(here) > 1
    return shared
