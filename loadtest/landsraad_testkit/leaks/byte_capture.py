"""Byte capture: streams and calls as raw bytes, undecoded, so that nothing sent can be overlooked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

import grpc.aio
from google.protobuf.message import Message

from landsraad.v1 import play_pb2

#: Timeout of everything that is waited for.
PATIENCE_SECONDS: Final = 30.0
#: Tag of an item in a frame: field 1, length-delimited.
_ITEM: Final = 0x0A


def split(frame: bytes) -> Iterator[bytes]:
    """Yield the items of a frame with their tags."""
    at = 0
    while at < len(frame):
        start = at
        if frame[at] != _ITEM:
            raise ValueError(f"a frame has an unknown field: {frame[at:][:20]!r}")
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
    """Return the log entries and snapshots in items, however they are bundled."""
    found: list[bytes] = []
    for item in items:
        read = play_pb2.Frame.FromString(item).items[0]
        found += [entry.SerializeToString() for entry in read.entries.entries]
        if read.HasField("snapshot"):
            found.append(item)
    return found


class Capture(Protocol):
    """A stream of which the received bytes are kept."""

    #: everything received, in order
    items: list[bytes]

    async def hear_entries(self, last: int) -> None:
        """Receive until the log has reached this entry."""

    def cut(self) -> None:
        """Cancel the stream."""


class StreamCapture:
    """A stream of which only the received bytes are kept."""

    def __init__(self, call: Any, address: str) -> None:
        #: every item received, in order, with the service's address and the marks of histories masked, as they differ
        #: between the worlds
        self.items: list[bytes] = []
        self._marks: set[bytes] = set()
        self._call = call
        self._address = address.encode()
        self._read = 0

    async def until(self, fits: Callable[[play_pb2.ServerItem], bool]) -> play_pb2.ServerItem:
        """Receive up to an item that fits; later calls continue after it."""
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
                self.items += map(self._masked, split(frame))

    def _masked(self, item: bytes) -> bytes:
        """Mask what differs between the worlds. What is left of a mark is whether it was told before."""
        read = play_pb2.Frame.FromString(item).items[0]
        for mark in (read.entries.mark, read.snapshot.mark, read.closed.resume.mark):
            if mark:
                item = item.replace(mark, bytes([mark in self._marks]) * len(mark))
                self._marks.add(mark)
        return item.replace(self._address, b"-" * len(self._address))

    async def hear_entries(self, last: int) -> None:
        """Receive until the log has reached this entry."""
        reached = 0

        def fits(item: play_pb2.ServerItem) -> bool:
            nonlocal reached
            match item.WhichOneof("item"):
                case "entries":
                    reached = item.entries.first + len(item.entries.entries) - 1
                case "snapshot":
                    reached = item.snapshot.observation.number
            return reached >= last

        self._read = 0
        await self.until(fits)

    def cut(self) -> None:
        """Cancel the stream."""
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

    async def sync(self) -> None:
        """Receive until everything sent before has been processed, with all that followed from it."""
        self._pings += 1
        token = self._pings
        await self.send(play_pb2.ClientItem(ping=play_pb2.Ping(token=token)))
        await self.until(lambda item: item.pong.token == token)


def watch(channel: grpc.aio.Channel, address: str, request: Message) -> StreamCapture:
    """Open a spectator's stream."""
    call: Any = channel.unary_stream("/landsraad.v1.Watch/WatchMatch", request_serializer=_bytes_of)
    return StreamCapture(call(request), address)


async def answer_to(channel: grpc.aio.Channel, method: str, request: Message, credential: str = "") -> Any:
    """Make a call and return the bytes of its answer with any trailing metadata, or its whole error status."""
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
