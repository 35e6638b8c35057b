"""Authorization: guests, tokens and seat credentials, and what revoking them ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import pytest_asyncio

from landsraad import AsyncClient, errors
from landsraad.models import AccountInfo
from landsraad.transport import CallRefused
from landsraad.v1 import accounts_service_pb2, common_pb2, matches_pb2, matches_service_pb2, play_pb2
from landsraad.wire.refusals import reason_of
from landsraad_server.accounts.authentication import Authenticator
from landsraad_server.accounts.revocation_sweep import RevocationSweep
from landsraad_server.matches import match_changes
from landsraad_server.process.worker import Worker
from landsraad_server.refusals import Denied
from landsraad_server.store.errors import NotExecuted
from landsraad_testkit.calls import METHODS, Calls
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def closed(start_worker: Any) -> AsyncIterator[tuple[Worker, Calls]]:
    """A worker that requires a token."""
    worker = await start_worker(auth="token")
    async with Calls(worker.address) as calls:
        yield worker, calls


async def token_of(worker: Worker, name: str) -> tuple[str, str]:
    """Create an account and return its identity and token."""
    accounts = worker.hosts.store.accounts
    account = await accounts.create(name, 1)
    return account.identity, await accounts.issue(account.identity, "test", 1)


# ----------------------------------------------------------------------------------------------------- open accounts


async def test_whoever_comes_without_an_account_gets_one_of_its_own(worker: Worker) -> None:
    async with AsyncClient(worker.address) as one, AsyncClient(worker.address) as other:
        match = await one.create_match("teaching", 2)
        assert one.token.startswith("landsraad_guest_")
        await other.join(match.name)
        assert other.token.startswith("landsraad_guest_")
        assert one.token != other.token
        assert [found.name for found in await one.matches(mine=True)] == [match.name]
        plans = await worker.hosts.read(match.name.partition("/")[2], lambda hosted: hosted.terms)
    assert plans.creator != plans.seats[0].account


async def test_a_guest_gets_its_token_in_the_answer(worker: Worker, calls: Calls) -> None:
    guest = await calls("Accounts/CreateGuest")
    assert guest.token.startswith("landsraad_guest_")
    made = await calls.new(guest.token)
    terms = await worker.hosts.read(made.partition("/")[2], lambda hosted: hosted.terms)
    assert terms.creator == guest.account.account_id
    told = await calls("Accounts/WhoAmI", guest.token)
    assert (told.account, list(told.roles)) == (guest.account, [accounts_service_pb2.ROLE_PLAYER])
    assert (guest.account.guest, guest.account.display_name) == (True, "")


async def test_without_a_token_nothing_is_created(raw_calls: Any) -> None:
    raw = raw_calls()
    match = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)
    for method, request in (
        ("Matches/CreateMatch", matches_service_pb2.CreateMatchRequest(match=match)),
        ("Matches/JoinMatch", matches_service_pb2.JoinMatchRequest(name="matches/1")),
        ("Accounts/WhoAmI", accounts_service_pb2.WhoAmIRequest()),
    ):
        answer = await raw.call(METHODS[method], request.SerializeToString())
        assert reason_of(answer.refusal) == "NO_CREDENTIAL"
        assert "Accounts.CreateGuest" in answer.refusal.message


async def test_a_repeated_request_of_a_guest_finds_the_same_guest(calls: Calls) -> None:
    """The first answer may be lost, and with it the token."""
    one, again, other = [(await calls("Accounts/CreateGuest", request_id=of * 32)).token for of in "556"]
    assert one == again != other
    assert len({(await calls("Accounts/CreateGuest")).token for _ in range(3)}) == 3
    for bad in ("5" * 31, "5" * 65):  # one could be guessed, and the other is no id
        refusal = await calls.refusal("Accounts/CreateGuest", request_id=bad)
        assert [violation.field for violation in refusal.violations] == ["request_id"]


# ------------------------------------------------------------------------------------------------ who somebody is


async def test_an_account_learns_its_id_without_an_operator(closed: tuple[Worker, Calls]) -> None:
    worker, calls = closed
    identity, token = await token_of(worker, "alice")
    async with AsyncClient(worker.address, token=token) as client:
        found = await client.whoami()
        assert found == AccountInfo(identity, "alice", guest=False, roles=("player",))
        assert (client.account, client.token) == (identity, token)
    match = await calls.new(token)
    joined = await calls("Matches/JoinMatch", token, name=match, seat=1)
    seen = await calls("Accounts/WhoAmI", joined.credential)
    assert (seen.account.account_id, seen.match, seen.seat) == (identity, match, 1)
    assert list(seen.roles) == [accounts_service_pb2.ROLE_SEAT]
    await calls("Matches/LeaveMatch", token, name=match, seat=1)
    for ended in ("", "landsraad_guest_me", "landsraad_token_made-up", joined.credential):
        assert await calls.reason("Accounts/WhoAmI", ended) == "NO_CREDENTIAL"
    assert await calls.reason("Accounts/CreateGuest") == "NO_CREDENTIAL"


async def test_a_service_without_guests_says_so_to_a_client_without_a_token(closed: tuple[Worker, Calls]) -> None:
    async with AsyncClient(closed[0].address) as client:
        for call in (client.whoami(), client.create_match("teaching", 2)):
            with pytest.raises(errors.NotAllowed, match="no guests"):
                await call


@pytest.mark.parametrize("by", ["id", "name"])
async def test_an_account_is_invited_by_id_or_name(closed: tuple[Worker, Calls], by: str) -> None:
    worker, _ = closed
    (_, host_token), (guest_id, guest_token) = await token_of(worker, "host"), await token_of(worker, "{bob} 1")
    async with (
        AsyncClient(worker.address, token=host_token) as host,
        AsyncClient(worker.address, token=guest_token) as guest,
    ):
        match = await host.create_match("teaching", ["open", guest_id if by == "id" else "{bob} 1"])
        assert match.seats[1].invited == guest_id
        with pytest.raises(errors.NotAllowed):
            await host.join(match.name, 1)
        assert (await guest.join(match.name)).number == 1


async def test_a_name_of_nobody_and_a_name_of_two(closed: tuple[Worker, Calls]) -> None:
    worker, _ = closed
    (_, token), (first, _), (second, _) = [await token_of(worker, name) for name in ("host", "bob", "bob")]
    async with AsyncClient(worker.address, token=token) as host:
        with pytest.raises(errors.NotFound) as unknown:
            await host.create_match("teaching", ["open", "Bob"])
        assert (unknown.value.reason, list(unknown.value.fields)) == ("no_such_account", ["match.seats[1].invited"])
        with pytest.raises(errors.BadRequest, match="several accounts") as ambiguous:
            await host.create_match("teaching", ["open", "bob"])
        assert list(ambiguous.value.fields) == ["match.seats[1].invited"]
        for account in (first, second):
            assert (await host.create_match("teaching", ["open", account])).seats[1].invited == account


async def test_a_guest_may_make_its_token_up(calls: Calls) -> None:
    match = await calls.new("landsraad_guest_alice")
    assert await calls.reason("Matches/StartMatch", "landsraad_guest_bob", name=match) == "NOT_YOURS"
    assert (await calls("Matches/StartMatch", "landsraad_guest_alice", name=match)).name == match


async def test_what_belongs_to_an_account_is_not_for_whoever_has_none(calls: Calls) -> None:
    match = await calls.new()
    for method in ("Matches/StartMatch", "Matches/AbortMatch"):
        assert await calls.reason(method, name=match) == "NO_CREDENTIAL"


async def test_a_token_that_is_not_known_is_no_guest(calls: Calls) -> None:
    match = matches_pb2.Match(game="games/teaching", seats=[matches_pb2.Seat()] * 2)
    for token in ("landsraad_token_made-up", "landsraad_seat_x.0.y", "nonsense"):
        assert await calls.reason("Matches/CreateMatch", token, match=match) == "NO_CREDENTIAL"


async def test_who_brings_a_wrong_token_is_not_told_to_bring_one(calls: Calls) -> None:
    for token, why in (("", "this needs the token"), ("nonsense", "this token is not valid")):
        assert (await calls.refusal("Matches/StartMatch", token, name="matches/1")).message.startswith(why)


# ----------------------------------------------------------------------------------------------------- by token alone


async def test_nobody_without_a_known_token(closed: tuple[Worker, Calls]) -> None:
    _, calls = closed
    for token in ("", "landsraad_guest_me", "landsraad_token_made-up"):
        assert await calls.reason("Matches/CreateMatch", token, match=matches_pb2.Match()) == "NO_CREDENTIAL"
        for method in ("Matches/JoinMatch", "Matches/StartMatch", "Matches/AbortMatch"):
            assert await calls.reason(method, token, name="matches/1") == "NO_CREDENTIAL"


async def test_an_account_plays_with_its_token(closed: tuple[Worker, Calls]) -> None:
    worker, calls = closed
    identity, token = await token_of(worker, "alice")
    match = await calls.new(token)
    joined = await calls("Matches/JoinMatch", token, name=match)
    assert joined.match.seats[joined.seat].player == "alice"
    for key in (token, joined.credential):
        found = await calls("Play/GetDecision", key, match=match, seat=joined.seat)
        assert found.state == common_pb2.MATCH_STATE_OPEN
    assert (await worker.hosts.store.accounts.tokens(identity))[0].label == "test"


async def test_an_invited_seat_is_for_its_account_alone(closed: tuple[Worker, Calls]) -> None:
    worker, calls = closed
    _, alice = await token_of(worker, "alice")
    bob_is, bob = await token_of(worker, "bob")
    invited = matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_INVITED, invited=bob_is)
    match = await calls.new(alice, seats=[matches_pb2.Seat(), invited])
    assert await calls.reason("Matches/JoinMatch", alice, name=match, seat=1) == "NOT_YOURS"
    assert (await calls("Matches/JoinMatch", bob, name=match)).seat == 1


@pytest.mark.parametrize("nobody", ["Open", "bob", "0123456789abcdef", "guest-0123456789abcdef"])
async def test_nobody_is_invited_who_cannot_come(closed: tuple[Worker, Calls], nobody: str) -> None:
    worker, calls = closed
    _, alice = await token_of(worker, "alice")
    seats = [matches_pb2.Seat(), matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_INVITED, invited=nobody)]
    given = matches_pb2.Match(game="games/teaching", seats=seats)
    refusal = await calls.refusal("Matches/CreateMatch", alice, match=given)
    assert reason_of(refusal) == "NO_SUCH_ACCOUNT"
    assert [violation.field for violation in refusal.violations] == ["match.seats[1].invited"]


@pytest.mark.parametrize(("invited", "fine"), [("guest-0123456789abcdef", True), ("guest-x", False), ("Open", False)])
async def test_of_guests_nobody_knows_who_there_is(calls: Calls, invited: str, fine: bool) -> None:
    seats = [matches_pb2.Seat(), matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_INVITED, invited=invited)]
    game = matches_pb2.Match(game="games/teaching", seats=seats)
    if fine:
        assert (await calls("Matches/CreateMatch", match=game)).seats[1].invited == invited
    else:
        assert await calls.reason("Matches/CreateMatch", match=game) == "NO_SUCH_ACCOUNT"


# -------------------------------------------------------------------------------------------------- seat credentials


async def test_a_credential_is_good_for_its_seat_alone(calls: Calls) -> None:
    match = await calls.new(seats=3)
    other_match = await calls.new(seats=3)
    mine = await calls("Matches/JoinMatch", name=match, seat=0)
    theirs = await calls("Matches/JoinMatch", name=match, seat=1)
    elsewhere = await calls("Matches/JoinMatch", name=other_match, seat=0)
    await calls("Play/GetDecision", mine.credential, match=match, seat=0)
    for token, reason in (
        (theirs.credential, "NOT_YOURS"),
        (elsewhere.credential, "NOT_YOURS"),
        ("landsraad_guest_somebody", "NOT_YOURS"),
        (mine.credential[:-1], "NO_CREDENTIAL"),
        (mine.credential.replace(".0.", ".1."), "NO_CREDENTIAL"),
        ("", "NO_CREDENTIAL"),
    ):
        assert await calls.reason("Play/GetDecision", token, match=match, seat=0) == reason
    assert await calls.reason("Play/GetDecision", "landsraad_guest_somebody", match=match, seat=7) == "NO_SUCH_SEAT"


async def test_a_stream_needs_a_credential_that_is_known(open_stream: Any, seated: Any) -> None:
    [seat, *_] = await seated(2)
    async with open_stream() as stream:
        await stream.subscribe(replace(seat, credential=""))
        assert reason_of(await stream.next("refusal")) == "NO_CREDENTIAL"
        await stream.subscribe(seat)
        await stream.next("snapshot")
    refused = open_stream(token="landsraad_token_made-up")
    async with refused:
        assert (await refused.ended()).name == "UNAUTHENTICATED"


async def test_who_leaves_is_sent_away_and_cannot_come_back(calls: Calls, open_stream: Any) -> None:
    match = await calls.new()
    joined = await calls("Matches/JoinMatch", name=match)
    subscribe = play_pb2.Subscribe(match=match, seat=joined.seat, credential=joined.credential)
    seat = {"name": match, "seat": joined.seat}
    async with open_stream() as stream:
        await stream.send(play_pb2.ClientItem(subscription=1, subscribe=subscribe))
        await stream.next("snapshot")
        left = await calls("Matches/LeaveMatch", joined.credential, **seat)
        assert left.seats[joined.seat].presence == matches_pb2.PRESENCE_UNSPECIFIED
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_REVOKED
        await stream.send(play_pb2.ClientItem(subscription=2, subscribe=subscribe))
        assert reason_of(await stream.next("refusal")) == "NO_CREDENTIAL"
    assert await calls.reason("Matches/LeaveMatch", joined.credential, **seat) == "NO_CREDENTIAL"


async def test_a_repeated_request_gets_the_same_seat_and_a_new_credential(calls: Calls, open_stream: Any) -> None:
    match = await calls.new()
    me = "landsraad_guest_me"
    first = await calls("Matches/JoinMatch", me, name=match, request_id="one")
    old = play_pb2.Subscribe(match=match, seat=first.seat, credential=first.credential)
    async with open_stream() as stream:
        await stream.send(play_pb2.ClientItem(subscription=1, subscribe=old))
        await stream.next("snapshot")
        again = await calls("Matches/JoinMatch", me, name=match, request_id="one")
        assert (again.seat, again.credential != first.credential) == (first.seat, True)
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_REVOKED
        new = play_pb2.Subscribe(match=match, seat=first.seat, credential=again.credential)
        await stream.send(play_pb2.ClientItem(subscription=2, subscribe=new))
        await stream.next("snapshot", 2)
    other = await calls("Matches/JoinMatch", "landsraad_guest_else", name=match, request_id="one")
    assert other.seat != first.seat


async def test_who_repeats_a_join_and_leaves_at_once_keeps_nothing(start_worker: Any) -> None:
    """In either order: a credential for a seat that was left would be good for the next player's seat."""
    one, other = await start_worker(), await start_worker()
    me = "landsraad_guest_me"
    async with Calls(one.address) as calls, Calls(other.address) as elsewhere:
        match = await calls.new()
        for _ in range(10):
            joined = await calls("Matches/JoinMatch", me, name=match, seat=0, request_id="one")
            again, _ = await asyncio.gather(
                elsewhere("Matches/JoinMatch", me, name=match, seat=0, request_id="one"),
                calls("Matches/LeaveMatch", me, name=match, seat=0),
            )
            seat = (await calls("Matches/GetMatch", name=match)).seats[0]
            known = [joined, again]
            good = [await calls.reason("Matches/Resign", had.credential, name=match, seat=0) for had in known]
            if seat.presence == matches_pb2.PRESENCE_UNSPECIFIED:
                assert set(good) == {"NO_CREDENTIAL"}
            else:  # left before it joined again
                assert good == ["NO_CREDENTIAL", "WRONG_STATE"]
                await calls("Matches/LeaveMatch", me, name=match, seat=0)


