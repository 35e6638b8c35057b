"""What a seat sees, with the game's words on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .information import places_seen
from .table import State


class Seen:
    """The places that one seat sees. Games add their words; the table is built only when it is read.

    Over the wire it stands on the folded log (``Seen.of``); in local play on the state, of which it shows no more.
    """

    __slots__ = ("_g", "_table", "memo", "seat", "sides")

    def __init__(self, g: State | None, seat: int | None) -> None:
        self._g = g
        self.seat = seat
        self._table: dict[str, Any] | None = None
        self.sides: Mapping[str, int] = {}
        self.memo: dict[Any, Any] = {}

    @classmethod
    def of(cls, places: dict[str, Any], seat: int | None) -> Seen:
        """On places that have come over the wire."""
        seen = cls(None, seat)
        seen._table = places
        return seen

    def renew(self) -> Seen:
        """Forget what was read: the state has moved on."""
        if self._g is not None:
            self._table = None
        self.memo.clear()
        return self

    @property
    def table(self) -> dict[str, Any]:
        if self._table is None:
            assert self._g is not None
            self._table = places_seen(self._g, self.seat)
        return self._table

    @property
    def side(self) -> str | None:
        """The side that this seat plays."""
        side: str | None = None if self.seat is None else self.table.get(f"side/{self.seat}")
        return side
