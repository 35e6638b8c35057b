"""Rate limits and quotas over real gRPC: each is enforced, reported with a retry delay, and counted."""

from __future__ import annotations

import ipaddress
from typing import Any

import grpc
import pytest
from prometheus_client import generate_latest

from landsraad import AsyncClient
from landsraad.models import Ticket
from landsraad.transport import CallRefused
from landsraad.v1 import matches_pb2, matches_service_pb2, play_pb2
from landsraad.wire.refusals import reason_of
from landsraad_server.accounts.rate_limiter import address_of
from landsraad_server.api.calls import HEAVY
from landsraad_server.streams import play_session
from landsraad_server.streams.seat_stream import MOST_ORDERS
from landsraad_server.telemetry import metrics
from landsraad_testkit import HandClock, StoreProxy
from landsraad_testkit.calls import METHODS, Calls
from landsraad_testkit.raw_stream import RawStream

pytestmark = pytest.mark.asyncio

ME, OTHER = "landsraad_guest_me", "landsraad_guest_other"


async def until_refused(calls: Calls, most: int, method: str, token: str = "", **fields: Any) -> tuple[int, Any]:
    """Repeat a call until it is rate-limited; return the number of answers."""
    for done in range(most):
        try:
            await calls(method, token, **fields)
        except Exception:  # noqa: BLE001  looked at below
            return done, await calls.refusal(method, token, **fields)
    raise AssertionError(f"{most} times {method}")


async def test_calls_of_an_account(start_worker: Any, clock: HandClock) -> None:
    worker = await start_worker(call_rate=3)
    async with Calls(worker.address) as calls:
        match = await calls.new(ME)
        seat = await calls("Matches/JoinMatch", ME, name=match)
        asked = {"match": match, "seat": seat.seat}
        done, refusal = await until_refused(calls, 60, "Play/GetDecision", ME, **asked)
        assert done == 30 - 2  # a burst of ten seconds, of which two calls are spent
        assert (reason_of(refusal), refusal.code) == ("RATE_LIMITED", grpc.StatusCode.RESOURCE_EXHAUSTED.value[0])
        assert 0 < refusal.retry_ms <= 1000
        await calls("Play/GetDecision", seat.credential, **asked)  # seats and accounts have separate buckets
        await calls.new(OTHER)
        clock.advance(refusal.retry_ms)
        await calls("Play/GetDecision", ME, **asked)
        assert await calls.reason("Play/GetDecision", ME, **asked) == "RATE_LIMITED"
    assert worker.counters.limited["call", "account"] == 3
    assert worker.counters.refusals["RATE_LIMITED"] == 3
    text = generate_latest(metrics.registry(worker.counters)).decode()
    assert 'landsraad_limited_total{kind="call",scope="account"} 3.0' in text


async def test_calls_from_an_address(start_worker: Any, clock: HandClock) -> None:
    """Without credentials as well; all workers count together."""
    one, other = await start_worker(call_rate=2), await start_worker(call_rate=2)
    async with Calls(one.address) as calls, Calls(other.address) as elsewhere:
        done, refusal = await until_refused(calls, 100, "Catalog/ListGames")
        assert 0 < refusal.retry_ms <= 1000
        assert done == 80
        assert await elsewhere.reason("Matches/ListMatches", ME) == "RATE_LIMITED"
        clock.advance(10_000)
        assert (await until_refused(elsewhere, 100, "Catalog/ListGames"))[0] == 80


async def test_a_worker_whose_clock_is_ahead_keeps_nobody_waiting_at_others(
    start_worker: Any, clock: HandClock
) -> None:
    worker = await start_worker(call_rate=1)
    ahead = await start_worker(now=lambda: clock() + 60_000, call_rate=1)
    async with Calls(worker.address) as calls, Calls(ahead.address) as elsewhere:
        _, refusal = await until_refused(elsewhere, 100, "Catalog/ListGames")
        assert await calls.reason("Catalog/ListGames") == "RATE_LIMITED"
        clock.advance(refusal.retry_ms)
        await calls("Catalog/ListGames")


async def test_calls_that_take_long(start_worker: Any) -> None:
    """Heavy calls have a bucket of their own, beside that of all calls."""
    assert set(METHODS) >= HEAVY
    worker = await start_worker(heavy_rate=1)
    async with Calls(worker.address) as calls:
        done, refusal = await until_refused(calls, 60, "Catalog/GetGame", name="games/teaching")
        assert (done, reason_of(refusal)) == (40, "RATE_LIMITED")
        assert await calls.reason("Replays/ListReplays") == "RATE_LIMITED"
        await calls("Catalog/ListGames")


