"""Pictures of boards and positions as SVG, with nothing but the standard library and the engine.

    from landsraad.svg import draw, draw_board

`draw` shows a view: all that its seat knows, hidden things as backs. `draw_board` shows an empty board.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from landsraad.svg.arrakis import ArrakisPainter
from landsraad.svg.dune import DunePainter
from landsraad.svg.painter import Painter
from landsraad_engine.arrakis.words import ArrakisSeatView
from landsraad_engine.dune.words import DuneSeatView
from landsraad_engine.knowledge.views import SeatView

Theme = Literal["auto", "light", "dark"]
#: The narrowest and the widest picture in pixels.
NARROWEST: Final = 240
WIDEST: Final = 8000
_PAINTERS: Final[dict[str, type[Painter]]] = {"dune": DunePainter, "arrakis": ArrakisPainter}

__all__ = ["Theme", "draw", "draw_board"]


def draw(view: SeatView, *, width: int = 1000, theme: Theme = "auto", title: str = "") -> str:
    """Draw a position as a seat sees it.

    Args:
        view: The view of a seat or of the spectators, of `dune` or `arrakis`.
        width: The width of the picture in pixels. Small pictures leave out names; wide ones have tables beside the
            board instead of below it.
        theme: The colours: "light", "dark", or "auto" for those that the reader's system prefers.
        title: A heading; without one the picture has the title of the game.

    Returns:
        The picture, an SVG document.

    Raises:
        ValueError: The view is of another game, the width is out of range, or the theme is unknown.

    Example:
        ::

            from landsraad.svg import draw

            decision = seat.next_decision()
            picture = draw(seat.view, width=1400, theme="dark")
            assert picture.startswith("<svg")
    """
    _check(width, theme)
    if isinstance(view, DuneSeatView):
        return DunePainter(width, theme, title).picture(view)
    if isinstance(view, ArrakisSeatView):
        return ArrakisPainter(width, theme, title).picture(view)
    raise ValueError(f"there are pictures of {' and '.join(_PAINTERS)}, not of a {type(view).__name__}")


def draw_board(game: str, *, width: int = 1000, theme: Theme = "auto", title: str = "") -> str:
    """Draw a board without pieces.

    Args:
        game: The id of the game: "dune" or "arrakis".
        width: The width of the picture in pixels.
        theme: The colours: "light", "dark", or "auto".
        title: A heading; without one the picture has the title of the game.

    Returns:
        The picture, an SVG document.

    Raises:
        ValueError: There is no board of this game, the width is out of range, or the theme is unknown.

    Example:
        ::

            from landsraad.svg import draw_board

            assert 'data-area="arrakeen"' in draw_board("arrakis")
    """
    _check(width, theme)
    if game not in _PAINTERS:
        raise ValueError(f"there are pictures of {' and '.join(_PAINTERS)}, not of {game!r}")
    return _PAINTERS[game](width, theme, title).picture(None)


def _check(width: int, theme: str) -> None:
    if not NARROWEST <= width <= WIDEST:
        raise ValueError(f"the width is {width}; it has to be from {NARROWEST} to {WIDEST} pixels")
    if theme not in get_args(Theme):
        raise ValueError(f"the theme is {theme!r}; it has to be one of {', '.join(get_args(Theme))}")
