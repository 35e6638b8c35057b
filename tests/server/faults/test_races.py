"""Races: several workers act on one match at once, the store's answers are lost, or the store is away."""

from __future__ import annotations

import asyncio
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from landsraad.models import Ticket
from landsraad.v1 import act_pb2, common_pb2, matches_pb2, play_pb2
from landsraad_server.matches import match_changes
from landsraad_server.matches.credentials import SeatSecret
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_clocks import KEPT_MS
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.presence import PresenceTracker
from landsraad_server.matches.records import Ending, SeatPlan, decode_record, encode
from landsraad_server.matches.requests import ActInput
from landsraad_server.process.worker import Worker
from landsraad_server.store import GENESIS, Entry, Head, Store
from landsraad_server.store.errors import NotExecuted
from landsraad_server.store.pipeline import Pipeline
from landsraad_testkit import HandClock, RawSeat, RawStream, pass_time

if TYPE_CHECKING:
    from tests.server.conftest import OpenStream, Seated, StartWorker

    from landsraad_testkit import StoreProxy
    from landsraad_testkit.calls import Calls

pytestmark = pytest.mark.asyncio


async def play_all(seats: list[RawSeat], streams: list[RawStream]) -> None:
    """Play each seat on its stream, to the end."""
    await asyncio.gather(*(seat.begin(stream) for seat, stream in zip(seats, streams, strict=True)))
    done = await asyncio.gather(*(seat.play(stream) for seat, stream in zip(seats, streams, strict=True)))
    assert all(done)


async def answers(store: Store, ticket: Ticket) -> list[tuple[int, str, Any]]:
    """Return the answers and plays in the log, in order."""
    entries = await store.log.read(ticket.match.removeprefix("matches/"))
    put_in = [given for entry in entries for given in decode_record(entry.payload).inputs]
    return [given for given in put_in if given[1] in ("answer", "play")]


async def holds(worker: Worker, seats: list[RawSeat]) -> None:
    """Check that the log has each acknowledged act once and nothing else, and that all clients got one history."""
    log = await answers(worker.hosts.store, seats[0].ticket)
    for seat in seats:
        assert seat.over
        assert sum(given[0] == seat.ticket.seat for given in log) == len(seat.acks)
        told = [ack.entry for _, ack in sorted(seat.acks.items())]
        assert told == sorted(set(told))
        assert sorted(seat.log.entries) == list(range(min(seat.log.entries), seat.log.number + 1))


async def test_seats_of_one_match_on_different_workers(
    seated: Seated, worker: Worker, start_worker: StartWorker, open_stream: OpenStream
) -> None:
    others = [await start_worker() for _ in range(2)]
    tickets = await seated(4)
    addresses = [worker.address, *(other.address for other in others), worker.address]
    seats = [RawSeat(ticket, 4) for ticket in tickets]
    await play_all(seats, [open_stream(address) for address in addresses])
    await holds(worker, seats)
    counters = [one.counters for one in (worker, *others)]
    assert all(one.actions for one in counters)
    assert [one.faults for one in counters] == [0, 0, 0]


async def test_one_seat_now_here_now_there(seated: Seated, worker: Worker, start_worker: StartWorker) -> None:
    other = await start_worker()
    tickets = await seated(2)
    addresses = (worker.address, other.address)

    async def wander(seat: RawSeat) -> None:
        rng = Random(seat.ticket.seat)
        while not seat.over:
            async with RawStream(rng.choice(addresses)) as stream:
                await seat.begin(stream)
                await seat.play(stream, rng.randint(1, 6))

    seats = [RawSeat(ticket, 2) for ticket in tickets]
    await asyncio.gather(*map(wander, seats))
    await holds(worker, seats)


