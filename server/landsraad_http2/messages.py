"""Length-prefixed gRPC messages: a compression flag, a length and the body."""

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
    """A message that ends the call with this status."""

    #: what is wrong, for whoever words it: "large", "much", "metadata", or "" for anything else
    kind = ""
    #: bytes of a message that is too large
    length = 0

    def __init__(self, code: StatusCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class TooLarge(BadMessage):
    """A message above the size limit."""

    kind = "large"

    def __init__(self, length: int, most: int) -> None:
        super().__init__(StatusCode.RESOURCE_EXHAUSTED, f"a message has {most} bytes at most, not {length}")
        self.length = length


class TooMuch(BadMessage):
    """A message refused for want of memory. It may be retried."""

    kind = "much"

    def __init__(self, text: str) -> None:
        super().__init__(StatusCode.RESOURCE_EXHAUSTED, text)


class BadMetadata(BadMessage):
    """Metadata that is too long or malformed."""

    kind = "metadata"


class Packed(bytes):
    """A compressed message. It waits compressed: its body may be a thousand times as large."""

    __slots__ = ()


class Assembler:
    """An incremental parser of the messages of one stream."""

    __slots__ = ("_buffer", "_encoding", "_most")

    def __init__(self, encoding: str, most: int) -> None:
        self._buffer = bytearray()
        self._encoding = encoding
        self._most = most

    def __len__(self) -> int:
        """Return the bytes of the incomplete message."""
        return len(self._buffer)

    def feed(self, payload: bytes) -> list[bytes]:
        """Return the messages that these bytes complete. A length above the limit is refused at once."""
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
        """Decompress a message; raise BadMessage if that fails."""
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
    """Tell if messages with this encoding can be read."""
    return name == "identity" or name in _WINDOW_BITS
