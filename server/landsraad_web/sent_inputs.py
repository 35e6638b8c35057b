"""Memory of accepted inputs, so that two windows of one seat cannot take each other's acknowledgement for their own."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from landsraad_web.errors import PageError

#: A match, a seat, and the account that holds it.
SeatKey = tuple[str, int, str]
_MOST: Final = 20_000


class SentInputs:
    """The last accepted input of each seat.

    The service answers a repeated `seq` with the stored answer, whatever it contains: it takes it for the same input.
    Two windows of one player may count alike and mean different acts.
    """

    def __init__(self) -> None:
        self._last: OrderedDict[SeatKey, tuple[int, bytes]] = OrderedDict()

    def check(self, seat: SeatKey, seq: int, image: bytes) -> None:
        """Refuse an input under a number that another one has had.

        Raises:
            PageError: Another input was accepted under this number.
        """
        last, accepted = self._last.get(seat, (0, b""))
        if seq == last and image != accepted:
            raise PageError(409, "superseded", "another window of yours has acted meanwhile")

    def accepted(self, seat: SeatKey, seq: int, image: bytes) -> None:
        """Note an accepted input."""
        if seq >= self._last.get(seat, (0, b""))[0]:
            self._last[seat] = seq, image
            self._last.move_to_end(seat)
        if len(self._last) > _MOST:
            self._last.popitem(last=False)
