"""A stream whose seat is somebody else's is told nothing of it any more, even if it did not hear how that came."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from landsraad.v1 import play_pb2
from landsraad_server.hosting.credentials import Secret
from landsraad_server.hosting.position import Position
from landsraad_server.hosting.records import decode_record
from landsraad_server.hosting.report import Report
from landsraad_server.sessions.seats import SeatStream
from landsraad_server.worker import Worker

if TYPE_CHECKING:
    from tests.server.conftest import OpenLine, Seated

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("ours", [True, False])
async def test_by_a_log_with_another_end(ours: bool, seated: Seated, worker: Worker, line: OpenLine) -> None:
    """Which stream had the seat there is another matter: that may be one from before."""
    ticket, _ = await seated(2)
    match, stream = ticket.match.removeprefix("matches/"), line()
    await stream.subscribe(ticket)
    await stream.next("snapshot")
    await stream.ping()
    known = len(stream.told)

    def end_otherwise(position: Position) -> None:
        [listener] = worker.hall.host(match).listeners
        position.seats[ticket.seat].stream = "w.1"
        if not ours:
            position.terms.seats[ticket.seat].key = Secret().key
        listener.rewound(position, 2)

    await worker.hall.read(match, end_otherwise)
    if ours:
        await stream.ping()
        assert stream.kinds()[known:] == ["rewound", "snapshot", "pong"]
    else:
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_REVOKED
        assert stream.kinds()[known:] == ["closed"]


@pytest.mark.parametrize("ours", [True, False])
async def test_in_what_comes_after_what_it_hears(ours: bool, seated: Seated, worker: Worker, line: OpenLine) -> None:
    """Where much was missed the position is ahead of what is told: its plays may be those of the next holder."""
    ticket, _ = await seated(2)
    match, stream = ticket.match.removeprefix("matches/"), line()
    await stream.subscribe(ticket, plays=True)
    await stream.next("plays")
    records = [decode_record(entry.payload) for entry in await worker.hall.store.log.read(match)]
    told = next(record for record in reversed(records) if record.told)
    told.seats.clear()
    known = len(stream.told)

    def hear(position: Position) -> None:
        [listener] = worker.hall.host(match).listeners
        assert isinstance(listener, SeatStream)
        listener._offered = None  # as if there were others now
        if not ours:
            position.terms.seats[ticket.seat].key = Secret().key
        listener.hear(position, Report(told))

    await worker.hall.read(match, hear)
    await stream.ping()
    assert ("plays" in stream.kinds()[known:]) is ours
