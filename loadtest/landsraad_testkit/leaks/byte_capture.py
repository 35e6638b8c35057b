"""Streams and calls as raw bytes: nothing is decoded, so nothing that is sent can be overlooked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, Final

import grpc.aio
from google.protobuf.message import Message

from landsraad.v1 import play_pb2

#: Whatever is waited for comes sooner.
PATIENCE_SECONDS: Final = 30.0
#: How a frame begins each of its items: field 1, with a length.
_ITEM: Final = 0x0A


def split(frame: bytes) -> Iterator[bytes]:
    """The items of a frame, as they stand there."""
    at = 0
    while at < len(frame):
        start = at
        if frame[at] != _ITEM:
            raise ValueError(f"a frame has something that is no item: {frame[at:][:20]!r}")
        size = shift = 0
        while True:
            at += 1
            size |= (frame[at] & 0x7F) << shift
            shift += 7
            if frame[at] < 0x80:
                break
        at += 1 + size
        yield frame[start:at]


def entries_in(items: list[bytes]) -> list[bytes]:
    """The entries of a log that stand in items, and snapshots, whatever stands between and however they are bundled."""
    told: list[bytes] = []
    for item in items:
        read = play_pb2.Frame.FromString(item).items[0]
        told += [entry.SerializeToString() for entry in read.entries.entries]
        if read.HasField("snapshot"):
            told.append(item)
    return told


class StreamCapture:
    """A stream that is only listened to."""

    def __init__(self, call: Any, address: str) -> None:
        #: every item that has come, in its order; but the service's address, which is another one in each world
        self.items: list[bytes] = []
        self._call = call
        self._address = address.encode()
        self._read = 0

    async def until(self, fits: Callable[[play_pb2.ServerItem], bool]) -> play_pb2.ServerItem:
        """Listen up to an item that fits; later calls go on behind it."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                while self._read < len(self.items):
                    self._read += 1
                    item = play_pb2.Frame.FromString(self.items[self._read - 1]).items[0]
                    if fits(item):
                        return item
                frame = await self._call.read()
                if frame is grpc.aio.EOF:
                    raise EOFError("the stream has ended")
                self.items += [item.replace(self._address, b"-" * len(self._address)) for item in split(frame)]

    async def hear_entries(self, last: int) -> None:
        """Listen until the log up to this entry has come."""
        told = 0

        def fits(item: play_pb2.ServerItem) -> bool:
            nonlocal told
            match item.WhichOneof("item"):
                case "entries":
                    told = item.entries.first + len(item.entries.entries) - 1
                case "snapshot":
                    told = item.snapshot.observation.number
            return told >= last

        self._read = 0
        await self.until(fits)

    def cut(self) -> None:
        """End it without a word."""
        self._call.cancel()


class StreamSender(StreamCapture):
    """A stream on which seats are played."""

    def __init__(self, channel: grpc.aio.Channel, address: str) -> None:
        connect: Any = channel.stream_stream(
            "/landsraad.v1.Play/Connect", request_serializer=play_pb2.ClientFrame.SerializeToString
        )
        super().__init__(connect(), address)
        self._pings = 0

    async def send(self, *items: play_pb2.ClientItem) -> None:
        """Send items in one frame."""
        await self._call.write(play_pb2.ClientFrame(items=items))

    async def heed(self) -> None:
        """Listen until everything that was sent before is taken, and all that followed from it has come."""
        self._pings += 1
        token = self._pings
        await self.send(play_pb2.ClientItem(ping=play_pb2.Ping(token=token)))
        await self.until(lambda item: item.pong.token == token)


def watch(channel: grpc.aio.Channel, address: str, request: Message) -> StreamCapture:
    """The stream of a spectator."""
    call: Any = channel.unary_stream("/landsraad.v1.Watch/WatchMatch", request_serializer=_bytes_of)
    return StreamCapture(call(request), address)


async def answer_to(channel: grpc.aio.Channel, method: str, request: Message, credential: str = "") -> Any:
    """What comes back from a call: the bytes of its answer, with what comes behind them if something does, or its
    status with all that is in it.
    """
    metadata = (("authorization", f"Bearer {credential}"),) if credential else ()
    method_of: Any = channel.unary_unary(f"/landsraad.v1.{method}", request_serializer=_bytes_of)
    call = method_of(request, metadata=metadata, timeout=PATIENCE_SECONDS)
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return (error.code().name, error.details(), sorted(map(tuple, error.trailing_metadata() or ())))
    behind = sorted(map(tuple, await call.trailing_metadata() or ()))
    return (answer, behind) if behind else answer


def _bytes_of(message: Message) -> bytes:
    return message.SerializeToString()
