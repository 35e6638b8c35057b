"""A session on a gRPC stream."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from landsraad.v1 import play_pb2
from landsraad_server.services.calls import Context
from landsraad_server.sessions.session import Session


class Streams:
    """The streams that are open on this worker."""

    def __init__(self) -> None:
        self._sessions: set[Session] = set()

    async def carry(self, session: Session, context: Context, reading: Coroutine[Any, Any, None] | None = None) -> None:
        """Write what the session has to say, while `reading` takes what the client sends; end when either ends."""
        self._sessions.add(session)
        reader = None
        if reading is not None:
            reader = asyncio.create_task(reading)
            reader.add_done_callback(lambda _: session.outbox.close())
        try:
            while frame := await session.outbox.take():
                await context.write(frame)
        finally:
            self._sessions.discard(session)
            session.end()
            if reader is not None:
                reader.cancel()
        if reader is not None and reader.done() and not reader.cancelled():
            reader.result()  # raises what was wrong with what it has read

    def drain(self) -> None:
        """Send all of them away, with their cursors."""
        for session in tuple(self._sessions):
            session.close(play_pb2.CLOSED_REASON_DRAINING)
