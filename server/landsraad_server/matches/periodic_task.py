"""What a worker does again and again for as long as it runs."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress

from landsraad_server.store.errors import StoreError
from landsraad_server.telemetry import logs


class PeriodicTask(ABC):
    """Takes a turn, waits, and takes the next. While the store is lost nothing comes of it: it is due the next time."""

    every_seconds: float

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def turn(self) -> None:
        """Once."""

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self.every_seconds)
            try:
                await self.take_turn()
            except Exception as error:  # noqa: BLE001  one turn has failed, not all that are to come
                logs.fault(type(self).__name__.lower(), error)

    async def take_turn(self) -> None:
        """What the round does when it is time."""
        with suppress(StoreError):
            await self.turn()
