"""Replays, certificates and the archive over real gRPC, for every way in which a match can end."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from landsraad import AsyncClient, errors, replay_files
from landsraad.models import ClockRules, Ticket
from landsraad.v1 import common_pb2, log_pb2, replays_pb2, replays_service_pb2
from landsraad.wire.seat_semantics import FIRST_EPOCH
from landsraad_engine.play.match import replay, verify
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.accounts.authentication import Authenticator
from landsraad_server.matches import match_changes
from landsraad_server.matches.match_clocks import KEPT_MS
from landsraad_server.matches.records import Ending
from landsraad_server.process.worker import Worker
from landsraad_server.store import Entry
from landsraad_server.store.errors import NotExecuted
from landsraad_testkit import DrivenMatch, HandClock, pass_time
from landsraad_testkit.calls import Calls
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio

Seated = Callable[..., Awaitable[list[Ticket]]]
Seat = Callable[..., Awaitable[DrivenMatch]]
End: TypeAlias = Callable[["Played"], Awaitable[None]]


# --- every way to end


class Played:
    """A match that has been played for a while, with ways to end it."""

    def __init__(self, table: DrivenMatch, worker: Worker, clock: HandClock, client: AsyncClient) -> None:
        self.table = table
        self.worker = worker
        self.clock = clock
        self.client = client
        self.match = table.tickets[0].match


async def to_the_end(played: Played) -> None:
    await played.table.play()


async def by_time(played: Played) -> None:
    await pass_time(played.worker, played.clock, 60_000)
    for _ in range(3):  # one question after the other, until one seat is left
        await pass_time(played.worker, played.clock, 60_000)


async def by_resigning(played: Played) -> None:
    for ticket in played.table.tickets[:2]:
        await played.client.seat(ticket).resign()


async def by_illegal_acts(played: Played) -> None:
    seat = played.table.asked()[0]
    wrong = played.table.clocks[seat].default
    wrong.generic.fields.add(name="nonsense")
    for seq in range(3):
        await played.table.stream.submit(wrong, 100 + seq, seat + 1)
        await played.table.stream.next("refusal", seat + 1)


async def by_its_maker(played: Played) -> None:
    await played.worker.hosts.change(
        played.match.removeprefix("matches/"), partial(match_changes.end_early, kind=Ending.ABORTED, reason="a test")
    )


async def by_our_fault(played: Played) -> None:
    await played.worker.hosts.change(
        played.match.removeprefix("matches/"),
        partial(match_changes.end_early, kind=Ending.INFRASTRUCTURE, reason="a test"),
    )


ENDS: dict[str, tuple[End, common_pb2.ResultKind.ValueType]] = {
    "played": (to_the_end, common_pb2.RESULT_KIND_PLAYED),
    "timeout": (by_time, common_pb2.RESULT_KIND_TIMEOUT),
    "resignation": (by_resigning, common_pb2.RESULT_KIND_RESIGNATION),
    "illegal_acts": (by_illegal_acts, common_pb2.RESULT_KIND_ILLEGAL_ACTS),
    "aborted": (by_its_maker, common_pb2.RESULT_KIND_ABORTED),
    "infrastructure": (by_our_fault, common_pb2.RESULT_KIND_INFRASTRUCTURE),
}

RULES = ClockRules(decision=60, outcome="resign")


async def test_every_kind_of_ending_is_here() -> None:
    assert {kind for _, kind in ENDS.values()} == set(common_pb2.ResultKind.values()) - {0}


@pytest.mark.parametrize("how", ENDS)
async def test_a_match_that_has_ended(
    how: str, table: Seat, worker: Worker, clock: HandClock, client: AsyncClient, tmp_path: Path
) -> None:
    """Check its result, all replays and its certificate, from the store and from the archive."""
    end, kind = ENDS[how]
    played = Played(await table(clock=RULES, illegal_acts_limit=3), worker, clock, client)
    await played.table.play(7)
    await end(played)
    info = await client.match(played.match)
    assert info.result is not None
    assert info.result.kind == how
    assert info.result.ending == ("harvest" if how == "played" else "")
    assert bool(info.result.winners) is (how in ("played", "timeout", "resignation"))
    assert (info.result.cause_seat is not None) is (how in ("timeout", "resignation", "illegal_acts"))
    first = await everything(client, played.match)
    assert first["certificate"].result.kind == kind
    await pass_time(worker, clock, KEPT_MS)
    assert await worker.hosts.store.log.read(played.match.removeprefix("matches/")) == []
    assert await everything(client, played.match) == first

    certificate = await client.certificate(played.match)
    assert verify(TEACHING, certificate) == []
    again = replay(TEACHING, certificate)
    for seat in (*range(3), None):
        told = (await client.replay(played.match, seat)).entries
        log = again.log(seat)
        assert [one.entry for one in told][: len(log)] == log
        # A question that is open when the match is ended from outside is taken back.
        assert {one.entry[0] for one in told[len(log) :]} <= {"closed", "at"}
    file = tmp_path / "replay.json.gz"
    replay_files.save_certificate(certificate, file)
    assert replay_files.load_replay(file)["journal_digest"] == certificate["journal_digest"]


async def everything(client: AsyncClient, match: str) -> dict[str, Any]:
    """Return all logs and the certificate, as encoded."""
    found: dict[str, Any] = {}
    name = match.replace("matches/", "replays/")
    for seat in (*range(3), None):
        request = replays_service_pb2.GetReplayRequest(name=name, seat=seat)
        found[f"seat {seat}"] = await client.call("Replays/GetReplay", request, replays_pb2.Replay)
    wanted = replays_service_pb2.GetCertificateRequest(name=name)
    found["certificate"] = await client.call("Replays/GetCertificate", wanted, replays_pb2.Certificate)
    return found


async def test_the_command_checks_a_certificate(
    table: Seat, client: AsyncClient, tmp_path: Path, plugged: dict[str, str]
) -> None:
    played = await table()
    await played.play()
    file = tmp_path / "replay.json.gz"
    replay_files.save_certificate(await client.certificate(played.tickets[0].match), file)
    command = [sys.executable, "-c", "from landsraad_cli import main; main()", "replay", str(file), "--check", "--json"]
    done = subprocess.run(command, env=plugged, capture_output=True, text=True, timeout=60, check=False)  # noqa: ASYNC221
    assert done.returncode == 0, done.stderr
    assert '"differences": []' in done.stdout


# --- during play


async def test_during_play_a_seat_reads_its_own_log_alone(table: Seat, client: AsyncClient) -> None:
    played = await table()
    await played.play(9)
    mine, other = played.tickets[0], played.tickets[1]
    name = mine.match.replace("matches/", "replays/")
    own = await read(client, name, 0, mine.credential)
    assert list(own.entries.entries) == played.logs[0]
    with pytest.raises(errors.NotAllowed):
        await read(client, name, 0, other.credential)
    with pytest.raises(errors.NotAllowed):
        await read(client, name, 0, "")
    public = await read(client, name, None, "")
    kinds = {entry.WhichOneof("body") for entry in public.entries.entries}
    assert kinds <= {"event", "step"}
    with pytest.raises(errors.WrongState):
        await client.certificate(mine.match)


async def read(
    client: AsyncClient, name: str, seat: int | None, credential: str, start: int = 1, size: int = 0
) -> replays_pb2.Replay:
    request = replays_service_pb2.GetReplayRequest(name=name, seat=seat, page_size=size, **{"from": start})
    return await client.call("Replays/GetReplay", request, replays_pb2.Replay, token=credential)


async def test_the_secret_is_nowhere_before_the_end(table: Seat, client: AsyncClient, worker: Worker) -> None:
    played = await table(2)
    await played.play(5)
    match = played.tickets[0].match
    hosted = worker.hosts.host(match.removeprefix("matches/")).hosted
    assert hosted is not None
    secret = hosted.terms.secret
    name = match.replace("matches/", "replays/")
    told = [await read(client, name, ticket.seat, ticket.credential) for ticket in played.tickets]
    told.append(await read(client, name, None, ""))
    assert not any(secret in one.SerializeToString() for one in (*told, *played.stream.received))
    await played.play()
    assert bytes.fromhex((await client.certificate(match))["secret"]) == secret


async def test_spectators_logs_are_as_late_as_their_streams(
    table: Seat, client: AsyncClient, worker: Worker, clock: HandClock
) -> None:
    played = await table(watch_delay=30)
    await played.play(9)
    name = played.tickets[0].match.replace("matches/", "replays/")
    await pass_time(worker, clock, 29_999)
    assert not (await read(client, name, None, "")).entries.entries
    await pass_time(worker, clock, 1)
    assert (await read(client, name, None, "")).entries.entries


async def test_a_log_comes_part_by_part(table: Seat, client: AsyncClient) -> None:
    played = await table(2)
    await played.play()
    name = played.tickets[0].match.replace("matches/", "replays/")
    whole = await read(client, name, 1, "")
    assert whole.next_from == 0
    parts: list[log_pb2.Entry] = []
    start = 1
    while start:
        part = await read(client, name, 1, "", start, 7)
        assert part.HasField("layout") is (start == 1)
        assert part.entries.first == start
        parts += part.entries.entries
        start = part.next_from
    assert parts == list(whole.entries.entries)


async def test_what_there_is_not_is_said(client: AsyncClient, table: Seat) -> None:
    waiting = await client.create_match("teaching", 2)
    with pytest.raises(errors.WrongState):
        await client.replay(waiting.name)
    with pytest.raises(errors.NotFound):
        await client.replay("matches/none")
    played = await table(2)
    for name, seat in (("replays/a/b", None), ("matches/x", None), (played.tickets[0].match, 0)):
        with pytest.raises(errors.BadRequest):
            await read(client, name, seat, "")


# --- the archive


async def test_the_list_of_replays_goes_page_by_page(
    client: AsyncClient, worker: Worker, clock: HandClock, seated: Seated
) -> None:
    matches = []
    for _ in range(5):
        tickets = await seated(2)
        matches.append(tickets[0].match)
        await client.seat(tickets[0]).resign()
        clock.advance(1)
    await pass_time(worker, clock, KEPT_MS)
    pages: list[list[str]] = []
    token = ""
    while not pages or token:
        request = replays_service_pb2.ListReplaysRequest(page_size=2, page_token=token, game="games/teaching")
        answer = await client.call("Replays/ListReplays", request, replays_service_pb2.ListReplaysResponse)
        pages.append([one.match.name for one in answer.replays])
        assert all(one.match.HasField("result") for one in answer.replays)
        token = answer.next_page_token
    assert pages == [matches[:2:-1], matches[2:0:-1], matches[:1]]
    other = replays_service_pb2.ListReplaysRequest(game="games/dune")
    assert not (await client.call("Replays/ListReplays", other, replays_service_pb2.ListReplaysResponse)).replays


@pytest.mark.parametrize("token", ["x", "../x", "9" * 65, "00000000000001-x", "00000000000001-x.index.y"])
async def test_a_page_that_does_not_exist(token: str, client: AsyncClient) -> None:
    request = replays_service_pb2.ListReplaysRequest(page_token=token)
    with pytest.raises(errors.BadRequest) as caught:
        await client.call("Replays/ListReplays", request, replays_service_pb2.ListReplaysResponse)
    assert list(caught.value.fields) == ["page_token"]


async def test_an_unlisted_match_is_for_those_who_were_in_it(
    worker: Worker, clock: HandClock, client: AsyncClient, table: Seat
) -> None:
    played = await table(2, unlisted=True)
    await client.seat(played.tickets[0]).resign()
    await pass_time(worker, clock, KEPT_MS)
    name = played.tickets[0].match.replace("matches/", "replays/")
    with pytest.raises(errors.NotAllowed):
        await read(client, name, None, "")
    request = replays_service_pb2.ListReplaysRequest()
    async with AsyncClient(worker.address) as stranger:
        listed = await stranger.call("Replays/ListReplays", request, replays_service_pb2.ListReplaysResponse)
    assert not listed.replays


async def test_what_was_archived_twice_is_there_once(
    table: Seat, worker: Worker, clock: HandClock, client: AsyncClient
) -> None:
    """A worker died after it had written the archive, and before the match had left the store."""
    played = await table(2)
    match = played.tickets[0].match
    await client.seat(played.tickets[0]).resign()
    hosted = await worker.hosts.read(match.removeprefix("matches/"), lambda hosted: hosted)
    entries = await worker.hosts.store.log.read(match.removeprefix("matches/"))
    await worker.hosts.archive.save(match.removeprefix("matches/"), entries, hosted.status.ended, b"\x90")
    await pass_time(worker, clock, KEPT_MS)
    assert (await client.match(match)).result is not None
    request = replays_service_pb2.ListReplaysRequest()
    listed = await client.call("Replays/ListReplays", request, replays_service_pb2.ListReplaysResponse)
    assert [one.match.name for one in listed.replays] == [match]


async def filed_meanwhile(worker: Worker, other: Worker, match: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `worker` read no log before another worker has archived it."""
    read = worker.hosts.store.log.read

    async def too_late(wanted: str, *bounds: Any) -> list[Entry]:
        await other.hosts.archive_match(match)
        return await read(wanted, *bounds)

    monkeypatch.setattr(worker.hosts.store.log, "read", too_late)


