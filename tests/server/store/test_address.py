"""Store URLs, and the requirements that a server has to meet."""

from __future__ import annotations

from dataclasses import replace

import pytest
from redis.crc import key_slot

from landsraad_server.store import Durability, connect, errors, keys
from landsraad_server.store.address import StoreKind, parse
from landsraad_server.store.redis_connection import Endpoint
from landsraad_server.store.server_probe import ServerFacts, check_suitable


@pytest.mark.parametrize(
    ("url", "kind", "endpoints"),
    [
        ("redis://example", StoreKind.SINGLE, (Endpoint("example", 6379),)),
        ("redis://[::1]:7000/3", StoreKind.SINGLE, (Endpoint("::1", 7000),)),
        ("rediss://example:1", StoreKind.SINGLE, (Endpoint("example", 1),)),
        ("unix:///run/some%20store", StoreKind.SINGLE, (Endpoint(path="/run/some store"),)),
        ("redis+sentinel://a,b:7/duke", StoreKind.SENTINEL, (Endpoint("a", 26379), Endpoint("b", 7))),
        ("rediss+cluster://a:1,b:2,c", StoreKind.CLUSTER, (Endpoint("a", 1), Endpoint("b", 2), Endpoint("c", 6379))),
    ],
)
def test_addresses_are_understood(url: str, kind: StoreKind, endpoints: tuple[Endpoint, ...]) -> None:
    address = parse(url)
    assert (address.kind, address.endpoints) == (kind, endpoints)
    assert (address.access.tls is not None) == url.startswith("rediss")


def test_names_passwords_and_databases() -> None:
    access = parse("redis://paul:spice%2Fm%40lange@example/4").access
    assert (access.username, access.password, access.db) == ("paul", "spice/m@lange", 4)
    access = parse("unix://:spice@/run/store?db=2").access
    assert (access.username, access.password, access.db) == ("", "spice", 2)
    address = parse("redis+sentinel://:spice@a/duke/5?sentinel_password=melange")
    assert (address.service, address.access.db) == ("duke", 5)
    assert (address.access.password, address.sentinel_access.password) == ("spice", "melange")


@pytest.mark.parametrize(
    "url",
    [
        "example:6379",
        "http://:melange@example",
        "redis+raft://:melange@example",
        "redis://:melange@example:port",
        "redis://:melange@example/duke",
        "redis://:melange@a,b",
        "redis://:melange@[::1",
        "redis://:melange@example?retry=forever",
        "redis+sentinel://:melange@a",
        "redis+cluster://:melange@a/1",
        "unix://:melange@",
        "rediss://:melange@example?ca=no-such-file",
    ],
)
def test_a_bad_address_is_told_without_its_password(url: str) -> None:
    with pytest.raises(errors.BadUrl) as told:
        parse(url)
    assert "melange" not in str(told.value)
    assert told.value.__cause__ is None or "melange" not in str(told.value.__cause__)


def test_a_password_does_not_show_when_an_address_is_printed() -> None:
    assert "melange" not in repr(parse("redis+sentinel://:melange@a/duke?sentinel_password=melange"))


GOOD = ServerFacts(version=(7, 2, 4), cluster=False, append_only=True, eviction="noeviction", fsync="everysec")


@pytest.mark.parametrize(
    ("facts", "durability", "complaint"),
    [
        (replace(GOOD, version=(6, 0, 16)), Durability.EVERYSEC, "6.2"),
        (replace(GOOD, eviction="allkeys-lru"), Durability.REPLICATED, "noeviction"),
        (replace(GOOD, append_only=False), Durability.EVERYSEC, "appendonly"),
        (replace(GOOD, fsync="no"), Durability.EVERYSEC, "appendfsync everysec"),
        (GOOD, Durability.ALWAYS, "appendfsync always"),
        (replace(GOOD, fsync_on_rewrite=False), Durability.EVERYSEC, "no-appendfsync-on-rewrite no"),
        (replace(GOOD, cluster=True), Durability.EVERYSEC, "cluster"),
    ],
)
def test_a_server_that_cannot_keep_the_promise_is_refused(
    facts: ServerFacts, durability: Durability, complaint: str
) -> None:
    with pytest.raises(errors.UnsuitableServer, match=complaint):
        check_suitable(facts, durability, cluster=False)


@pytest.mark.parametrize(
    ("facts", "durability"),
    [
        (GOOD, Durability.EVERYSEC),
        (replace(GOOD, fsync="always"), Durability.EVERYSEC),
        (replace(GOOD, fsync="always"), Durability.ALWAYS),
        (replace(GOOD, fsync=""), Durability.ALWAYS),
        (replace(GOOD, append_only=False), Durability.REPLICATED),
        (replace(GOOD, fsync_on_rewrite=False), Durability.REPLICATED),
        (replace(GOOD, version=(6, 2, 0)), Durability.EVERYSEC),
    ],
)
def test_a_server_that_can_is_taken(facts: ServerFacts, durability: Durability) -> None:
    check_suitable(facts, durability, cluster=False)


def test_who_syncs_for_the_server_does_it_once_a_second() -> None:
    unsynced = replace(GOOD, fsync="no")
    check_suitable(unsynced, Durability.EVERYSEC, cluster=False, synced=parse("unix:///run/store?synced=owner").synced)
    with pytest.raises(errors.UnsuitableServer, match="always"):
        check_suitable(unsynced, Durability.ALWAYS, cluster=False, synced=True)


def test_a_cluster_has_to_be_one_and_recent() -> None:
    check_suitable(replace(GOOD, cluster=True), Durability.EVERYSEC, cluster=True)
    with pytest.raises(errors.UnsuitableServer, match=r"7\.0"):
        check_suitable(replace(GOOD, cluster=True, version=(6, 2, 14)), Durability.EVERYSEC, cluster=True)
    with pytest.raises(errors.UnsuitableServer, match="cluster"):
        check_suitable(GOOD, Durability.EVERYSEC, cluster=True)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "url", ["redis://127.0.0.1:1", "redis+sentinel://127.0.0.1:1/duke", "redis+cluster://127.0.0.1:1"]
)
async def test_nobody_there_is_told_when_patience_ends(url: str) -> None:
    with pytest.raises(errors.NotExecuted, match=r"127\.0\.0\.1:1"):
        await connect(url, patience=0.1)


def test_all_keys_of_a_match_share_a_slot() -> None:
    assert len({keys.slot(key) for key in keys.of_match("some-match")}) == 1
    assert len({keys.slot(keys.log(f"m{number}")) for number in range(100)}) > 90


@pytest.mark.parametrize("key", [*keys.of_match("m"), keys.INDEX, keys.SWEPT, keys.clock_set(3), keys.limit("a", "b")])
def test_slots_are_those_of_the_server(key: bytes) -> None:
    assert keys.slot(key) == key_slot(key)
