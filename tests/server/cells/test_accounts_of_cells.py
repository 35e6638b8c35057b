"""Accounts of cells: one token for all of them, and its revocation within a second."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
import redis

import copy_accounts
from landsraad import AsyncClient
from landsraad.models import Ticket
from landsraad.v1 import play_pb2
from landsraad_server.accounts.token_admin import TokenAdmin
from landsraad_server.cells.account_cache import CACHED_SECONDS, CachedAccounts
from landsraad_server.store import Store, connect, keys
from landsraad_server.store.account_store import digest
from landsraad_server.store.errors import StoreUnavailable
from landsraad_testkit import RawStream
from landsraad_testkit.calls import Calls

if TYPE_CHECKING:
    from tests.server.cells.conftest import RunningCell, Service, StartCell

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def shared(service_of_cells: Service) -> AsyncIterator[Store]:
    store = await connect(service_of_cells.accounts)
    yield store
    await store.close()


@pytest_asyncio.fixture
async def closed_cells(start_cell: StartCell) -> list[RunningCell]:
    """Two cells where accounts need a token."""
    return [await start_cell(name, auth="token") for name in ("c1", "c2")]


def reads(raw: redis.Redis) -> int:
    stats: Any = raw.info("commandstats")
    return sum(int(stats.get(f"cmdstat_{name}", {}).get("calls", 0)) for name in ("get", "hmget"))


async def test_a_token_is_good_in_all_cells_until_it_is_revoked(
    closed_cells: list[RunningCell], service_of_cells: Service, tmp_path: Any
) -> None:
    """The operator uses the command of a service without cells, at the store of accounts."""
    admin = TokenAdmin(service_of_cells.accounts, tmp_path / "none")
    issued = await asyncio.to_thread(admin.issue, "alice", "", "")
    matches = []
    for cell in closed_cells:
        async with AsyncClient(cell.address, token=issued.token) as client:
            matches.append(await client.create_match("teaching", 2))
            await client.join(matches[-1].name, 0)
            assert (await client.whoami()).id == issued.account
    streams = [RawStream(cell.address, token=issued.token) for cell in closed_cells]
    for stream, match in zip(streams, matches, strict=True):
        await stream.subscribe(Ticket(match.name, 0, ""))
        await stream.ping()
    [told] = await asyncio.to_thread(admin.list_tokens)
    await asyncio.to_thread(admin.revoke, told.token)
    async with asyncio.timeout(1.0 + 2.0):  # a second, and patience with a busy machine
        for stream in streams:
            assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_REVOKED
    for stream, cell, match in zip(streams, closed_cells, matches, strict=True):
        await stream.cut()
        async with Calls(cell.address) as calls:
            assert await calls.reason("Matches/AbortMatch", issued.token, name=match.name) == "NO_CREDENTIAL"


async def test_tokens_are_read_once_and_not_at_each_call(shared: Store, service_of_cells: Service) -> None:
    account = await shared.accounts.create("alice", 0)
    token = await shared.accounts.issue(account.identity, "", 0)
    cached, raw = CachedAccounts(shared.link), service_of_cells.raw()
    await cached.read_revocations()
    before = reads(raw)
    for _ in range(100):
        assert await cached.identify(token) == account.identity
        assert await cached.get(account.identity) == account
    assert reads(raw) - before == 2
    assert await cached.identify("landsraad_token_made_up") is None
    assert await cached.get("none") is None


async def test_a_cached_token_ends_with_the_next_look_at_the_revocations(shared: Store) -> None:
    account = await shared.accounts.create("alice", 0)
    tokens = [await shared.accounts.issue(account.identity, "", number) for number in range(3)]
    cached = CachedAccounts(shared.link)
    await cached.read_revocations()
    assert [await cached.identify(token) for token in tokens] == [account.identity] * 3
    assert not await cached.read_revocations()
    await shared.accounts.revoke(account.identity, digest(tokens[1]))
    assert await cached.identify(tokens[1]) == account.identity, "so far it has not looked"
    assert await cached.read_revocations()
    assert [await cached.identify(token) for token in tokens] == [account.identity, None, account.identity]
    assert not await cached.read_revocations()
    await cached.revoke(account.identity, digest(tokens[0]))
    assert await cached.identify(tokens[0]) is None, "one's own revocation is known at once"


async def test_what_was_revoked_while_it_was_read_is_not_cached(shared: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    account = await shared.accounts.create("alice", 0)
    token = await shared.accounts.issue(account.identity, "", 0)
    cached = CachedAccounts(shared.link)
    await cached.read_revocations()
    call, held = shared.link.call, asyncio.Event()

    async def late(key: bytes, *command: Any, **more: Any) -> Any:
        found = await call(key, *command, **more)
        if command[0] == b"GET":
            await held.wait()
        return found

    with monkeypatch.context() as patch:
        patch.setattr(shared.link, "call", late)
        reading = asyncio.create_task(cached.identify(token))
        await asyncio.sleep(0.05)
        await shared.accounts.revoke(account.identity, digest(token))
        await cached.read_revocations()
        held.set()
        assert await reading is None
    assert await cached.identify(token) is None


async def test_after_a_reconnect_nothing_is_taken_for_known(shared: Store, service_of_cells: Service) -> None:
    """A failover may have lost the end of the stream, or this worker a part of it."""
    account = await shared.accounts.create("alice", 0)
    token = await shared.accounts.issue(account.identity, "", 0)
    cached, raw = CachedAccounts(shared.link), service_of_cells.raw()
    await cached.read_revocations()
    assert await cached.identify(token) == account.identity
    raw.delete(keys.token(digest(token)), keys.REVOCATIONS)
    cached.distrust()
    assert await cached.read_revocations()
    assert await cached.identify(token) is None


async def test_a_service_that_is_divided_keeps_its_accounts(shared: Store, service_of_cells: Service) -> None:
    before = await connect(service_of_cells.stores["c1"].url)
    try:
        alice, bob = [await before.accounts.create(name, number) for number, name in enumerate(("alice", "bob"))]
        kept, revoked = [await before.accounts.issue(alice.identity, f"of {n}", n) for n in range(2)]
        await before.accounts.revoke(alice.identity, digest(revoked))
        for _ in range(2):
            assert await copy_accounts.copy(before, shared) == 2
        assert await shared.accounts.all() == [alice, bob]
        assert await shared.accounts.tokens(alice.identity) == await before.accounts.tokens(alice.identity)
        assert await shared.accounts.identify(kept) == alice.identity
        assert await shared.accounts.named("bob") == [bob.identity]
        assert await shared.accounts.identify(revoked) is None
    finally:
        await before.close()


async def test_while_the_accounts_are_away_known_tokens_stay_good_for_a_minute(
    shared: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    account = await shared.accounts.create("alice", 0)
    known, other = [await shared.accounts.issue(account.identity, "", number) for number in range(2)]
    cached = CachedAccounts(shared.link, lambda: now)
    await cached.read_revocations()
    assert await cached.identify(known) == account.identity

    def lost(*_: Any, **__: Any) -> Any:
        raise StoreUnavailable("away")

    monkeypatch.setattr(shared.link, "call", lost)
    assert await cached.identify(known) == account.identity
    with pytest.raises(StoreUnavailable):
        await cached.identify(other)
    now = CACHED_SECONDS + 1
    with pytest.raises(StoreUnavailable):
        await cached.identify(known)
