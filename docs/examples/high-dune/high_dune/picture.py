"""The table of High Dune in the terminal."""

from typing import Any

from rich.console import RenderableType
from rich.text import Text

from landsraad_cli.terminal.picture import AMPLE, Picture, Room


class HighDunePicture(Picture):
    """Both hands, one line each."""

    def board(self, view: Any, room: Room = AMPLE) -> RenderableType:
        hands = (f"seat {seat}: {' '.join(view.table.get(f'hand/{seat}', ()))}" for seat in (0, 1))
        return Text("\n".join(hands))
