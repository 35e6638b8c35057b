"""The way to a service in the process, and the streams on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING, Any

from google.protobuf.message import Message

from landsraad.testing.local_match import LocalMatch, LocalSubscription
from landsraad.transport import Answer, CallFailed, CallRefused
from landsraad.v1 import common_pb2, play_pb2, watch_service_pb2
from landsraad.wire.frames import item
from landsraad.wire.refusals import Denied
from landsraad.wire.seat_semantics import check_subscription, not_open

if TYPE_CHECKING:
    from landsraad.testing.service import LocalService


class LocalTransport:
    """Calls the service's methods. Messages are copied on the way, as if they had been sent."""

    def __init__(self, service: LocalService) -> None:
        self._service = service
        self.issued_token = self.account = ""
        self.streams: list[LocalStream] = []

    async def call(self, method: str, request: Message, answer: type[Answer], *, token: str, deadline: float) -> Answer:
        if self._service.faults.take("unreachable"):
            raise CallFailed("UNAVAILABLE: made so by the test")
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
        stream.follow(self._service.hosted(request.match), LocalSubscription(0, None, stream.put), start)
        try:
            while (frame := await stream.read()) is not None:
                yield frame
        finally:
            stream.cancel()

    async def close(self) -> None:
        for stream in self.streams:
            stream.cancel()


class LocalStream:
    """One stream: what the client writes is done at once, what it is told waits until it reads."""

    def __init__(self, service: LocalService, token: str) -> None:
        self._service = service
        self._token = token
        self._told: asyncio.Queue[bytes | CallFailed | None] = asyncio.Queue()
        self._followed: dict[int, tuple[LocalMatch, LocalSubscription]] = {}
        self._left = next(service.faults.cut_after, None)
        self.ended = asyncio.Event()
        if service.faults.take("unreachable"):
            self._break("UNAVAILABLE: made so by the test")

    # ------------------------------------------------------------------------------------------------------ the client

    async def write(self, frame: play_pb2.ClientFrame) -> None:
        if self.ended.is_set():
            raise CallFailed("the stream has ended")
        for given in play_pb2.ClientFrame.FromString(frame.SerializeToString()).items:
            if not self.ended.is_set():
                self._take(given)

    async def read(self) -> play_pb2.Frame | None:
        if self.ended.is_set() and self._told.empty():
            return None
        told = await self._told.get()
        if isinstance(told, CallFailed):
            raise told
        if told is None:
            return None
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                self._break("made so by the test")
                raise CallFailed("UNAVAILABLE: the stream was cut")
        # What has gathered comes in one frame, as it does from the service.
        parts = [told]
        while self._left is None and not self._told.empty() and isinstance(self._told._queue[0], bytes):  # type: ignore[attr-defined]
            parts.append(self._told.get_nowait())  # type: ignore[arg-type]
        return play_pb2.Frame.FromString(b"".join(parts))

    def cancel(self) -> None:
        self._break("CANCELLED")

    # ----------------------------------------------------------------------------------------------------- the service

    def put(self, told: bytes) -> None:
        """Tell the client something: a frame, written."""
        if not self.ended.is_set() and not self._service.faults.silent:
            self._told.put_nowait(told)

    def follow(self, hosted: LocalMatch, follower: LocalSubscription, start: common_pb2.Cursor | None) -> None:
        self._followed[follower.number] = (hosted, follower)
        hosted.follow(follower, start)

    def _break(self, why: str) -> None:
        if self.ended.is_set():
            return
        self.ended.set()
        for hosted, follower in self._followed.values():
            if follower in hosted.followers:
                hosted.followers.remove(follower)
        self._told.put_nowait(CallFailed(why))

    def _take(self, given: play_pb2.ClientItem) -> None:
        try:
            match given.WhichOneof("item"):
                case "subscribe":
                    self._subscribe(given.subscription, given.subscribe)
                case "submit":
                    self._submit(given.subscription, given.submit)
                case "standing_orders":
                    self._submit(given.subscription, given.standing_orders)
                case "unsubscribe":
                    hosted, follower = self._open(given.subscription)
                    del self._followed[given.subscription]
                    hosted.unfollow(follower, play_pb2.CLOSED_REASON_UNSUBSCRIBED)
                case "ping":
                    self.put(item(0, "pong", play_pb2.Pong(token=given.ping.token).SerializeToString()))
        except CallRefused as refused:
            self.put(item(given.subscription, "refusal", refused.refusal.SerializeToString()))
        except Denied as denied:
            seq = given.submit.seq or given.standing_orders.seq
            self.put(item(given.subscription, "refusal", denied.refusal(seq).SerializeToString()))

    def _is_open(self, number: int) -> bool:
        hosted, follower = self._followed.get(number, (None, None))
        return hosted is not None and follower in hosted.followers

    def _open(self, number: int) -> tuple[LocalMatch, LocalSubscription]:
        """Return an open subscription; Denied if there is none of this number."""
        if not self._is_open(number):
            raise not_open(number)
        return self._followed[number]

    def _subscribe(self, number: int, wanted: play_pb2.Subscribe) -> None:
        check_subscription(number, taken=self._is_open(number))
        hosted = self._service.seat(wanted.match, wanted.seat, wanted.credential or self._token)
        start: common_pb2.Cursor | None = getattr(wanted, "from") if wanted.HasField("from") else None
        self.follow(hosted, LocalSubscription(number, wanted.seat, self.put, wanted.plays), start)

    def _submit(self, number: int, given: Any) -> None:
        hosted, follower = self._open(number)
        assert follower.seat is not None
        ack = hosted.submit(follower.seat, given)
        if self._service.faults.take("lost_answers"):
            self._break("UNAVAILABLE: the answer was lost")
        else:
            self.put(item(number, "ack", ack.message().SerializeToString()))
        hosted.tell()
