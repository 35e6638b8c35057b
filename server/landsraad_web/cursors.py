"""Cursors of event streams: `epoch.number` of the last entry that was read, and the mark that the service gave it."""

from __future__ import annotations

import re
from typing import NamedTuple

from landsraad.v1 import common_pb2

_CURSOR = re.compile(r"(\d{1,19})\.(\d{1,19})(?:\.([0-9a-f]{1,128}))?", re.ASCII)


class Cursor(NamedTuple):
    """The last entry that a reader knows."""

    epoch: int
    number: int
    mark: bytes = b""

    def __str__(self) -> str:
        return f"{self.epoch}.{self.number}" + (f".{self.mark.hex()}" if self.mark else "")

    @property
    def place(self) -> tuple[int, int]:
        """Return epoch and number, by which entries are ordered."""
        return self.epoch, self.number

    def message(self) -> common_pb2.Cursor:
        """Return the cursor of the protocol, which names the next entry."""
        return common_pb2.Cursor(epoch=self.epoch, mark=self.mark, **{"from": self.number + 1})


def read_cursor(text: str) -> Cursor | None:
    """Read the `id` of an event; None if it is not one of ours."""
    found = _CURSOR.fullmatch(text)
    if found is None or len(found[3] or "") % 2:
        return None
    return Cursor(int(found[1]), int(found[2]), bytes.fromhex(found[3] or ""))