async def test_two_workers_that_archive_a_match_keep_it_whole(
    table: Seat, worker: Worker, client: AsyncClient, start_worker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One takes so long that its lease ends. The other finds the log in the store, and then does not."""
    played = await table(2)
    match = played.tickets[0].match.removeprefix("matches/")
    await client.seat(played.tickets[0]).resign()
    whole = await worker.hosts.store.log.read(match)
    await filed_meanwhile(worker, await start_worker(), match, monkeypatch)
    await worker.hosts.archive_match(match)
    assert [head for head, _ in await worker.hosts.archive.records(match)] == [entry.head for entry in whole]
    assert (await client.match(f"matches/{match}")).result is not None


async def test_what_followed_is_the_same_in_the_archive(table: Seat, worker: Worker, client: AsyncClient) -> None:
    played = await table(2)
    match = played.tickets[0].match.removeprefix("matches/")
    await client.seat(played.tickets[0]).resign()
    heads = [entry.head for entry in await worker.hosts.store.log.read(match)]
    in_store = [await worker.hosts.records(match, head) for head in heads]
    await worker.hosts.archive_match(match)
    assert [await worker.hosts.records(match, head) for head in heads] == in_store
    assert [len(records) for records in in_store] == list(range(len(heads)))[::-1]


async def test_a_match_that_is_archived_while_it_is_read_is_read_whole(
    table: Seat, worker: Worker, client: AsyncClient, start_worker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = await table(2)
    match = played.tickets[0].match
    await played.play()
    before = await client.certificate(match)
    await filed_meanwhile(worker, await start_worker(), match.removeprefix("matches/"), monkeypatch)
    assert await client.certificate(match) == before
    assert verify(TEACHING, before) == []


async def test_the_epoch_of_a_replay_is_that_of_its_match_also_where_that_leaves_the_store_meanwhile(
    table: Seat, worker: Worker, clock: HandClock, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = await table()
    await played.play()
    match, read = played.tickets[0].match.removeprefix("matches/"), worker.hosts.history

    async def at_last(*given: Any, **bounds: Any) -> Any:
        found = await read(*given, **bounds)
        await pass_time(worker, clock, KEPT_MS)
        return found

    monkeypatch.setattr(worker.hosts, "history", at_last)
    assert (await calls("Replays/GetReplay", name=f"replays/{match}")).epoch == FIRST_EPOCH


async def test_an_end_that_does_not_stand_reveals_nothing(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match is about to be over when its certificate is requested, but the store rejects that commit."""
    look, me = Authenticator.identify, "landsraad_guest_me"
    tried: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    async with Calls(worker.address) as calls, asyncio.timeout(PATIENCE_SECONDS):
        match = await calls.new(unlisted=True)
        host = worker.hosts.host(match.removeprefix("matches/"))
        for seat in (0, 1):
            await calls("Matches/JoinMatch", me, name=match, seat=seat)

        async def look_while_it_ends(accounts: Authenticator, bearer: str) -> Any:
            found = await look(accounts, bearer)
            monkeypatch.undo()
            with monkeypatch.context() as full:
                full.setattr(worker.hosts.store, "commit", lambda draft, done: tried.set_result(done))
                ends.append(asyncio.create_task(calls.reason("Matches/Resign", me, name=match, seat=0)))
                await tried
            return found

        ends: list[asyncio.Task[str]] = []
        monkeypatch.setattr(Authenticator, "identify", look_while_it_ends)
        name = match.replace("matches/", "replays/")
        asks = asyncio.create_task(calls.reason("Replays/GetCertificate", me, name=name))
        done = await tried
        while not (host._queue or asks.done()):
            await calls("Catalog/ListGames")
        done(NotExecuted("no room"))
        assert (await ends[0], await asks) == ("STORE_LOST", "WRONG_STATE")
        assert (await calls("Matches/GetMatch", name=match)).state == common_pb2.MATCH_STATE_LIVE
