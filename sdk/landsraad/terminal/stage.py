"""What a terminal shows of a match: the board and the last sentences, redrawn in place; without a terminal, lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
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

#: Sentences below the board, and rows that the board leaves for them on a small screen.
_MOST: Final = 12
_BOARD_ROWS: Final = 30


class Stage:
    """Draws a match for as long as the block runs."""

    def __init__(self, picture: Picture, title: str, *, console: Console, live: bool | None = None) -> None:
        self.picture = picture
        self.console = console
        self._title = title
        self._live = console.is_terminal if live is None else live
        self._screen = Live(console=console, auto_refresh=False, vertical_overflow="crop")
        self._sentences: deque[tuple[str, Text]] = deque(maxlen=_MOST)
        self._view: Seen | None = None
        self._step: tuple[Any, ...] = ()

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
        self.picture.know(view)
        self._view, self._step = view, step
        for rule, sentence in self.picture.tell(entries):
            self._sentences.append((rule, sentence))
            if not self._live:
                self.console.print(sentence, Text(f"[{rule}]", "dim"), soft_wrap=True)
        if self._live:
            self._screen.update(self.drawing(), refresh=True)

    def repeat(self) -> None:
        """Tell the last sentences again."""
        for rule, sentence in self._sentences:
            self.console.print(sentence, Text(f"[{rule}]", "dim"), soft_wrap=True)

    def drawing(self) -> RenderableType:
        """Board, procedure under way, last sentences."""
        if self._view is None:
            return Text("Nothing has happened yet.")
        room = max(4, min(_MOST, self.console.height - _BOARD_ROWS))
        log = Table.grid(padding=(0, 2), expand=True)
        log.add_column()
        log.add_column(justify="right", style="dim")
        for rule, sentence in list(self._sentences)[-room:]:
            log.add_row(sentence, rule)
        phase = self.picture.phase(self._step)
        secrets = self.picture.secrets(self._view)
        board = self.picture.board(self._view)
        return Group(
            Panel(
                Group(board, secrets) if secrets else board, title=self._title, title_align="left", border_style="dim"
            ),
            Panel(log, title=phase, title_align="left", border_style="dim"),
        )
