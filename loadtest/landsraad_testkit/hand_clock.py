"""Manual clock: time that only the test advances."""

from __future__ import annotations


class HandClock:
    """A worker's source of time, in ms since 1970."""

    def __init__(self, now: int = 1_800_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def advance(self, ms: int) -> None:
        self.now += ms
