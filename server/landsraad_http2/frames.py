"""Read and build HTTP/2 frames (RFC 9113, sections 4 and 6), for servers and clients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from struct import Struct
from typing import Final, TypeAlias

#: What a client says first (3.4).
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

# Kinds of frames.
DATA: Final = 0
HEADERS: Final = 1
PRIORITY: Final = 2
RST_STREAM: Final = 3
SETTINGS: Final = 4
PUSH_PROMISE: Final = 5
PING: Final = 6
GOAWAY: Final = 7
WINDOW_UPDATE: Final = 8
CONTINUATION: Final = 9

# Flags.
ACK: Final = 0x1
END_STREAM: Final = 0x1
END_HEADERS: Final = 0x4
PADDED: Final = 0x8
WITH_PRIORITY: Final = 0x20

# Errors (7).
NO_ERROR: Final = 0
PROTOCOL_ERROR: Final = 1
INTERNAL_ERROR: Final = 2
FLOW_CONTROL_ERROR: Final = 3
SETTINGS_TIMEOUT: Final = 4
STREAM_CLOSED: Final = 5
FRAME_SIZE_ERROR: Final = 6
REFUSED_STREAM: Final = 7
CANCEL: Final = 8
COMPRESSION_ERROR: Final = 9
ENHANCE_YOUR_CALM: Final = 11

# Settings (6.5.2).
HEADER_TABLE_SIZE: Final = 1
ENABLE_PUSH: Final = 2
MAX_CONCURRENT_STREAMS: Final = 3
INITIAL_WINDOW_SIZE: Final = 4
MAX_FRAME_SIZE: Final = 5
MAX_HEADER_LIST_SIZE: Final = 6

#: What holds until SETTINGS say otherwise (6.5.2, 6.9.2).
FIRST_WINDOW: Final = 65_535
FIRST_FRAME_SIZE: Final = 16_384
MOST_FRAME_SIZE: Final = (1 << 24) - 1
MOST_WINDOW: Final = (1 << 31) - 1
LAST_STREAM: Final = (1 << 31) - 1

HEAD_BYTES: Final = 9
#: In front of each message of gRPC: whether it is compressed, and its length.
PREFIX_BYTES: Final = 5

#: Kind, flags, stream, payload. A tuple, for there is one for every message.
Frame: TypeAlias = tuple[int, int, int, bytes]

#: The length has three bytes and the kind one: together an unsigned integer of four.
_HEAD = Struct(">IBI")
_MESSAGE = Struct(">IBIBI")
_SETTING = Struct(">HI")
_NUMBER = Struct(">I")
_TWO_NUMBERS = Struct(">II")


class ConnectionFault(Exception):
    """A connection error (5.4.1): the peer has broken the protocol."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class FrameReader:
    """An incremental parser of frames."""

    __slots__ = ("_missing", "_most", "_parts")

    def __init__(self, most: int = FIRST_FRAME_SIZE) -> None:
        self._most = most
        self._parts: list[bytes] = []
        self._missing = 0  # so many bytes have to come until there can be another frame

    def feed(self, data: bytes) -> list[Frame]:
        """Return the frames that these bytes complete; raise ConnectionFault for one above the size limit."""
        if self._parts:
            self._parts.append(data)
            self._missing -= len(data)
            if self._missing > 0:  # nothing is joined before it helps: a frame may come byte by byte
                return []
            data = b"".join(self._parts)
            self._parts = []
        frames: list[Frame] = []
        add, unpack, most = frames.append, _HEAD.unpack_from, self._most
        at, end = 0, len(data)
        missing = HEAD_BYTES
        while end - at >= HEAD_BYTES:
            length, flags, stream = unpack(data, at)
            body = at + HEAD_BYTES
            stop = body + (length >> 8)
            if stop - body > most:
                raise ConnectionFault(FRAME_SIZE_ERROR, "a frame is larger than was allowed")
            if stop > end:
                missing = stop - at
                break
            add((length & 0xFF, flags, stream & LAST_STREAM, data[body:stop]))
            at = stop
        if at < end:
            self._parts.append(data[at:])
            self._missing = missing - (end - at)
        return frames


# ------------------------------------------------------------------------------------------------------------ building


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Build a frame."""
    return _HEAD.pack(len(payload) << 8 | kind, flags, stream) + payload


def message_head(stream: int, length: int) -> bytes:
    """Build the heads of a DATA frame and of the gRPC message that fills it."""
    return _MESSAGE.pack((length + PREFIX_BYTES) << 8, 0, stream, 0, length)


def message_prefix(length: int) -> bytes:
    """Build the prefix of a gRPC message."""
    return b"\0" + _NUMBER.pack(length)


def data(stream: int, payload: bytes, *, last: bool = False) -> bytes:
    return _HEAD.pack(len(payload) << 8, END_STREAM if last else 0, stream) + payload


def headers(stream: int, block: bytes, *, last: bool = False, most: int = FIRST_FRAME_SIZE) -> bytes:
    """Build a header block, in as many frames as it takes (4.3)."""
    flags = END_STREAM if last else 0
    if len(block) <= most:
        return _HEAD.pack(len(block) << 8 | HEADERS, flags | END_HEADERS, stream) + block
    pieces = [block[at : at + most] for at in range(0, len(block), most)]
    made = [frame(HEADERS, flags, stream, pieces[0])]
    made += [frame(CONTINUATION, 0, stream, piece) for piece in pieces[1:-1]]
    made.append(frame(CONTINUATION, END_HEADERS, stream, pieces[-1]))
    return b"".join(made)


def settings(pairs: Iterable[tuple[int, int]] = ()) -> bytes:
    return frame(SETTINGS, 0, 0, b"".join([_SETTING.pack(name, value) for name, value in pairs]))


def rst_stream(stream: int, code: int) -> bytes:
    return frame(RST_STREAM, 0, stream, _NUMBER.pack(code))


def goaway(last: int, code: int, text: str = "") -> bytes:
    return frame(GOAWAY, 0, 0, _TWO_NUMBERS.pack(last, code) + text.encode())


def window_update(stream: int, increment: int) -> bytes:
    return frame(WINDOW_UPDATE, 0, stream, _NUMBER.pack(increment))


def ping(payload: bytes) -> bytes:
    return frame(PING, 0, 0, payload)


SETTINGS_ACK: Final = frame(SETTINGS, ACK, 0)


def ping_ack(payload: bytes) -> bytes:
    return frame(PING, ACK, 0, payload)


# ------------------------------------------------------------------------------------------------------------ payloads


def number(payload: bytes) -> int:
    """Read the number in RST_STREAM or WINDOW_UPDATE. The first bit of the latter is reserved."""
    if len(payload) != 4:
        raise ConnectionFault(FRAME_SIZE_ERROR, "a frame has not the length of its kind")
    value: int = _NUMBER.unpack(payload)[0]
    return value


def read_settings(payload: bytes) -> Iterator[tuple[int, int]]:
    """Read the pairs of a SETTINGS frame, including unknown ones (6.5.2)."""
    if len(payload) % _SETTING.size:
        raise ConnectionFault(FRAME_SIZE_ERROR, "settings have six bytes each")
    return _SETTING.iter_unpack(payload)


def without_padding(flags: int, payload: bytes) -> bytes:
    """Remove the padding of DATA or HEADERS (6.1)."""
    if not flags & PADDED:
        return payload
    if not payload or payload[0] >= len(payload):
        raise ConnectionFault(PROTOCOL_ERROR, "there is more padding than payload")
    return payload[1 : len(payload) - payload[0]]
