"""The feed of a match as spectators see it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from contextvars import Context
from typing import Final

from landsraad import AsyncClient
from landsraad.errors import LandsraadError
from landsraad.v1 import common_pb2, play_pb2
from landsraad_web.cursors import Cursor
from landsraad_web.feeds import LogFeed

#: Seconds in which a snapshot has to come.
_SNAPSHOT_SECONDS: Final = 10.0


class SpectatorFeed(LogFeed):
    """The spectators' log.

    Args:
        client: The client of the service.
        match: The name of the match.
        token: A token of an account that may see the match; empty if all may.
    """

    def __init__(self, client: AsyncClient, match: str, token: str) -> None:
        super().__init__()
        self._client = client
        self._match = match
        self._token = token
        self._task: asyncio.Task[None] | None = None

    def start(self, cursor: Cursor | None) -> None:
        self.cursor = cursor
        # Without the context of the request that happens to come first: the stream is for all that follow.
        self._task = asyncio.get_running_loop().create_task(self._run(), context=Context())

    async def stop(self) -> None:
        tasks = [task for task in (self._task, self._taking) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        stream = self._client.spectator_stream(self._match, token=self._token)
        try:
            async for _ in stream.follow(self._take, self._next_cursor):
                pass
            self.end("over")
        except LandsraadError as error:
            self.end("failed", error)

    def _next_cursor(self) -> common_pb2.Cursor | None:
        return None if self.cursor is None else self.cursor.message()

    def _take(self, frame: play_pb2.Frame) -> bool:
        for item in frame.items:
            if item.HasField("closed"):
                return item.closed.reason == play_pb2.CLOSED_REASON_OVER
            self.apply(item)
        return False

    async def fetch_snapshot(self) -> None:
        found: list[play_pb2.Snapshot] = []

        def take(frame: play_pb2.Frame) -> bool:
            found.extend(item.snapshot for item in frame.items if item.HasField("snapshot"))
            return bool(found) or any(item.HasField("closed") for item in frame.items)

        stream = self._client.spectator_stream(self._match, token=self._token)
        with suppress(LandsraadError, TimeoutError):  # then the snapshot before has to do
            async with asyncio.timeout(_SNAPSHOT_SECONDS), aclosing(stream.follow(take, lambda: None)) as frames:
                async for _ in frames:
                    if found:
                        break
        if found:
            self.take_snapshot(found[0].observation, found[0].mark)
