"""Push stream over a context that can only be awaited: grpc.aio's, which knows no callbacks.

A task that waits for each message costs more than what is done with it. So the coroutines of `read` and `write` are run
here by hand: each awaits one future of grpc.aio, whose callback takes it on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import grpc.aio


def _ignore(_: Any = None) -> None:
    """Do nothing."""


class ContextStream:
    """A `PushContext` and its `PushStream` over `context.read` and `context.write`.

    At most one message is on its way to the transport, which keeps it until the client's window lets it go. `writable`
    is false meanwhile.
    """

    __slots__ = (
        "_context",
        "_flushed",
        "_loop",
        "_on_end",
        "_on_message",
        "_scheduled",
        "on_failed",
        "on_writable",
        "writable",
    )

    def __init__(self, context: Any) -> None:
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._scheduled = False
        self._flushed: asyncio.Future[None] | None = None
        self._on_message: Callable[[Any], None] = _ignore
        self._on_end: Callable[[], None] = _ignore
        self.on_writable: Callable[[], None] = _ignore
        #: called with the error of a write or of the client's messages
        self.on_failed: Callable[[Exception], None] = _ignore
        self.writable = True

    @property
    def stream(self) -> ContextStream:
        """Return the stream of the call: this object."""
        return self

    def parsed(self, message: Any, /) -> Any:
        """Return a message that `read` has parsed already."""
        return message

    # ---------------------------------------------------------------------------------------------------------- sending

    def at_end_of_turn(self, write: Callable[[], None], /) -> Callable[[], None]:
        """Return a function that calls `write` once at the end of this turn of the loop, if it is writable then."""

        def run() -> None:
            self._scheduled = False
            if self.writable:
                write()

        def schedule() -> None:
            if not self._scheduled and self.writable:  # otherwise the end of the write is the next occasion
                self._scheduled = True
                self._loop.call_soon(run)

        return schedule

    def send(self, message: bytes, /) -> None:
        """Send a message; only while writable."""
        self.writable = False
        _Run(self._context.write(message), self._sent)

    def _sent(self, _: None, error: Exception | None) -> None:
        self.writable = True
        if self._flushed is not None and not self._flushed.done():
            self._flushed.set_result(None)
        if error is None:
            self.on_writable()
        else:
            self.on_failed(error)

    async def flushed(self) -> None:
        """Wait until the transport has the last message: a call must not end before."""
        if not self.writable:
            self._flushed = self._loop.create_future()
            await self._flushed

    # -------------------------------------------------------------------------------------------------------- receiving

    def receive(self, on_message: Callable[[Any], None], on_end: Callable[[], None], /) -> None:
        """Pass on messages as they come, then the end of the client's messages; later callbacks replace earlier."""
        begun = self._on_message is not _ignore
        self._on_message, self._on_end = on_message, on_end
        if not begun:
            self._read()

    def _read(self) -> None:
        _Run(self._context.read(), self._received)

    def _received(self, message: Any, error: Exception | None) -> None:
        if error is not None:
            self.on_failed(error)
        elif message is grpc.aio.EOF:
            self._on_end()
        else:
            self._on_message(message)
            self._read()

    def close(self) -> None:
        """Drop all callbacks, which would keep the session alive for as long as grpc.aio keeps the call."""
        self._on_message = self.on_failed = _ignore
        self._on_end = self.on_writable = _ignore


class _Run:
    """A coroutine that awaits futures of this loop only, run as a task would; `done` gets its result or error.

    An object and no nested function: that would refer to itself, a cycle for each message.
    """

    __slots__ = ("_coroutine", "_done")

    def __init__(self, coroutine: Coroutine[Any, Any, Any], done: Callable[[Any, Exception | None], None]) -> None:
        self._coroutine = coroutine
        self._done = done
        self.step()

    def step(self, _: object = None) -> None:
        """Run it to its next future or its end."""
        try:
            future = self._coroutine.send(None)
        except StopIteration as result:
            self._done(result.value, None)
        except asyncio.CancelledError:
            pass  # the call has ended, and its handler is cancelled
        except Exception as error:  # noqa: BLE001  passed on
            self._done(None, error)
        else:
            future.add_done_callback(self.step)
