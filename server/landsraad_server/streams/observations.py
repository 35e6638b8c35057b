"""Observations: snapshots of all that a seat or a spectator may know, and the cursors into its log."""

from __future__ import annotations

from landsraad.v1 import common_pb2, play_pb2
from landsraad.wire.entries import write_observation
from landsraad.wire.fields import framed, tag
from landsraad_engine.knowledge.information import KnownTable, view_of
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import FIRST_EPOCH

_OBSERVATION = tag(play_pb2.Snapshot.DESCRIPTOR, "observation")


def observation(hosted: HostedMatch, seat: int | None, epoch: int) -> bytes:
    """Encode the `Observation` of a seat, or of spectators for None."""
    log = -1 if seat is None else seat
    decision = 0 if seat is None else hosted.decision(seat)
    view = KnownTable(seat) if hosted.live is None else view_of(hosted.game.g, seat, decision)
    return write_observation(
        view,
        match=hosted.name,
        number=hosted.marks.counts[log],
        epoch=epoch,
        last_seq=0 if seat is None else hosted.seats[seat].seq,
        during=hosted.marks.steps[log],
    )


def snapshot_bytes(observation: bytes, reason: play_pb2.SnapshotReason.ValueType) -> bytes:
    """Encode a `Snapshot` from an encoded observation."""
    return framed(_OBSERVATION, observation) + play_pb2.Snapshot(reason=reason).SerializeToString()


# `from` is a keyword of Python, so that field of a cursor needs `getattr` and a dictionary.


def cursor_at(epoch: int, number: int) -> common_pb2.Cursor:
    """Return the cursor of an entry."""
    return common_pb2.Cursor(epoch=epoch, **{"from": number})


def is_valid_cursor(cursor: common_pb2.Cursor, epoch: int) -> bool:
    """Tell whether the entries before a cursor are part of the log in this epoch."""
    # A cursor without an epoch is only valid before the first entry, or in a log that never lost its end.
    return cursor.epoch == epoch or (not cursor.epoch and (first_wanted(cursor) == 1 or epoch == FIRST_EPOCH))


def first_wanted(cursor: common_pb2.Cursor | None) -> int:
    """Return the number of the first entry that a cursor asks for; 0 if it asks for a snapshot instead."""
    return 0 if cursor is None else int(getattr(cursor, "from"))
