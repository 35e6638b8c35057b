"""Complete positions: everything that a match has, as its set-up leaves it, but for what a test says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast, overload

from landsraad_engine.kernel.game import Game
from landsraad_engine.registry import Registry

if TYPE_CHECKING:
    from landsraad_engine.arrakis.game import Arrakis
    from landsraad_engine.dune.game import Dune
    from landsraad_engine.testing.arrakis import War
    from landsraad_engine.testing.scenarios.scenario import Scenario

_REGISTRY: Final = Registry(
    "landsraad.positions",
    {game: f"landsraad_engine.testing.{game}:complete_position" for game in ("arrakis", "dune")},
)


@overload
def position(game: Dune, **facts: Any) -> Scenario: ...
@overload
def position(game: Arrakis, **facts: Any) -> War: ...
def position(game: Game, **facts: Any) -> Any:
    """Return a scenario at a complete position of a game.

    Facts that you leave out are as the game's own set-up has them. The invariants hold at the beginning, and are
    checked at every question from then on. A package adds positions of its game by an entry point of the group
    `landsraad.positions`: a function that takes the facts and returns a scenario.

    Args:
        game: the game.
        facts: what is different; see `complete_position` in `testing.dune` and `testing.arrakis`.

    Raises:
        AssertionError: there is no such position: a card lies in two places, say, or there are too few tokens.

    """
    known = ", ".join(_REGISTRY.targets())
    assert game.id in _REGISTRY, f"no positions of {game.id} can be made; there are positions of {known}"
    build = cast("Callable[..., Any]", _REGISTRY.load(game.id))
    return build(**facts)
