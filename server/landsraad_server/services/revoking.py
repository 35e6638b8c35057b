"""Tokens that were revoked: what was opened with them is closed, on whichever worker.

A seat's credential ends with a change of the match, which all streams hear of. A token ends in the store alone, where
workers look after those in use: there are few, and what is looked at again and again cannot be missed.
"""

from __future__ import annotations

import asyncio

from landsraad.v1 import play_pb2
from landsraad_server.services.streaming import Streams
from landsraad_server.store import Store
from landsraad_server.store.errors import StoreError

#: So long a revoked token may go on.
EVERY_SECONDS = 1.0


class Patrol:
    """Looks after the tokens in use on one worker."""

    def __init__(self, store: Store, streams: Streams) -> None:
        self._store = store
        self._streams = streams
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            try:
                await self.turn()
            except StoreError:
                continue  # what cannot be asked now is asked the next time

    async def turn(self) -> None:
        """Once: close what was opened with a token that is no longer good."""
        used = {stream.opened_with for stream in self._streams if stream.opened_with}
        tokens = tuple(used)
        good = await asyncio.gather(*map(self._store.accounts.who, tokens))
        ended = {token for token, identity in zip(tokens, good, strict=True) if identity is None}
        for stream in tuple(self._streams):
            if stream.opened_with in ended:
                stream.close(play_pb2.CLOSED_REASON_REVOKED)
