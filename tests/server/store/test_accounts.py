"""Accounts, tokens and rate limits: only digests are stored, and what is revoked is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import redis

from landsraad_server.store import Store, TokenBucket, token_buckets
from landsraad_server.store.account_store import Account, digest
from landsraad_server.store.scripts import Script
from landsraad_testkit import HandClock

if TYPE_CHECKING:
    from tests.server.store.conftest import Connect

pytestmark = pytest.mark.asyncio


def everything(raw: redis.Redis) -> str:
    """Return all keys and values of the store, concatenated."""
    read: dict[Any, Any] = {b"hash": raw.hgetall, b"set": raw.smembers, b"string": raw.get}
    return " ".join(f"{key!r} {read[raw.type(key)](key)!r}" for key in raw.keys("*"))


async def test_a_token_speaks_for_its_account(store: Store) -> None:
    account = await store.accounts.create("Paul the bot", 1000)
    token = await store.accounts.issue(account.identity, "laptop", 2000)
    assert await store.accounts.identify(token) == account.identity
    assert await store.accounts.get(account.identity) == Account(account.identity, "Paul the bot", 1000)
    assert await store.accounts.identify(token + "x") is None
    assert await store.accounts.get("nobody") is None


async def test_tokens_are_listed_and_revoked_one_by_one(store: Store) -> None:
    identity = (await store.accounts.create("Paul", 0)).identity
    first = await store.accounts.issue(identity, "old laptop", 1000)
    second = await store.accounts.issue(identity, "new", 2000)
    assert [(token.digest, token.label, token.created) for token in await store.accounts.tokens(identity)] == [
        (digest(first), "old laptop", 1000),
        (digest(second), "new", 2000),
    ]
    assert await store.accounts.revoke(identity, digest(first))
    assert await store.accounts.identify(first) is None
    assert await store.accounts.identify(second) == identity
    assert not await store.accounts.revoke(identity, digest(first))


async def test_accounts_are_found_by_name(store: Store) -> None:
    """Also if a name is not unique, or has what means something in the name of a key."""
    names = ["Paul", "Paul", "paul", "{Paul}", "}{*", "ä"]
    accounts = [(await store.accounts.create(name, 0)).identity for name in names]
    assert await store.accounts.named("Paul") == sorted(accounts[:2])
    for name, identity in list(zip(names, accounts, strict=True))[2:]:
        assert await store.accounts.named(name) == [identity]
    assert await store.accounts.named("Feyd") == []


async def test_nobody_revokes_the_token_of_another(store: Store) -> None:
    victim, stranger = [(await store.accounts.create(name, 0)).identity for name in ("Paul", "Feyd")]
    token = await store.accounts.issue(victim, "laptop", 0)
    assert not await store.accounts.revoke(stranger, digest(token))
    assert await store.accounts.identify(token) == victim


async def test_no_secret_is_in_the_store(store: Store, raw: redis.Redis) -> None:
    identity = (await store.accounts.create("Paul", 0)).identity
    token = await store.accounts.issue(identity, "laptop", 0)
    kept = everything(raw)
    assert "Paul" in kept
    assert token[-30:] not in kept


# --- rate limits

CALLS = TokenBucket(capacity=3, per_second=2)


async def test_a_bucket_gives_its_content_at_once_and_then_by_the_second(store: Store, clock: HandClock) -> None:
    take = [await store.limits.take("call", "me", CALLS) for _ in range(4)]
    assert take == [0, 0, 0, 500]
    clock.advance(499)
    assert await store.limits.take("call", "me", CALLS) == 1
    clock.advance(1)
    assert await store.limits.take("call", "me", CALLS) == 0
    assert await store.limits.take("call", "me", CALLS) == 500


async def test_a_bucket_never_holds_more_than_its_capacity(store: Store, clock: HandClock) -> None:
    await store.limits.take("call", "me", CALLS)
    clock.advance(1_000_000)
    take = [await store.limits.take("call", "me", CALLS) for _ in range(4)]
    assert take == [0, 0, 0, 500]


async def test_what_is_refused_takes_nothing(store: Store) -> None:
    assert await store.limits.take("call", "me", CALLS, cost=2) == 0
    assert await store.limits.take("call", "me", CALLS, cost=3) == 1000
    assert await store.limits.take("call", "me", CALLS) == 0
    with pytest.raises(ValueError, match="never holds"):
        await store.limits.take("call", "me", CALLS, cost=4)


async def test_buckets_are_per_caller_and_kind_and_shared_by_workers(store: Store, connected: Connect) -> None:
    other = await connected()
    for _ in range(3):
        await store.limits.take("call", "me", CALLS)
    assert await other.limits.take("call", "me", CALLS) == 500
    assert await other.limits.take("call", "you", CALLS) == 0
    assert await other.limits.take("chat", "me", CALLS) == 0


async def test_a_store_whose_time_runs_backwards_goes_on_from_there(store: Store, clock: HandClock) -> None:
    """After a failover to a machine whose clock is behind."""
    for _ in range(3):
        await store.limits.take("call", "me", CALLS)
    clock.advance(-60_000)
    assert await store.limits.take("call", "me", CALLS) == 500
    clock.advance(500)
    assert await store.limits.take("call", "me", CALLS) == 0
    assert await store.limits.take("call", "me", CALLS) == 500


async def test_buckets_go_by_the_time_of_the_store(
    store: Store, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker whose clock is ahead would keep the callers of all others waiting."""
    monkeypatch.setattr(token_buckets, "TAKE", Script("take_tokens"))  # as it is outside of tests
    told: list[Any] = [raw.time()]
    await store.limits.take("call", "me", CALLS)
    told.append(raw.time())
    [key] = raw.keys("*")
    at: Any = raw.hget(key, "at")
    first, last = (seconds * 1000 + us // 1000 for seconds, us in told)
    assert first <= int(at) <= last


async def test_a_bucket_that_is_full_again_is_forgotten(store: Store, raw: redis.Redis) -> None:
    await store.limits.take("call", "x" * 100_000, CALLS)
    [key] = raw.keys("*")
    assert len(key) < 60
    assert 0 < raw.pttl(key) <= 1500
