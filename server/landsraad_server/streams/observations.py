"""What a seat, or a spectator, knows now."""

from __future__ import annotations

from landsraad.v1 import play_pb2
from landsraad.wire.entries import write_observation
from landsraad.wire.fields import framed, tag
from landsraad_engine.knowledge.information import KnownTable, view_of
from landsraad_server.matches.hosted_match import HostedMatch

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
