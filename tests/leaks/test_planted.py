"""The two-run leak test is scored: it must catch every leak that is planted, and find nothing where none is."""

from random import Random

import pytest

from landsraad_cli.local.leak_run import planted
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.dune.game import DUNE
from landsraad_engine.kernel.game import Game
from landsraad_engine.testing.fuzz.random_play import random_setting
from landsraad_engine.testing.leaks.leak_match import leak_match
from landsraad_engine.testing.leaks.planting import PlantedLeak, is_caught

GAMES = ("dune", "arrakis")


def _plants(game: str) -> dict[str, PlantedLeak]:
    found = planted(game)
    assert found is not None
    plants: dict[str, PlantedLeak] = found.PLANTS
    return plants


@pytest.mark.parametrize("game", GAMES)
def test_there_are_enough_of_them(game: str) -> None:
    assert len(_plants(game)) >= 25


@pytest.mark.parametrize(
    "plant", [pytest.param(plant, id=f"{game}: {name}") for game in GAMES for name, plant in _plants(game).items()]
)
def test_a_planted_leak_is_caught(plant: PlantedLeak) -> None:
    assert is_caught(plant)


@pytest.mark.parametrize("game", [DUNE, ARRAKIS], ids=lambda game: game.id)
@pytest.mark.parametrize("number", range(2))
def test_nothing_is_found_where_nothing_is_planted(game: Game, number: int) -> None:
    seats, options = random_setting(game, Random(number))
    report = leak_match(game, seats, options, 77 + number, 20)
    assert report.positions > 0
    assert report.findings == []


def test_a_withdrawn_question_does_not_tell_who_could_react() -> None:
    """A seat plays the card of its own window out of turn, and another may hold the same card (found by this seed)."""
    seed = 15705085604737188788
    seats, options = random_setting(DUNE, Random(seed))
    assert leak_match(DUNE, seats, options, seed, 15).findings == []
