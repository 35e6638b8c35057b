"""Messages of gRPC: in any pieces, compressed, too large, and broken."""

from __future__ import annotations

import base64
import gzip
import zlib
from struct import pack
from typing import TYPE_CHECKING

import pytest
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from hypothesis import given
from hypothesis import strategies as st

from landsraad.v1.errors_pb2 import Refusal
from landsraad.wire.refusals import reason_of, refusal_of
from landsraad_http2 import frames
from landsraad_http2.messages import Assembler, BadMessage
from landsraad_server.request_limits import MOST_BYTES
from landsraad_testkit.http2_peer import Methods, call, message, request

if TYPE_CHECKING:
    from tests.server.http2.conftest import Connect


def packed(body: bytes) -> bytes:
    """A message that says that it is compressed."""
    return pack(">BI", 1, len(body)) + body


@given(st.lists(st.binary(max_size=40), max_size=8), st.lists(st.integers(0, 400)))
def test_any_split_gives_the_same_messages(sent: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(map(message, sent))
    assembler = Assembler("identity", 40)
    read: list[bytes] = []
    begin = 0
    for cut in [*sorted(cut for cut in cuts if cut <= len(stream)), len(stream)]:
        read += assembler.feed(stream[begin:cut])
        begin = cut
    assert read == sent
    assert not assembler


@pytest.mark.parametrize(("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_compressed(encoding: str, pack: object) -> None:
    assert callable(pack)
    assembler = Assembler(encoding, 1000)
    body, plain = assembler.feed(packed(pack(bytes(1000))) + message(b"plain"))
    assert assembler.unpacked(body) == bytes(1000)
    assert assembler.unpacked(plain) == b"plain"


def refused(encoding: str, sent: bytes) -> StatusCode:
    assembler = Assembler(encoding, 1000)
    with pytest.raises(BadMessage) as bad:
        list(map(assembler.unpacked, assembler.feed(sent)))
    return bad.value.code


def test_what_is_refused() -> None:
    assert refused("gzip", packed(gzip.compress(bytes(1001)))) is StatusCode.RESOURCE_EXHAUSTED
    assert refused("identity", frames.message_prefix(1001)) is StatusCode.RESOURCE_EXHAUSTED
    assert refused("identity", packed(b"x")) is StatusCode.INTERNAL
    assert refused("gzip", packed(b"no gzip")) is StatusCode.INTERNAL
    assert refused("gzip", packed(gzip.compress(b"x" * 90)[:-9])) is StatusCode.INTERNAL
    assert refused("gzip", packed(gzip.compress(b"x") + b"and more")) is StatusCode.INTERNAL
    assert refused("identity", b"\x02\0\0\0\0") is StatusCode.INTERNAL


#: What a client sends in a call, and the status of its answer.
BAD = {
    "too large": ("Echo", message(bytes(1001)), {}, 8),
    "too large in pieces": ("Count", message(bytes(20_000))[:9000], {}, 8),
    "half a message": ("Echo", message()[:-1], {}, 13),
    "half a prefix": ("Count", message() + b"\0\0", {}, 13),
    "no message": ("Echo", b"", {}, 12),
    "two messages": ("Echo", message() * 2, {}, 12),
    "a flag of no kind": ("Echo", b"\x07" + message()[1:], {}, 13),
    "compressed without saying how": ("Chat", packed(b"x"), {}, 13),
    "compressed as nobody knows": ("Echo", message(), {"grpc_encoding": "snappy"}, 12),
    "a bomb": ("Echo", packed(gzip.compress(bytes(100_000))), {"grpc_encoding": "gzip"}, 8),
    "a bomb in a stream": ("Chat", packed(gzip.compress(bytes(100_000))), {"grpc_encoding": "gzip"}, 8),
    "a timeout that cannot be read": ("Echo", message(), {"grpc_timeout": "soon"}, 13),
    "no such method": ("Missing", message(), {}, 12),
}


@pytest.mark.asyncio
@pytest.mark.parametrize("case", BAD)
async def test_bad_calls(case: str, connect: Connect) -> None:
    """Each is the end of its call, and of nothing else."""
    method, body, more, status = BAD[case]
    peer = await connect(message_bytes=1000)
    peer.send(frames.headers(1, request(method, **more)), frames.data(1, body, last=True))
    _, fields, last = await peer.headers()
    if not last:
        _, fields, last = await peer.headers()
    assert (fields["grpc-status"], last) == (str(status), True)
    if status == 12 and "grpc_encoding" in more:
        assert fields["grpc-accept-encoding"] == "identity, deflate, gzip"
    assert await peer.alive()


#: What a client sends when it is refused for what else is there, and the bounds that it comes to.
TOO_MUCH = {
    "messages that never end": (
        frames.headers(1, request("Count")) + frames.data(1, message(bytes(900))[:-1]),
        {"unfinished_bytes": 500},
    ),
    "messages that nobody reads": (
        frames.headers(1, request("Deaf")) + frames.data(1, message(b"") * 200),
        {"kept_bytes": 10_000},
    ),
    "messages that become too much": (
        frames.headers(1, request("Count", grpc_encoding="gzip"))
        + frames.data(1, packed(gzip.compress(bytes(900))) * 2),
        {"unpacked_bytes": 500},
    ),
    "an answer that nobody takes": (call(1, "Echo", bytes(900)), {"most_queued_bytes": 500}),
}


@pytest.mark.asyncio
@pytest.mark.parametrize("case", TOO_MUCH)
async def test_too_much_now_may_come_later(case: str, connect: Connect) -> None:
    """No message of it is too large: whoever hears that would never send it again."""
    sent, limits = TOO_MUCH[case]
    peer = await connect((frames.INITIAL_WINDOW_SIZE, 0), message_bytes=1000, **limits)
    peer.send(sent)
    while not (said := await peer.headers())[2]:
        pass
    refusal = refused_with(said[1])
    assert (reason_of(refusal), refusal.retry_ms > 0) == ("OVERLOADED", True)


@pytest.mark.asyncio
@pytest.mark.parametrize("case", ["too large", "too large in pieces", "a bomb", "a bomb in a stream"])
async def test_too_large_says_what_is_not(case: str, connect: Connect) -> None:
    """The transport reads more than the service takes: only the one limit is told that clients can read elsewhere."""
    method, body, more, _ = BAD[case]
    peer = await connect(message_bytes=1000)
    peer.send(frames.headers(1, request(method, **more)), frames.data(1, body, last=True))
    while not (said := await peer.headers())[2]:
        pass
    refusal = refused_with(said[1])
    assert reason_of(refusal) == "TOO_LARGE"
    assert f" {MOST_BYTES} bytes at most" in refusal.message
    assert said[1]["grpc-message"] == refusal.message


def refused_with(fields: dict[str, str]) -> Refusal:
    """The refusal in the last headers of a call."""
    packed = fields["grpc-status-details-bin"]
    refusal = refusal_of(Status.FromString(base64.b64decode(packed + "=" * (-len(packed) % 4))))
    assert refusal is not None
    return refusal


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("method", "answer", "status"),
    [("Echo", None, "12"), ("Count", b"0 0", "0"), ("Chat", None, "0"), ("Missing", None, "12")],
)
async def test_a_call_that_ends_with_its_headers(
    method: str, answer: bytes | None, status: str, connect: Connect
) -> None:
    """It has no messages: for methods that take a stream it is an empty one, for others it is one too few."""
    peer = await connect()
    peer.send(frames.headers(1, request(method), last=True))
    told = None
    while not (frame := await peer.next(frames.DATA, frames.HEADERS))[1] & frames.END_STREAM:
        told = frame[3] if frame[0] == frames.DATA else told
    assert told == (None if answer is None else message(answer))
    assert dict(peer.fields(frame[3]))["grpc-status"] == status
    assert await peer.alive()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"content_type": "application/json"}, "415"),
        ({"content_type": "application/grpc-web"}, "415"),
        ({"content_type": ""}, "415"),
        ({":method": "GET"}, "405"),
    ],
)
async def test_what_is_not_grpc(more: dict[str, str], status: str, connect: Connect) -> None:
    peer = await connect()
    peer.send(frames.headers(1, request("Echo", **more), last=True))
    allowed = {"allow": "POST"} if status == "405" else {}
    assert await peer.headers() == (1, {":status": status, **allowed}, True)


