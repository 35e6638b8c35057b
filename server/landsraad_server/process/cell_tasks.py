"""Cell tasks: what a worker of a cell does periodically beside its own work."""

from __future__ import annotations

import asyncio

from landsraad_server.accounts.revocation_sweep import RevocationSweep
from landsraad_server.cells.membership import CellMembership
from landsraad_server.cells.placement import PUBLISH_MS
from landsraad_server.matches.periodic_task import PeriodicTask


class LoadPublisher(PeriodicTask):
    """Publishes the load of the cell, by which new matches are placed."""

    every_seconds = PUBLISH_MS / 1000

    def __init__(self, membership: CellMembership) -> None:
        super().__init__()
        self._membership = membership

    async def tick(self) -> None:
        """Publish the load, unless another worker of the cell has."""
        await self._membership.placement.publish()


class RevocationReader(PeriodicTask):
    """Reads which tokens were revoked, and has the streams closed that were opened with them."""

    every_seconds = 0.25

    def __init__(self, membership: CellMembership, sweep: RevocationSweep) -> None:
        super().__init__()
        self._membership = membership
        self._sweep = sweep

    async def tick(self) -> None:
        """Read the revocations since the last tick."""
        if await self._membership.accounts.read_revocations():
            await self._sweep.tick()


class CellTasks:
    """The periodic tasks of one worker."""

    def __init__(self, membership: CellMembership, sweep: RevocationSweep, *, new_matches: bool) -> None:
        self._tasks: list[PeriodicTask] = [RevocationReader(membership, sweep)]
        if new_matches:
            self._tasks.append(LoadPublisher(membership))

    async def start(self) -> None:
        """Do everything once, then periodically."""
        for task in self._tasks:
            await task.run_tick()
            task.start()

    async def stop(self) -> None:
        """Stop all tasks."""
        await asyncio.gather(*(task.stop() for task in self._tasks))
