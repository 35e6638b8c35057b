"""Periodic tasks: background work that a worker repeats for as long as it runs."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress

from landsraad_server.store.errors import StoreError
from landsraad_server.telemetry import logs


class PeriodicTask(ABC):
    """Run `tick` every `every_seconds`. While the store is lost, ticks fail silently: a later one does their work."""

    every_seconds: float

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def tick(self) -> None:
        """Do the work that is due now."""

    def start(self) -> None:
        """Start ticking in the background."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Cancel the background task, and wait until it has ended."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self.every_seconds)
            try:
                await self.run_tick()
            except Exception as error:  # noqa: BLE001 one failed tick must not end the task
                logs.fault(type(self).__name__.lower(), error)

    async def run_tick(self) -> None:
        """Run one tick, and ignore that the store cannot be reached."""
        with suppress(StoreError):
            await self.tick()
