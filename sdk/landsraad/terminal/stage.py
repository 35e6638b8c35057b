"""What a terminal shows of a match: the board and the last sentences, redrawn in place; without a terminal, lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Final, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from landsraad.terminal.picture import Picture
from landsraad_engine.facade import Seen
from landsraad_engine.information import Entry

#: Sentences beside the board, and rows that all else needs.
_MOST: Final = 12
_LEAST: Final = 4
_BOARD_ROWS: Final = 32
_FRAMES: Final = 10


class Stage:
    """Draws a match for as long as the block runs."""

    def __init__(self, picture: Picture, title: str, *, console: Console, live: bool | None = None) -> None:
        self.picture = picture
        self.console = console
        self._title = title
        self._live = console.is_terminal if live is None else live
        # Replaced, never changed: a thread of the screen draws them.
        self._sentences: tuple[tuple[str, Text], ...] = ()
        self._shown: tuple[Seen, tuple[Any, ...]] | None = None
        # Drawn so many times a second at most, however much happens.
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

    def show(self, entries: Iterable[Entry], view: Seen, step: tuple[Any, ...]) -> None:
        """Tell what has happened, and draw how it stands."""
        for rule, sentence in self.take(entries, view, step):
            if not self._live:
                self.console.print(sentence, Text(f"[{rule}]", "dim"), soft_wrap=True)

    def take(self, entries: Iterable[Entry], view: Seen, step: tuple[Any, ...]) -> Sequence[tuple[str, Text]]:
        """Take what has happened for the next drawing; the sentences for it, each with its rule."""
        self.picture.know(view)
        self._shown = view, step
        told = tuple(self.picture.tell(entries))
        self._sentences = (*self._sentences, *told)[-_MOST:]
        return told

    def repeat(self) -> None:
        """Tell the last sentences again."""
        for rule, sentence in self._sentences:
            self.console.print(sentence, Text(f"[{rule}]", "dim"), soft_wrap=True)

    def drawing(self) -> RenderableType:
        """Board, procedure under way, last sentences; on a low screen, of which the lower part is cut, these first."""
        if self._shown is None:
            return Text("Nothing has happened yet.")
        view, step = self._shown
        board, secrets = self.picture.board(view), self.picture.secrets(view)
        shown = _framed(Group(board, secrets) if secrets else board, Text(self._title))
        spare = self.console.height - _BOARD_ROWS if self.console.is_terminal else _MOST
        told = _framed(self._log(max(_LEAST, min(_MOST, spare))), self.picture.phase(step))
        return Group(shown, told) if spare >= _LEAST or not self._live else Group(told, shown)

    def _log(self, rows: int) -> Table:
        log = Table.grid(padding=(0, 2), expand=True)
        log.add_column()
        log.add_column(justify="right", style="dim")
        for rule, sentence in self._sentences[-rows:]:
            log.add_row(sentence, rule)
        return log


def _framed(inside: RenderableType, title: Text) -> Panel:
    return Panel(inside, title=title, title_align="left", border_style="dim")
