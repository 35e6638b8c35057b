"""Builds: a match is played to its end by the build that began it; other workers only serve its log."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

import left_to_play
from landsraad import AsyncClient, errors
from landsraad.models import ClockRules
from landsraad.testing.players import play_all
from landsraad.testing.players import seated as seat_all
from landsraad.v1 import errors_pb2, log_pb2, play_pb2, play_service_pb2
from landsraad_engine.errors import BadOption
from landsraad_engine.play.build import engine_build
from landsraad_engine.teaching.acts import Pass
from landsraad_engine.teaching.game import Teaching
from landsraad_server.api import matches_service
from landsraad_server.matches import builds
from landsraad_server.matches.match_hosts import LoadedMatch
from landsraad_server.process.worker import Worker
from landsraad_server.store import EmbeddedServer, Head, IndexState
from landsraad_testkit import HandClock, RawSeat, pass_time, play_together
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Rewind, Seated, StartWorker

pytestmark = pytest.mark.asyncio

Upgrade = Callable[[], None]


@pytest.fixture(params=["rules", "components", "files"])
def upgrade(request: pytest.FixtureRequest, worker: Worker, monkeypatch: pytest.MonkeyPatch) -> Iterator[Upgrade]:
    """Return a function after whose call all workers but `worker` have another build.

    They have newer rules, other component values, or not the content file that a match names.
    """
    load = worker.hosts.load

    async def load_as_before(match: str, since: Head) -> LoadedMatch:
        loaded = await load(match, since)
        loaded.hosted.ours = True
        return loaded

    monkeypatch.setattr(worker.hosts, "load", load_as_before)
    with pytest.MonkeyPatch.context() as before:
        if request.param == "rules":
            for module in (builds, matches_service):
                before.setattr(module, "engine_build", lambda: "1.0+old")
        elif request.param == "components":
            before.setattr(Teaching, "content_digest", lambda *_: "old")
        if request.param == "files":
            yield lambda: monkeypatch.setattr(Teaching, "content_digest", not_offered)
        else:
            yield before.undo


def not_offered(*_: Any) -> Any:
    raise BadOption("content", "no content file of that name is offered here")


#: The client's calls are tried for a while before they fail: one kind of upgrade is enough.
ONCE = pytest.mark.parametrize("upgrade", ["rules"], indirect=True)


async def halfway(seated: Seated, open_stream: OpenStream, **terms: Any) -> list[RawSeat]:
    """Return a match in which some acts were played by the old rules."""
    seats = [RawSeat(ticket, 2, subscription=at) for at, ticket in enumerate(await seated(2, **terms), 1)]
    stream = open_stream()
    for seat in seats:
        await seat.begin(stream)
    assert await play_together(stream, seats, 6)
    await stream.cut()
    return seats


async def test_it_is_told_but_not_advanced_elsewhere(
    seated: Seated, open_stream: OpenStream, start_worker: StartWorker, upgrade: Upgrade
) -> None:
    seats = await halfway(seated, open_stream)
    upgrade()
    newer = await start_worker()
    for seat in seats:
        stream = open_stream(newer.address)
        await stream.subscribe(seat.ticket)
        log = RawSeat(seat.ticket, 2).log
        for item in [await stream.find(lambda item: item.HasField("entries"))]:
            log.take(item)
        assert log.entries.items() >= seat.log.entries.items()
        assert "snapshot" not in stream.kinds()
        await stream.submit(seat.log.codec.act(Pass()), 1000)
        refusal = await stream.next("refusal")
        assert refusal.reason == errors_pb2.ERROR_REASON_OTHER_BUILD
        assert refusal.retry_ms
    # Those that can, go on meanwhile, and it is told here, too.
    old = open_stream()
    for seat in seats:
        await seat.begin(old)
    await play_together(old, seats)
    assert newer.counters.actions == newer.counters.faults == 0


@ONCE
async def test_a_log_that_lost_its_end_is_told_no_further_elsewhere(
    seated: Seated, open_stream: OpenStream, start_worker: StartWorker, upgrade: Upgrade, rewind: Rewind
) -> None:
    """Going on needs new dice, and those need the rules."""
    seats = await halfway(seated, open_stream)
    match = seats[0].ticket.match.removeprefix("matches/")
    upgrade()
    newer = await start_worker()
    stream = open_stream(newer.address)
    await stream.subscribe(seats[0].ticket)
    await stream.next("entries")
    rewind(match, [entry.head for entry in await newer.hosts.store.log.read(match)][-6])
    await newer.hosts.read(match, lambda _: None)
    assert (await stream.next("rewound")).epoch == 1
    assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_UNAVAILABLE
    assert newer.counters.rewinds == newer.counters.faults == 0


@ONCE
async def test_calls_say_the_same(
    seated: Seated, open_stream: OpenStream, start_worker: StartWorker, upgrade: Upgrade
) -> None:
    tickets = [seat.ticket for seat in await halfway(seated, open_stream)]
    upgrade()
    newer = await start_worker()
    async with AsyncClient(newer.address, retry_timeout=0.0) as client:
        assert (await client.match(tickets[0].match)).state == "live"
        seat = client.seat(tickets[0])
        with pytest.raises(errors.LandsraadError, match="another build"):
            await seat.resign()
        request = play_service_pb2.GetObservationRequest(match=tickets[0].match, seat=0)
        with pytest.raises(errors.LandsraadError, match="another build"):
            await client.call("Play/GetObservation", request, log_pb2.Observation, token=tickets[0].credential)
    assert newer.counters.faults == 0


@ONCE
async def test_who_is_told_by_one_build_can_play_by_calls_to_the_other(
    client: AsyncClient, worker: Worker, start_worker: StartWorker, upgrade: Upgrade, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As behind a proxy during a rolling update: a stream stays at its worker, and calls go to any."""
    newer = await start_worker()
    monkeypatch.setattr(worker.hosts.presence, "preferred_address", lambda *_, **__: newer.own_address)
    seats = await seat_all(client, 2, "teaching")
    upgrade()
    async with asyncio.timeout(PATIENCE_SECONDS):
        assert sum(await play_all(seats)) > 2
    assert seats[0].result is not None
    assert newer.counters.refusals["OTHER_BUILD"]
    assert worker.counters.faults == newer.counters.faults == newer.counters.actions == 0


