"""gRPC's messages in the bytes of a stream: a flag, a length, and the body, which may be compressed."""

from __future__ import annotations

import zlib
from struct import Struct
from typing import Final

from grpc import StatusCode

from landsraad_http2.frames import PREFIX_BYTES

_PREFIX = Struct(">BI")

#: What zlib calls them.
_WINDOW_BITS: Final = {"gzip": 31, "deflate": 15}


class BadMessage(Exception):
    """Ends the call with this status."""

    #: what is wrong, for whoever words it: "large", "much", "metadata", or "" for anything else
    kind = ""
    #: bytes of a message that is too large
    length = 0

    def __init__(self, code: StatusCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class TooLarge(BadMessage):
    """A message is larger than any may be."""

    kind = "large"

    def __init__(self, length: int, most: int) -> None:
        super().__init__(StatusCode.RESOURCE_EXHAUSTED, f"a message has {most} bytes at most, not {length}")
        self.length = length


class TooMuch(BadMessage):
    """Nothing is wrong with the message but that too much else is here already: later it may be taken."""

    kind = "much"

    def __init__(self, text: str) -> None:
        super().__init__(StatusCode.RESOURCE_EXHAUSTED, text)


class BadMetadata(BadMessage):
    """What a call brings along beside its messages is too long, or nothing that gRPC knows."""

    kind = "metadata"


class Packed(bytes):
    """A message that is still compressed. It waits like that: unpacked it may be a thousand times as large."""

    __slots__ = ()


class Assembler:
    """Makes messages of the payloads of one stream, however they are cut."""

    __slots__ = ("_buffer", "_encoding", "_most")

    def __init__(self, encoding: str, most: int) -> None:
        self._buffer = bytearray()
        self._encoding = encoding
        self._most = most

    def __len__(self) -> int:
        """Bytes of the message that is not complete."""
        return len(self._buffer)

    def feed(self, payload: bytes) -> list[bytes]:
        """The messages that these bytes complete. A length is refused as soon as it is known."""
        buffer = self._buffer
        buffer += payload
        messages: list[bytes] = []
        at = 0
        while len(buffer) - at >= PREFIX_BYTES:
            flag, length = _PREFIX.unpack_from(buffer, at)
            if flag > 1:
                raise BadMessage(StatusCode.INTERNAL, "a message begins with 0 or 1")
            if length > self._most:
                raise TooLarge(length, self._most)
            body = at + PREFIX_BYTES
            if len(buffer) - body < length:
                break
            at = body + length
            messages.append((Packed if flag else bytes)(buffer[body:at]))
        del buffer[:at]
        return messages

    def unpacked(self, message: bytes) -> bytes:
        """A message as it is wanted; BadMessage, if it cannot be had."""
        if type(message) is not Packed:
            return message
        if self._encoding == "identity":
            raise BadMessage(StatusCode.INTERNAL, "a message is compressed, and no grpc-encoding was given")
        # Callers are refused before they come here if we do not know the encoding.
        unpacking = zlib.decompressobj(_WINDOW_BITS[self._encoding])
        try:
            unpacked = unpacking.decompress(message, self._most + 1)  # and no more, whatever it would become
        except zlib.error:
            raise BadMessage(StatusCode.INTERNAL, "a message cannot be decompressed") from None
        if len(unpacked) > self._most:
            raise TooLarge(len(unpacked), self._most)
        if not unpacking.eof or unpacking.unused_data:
            raise BadMessage(StatusCode.INTERNAL, "a message cannot be decompressed")
        return unpacked


def known_encoding(name: str) -> bool:
    """Whether we can read messages that are compressed this way."""
    return name == "identity" or name in _WINDOW_BITS
