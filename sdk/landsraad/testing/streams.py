"""The transport to a service in the process, and its streams."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message

from landsraad.testing.local_match import LocalMatch, LocalSubscription
from landsraad.transport import Answer, CallFailed, CallRefused
from landsraad.v1 import common_pb2, play_pb2, talk_service_pb2, watch_service_pb2
from landsraad.wire.frames import item
from landsraad.wire.refusals import Denied
from landsraad.wire.seat_semantics import check_subscription, not_open

if TYPE_CHECKING:
    from landsraad.testing.service import LocalService


class LocalTransport:
    """A transport that calls the methods of the service. Messages are copied, as if they had been sent."""

    def __init__(self, service: LocalService) -> None:
        self._service = service
        self.streams: list[LocalStream] = []

    async def call(self, method: str, request: Message, answer: type[Answer], *, token: str, deadline: float) -> Answer:
        if self._service.faults.take("unreachable"):
            raise CallFailed("UNAVAILABLE: a fault of the test")
        sent = type(request).FromString(request.SerializeToString())
        found: Answer = answer.FromString(self._service.answer(method, sent, token).SerializeToString())
        return found

    def connect(self, *, token: str) -> LocalStream:
        stream = LocalStream(self._service, token)
        self.streams.append(stream)
        return stream

    async def watch(
        self, request: watch_service_pb2.WatchMatchRequest, *, token: str
    ) -> AsyncGenerator[play_pb2.Frame, None]:
        stream = self.connect(token=token)
        start: common_pb2.Cursor | None = getattr(request, "from") if request.HasField("from") else None
        stream.subscribe(self._service.hosted(request.match), LocalSubscription(0, None, stream.put), start)
        try:
            while (frame := await stream.read()) is not None:
                yield frame
        finally:
            stream.cancel()

    def read_talk(
        self, request: talk_service_pb2.ReadRequest, *, token: str
    ) -> AsyncGenerator[talk_service_pb2.ReadResponse, None]:
        seated = request.HasField("seat")
        service = self._service
        hosted = service.seat(request.match, request.seat, token) if seated else service.hosted(request.match)
        return hosted.talk.read(request)

    async def close(self) -> None:
        for stream in self.streams:
            stream.cancel()


class LocalStream:
    """One stream. Items of the client take effect at once; items for the client wait until it reads."""

    def __init__(self, service: LocalService, token: str) -> None:
        self._service = service
        self._token = token
        self._outbox: asyncio.Queue[bytes | CallFailed | None] = asyncio.Queue()
        self._subscriptions: dict[int, tuple[LocalMatch, LocalSubscription]] = {}
        self._frames_left = next(service.faults.cut_after, None)
        self.ended = asyncio.Event()
        if service.faults.take("unreachable"):
            self._break("UNAVAILABLE: a fault of the test")

    # ------------------------------------------------------------------------------------------------------ the client

    async def write(self, frame: bytes) -> None:
        if self.ended.is_set():
            raise CallFailed("the stream has ended")
        for received in play_pb2.ClientFrame.FromString(frame).items:
            if not self.ended.is_set():
                self._receive(received)

    async def read(self) -> play_pb2.Frame | None:
        if self.ended.is_set() and self._outbox.empty():
            return None
        frame_bytes = await self._outbox.get()
        if isinstance(frame_bytes, CallFailed):
            raise frame_bytes
        if frame_bytes is None:
            return None
        if self._frames_left is not None:
            self._frames_left -= 1
            if self._frames_left < 0:
                self._break("a fault of the test")
                raise CallFailed("UNAVAILABLE: the stream was cut")
        # Join waiting frames, as the service does.
        parts = [frame_bytes]
        while self._frames_left is None and not self._outbox.empty() and isinstance(self._outbox._queue[0], bytes):  # type: ignore[attr-defined]
            parts.append(self._outbox.get_nowait())  # type: ignore[arg-type]
        return play_pb2.Frame.FromString(b"".join(parts))

    def cancel(self) -> None:
        self._break("CANCELLED")

    # ----------------------------------------------------------------------------------------------------- the service

    def put(self, frame_bytes: bytes) -> None:
        """Queue a frame for the client."""
        if not self.ended.is_set() and not self._service.faults.silent:
            self._outbox.put_nowait(frame_bytes)

    def subscribe(self, hosted: LocalMatch, subscription: LocalSubscription, start: common_pb2.Cursor | None) -> None:
        self._subscriptions[subscription.number] = (hosted, subscription)
        hosted.subscribe(subscription, start)

    def _break(self, why: str) -> None:
        if self.ended.is_set():
            return
        self.ended.set()
        for hosted, subscription in self._subscriptions.values():
            if subscription in hosted.subscriptions:
                hosted.subscriptions.remove(subscription)
        self._outbox.put_nowait(CallFailed(why))

    def _receive(self, received: play_pb2.ClientItem) -> None:
        try:
            match received.WhichOneof("item"):
                case "subscribe":
                    self._subscribe(received.subscription, received.subscribe)
                case "submit":
                    self._submit(received.subscription, received.submit)
                case "standing_orders":
                    self._submit(received.subscription, received.standing_orders)
                case "unsubscribe":
                    hosted, subscription = self._open(received.subscription)
                    del self._subscriptions[received.subscription]
                    hosted.unsubscribe(subscription, play_pb2.CLOSED_REASON_UNSUBSCRIBED)
                case "ping":
                    self.put(item(0, "pong", play_pb2.Pong(token=received.ping.token).SerializeToString()))
        except CallRefused as refused:
            self.put(item(received.subscription, "refusal", refused.refusal.SerializeToString()))
        except Denied as denied:
            seq = received.submit.seq or received.standing_orders.seq
            self.put(item(received.subscription, "refusal", denied.refusal(seq).SerializeToString()))

    def _is_open(self, number: int) -> bool:
        hosted, subscription = self._subscriptions.get(number, (None, None))
        return hosted is not None and subscription in hosted.subscriptions

    def _open(self, number: int) -> tuple[LocalMatch, LocalSubscription]:
        """Return an open subscription.

        Raises:
            Denied: There is none with this number.
        """
        if not self._is_open(number):
            raise not_open(number)
        return self._subscriptions[number]

    def _subscribe(self, number: int, wanted: play_pb2.Subscribe) -> None:
        check_subscription(number, taken=self._is_open(number))
        hosted = self._service.seat(wanted.match, wanted.seat, wanted.credential or self._token)
        start: common_pb2.Cursor | None = getattr(wanted, "from") if wanted.HasField("from") else None
        self.subscribe(hosted, LocalSubscription(number, wanted.seat, self.put, wanted.plays), start)

    def _submit(self, number: int, received: Any) -> None:
        hosted, subscription = self._open(number)
        assert subscription.seat is not None
        ack = hosted.submit(subscription.seat, received)
        if self._service.faults.take("lost_answers"):
            self._break("UNAVAILABLE: the answer was lost")
        else:
            self.put(item(number, "ack", ack.message().SerializeToString()))
        hosted.publish()
