"""One Play.Connect stream for many seats, opened again whenever it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import count
from typing import Final, Protocol

from landsraad.backoff import BackoffTimer
from landsraad.cell_transports import MOST_HOPS, CellTransports
from landsraad.errors import ConnectionLost, LandsraadError, WrongCell, error_from_refusal, is_retryable
from landsraad.transport import CallFailed, CallRefused, Stream, Transport
from landsraad.v1 import play_pb2
from landsraad.wire.frames import client_item
from landsraad.wire.match_names import cell_of

#: The most items in one frame.
_ITEMS: Final = 256
#: Seconds in which a stream is sent to other cells a few times only: more would send it round in circles.
_HOPS_SECONDS: Final = 30.0
#: Seconds within which the hinted worker has to answer.
_HINT_SECONDS: Final = 1.0


class Subscriber(Protocol):
    """A seat that is played on a connection."""

    def opening_items(self, number: int) -> Iterable[bytes]:
        """Return the items that open a stream: the subscription from the seat's cursor, and inputs without an answer
        yet.
        """

    def receive(self, item: play_pb2.ServerItem) -> None:
        """Apply one item."""

    def end_frame(self) -> None:
        """React to a whole frame, once all its items have been received."""

    def fail(self, error: LandsraadError) -> None:
        """End: there will be no other stream."""


class PlayStream:
    """A stream and its subscriptions, with reconnection.

    Args:
        cells: The ways to the service.
        match: The match of the first seat. All seats of a stream are of matches of its cell.
        token: The token of the account.
        retry_timeout: Seconds without a working stream after which the subscribers fail.
        ping_interval: Seconds of silence after which the stream is checked with a ping.
        hinted: The way to a certain worker, for the first stream only. All others go to the service, wherever its
            workers are.
        dead_end: Called if the hinted worker does not answer.
    """

    def __init__(
        self,
        cells: CellTransports,
        match: str,
        token: str,
        *,
        retry_timeout: float,
        ping_interval: float,
        hinted: Transport | None = None,
        dead_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._cells = cells
        self._match = match
        self._transport = cells.of(match)
        self._hops: list[float] = []  # when it went to another cell
        self._hinted = hinted
        self._dead_end = dead_end
        self._token = token
        self._retry_timeout = retry_timeout
        self._ping_interval = ping_interval
        self._subscribers: dict[int, Subscriber] = {}
        self._numbers = count(1)
        #: client's frames of one item each, which may be joined
        self._outbox: list[bytes] = []
        self._wake = asyncio.Event()
        self._stream: Stream | None = None
        self._task: asyncio.Task[None] | None = None
        self._last_received = 0.0

    def __len__(self) -> int:
        return len(self._subscribers)

    def add(self, subscriber: Subscriber) -> int:
        """Subscribe a seat.

        Returns:
            The number of the subscription, by which items name it.
        """
        number = next(self._numbers)
        self._subscribers[number] = subscriber
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())
        elif self._stream is not None:  # a new stream subscribes all seats by itself
            self.send(*subscriber.opening_items(number))
        return number

    def remove(self, number: int) -> None:
        """End a subscription."""
        if self.forget(number) is not None:
            self.send(client_item(play_pb2.ClientItem(subscription=number, unsubscribe=play_pb2.Unsubscribe())))

    def forget(self, number: int) -> Subscriber | None:
        """Forget a subscription that the service has ended."""
        return self._subscribers.pop(number, None)

    def send(self, *items: bytes) -> None:
        """Send items. Subscribers repeat what is lost with a stream."""
        self._outbox += items
        self._wake.set()

    def restart(self) -> None:
        """End the current stream. A new one is opened if any seat is subscribed."""
        if self._stream is not None:
            self._stream.cancel()

    def has_room(self, match: str, most: int) -> bool:
        """Return whether a seat of a match can be played here, if a stream has so many at most."""
        return len(self) < most and cell_of(match) == cell_of(self._match)

    def follow(self, refused: LandsraadError) -> bool:
        """Go on at the cell that a refusal names; False if it names none, or if that is impossible."""
        transport = self._cells.follow(self._match, refused) if isinstance(refused, WrongCell) else None
        if transport is None:
            return False
        if transport is not self._transport:  # the other seats of the stream are refused as well
            now = asyncio.get_running_loop().time()
            self._hops = [hop for hop in self._hops if hop > now - _HOPS_SECONDS] + [now]
            if len(self._hops) > MOST_HOPS:
                return False
            self._transport = transport
            self.restart()
        return True

    async def close(self) -> None:
        """End the connection; all subscribers fail."""
        self._fail(ConnectionLost("the client was closed"))
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # ---------------------------------------------------------------------------------------------------- the stream

    async def _run(self) -> None:
        """Keep a stream open for as long as there are subscribers. On an unexpected error, fail them all: they must not
        hang.
        """
        try:
            await self._reconnect()
        except Exception as error:
            failure = LandsraadError(f"the connection has failed: {error!r}")
            failure.__cause__ = error
            self._fail(failure)
            raise

    async def _reconnect(self) -> None:
        if self._hinted is not None:
            await self._try_hinted(self._hinted)
            self._hinted = None
        retries = BackoffTimer(self._retry_timeout)
        while self._subscribers:
            opened, least, transport = asyncio.get_running_loop().time(), None, self._transport
            try:
                await self._run_stream(transport)
                ended: Exception = CallFailed("the service has ended the stream")
            except CallFailed as failed:
                ended = failed
                if transport is self._transport and self._last_received < opened:
                    self._cells.forget(self._match, transport)
                    self._transport = self._cells.of(self._match)
            except CallRefused as refused:
                error = error_from_refusal(refused.refusal)
                if not is_retryable(error):
                    self._fail(error)
                    return
                ended, least = error, error.retry_after
            if self._last_received >= opened:
                retries.succeeded()
            try:
                await retries.wait(ended, least)
            except ConnectionLost as lost:
                self._fail(lost)
                return

    async def _try_hinted(self, hinted: Transport) -> None:
        """Run one stream to the hinted worker. It may lead nowhere, so give up quickly."""
        loop = asyncio.get_running_loop()
        opened = loop.time()
        deadline = loop.call_later(_HINT_SECONDS, lambda: None if self._last_received >= opened else self.restart())
        try:
            with suppress(CallFailed, CallRefused):
                await self._run_stream(hinted)
        finally:
            deadline.cancel()
            if self._last_received < opened:
                self._dead_end()
            await hinted.close()

    async def _run_stream(self, transport: Transport) -> None:
        """Run one stream from its beginning to its end."""
        stream = self._stream = transport.connect(token=self._token)
        self._outbox = [item for number, one in self._subscribers.items() for item in one.opening_items(number)]
        self._wake.set()
        helpers = [asyncio.create_task(self._write(stream)), asyncio.create_task(self._keep_alive(stream))]
        for helper in helpers:
            helper.add_done_callback(lambda _: stream.cancel())
        try:
            while (frame := await stream.read()) is not None:
                self._last_received = asyncio.get_running_loop().time()
                self._dispatch(frame)
        finally:
            self._stream = None
            for helper in helpers:
                helper.cancel()
            for ended in await asyncio.gather(*helpers, return_exceptions=True):
                if isinstance(ended, Exception):
                    raise ended

    def _dispatch(self, frame: play_pb2.Frame) -> None:
        touched: dict[int, Subscriber] = {}
        for item in frame.items:
            subscriber = self._subscribers.get(item.subscription)
            if subscriber is not None:
                touched[item.subscription] = subscriber
                subscriber.receive(item)
            elif item.HasField("ping"):  # the service subtracts the round trip from our clocks
                self.send(client_item(play_pb2.ClientItem(pong=item.ping)))
        for subscriber in touched.values():
            subscriber.end_frame()

    async def _write(self, stream: Stream) -> None:
        """Send queued items, as many as possible in one frame."""
        with suppress(CallFailed, CallRefused):  # the reading side reports how the stream has ended
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._outbox:
                    items, self._outbox = self._outbox[:_ITEMS], self._outbox[_ITEMS:]
                    await stream.write(b"".join(items))

    async def _keep_alive(self, stream: Stream) -> None:
        """Ping a silent stream, and end it if there is no answer: a half-open connection reports no error."""
        clock = asyncio.get_running_loop().time
        for token in count(1):
            asked = clock()
            await asyncio.sleep(self._ping_interval)
            if self._last_received >= asked:
                continue
            self.send(client_item(play_pb2.ClientItem(ping=play_pb2.Ping(token=token))))
            await asyncio.sleep(self._ping_interval)
            if self._last_received < asked:
                raise CallFailed("the service does not answer a ping")

    def _fail(self, error: LandsraadError) -> None:
        subscribers, self._subscribers = self._subscribers, {}
        for subscriber in subscribers.values():
            subscriber.fail(error)
