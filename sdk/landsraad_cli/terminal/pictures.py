"""Pictures of games in the terminal, by the game's id.

A package adds the picture of its game by an entry point of the group `landsraad.pictures`: a subclass of `Picture`.
"""

from __future__ import annotations

from typing import Final, cast

from landsraad_cli.terminal.picture import Picture
from landsraad_engine.kernel.game import Game
from landsraad_engine.registry import Registry

PICTURES: Final = Registry(
    "landsraad.pictures",
    {
        "arrakis": "landsraad_cli.terminal.arrakis:ArrakisPicture",
        "dune": "landsraad_cli.terminal.dune:DunePicture",
    },
)


def picture_of(game: Game) -> Picture:
    """Return a new picture of a match of this game; a plain one if the game brings none."""
    kind = cast("type[Picture]", PICTURES.load(game.id)) if game.id in PICTURES else Picture
    return kind(game)
