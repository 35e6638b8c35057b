"""Spectators of a delayed match whose log has lost its end."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from landsraad.v1 import play_pb2
from landsraad_server.process.worker import Worker
from landsraad_testkit import HandClock, RawSeat, pass_time, play_together
from landsraad_testkit.spectator import public

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Rewind, Seat, Seated
    from tests.server.watching.conftest import Watch

pytestmark = pytest.mark.asyncio

DELAY_MS = 30_000


async def test_a_log_that_lost_its_end_is_told_again(
    table: Seat, watch: Watch, worker: Worker, clock: HandClock, rewind: Rewind
) -> None:
    played = await table(watch_delay=DELAY_MS / 1000)
    match = played.tickets[0].match.removeprefix("matches/")
    await played.play(6)
    kept = worker.hosts.host(match).head
    last = public(worker, match)
    clock.advance(1)
    await played.play(6)
    spectator = await watch(played.tickets[0].match)
    await spectator.until("snapshot")
    rewind(match, kept)
    with suppress(Exception):  # an act of a log that is not there any more
        await worker.hosts.change(match, lambda hosted, now: hosted.changes.status())
    item = await spectator.until("rewound")
    assert item.rewound.last == 0
    snapshot = await spectator.until("snapshot")
    assert (snapshot.snapshot.reason, snapshot.snapshot.observation.number) == (
        play_pb2.SNAPSHOT_REASON_OTHER_EPOCH,
        0,
    )
    await pass_time(worker, clock, DELAY_MS)
    await spectator.hear(last)
    assert snapshot.snapshot.observation.epoch == item.rewound.epoch == 2


async def committed(worker: Worker, match: str) -> int:
    """Return the number of the spectators' last committed entry; the next act may be on its way."""
    return await worker.hosts.read(match, lambda hosted: hosted.log_counters.counts[-1])


async def test_whoever_knows_the_lost_end_of_a_log_is_not_told_another_one_after_it(
    seated: Seated, open_stream: OpenStream, watch: Watch, worker: Worker, clock: HandClock, rewind: Rewind
) -> None:
    """Nor are spectators that have watched all the while, who get the new end with the usual delay."""
    tickets = await seated(2, watch_delay=DELAY_MS / 1000)
    match = tickets[0].match
    name = match.removeprefix("matches/")
    host = worker.hosts.host(name)
    stays, goes = [await watch(match) for _ in range(2)]
    for spectator in (stays, goes):
        await spectator.until("snapshot")
    seats, stream = [RawSeat(ticket, 2, subscription=ticket.seat + 1) for ticket in tickets], open_stream()
    for seat in seats:
        await seat.begin(stream, fresh=True)
    assert await play_together(stream, seats, 4)
    kept = host.head
    assert await play_together(stream, seats, 8)
    known = await committed(worker, name)
    await pass_time(worker, clock, DELAY_MS)
    await goes.hear(known)
    goes.call.cancel()
    rewind(name, kept)
    await worker.hosts.read(name, lambda _: None)
    assert (await stays.until("rewound")).rewound.epoch == 2
    while await committed(worker, name) <= known:
        assert await play_together(stream, seats, sum(len(seat.acks) for seat in seats) + 1)
    await pass_time(worker, clock, DELAY_MS)
    await stays.hear(known + 1)
    assert not any(seat.over for seat in seats)
    again = await watch(match, known + 1, epoch=1)
    assert (await again.until("snapshot")).snapshot.reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH
