"""The games that can be played here: the engine's two, and those that other packages add.

A package adds a game by an entry point of the group `landsraad.games`, name = "module:instance of Game".
"""

from typing import TYPE_CHECKING, cast

from landsraad._registry import Registry

if TYPE_CHECKING:
    from landsraad_engine.game import Game

REGISTRY = Registry(
    "landsraad.games",
    {
        "arrakis": "landsraad_engine.arrakis.game:ARRAKIS",
        "dune": "landsraad_engine.dune.game:DUNE",
    },
)


def known() -> list[str]:
    """The ids of all games, without loading any."""
    return list(REGISTRY.targets())


def load(name: str) -> "Game":
    """A game by its id; KeyError if there is none."""
    return cast("Game", REGISTRY.load(name))
