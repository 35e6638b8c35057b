"""The screen: the board and the last sentences, redrawn in place. Without a terminal, sentences only, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Final, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from landsraad_cli.terminal.picture import Picture, Room
from landsraad_engine.knowledge.information import Entry
from landsraad_engine.knowledge.views import SeatView

#: The most and the fewest sentences below the board, the size of a frame, and redraws per second.
_MOST: Final = 12
_LEAST: Final = 4
_FRAME_ROWS: Final = 2
_FRAME_COLUMNS: Final = 4
_FRAMES: Final = 10


class Screen:
    """A drawing of a match, for the time of a block."""

    def __init__(self, picture: Picture, title: str, *, console: Console, live: bool | None = None) -> None:
        self.picture = picture
        self.console = console
        self._title = title
        self._live = console.is_terminal if live is None else live
        # Replaced, never mutated: rich draws them in another thread.
        self._sentences: tuple[tuple[str, Text], ...] = ()
        self._shown: tuple[SeatView, tuple[Any, ...]] | None = None
        self._tallest = 0
        # Rich limits the redraws per second, however many entries come.
        self._screen = Live(
            console=console, refresh_per_second=_FRAMES, vertical_overflow="crop", get_renderable=self.drawing
        )

    def __enter__(self) -> Self:
        if self._live:
            self._screen.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._screen.stop()

    def show(self, entries: Iterable[Entry], view: SeatView, step: tuple[Any, ...]) -> int:
        """Show new entries: print their sentences, or redraw the screen; return how many sentences there are."""
        sentences = self.take(entries, view, step)
        for rule, sentence in sentences:
            if not self._live:
                self.console.print(sentence, Text(f"[{rule}]", "dim"), soft_wrap=True)
        return len(sentences)

    def take(self, entries: Iterable[Entry], view: SeatView, step: tuple[Any, ...]) -> Sequence[tuple[str, Text]]:
        """Take entries for the next drawing; return their sentences, each with its rule."""
        self.picture.know(view)
        self._shown = view, step
        sentences = tuple(self.picture.tell(entries))
        self._sentences = (*self._sentences, *sentences)[-_MOST:]
        return sentences

    @property
    def view(self) -> SeatView | None:
        """The view that is shown; None before the first."""
        return self._shown[0] if self._shown else None

    def repeat(self) -> None:
        """Print the last sentences again."""
        for rule, sentence in self._sentences:
            self.console.print(sentence, Text(f"[{rule}]", "dim"), soft_wrap=True)

    def drawing(self) -> RenderableType:
        """Return the board, the phase and the last sentences. On a low screen the sentences come first, and the board
        is cut.
        """
        if self._shown is None:
            return Text("Nothing has happened yet.")
        phase = self.picture.phase(self._shown[1])
        board = self.table()
        spare = self._spare(board)
        if spare >= _LEAST:
            return Group(board, _framed(self._log(min(_MOST, spare)), phase))
        low = self.table(self.console.height - _LEAST - 2 * _FRAME_ROWS)
        return Group(_framed(self._log(_LEAST), phase), low)

    def _spare(self, board: RenderableType) -> int:
        """Return the rows for sentences below the tallest board so far, so that they keep their place."""
        if not self._live:
            return _MOST
        self._tallest = max(self._tallest, len(self.console.render_lines(board)))
        return self.console.height - self._tallest - _FRAME_ROWS

    def table(self, rows: int | None = None) -> RenderableType:
        """Return the board with the private pieces of the seat, in at most so many rows."""
        if self._shown is None:
            return Text("Nothing has happened yet.")
        view, step = self._shown
        board = self.picture.board(view, Room(self.console.width - _FRAME_COLUMNS, rows))
        secrets = self.picture.secrets(view)
        phase = None if self._live else self.picture.phase(step)
        inside = Group(board, secrets) if secrets else board
        return _framed(inside, Text(self._title), phase, None if rows is None else rows + _FRAME_ROWS)

    def _log(self, rows: int) -> Table:
        """Return the last sentences, one row each: a wrapped sentence would make the board jump."""
        log = Table.grid(padding=(0, 2), expand=True)
        log.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
        log.add_column(justify="right", style="dim", no_wrap=True)
        for rule, sentence in self._sentences[-rows:]:
            log.add_row(sentence, rule)
        for _ in range(rows - len(self._sentences) if self._live else 0):
            log.add_row()
        return log


def _framed(inside: RenderableType, title: Text, below: Text | None = None, height: int | None = None) -> Panel:
    return Panel(inside, title=title, title_align="left", subtitle=below or None, border_style="dim", height=height)
