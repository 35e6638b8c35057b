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

Leave = Callable[[HostedMatch, int], None]


class PresenceTracker(PeriodicTask):
    """The players of one worker."""

    every_seconds = 1.0

    def __init__(self, hall: MatchHosts) -> None:
        super().__init__()
        self.worker = secrets.token_hex(4)
        self._hall = hall
        self.seats: Counter[str] = Counter()  # by match
        #: what plays here: a build, and the content files that an operator has given it
        self.build = "/".join(filter(None, (engine_build(), games.offered_digest())))
        #: where this worker can be reached, and where all can that are alive, by what plays there
        self.address = ""
        self._addresses: dict[str, list[str]] = {}
        self._shown = False
        self._untold = False  # the roster may not know of all matches in which somebody plays here
        self._unfinished: list[tuple[str, Leave]] = []

    def token(self) -> str:
        """For a new stream: names the worker that has it."""
        return f"{self.worker}.{secrets.token_hex(4)}"

    def meeting_place(self, match: str, build: str, *, ours: bool) -> str:
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
        return meeting_place(match, addresses) or (self.address if here and ours else "")

    async def appear(self, address: str) -> None:
        """This worker can be reached from now on."""
        self.address = address
        with suppress(StoreError):  # then the next turn does it
            await self._look_around()
        self.start()

    def disappear(self) -> None:
        """It is about to go: nobody is to come any more."""
        self.address = ""
        with suppress(StoreUnavailable):
            self._hall.store.roster.hides(self.worker).add_done_callback(_look_at)

    async def _look_around(self) -> None:
        roster, now = self._hall.store.roster, self._hall.now()
        if await roster.show(self.worker, now) or self._untold:
            self._untold = False  # and not when it is done: somebody may come meanwhile, of whom that cannot be told
            try:
                if self.seats:
                    await roster.enter(self.worker, tuple(self.seats))
            except BaseException:
                self._untold = True
                raise
        if self.address:
            await roster.listens(self.worker, self.address, self.build)
        self._addresses = await roster.addresses(now)

    def arrives(self, match: str) -> None:
        """Somebody is about to take a seat."""
        self.seats[match] += 1
        if self.seats[match] == 1:
            roster = self._hall.store.roster
            try:
                if not self._shown:  # who dies before the first turn has to be found, too
                    self._shown = True
                    roster.show(self.worker, self._hall.now()).add_done_callback(_look_at)
                roster.enter(self.worker, (match,)).add_done_callback(self._entered)
            except StoreUnavailable:
                self._untold = True

    def _entered(self, entering: asyncio.Future[object]) -> None:
        """The seat may be taken although this was not: another node of the store has its match."""
        if entering.cancelled() or entering.exception() is not None:
            self._untold = True

    def leaves(self, match: str, leave: Leave) -> None:
        """A seat is played here no longer; `leave` says so in the match."""
        self._hall.spawn(self._leave(match, leave))

    async def _leave(self, match: str, leave: Leave) -> None:
        try:
            await self._hall.change(match, leave)
        except Exception as error:  # noqa: BLE001  whatever it is: it has to be said at some time
            if not is_gone(error):
                self._unfinished.append((match, leave))
                return
        self.left(match)

    def left(self, match: str) -> None:
        """It is said, or there was nothing to say."""
        self.seats[match] -= 1
        if not self.seats[match]:
            del self.seats[match]
            with suppress(StoreUnavailable):  # at worst somebody looks at a match for nothing
                self._hall.store.roster.leave(self.worker, match).add_done_callback(_look_at)

    async def turn(self) -> None:
        """Once: show that we are alive, finish what could not be done, look after the players of the dead."""
        await self._look_around()
        roster, now = self._hall.store.roster, self._hall.now()
        unfinished, self._unfinished = self._unfinished, []
        for match, leave in unfinished:
            self.leaves(match, leave)  # not waited for: a turn may be cancelled, and what it has to say must not
        for worker in await roster.dead(now):
            self._hall.spawn(self._bury(worker))  # which may take longer than one may be silent oneself

    async def _bury(self, worker: str) -> None:
        with suppress(StoreError):  # then it is found dead once more
            await self._hall.store.roster.hides(worker)
            matches = await self._hall.store.roster.matches(worker)
            if all([await self._vacated(match, worker) for match in matches]):
                await self._hall.store.roster.forget(worker)

    async def _vacated(self, match: str, worker: str) -> bool:
        """Whether nobody plays by a dead worker in a match any more; what is wrong with one keeps no other."""
        try:
            if await self._hall.change(match, partial(match_changes.vacate, worker=worker)):
                self._hall.call_bots(match)  # they have died with it, or would have come back by now
        except Exception as error:  # noqa: BLE001  the worker is found dead once more
            if not is_gone(error):
                self._hall.unforeseen("bury", match, error)
                return False
        return True

    async def close(self) -> None:
        """All streams have ended: this worker goes in order."""
        await self.stop()
        with suppress(Exception):  # then another worker finds us dead, and says it
            for match in tuple(self.seats):
                await self._hall.read(match, lambda _: None)  # comes after what was said of it before
            if not self._unfinished:
                await self._hall.store.roster.forget(self.worker)


def meeting_place(match: str, addresses: Iterable[str]) -> str:
    """Of these addresses, in whatever order, always the same one for a match; empty if there is none.

    An address that comes or goes moves only the matches that it gets or had (rendezvous hashing).
    """
    return max(addresses, key=lambda address: blake2b(f"{match} {address}".encode()).digest(), default="")


def _look_at(future: asyncio.Future[object]) -> None:
    """Take notice of an error without doing anything about it."""
    if not future.cancelled():
        future.exception()
