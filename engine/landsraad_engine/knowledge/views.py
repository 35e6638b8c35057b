"""Seat views: the read access of bots and clients to the places that a seat sees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from landsraad_engine.kernel.memo import Topics, no_topics
from landsraad_engine.kernel.state import State

from .information import places_seen


class SeatView:
    """The places that one seat sees, for bots and clients. Games subclass it with accessors in the rulebook's words.

    In local play a view wraps the state, computes its table on first use and shows only what the seat may see. Over the
    wire it wraps the folded log (``SeatView.of``).
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
        """Wrap places and frames received over the wire."""
        view = cls(None, seat)
        view._table = places
        view._stack = tuple(map(dict, stack))
        return view

    def renew(self) -> SeatView:
        """Clear all caches, after the state has changed."""
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
        """The fields of the frames in progress, the innermost last. They are public facts."""
        if self._g is None:
            return self._stack
        return tuple(map(msgspec.to_builtins, self._g.stack))

    @property
    def side(self) -> str | None:
        """The side that this seat plays."""
        side: str | None = None if self.seat is None else self.table.get(f"side/{self.seat}")
        return side
