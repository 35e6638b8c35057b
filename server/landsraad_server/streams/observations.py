"""Observations: snapshots of all that a seat or a spectator may know."""

from __future__ import annotations

from landsraad.v1 import play_pb2
from landsraad.wire.entries import write_observation
from landsraad.wire.fields import framed, tag
from landsraad_engine.knowledge.information import KnownTable, view_of
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.store import Head

_OBSERVATION = tag(play_pb2.Snapshot.DESCRIPTOR, "observation")


def observation(hosted: HostedMatch, seat: int | None, epoch: int) -> bytes:
    """Encode the `Observation` of a seat, or of spectators for None."""
    log = -1 if seat is None else seat
    decision = 0 if seat is None else hosted.decision(seat)
    view = KnownTable(seat) if hosted.running is None else view_of(hosted.game.g, seat, decision)
    return write_observation(
        view,
        match=hosted.name,
        number=hosted.log_counters.counts[log],
        epoch=epoch,
        last_seq=0 if seat is None else hosted.seats[seat].seq,
        during=hosted.log_counters.steps[log],
    )


def public_observation(hosted: HostedMatch, head: Head) -> bytes:
    """Encode the `Observation` of spectators at the version `head`, once for all who come while that is the last one.

    It costs most of letting a spectator in, and at a final a thousand come at once.
    """
    cached = hosted.public_observation
    if cached is None or cached[0] != head:
        cached = hosted.public_observation = head, observation(hosted, None, head.epoch)
    return cached[1]


def snapshot_bytes(observation: bytes, reason: play_pb2.SnapshotReason.ValueType, mark: bytes = b"") -> bytes:
    """Encode a `Snapshot` from an encoded observation."""
    return framed(_OBSERVATION, observation) + play_pb2.Snapshot(reason=reason, mark=mark).SerializeToString()
