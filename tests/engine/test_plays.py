"""The manifests of out-of-turn plays."""

import pytest

from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.dune.game import DUNE
from landsraad_engine.kernel.execution import plays
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.match import Match
from landsraad_engine.teaching.game import TEACHING

GAMES = (ARRAKIS, DUNE, TEACHING)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_each_play_of_a_manifest_has_an_act_of_its_own(game: Game) -> None:
    acts = [play.act for play in game.out_of_turn]
    assert acts
    assert len(set(acts)) == len(acts)
    assert set(acts) <= set(game.acts)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_the_catalog_lists_each_kind_that_can_be_offered_at_set_moments(game: Game) -> None:
    kinds = [play.kind for play in game.out_of_turn if play.kind]
    assert sorted(game.play_kinds) == sorted(kinds)


def test_nobody_has_plays_before_the_players_are_seated() -> None:
    match = Match(DUNE, 2, {"factions": "chosen"})
    assert DUNE.player(match.g, 0) is None
    assert not plays(match.g, 0).choices