async def test_a_proxy_says_where_calls_come_from(start_worker: Any, raw_calls: Any) -> None:
    worker = await start_worker(call_rate=1, proxies=("127.0.0.0/8",))
    raw = raw_calls(worker.address)

    async def call(forwarded: str) -> grpc.StatusCode:
        answer = await raw.call(METHODS["Catalog/ListGames"], b"", metadata=[("x-forwarded-for", forwarded)])
        code: grpc.StatusCode = answer.code
        return code

    for _ in range(40):
        assert await call("203.0.113.7") is grpc.StatusCode.OK
    assert await call("203.0.113.7") is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await call("198.51.100.1, 203.0.113.7") is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await call("203.0.113.8") is grpc.StatusCode.OK


async def test_addresses() -> None:
    ours = (ipaddress.ip_network("10.0.0.0/8"),)
    assert address_of("ipv4:192.0.2.1:4711", "203.0.113.7", ours) == "192.0.2.1"  # not a trusted proxy
    assert address_of("ipv4:10.1.2.3:4711", "evil, 203.0.113.7", ours) == "203.0.113.7"
    assert address_of("ipv4:10.1.2.3:4711", "", ours) == "10.1.2.3"
    assert address_of("ipv6:%5B2001:db8::1%5D:4711", "", ours) == "2001:db8::1"
    assert address_of("ipv6:%5B::ffff:10.1.2.3%5D:4711", "203.0.113.7", ours) == "203.0.113.7"
    assert address_of("unix:", "", ours) == "unix"


async def test_streams_in_a_row(start_worker: Any) -> None:
    worker = await start_worker(connect_rate=1)
    for number in range(11):
        async with RawStream(worker.address, token=ME) as stream:
            if number < 10:
                await stream.ping()
            else:
                assert await stream.ended() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert worker.counters.limited["connect", "account"] == 1


async def test_attempts_at_seats_on_a_stream(start_worker: Any) -> None:
    """Guessing credentials on a stream is limited like plain calls."""
    worker = await start_worker(call_rate=1)
    async with RawStream(worker.address) as stream:
        for number in range(1, 42):
            await stream.subscribe(Ticket("matches/none", 0, f"landsraad_seat_none.0.{number}"), number)
        reasons = [reason_of(await stream.next("refusal")) for _ in range(41)]
    assert reasons == ["NO_CREDENTIAL"] * 40 + ["RATE_LIMITED"]


async def test_streams_at_a_time(start_worker: Any) -> None:
    worker = await start_worker(streams_per_account=2)
    async with RawStream(worker.address, token=ME) as one, RawStream(worker.address, token=ME) as two:
        await one.ping()
        await two.ping()
        async with RawStream(worker.address, token=ME) as third:
            assert await third.ended() is grpc.StatusCode.RESOURCE_EXHAUSTED
        async with RawStream(worker.address, token=OTHER) as other:
            await other.ping()
        await two.call.done_writing()
        await two.ended()
        async with RawStream(worker.address, token=ME) as again:
            await again.ping()
    assert worker.counters.refusals["QUOTA"] == 1


async def test_spectators_at_a_time(start_worker: Any) -> None:
    """Spectators without an account are counted by their address."""
    worker = await start_worker(streams_per_account=2)
    async with Calls(worker.address) as calls:
        match = await calls.new()
        watching = [calls.watch(match) for _ in range(2)]
        for each in watching:
            await anext(each)
        with pytest.raises(CallRefused) as refused:
            await anext(calls.watch(match))
        assert reason_of(refused.value.refusal) == "QUOTA"
        assert worker.counters.spectators == 2
        await anext(calls.watch(match, ME))
        for each in watching:
            await each.aclose()  # type: ignore[attr-defined]


async def test_new_matches_in_a_row(start_worker: Any) -> None:
    worker = await start_worker(match_rate=1)
    async with Calls(worker.address) as calls:
        for _ in range(10):
            await calls.new(ME)
        match = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)
        assert await calls.reason("Matches/CreateMatch", ME, match=match) == "RATE_LIMITED"
        await calls("Matches/CreateMatch", ME, match=match, validate_only=True)
        await calls.new(OTHER)


