"""Match table: the matches and streams of one run against a service."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from itertools import cycle
from random import Random
from typing import Any

import grpc
import grpc.aio

from landsraad import games
from landsraad.transport import MATCH_KEY
from landsraad.v1 import matches_pb2, matches_service_pb2, matches_service_pb2_grpc
from landsraad.wire.codec import codec_for
from landsraad_bench.pacing import ClosedPace, Pacing
from landsraad_bench.players import BenchSeat, BenchStream, BenchTally
from landsraad_bench.random_answers import random_answerer
from landsraad_bench.transports import CARRIERS, OPTIONS
from landsraad_engine.kernel.execution import AUTO

#: Matches that are set up concurrently.
_SETTING_UP = 16
#: Timeouts of one call, and of starting all streams; far more than a busy machine needs.
_CALL_SECONDS, _BEGIN_SECONDS = 30.0, 120.0


class MatchTable:
    """Matches whose seats are all played by this process; a finished match is replaced by a new one."""

    def __init__(self, address: str, game: str, seats: int, carrier: str, *, token: str = "", cell: str = "") -> None:
        self.tally = BenchTally()
        self.pace: Pacing = ClosedPace()
        self.answer = random_answerer(codec_for(games.load(game)), Random(1))
        self.matches: list[list[BenchSeat]] = []
        self.streams: list[BenchStream] = []
        self._carrier = CARRIERS[carrier]
        self._address = address
        self._game = game
        self._seats = seats
        self._token = token
        #: its matches are made in this cell, whatever the load
        self._place = ((MATCH_KEY, f"{cell}-"),) if cell else ()
        self._channels: list[grpc.aio.Channel] = []
        # Each connection to the shared port goes to one worker, so several connections reach them all.
        stubs = [matches_service_pb2_grpc.MatchesStub(self._channel(address)) for _ in range(_SETTING_UP)]
        self._stubs = cycle(stubs)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._set_up_slots = asyncio.Semaphore(_SETTING_UP)
        self._successors: dict[str, asyncio.Task[list[BenchSeat]]] = {}
        self._failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def set_up(self, matches: int) -> None:
        """Create so many matches and take all their seats, upon which they begin."""
        self.matches = list(await asyncio.gather(*(self._new_match() for _ in range(matches))))

    async def play(self, streams: int) -> None:
        """Deal the seats out to so many streams, each on its own connection, and return when all are in play.

        The seats of a match go to the same stream, unless there are more streams than matches.
        """
        if streams <= len(self.matches):
            deals = [[seat for match in self.matches[number::streams] for seat in match] for number in range(streams)]
        else:
            dealt = [seat for match in self.matches for seat in match]
            deals = [dealt[number::streams] for number in range(min(streams, len(dealt)))]
        self.streams = [BenchStream(self, self._carrier(self._meeting_place(deal)), deal) for deal in deals]
        for stream in self.streams:
            self.spawn(self._run(stream))
        try:
            async with asyncio.timeout(_BEGIN_SECONDS):
                await self.wait_or_fail(asyncio.ensure_future(self._all_begun()))
        except TimeoutError:
            missing = [stream.missing for stream in self.streams if stream.missing]
            raise RuntimeError(
                f"{sum(missing)} seats on {len(missing)} of {len(self.streams)} streams got no snapshot within "
                f"{_BEGIN_SECONDS:.0f} s; refused: {dict(self.tally.refused) or 'none'}"
            ) from None

    async def _all_begun(self) -> None:
        for stream in self.streams:
            await stream.begun.wait()

    async def _run(self, stream: BenchStream) -> None:
        await stream.run()
        raise RuntimeError("the service has ended a stream that is still in use")

    def _meeting_place(self, deal: list[BenchSeat]) -> str:
        """Return the worker that the service hints at if it is the same for all seats, else the shared address."""
        hints = {seat.address for seat in deal}
        return hints.pop() if len(hints) == 1 else self._address

    async def wait_or_fail(self, wait: asyncio.Future[Any]) -> None:
        """Wait for a future, but raise as soon as a stream or a new match fails."""
        try:
            await asyncio.wait({wait, self._failure}, return_when=asyncio.FIRST_COMPLETED)
            if self._failure.done():
                self._failure.result()
            wait.result()
        finally:
            wait.cancel()

    def ended(self, stream: BenchStream, seat: BenchSeat) -> None:
        """Give the stream the same seat in the match that replaces a finished one."""
        if seat.match not in self._successors:
            self.tally.over += 1
            self._successors[seat.match] = self.spawn(self._new_match())

        def take_seat(made: asyncio.Task[list[BenchSeat]]) -> None:
            if not made.cancelled() and made.exception() is None:
                stream.add(made.result()[seat.seat])

        self._successors[seat.match].add_done_callback(take_seat)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(channel.close() for channel in self._channels))
        self._failure.cancel()

    async def _new_match(self) -> list[BenchSeat]:
        match = matches_pb2.Match(game=f"games/{self._game}", seats=[matches_pb2.Seat()] * self._seats, unlisted=True)
        request = matches_service_pb2.CreateMatchRequest(match=match, request_id=secrets.token_hex(8))
        # Without accounts, each match has a guest of its own: limits are for accounts.
        token = self._token or f"landsraad_guest_{secrets.token_hex(16)}"
        metadata = (("authorization", f"Bearer {token}"), *self._place)
        seats = []
        stub = next(self._stubs)
        async with self._set_up_slots:
            made = await stub.CreateMatch(request, metadata=metadata, timeout=_CALL_SECONDS)
            for number in range(self._seats):
                join = matches_service_pb2.JoinMatchRequest(name=made.name, seat=number, standing_orders=[AUTO])
                joined = await stub.JoinMatch(join, metadata=metadata, timeout=_CALL_SECONDS)
                seats.append(BenchSeat(made.name, number, joined.credential, joined.address_hint))
        return seats

    def _channel(self, address: str) -> grpc.aio.Channel:
        channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        self._channels.append(channel)
        return channel

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a background task; if it fails, the run fails."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def _task_done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not self._failure.done():
            self._failure.set_exception(error)


@asynccontextmanager
async def open_table(
    address: str, game: str, seats: int, carrier: str, *, token: str = "", cell: str = ""
) -> AsyncIterator[MatchTable]:
    """Provide a match table that is closed at the end."""
    made = MatchTable(address, game, seats, carrier, token=token, cell=cell)
    try:
        yield made
    finally:
        await made.close()
