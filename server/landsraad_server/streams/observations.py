"""What a seat, or a spectator, knows now; and cursors into its log."""

from __future__ import annotations

from landsraad.v1 import common_pb2, play_pb2
from landsraad.wire.entries import write_observation
from landsraad.wire.fields import framed, tag
from landsraad_engine.knowledge.information import KnownTable, view_of
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import FIRST_EPOCH

_OBSERVATION = tag(play_pb2.Snapshot.DESCRIPTOR, "observation")


def observation(position: HostedMatch, seat: int | None, epoch: int) -> bytes:
    """The bytes of `Observation`, as of the position."""
    log = -1 if seat is None else seat
    decision = 0 if seat is None else position.decision(seat)
    view = KnownTable(seat) if position.live is None else view_of(position.game.g, seat, decision)
    return write_observation(
        view,
        match=position.name,
        number=position.marks.counts[log],
        epoch=epoch,
        last_seq=0 if seat is None else position.seats[seat].seq,
        during=position.marks.steps[log],
    )


def snapshot_bytes(observation: bytes, reason: play_pb2.SnapshotReason.ValueType) -> bytes:
    """The bytes of `Snapshot`."""
    return framed(_OBSERVATION, observation) + play_pb2.Snapshot(reason=reason).SerializeToString()


# `from` is a word of Python, so that field cannot be spelled like the others.


def cursor_at(epoch: int, number: int) -> common_pb2.Cursor:
    """The cursor of an entry."""
    return common_pb2.Cursor(epoch=epoch, **{"from": number})


def fits(cursor: common_pb2.Cursor, epoch: int) -> bool:
    """Whether what a cursor's client has been told before is part of the log in this epoch."""
    # Without an epoch nobody knows, unless nothing was told yet or nothing was ever lost.
    return cursor.epoch == epoch or (not cursor.epoch and (wanted(cursor) == 1 or epoch == FIRST_EPOCH))


def wanted(cursor: common_pb2.Cursor | None) -> int:
    """The number of the first entry that a cursor asks for; 0: a snapshot instead."""
    return 0 if cursor is None else int(getattr(cursor, "from"))
