"""A test that hangs ends, and says where everything waits: faulthandler alone tells of threads, not of tasks."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
import threading
import traceback
from collections.abc import Generator, Iterator
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from landsraad.games import CONTENT_VARIABLE

#: For all of a test, its fixtures included; many times what the slowest takes on a busy machine.
SECONDS, LONG_SECONDS = 100.0, 900.0
#: Then it is tried again: what is raised inside a callback, the loop only logs.
_AGAIN_SECONDS = 2.0

# An example has 0.2 s otherwise, and a busy machine may give it nothing for longer.
settings.register_profile("patient", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(autouse=True)
def _usual_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn at a terminal must not depend on where the tests are run: a dumb one has no colours."""
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture(autouse=True)
def _no_content_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test offers, or what it calls, is offered to no later one. (A process says so in its environment.)"""
    monkeypatch.setenv(CONTENT_VARIABLE, "")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Give each test its time."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return (yield)
    seconds = LONG_SECONDS if item.get_closest_marker("long") else SECONDS

    def hung(_number: int, frame: FrameType | None) -> None:
        pytest.fail("\n".join([f"{item.nodeid} has not ended within {seconds:g} s", *_waiting()]))

    before = signal.signal(signal.SIGALRM, hung)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_SECONDS)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, object, object]:
    """Do not ring while what has failed is told: it would end the whole run."""
    if not hasattr(signal, "setitimer"):
        return (yield)
    left, again = signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, max(left, again) if left else 0, again)


def _waiting() -> Iterator[str]:
    """Where the threads stand, and where the tasks of all loops wait."""
    for number, frame in sys._current_frames().items():
        yield f"thread {number}:\n{''.join(traceback.format_stack(frame, 4))}"
    for task in gc.get_objects():
        if isinstance(task, asyncio.Task) and not task.done():
            yield f"task {task.get_name()}: {' < '.join(reversed(tuple(_places(task.get_coro()))))}"


def _places(coroutine: Any) -> Iterator[str]:
    """From the outermost function to the one that waits."""
    while (frame := getattr(coroutine, "cr_frame", None)) is not None:
        yield f"{frame.f_code.co_qualname} ({frame.f_code.co_filename.rpartition('/')[2]}:{frame.f_lineno})"
        coroutine = coroutine.cr_await
