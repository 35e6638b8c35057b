"""What stands in a match's log: one record for each entry, and an image of the whole now and then.

A record holds the *changes* that its inputs have made, so that whoever catches up runs no rules. What belongs to the
game (places, frames) and what belongs to the service (seats, clocks, standing) are apart: digests and sampled worlds
depend on the game alone.
"""

from __future__ import annotations

import secrets
from enum import IntEnum
from typing import Any

import msgspec

from landsraad_server.store import Head

#: Of every log, until it loses its end; 0 stands for no epoch.
FIRST_EPOCH = 1


class Fill(IntEnum):
    """How a seat is filled; the numbers are those of the protocol."""

    OPEN = 1
    INVITED = 2
    HOUSE = 3


class Presence(IntEnum):
    """Whether whoever plays a seat is there; the numbers are those of the protocol."""

    NOBODY = 0
    HERE = 1
    AWAY = 2
    RESIGNED = 3


class MatchStage(IntEnum):
    """Where a match stands; the numbers are those of the protocol."""

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
    """What a timeout does; the numbers are those of the protocol."""

    DEFAULT_ACT = 1
    RESIGN = 2
    HOUSE_BOT = 3


# ---------------------------------------------------------------------------------------------------- what is agreed


class SeatPlan(msgspec.Struct, array_like=True):
    """Who plays a seat. It changes while the match is open, or when a bot of the house takes over."""

    fill: Fill = Fill.OPEN
    invited: str = ""
    account: str = ""
    player: str = ""
    entropy: bytes = b""
    orders: tuple[str, ...] = ()
    #: name of the request by which the seat was taken
    request: str = ""
    #: digest of the credential that plays it; empty: nobody has one
    key: bytes = b""

    @property
    def taken(self) -> bool:
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
        """Whether a decision may not take for ever."""
        return bool(self.decision_ms or self.bank_ms)


def new_secret() -> bytes:
    """What all chance of a match follows from, together with what its seats add."""
    return secrets.token_bytes(32)


class Terms(msgspec.Struct, array_like=True):
    """What is agreed about a match."""

    game: str
    seats: list[SeatPlan]
    options: dict[str, Any]
    creator: str
    created: int
    #: all chance follows from it: it must never leave the store before the end
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


# ----------------------------------------------------------------------------------------------- the server's envelope


#: Stands for the stream of a seat whose credential has ended: whoever still plays it by that one is sent away.
REVOKED = "revoked"


class SeatState(msgspec.Struct, array_like=True):
    """What the service knows of a seat beside the game."""

    #: the last accepted input and its stored answer: entry that holds it, last entry of the log after it
    seq: int = 0
    entry: int = 0
    last: int = 0
    refused: int = 0
    presence: Presence = Presence.NOBODY
    bank_ms: int = 0
    #: when its open question was put, in ms since 1970; 0: it has none
    asked_at: int = 0
    #: since when nobody is connected for it; 0: somebody is
    away_at: int = 0
    #: time that was counted of its last answer
    thinking_ms: int = 0
    #: the stream that plays it; a newer one takes its place, on whichever worker
    stream: str = ""
    #: time that the network took of its last answer, and was not counted
    network_ms: int = 0
    #: whether its open question is that of a reaction window
    in_window: bool = False


class MatchResult(msgspec.Struct, array_like=True, frozen=True):
    """How a match ended, and for whom."""

    kind: Ending
    ending: str = ""
    winners: tuple[int, ...] = ()
    cause: int | None = None
    #: said by who has aborted it; everybody is shown it
    reason: str = ""


class MatchStatus(msgspec.Struct, array_like=True):
    """Where a match stands."""

    stage: MatchStage = MatchStage.OPEN
    started: int = 0
    ended: int = 0
    result: MatchResult | None = None


class LogCounters(msgspec.Struct, array_like=True):
    """How far the information logs go, the spectators' last: from these a worker goes on where another has stopped.

    Cursors are found by them, too: the entry with number n stands in the first record that counts as many.
    """

    counts: list[int]
    #: the entry that told the public step
    steps: list[int]
    #: the entry that put the open question (0: none)
    asked: list[int]
    #: since when a reaction window of fixed length is open, in ms since 1970 (0: none is)
    window_at: int = 0

    @classmethod
    def none(cls, seats: int) -> LogCounters:
        return cls([0] * (seats + 1), [0] * (seats + 1), [0] * seats)


# --------------------------------------------------------------------------------------------------------- in the store


class MatchRecord(msgspec.Struct, array_like=True):
    """One entry of a match's log."""

    at: int
    #: what was put in, as the engine's journal has it: seat, kind, act
    inputs: list[tuple[int, str, tuple[Any, ...]]]
    #: places that were written, with their values (None: empty now)
    changes: dict[str, Any]
    #: the stack of frames; empty if nothing was played
    stack: bytes
    #: what was told: bit mask of the logs that it stands in, and its bytes, which are the same in all of them
    told: list[tuple[int, bytes]]
    marks: LogCounters | None
    seats: dict[int, SeatState]
    standing: MatchStatus | None
    terms: Terms | None

    def log(self, number: int) -> list[bytes]:
        """The entries of this record that stand in one log."""
        bit = 1 << number
        return [body for mask, body in self.told if mask & bit]


class Waypoint(msgspec.Struct, array_like=True, frozen=True):
    """A version whose place in all logs is known: from here one can read on."""

    version: int
    epoch: int
    nonce: bytes
    due: int
    counts: list[int]

    @property
    def head(self) -> Head:
        return Head(self.version, self.epoch, self.nonce, self.due)


class Image(msgspec.Struct, array_like=True):
    """A match as of one version: what a snapshot holds."""

    terms: Terms
    standing: MatchStatus
    seats: list[SeatState]
    marks: LogCounters
    #: the engine's own image; empty before the match begins
    state: bytes
    waypoints: list[Waypoint]


_encoder = msgspec.msgpack.Encoder()
encode = _encoder.encode
decode_record = msgspec.msgpack.Decoder(MatchRecord).decode
decode_image = msgspec.msgpack.Decoder(Image).decode