@pytest.mark.parametrize("by", ["credential", "token"])
async def test_who_loses_a_seat_while_taking_it_does_not_get_it(
    by: str, worker: Worker, calls: Calls, open_stream: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof was valid when it was checked; what counts is the moment of the commit."""
    match, me = await calls.new(), "landsraad_guest_me"
    joined = await calls("Matches/JoinMatch", me, name=match)
    look = Authenticator.prove_seat

    async def look_and_lose(accounts: Authenticator, *asked: Any) -> Any:
        found = await look(accounts, *asked)
        monkeypatch.undo()
        await calls("Matches/LeaveMatch", me, name=match, seat=joined.seat)
        await calls("Matches/JoinMatch", name=match, seat=joined.seat)
        return found

    monkeypatch.setattr(Authenticator, "prove_seat", look_and_lose)
    bearer = {"credential": joined.credential, "token": me}[by]
    wanted = play_pb2.Subscribe(match=match, seat=joined.seat, credential=bearer)
    async with open_stream() as stream:
        await stream.send(play_pb2.ClientItem(subscription=1, subscribe=wanted))
        reason = reason_of(await stream.next("refusal"))
    assert reason == {"credential": "NO_CREDENTIAL", "token": "NOT_YOURS"}[by]


CALLS_OF_A_SEAT = ["GetObservation", "GetDecision", "Explain", "Submit", "SetStandingOrders"]


@pytest.mark.parametrize("called", CALLS_OF_A_SEAT)
async def test_who_loses_a_seat_while_calling_is_told_nothing_and_does_nothing(
    called: str, worker: Worker, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await calls.new()
    joined, _ = [await calls("Matches/JoinMatch", name=match, seat=seat) for seat in (0, 1)]
    look = Authenticator.prove_seat

    async def look_and_lose(accounts: Authenticator, *asked: Any) -> Any:
        found = await look(accounts, *asked)
        await worker.hosts.change(match.partition("/")[2], partial(match_changes.revoke_seat, number=0))
        return found

    asked: dict[str, Any] = {"match": match, "seat": 0}
    if called in ("Submit", "SetStandingOrders"):
        asked["seq"] = 1
    if called == "Submit":
        decision = await calls("Play/GetDecision", joined.credential, match=match, seat=0)
        asked |= {"act": decision.clock.default, "decision_id": decision.decision_id}
    monkeypatch.setattr(Authenticator, "prove_seat", look_and_lose)
    assert await calls.reason(f"Play/{called}", joined.credential, **asked) == "NO_CREDENTIAL"
    assert (await worker.hosts.read(match.partition("/")[2], lambda hosted: hosted.seats[0].seq)) == 0


async def test_the_credential_of_who_has_lost_a_seat_to_the_house_ends_there(worker: Worker, calls: Calls) -> None:
    """It ends at once, not only when the house bot connects."""
    match = await calls.new()
    joined, _ = [await calls("Matches/JoinMatch", name=match, seat=seat) for seat in (0, 1)]
    await worker.hosts.change(match.partition("/")[2], partial(match_changes.give_to_house, number=0))
    assert await calls.reason("Play/GetObservation", joined.credential, match=match, seat=0) == "NO_CREDENTIAL"


async def test_a_revoked_token_closes_its_streams_on_every_worker(
    start_worker: Any, open_stream: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RevocationSweep, "every_seconds", 0.02)
    one, other = await start_worker(auth="token"), await start_worker(auth="token")
    calls, elsewhere = Calls(one.address), Calls(other.address)
    identity, token = await token_of(one, "alice")
    _, kept = await token_of(one, "bob")
    match = await calls.new(token, unlisted=True)
    await calls("Matches/JoinMatch", token, name=match, seat=0)
    await calls("Matches/JoinMatch", kept, name=match, seat=1)

    def item(number: int, seat: int, credential: str = "") -> play_pb2.ClientItem:
        wanted = play_pb2.Subscribe(match=match, seat=seat, credential=credential)
        return play_pb2.ClientItem(subscription=number, subscribe=wanted)

    async with open_stream(other.address, token=token) as stream:
        await stream.send(item(1, 0), item(2, 1, kept))
        await stream.next("snapshot", 1)
        await stream.next("snapshot", 2)
        watching = elsewhere.watch(match, token)
        assert (await anext(watching)).items[0].WhichOneof("item") == "match"
        [known] = await one.hosts.store.accounts.tokens(identity)
        assert await one.hosts.store.accounts.revoke(identity, known.digest)
        assert (await stream.next("closed", 1)).reason == play_pb2.CLOSED_REASON_REVOKED
        ends = [item.closed.reason async for frame in watching for item in frame.items if item.HasField("closed")]
        assert ends == [play_pb2.CLOSED_REASON_REVOKED]
        await stream.ping()  # the other seat goes on
        assert await calls.reason("Matches/StartMatch", token, name=match) == "NO_CREDENTIAL"
    await calls.close()
    await elsewhere.close()


@pytest.mark.parametrize("trouble", [Denied("OVERLOADED", "too much waits for this match"), NotExecuted("no room")])
async def test_who_cannot_be_asked_for_is_not_revoked_for_that(
    trouble: Exception, worker: Worker, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unreachable store node revokes no stream, and does not keep others from being revoked."""
    monkeypatch.setattr(RevocationSweep, "every_seconds", 3600.0)
    watched = []
    for _ in range(2):
        match = await calls.new(unlisted=True)
        joined = await calls("Matches/JoinMatch", name=match)
        watching = calls.watch(match, joined.credential)
        await anext(watching)
        watched.append((match.partition("/")[2], joined, watching))
    (busy, _, goes_on), (other, joined, ends) = watched
    read = worker.hosts.read

    async def some(match: str, look: Any) -> Any:
        if match == busy:
            raise trouble
        return await read(match, look)

    await worker.hosts.change(other, partial(match_changes.revoke_seat, number=joined.seat))
    with monkeypatch.context() as partly:
        partly.setattr(worker.hosts, "read", some)
        await worker._revocation_sweep.tick()
    told = [item async for frame in ends for item in frame.items if item.HasField("closed")]
    assert [item.closed.reason for item in told] == [play_pb2.CLOSED_REASON_REVOKED]
    await calls("Matches/LeaveMatch", watched[0][1].credential, name=f"matches/{busy}", seat=watched[0][1].seat)
    kinds = [item.WhichOneof("item") for item in (await anext(goes_on)).items]
    assert "closed" not in kinds
    await goes_on.aclose()  # type: ignore[attr-defined]


async def test_whoever_waits_for_a_question_until_the_credential_has_ended_is_not_told_it(
    worker: Worker, calls: Calls
) -> None:
    match = await calls.new()
    first, second = [await calls("Matches/JoinMatch", name=match) for _ in range(2)]
    asked = {"match": match, "seat": first.seat}
    known = (await calls("Play/GetDecision", first.credential, **asked)).decision_id
    waiting = asyncio.create_task(
        calls.reason("Play/GetDecision", first.credential, **asked, wait_ms=30_000, after_decision_id=known)
    )
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not worker.hosts.host(match.partition("/")[2]).listeners:
            await calls("Catalog/ListGames")
        await worker.hosts.change(match.partition("/")[2], partial(match_changes.revoke_seat, number=first.seat))
        await calls("Matches/Resign", second.credential, name=match, seat=second.seat)
        assert await waiting == "NO_CREDENTIAL"


async def test_who_may_watch_what_is_not_listed(start_worker: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its creator and its players may, for as long as they are that."""
    monkeypatch.setattr(RevocationSweep, "every_seconds", 0.02)
    worker = await start_worker()
    async with Calls(worker.address) as calls:
        match, other = await calls.new("landsraad_guest_me", unlisted=True), await calls.new()
        joined = await calls("Matches/JoinMatch", name=match)
        elsewhere = await calls("Matches/JoinMatch", name=other)
        made_up = joined.credential[:-1] + ("x" if joined.credential[-1] != "x" else "y")
        strangers = {
            "NOT_YOURS": ("landsraad_guest_stranger", elsewhere.credential),
            "NO_CREDENTIAL": ("", "nobody's", made_up, f"{joined.credential}x"),
        }
        for reason, bearers in strangers.items():
            for bearer in bearers:
                with pytest.raises(CallRefused) as refused:
                    await anext(calls.watch(match, bearer))
                assert reason_of(refused.value.refusal) == reason
                name = match.replace("matches/", "replays/")
                assert await calls.reason("Replays/GetReplay", bearer, name=name) == reason
        maker, player = calls.watch(match, "landsraad_guest_me"), calls.watch(match, joined.credential)
        for watching in (maker, player):
            assert (await anext(watching)).items[0].WhichOneof("item") == "match"
        await calls("Matches/LeaveMatch", joined.credential, name=match, seat=joined.seat)
        ends = [item.closed.reason async for frame in player for item in frame.items if item.HasField("closed")]
        assert ends == [play_pb2.CLOSED_REASON_REVOKED]
        await maker.aclose()  # type: ignore[attr-defined]
