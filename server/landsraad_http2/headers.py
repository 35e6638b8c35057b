"""Header blocks (HPACK, RFC 7541): gRPC requests decoded from them, responses encoded into them.

Clients are asked to use no dynamic table. Equal headers are then equal bytes, so decoded blocks are cached: every call
of a method sends the same. Responses use no dynamic table either.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import quote

from grpc import StatusCode
from hpack import Decoder
from hpack.exceptions import HPACKError, OversizedHeaderListError

from landsraad_http2.frames import COMPRESSION_ERROR, ENHANCE_YOUR_CALM, ConnectionFault
from landsraad_http2.guard import BLOCK_BYTES, FIELDS, TOO_LONG, USUAL_BLOCK_BYTES, USUAL_FIELDS, AbuseGuard
from landsraad_http2.limits import METADATA_BYTES
from landsraad_http2.messages import BadMessage, BadMetadata

Fields: TypeAlias = Sequence[tuple[bytes, bytes]]
Metadata: TypeAlias = tuple[tuple[str, str | bytes], ...]

#: A list of headers is no longer than this, each with 32 bytes more than it has (RFC 9113, 6.5.2).
MOST_LIST_BYTES: Final = 16 << 10
#: So much is still read; but a call with more than the above is refused however much it is.
_MOST_READ_BYTES: Final = 2 * MOST_LIST_BYTES
#: What a block may unfold to as long as its client has a table: what it has in the table, once, and the static table's;
#: and so many times its own length (Huffman's code makes five bits of a byte at best, and each field counts 32 more).
_TABLE_BYTES: Final = 4096 + 1024
_UNFOLDED: Final = 4
#: Blocks that are remembered for all connections, and for one; and how long they are at most, packed and as a list: a
#: byte may stand for a whole header, and of each we keep several times as much as it has.
_MOST_KNOWN, _MOST_OWN, _MOST_KNOWN_BYTES, _MOST_KNOWN_SIZE = 1024, 16, 1024, 2048

_NAME = re.compile(rb"[!-9;-@\[-~]+")  # 8.2.1; no capitals
_VALUE = re.compile(rb"(?:[!-~](?:[ -~]*[!-~])?)?")  # gRPC's ASCII-Value, without space around it
_BAD_VALUE = re.compile(rb"[ \t]|[^\0\r\n]*(?:[\0\r\n]|[ \t]\Z)")  # 8.2.1: what no header of HTTP/2 may be
_KEY = re.compile(r"[0-9a-z_.-]+")
_TIMEOUT = re.compile(rb"([0-9]{1,8})([HMSmun])")
_UNITS: Final = {b"H": 3600.0, b"M": 60.0, b"S": 1.0, b"m": 1e-3, b"u": 1e-6, b"n": 1e-9}

#: More changes of the table's size than an encoder has to say at a time (RFC 7541, 4.2): each costs us a turn.
_RESIZED = re.compile(rb"(?:[\x20-\x3e]|\x3f[\x80-\xff]*[\0-\x7f]){3}")

#: Such changes, which stand in front of all that a block says.
_SIZES = re.compile(rb"(?:[\x20-\x3e]|\x3f[\x80-\xff]*[\0-\x7f])*")

#: They belong to a connection of HTTP/1 (8.2.2).
_FORBIDDEN: Final = frozenset((b"connection", b"keep-alive", b"proxy-connection", b"transfer-encoding", b"upgrade"))
_PSEUDO: Final = frozenset((b":method", b":scheme", b":authority", b":path"))
_SECRETS: Final = frozenset(("authorization", "proxy-authorization", "cookie"))
#: What is for the transport, and not for whoever is called.
_OURS: Final = frozenset((b"content-type", b"te", b"content-length", b"grpc-accept-encoding"))


class Request(NamedTuple):
    """A request, decoded from its first header block."""

    path: str
    metadata: Metadata
    #: seconds; None: as long as it takes
    timeout: float | None
    #: how messages are compressed that are
    encoding: str
    #: bytes of all DATA together, if that was said
    length: int | None
    #: bytes of its headers, as they are counted
    size: int

    @property
    def kept(self) -> int:
        """Return the approximate size in memory."""
        return self.size + METADATA_BYTES * len(self.metadata)


class Malformed(Exception):
    """A malformed request: a stream error (8.1.1)."""


class RefusedRequest(Exception):
    """A valid request that is not served. `answer` is the header block to send, or the status of the call."""

    def __init__(self, answer: bytes | BadMessage) -> None:
        super().__init__()
        self.answer = answer


# ------------------------------------------------------------------------------------------------------------- reading


class BlockReader:
    """The decoder of one connection. `known` is the cache that all connections share.

    Blocks with credentials are cached by their own connection alone, as are those of clients that have not yet given up
    their dynamic table. Of a block with more than `most` bytes, only the beginning has to be given.
    """

    __slots__ = ("_agreed", "_charge", "_decoder", "_empty", "_guard", "_known", "_most", "_own", "_stateless")

    def __init__(
        self,
        known: dict[bytes, Request],
        guard: AbuseGuard | None = None,
        most: int = _MOST_READ_BYTES,
        charge: Callable[[int], object] = abs,
    ) -> None:
        self._charge = charge  # with the bytes that are kept, or given up
        self._decoder = Decoder(_MOST_READ_BYTES)
        self._guard = guard
        self._known = known
        self._most = most
        self._own: dict[bytes, Request] = {}
        self._agreed = False  # to keep no table
        self._stateless = False  # it keeps none any more
        self._empty = True  # there is nothing in it, at least

    def forget_table(self) -> None:
        """Note that the client has acknowledged a table size of 0.

        It must repeat that in its next block (RFC 9113, 4.3.1); another size there is an error. Clients of .NET and
        Dart do not repeat it, for they have no table. That of Android (grpc-java, issue 12819) does not
        either and keeps its table, so ours is kept until the client updates it.
        """
        self._agreed = True

    def request(self, block: bytes) -> Request:
        """Decode a request; raise Malformed, RefusedRequest or ConnectionFault."""
        was_empty = self._empty
        if self._stateless and (found := self._known.get(block)) is not None:
            return found
        if was_empty and (found := self._own.get(block)) is not None:
            return found
        request = read_request(self.fields(block))
        if len(block) <= _MOST_KNOWN_BYTES and request.size <= _MOST_KNOWN_SIZE:
            if self._stateless and not _secret(request):
                if len(self._known) >= _MOST_KNOWN:
                    self._known.clear()
                self._known[block] = request
            elif self._stateless or (was_empty and self._empty and not _sizes(block)):
                if len(self._own) >= _MOST_OWN:
                    self.forget()
                self._own[block] = request
                self._charge(len(block) + request.kept)
        return request

    def forget(self) -> None:
        """Clear the cache of this connection."""
        self._charge(-sum(len(block) + request.kept for block, request in self._own.items()))
        self._own.clear()

    def fields(self, block: bytes) -> Fields:
        """Decode a block; raise RefusedRequest if it is too long.

        Every block must be decoded, for the next may refer to it (4.3). Without a dynamic table only its first bytes
        matter, which may change the table size; the rest of a block that is too long is dropped.
        """
        if _RESIZED.match(block):
            raise ConnectionFault(COMPRESSION_ERROR, "a header block changes its table again and again")
        too_long = len(block) > self._most
        sizes = _sizes(block)
        if self._agreed and sizes:
            self._decoder.max_allowed_table_size = 0
        if self._guard is not None and len(block) > USUAL_BLOCK_BYTES:
            self._guard.spend((len(block) - USUAL_BLOCK_BYTES) // BLOCK_BYTES)
        stateless = sizes == b"\x20" or (self._stateless and not sizes)
        unfolded = _MOST_READ_BYTES if stateless else _TABLE_BYTES + _UNFOLDED * len(block)
        self._decoder.max_header_list_size = min(_MOST_READ_BYTES, unfolded)
        try:
            found: Fields = list(self._decoder.decode(sizes if too_long else block, raw=True))
        except OversizedHeaderListError:
            too_long, found = True, ()
        except HPACKError:
            raise ConnectionFault(COMPRESSION_ERROR, "a header block cannot be read") from None
        # Looked at afterwards: a block is remembered only if one without a table came before it.
        stateless = self._decoder.header_table_size == 0
        if stateless is not self._stateless:
            self.forget()  # what adds nothing to a table without room may do so to another
        self._stateless = stateless
        self._empty = not self._decoder.header_table.dynamic_entries
        if too_long:
            if self._guard is not None:
                self._guard.spend(TOO_LONG)
            if not self._stateless:
                raise ConnectionFault(ENHANCE_YOUR_CALM, "headers are too long by far")
            raise RefusedRequest(_too_long())
        if self._guard is not None and len(found) > USUAL_FIELDS:
            self._guard.spend((len(found) - USUAL_FIELDS) // FIELDS)
        return found


def _sizes(block: bytes) -> bytes:
    """Return the updates of the table size at the beginning of a block."""
    found = _SIZES.match(block)
    return found.group() if found is not None else b""


def _secret(request: Request) -> bool:
    """Tell if the metadata may hold credentials."""
    return any(key in _SECRETS or key.endswith("-bin") for key, _ in request.metadata)


def read_request(fields: Fields) -> Request:
    """Build a request from headers."""
    size = _counted(fields)
    if size > MOST_LIST_BYTES:
        raise RefusedRequest(_too_long())
    pseudo: dict[bytes, bytes] = {}
    regular: dict[bytes, bytes] = {}
    metadata: list[tuple[str, str | bytes]] = []
    for name, value in fields:
        if not _VALUE.fullmatch(value):
            raise _bad(value)
        if name.startswith(b":"):
            # 8.3: those that are known, once each, and before all others
            if name not in _PSEUDO or name in pseudo or regular:
                raise Malformed
            pseudo[name] = value
            continue
        if not _NAME.fullmatch(name) or name in _FORBIDDEN or (name == b"te" and value.lower() != b"trailers"):
            raise Malformed
        if name in regular and name == b"content-length" and regular[name] != value:
            raise Malformed
        regular[name] = value
        if name not in _OURS and name not in {b"grpc-timeout", b"grpc-encoding"}:
            metadata += _read_metadata(name, value)
    if not (pseudo.get(b":method") and pseudo.get(b":scheme") and pseudo.get(b":path")):
        raise Malformed
    if pseudo[b":method"] != b"POST":
        raise RefusedRequest(http_status(405))
    kind = regular.get(b"content-type", b"")
    if kind != b"application/grpc" and not kind.startswith((b"application/grpc+", b"application/grpc;")):
        raise RefusedRequest(http_status(415))
    return Request(
        pseudo[b":path"].decode(),
        tuple(metadata),
        _read_timeout(regular.get(b"grpc-timeout")),
        regular.get(b"grpc-encoding", b"identity").decode(),
        _read_length(regular.get(b"content-length")),
        size,
    )


def _bad(value: bytes) -> Malformed | RefusedRequest:
    """Return the error for a bad value: of HTTP/2, or of gRPC alone."""
    if _BAD_VALUE.match(value):
        return Malformed()
    text = "metadata is ASCII; the key of anything else ends with -bin"
    return RefusedRequest(BadMetadata(StatusCode.INVALID_ARGUMENT, text))


def _too_long() -> BadMetadata:
    return BadMetadata(StatusCode.RESOURCE_EXHAUSTED, f"metadata has {MOST_LIST_BYTES} bytes at most")


def check_trailers(fields: Fields) -> None:
    """Check trailers of a client: no pseudo headers (8.1). gRPC ignores the rest."""
    for name, value in fields:
        if not _NAME.fullmatch(name) or name.startswith(b":") or name in _FORBIDDEN or _BAD_VALUE.match(value):
            raise Malformed


def _counted(fields: Fields) -> int:
    """Return the size of headers as RFC 9113 counts it (6.5.2), with joined values counted apart."""
    joined = [(name, value) for name, value in fields if name.endswith(b"-bin")]
    more = sum(value.count(b",") * (len(name) + 32) for name, value in joined)
    return sum(len(name) + len(value) + 32 for name, value in fields) + more


def _read_metadata(name: bytes, value: bytes) -> list[tuple[str, str | bytes]]:
    key = name.decode()
    if not name.endswith(b"-bin"):
        return [(key, value.decode())]
    try:  # several values may have been joined, and padding is optional
        return [(key, base64.b64decode(one + b"=" * (-len(one) % 4), validate=True)) for one in _commas(value)]
    except binascii.Error:
        raise Malformed from None


def _commas(value: bytes) -> list[bytes]:
    return [one.strip().rstrip(b"=") for one in value.split(b",")]


def _read_timeout(value: bytes | None) -> float | None:
    if value is None:
        return None
    found = _TIMEOUT.fullmatch(value)
    if found is None:
        raise RefusedRequest(only_status(13, "grpc-timeout cannot be read"))
    return int(found[1]) * _UNITS[found[2]]


def _read_length(value: bytes | None) -> int | None:
    if value is None:
        return None
    if not value.isdigit() or len(value) > 12:
        raise Malformed
    return int(value)


# ------------------------------------------------------------------------------------------------------------- writing


def _text(value: bytes) -> bytes:
    """Encode a string (RFC 7541, 5.2) without Huffman coding, which costs more time than it saves."""
    length = len(value)
    if length < 127:
        return bytes((length,)) + value
    length -= 127
    head = bytearray((127,))
    while length >= 128:
        head.append(length & 127 | 128)
        length >>= 7
    head.append(length)
    return bytes(head) + value


def literal(name: bytes, value: bytes) -> bytes:
    """Encode a header that no table may hold, not even that of a proxy: it may be secret (RFC 7541, 6.2.3)."""
    return b"\x10" + _text(name) + _text(value)


#: `:status: 200` by its index, and the type.
BEGIN: Final = b"\x88" + literal(b"content-type", b"application/grpc")
#: How most calls end.
OK: Final = literal(b"grpc-status", b"0")
#: What we can read, for whoever has used something else.
_ENCODINGS: Final = literal(b"grpc-accept-encoding", b"identity, deflate, gzip")
_UNIMPLEMENTED: Final = 12


def status(code: int, details: str = "", metadata: Iterable[tuple[str, str | bytes]] = ()) -> bytes:
    """Encode the trailers of a call; raise ValueError for metadata that cannot be sent."""
    if not (code or details or metadata):
        return OK
    block = literal(b"grpc-status", b"%d" % code)
    if details:
        block += literal(b"grpc-message", _percent(details))
    if code == _UNIMPLEMENTED:
        block += _ENCODINGS
    return block + write_metadata(metadata)


def only_status(code: int, details: str, metadata: Iterable[tuple[str, str | bytes]] = ()) -> bytes:
    """Encode a response that is only a status."""
    return BEGIN + status(code, details, metadata)


def http_status(code: int) -> bytes:
    """Encode a response to a request that is not gRPC."""
    allowed = literal(b"allow", b"POST") if code == 405 else b""  # RFC 9110, 15.5.6
    return literal(b":status", b"%d" % code) + allowed


def write_metadata(metadata: Iterable[tuple[str, str | bytes]]) -> bytes:
    """Encode metadata; raise ValueError for metadata that cannot be sent."""
    return b"".join([literal(key.encode(), _value(key, value)) for key, value in metadata])


def _value(key: str, value: str | bytes) -> bytes:
    if not _KEY.fullmatch(key):
        raise ValueError("a key of metadata has small letters, digits and _.- only")
    raw = value.encode() if isinstance(value, str) else bytes(value)
    if key.endswith("-bin"):
        return base64.b64encode(raw).rstrip(b"=")
    if not _VALUE.fullmatch(raw):
        raise ValueError(f"the value of {key} is not ASCII: its key should end with -bin")
    return raw


def _percent(details: str) -> bytes:
    """Percent-encode `grpc-message`."""
    return quote(details, safe=" !\"#$&'()*+,/:;<=>?@[\\]^`{|}", errors="replace").encode()
