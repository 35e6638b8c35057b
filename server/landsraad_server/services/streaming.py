"""A session on a gRPC stream."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterator
from typing import Any

from landsraad.v1 import play_pb2
from landsraad_server.refusals import Denied
from landsraad_server.services.calls import Context
from landsraad_server.sessions.following import LogStream
from landsraad_server.sessions.session import Session


class Streams:
    """The streams that are open on this worker; so many at most for each who opens them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._sessions: set[Session] = set()
        self._open: Counter[str] = Counter()

    def __iter__(self) -> Iterator[LogStream]:
        """What is followed on them."""
        return (stream for session in self._sessions for stream in session.streams.values())

    async def carry(
        self, session: Session, context: Context, who: str, reading: Coroutine[Any, Any, None] | None = None
    ) -> None:
        """Write what the session has to say, while `reading` takes what the client sends; end when either ends."""
        if self._open[who] >= self._most:
            session.end()
            if reading is not None:
                reading.close()
            raise Denied("QUOTA", f"{self._most} streams at a time; end one of them")
        self._open[who] += 1
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
            self._leave(who)
            session.end()
            if reader is not None:
                reader.cancel()
        if reader is not None and reader.done() and not reader.cancelled():
            reader.result()  # raises what was wrong with what it has read

    def _leave(self, who: str) -> None:
        self._open[who] -= 1
        if not self._open[who]:
            del self._open[who]

    def drain(self) -> None:
        """Send all of them away, with their cursors."""
        for session in tuple(self._sessions):
            session.close(play_pb2.CLOSED_REASON_DRAINING)
