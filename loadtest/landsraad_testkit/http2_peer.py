"""Our HTTP/2 by itself: methods of all kinds that it can serve, and a client that says whatever a test wants said."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import grpc
from hpack import Decoder

from landsraad_server.http2 import frames
from landsraad_server.http2.frames import Frame, FrameReader
from landsraad_server.http2.headers import literal
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

SERVICE: Final = "test.Test"
#: The size of a table, set to 0 (RFC 7541, 6.3).
NO_TABLE: Final = b"\x20"


class Methods:
    """What is served, and what it has seen."""

    def __init__(self) -> None:
        #: how calls have ended for whoever answers: "done" or "cancelled", in their order
        self.ends: asyncio.Queue[str] = asyncio.Queue()
        self.contexts: list[Any] = []
        #: set by tests: calls of Hold wait for it
        self.go = asyncio.Event()

    async def echo(self, request: bytes, context: Any) -> bytes:
        self.contexts.append(context)
        return request

    async def chat(self, requests: Any, context: Any) -> Any:
        async for request in requests:
            yield request

    async def push(self, requests: object, context: Any) -> None:
        """Send back what comes in the moment in which it comes."""
        ended = asyncio.get_running_loop().create_future()
        context.stream.receive(context.stream.send, lambda: ended.set_result(None))
        await ended

    async def count(self, requests: Any, context: Any) -> bytes:
        total = [len(request) async for request in requests]
        return f"{len(total)} {sum(total)}".encode()

    async def repeat(self, request: bytes, context: Any) -> Any:
        """`size times`: so many messages of that size."""
        size, times = map(int, request.split())
        for _ in range(times):
            yield b"x" * size

    async def deaf(self, requests: object, context: Any) -> bytes:
        """Read nothing until the test says so, then all."""
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
        """Metadata back as it came, before and after the answer."""
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
        raise ValueError(f"nobody is to read {request!r}")

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
    """A client that knows frames and keeps no rules."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._frames = FrameReader(1 << 20)
        self._read: list[Frame] = []
        self._decoder = Decoder()
        #: whether pings and settings are answered
        self.polite = True

    def send(self, *parts: bytes) -> None:
        self._writer.write(b"".join(parts))

    async def drain(self) -> None:
        """Let it go out before anything else is sent."""
        await self._writer.drain()

    def greet(self, *settings: tuple[int, int]) -> None:
        self.send(frames.PREFACE, frames.settings(settings))

    async def read(self) -> Frame | None:
        """The next frame; None when the server has closed the connection."""
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
        if self.polite and not flags & frames.ACK:
            if kind == frames.PING:
                self.send(frames.ping_ack(payload))
            if kind == frames.SETTINGS:
                self.send(frames.SETTINGS_ACK)
        return frame

    async def next(self, *kinds: int) -> Frame:
        """The next frame of a kind."""
        while (frame := await self.read()) is not None:
            if frame[0] in kinds:
                return frame
        raise EOFError

    async def alive(self) -> bool:
        """Whether the server still answers."""
        self.send(frames.ping(b"are you?"))
        try:
            while (await self.next(frames.PING))[3] != b"are you?":
                pass
        except EOFError:
            return False
        return True

    async def error(self) -> int | None:
        """With which error the connection ends; None if it ends without one."""
        try:
            code = int.from_bytes((await self.next(frames.GOAWAY))[3][4:8], "big")
        except EOFError:
            return None
        while await self.read() is not None:
            pass
        return code

    async def reset(self) -> tuple[int, int]:
        """The next stream that is reset, and why."""
        _, _, number, payload = await self.next(frames.RST_STREAM)
        return number, frames.number(payload)

    async def headers(self) -> tuple[int, dict[str, str], bool]:
        """The next headers: their stream, what they say, and whether they are the last of it."""
        _, flags, number, block = await self.next(frames.HEADERS)
        return number, dict(self.fields(block)), bool(flags & frames.END_STREAM)

    def fields(self, block: bytes) -> Any:
        return self._decoder.decode(block)

    async def closed(self) -> None:
        """Wait until the server has closed the connection."""
        while await self.read() is not None:
            pass

    def cut(self) -> None:
        self._writer.transport.abort()

    def finish(self) -> None:
        self._writer.close()


def request(method: str = "Echo", ahead: bytes = b"", /, **more: str) -> bytes:
    """The header block of a call; `more` takes the place of what it would say, or leaves it out. It says first that it
    uses no table, as a block has to after our settings (RFC 9113, 4.3.1).
    """
    fields = {":method": "POST", ":scheme": "http", ":path": f"/{SERVICE}/{method}", ":authority": "test"}
    fields |= {"te": "trailers", "content-type": "application/grpc"}
    fields |= {name.replace("_", "-"): value for name, value in more.items()}
    said = [literal(name.encode(), value.encode()) for name, value in fields.items() if value]
    return b"".join([NO_TABLE, ahead, *said])


def message(body: bytes = b"hello") -> bytes:
    return frames.message_prefix(len(body)) + body


def call(number: int, method: str = "Echo", body: bytes = b"hello", /, **more: str) -> bytes:
    """A whole call with one message."""
    return frames.headers(number, request(method, **more)) + frames.data(number, message(body), last=True)