@pytest.mark.asyncio
@pytest.mark.parametrize("value", ["ä", "a\tb"])
async def test_metadata_that_is_not_ascii(value: str, connect: Connect) -> None:
    """HTTP/2 allows it and gRPC does not: that call is refused, with a status."""
    peer = await connect()
    peer.send(frames.headers(1, request("Echo", x_text=value), last=True))
    _, fields, last = await peer.headers()
    assert (fields["grpc-status"], last) == ("3", True)
    assert await peer.alive()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("values", "reason"), [(["ä"], "BAD_FIELD"), (["y" * 20_000], "TOO_LARGE"), (["y" * 9000] * 3, "OVERLOADED")]
)
async def test_refusals_of_metadata_carry_what_all_refusals_do(
    values: list[str], reason: str, connect: Connect
) -> None:
    """A value that is none, one that is too long, and one for which there is no room beside those that are here."""
    peer = await connect(metadata_bytes=20_000)
    for number, value in enumerate(values):
        peer.send(frames.headers(2 * number + 1, request("Chat", x_text=value)))
    _, fields, last = await peer.headers()
    refusal = refused_with(fields)
    assert (reason_of(refusal), last) == (reason, True)
    assert fields["grpc-status"] == str(refusal.code)
    assert bool(refusal.retry_ms) == (reason == "OVERLOADED")


@pytest.mark.asyncio
async def test_a_bad_message_that_has_waited(
    connect: Connect, methods: Methods, capsys: pytest.CaptureFixture[str]
) -> None:
    """It came before anybody was ready for it: the call ends as it would have then, and it is no fault of ours."""
    peer = await connect()
    methods.go.set()
    for number, method in ((1, "Push"), (3, "Deaf")):
        peer.send(
            frames.headers(number, request(method, grpc_encoding="gzip")), frames.data(number, packed(b"no gzip"))
        )
        assert (await peer.headers())[1]["grpc-status"] == "13"
    assert not capsys.readouterr().err


@pytest.mark.asyncio
async def test_packed_messages_wait_packed(connect: Connect, methods: Methods) -> None:
    """A client that sends bombs to whoever reads slowly fills no memory with them."""
    peer = await connect(stream_window=65_535)
    bomb = packed(gzip.compress(bytes(4_000_000)))
    peer.send(frames.headers(1, request("Deaf", grpc_encoding="gzip")), frames.data(1, bomb))
    assert await peer.alive()
    methods.go.set()
    peer.send(frames.data(1, b"", last=True))
    assert (await peer.next(frames.DATA))[3] == message(b"1 4000000")
