"""Pacing: when seats act. A closed loop acts at once, an open loop at a fixed rate whether the service keeps up or not.

An open loop issues tickets at times that are fixed beforehand, and latency counts from a ticket's time. If all seats
are waiting for the service, tickets queue up, and that wait counts as well. This avoids coordinated omission: no act is
left out because the service was slow.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Protocol

#: Makes a seat act; its argument is the time from which the latency counts.
ActCallback = Callable[[float], None]


class Pacing(Protocol):
    """Decides when seats with a decision may act."""

    def ask(self, go: ActCallback) -> None:
        """Register a seat that could act now."""


class ClosedPace:
    """Closed loop: each seat acts at once, so the service sets the pace."""

    def ask(self, go: ActCallback) -> None:
        go(time.perf_counter())


class OpenPace:
    """Open loop: so many acts per second, from when `run` begins."""

    #: Seconds between two rounds of issuing tickets that have fallen due.
    _TICK_SECONDS = 0.001
    #: One in so many decisions stops its match while matches are being scattered.
    _STEPS_AHEAD = 60

    def __init__(self, rate: float, clock: Callable[[], float] = time.perf_counter) -> None:
        self._rate = rate
        self._clock = clock
        self._rng = Random(1)
        self._ready_seats: list[ActCallback] = []
        self._scattering = False
        self._tickets: deque[float] = deque()

    def ask(self, go: ActCallback) -> None:
        if self._tickets:
            go(self._tickets.popleft())
        elif self._scattering and self._rng.randrange(self._STEPS_AHEAD):
            go(self._clock())
        else:
            self._ready_seats.append(go)

    @contextmanager
    def scattered(self) -> Iterator[None]:
        """Let each match play ahead, as fast as it can, to a random point, and wait there.

        Matches that begin together reach their expensive phases together, which independent players never do.
        """
        self._scattering = True
        ready_seats, self._ready_seats = self._ready_seats, []
        for go in ready_seats:
            self.ask(go)
        yield
        self._scattering = False

    @property
    def overdue(self) -> list[float]:
        """Return the times of tickets for which no seat has been free yet."""
        return list(self._tickets)

    async def run(self, seconds: float) -> None:
        """Issue tickets for so many seconds."""
        began = self._clock()
        handed = 0
        while (now := self._clock()) < began + seconds:
            handed = self._hand_out(began, handed, int((now - began) * self._rate))
            await asyncio.sleep(self._TICK_SECONDS)

    def _hand_out(self, began: float, first: int, end: int) -> int:
        for number in range(first, end):
            at = began + number / self._rate
            if ready_seats := self._ready_seats:
                # A random seat: in order of arrival matches would stay in step.
                chosen = self._rng.randrange(len(ready_seats))
                ready_seats[chosen], ready_seats[-1] = ready_seats[-1], ready_seats[chosen]
                ready_seats.pop()(at)
            else:
                self._tickets.append(at)
        return end
