"""Match records: the encoded entries of a match's log, and the snapshots of whole matches.

A record holds the *changes* that its inputs have made, so a worker that catches up runs no rules. The state of the game
(places, frames) and that of the service (seats, clocks, status) are separate, because digests and sampled worlds depend
on the game alone.

All structs are encoded as arrays: fields may be renamed, but not reordered.
"""

from __future__ import annotations

import secrets
from enum import IntEnum
from typing import Any

import msgspec

from landsraad_server.matches.record_format import pack, unpack
from landsraad_server.store import Head


class Fill(IntEnum):
    """The way in which a seat is filled; the numbers are those of the protocol."""

    OPEN = 1
    INVITED = 2
    HOUSE = 3


class Presence(IntEnum):
    """The presence of a seat's player; the numbers are those of the protocol."""

    NOBODY = 0
    HERE = 1
    AWAY = 2
    RESIGNED = 3


class MatchStage(IntEnum):
    """The stage of a match's life; the numbers are those of the protocol."""

    OPEN = 1
    LIVE = 2
    OVER = 3


class Ending(IntEnum):
    """The kind of a match's end; the numbers are those of the protocol."""

    PLAYED = 1
    TIMEOUT = 2
    RESIGNATION = 3
    ILLEGAL_ACTS = 4
    ABORTED = 5
    INFRASTRUCTURE = 6


class Overtime(IntEnum):
    """The outcome of a timeout; the numbers are those of the protocol."""

    DEFAULT_ACT = 1
    RESIGN = 2
    HOUSE_BOT = 3


# --------------------------------------------------------------------------------------------------------------- terms


class SeatPlan(msgspec.Struct, array_like=True):
    """The assignment of a seat. It changes while the match is open, or when a house bot takes over."""

    fill: Fill = Fill.OPEN
    #: the account that the seat is kept for, or the name of the house bot
    invited: str = ""
    account: str = ""
    player: str = ""
    entropy: bytes = b""
    orders: tuple[str, ...] = ()
    #: id of the request by which the seat was taken
    request: str = ""
    #: digest of the seat's credential; empty: none was issued
    key: bytes = b""

    @property
    def taken(self) -> bool:
        """Tell whether an account or the house has the seat."""
        return bool(self.account) or self.fill is Fill.HOUSE


class ClockTerms(msgspec.Struct, array_like=True, frozen=True):
    """The clock rules of a match, in milliseconds; see the protocol."""

    decision_ms: int
    bank_ms: int
    increment_ms: int
    disconnect_ms: int
    outcome: Overtime

    @property
    def limited(self) -> bool:
        """Tell whether decisions have a time limit."""
        return bool(self.decision_ms or self.bank_ms)


def new_secret() -> bytes:
    """Return the secret from which, with the entropy of the seats, all chance of a match follows."""
    return secrets.token_bytes(32)


class Terms(msgspec.Struct, array_like=True):
    """The terms of a match, agreed before it begins."""

    game: str
    seats: list[SeatPlan]
    options: dict[str, Any]
    creator: str
    created: int
    #: All chance follows from it: it must never leave the service before the end of the match.
    secret: bytes
    build: str
    content: str
    clock: ClockTerms | None = None
    watch_delay_ms: int = 0
    title: str = ""
    unlisted: bool = False
    illegal_limit: int = 0

    def __repr__(self) -> str:
        return f"Terms({self.game})"


# ---------------------------------------------------------------------------------------------- state of the service


#: Stands in the place of a seat's stream after its credential was revoked: the stream that plays the seat is closed.
REVOKED = "revoked"


class SeatState(msgspec.Struct, array_like=True):
    """The state of a seat that is not part of the game."""

    #: the number of the last accepted input, and its stored answer: its entry, and the last entry of the log after it
    seq: int = 0
    entry: int = 0
    last: int = 0
    refused: int = 0
    presence: Presence = Presence.NOBODY
    bank_ms: int = 0
    #: the time at which its open question was put, in ms since 1970; 0: it has none
    asked_at: int = 0
    #: the time at which its last stream ended; 0: it has one
    away_at: int = 0
    #: the time of its last answer that counted against its clock
    thinking_ms: int = 0
    #: the token of the stream that plays it; a newer stream replaces it, on whichever worker
    stream: str = ""
    #: the time of its last answer that was put down to the network, and did not count
    network_ms: int = 0
    #: whether its open question belongs to a reaction window
    in_window: bool = False
    #: the time that had run on its clock when the clock last stood, before `asked_at`
    spent_ms: int = 0


