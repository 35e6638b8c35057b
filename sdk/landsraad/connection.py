"""One Play.Connect stream for many seats, opened again whenever it breaks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import count
from typing import Final, Protocol

from landsraad.errors import PASSING, ConnectionLost, LandsraadError, error_of
from landsraad.retry import RetryTimer
from landsraad.transport import CallFailed, CallRefused, Stream, Transport
from landsraad.v1 import play_pb2

#: As many items as one frame may carry.
_ITEMS: Final = 256
#: So long may a worker take that we were only told of.
_HINT_SECONDS: Final = 1.0


class Subscriber(Protocol):
    """Who plays a seat on a connection."""

    def opening(self, number: int) -> Iterable[play_pb2.ClientItem]:
        """What to send at the start of a stream: subscribe from where one is, and what was not answered."""

    def take(self, item: play_pb2.ServerItem) -> None:
        """Something was said."""

    def settle(self) -> None:
        """All items of a frame have been taken."""

    def fail(self, error: LandsraadError) -> None:
        """There will be no stream any more."""


class Connection:
    """A stream and its subscriptions. ``patience``: seconds without a working stream before it gives up.

    ``hinted`` is the way to a worker that the first stream shall go to. When that is over, or does not come about
    (then ``dead_end`` is called), all further ones go by ``transport``: there the service is, wherever its workers are.
    """

    def __init__(
        self,
        transport: Transport,
        token: str,
        *,
        patience: float,
        ping_every: float,
        hinted: Transport | None = None,
        dead_end: Callable[[], None] = lambda: None,
    ) -> None:
        self._transport = transport
        self._hinted = hinted
        self._dead_end = dead_end
        self._token = token
        self._patience = patience
        self._ping_every = ping_every
        self._subscribers: dict[int, Subscriber] = {}
        self._numbers = count(1)
        self._outbox: list[play_pb2.ClientItem] = []
        self._wake = asyncio.Event()
        self._stream: Stream | None = None
        self._task: asyncio.Task[None] | None = None
        self._heard = 0.0

    def __len__(self) -> int:
        return len(self._subscribers)

    def add(self, subscriber: Subscriber) -> int:
        """Subscribe; the number by which items name the subscription."""
        number = next(self._numbers)
        self._subscribers[number] = subscriber
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())
        elif self._stream is not None:  # a new stream subscribes everybody by itself
            self.send(*subscriber.opening(number))
        return number

    def remove(self, number: int) -> None:
        """Leave a subscription."""
        if self.forget(number) is not None:
            self.send(play_pb2.ClientItem(subscription=number, unsubscribe=play_pb2.Unsubscribe()))

    def forget(self, number: int) -> Subscriber | None:
        """Forget a subscription that the service has ended."""
        return self._subscribers.pop(number, None)

    def send(self, *items: play_pb2.ClientItem) -> None:
        """Send items; what is lost with a stream is for the subscribers to send again."""
        self._outbox += items
        self._wake.set()

    def restart(self) -> None:
        """End the stream that there is; a new one is opened if anybody needs it."""
        if self._stream is not None:
            self._stream.cancel()

    async def close(self) -> None:
        """End everything; whoever still waits for something is told."""
        self._fail(ConnectionLost("the client was closed"))
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # ---------------------------------------------------------------------------------------------------- the stream

    async def _run(self) -> None:
        """Streams, one after the other, for as long as somebody subscribes; nobody waits for one that will not come."""
        try:
            await self._reconnect()
        except Exception as error:
            failure = LandsraadError(f"the connection has failed: {error!r}")
            failure.__cause__ = error
            self._fail(failure)
            raise

    async def _reconnect(self) -> None:
        if self._hinted is not None:
            await self._try(self._hinted)
            self._hinted = None
        patience = RetryTimer(self._patience)
        while self._subscribers:
            opened, least = asyncio.get_running_loop().time(), None
            try:
                await self._converse(self._transport)
                ended: Exception = CallFailed("the service has ended the stream")
            except CallFailed as failed:
                ended = failed
            except CallRefused as refused:
                error = error_of(refused.refusal)
                if error.reason not in PASSING:
                    self._fail(error)
                    return
                ended, least = error, error.retry_after
            if self._heard >= opened:
                patience.worked()
            try:
                await patience.wait(ended, least)
            except ConnectionLost as lost:
                self._fail(lost)
                return

    async def _try(self, hinted: Transport) -> None:
        """One stream by a way that may lead nowhere. However it ends, it costs no more than another one."""
        loop = asyncio.get_running_loop()
        opened = loop.time()
        deaf = loop.call_later(_HINT_SECONDS, lambda: None if self._heard >= opened else self.restart())
        try:
            with suppress(CallFailed, CallRefused):
                await self._converse(hinted)
        finally:
            deaf.cancel()
            if self._heard < opened:
                self._dead_end()
            await hinted.close()

    async def _converse(self, transport: Transport) -> None:
        """One stream from its beginning to its end."""
        stream = self._stream = transport.connect(token=self._token)
        self._outbox = [item for number, one in self._subscribers.items() for item in one.opening(number)]
        self._wake.set()
        helpers = [asyncio.create_task(self._write(stream)), asyncio.create_task(self._watch_over(stream))]
        for helper in helpers:
            helper.add_done_callback(lambda _: stream.cancel())
        try:
            while (frame := await stream.read()) is not None:
                self._heard = asyncio.get_running_loop().time()
                self._hand_out(frame)
        finally:
            self._stream = None
            for helper in helpers:
                helper.cancel()
            for ended in await asyncio.gather(*helpers, return_exceptions=True):
                if isinstance(ended, Exception):
                    raise ended

    def _hand_out(self, frame: play_pb2.Frame) -> None:
        touched: dict[int, Subscriber] = {}
        for item in frame.items:
            subscriber = self._subscribers.get(item.subscription)
            if subscriber is not None:
                touched[item.subscription] = subscriber
                subscriber.take(item)
            elif item.HasField("ping"):  # the time that this takes is not counted against our clocks
                self.send(play_pb2.ClientItem(pong=item.ping))
        for subscriber in touched.values():
            subscriber.settle()

    async def _write(self, stream: Stream) -> None:
        """Everything that has gathered goes out in one frame."""
        with suppress(CallFailed, CallRefused):  # whoever reads is told how the stream has ended
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._outbox:
                    items, self._outbox = self._outbox[:_ITEMS], self._outbox[_ITEMS:]
                    await stream.write(play_pb2.ClientFrame(items=items))

    async def _watch_over(self, stream: Stream) -> None:
        """Ping a silent stream, and end one that does not even answer that: half-open connections tell nobody."""
        clock = asyncio.get_running_loop().time
        for token in count(1):
            asked = clock()
            await asyncio.sleep(self._ping_every)
            if self._heard >= asked:
                continue
            self.send(play_pb2.ClientItem(ping=play_pb2.Ping(token=token)))
            await asyncio.sleep(self._ping_every)
            if self._heard < asked:
                raise CallFailed("the service does not even answer a ping")

    def _fail(self, error: LandsraadError) -> None:
        subscribers, self._subscribers = self._subscribers, {}
        for subscriber in subscribers.values():
            subscriber.fail(error)