@ONCE
async def test_a_match_that_is_to_begin_does_not_begin_elsewhere(
    client: AsyncClient, start_worker: StartWorker, upgrade: Upgrade
) -> None:
    made = await client.create_match("teaching", 2)
    await client.join(made.name)
    upgrade()
    newer = await start_worker()
    async with AsyncClient(newer.address, retry_timeout=0.0) as other:
        with pytest.raises(errors.LandsraadError, match="another build"):
            await other.join(made.name)
        assert (await other.match(made.name)).state == "open"
    await client.join(made.name)
    assert (await client.match(made.name)).state == "live"


@ONCE
async def test_an_operator_can_see_when_a_build_is_not_needed_any_more(
    client: AsyncClient, worker: Worker, server: EmbeddedServer, upgrade: Upgrade
) -> None:
    """By the check that `deploy/README.md` demands before old workers are deleted."""
    await client.create_match("teaching", 2)
    upgrade()
    needed = await client.create_match("teaching", 2)

    async def left() -> tuple[int, list[str]]:
        await worker.hosts.store.index.count(IndexState.OPEN)  # what was sent to the index before that has arrived
        command = [sys.executable, left_to_play.__file__]
        environment = {**os.environ, "LANDSRAAD_REDIS": server.url}
        done = await asyncio.to_thread(subprocess.run, command, env=environment, capture_output=True, text=True)
        return done.returncode, [line.strip() for line in (done.stdout + done.stderr).splitlines()]

    here = engine_build()
    assert await left() == (1, sorted(["1  1.0+old", f"1  {here}  (here)"], key=lambda line: line.split()[1]))
    await client.abort(needed.name)
    assert await left() == (0, sorted(["1  1.0+old", f"0  {here}  (here)"], key=lambda line: line.split()[1]))


async def test_a_finished_match_is_shown_and_certified_by_every_build(
    seated: Seated, open_stream: OpenStream, start_worker: StartWorker, upgrade: Upgrade, request: pytest.FixtureRequest
) -> None:
    seats = [RawSeat(ticket, 2, subscription=at) for at, ticket in enumerate(await seated(2), 1)]
    stream = open_stream()
    for seat in seats:
        await seat.begin(stream)
    await play_together(stream, seats)
    upgrade()
    newer = await start_worker()
    late = open_stream(newer.address)
    await late.subscribe(seats[0].ticket)
    assert (await late.next("snapshot")).observation.number == seats[0].log.number
    assert (await late.next("closed")).reason == play_pb2.CLOSED_REASON_OVER
    async with AsyncClient(newer.address, retry_timeout=0.0) as client:
        if "files" in request.node.name:  # without it nobody can say what the match was played with
            with pytest.raises(errors.LandsraadError, match="another build"):
                await client.certificate(seats[0].ticket.match)
            return
        certificate = await client.certificate(seats[0].ticket.match)
    assert "old" in (certificate["engine"].partition("+")[2], certificate["content"])


async def test_its_clock_waits_for_a_worker_of_its_own(
    seated: Seated,
    open_stream: OpenStream,
    start_worker: StartWorker,
    upgrade: Upgrade,
    worker: Worker,
    clock: HandClock,
) -> None:
    seats = await halfway(seated, open_stream, clock=ClockRules(decision=5))
    match = seats[0].ticket.match.removeprefix("matches/")
    worker.hosts.store.clocks.flush()
    upgrade()
    newer = await start_worker()
    await newer.hosts.read(match, lambda _: None)
    before = newer.hosts.host(match).head.version
    await pass_time(newer, clock, 6000)
    await newer.hosts.read(match, lambda _: None)
    assert newer.hosts.host(match).head.version == before
    await pass_time(worker, clock, 2000)
    await worker.hosts.read(match, lambda _: None)
    assert worker.hosts.host(match).head.version > before


async def test_a_record_in_a_newer_format_is_refused_with_the_reason(
    seated: Seated, open_stream: OpenStream, worker: Worker
) -> None:
    """A fleet reads a dictionary one release before it is written, so this is an operator's mistake, and is logged."""
    tickets = await seated(2)
    match, stream = tickets[0].match.removeprefix("matches/"), open_stream()
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    log = worker.hosts.store.log
    await worker.hosts.store.committed(log.draft(match, await log.head(match), b"\x63 of a newer build"))
    assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_UNAVAILABLE
    async with AsyncClient(worker.address, retry_timeout=0.0) as client:
        with pytest.raises(errors.LandsraadError, match="format 99"):
            await client.match(tickets[0].match)
    assert worker.counters.refusals["OTHER_BUILD"]
    assert worker.counters.faults
