"""What a seat sees, with the game's words on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from landsraad_engine.kernel.memo import Topics, no_topics
from landsraad_engine.kernel.state import State

from .information import places_seen


class SeatView:
    """The places that one seat sees. Games add their words; the table is built only when it is read.

    Over the wire it stands on the folded log (``SeatView.of``); in local play on the state, of which it shows no more.
    """

    __slots__ = ("_g", "_stack", "_table", "memo", "seat", "sides", "topics")

    def __init__(self, g: State | None, seat: int | None) -> None:
        self._g = g
        self.seat = seat
        self._table: dict[str, Any] | None = None
        self._stack: tuple[Mapping[str, Any], ...] = ()
        self.sides: Mapping[str, int] = {}
        self.memo: dict[Any, Any] = {}
        self.topics: Topics = no_topics()

    @classmethod
    def of(cls, places: dict[str, Any], seat: int | None, stack: Iterable[Any] = ()) -> SeatView:
        """On places, and the frames of the public step, that have come over the wire."""
        seen = cls(None, seat)
        seen._table = places
        seen._stack = tuple(map(dict, stack))
        return seen

    def renew(self) -> SeatView:
        """Forget what was read: the state has moved on."""
        if self._g is not None:
            self._table = None
        self.memo.clear()
        self.topics.clear()
        return self

    @property
    def table(self) -> dict[str, Any]:
        if self._table is None:
            assert self._g is not None
            self._table = places_seen(self._g, self.seat)
        return self._table

    @property
    def frames(self) -> tuple[Mapping[str, Any], ...]:
        """What is going on, the innermost last: the fields of frames are public facts."""
        if self._g is None:
            return self._stack
        return tuple(map(msgspec.to_builtins, self._g.stack))

    @property
    def side(self) -> str | None:
        """The side that this seat plays."""
        side: str | None = None if self.seat is None else self.table.get(f"side/{self.seat}")
        return side