class MatchResult(msgspec.Struct, array_like=True, frozen=True):
    """The result of a match."""

    kind: Ending
    ending: str = ""
    winners: tuple[int, ...] = ()
    cause: int | None = None
    #: the public reason that was given for aborting the match
    reason: str = ""


class MatchStatus(msgspec.Struct, array_like=True):
    """The status of a match: its stage, the times of its start and end, and its result."""

    stage: MatchStage = MatchStage.OPEN
    started: int = 0
    ended: int = 0
    result: MatchResult | None = None


class LogCounters(msgspec.Struct, array_like=True):
    """The lengths of the information logs, the spectators' last. By them a worker continues where another stopped.

    They also locate cursors: the entry with number n stands in the first record that counts as many.
    """

    counts: list[int]
    #: by log: the number of the entry with the current public step
    steps: list[int]
    #: by seat: the number of the entry with its open question; 0: it has none
    question_entries: list[int]
    #: the time at which the open reaction window of fixed length opened, in ms since 1970; 0: none is open
    window_at: int = 0

    @classmethod
    def none(cls, seats: int) -> LogCounters:
        """Return the counters of a match that has not begun."""
        return cls([0] * (seats + 1), [0] * (seats + 1), [0] * seats)


# ----------------------------------------------------------------------------------------------- records and snapshots


class MatchRecord(msgspec.Struct, array_like=True):
    """One entry of a match's log."""

    at: int
    #: inputs in the form of the engine's journal: seat, kind, act
    inputs: list[tuple[int, str, tuple[Any, ...]]]
    #: changed places with their new values; None: the place is empty now
    changes: dict[str, Any]
    #: the encoded stack of frames; empty if nothing was played
    stack: bytes
    #: new log entries: a bit mask of the logs that hold the entry, and its bytes, which are the same in all of them
    entries: list[tuple[int, bytes]]
    log_counters: LogCounters | None
    seats: dict[int, SeatState]
    status: MatchStatus | None
    terms: Terms | None


class LogRecord(msgspec.Struct, array_like=True):
    """A record read for its log entries alone: the first fields of a `MatchRecord`, the other ones left encoded.

    Decoding the changes of a match costs more than all the rest, and no log shows them.
    """

    at: int
    inputs: msgspec.Raw
    changes: msgspec.Raw
    stack: msgspec.Raw
    entries: list[tuple[int, bytes]]

    def log(self, number: int) -> list[bytes]:
        """Return the entries of this record that stand in one log."""
        bit = 1 << number
        return [body for mask, body in self.entries if mask & bit]


class Waypoint(msgspec.Struct, array_like=True, frozen=True):
    """A version with the lengths of all logs up to it: reading a log can start here."""

    version: int
    epoch: int
    nonce: bytes
    due: int
    counts: list[int]

    @property
    def head(self) -> Head:
        """The version, as the store identifies it."""
        return Head(self.version, self.epoch, self.nonce, self.due)


class Image(msgspec.Struct, array_like=True):
    """The content of a snapshot: a whole match as of one version."""

    terms: Terms
    status: MatchStatus
    seats: list[SeatState]
    log_counters: LogCounters
    #: the engine's own snapshot; empty before the match begins
    state: bytes
    waypoints: list[Waypoint]
    #: by log: the nonce of the commit with its last entry; empty: unknown
    log_nonces: list[bytes] = []


# ------------------------------------------------------------------------------------------------------- stored bytes

_encode = msgspec.msgpack.Encoder().encode
_decode_record = msgspec.msgpack.Decoder(MatchRecord).decode
_decode_log_record = msgspec.msgpack.Decoder(LogRecord).decode
_decode_image = msgspec.msgpack.Decoder(Image).decode


def encode(value: MatchRecord | Image, game: str) -> bytes:
    """Return the stored form of a record or snapshot of a match of this game."""
    return pack(_encode(value), game)


def decode_record(stored: bytes) -> MatchRecord:
    """Read a stored record; `UnknownFormat` if another build has written it in a form of its own."""
    return _decode_record(unpack(stored))


def decode_log_record(stored: bytes) -> LogRecord:
    """Read the log entries of a stored record; errors as in `decode_record`."""
    return _decode_log_record(unpack(stored))


def decode_image(stored: bytes) -> Image:
    """Read a stored snapshot; errors as in `decode_record`."""
    return _decode_image(unpack(stored))
