"""House bots: hand free seats over to a bot process, whose bots play as ordinary clients.

The hand-over is one JSON line on that process's standard input for each seat that wants a bot:

    {"server": "127.0.0.1:7447", "match": "matches/0a1b", "seat": 2, "credential": "...", "game": "dune", "bot": "",
     "hint": "127.0.0.1:43211"}

`bot` is the name that the match asks for, empty for the game's usual bot. `hint` is the address of the worker where the
players of the match meet, empty if bots cannot reach workers directly. A line for a seat that the process already plays
carries a new credential. Whenever the process starts it prints {"ready": {}} and then receives all seats again. If it
exits it is restarted. It must exit when its standard input ends.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec

import structlog

from landsraad.v1 import matches_pb2
from landsraad_server.matches import match_changes, match_messages
from landsraad_server.matches.credentials import SeatSecret
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.presence import rendezvous_address
from landsraad_server.matches.records import MatchStage
from landsraad_server.process.children import Child
from landsraad_server.refusals import Denied
from landsraad_server.store import IndexState
from landsraad_server.store.errors import StoreError

_log = structlog.get_logger()

#: Seconds before a failed hand-over is retried.
_RETRY_SECONDS = 1.0
#: The bot process: a module run with `python -m`.
RUNNER = "landsraad_bots.house_runner"


def runner(cores: float) -> list[str] | None:
    """Return the command of the bot process, with the CPU seconds for each second that its bots may use.

    It is None if no bots are installed.
    """
    try:
        found = find_spec(RUNNER)
    except ModuleNotFoundError:
        found = None
    return [sys.executable, "-m", RUNNER, "--cores", str(cores)] if found else None


class HouseBots:
    """Hands seats to the bot process and keeps that process running."""

    def __init__(self, hosts: MatchHosts, server: str, command: list[str], *, hints: bool = True) -> None:
        self.child = Child("house", command, "", lambda _: None)
        self._hosts = hosts
        self._server = server
        self._hints = hints

    async def run(self) -> None:
        """Keep the process running, and hand over all seats each time it starts."""
        handing_over = asyncio.create_task(self._hand_over_at_start())
        try:
            await self.child.run()
        finally:
            handing_over.cancel()

    async def _hand_over_at_start(self) -> None:
        while True:
            await self.child.ready.wait()
            self.child.ready.clear()
            await self.all_seats()

    async def seats_of(self, match: str) -> None:
        """Hand over the free bot seats of one match."""
        await self._retry_until_done(partial(self._seats_of, match), match)

    async def all_seats(self) -> None:
        """Hand over the free bot seats of all live matches."""
        await self._retry_until_done(self._all_seats)

    async def _retry_until_done(self, hand_over: Callable[[], Awaitable[None]], match: str = "") -> None:
        """Retry until the store answers: a match without clocks would wait for its bots for ever."""
        while True:
            try:
                await hand_over()
            except StoreError:
                _log.warning("house_seats_not_handed_over", match=match)
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                return

    async def _seats_of(self, match: str) -> None:
        with self._log_faults_of(match):
            await self._hand_over(match)

    async def _hand_over(self, match: str) -> None:
        found = await self._hosts.read(match, HostedMatch.frozen_copy)
        bots = _unplayed(found)
        if not bots:
            return
        addresses: Iterable[str] = ()
        if self._hints:
            await self._hosts.store.roster.refresh()
            addresses = self._hosts.store.roster.addresses().get(self._hosts.presence.build, ())
        secrets = {number: SeatSecret() for number in bots}
        keys = {number: secret.key for number, secret in secrets.items()}
        for number in await self._hosts.change(match, partial(match_changes.assign_bots, keys=keys)):
            self.child.send(
                server=self._server,
                match=f"matches/{match}",
                seat=number,
                credential=secrets[number].credential(match, number),
                game=found.terms.game,
                bot=bots[number],
                hint=rendezvous_address(match, addresses),
            )

    async def _all_seats(self) -> None:
        async for rows in self._hosts.store.index.all(IndexState.LIVE):
            for row in rows:
                with self._log_faults_of(row.match):
                    message = matches_pb2.Match.FromString(match_messages.read_summary(row.listing.summary).message)
                    if any(seat.fill == matches_pb2.SEAT_FILL_HOUSE_BOT for seat in message.seats):
                        await self._hand_over(row.match)

    @contextmanager
    def _log_faults_of(self, match: str) -> Iterator[None]:
        """Log a fault of one match, so that the others still get their bots; a lost store is raised."""
        try:
            yield
        except Denied:
            return  # the match has left the store
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001
            self._hosts.log_fault("house", match, error)


def _unplayed(hosted: HostedMatch) -> dict[int, str]:
    """Return the free bot seats, each with the name of the bot that the match asks for.

    There are none in a match of another build, whose rules our bots do not know.
    """
    if hosted.stage is not MatchStage.LIVE or hosted.of_other_build:
        return {}
    plans = enumerate(hosted.terms.seats)
    return {number: plan.invited for number, plan in plans if hosted.wants_bot(number)}
