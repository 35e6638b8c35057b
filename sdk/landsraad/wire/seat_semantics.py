"""The semantics of a seat: inputs that count once, cursors into its log, and the refusals that go with both.

The service and `landsraad.testing.LocalService` decide by these functions, and one suite of tests runs against both.
They are pure: they know no match, no store and no connection.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from landsraad.v1 import act_pb2, common_pb2, play_pb2
from landsraad_engine.errors import Refused
from landsraad_engine.kernel.execution import order_problem
from landsraad_engine.kernel.game import Game
from landsraad_engine.kernel.grammar import Act

from .codec import Codec
from .refusals import Denied, bad_field

#: Of every log, until it loses its end; 0 stands for no epoch.
FIRST_EPOCH: Final = 1
#: Size of an act in bytes: no legal one has a tenth of it.
MOST_ACT_BYTES: Final = 4096
#: Entries in the answer to one call.
MOST_ENTRIES: Final = 256
_MOST_ORDERS, _MOST_ORDER_LENGTH = 64, 64


# --------------------------------------------------------------------------------------------------------------- inputs


class Ack(NamedTuple):
    """An input was accepted: its entry in the seat's own log (0: it has none), and the last entry after it."""

    seq: int
    entry: int
    last: int
    repeated: bool = False

    def message(self) -> play_pb2.Ack:
        """Write it as a message."""
        return play_pb2.Ack(seq=self.seq, entry=self.entry, last=self.last, repeated=self.repeated)

    @property
    def entries(self) -> int:
        """The number of log entries in the answer to a call: those up to the last consequence of the input.

        So a repeated call gets the same answer, however far the match has gone on.
        """
        return min(self.last - self.entry + 1, MOST_ENTRIES) if self.entry else 0


class LastInput(Protocol):
    """The last accepted input of a seat, with its stored answer."""

    @property
    def seq(self) -> int:
        """Its number; 0 before the first."""

    @property
    def entry(self) -> int:
        """See `Ack`."""

    @property
    def last(self) -> int:
        """See `Ack`."""


def earlier_answer(seq: int, known: LastInput) -> Ack | None:
    """Return the stored answer to an input that was accepted before, or None if the input is new.

    Raises:
        Denied: The input has no number, or another input was accepted since.
    """
    if seq > known.seq:
        return None
    if not seq:
        raise bad_field("seq", "inputs are counted from 1")
    if seq < known.seq:
        raise Denied("SUPERSEDED", f"the last accepted input of this seat is {known.seq}")
    return Ack(seq, known.entry, known.last, repeated=True)


class MeantFor(NamedTuple):
    """The question that an act answers, or the public step during which it is played; None if it does not say."""

    decision: int | None
    during: int | None


def meant_for(given: Any) -> MeantFor:
    """Read the target of a `SubmitItem` or a `SubmitRequest`."""
    named = given.WhichOneof("meant_for")
    return MeantFor(
        given.decision_id if named == "decision_id" else None,
        given.during if named == "during" else None,
    )


def read_act(codec: Codec, said: act_pb2.Act) -> Act:
    """Return the act that a client has sent; Refused if it is none of the game's.

    One that is too large is refused unread: to compare it with what is legal takes up to a second, in which no other
    client gets an answer.
    """
    if said.ByteSize() > MOST_ACT_BYTES:
        raise Refused("malformed", f"an act has {MOST_ACT_BYTES} bytes at most")
    return codec.read_act(said)


def check_orders(orders: Sequence[str], field: str = "orders") -> None:
    """Deny standing orders that are too many or too long; ``field`` is where the request has them."""
    if len(orders) > _MOST_ORDERS:
        raise bad_field(field, f"{_MOST_ORDERS} at most")
    if any(not 0 < len(order) <= _MOST_ORDER_LENGTH for order in orders):
        raise bad_field(field, f"each has 1 to {_MOST_ORDER_LENGTH} characters")


def check_known_orders(game: Game, orders: Sequence[str], field: str = "orders") -> None:
    """Deny standing orders that mean nothing in a game; `Game.standing_orders` of the catalog lists the others."""
    if problem := order_problem(game, orders):
        raise bad_field(field, problem)


def check_in_play(state: int) -> None:
    """Refuse what only a match that is being played can take; ``state`` is one of `MatchState`."""
    if state == common_pb2.MATCH_STATE_OVER:
        raise Refused("over", "the match has ended")
    if state != common_pb2.MATCH_STATE_LIVE:
        raise Denied("WRONG_STATE", "the match has not begun yet")


# -------------------------------------------------------------------------------------------------------------- cursors


# `from` is a word of Python, so that field cannot be spelled like the others.


def cursor_at(epoch: int, number: int, mark: bytes = b"") -> common_pb2.Cursor:
    """Return the cursor of an entry; `mark` is that of the entry before it."""
    return common_pb2.Cursor(epoch=epoch, mark=mark, **{"from": number})


def first_wanted(cursor: common_pb2.Cursor | None) -> int:
    """Return the number of the first entry that a cursor asks for; 0: it asks for a snapshot."""
    return 0 if cursor is None else int(getattr(cursor, "from"))


def fits(cursor: common_pb2.Cursor, epoch: int) -> bool:
    """Return True if the entries before a cursor are part of the log in this epoch."""
    # Without an epoch that is unknown, unless nothing was told yet or nothing was ever lost.
    return cursor.epoch == epoch or (not cursor.epoch and (first_wanted(cursor) == 1 or epoch == FIRST_EPOCH))


def snapshot_reason(
    cursor: common_pb2.Cursor | None, *, epoch: int, last: int
) -> play_pb2.SnapshotReason.ValueType | None:
    """Return why a client is sent a snapshot, or None if the log goes on from its cursor.

    Args:
        cursor: what the client has asked for.
        epoch: the epoch of the log.
        last: the number of its last entry.
    """
    if cursor is None or not first_wanted(cursor):
        return play_pb2.SNAPSHOT_REASON_ASKED
    if not fits(cursor, epoch) or first_wanted(cursor) > last + 1:
        return play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
    return None


# -------------------------------------------------------------------------------------------------------- subscriptions


def check_subscription(number: int, *, taken: bool) -> None:
    """Deny a number that no new subscription of a stream can have."""
    if not number:
        raise bad_field("subscription", "from 1")
    if taken:
        raise bad_field("subscription", "it is open already")


def not_open(number: int) -> Denied:
    """Return the refusal of an input for a subscription that is not open."""
    return bad_field("subscription", f"{number} is not open on this stream")
