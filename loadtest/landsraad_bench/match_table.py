"""The matches and streams of one run against one service."""

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
from landsraad.v1 import matches_pb2, matches_service_pb2, matches_service_pb2_grpc
from landsraad.wire.codec import codec_for
from landsraad_bench.pacing import ClosedPace, Pace
from landsraad_bench.players import BenchSeat, BenchStream, BenchTally
from landsraad_bench.random_answers import guesser
from landsraad_bench.transports import CARRIERS, OPTIONS
from landsraad_engine.kernel.execution import AUTO

#: Matches that are set up at the same time.
_SETTING_UP = 16
#: For one call, and until all streams are in play; far more than a busy machine needs.
_CALL_SECONDS, _BEGIN_SECONDS = 30.0, 120.0


class MatchTable:
    """Matches whose seats are all played here. A match that is over is replaced by another one."""

    def __init__(self, address: str, game: str, seats: int, carrier: str, *, token: str = "") -> None:
        self.tally = BenchTally()
        self.pace: Pace = ClosedPace()
        self.answer = guesser(codec_for(games.load(game)), Random(1))
        self.places: list[list[BenchSeat]] = []
        self.streams: list[BenchStream] = []
        self._carrier = CARRIERS[carrier]
        self._address = address
        self._game = game
        self._seats = seats
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._channels: list[grpc.aio.Channel] = []
        # The port that all workers share gives each connection to one of them, so several reach them all.
        stubs = [matches_service_pb2_grpc.MatchesStub(self._channel(address)) for _ in range(_SETTING_UP)]
        self._stubs = cycle(stubs)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._room = asyncio.Semaphore(_SETTING_UP)
        self._successors: dict[str, asyncio.Task[list[BenchSeat]]] = {}
        self._trouble: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def set_up(self, matches: int) -> None:
        """Make so many matches and take all their seats; they begin at once."""
        self.places = list(await asyncio.gather(*(self._new_match() for _ in range(matches))))

    async def play(self, streams: int) -> None:
        """Deal the seats out to so many streams, a connection each, and return when all are in play.

        All seats of a match go to the same stream, unless there are more streams than matches.
        """
        if streams <= len(self.places):
            hands = [[place for match in self.places[number::streams] for place in match] for number in range(streams)]
        else:
            dealt = [place for match in self.places for place in match]
            hands = [dealt[number::streams] for number in range(min(streams, len(dealt)))]
        self.streams = [BenchStream(self, self._carrier(self._meeting_place(hand)), hand) for hand in hands]
        for stream in self.streams:
            self.keep(self._run(stream))
        try:
            async with asyncio.timeout(_BEGIN_SECONDS):
                await self.unless_trouble(asyncio.ensure_future(self._begun()))
        except TimeoutError:
            missing = [stream.missing for stream in self.streams if stream.missing]
            raise RuntimeError(
                f"{sum(missing)} seats on {len(missing)} of {len(self.streams)} streams were not told within "
                f"{_BEGIN_SECONDS:.0f} s where their match stands; refused: {dict(self.tally.refused) or 'nothing'}"
            ) from None

    async def _begun(self) -> None:
        for stream in self.streams:
            await stream.begun.wait()

    async def _run(self, stream: BenchStream) -> None:
        await stream.run()
        raise RuntimeError("the service has ended a stream that is still in use")

    def _meeting_place(self, hand: list[BenchSeat]) -> str:
        """Where to connect: the worker that the service hints at, if it is the same for all that is to be played."""
        hints = {place.address for place in hand}
        return hints.pop() if len(hints) == 1 else self._address

    async def unless_trouble(self, wait: asyncio.Future[Any]) -> None:
        """Wait for something, but raise as soon as a stream or a new match has failed."""
        try:
            await asyncio.wait({wait, self._trouble}, return_when=asyncio.FIRST_COMPLETED)
            if self._trouble.done():
                self._trouble.result()
            wait.result()
        finally:
            wait.cancel()

    def ended(self, stream: BenchStream, place: BenchSeat) -> None:
        """Take the same seat of the match that comes after this one."""
        if place.match not in self._successors:
            self.tally.over += 1
            self._successors[place.match] = self.keep(self._new_match())

        def sit(made: asyncio.Task[list[BenchSeat]]) -> None:
            if not made.cancelled() and made.exception() is None:
                stream.add(made.result()[place.seat])

        self._successors[place.match].add_done_callback(sit)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(channel.close() for channel in self._channels))
        self._trouble.cancel()

    async def _new_match(self) -> list[BenchSeat]:
        match = matches_pb2.Match(game=f"games/{self._game}", seats=[matches_pb2.Seat()] * self._seats, unlisted=True)
        request = matches_service_pb2.CreateMatchRequest(match=match, request_id=secrets.token_hex(8))
        places = []
        stub = next(self._stubs)
        async with self._room:
            made = await stub.CreateMatch(request, metadata=self._metadata, timeout=_CALL_SECONDS)
            for seat in range(self._seats):
                join = matches_service_pb2.JoinMatchRequest(name=made.name, seat=seat, standing_orders=[AUTO])
                joined = await stub.JoinMatch(join, metadata=self._metadata, timeout=_CALL_SECONDS)
                places.append(BenchSeat(made.name, seat, joined.credential, joined.address_hint))
        return places

    def _channel(self, address: str) -> grpc.aio.Channel:
        channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        self._channels.append(channel)
        return channel

    def keep(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Do something beside the players; if it fails, the run does."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._look_at)
        return task

    def _look_at(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not self._trouble.done():
            self._trouble.set_exception(error)


@asynccontextmanager
async def table(address: str, game: str, seats: int, carrier: str, *, token: str = "") -> AsyncIterator[MatchTable]:
    """A table that is cleared in the end."""
    made = MatchTable(address, game, seats, carrier, token=token)
    try:
        yield made
    finally:
        await made.close()