async def test_whoever_only_looks_brings_in_what_others_have_done(
    seated: Seated, worker: Worker, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cached match has no changes of its own, so it need not be reloaded."""
    other = await start_worker()
    match = (await seated(2))[0].match.removeprefix("matches/")
    monkeypatch.setattr(worker.hosts, "load", None)
    for number in range(3):

        def rename(hosted: HostedMatch, now: int, title: str = f"number {number}") -> None:
            hosted.changes.terms().title = title

        await other.hosts.change(match, rename)
        assert await worker.hosts.read(match, lambda hosted: hosted.terms.title) == f"number {number}"
    assert worker.counters.conflicts == 3
    assert worker.counters.faults == 0


def rename(hosted: HostedMatch, now: int, title: str) -> None:
    hosted.changes.terms().title = title


async def test_what_others_do_while_a_worker_makes_sure_of_its_head_is_told_afterwards(
    seated: Seated, worker: Worker, start_worker: StartWorker, open_stream: OpenStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await start_worker()
    ticket = (await seated(2))[0]
    match, stream = ticket.match.removeprefix("matches/"), open_stream()
    await stream.subscribe(ticket)
    assert (await stream.next("match")).title == ""
    await stream.ping()
    confirm, held = worker.hosts.store.log.confirm, asyncio.Queue[Any]()
    with monkeypatch.context() as slow:
        slow.setattr(
            worker.hosts.store.log,
            "confirm",
            lambda match, done: confirm(match, lambda head: held.put_nowait((done, head))),
        )
        looking = asyncio.create_task(worker.hosts.read(match, lambda hosted: hosted.terms.title))
        done, head = await asyncio.wait_for(held.get(), 10)
    await other.hosts.change(match, partial(rename, title="new"))
    follow = worker.hosts.host(match)._subscription
    assert follow is not None
    async with asyncio.timeout(10):
        while follow.head == head:  # until it is heard
            await other.hosts.read(match, lambda _: None)
    done(head)
    assert await looking == ""
    assert (await stream.next("match")).title == "new"


async def test_an_entry_of_another_history_is_not_brought_in(
    seated: Seated, worker: Worker, open_stream: OpenStream
) -> None:
    """It has the next number, but follows an entry that this worker does not know: the log decides."""
    ticket = (await seated(2))[0]
    match, stream = ticket.match.removeprefix("matches/"), open_stream()
    await stream.subscribe(ticket)
    await stream.next("snapshot")
    host, twin = worker.hosts.host(match), (await worker.hosts.load(match, GENESIS)).hosted
    rename(twin, 0, "of another history")
    record = twin.take_record(0)
    assert record is not None
    foreign = Head(host.head.version + 1, 1, b"foreign.1", 0)
    host._on_entry(Entry(foreign, b"unknown", encode(record, twin.terms.game)))
    assert await worker.hosts.read(match, lambda hosted: hosted.terms.title) == ""
    await stream.ping()
    assert {item.match.title for item in stream.received if item.HasField("match")} == {""}


def _told(came: asyncio.Queue[Any], _position: object, _seq: int, outcome: object) -> None:
    came.put_nowait(outcome)


async def test_the_same_act_sent_to_two_workers_at_once_is_taken_once(
    seated: Seated, worker: Worker, start_worker: StartWorker
) -> None:
    """Both commit. The loser runs the act again, and finds that it is accepted already."""
    other = await start_worker()
    for attempt in range(5):
        tickets = await seated(2)
        match = tickets[0].match.removeprefix("matches/")
        game = (await worker.hosts.read(match, lambda hosted: hosted)).game
        assert game.g.ask is not None
        act = game.codec.act(game.g.ask.options[0].sample(Random(attempt)))
        came: asyncio.Queue[Any] = asyncio.Queue()
        for one in (worker, other):
            await one.hosts.read(match, lambda _: None)  # so that both have it at hand
        for one in (worker, other):
            done = partial(_told, came)
            one.hosts.host(match).put(ActInput(0, 1, act, None, None, done, network_ms=0))
        acks = [await asyncio.wait_for(came.get(), 10) for _ in range(2)]
        assert acks[0][:3] == acks[1][:3]
        assert [ack.repeated for ack in acks] == [False, True]
        assert len(await answers(worker.hosts.store, tickets[0])) == 1
    assert worker.counters.conflicts + other.counters.conflicts > 0


async def test_an_act_that_is_looked_at_twice_is_held_against_its_seat_once(
    calls: Calls, worker: Worker, start_worker: StartWorker
) -> None:
    """Another worker was faster, so the refusal was not sent yet."""
    other = await start_worker()
    name = await calls.new(illegal_acts_limit=2)
    for _ in range(2):
        await calls("Matches/JoinMatch", name=name)
    match, came = name.removeprefix("matches/"), asyncio.Queue[Any]()
    await worker.hosts.read(match, lambda _: None)
    await other.hosts.change(match, partial(rename, title="new"))
    worker.hosts.host(match).put(ActInput(0, 1, act_pb2.Act(), None, None, partial(_told, came)))
    refused = await asyncio.wait_for(came.get(), 10)
    assert (refused.reason, worker.counters.conflicts) == ("malformed", 1)
    assert await worker.hosts.read(match, lambda hosted: (hosted.over, hosted.changes.refusals)) == (False, {0: 1})


@pytest.mark.parametrize("waits", [True, False])
async def test_who_has_asked_another_worker_meanwhile_keeps_what_it_was_given_there(
    waits: bool, calls: Calls, worker: Worker, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A join whose caller has given up commits second. It would revoke the credential of the repeated one."""
    other, name = await start_worker(), await calls.new()
    match, commit, held = name.removeprefix("matches/"), worker.hosts.store.commit, asyncio.Queue[Any]()
    first, second = SeatSecret(), SeatSecret()

    def joining(hosts: MatchHosts, secret: SeatSecret) -> asyncio.Task[int]:
        plan = SeatPlan(account="a", request="one", key=secret.key)
        return asyncio.create_task(hosts.change(match, partial(match_changes.join, wanted=0, plan=plan)))

    async with asyncio.timeout(10):
        await worker.hosts.read(match, lambda _: None)
        with monkeypatch.context() as slow:
            slow.setattr(worker.hosts.store, "commit", lambda *given: held.put_nowait(given))
            slowly = joining(worker.hosts, first)
            given = await held.get()
        if not waits:
            slowly.cancel()
        await joining(other.hosts, second)
        commit(*given)
        await asyncio.gather(slowly, return_exceptions=True)
        key = await worker.hosts.read(match, lambda hosted: hosted.terms.seats[0].key)
    assert key == (first if waits else second).key


async def test_a_commit_whose_answer_is_lost_is_not_done_twice(
    seated: Seated, worker: Worker, start_worker: StartWorker, proxy: StoreProxy, open_stream: OpenStream
) -> None:
    behind = await start_worker(proxy.url)
    tickets = await seated(2)
    seat, stream = RawSeat(tickets[0], 2), open_stream(behind.address)
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    await stream.ping()
    proxy.swallowing = True
    await seat.take(stream, stream.received)  # answers
    async with asyncio.timeout(10):
        while not await answers(worker.hosts.store, tickets[0]):
            pass
    proxy.cut()
    while not seat.acks:
        assert await seat.play(stream, 1)
    assert seat.put_off["ERROR_REASON_STORE_LOST"]
    assert seat.acks[1].repeated
    assert len(await answers(worker.hosts.store, tickets[0])) == 1
    assert behind.counters.faults == 0


async def test_without_its_store_a_worker_says_so_and_goes_on_afterwards(
    seated: Seated, worker: Worker, start_worker: StartWorker, proxy: StoreProxy, open_stream: OpenStream
) -> None:
    """It is not ready for new clients and takes no inputs, but streams stay, and later get what they have missed."""
    behind = await start_worker(proxy.url)
    tickets = await seated(2)
    here, there = RawSeat(tickets[0], 2), RawSeat(tickets[1], 2)
    stream, other = open_stream(behind.address), open_stream(worker.address)
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    async with aio.insecure_channel(behind.address) as channel:
        health = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert (await health.read()).status == health_pb2.HealthCheckResponse.SERVING
        await proxy.refuse()
        assert (await health.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        await here.take(stream, stream.received)  # answers, in vain
        assert await here.play(stream, 1)
        assert here.put_off["ERROR_REASON_STORE_LOST"]
        await there.begin(other)
        while not there.acks:
            await there.play(other, 1)
        assert "closed" not in stream.kinds()
        assert not here.acks
        await proxy.listen()
        assert (await health.read()).status == health_pb2.HealthCheckResponse.SERVING
        health.cancel()
    assert all(await asyncio.gather(here.play(stream), there.play(other)))
    await holds(worker, [here, there])
    assert behind.counters.faults == 0


async def test_a_worker_whose_store_is_lost_while_it_starts_does_not_say_that_it_serves(
    start_worker: StartWorker, proxy: StoreProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    appear, on_down, is_lost = PresenceTracker.announce, Pipeline.on_down, asyncio.Event()

    def lose(pipeline: Pipeline) -> None:
        on_down(pipeline)
        is_lost.set()

    async def lost_meanwhile(presence: PresenceTracker, address: str) -> None:
        monkeypatch.setattr(Pipeline, "on_down", lose)
        await proxy.refuse()
        async with asyncio.timeout(10):
            await is_lost.wait()
        await appear(presence, address)

    monkeypatch.setattr(PresenceTracker, "announce", lost_meanwhile)
    behind = await start_worker(proxy.url)
    async with aio.insecure_channel(behind.address) as channel:
        health = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert (await health.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        await proxy.listen()
        assert (await health.read()).status == health_pb2.HealthCheckResponse.SERVING
        health.cancel()


async def test_a_match_that_is_made_again_after_the_store_was_lost_is_the_same(
    worker: Worker, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker has discarded its cached copy, but knows that the match exists."""
    wanted = {"match": matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2), "request_id": "one"}
    made = await calls("Matches/CreateMatch", "landsraad_guest_me", **wanted)
    await calls("Matches/JoinMatch", "landsraad_guest_me", name=made.name, seat=0, player="first")

    def lost(*_: Any) -> None:
        raise NotExecuted("lost")

    with monkeypatch.context() as for_now:
        for_now.setattr(worker.hosts.store.log, "confirm", lost)
        assert await calls.reason("Matches/GetMatch", name=made.name) == "STORE_LOST"
    again = await calls("Matches/CreateMatch", "landsraad_guest_me", **wanted)
    assert [seat.player for seat in again.seats] == ["first", ""]
    assert again.commitment == made.commitment


async def test_whoever_plays_where_the_store_was_lost_until_the_match_had_gone_to_the_archive_is_not_left_waiting(
    seated: Seated,
    worker: Worker,
    start_worker: StartWorker,
    proxy: StoreProxy,
    open_stream: OpenStream,
    clock: HandClock,
) -> None:
    behind = await start_worker(proxy.url)
    ticket = (await seated(2))[0]
    match, stream = ticket.match.removeprefix("matches/"), open_stream(behind.address)
    await stream.subscribe(ticket)
    known = (await stream.next("snapshot")).observation
    await proxy.refuse()
    await worker.hosts.change(match, partial(match_changes.end_early, kind=Ending.INFRASTRUCTURE, reason=""))
    await pass_time(worker, clock, KEPT_MS)
    assert not await worker.hosts.store.log.read(match)
    await proxy.listen()
    closed = await stream.next("closed")
    assert closed.reason == play_pb2.CLOSED_REASON_UNAVAILABLE
    await stream.subscribe(ticket, 2, start=(known.epoch, known.number + 1))
    assert (await stream.next("match", 2)).state == common_pb2.MATCH_STATE_OVER
    assert (await stream.next("closed", 2)).reason == play_pb2.CLOSED_REASON_OVER
