"""HTTP/2 test peer: gRPC methods of all kinds, and a client that can send arbitrary frames."""

from __future__ import annotations

import asyncio
from collections.abc import MutableSequence
from typing import Any, Final

import grpc
from hpack import Decoder

from landsraad_http2 import frames
from landsraad_http2.frames import Frame, FrameReader
from landsraad_http2.headers import literal
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

SERVICE: Final = "test.Test"
#: An HPACK dynamic table size update to 0 (RFC 7541, 6.3).
NO_TABLE: Final = b"\x20"


class Methods:
    """Test methods, and a record of their calls."""

    def __init__(self) -> None:
        #: how calls of Hold ended: "done" or "cancelled", in order
        self.ends: asyncio.Queue[str] = asyncio.Queue()
        self.contexts: MutableSequence[Any] = []
        #: set by tests; calls of Hold and Deaf wait for it
        self.go = asyncio.Event()

    async def echo(self, request: bytes, context: Any) -> bytes:
        self.contexts.append(context)
        return request

    async def chat(self, requests: Any, context: Any) -> Any:
        async for request in requests:
            yield request

    async def push(self, requests: object, context: Any) -> None:
        """Echo each message from the receive callback."""
        ended = asyncio.get_running_loop().create_future()
        context.stream.receive(context.stream.send, lambda: ended.set_result(None))
        await ended

    async def count(self, requests: Any, context: Any) -> bytes:
        total = [len(request) async for request in requests]
        return f"{len(total)} {sum(total)}".encode()

    async def repeat(self, request: bytes, context: Any) -> Any:
        """Answer a request of the form "size times" with that many messages of that size."""
        size, times = map(int, request.split())
        for _ in range(times):
            yield b"x" * size

    async def deaf(self, requests: object, context: Any) -> bytes:
        """Read nothing until `go` is set, then everything."""
        await self.go.wait()
        return await self.count(requests, context)

    async def hold(self, request: bytes, context: Any) -> bytes:
        self.contexts.append(context)
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.ends.put_nowait("cancelled")
            raise
        self.ends.put_nowait("done")
        return request

    async def tell(self, request: bytes, context: Any) -> bytes:
        """Return the metadata received, as initial and as trailing metadata."""
        given = tuple((key, value) for key, value in context.invocation_metadata() if key.startswith("x-"))
        await context.send_initial_metadata(given)
        context.set_trailing_metadata(given)
        return str(context.peer()).encode()

    async def refuse(self, request: bytes, context: Any) -> bytes:
        await context.abort(grpc.StatusCode.NOT_FOUND, request.decode(), (("x-why-bin", b"\0\xff"),))
        raise AssertionError("abort raises")

    async def set(self, request: bytes, context: Any) -> bytes:
        context.set_code(grpc.StatusCode.DATA_LOSS)
        context.set_details("lost")
        return request

    async def break_(self, request: bytes, context: Any) -> bytes:
        raise ValueError(f"the caller must not see {request!r}")

    async def nonsense(self, request: bytes, context: Any) -> bytes:
        context.set_trailing_metadata((("X bad", "ä"),))
        return request

    def handlers(self) -> dict[str, Any]:
        one, few = grpc.unary_unary_rpc_method_handler, grpc.unary_stream_rpc_method_handler
        many, both = grpc.stream_unary_rpc_method_handler, grpc.stream_stream_rpc_method_handler
        return {
            "Echo": one(self.echo),
            "Hold": one(self.hold),
            "Tell": one(self.tell),
            "Refuse": one(self.refuse),
            "Set": one(self.set),
            "Break": one(self.break_),
            "Nonsense": one(self.nonsense),
            "Repeat": few(self.repeat),
            "Count": many(self.count),
            "Deaf": many(self.deaf),
            "Chat": both(self.chat),
            "Push": both(self.push),
        }


class Peer:
    """A client that sends any frames, valid or not."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._frames = FrameReader(1 << 20)
        self._read: list[Frame] = []
        self._decoder = Decoder()
        #: whether to acknowledge pings and settings
        self.acknowledges = True

    def send(self, *parts: bytes) -> None:
        self._writer.write(b"".join(parts))

    async def drain(self) -> None:
        """Wait until the data sent so far has left the buffer."""
        await self._writer.drain()

    def send_preface(self, *settings: tuple[int, int]) -> None:
        self.send(frames.PREFACE, frames.settings(settings))

    async def read(self) -> Frame | None:
        """Return the next frame; None once the server has closed the connection."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not self._read:
                try:
                    data = await self._reader.read(1 << 20)
                except ConnectionError:
                    return None
                if not data:
                    return None
                self._read = self._frames.feed(data)
        kind, flags, _, payload = frame = self._read.pop(0)
        if self.acknowledges and not flags & frames.ACK:
            if kind == frames.PING:
                self.send(frames.ping_ack(payload))
            if kind == frames.SETTINGS:
                self.send(frames.SETTINGS_ACK)
        return frame

    async def next(self, *kinds: int) -> Frame:
        """Return the next frame of one of these types."""
        while (frame := await self.read()) is not None:
            if frame[0] in kinds:
                return frame
        raise EOFError

    async def alive(self) -> bool:
        """Return whether the server still answers pings."""
        self.send(frames.ping(b"are you?"))
        try:
            while (await self.next(frames.PING))[3] != b"are you?":
                pass
        except EOFError:
            return False
        return True

    async def error(self) -> int | None:
        """Return the error code with which the connection ends; None if it ends without GOAWAY."""
        try:
            code = int.from_bytes((await self.next(frames.GOAWAY))[3][4:8], "big")
        except EOFError:
            return None
        while await self.read() is not None:
            pass
        return code

    async def reset(self) -> tuple[int, int]:
        """Return the next stream that is reset and its error code."""
        _, _, number, payload = await self.next(frames.RST_STREAM)
        return number, frames.number(payload)

    async def headers(self) -> tuple[int, dict[str, str], bool]:
        """Return the next headers: stream, fields, and whether they end the stream."""
        _, flags, number, block = await self.next(frames.HEADERS)
        return number, dict(self.fields(block)), bool(flags & frames.END_STREAM)

    def fields(self, block: bytes) -> Any:
        return self._decoder.decode(block)

    async def closed(self) -> None:
        """Wait until the server closes the connection."""
        while await self.read() is not None:
            pass

    def cut(self) -> None:
        self._writer.transport.abort()

    def finish(self) -> None:
        self._writer.close()


def request(method: str = "Echo", ahead: bytes = b"", /, **more: str) -> bytes:
    """Return the header block of a call. Fields in `more` replace the defaults; empty ones are left out.

    It begins with a table size update, as a block has to after our settings (RFC 9113, 4.3.1).
    """
    fields = {":method": "POST", ":scheme": "http", ":path": f"/{SERVICE}/{method}", ":authority": "test"}
    fields |= {"te": "trailers", "content-type": "application/grpc"}
    fields |= {name.replace("_", "-"): value for name, value in more.items()}
    literals = [literal(name.encode(), value.encode()) for name, value in fields.items() if value]
    return b"".join([NO_TABLE, ahead, *literals])


def message(body: bytes = b"hello") -> bytes:
    return frames.message_prefix(len(body)) + body


def call(number: int, method: str = "Echo", body: bytes = b"hello", /, **more: str) -> bytes:
    """Return the frames of a whole call with one message."""
    return frames.headers(number, request(method, **more)) + frames.data(number, message(body), last=True)
