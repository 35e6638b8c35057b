"""Seats of the house: played by bots that are clients like any other, in a process of their own.

The hand-over is a line of JSON on that process's standard input for each seat that wants a bot:

    {"server": "127.0.0.1:7447", "match": "matches/0a1b", "seat": 2, "credential": "...", "game": "dune", "bot": "",
     "hint": "127.0.0.1:43211"}

`bot` is the name that the match asks for, empty for the game's usual one; `hint` is the worker at which its players
meet, empty if the bots cannot reach it. A line for a seat that the process plays
already means that it has a new credential. Whenever the process has started it prints {"ready": {}}, and is told of all
seats anew; if it ends it is started again. It has to end when its input ends.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from typing import NamedTuple

import structlog

from landsraad.v1 import matches_pb2
from landsraad_server.matches import match_changes, match_messages
from landsraad_server.matches.credentials import SeatSecret
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.presence import meeting_place
from landsraad_server.matches.records import MatchStage
from landsraad_server.process.children import Child
from landsraad_server.refusals import Denied
from landsraad_server.store import IndexState
from landsraad_server.store.errors import StoreError

_log = structlog.get_logger()

#: Before seats are handed over again that could not be.
_AGAIN_SECONDS = 1.0
#: What plays for the house: a module to be run with `python -m`.
RUNNER = "landsraad_bots.house_runner"


def runner() -> list[str] | None:
    """The command of the bots' process; None if no bots are installed."""
    try:
        found = find_spec(RUNNER)
    except ModuleNotFoundError:
        found = None
    return [sys.executable, "-m", RUNNER] if found else None


class HouseBots:
    """Tells the bots' process which seats to play."""

    def __init__(self, hall: MatchHosts, server: str, command: list[str], *, hints: bool = True) -> None:
        self.child = Child("house", command, "", lambda _: None)
        self._hall = hall
        self._server = server
        self._hints = hints

    async def run(self) -> None:
        """Keep the process running, and tell each new one what there is to do."""
        telling = asyncio.create_task(self._tell_all())
        try:
            await self.child.run()
        finally:
            telling.cancel()

    async def _tell_all(self) -> None:
        while True:
            await self.child.ready.wait()
            self.child.ready.clear()
            await self.all_seats()

    async def seats_of(self, match: str) -> None:
        """Hand over the seats of a match that nobody plays yet."""
        await self._insist(partial(self._seats_of, match), match)

    async def all_seats(self) -> None:
        """Hand over what live matches there are."""
        await self._insist(self._all_seats)

    async def _insist(self, hand_over: Callable[[], Awaitable[None]], match: str = "") -> None:
        """Until it is done: nobody else would do it, and a match without clocks would wait for its bots for ever."""
        while True:
            try:
                await hand_over()
            except StoreError:
                _log.warning("house_seats_not_handed_over", match=match)
                await asyncio.sleep(_AGAIN_SECONDS)
            else:
                return

    async def _seats_of(self, match: str) -> None:
        with self._that_match_alone(match):
            await self._hand_over(match)

    async def _hand_over(self, match: str) -> None:
        found = await self._hall.read(match, _unplayed)
        if not found.bots:
            return
        known = await self._hall.store.roster.addresses(self._hall.now()) if self._hints else {}
        addresses = known.get(self._hall.attendance.build, ())
        secrets = {number: SeatSecret() for number in found.bots}
        keys = {number: secret.key for number, secret in secrets.items()}
        for number in await self._hall.change(match, partial(match_changes.call_bots, keys=keys)):
            self.child.tell(
                server=self._server,
                match=f"matches/{match}",
                seat=number,
                credential=secrets[number].of(match, number),
                game=found.game,
                bot=found.bots[number],
                hint=meeting_place(match, addresses),
            )

    async def _all_seats(self) -> None:
        async for rows in self._hall.store.index.all(IndexState.LIVE):
            for row in rows:
                with self._that_match_alone(row.match):
                    message = matches_pb2.Match.FromString(match_messages.read_summary(row.listing.summary).message)
                    if any(seat.fill == matches_pb2.SEAT_FILL_HOUSE_BOT for seat in message.seats):
                        await self._hand_over(row.match)

    @contextmanager
    def _that_match_alone(self, match: str) -> Iterator[None]:
        """Whatever is wrong with a match, the others want their bots, too; a store that is away is away for all."""
        try:
            yield
        except Denied:
            return  # it has left the store
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001
            self._hall.fault("house", match, error)


class _Unplayed(NamedTuple):
    """What is told of a match's seats that want a bot, all as of one moment: what is written to the position next may
    never come to stand.
    """

    game: str
    #: by seat, the bot that the match asks for
    bots: dict[int, str]


def _unplayed(position: HostedMatch) -> _Unplayed:
    """None in a match of another build: bots of ours could not play it."""
    terms, playing = position.terms, position.stage is MatchStage.LIVE and not position.elsewhere
    bots = {number: plan.invited for number, plan in enumerate(terms.seats) if playing and position.wants_bot(number)}
    return _Unplayed(terms.game, bots)
