"""Presence: register this worker's players in the store's roster, and mark the players of dead workers as away.

When a player's stream ends, the worker that had the stream marks the seat as away. If the store is lost at that moment,
the worker does it when the store is back. If the worker has died, another worker does it.

The roster also holds the addresses of all workers. Each match has a preferred one among them, so that its players
usually meet at one worker.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

from landsraad import games
from landsraad_engine.play.build import engine_build
from landsraad_server.matches import match_changes
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.periodic_task import PeriodicTask
from landsraad_server.refusals import is_gone
from landsraad_server.store.errors import StoreError, StoreUnavailable
from landsraad_server.store.roster import WorkerAnnouncement

if TYPE_CHECKING:
    from landsraad_server.matches.match_hosts import MatchHosts

#: Change that marks a seat as away: the `run` of a request.
Vacate = Callable[[HostedMatch, int], None]


class PresenceTracker(PeriodicTask):
    """The presence of one worker's players, with a heartbeat to the roster."""

    every_seconds = 1.0

    def __init__(self, hosts: MatchHosts) -> None:
        super().__init__()
        self.worker = secrets.token_hex(4)
        self._hosts = hosts
        self.seats: Counter[str] = Counter()  # Seats that are played on this worker, by match.
        #: the engine's build, with the digest of the content files that the operator has given it
        self.build = "/".join(filter(None, (engine_build(), games.offered_digest())))
        #: the address of this worker; empty: clients must not come
        self.address = ""
        self._announced = False  # This worker takes part: it serves, and does not shut down.
        self._registered = False  # The roster has had a heartbeat of this worker.
        self._roster_stale = False  # The roster may lack matches that are played on this worker.
        self._unwritten: list[tuple[str, Vacate]] = []  # Changes that failed, and that the next tick retries.

    def new_stream_token(self) -> str:
        """Return a token for a new stream. It begins with the worker's id, by which a dead worker's seats are found."""
        return f"{self.worker}.{secrets.token_hex(4)}"

    def preferred_address(self, match: str, build: str, *, ours: bool) -> str:
        """Return the address of the worker at which all players of a match should meet.

        Args:
            match: The match.
            build: The engine build that plays it.
            ours: Whether this worker can play it. Workers of the same build may have other content files: if this one
                cannot play the match, only such workers can.

        Returns:
            The address; empty if no suitable worker is known.
        """
        same_build = self.build.partition("/")[0] == build
        addresses = [
            address
            for other_build, at_build in self._hosts.store.roster.addresses().items()
            if other_build.partition("/")[0] == build and (not same_build or (other_build == self.build) is ours)
            for address in at_build
        ]
        return rendezvous_address(match, addresses) or (self.address if same_build and ours else "")

    async def announce(self, address: str) -> None:
        """Announce that this worker can be reached, and start the heartbeat."""
        self.address = address
        self._announced = True
        with suppress(StoreError):  # The next tick retries.
            await self._sync_roster()
        self.start()

    def withdraw(self) -> None:
        """Withdraw this worker's address from the roster, since it is shutting down."""
        self.address = ""
        self._announced = False
        with suppress(StoreUnavailable):
            self._hosts.store.roster.withdraw_address(self.worker).add_done_callback(_consume_error)

    async def _sync_roster(self) -> None:
        roster = self._hosts.store.roster
        announced = WorkerAnnouncement(self.build, self.address) if self._announced else None
        beat, read = roster.heartbeat(self.worker, announced), asyncio.ensure_future(roster.refresh())
        new, _ = await asyncio.gather(beat, read)
        if new or self._roster_stale:
            # Cleared before the write, not after it: a seat may be added meanwhile whose own write fails.
            self._roster_stale = False
            try:
                if self.seats:
                    await roster.add_matches(self.worker, tuple(self.seats))
            except BaseException:
                self._roster_stale = True
                raise

    def add_seat(self, match: str) -> None:
        """Register a seat that a stream is about to take."""
        self.seats[match] += 1
        if self.seats[match] == 1:
            roster = self._hosts.store.roster
            try:
                if not self._registered:  # A worker that dies before its first tick must be found, too.
                    self._registered = True
                    roster.heartbeat(self.worker).add_done_callback(_consume_error)
                roster.add_matches(self.worker, (match,)).add_done_callback(self._on_entered)
            except StoreUnavailable:
                self._roster_stale = True

    def _on_entered(self, entering: asyncio.Future[object]) -> None:
        """Note a write that failed. The seat may be taken all the same: another node of the store has the match."""
        if entering.cancelled() or entering.exception() is not None:
            self._roster_stale = True

    def vacate_seat(self, match: str, vacate: Vacate) -> None:
        """Mark a seat as away by the change `vacate`, and then remove it. If the store is lost, a tick retries."""
        self._hosts.spawn(self._vacate_seat(match, vacate))

    async def _vacate_seat(self, match: str, vacate: Vacate) -> None:
        try:
            await self._hosts.change(match, vacate)
        except Exception as error:  # noqa: BLE001  whatever has failed, the seat must be marked at some time
            if not is_gone(error):
                self._unwritten.append((match, vacate))
                return
        self.remove_seat(match)

    def remove_seat(self, match: str) -> None:
        """Remove a seat that is marked as away, or that was never taken."""
        self.seats[match] -= 1
        if not self.seats[match]:
            del self.seats[match]
            with suppress(StoreUnavailable):  # At worst another worker checks a match in vain.
                self._hosts.store.roster.remove_match(self.worker, match).add_done_callback(_consume_error)

    async def tick(self) -> None:
        """Send a heartbeat, retry changes that have failed, and clean up after dead workers."""
        await self._sync_roster()
        roster = self._hosts.store.roster
        unfinished, self._unwritten = self._unwritten, []
        for match, vacate in unfinished:
            self.vacate_seat(match, vacate)  # Not awaited: a tick may be cancelled, but this change must not be.
        for worker in await roster.claim_dead():
            if worker == self.worker:
                continue  # This one has been slow; marking its seats as away would make it slower.
            self._hosts.spawn(self._clean_up_after(worker))  # It may take longer than the time between heartbeats.

    async def _clean_up_after(self, worker: str) -> None:
        with suppress(StoreError):  # The worker is found dead once more.
            await self._hosts.store.roster.withdraw_address(worker)
            matches = await self._hosts.store.roster.matches_of(worker)
            if all([await self._vacate_seats_of(match, worker) for match in matches]):
                await self._hosts.store.roster.forget(worker)

    async def _vacate_seats_of(self, match: str, worker: str) -> bool:
        """Mark a dead worker's seats in one match as away; False if that failed and must be retried."""
        try:
            if await self._hosts.change(match, partial(match_changes.vacate, worker=worker)):
                self._hosts.request_bots(match)  # Its bots have died with it, or would have reconnected by now.
        except Exception as error:  # noqa: BLE001  the worker is found dead once more
            if not is_gone(error):
                self._hosts.log_unexpected("bury", match, error)
                return False
        return True

    async def close(self) -> None:
        """Stop the heartbeat, and leave the roster once all seats are marked as away. All streams have ended."""
        await self.stop()
        with suppress(Exception):  # Another worker finds this one dead, and marks its seats.
            for match in tuple(self.seats):
                await self._hosts.read(match, lambda _: None)  # Answered after all changes that were queued before.
            if not self._unwritten:
                await self._hosts.store.roster.forget(self.worker)


def rendezvous_address(match: str, addresses: Iterable[str]) -> str:
    """Pick one address for a match by rendezvous hashing; empty if there is none.

    The order of the addresses does not matter. One that comes or goes only moves the matches that it gets or had.
    """
    return max(addresses, key=lambda address: blake2b(f"{match} {address}".encode()).digest(), default="")


def _consume_error(future: asyncio.Future[object]) -> None:
    """Retrieve a future's exception, so that asyncio does not log it as never retrieved."""
    if not future.cancelled():
        future.exception()
