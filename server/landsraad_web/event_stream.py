"""Event streams over HTTP: a response that goes on until its reader leaves or the feed ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

#: Milliseconds after which a browser opens a broken stream again.
_RETRY: Final = b"retry: 500\n\n"
HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would keep events back otherwise
]


class EventStream(Response):
    """A response of server-sent events.

    Starlette's own streaming response wraps each part in a task group; with a thousand watchers of a match that costs
    more than sending does.

    Args:
        events: The bytes of events; empty ones are skipped.
    """

    def __init__(self, events: AsyncGenerator[bytes, None]) -> None:
        super().__init__()
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the reader disconnects."""
        sending = asyncio.current_task()
        assert sending is not None
        leaving = asyncio.get_running_loop().create_task(_wait_until_gone(receive, sending))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
            await send({"type": "http.response.body", "body": _RETRY, "more_body": True})
            async for data in self._events:
                if data:
                    await send({"type": "http.response.body", "body": data, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except asyncio.CancelledError:
            if not leaving.done():
                raise
            sending.uncancel()
        finally:
            leaving.cancel()
            await self._events.aclose()


async def _wait_until_gone(receive: Receive, sending: asyncio.Task[None]) -> None:
    """Cancel a task once the reader has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass
    sending.cancel()
