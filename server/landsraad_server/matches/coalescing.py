"""Waiting a moment for company: thousands of logs at a time, each for itself, by one timer."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

#: The moment is measured in so many steps: whoever comes between two of them waits a part of a step less.
_STEPS = 4


class Coalesced(Protocol):
    """Who waits."""

    def come_out(self) -> None:
        """It has waited long enough."""


class CoalescingTimer:
    """Those who wait. All wait equally long, so they go in the order in which they have come."""

    def __init__(self, seconds: float) -> None:
        self._step_seconds = seconds / _STEPS
        self._waiting: deque[list[Coalesced]] = deque([] for _ in range(_STEPS))  # by the step in which they came
        self._steps_left = 0  # until nobody waits any more; the timer runs
        self._next = 0  # number of the step that it runs to

    def add(self, lingerer: Coalesced) -> None:
        """Let it `come_out` in a moment; at once if that is none."""
        if not self._step_seconds:
            lingerer.come_out()
            return
        self._waiting[-1].append(lingerer)
        if not self._steps_left:
            self._next_step()
        self._steps_left = _STEPS

    def _next_step(self) -> None:
        # Steps are where the clock has them. Counted from when somebody began to wait, they would tell others of that:
        # of an answer, say, that was given unseen.
        loop = asyncio.get_running_loop()
        self._next = 1 + max(self._next, int(loop.time() / self._step_seconds))
        loop.call_at(self._next * self._step_seconds, self._step)

    def _step(self) -> None:
        self._steps_left -= 1
        if self._steps_left:
            self._next_step()
        due = self._waiting.popleft()
        self._waiting.append([])
        for lingerer in due:
            lingerer.come_out()
