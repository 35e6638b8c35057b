"""Complete positions: everything that a match has, as its set-up leaves it, but for what a test says otherwise."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, overload

from landsraad_engine.kernel.game import Game

if TYPE_CHECKING:
    from landsraad_engine.arrakis.game import Arrakis
    from landsraad_engine.dune.game import Dune
    from landsraad_engine.testing.arrakis import War
    from landsraad_engine.testing.scenarios.scenario import Scenario

#: The module that builds the positions of a game; imported only when one is asked for.
_MODULES: Final = {"dune": "landsraad_engine.testing.dune", "arrakis": "landsraad_engine.testing.arrakis"}


@overload
def position(game: Dune, **facts: Any) -> Scenario: ...
@overload
def position(game: Arrakis, **facts: Any) -> War: ...
def position(game: Game, **facts: Any) -> Any:
    """Return a scenario at a complete position of a game.

    Facts that you leave out are as the game's own set-up has them. The invariants hold at the beginning, and are
    checked at every question from then on.

    Args:
        game: the game.
        facts: what is different; see `complete_position` in `testing.dune` and `testing.arrakis`.

    Raises:
        AssertionError: there is no such position: a card lies in two places, say, or there are too few tokens.

    """
    module = _MODULES.get(game.id)
    assert module, f"no positions of {game.id} can be made; there are positions of {', '.join(_MODULES)}"
    return import_module(module).complete_position(**facts)
