"""Limits of a connection, and of all connections together. Each bounds memory or time that a client can use up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one server."""

    #: largest message, in bytes, also after it was unpacked
    message_bytes: int = 4 << 20
    #: bytes that a client may send ahead of whoever reads them: on one stream, and on all of a connection; with less
    #: than 65,535, which is what all begin with, a client that does not wait for our settings would be refused
    stream_window: int = 1 << 20
    connection_window: int = 8 << 20
    #: of messages that have not come to their end, on all streams of a connection
    unfinished_bytes: int = 32 << 20
    #: streams of a connection at a time; and bytes of the metadata of all of them
    streams: int = 256
    metadata_bytes: int = 2 << 20
    #: bytes that compressed messages of a connection may become, and those of an address, in a time of `beat_seconds`
    unpacked_bytes: int = 64 << 20
    address_unpacked_bytes: int = 128 << 20
    #: bytes of one header block, packed: with more only its call is refused, and they are forgotten as they come; and
    #: how many frames it may come in: with more the connection ends
    block_bytes: int = 32 << 10
    block_frames: int = 32
    #: bytes of one stream that wait for its client: above, whoever sends is told to wait; and of a whole connection
    queued_bytes: int = 64 << 10
    most_queued_bytes: int = 128 << 20
    #: bytes buffered for all connections: streams and metadata, incomplete and unread messages, output queues, and
    #: input that waits for its turn; above, the client that holds most loses streams
    kept_bytes: int = 256 << 20
    #: networks of trusted proxies, whose address stands for many clients: there each connection has its own quota
    proxies: tuple[str, ...] = ()
    #: So long a client may take to send a request message, and to take the last of an answer.
    request_seconds: float = 10.0
    patience_seconds: float = 60.0
    #: The interval of maintenance. A connection has two intervals to begin. An abuse budget is for one.
    beat_seconds: float = 5.0
    #: A connection without input for so long is pinged, and has so long to answer.
    keepalive_seconds: float = 20.0
    answer_seconds: float = 10.0
    #: The shortest interval of a client's own pings on an idle connection.
    ping_seconds: float = 5.0
    ping_strikes: int = 3
    #: Cost of useless frames (see AbuseGuard) in a time of `beat_seconds`: of a connection, and of an address.
    abuse_budget: int = 10_000
    address_abuse_budget: int = 30_000


#: What is counted as kept for a connection.
CONNECTION_BYTES: Final = 8192
#: What is counted as kept for a stream, and for a message that waits, beside what was sent: about what Python takes.
STREAM_BYTES: Final = 2048
MESSAGE_BYTES: Final = 64
#: The same for a header, of which two bytes may have come.
METADATA_BYTES: Final = 128
