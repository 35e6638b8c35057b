"""The games of this library, by id. Nothing is imported until a game is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from .errors import BadOption
from .game import Game

#: game id -> "module:attribute"
GAMES: Final = {
    "dune": "landsraad_engine.dune.game:DUNE",
}


def game(name: str) -> Game:
    """The game with this id; BadOption if there is none."""
    if name not in GAMES:
        raise BadOption("game", f"there is no game {name!r}; there is: {', '.join(GAMES)}")
    module, _, attribute = GAMES[name].partition(":")
    found: Game = getattr(import_module(module), attribute)
    return found
