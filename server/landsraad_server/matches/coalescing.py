"""Coalesce output that is not urgent: one shared timer flushes each log after at most the linger time.

A log that has entries to send, but none that its reader must answer, waits a moment for more of them. A worker may have
thousands of such logs at a time, so they share a timer.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

#: The linger time is divided into so many steps. An entry that comes between two steps waits up to one step less.
_STEPS = 4


class Coalesced(Protocol):
    """A waiter of a `CoalescingTimer`."""

    def on_timer(self) -> None:
        """Flush: the linger time is over."""


class CoalescingTimer:
    """A timer for many waiters. All wait equally long, so that a queue of steps holds them in order."""

    def __init__(self, seconds: float) -> None:
        self._step_seconds = seconds / _STEPS
        self._waiting: deque[list[Coalesced]] = deque([] for _ in range(_STEPS))  # by the step in which they were added
        self._steps_left = 0  # steps until the queue is empty; the timer runs while there are some
        self._next = 0  # number of the step that the timer runs to

    def add(self, waiter: Coalesced) -> None:
        """Call the waiter's `on_timer` after the linger time; at once if that is zero."""
        if not self._step_seconds:
            waiter.on_timer()
            return
        self._waiting[-1].append(waiter)
        if not self._steps_left:
            self._next_step()
        self._steps_left = _STEPS

    def _next_step(self) -> None:
        # Steps lie at multiples of the step length on the loop's clock. If they were counted from the first waiter, the
        # time of a flush would reveal to one client when another's entries came, for example a sealed answer.
        loop = asyncio.get_running_loop()
        self._next = 1 + max(self._next, int(loop.time() / self._step_seconds))
        loop.call_at(self._next * self._step_seconds, self._step)

    def _step(self) -> None:
        self._steps_left -= 1
        if self._steps_left:
            self._next_step()
        due = self._waiting.popleft()
        self._waiting.append([])
        for waiter in due:
            waiter.on_timer()