async def test_matches_at_a_time(start_worker: Any, raw: Any) -> None:
    worker = await start_worker(matches_per_account=2)
    match = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)
    async with Calls(worker.address) as calls:
        first = await calls.new(ME)
        again = {"match": match, "request_id": "second"}
        second = await calls("Matches/CreateMatch", ME, **again)
        assert await calls.reason("Matches/CreateMatch", ME, match=match) == "QUOTA"
        assert (await calls("Matches/CreateMatch", ME, **again)).name == second.name
        await calls.new(OTHER)
        await calls("Matches/AbortMatch", ME, name=first)
        await calls("Catalog/ListGames")
        while raw.zcard(f"made:{{{_guest(worker, second.name)}}}") > 1:  # released once the end is committed
            await calls("Catalog/ListGames")
        await calls.new(ME)
        assert await calls.reason("Matches/CreateMatch", ME, match=match) == "QUOTA"


async def test_what_a_dead_worker_has_not_counted(start_worker: Any, raw: Any, clock: HandClock) -> None:
    """Finished matches that still count are found, by means of the index, when the quota is full."""
    worker = await start_worker(matches_per_account=2)
    async with Calls(worker.address) as calls:
        match = await calls.new(ME)
        raw.zadd(f"made:{{{_guest(worker, match)}}}", {"gone": clock.now})
        clock.advance(60_001)
        await calls.new(ME)
        new = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)
        assert await calls.reason("Matches/CreateMatch", ME, match=new) == "QUOTA"


def _guest(worker: Any, match: str) -> str:
    creator: str = worker.hosts.by_match[match.partition("/")[2]].hosted.terms.creator
    return creator


async def test_seats_on_one_stream(seated: Any, open_stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_session, "MOST_SEATS", 2)
    async with open_stream() as stream:
        for number, ticket in enumerate(await seated(3), 1):
            await stream.subscribe(ticket, number)
        assert reason_of(await stream.next("refusal", 3)) == "QUOTA"
        for number in (1, 2):
            await stream.next("snapshot", number)


async def test_inputs_of_a_seat_that_wait(seated: Any, open_stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs beyond the limit are refused and not carried out."""
    monkeypatch.setattr(play_session, "MOST_IN_FLIGHT", 2)
    [ticket, *_] = await seated(2)
    async with open_stream() as stream:
        await stream.subscribe(ticket)
        await stream.next("snapshot")
        orders = [play_pb2.OrdersItem(seq=seq, orders=["auto"]) for seq in (1, 2, 3)]
        await stream.send(*(play_pb2.ClientItem(subscription=1, standing_orders=each) for each in orders))
        refusal = await stream.next("refusal")
        assert (reason_of(refusal), refusal.seq) == ("OVERLOADED", 3)
        assert refusal.retry_ms
        assert [(await stream.next("ack")).seq for _ in (1, 2)] == [1, 2]


async def test_orders_without_end(table: Any) -> None:
    """Standing orders wait for no decision, and each is stored in the log: their number is limited while nothing
    happens.
    """
    played = await table(2)
    for number in range(MOST_ORDERS):
        await played.order(0, *["auto"] * (number % 2))
    again = play_pb2.OrdersItem(seq=MOST_ORDERS + 1)
    await played.stream.send(play_pb2.ClientItem(subscription=1, standing_orders=again))
    refusal = await played.stream.next("refusal")
    assert (reason_of(refusal), refusal.seq) == ("RATE_LIMITED", again.seq)
    assert refusal.retry_ms
    await played.play(3)
    await played.order(0)


async def test_a_lost_store_keeps_nobody_out(start_worker: Any, proxy: StoreProxy, raw_calls: Any) -> None:
    """Calls that need no store are answered; others fail with STORE_LOST instead of RATE_LIMITED."""
    worker = await start_worker(proxy.url, call_rate=1)
    async with Calls(worker.address) as calls:
        await calls("Catalog/ListGames")
        await proxy.refuse()
        for _ in range(60):
            await calls("Catalog/ListGames")
    match = matches_service_pb2.GetMatchRequest(name="matches/1")
    answer = await raw_calls(worker.address).call(METHODS["Matches/GetMatch"], match.SerializeToString())
    assert reason_of(answer.refusal) == "STORE_LOST"
    await proxy.listen()


async def test_the_catalog_tells_the_limits(start_worker: Any) -> None:
    worker = await start_worker(streams_per_account=7, matches_per_account=8)
    async with Calls(worker.address) as calls:
        limits = (await calls("Catalog/ListGames")).limits
    assert (limits.streams_per_account, limits.matches_per_account) == (7, 8)
    assert all(value > 0 for _, value in limits.ListFields())
    assert len(limits.ListFields()) == len(limits.DESCRIPTOR.fields)


async def test_nobody_is_limited_by_tests_of_their_own_machine(client: AsyncClient, seated: Any) -> None:
    """The default limits of open accounts are far above what one machine can send."""
    tickets: list[Ticket] = []
    for _ in range(20):
        tickets += await seated(3)
    assert len(tickets) == 60
