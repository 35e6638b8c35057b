"""Announcements are a closed vocabulary: declared, announced somewhere, typed, and told in words."""

import ast
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any

import msgspec
import pytest

import landsraad_engine
from landsraad_engine.arrakis.game import ARRAKIS
from landsraad_engine.dune.game import DUNE
from landsraad_engine.kernel.announcements import Announcement, read_announcement
from landsraad_engine.kernel.game import Game
from landsraad_engine.play.match import Match
from landsraad_engine.testing.fuzz.random_play import random_input

ENGINE = Path(next(iter(landsraad_engine.__path__)))
GAMES = pytest.mark.parametrize("game", [DUNE, ARRAKIS], ids=lambda game: game.id)


def announced_in_code(game: Game) -> set[str]:
    """Return the names of the classes that the rules of a game announce."""
    found = set()
    for file in (ENGINE / game.id).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "announce":
                kind = node.args[0]
                assert isinstance(kind, ast.Call), f"{file.name}: {ast.unparse(node)} does not name its kind"
                assert isinstance(kind.func, ast.Name), f"{file.name}: {ast.unparse(node)}"
                found.add(kind.func.id)
    return found


@GAMES
def test_what_is_declared_is_what_is_announced(game: Game) -> None:
    assert announced_in_code(game) == {kind.__name__ for kind in game.announcements}


@GAMES
def test_sentences_speak_of_the_facts_that_there_are(game: Game) -> None:
    for kind in game.announcements:
        assert kind.__doc__, kind
        named = {field for _, field, _, _ in Formatter().parse(kind.sentence) if field is not None}
        assert named <= set(kind.__struct_fields__), kind


def test_what_is_not_declared_is_not_read() -> None:
    assert read_announcement(DUNE.announcements, "Planted", (1,)) is None


@GAMES
def test_facts_in_play_have_the_types_that_are_declared(game: Game) -> None:
    seen: set[type[Announcement]] = set()
    for seed in range(6):
        seats = game.default_seats
        options: dict[str, Any] = {"length": 10} if game is DUNE else {"round_limit": 3}
        match = Match(game, seats, options, secret=bytes([seed]), orders=dict.fromkeys(range(seats), ("auto",)))
        rng = Random(seed)
        for _ in range(1500):
            if match.result is not None:
                break
            match.take(random_input(match, rng))
        for entry in match.log(None):
            if entry[:2] == ("event", "announce"):
                told = read_announcement(game.announcements, entry[3], entry[4:])
                assert told is not None, entry
                fields = {name: getattr(told, name) for name in told.__struct_fields__}
                assert msgspec.convert(fields, type(told)) == told, "strictly, without conversions"
                seen.add(type(told))
    assert len(seen) >= min(10, len(game.announcements) - 1)
