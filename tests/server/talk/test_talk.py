"""Talk: who may say what to whom, who reads it, and what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from random import Random
from typing import Any

import pytest
import redis

from landsraad import AsyncClient
from landsraad.async_seat import AsyncSeat
from landsraad.errors import Stale
from landsraad.models import Ticket
from landsraad.transport import CallRefused
from landsraad.v1 import talk_service_pb2
from landsraad.wire.refusals import reason_of
from landsraad_engine.arrakis.acts import OpenCone
from landsraad_server.accounts.revocation_sweep import RevocationSweep
from landsraad_server.matches.match_clocks import KEPT_MS
from landsraad_server.matches.talk_channels import MOST_CHARACTERS
from landsraad_server.process.worker import Worker
from landsraad_server.store import keys, talk_store
from landsraad_server.store.talk_store import MOST_A_MINUTE
from landsraad_testkit import HandClock, pass_time
from landsraad_testkit.calls import Calls

pytestmark = pytest.mark.asyncio

WATCHER = "landsraad_guest_watcher"
PATIENCE_SECONDS = 20
EPOCH_MS = 1_900_000_000_000


class Table:
    """The seats of one match, with a plain way to talk."""

    def __init__(self, calls: Calls, tickets: list[Ticket], clock: HandClock) -> None:
        self._clock = clock
        self.calls = calls
        self.tickets = tickets
        self.match = tickets[0].match
        self._sent = 0

    def fields(self, seat: int, channel: str, text: str) -> dict[str, Any]:
        self._sent += 1
        self._clock.advance(1)
        said = {"channel": channel, "text": text, "request_id": f"r{self._sent}"}
        return {"match": self.match, "seat": seat, **said}

    async def say(self, seat: int, channel: str, text: str = "hello", **more: Any) -> Any:
        fields = {**self.fields(seat, channel, text), **more}
        return await self.calls("Talk/Send", self.tickets[seat].credential, **fields)

    async def refusal(self, seat: int, channel: str, text: str = "hello", **more: Any) -> str:
        fields = {**self.fields(seat, channel, text), **more}
        return await self.calls.reason("Talk/Send", self.tickets[seat].credential, **fields)

    def read(self, seat: int | None, token: str = "", **after: int) -> AsyncGenerator[Any, None]:
        credential = token if seat is None else self.tickets[seat].credential
        cursor = {name.replace("_", "-").strip("-"): number for name, number in after.items()}
        return self.calls.read_talk(self.match, credential, seat, cursor)


async def heard(stream: AsyncIterator[talk_service_pb2.ReadResponse], until: str) -> list[talk_service_pb2.TalkMessage]:
    """Read messages up to the one with a text."""
    found = []
    async with asyncio.timeout(PATIENCE_SECONDS):
        async for response in stream:
            found += [item.message for item in response.items if item.HasField("message")]
            if found and found[-1].text == until:
                return found
    raise AssertionError(f"the stream has ended without {until!r}")


def texts(messages: list[talk_service_pb2.TalkMessage]) -> list[str]:
    return [message.text for message in messages]


@pytest.fixture
def sit(calls: Calls, seated: Any, clock: HandClock) -> Any:
    async def run(seats: int = 3, **terms: Any) -> Table:
        return Table(calls, await seated(seats, **terms), clock)

    return run


async def test_the_table_is_heard_by_all_and_a_private_channel_by_its_seats(sit: Any) -> None:
    table = await sit(game="dune")
    await table.say(0, "table", "to all")
    await table.say(0, "0-2", "to one")
    await table.say(1, "table", "end")
    assert texts(await heard(table.read(0), "end")) == ["to all", "to one", "end"]
    assert texts(await heard(table.read(1), "end")) == ["to all", "end"]
    [first, second, _] = await heard(table.read(2), "end")
    assert (first.seat, first.channel, first.number) == (0, "table", 1)
    assert (second.seat, second.channel, second.number) == (0, "0-2", 1)
    assert texts(await heard(table.read(None), "end")) == ["to all", "end"]


async def test_what_others_say_in_private_changes_no_byte_for_a_seat(
    sit: Any, clock: HandClock, start_worker: Any, worker: Worker
) -> None:
    """Also not if it is said while the seat reads, at another worker."""
    elsewhere = await start_worker()

    async def received(table: Table, *, private: bool) -> bytes:
        got = b""
        async with Calls(elsewhere.address) as others, aclosing(table.read(1)) as stream:
            there = Table(others, table.tickets, clock)
            for number in range(3):
                if private:
                    await there.say(0, "0-2", "secret", request_id=f"elsewhere-{number}")
                clock.now = EPOCH_MS + number * 1000  # times are told
                await table.say(0, "table", f"said {number}")
                if private:
                    await table.say(2, "0-2", "secret, too")
                async with asyncio.timeout(PATIENCE_SECONDS):
                    while f"said {number}".encode() not in got:
                        got += (await anext(stream)).SerializeToString()
        return got

    quiet = await received(await sit(game="dune"), private=False)
    assert await received(await sit(game="dune"), private=True) == quiet
    assert b"secret" not in quiet


async def test_a_stream_resumes_after_its_cursor_on_each_channel(sit: Any) -> None:
    table = await sit(game="dune")
    for number in range(3):
        await table.say(0, "table", f"t{number}")
        await table.say(0, "0-1", f"p{number}")
    assert texts(await heard(table.read(1, table=1, _0_1=2), "p2")) == ["t1", "t2", "p2"]
    async with aclosing(table.read(1, table=3, _0_1=3)) as stream:
        await anext(stream)
        await table.say(2, "table", "new")
        assert texts(await heard(stream, "new")) == ["new"]
    async with aclosing(table.read(1, table=9, _0_1=9)) as stream:  # of numbers that a failover has lost
        await anext(stream)
        await table.say(2, "1-2", "other")
        await table.say(2, "table", "newer")
        assert texts(await heard(stream, "newer")) == ["other", "newer"]


async def test_a_request_is_carried_out_once(sit: Any) -> None:
    table = await sit()
    first = await table.say(0, "table", "one", request_id="same")
    assert await table.say(0, "table", "other words", request_id="same") == first
    assert (await table.say(1, "table", "another sender", request_id="same")).number == 2
    assert texts(await heard(table.read(2), "another sender")) == ["one", "another sender"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "x" * (MOST_CHARACTERS + 1),
        "a\nb",
        "a\x1b[2Jb",
        "a\u202eb",
        "a\u2066b",
        "a\u2028b",
        "a\x00",
        "\x9b31m",
    ],
)
async def test_bad_texts_are_refused(sit: Any, text: str) -> None:
    table = await sit(2)
    assert await table.refusal(0, "table", text) == "BAD_TEXT"


async def test_good_texts_are_sent_as_they_are(sit: Any) -> None:
    table = await sit(2)
    good = ["x" * MOST_CHARACTERS, "Muad'Dib — ¿qué?", "עברית", "👩\u200d🚀", "[bold]no markup[/bold]"]
    for text in good:
        await table.say(0, "table", text)
    assert texts(await heard(table.read(1), good[-1])) == good


async def test_a_seat_may_say_so_much_a_minute(sit: Any, clock: HandClock) -> None:
    table = await sit(2)
    for _ in range(MOST_A_MINUTE):
        await table.say(0, "table")
    refused = await table.calls.refusal(
        "Talk/Send", table.tickets[0].credential, **table.fields(0, "table", "too much")
    )
    assert reason_of(refused) == "RATE_LIMITED"
    await table.say(1, "table")
    clock.advance(refused.retry_ms)
    await table.say(0, "table", "again")
    assert await table.refusal(0, "table") == "RATE_LIMITED"


async def test_so_many_messages_are_kept_of_each_channel(
    sit: Any, clock: HandClock, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk_store, "MOST_KEPT", 3)
    table = await sit(game="dune")
    await table.say(0, "0-1", "kept")
    for number in range(6):
        await table.say(0, "table", f"t{number}")
    assert texts(await heard(table.read(1), "t5")) == ["kept", "t3", "t4", "t5"]
    assert texts(await heard(table.read(1, table=1), "t5")) == ["kept", "t3", "t4", "t5"]
    stored: Any = raw.hkeys(keys.talk(table.match.partition("/")[2]))
    assert len(stored) == 2 + 1 + 3 * (3 + 1)  # numbers, a budget, and message, request and answer of each


@pytest.mark.parametrize("channel", ["0-3", "1-0", "0-0", "1-2", "0", "-", "00-1", "spectators", "0-1-2-9"])
async def test_channels_that_are_none_of_the_senders(sit: Any, channel: str) -> None:
    table = await sit(game="dune")
    assert await table.refusal(0, channel) == "NO_SUCH_CHANNEL"


async def test_the_option_closes_private_channels_or_all(sit: Any) -> None:
    table = await sit(game="dune", options={"talk": "table"})
    await table.say(0, "table")
    assert await table.refusal(0, "0-1") == "CHANNEL_CLOSED"
    silent = await sit(game="dune", options={"talk": "off"})
    assert await silent.refusal(0, "table") == "TALK_OFF"
    assert list((await anext(silent.read(0))).items[0].open.channels) == []


async def test_before_a_match_begins_there_is_the_table_alone(calls: Calls) -> None:
    match = await calls.new()
    joined = await calls("Matches/JoinMatch", name=match, seat=0)
    said = {"match": match, "seat": 0, "text": "hello", "request_id": "1"}
    assert (await calls("Talk/Send", joined.credential, channel="table", **said)).number == 1
    assert await calls.reason("Talk/Send", joined.credential, channel="0-1", **{**said, "request_id": "2"}) == (
        "CHANNEL_CLOSED"
    )


async def test_a_seat_speaks_and_reads_for_itself_alone(sit: Any) -> None:
    table = await sit(game="dune")
    fields = table.fields(1, "table", "not me")
    assert await table.calls.reason("Talk/Send", table.tickets[0].credential, **fields) == "NOT_YOURS"
    assert await table.calls.reason("Talk/Send", **fields) == "NO_CREDENTIAL"
    with pytest.raises(CallRefused) as refused:
        await anext(table.calls.read_talk(table.match, table.tickets[0].credential, 1))
    assert reason_of(refused.value.refusal) == "NOT_YOURS"


async def test_a_muted_seat_is_not_heard(sit: Any, start_worker: Any) -> None:
    table = await sit(game="dune")
    mine = table.tickets[1].credential
    muting = {"match": table.match, "seat": 1, "muted_seat": 0}
    async with aclosing(table.read(1)) as stream:
        await anext(stream)
        await table.calls("Talk/Mute", mine, muted=True, **muting)
        assert await table.refusal(0, "0-1") == "MUTED"
        await table.say(0, "table", "unheard")
        await table.say(2, "table", "heard")
        assert texts(await heard(stream, "heard")) == ["heard"]
        assert texts(await heard(table.read(2), "heard")) == ["unheard", "heard"]
        await table.calls("Talk/Mute", mine, muted=False, **muting)
        await table.say(0, "0-1", "again")
        assert texts(await heard(stream, "again")) == ["again"]
    assert await table.calls.reason("Talk/Mute", mine, **{**muting, "muted_seat": 1}) == "BAD_FIELD"
    assert await table.calls.reason("Talk/Mute", mine, **{**muting, "muted_seat": 7}) == "NO_SUCH_SEAT"


async def test_spectators_hear_the_table_after_the_delay(sit: Any, worker: Worker, clock: HandClock) -> None:
    table = await sit(watch_delay=60.0)
    await table.say(0, "table", "early")
    clock.advance(30_000)
    await table.say(0, "table", "late")
    async with aclosing(table.read(None)) as stream:
        assert not [item for item in (await anext(stream)).items if item.HasField("message")]
        await pass_time(worker, clock, 30_000)
        assert texts(await heard(stream, "early")) == ["early"]
        await pass_time(worker, clock, 30_000)
        assert texts(await heard(stream, "late")) == ["late"]


async def test_spectators_have_a_channel_that_players_do_not_hear(sit: Any) -> None:
    table = await sit(2)
    said = {"match": table.match, "channel": "spectators", "text": "who wins?", "request_id": "1"}
    await table.calls("Talk/Send", WATCHER, **said)
    assert await table.calls.reason("Talk/Send", **{**said, "request_id": "2"}) == "NO_CREDENTIAL"
    assert await table.calls.reason("Talk/Send", WATCHER, **{**said, "channel": "table"}) == "NO_SUCH_CHANNEL"
    await table.say(0, "table", "end")
    found = await heard(table.read(None, WATCHER + "2"), "end")
    assert texts(found) == ["who wins?", "end"]
    assert found[0].account.startswith("guest-")
    assert not found[0].HasField("seat")
    for stream in (table.read(1), table.read(None)):  # a caller without an account may be anybody
        assert texts(await heard(stream, "end")) == ["end"]


async def test_a_player_does_not_hear_spectators_with_the_account_either(calls: Calls) -> None:
    me = "landsraad_guest_me"
    match = await calls.new(me)
    joined = [await calls("Matches/JoinMatch", me, name=match, seat=seat) for seat in (0, 1)]
    said = {"match": match, "channel": "spectators", "text": "psst", "request_id": "1"}
    await calls("Talk/Send", WATCHER, **said)
    assert await calls.reason("Talk/Send", me, **{**said, "request_id": "2"}) == "NOT_YOURS"
    table = {"match": match, "seat": 0, "channel": "table", "text": "end", "request_id": "3"}
    await calls("Talk/Send", joined[0].credential, **table)
    assert texts(await heard(calls.read_talk(match, me), "end")) == ["end"]


async def test_who_loses_the_seat_hears_nothing_more(sit: Any, worker: Worker) -> None:
    table = await sit(2)
    async with aclosing(table.read(0)) as stream:
        await anext(stream)
        await table.calls("Matches/Resign", table.tickets[0].credential, name=table.match, seat=0)
        await table.say(1, "table", "after the end")
        assert texts(await heard(stream, "after the end")) == ["after the end"]


async def test_a_revoked_token_ends_the_stream(start_worker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RevocationSweep, "every_seconds", 0.02)
    worker = await start_worker(auth="token")
    accounts = worker.hosts.store.accounts
    account = await accounts.create("alice", 1)
    token = await accounts.issue(account.identity, "test", 1)
    async with Calls(worker.address) as calls:
        match = await calls.new(token)
        async with aclosing(calls.read_talk(match, token)) as stream, asyncio.timeout(PATIENCE_SECONDS):
            assert list((await anext(stream)).items[0].open.channels) == ["spectators"]
            [issued] = await accounts.tokens(account.identity)
            await accounts.revoke(account.identity, issued.digest)
            assert [response async for response in stream] == []


async def test_talk_is_deleted_with_the_match(sit: Any, worker: Worker, clock: HandClock, raw: redis.Redis) -> None:
    table = await sit(2)
    name = table.match.partition("/")[2]
    await table.say(0, "table", "kept while the match is")
    assert raw.exists(keys.talk(name))
    await table.calls("Matches/Resign", table.tickets[0].credential, name=table.match, seat=0)
    async with aclosing(table.read(1)) as stream:
        assert texts(await heard(stream, "kept while the match is")) == ["kept while the match is"]
        await pass_time(worker, clock, KEPT_MS)
        while await worker.hosts.store.index.get(name) is not None:
            await table.calls("Matches/GetMatch", name=table.match)
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert [response async for response in stream] == []
    assert not raw.exists(keys.talk(name))
    assert await table.refusal(0, "table") == "OVER"
    assert not raw.exists(keys.talk(name))


async def test_a_worker_that_stops_hands_its_readers_over(sit: Any, start_worker: Any, worker: Worker) -> None:
    """The SDK goes on at another worker, and neither loses nor repeats a message."""
    table = await sit()
    other = await start_worker()
    async with AsyncClient(other.address, retry_timeout=10.0) as client, AsyncClient(worker.address) as late:
        seat = client.seat(table.tickets[1])
        stream = seat.talk_stream()
        async with aclosing(stream.messages()) as messages, asyncio.timeout(PATIENCE_SECONDS):
            await table.say(0, "table", "one")
            assert (await anext(messages)).text == "one"
            assert stream.open == ("table",)
            await other.drain(0.0)
            client._cells._home = late._cells._home  # where a restarted service would answer
            await table.say(0, "table", "two")
            assert (await anext(messages)).text == "two"


async def play_at_random(seat: AsyncSeat, go: asyncio.Event) -> None:
    """Play a seat while `go` is set."""
    rng = Random(seat.number)
    async for decision in seat:
        await go.wait()
        with suppress(Stale):
            await seat.answer(decision.sample(rng), decision)


async def test_partners_talk_while_their_cone_is_open(client: AsyncClient, sit: Any) -> None:
    """Messages sent before a channel closes can be read afterwards; none can be sent."""
    table = await sit(4, game="arrakis")
    seats = [client.seat(ticket) for ticket in table.tickets]
    go = asyncio.Event()
    async with asyncio.timeout(3 * PATIENCE_SECONDS), aclosing(table.read(0)) as stream:
        [opened] = (await anext(stream)).items
        assert list(opened.open.channels) == ["table"]
        assert await table.refusal(0, "0-1") == "CHANNEL_CLOSED"
        playing = [asyncio.create_task(play_at_random(seat, go)) for seat in seats]
        go.set()
        async for _ in seats[0].updates():
            if any(choice.act is OpenCone for choice in seats[0].plays.choices):
                go.clear()
                with suppress(Stale):
                    await seats[0].play(OpenCone())
                    break
                go.set()
        assert list((await anext(stream)).items[-1].open.channels) == ["table", "0-1"]
        said = await table.say(0, "0-1", "quick")
        await seats[1].say("heard", to=0)
        assert await table.refusal(2, "2-3") == "CHANNEL_CLOSED"
        assert await table.refusal(0, "0-2") == "CHANNEL_CLOSED"
        assert await table.refusal(2, "0-1") == "NO_SUCH_CHANNEL"
        assert texts(await heard(stream, "heard")) == ["quick", "heard"]
        go.set()
        assert list((await anext(stream)).items[-1].open.channels) == ["table"]
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    assert await table.refusal(1, "0-1") == "CHANNEL_CLOSED"
    assert await table.say(0, "0-1", "quick", request_id="r2") == said, "it was sent before"
    await table.say(2, "table", "end")
    assert texts(await heard(table.read(1), "end")) == ["quick", "heard", "end"]
    assert texts(await heard(table.read(2), "end")) == ["end"]


async def test_what_is_said_as_a_channel_closes_is_refused(
    sit: Any, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match moves on between the look at its channels and the store: the look is repeated."""
    table = await sit(game="dune")
    name = table.match.partition("/")[2]
    say = talk_store.TalkStore.say
    tries = []

    async def moving(store: Any, *given: Any, **more: Any) -> Any:
        tries.append(more["head"])
        if len(tries) == 1:
            await table.calls("Matches/Resign", table.tickets[2].credential, name=table.match, seat=2)
            await table.calls("Matches/Resign", table.tickets[1].credential, name=table.match, seat=1)
        return await say(store, *given, **more)

    monkeypatch.setattr(talk_store.TalkStore, "say", moving)
    assert await table.refusal(0, "0-1") == "CHANNEL_CLOSED"
    assert len(tries) == 1
    assert (await worker.hosts.store.talk.read(name)).messages == {}
