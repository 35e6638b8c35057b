"""The table of pictures by game."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from landsraad_cli.terminal.picture import Picture
from landsraad_engine.kernel.game import Game

_PICTURES: Final = {
    "arrakis": "landsraad_cli.terminal.arrakis:ArrakisPicture",
    "dune": "landsraad_cli.terminal.dune:DunePicture",
}


def picture_of(game: Game) -> Picture:
    """Return a new picture for a match of this game."""
    if game.id not in _PICTURES:
        return Picture(game)
    module, _, name = _PICTURES[game.id].partition(":")
    return cast("type[Picture]", getattr(import_module(module), name))(game)
