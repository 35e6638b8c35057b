"""Whatever frames come, in whatever order: the answer is frames, and never a fault of ours."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from hypothesis import given
from hypothesis import strategies as st

from landsraad_http2 import frames
from landsraad_http2.frames import Frame, FrameReader
from landsraad_http2.limits import Limits
from landsraad_http2.server import Server
from landsraad_testkit.http2_peer import NO_TABLE, SERVICE, Methods, message, request

PAYLOADS = st.one_of(
    st.binary(max_size=20),
    st.sampled_from([
        *(request(method) for method in ("Echo", "Chat", "Push", "Count", "Hold", "Repeat", "Missing")),
        request("Echo", content_length="10"),
        NO_TABLE,
        message(),
        message() * 3,
        message(b"20000 2"),
        message(bytes(3000)),
        message(bytes(3000))[:900],
        bytes(4),
        bytes(8),
        b"\0\0\x00\x05",
        b"\x7f\xff\xff\xff",
        b"\0\x04\0\0\0\x01",
    ]),
)  # fmt: skip
FLAGS = st.one_of(st.sampled_from([0, 1, 4, 5]), st.integers(0, 255))
FRAMES = st.lists(
    st.tuples(st.one_of(st.sampled_from([0, 1, 1, 8, 9]), st.integers(0, 11)), FLAGS, st.integers(0, 6), PAYLOADS),
    max_size=30,
)


class Transport(asyncio.Transport):
    """Keeps what is written, and takes it or lets it wait."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 1)})
        self.written = b""
        self.closed = False

    def write(self, data: Any) -> None:
        assert not self.closed
        self.written += data

    def close(self) -> None:
        self.closed = True

    abort = close

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


async def talk(said: list[Frame], pauses: list[int], faults: list[Any]) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    server = Server(limits=Limits(message_bytes=2000, streams=2, stream_window=5000))
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, Methods().handlers()),))
    transport, connection = Transport(), server.protocol()
    connection.connection_made(transport)
    connection.data_received(frames.PREFACE + frames.settings() + frames.SETTINGS_ACK)
    for at, frame in enumerate(said):
        if at in pauses:
            connection.pause_writing()
            connection.data_received(frames.frame(*frame))
            await asyncio.sleep(0)  # a turn of everything
            connection.resume_writing()
        else:
            connection.data_received(frames.frame(*frame))
    await asyncio.sleep(0)
    connection.connection_lost(None)
    await server.stop(0.0)
    assert not connection.streams
    assert not server.contexts
    assert not server.kept.bytes
    written = FrameReader(1 << 18).feed(transport.written)
    assert sum(len(payload) + 9 for *_, payload in written) == len(transport.written)


@given(FRAMES, st.lists(st.integers(0, 30), max_size=3))
def test_any_frames(said: list[Frame], pauses: list[int]) -> None:
    faults: list[Any] = []
    asyncio.run(talk(said, pauses, faults))
    assert not faults
