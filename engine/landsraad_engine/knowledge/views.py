"""Seat views: the read access of bots and clients to the places that a seat sees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from landsraad_engine.kernel.memo import Topics, no_topics
from landsraad_engine.kernel.state import State

from .information import places_seen


class Mark:
    """The places of a view at one moment, for `SeatView.changed_since`. It keeps no view, state or log alive."""

    __slots__ = ("_places", "_seat")

    def __init__(self, seat: int | None, places: Mapping[str, Any]) -> None:
        self._seat = seat
        self._places = places

    def changes_to(self, seat: int | None, places: Mapping[str, Any]) -> frozenset[str]:
        """Return the keys of the places that are different now; see `SeatView.changed_since`."""
        if seat != self._seat:
            raise ValueError(f"the mark is of seat {self._seat}, and this view is of seat {seat}")
        before = self._places
        if before is places:
            return frozenset()
        changed = [key for key, value in places.items() if before.get(key) != value]
        return frozenset(changed).union(before.keys() - places.keys())


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
        """Wrap places and frames received over the wire. The places must not be changed afterwards."""
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

    def mark(self) -> Mark:
        """Return a mark of this moment, from which a later view of the seat tells what has changed.

        Returns:
            The mark. It stays valid over snapshots, rewinds and new connections.
        """
        return Mark(self.seat, self.table)

    def changed_since(self, mark: Mark) -> frozenset[str]:
        """Return the keys of the places that differ from those at a mark.

        A place that has changed and changed back is not among them. The cost does not depend on how long ago the mark
        was taken.

        Args:
            mark: The mark of a view of the same seat in the same match, of any age.

        Returns:
            The keys, of places that have become empty as well.

        Raises:
            ValueError: The mark is of another seat.
        """
        return mark.changes_to(self.seat, self.table)

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
