"""Who is here: the players of this worker are told to the store's roster, and those of a dead one to be away. And where
the players of a match meet.

A player who goes is told to be away by the worker that had the stream. If the store is lost at that moment, that is
done when it is back; if the worker is, another one does it.
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

if TYPE_CHECKING:
    from landsraad_server.matches.match_hosts import MatchHosts

Vacate = Callable[[HostedMatch, int], None]


class PresenceTracker(PeriodicTask):
    """The players of one worker."""

    every_seconds = 1.0

    def __init__(self, hosts: MatchHosts) -> None:
        super().__init__()
        self.worker = secrets.token_hex(4)
        self._hosts = hosts
        self.seats: Counter[str] = Counter()  # by match
        #: what plays here: a build, and the content files that an operator has given it
        self.build = "/".join(filter(None, (engine_build(), games.offered_digest())))
        #: where this worker can be reached, and where all can that are alive, by what plays there
        self.address = ""
        self._addresses: dict[str, list[str]] = {}
        self._registered = False
        self._roster_stale = False  # the roster may not know of all matches in which somebody plays here
        self._unwritten: list[tuple[str, Vacate]] = []

    def new_stream_token(self) -> str:
        """For a new stream: names the worker that has it."""
        return f"{self.worker}.{secrets.token_hex(4)}"

    def preferred_address(self, match: str, build: str, *, ours: bool) -> str:
        """The worker at which all players of a match of this build best connect; empty if we know of none. Of our own
        build there may be some with other content files: where we cannot play a match (`ours`), only they can.
        """
        here = self.build.partition("/")[0] == build
        addresses = [
            address
            for plays, reached in self._addresses.items()
            if plays.partition("/")[0] == build and (not here or (plays == self.build) is ours)
            for address in reached
        ]
        return rendezvous_address(match, addresses) or (self.address if here and ours else "")

    async def announce(self, address: str) -> None:
        """This worker can be reached from now on."""
        self.address = address
        with suppress(StoreError):  # the next tick does it
            await self._sync_roster()
        self.start()

    def withdraw(self) -> None:
        """It is about to go: nobody is to come any more."""
        self.address = ""
        with suppress(StoreUnavailable):
            self._hosts.store.roster.withdraw_address(self.worker).add_done_callback(_consume_error)

    async def _sync_roster(self) -> None:
        roster, now = self._hosts.store.roster, self._hosts.now()
        if await roster.heartbeat(self.worker, now) or self._roster_stale:
            self._roster_stale = (
                False  # and not when it is done: somebody may come meanwhile, of whom that cannot be told
            )
            try:
                if self.seats:
                    await roster.add_matches(self.worker, tuple(self.seats))
            except BaseException:
                self._roster_stale = True
                raise
        if self.address:
            await roster.announce_address(self.worker, self.address, self.build)
        self._addresses = await roster.addresses(now)

    def add_seat(self, match: str) -> None:
        """Somebody is about to take a seat."""
        self.seats[match] += 1
        if self.seats[match] == 1:
            roster = self._hosts.store.roster
            try:
                if not self._registered:  # who dies before the first tick has to be found, too
                    self._registered = True
                    roster.heartbeat(self.worker, self._hosts.now()).add_done_callback(_consume_error)
                roster.add_matches(self.worker, (match,)).add_done_callback(self._on_entered)
            except StoreUnavailable:
                self._roster_stale = True

    def _on_entered(self, entering: asyncio.Future[object]) -> None:
        """The seat may be taken although this was not: another node of the store has its match."""
        if entering.cancelled() or entering.exception() is not None:
            self._roster_stale = True

    def vacate_seat(self, match: str, vacate: Vacate) -> None:
        """A seat is played here no longer; `leave` says so in the match."""
        self._hosts.spawn(self._vacate_seat(match, vacate))

    async def _vacate_seat(self, match: str, vacate: Vacate) -> None:
        try:
            await self._hosts.change(match, vacate)
        except Exception as error:  # noqa: BLE001  whatever it is: it has to be said at some time
            if not is_gone(error):
                self._unwritten.append((match, vacate))
                return
        self.remove_seat(match)

    def remove_seat(self, match: str) -> None:
        """It is said, or there was nothing to say."""
        self.seats[match] -= 1
        if not self.seats[match]:
            del self.seats[match]
            with suppress(StoreUnavailable):  # at worst somebody looks at a match for nothing
                self._hosts.store.roster.remove_match(self.worker, match).add_done_callback(_consume_error)

    async def tick(self) -> None:
        """Once: show that we are alive, finish what could not be done, look after the players of the dead."""
        await self._sync_roster()
        roster, now = self._hosts.store.roster, self._hosts.now()
        unfinished, self._unwritten = self._unwritten, []
        for match, vacate in unfinished:
            self.vacate_seat(match, vacate)  # not waited for: a tick may be cancelled, and what it has to say must not
        for worker in await roster.claim_dead(now):
            self._hosts.spawn(self._clean_up_after(worker))  # which may take longer than one may be silent oneself

    async def _clean_up_after(self, worker: str) -> None:
        with suppress(StoreError):  # then it is found dead once more
            await self._hosts.store.roster.withdraw_address(worker)
            matches = await self._hosts.store.roster.matches_of(worker)
            if all([await self._vacate_seats_of(match, worker) for match in matches]):
                await self._hosts.store.roster.forget(worker)

    async def _vacate_seats_of(self, match: str, worker: str) -> bool:
        """Whether nobody plays by a dead worker in a match any more; what is wrong with one keeps no other."""
        try:
            if await self._hosts.change(match, partial(match_changes.vacate, worker=worker)):
                self._hosts.request_bots(match)  # they have died with it, or would have come back by now
        except Exception as error:  # noqa: BLE001  the worker is found dead once more
            if not is_gone(error):
                self._hosts.log_unexpected("bury", match, error)
                return False
        return True

    async def close(self) -> None:
        """All streams have ended: this worker goes in order."""
        await self.stop()
        with suppress(Exception):  # then another worker finds us dead, and says it
            for match in tuple(self.seats):
                await self._hosts.read(match, lambda _: None)  # comes after what was said of it before
            if not self._unwritten:
                await self._hosts.store.roster.forget(self.worker)


def rendezvous_address(match: str, addresses: Iterable[str]) -> str:
    """Of these addresses, in whatever order, always the same one for a match; empty if there is none.

    An address that comes or goes moves only the matches that it gets or had (rendezvous hashing).
    """
    return max(addresses, key=lambda address: blake2b(f"{match} {address}".encode()).digest(), default="")


def _consume_error(future: asyncio.Future[object]) -> None:
    """Take notice of an error without doing anything about it."""
    if not future.cancelled():
        future.exception()
