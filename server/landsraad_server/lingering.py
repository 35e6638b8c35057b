"""Waiting a moment for company: thousands of logs at a time, each for itself, by one timer."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

#: The moment is measured in so many steps: whoever comes between two of them waits a part of a step less.
_STEPS = 4


class Lingerer(Protocol):
    """Who waits."""

    def come_out(self) -> None:
        """It has waited long enough."""


class Lingering:
    """Those who wait. All wait equally long, so they go in the order in which they have come."""

    def __init__(self, seconds: float) -> None:
        self._step_seconds = seconds / _STEPS
        self._waiting: deque[list[Lingerer]] = deque([] for _ in range(_STEPS))  # by the step in which they came
        self._steps_left = 0  # until nobody waits any more; the timer runs

    def add(self, lingerer: Lingerer) -> None:
        """Let it `come_out` in a moment; at once if that is none."""
        if not self._step_seconds:
            lingerer.come_out()
            return
        self._waiting[-1].append(lingerer)
        if not self._steps_left:
            self._next_step()
        self._steps_left = _STEPS

    def _next_step(self) -> None:
        asyncio.get_running_loop().call_later(self._step_seconds, self._step)

    def _step(self) -> None:
        self._steps_left -= 1
        if self._steps_left:
            self._next_step()
        due = self._waiting.popleft()
        self._waiting.append([])
        for lingerer in due:
            lingerer.come_out()
