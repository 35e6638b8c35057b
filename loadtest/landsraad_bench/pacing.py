"""When to act. Closed: at once, when asked. Open: at a fixed rate, whether the service keeps up or not.

An open pace hands out tickets at times that are fixed beforehand, and latency counts from the ticket's time. If all
seats are waiting for the service, tickets queue up, and that wait counts, too: nothing is omitted because the service
was slow (the mistake known as coordinated omission).
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Protocol

#: Lets a seat act; it is given the time from which its latency counts.
Go = Callable[[float], None]


class Pace(Protocol):
    """When seats that are asked may act."""

    def ask(self, go: Go) -> None:
        """A seat could act now."""


class ClosedPace:
    """Whoever is asked acts at once: as fast as the service answers."""

    def ask(self, go: Go) -> None:
        go(time.perf_counter())


class OpenPace:
    """So many acts per second, from when `run` begins."""

    #: How often tickets are handed out: all those that have fallen due.
    _TICK_SECONDS = 0.001
    #: Of so many questions one makes its match wait until all are scattered.
    _STEPS_AHEAD = 60

    def __init__(self, rate: float, clock: Callable[[], float] = time.perf_counter) -> None:
        self._rate = rate
        self._clock = clock
        self._rng = Random(1)
        self._asked: list[Go] = []
        self._scattering = False
        self._tickets: deque[float] = deque()

    def ask(self, go: Go) -> None:
        if self._tickets:
            go(self._tickets.popleft())
        elif self._scattering and self._rng.randrange(self._STEPS_AHEAD):
            go(self._clock())
        else:
            self._asked.append(go)

    @contextmanager
    def scattered(self) -> Iterator[None]:
        """Meanwhile each match goes ahead, as fast as it can, to a point of its own, and waits there.

        Matches that have begun together come to their dear moments together, which no crowd of players does.
        """
        self._scattering = True
        asked, self._asked = self._asked, []
        for go in asked:
            self.ask(go)
        yield
        self._scattering = False

    @property
    def overdue(self) -> list[float]:
        """When the acts were due that no seat has been free to make yet."""
        return list(self._tickets)

    async def run(self, seconds: float) -> None:
        """Hand out tickets for so long."""
        began = self._clock()
        handed = 0
        while (now := self._clock()) < began + seconds:
            handed = self._hand_out(began, handed, int((now - began) * self._rate))
            await asyncio.sleep(self._TICK_SECONDS)

    def _hand_out(self, began: float, first: int, end: int) -> int:
        for number in range(first, end):
            at = began + number / self._rate
            if asked := self._asked:
                # Any of them: in turn, matches would stay in step.
                chosen = self._rng.randrange(len(asked))
                asked[chosen], asked[-1] = asked[-1], asked[chosen]
                asked.pop()(at)
            else:
                self._tickets.append(at)
        return end
