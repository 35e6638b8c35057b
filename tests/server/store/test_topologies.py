"""Topologies of real servers: replicas, Sentinels and clusters keep what was acknowledged."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import pytest_asyncio
import redis
from redis.asyncio.cluster import ClusterNode
from tests.nodes import APPEND_ONLY, REPLICA, Node, Nodes, in_step
from tests.ports import free_port

from landsraad import AsyncClient
from landsraad.testing.players import play_all, seated
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.store import (
    GENESIS,
    Durability,
    Entry,
    Head,
    IndexState,
    Listing,
    Store,
    cluster,
    connect,
    errors,
    keys,
    pipeline,
    reconnecting_connection,
)
from landsraad_server.store.address import parse
from landsraad_server.store.embedded_server import EmbeddedServer
from landsraad_server.store.redis_connection import Access, Endpoint
from landsraad_server.store.resp import noop
from landsraad_server.store.single_server import always
from landsraad_server.store.subscriptions import Subscriptions
from landsraad_testkit import serving

if TYPE_CHECKING:
    from tests.server.conftest import Health
    from tests.server.store.conftest import Witness, Write

pytestmark = pytest.mark.asyncio

#: The package has a function of this name.
connect_module = import_module("landsraad_server.store.connect")


# --- Sentinels


class Watched(NamedTuple):
    """A master, its replica, and a Sentinel that knows the master as duke."""

    master: Node
    replica: Node
    sentinel: Node

    @property
    def url(self) -> str:
        return f"redis+sentinel://127.0.0.1:1,127.0.0.1:{self.sentinel.port}/duke"

    async def fail_over(self) -> None:
        """Promote the replica as a Sentinel that cannot reach the master does; the master works on for a while."""
        async with asyncio.timeout(20):
            while True:
                told = await self.sentinel.ask("SENTINEL", "MASTER", "duke")
                _, port = await self.sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "duke")
                if int(port) == self.replica.port:
                    return
                # A Sentinel aborts the failover if it has not heard from the replica for 0.3 s.
                if b"failover_in_progress" not in told[told.index(b"flags") + 1]:
                    with contextlib.suppress(redis.ResponseError):  # refused until the Sentinel knows the replica
                        await self.sentinel.ask("SENTINEL", "FAILOVER", "duke")
                await asyncio.sleep(0.01)


@pytest.fixture(scope="module")
def since_7(server: EmbeddedServer) -> None:
    """Skip tests whose set-up or subject needs version 7."""
    if server.binary.version < (7,):
        pytest.skip("the server is older than 7.0")


@pytest_asyncio.fixture
async def watched(since_7: None, nodes: Nodes, tmp_path: Path) -> Watched:
    master = nodes.add(*REPLICA, *APPEND_ONLY)
    replica = nodes.add(*REPLICA, *APPEND_ONLY, "--replicaof", "127.0.0.1", str(master.port))
    await in_step(master, replica)
    settings = tmp_path / "sentinel.conf"
    settings.write_text(f"sentinel monitor duke 127.0.0.1 {master.port} 1\n")
    sentinel = nodes.add(str(settings), "--sentinel")
    # A Sentinel that was stalled for two seconds enters TILT mode for thirty.
    await sentinel.ask("SENTINEL", "DEBUG", "info-period", 100, "ping-period", 100, "tilt-trigger", 3_600_000)
    return Watched(master, replica, sentinel)


async def mended(store: Store, stands: Head) -> Head:
    """Go on after a failover, which may have lost entries: the log is in doubt until its epoch is raised."""
    loaded = await store.log.load("m")
    assert (loaded.head, loaded.lost_epoch) == (stands, stands.epoch)
    return await store.committed(
        store.log.draft("m", stands, b"again", over_epoch=loaded.lost_epoch, found=loaded.found)
    )


async def test_a_failover_is_followed_before_the_old_master_hangs_up(
    watched: Watched, write: Write, health: type[Health], witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await connect(watched.url)
    state = health(store)
    store.follow("m", GENESIS, witness.on_entry, witness.on_rewound)
    heads = await write(store, "m", GENESIS, 20)
    with monkeypatch.context() as quick:  # also the timeout of answers
        quick.setattr(reconnecting_connection, "BEAT_SECONDS", 0.1)
        await watched.fail_over()
        await state.becomes(up=False)
        await state.becomes(up=True)
    assert b"master" in await watched.master.ask("ROLE")
    assert [entry.head for entry in await store.log.read("m")] == heads
    await write(store, "m", await mended(store, heads[-1]), 4)
    assert await witness.until(25) == list(range(1, 26))
    assert await watched.replica.ask("XLEN", keys.log("m")) == 25
    await store.close()


@pytest.mark.parametrize(
    ("setting", "unfit", "fit"), [("appendonly", "no", "yes"), ("maxmemory-policy", "allkeys-lru", "noeviction")]
)
async def test_a_new_master_that_is_not_fit_is_not_written_to(
    watched: Watched,
    write: Write,
    health: type[Health],
    setting: str,
    unfit: str,
    fit: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would lose acknowledged entries at its next restart, or evict them."""
    await watched.replica.ask("CONFIG", "SET", "maxmemory", "1gb")
    await watched.replica.ask("CONFIG", "SET", setting, unfit)
    store = await connect(watched.url)
    state = health(store)
    heads = await write(store, "m", GENESIS, 3)
    await watched.replica.until(b"3", "XLEN", keys.log("m").decode())
    checked, check = asyncio.Event(), connect_module.check_suitable

    def noted(*args: Any, **kwargs: Any) -> None:
        try:
            check(*args, **kwargs)
        except errors.UnsuitableServer:
            checked.set()
            raise

    monkeypatch.setattr(connect_module, "check_suitable", noted)
    await watched.fail_over()
    watched.master.kill()
    await state.becomes(up=False)
    async with asyncio.timeout(20):
        await checked.wait()
    draft = store.log.draft("m", heads[-1], b"not here")
    with pytest.raises(errors.NotExecuted):
        await store.committed(draft)
    assert await watched.replica.ask("XLEN", keys.log("m")) == 3
    await watched.replica.ask("CONFIG", "SET", setting, fit)
    await state.becomes(up=True)
    assert (await mended(store, heads[-1])).version == 4
    await store.close()


async def test_entries_that_a_failover_lost_are_told_as_lost(
    watched: Watched, write: Write, health: type[Health], witness: Witness
) -> None:
    store = await connect(watched.url)
    state = health(store)
    heads = await write(store, "m", GENESIS, 5)
    await watched.replica.until(b"5", "XLEN", keys.log("m").decode())
    await watched.fail_over()
    lost = await write(store, "m", heads[-1], 5)  # by the old master, which has not been demoted yet
    store.follow("m", lost[-1], witness.on_entry, witness.on_rewound)
    watched.master.kill()
    await state.becomes(up=False)
    await state.becomes(up=True)
    with pytest.raises(errors.Rewound):
        await store.committed(store.log.draft("m", lost[-1], b"as if nothing had happened"))
    await asyncio.wait_for(witness.rewound.wait(), 10)
    loaded = await store.log.load("m")
    assert loaded.head == heads[-1]
    again = await mended(store, heads[-1])
    assert (again.version, again.epoch) == (6, 1)
    await store.close()


async def test_replicated_loses_nothing_in_a_failover(
    watched: Watched, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "REPLICA_MS", 500)
    store = await connect(watched.url, durability=Durability.REPLICATED)
    heads = await write(store, "m", GENESIS, 20)
    await watched.fail_over()
    with pytest.raises(errors.NotReplicated):
        await write(store, "m", heads[-1], 1)
    assert await watched.replica.ask("XLEN", keys.log("m")) == 20
    await store.close()


# --- a cluster

MASTERS = 3
# (Killed in the wrong moment, a server that syncs once a second loses acknowledged entries: see fsync_thread.py.)
CLUSTERED = ("--cluster-enabled", "yes", "--cluster-node-timeout", "2000", *APPEND_ONLY, "--appendfsync", "always")


async def cluster_of(nodes: Nodes) -> list[Node]:
    masters = [nodes.add(*CLUSTERED, "--cluster-port", str(free_port())) for _ in range(MASTERS)]
    share = 16384 // MASTERS
    for place, master in enumerate(masters):
        last = 16383 if place == MASTERS - 1 else (place + 1) * share - 1
        await master.ask("CLUSTER", "ADDSLOTSRANGE", place * share, last)
        await master.ask("CLUSTER", "SET-CONFIG-EPOCH", place + 1)
    for other in masters[1:]:
        _, bus = await other.ask("CONFIG", "GET", "cluster-port")
        await masters[0].ask("CLUSTER", "MEET", *other.address, bus)
    for master in masters:
        await master.until(b"cluster_state:ok", "CLUSTER", "INFO")
        await master.until(b"cluster_known_nodes:%d" % MASTERS, "CLUSTER", "INFO")
    return masters


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def masters(
    since_7: None, server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[list[Node]]:
    nodes = Nodes(server.binary.path, tmp_path_factory.mktemp("cluster"))
    try:
        yield await cluster_of(nodes)
    finally:
        nodes.end()


@pytest_asyncio.fixture
async def clustered(masters: Sequence[Node]) -> AsyncIterator[Store]:
    store = await connect(f"redis+cluster://127.0.0.1:1,127.0.0.1:{masters[1].port}")
    yield store
    await store.close()


async def home_of(masters: Sequence[Node], slot: int) -> Node:
    for ranges in await masters[0].ask("CLUSTER", "SLOTS"):
        first, last, (_, port, *_), *_ = ranges
        if first <= slot <= last:
            return next(master for master in masters if master.port == port)
    raise AssertionError(f"nobody serves slot {slot}")


async def test_everything_works_on_a_cluster(clustered: Store, write: Write, witness: Witness) -> None:
    names = [f"m{number}" for number in range(60)]
    assert len({keys.slot(keys.log(name)) * MASTERS // 16384 for name in names}) == MASTERS
    clustered.follow("m7", GENESIS, witness.on_entry, witness.on_rewound)
    await asyncio.gather(*(write(clustered, name, GENESIS, 4) for name in names))
    for name in names:
        assert len(await clustered.log.read(name)) == 4
    assert await witness.until(4) == [1, 2, 3, 4]

    head = (await clustered.log.load("m7")).head
    assert await clustered.log.keep_snapshot("m7", head, b"state")
    listing = Listing(1, IndexState.LIVE, b"")
    await clustered.committed(clustered.log.draft("m7", head, b"", listing=listing, due=1000))
    assert await clustered.index.get("m7") == listing
    clustered.clocks.flush()
    assert [lease.match for lease in await clustered.clocks.lease(1000)] == ["m7"]
    account = await clustered.accounts.create("Paul", 0)
    token = await clustered.accounts.issue(account.identity, "laptop", 0)
    assert await clustered.accounts.identify(token) == account.identity
    assert (await clustered.sweeper.sweep()).matches >= 60


@pytest.mark.long
@pytest.mark.usefixtures("teaching")
async def test_the_whole_service_plays_on_a_cluster(
    masters: Sequence[Node], plugged: dict[str, str], tmp_path: Path
) -> None:
    cluster = f"redis+cluster://127.0.0.1:{masters[0].port}"
    with serving(tmp_path / "data", "--redis", cluster, environment=plugged) as service:
        async with AsyncClient(service.address) as client, asyncio.timeout(60):
            seats = [seat for _ in range(6) for seat in await seated(client, 2, "teaching")]
            assert all(await play_all(seats))
            for seat in seats:
                assert verify(TEACHING, await client.certificate(seat.ticket.match)) == []
            assert {match.name for match in await client.matches()} == {seat.ticket.match for seat in seats}


async def test_a_slot_that_moves_takes_its_match_along(
    clustered: Store, masters: Sequence[Node], write: Write, witness: Witness
) -> None:
    slot = keys.slot(keys.log("moves"))
    old = await home_of(masters, slot)
    new = next(master for master in masters if master is not old)
    old_id, new_id = [(await node.ask("CLUSTER", "MYID")).decode() for node in (old, new)]
    clustered.follow("moves", GENESIS, witness.on_entry, witness.on_rewound)
    head = (await write(clustered, "moves", GENESIS, 2))[-1]
    await witness.until(2)

    await new.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", old_id)
    await old.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", new_id)
    names = await old.ask("CLUSTER", "GETKEYSINSLOT", slot, 100)
    await old.ask("MIGRATE", *new.address, "", 0, 5000, "KEYS", *names)
    # While the slot moves, the old node redirects a single command (ASK).
    assert await clustered.log.head("moves") == head
    for node in (new, *masters):
        await node.ask("CLUSTER", "SETSLOT", slot, "NODE", new_id)
    # Once it has moved, the old node redirects for good (MOVED), and the map is fetched again.
    heads = await write(clustered, "moves", head, 3)
    assert await new.ask("GET", keys.head("moves")) == heads[-1].encode()
    assert await witness.until(5) == [1, 2, 3, 4, 5]


async def test_a_node_that_is_away_costs_only_its_own_matches(
    clustered: Store, masters: Sequence[Node], write: Write, health: type[Health]
) -> None:
    for master in masters:
        await master.ask("CONFIG", "SET", "cluster-require-full-coverage", "no")
    where = {f"away{number}": await home_of(masters, keys.slot(keys.log(f"away{number}"))) for number in range(12)}
    lost = where["away0"]
    heads: dict[str, Head] = {name: (await write(clustered, name, GENESIS, 1))[0] for name in where}
    state = health(clustered)
    lost.kill()
    await state.becomes(up=False)
    for name, home in where.items():
        if home is lost:
            with pytest.raises(errors.StoreUnavailable):
                await clustered.log.head(name)
        else:
            assert await clustered.log.head(name) == heads[name]
    lost.start()
    await state.becomes(up=True)
    async with asyncio.timeout(20):
        for name in where:
            while True:
                with contextlib.suppress(errors.StoreUnavailable):  # it takes the cluster a moment to readmit the node
                    assert await clustered.log.head(name) == heads[name]
                    break
                await asyncio.sleep(0.01)


async def test_a_node_that_is_away_keeps_nobody_from_following_the_matches_of_others(
    clustered: Store, masters: Sequence[Node], write: Write, health: type[Health], witness: Witness,
    monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    for master in masters:
        await master.ask("CONFIG", "SET", "cluster-require-full-coverage", "no")
    home = await home_of(masters, keys.slot(keys.log("follows")))
    lost = next(master for master in masters if master is not home)
    [head] = await write(clustered, "follows", GENESIS, 1)
    clustered.follow("follows", GENESIS, witness.on_entry, witness.on_rewound)
    await witness.until(1)
    state = health(clustered)
    lost.kill()
    await state.becomes(up=False)
    unheard = Entry(Head(2, 0, b"unheard", 0), head.nonce, b"")
    await home.ask("XADD", keys.log("follows"), "2-0", "e", unheard.encode())
    # The connection for publications comes back first.
    tried = asyncio.Event()

    def send(*_: object, **__: object) -> None:
        tried.set()
        raise errors.NotExecuted("not yet")

    with monkeypatch.context() as without:
        without.setattr(clustered.link, "send", send)
        await home.ask("CLIENT", "KILL", "TYPE", "pubsub")
        await asyncio.wait_for(tried.wait(), 20)
    await home.ask("CLIENT", "KILL", "TYPE", "normal")
    assert await witness.until(2) == [1, 2]
    lost.start()
    await state.becomes(up=True)


async def test_who_leaves_a_channel_that_has_moved_costs_nobody_the_connection(masters: Sequence[Node]) -> None:
    """Subscribing and unsubscribing while the slot moves get the same error, MOVED."""
    moved: list[bytes] = []
    ready = asyncio.Event()

    class Waiting:
        def ready(self) -> None:
            ready.set()

        def message(self, blob: bytes) -> None:
            raise AssertionError(blob)

    asyncio.get_running_loop().set_exception_handler(lambda _, context: pytest.fail(context["message"]))
    heard = Subscriptions(
        always(Endpoint("127.0.0.1", masters[0].port)),
        Access(),
        on_moved=lambda channel, _: moved.append(channel),
    )
    await heard.open(10)
    channels = {keys.slot(channel) > 16384 // MASTERS: channel for channel in map(keys.log, map(str, range(100)))}
    heard.listen(channels[True], Waiting())
    heard.unlisten(channels[True])
    heard.listen(channels[False], Waiting())
    await asyncio.wait_for(ready.wait(), 10)
    assert moved == []
    await heard.close()


async def test_two_maps_at_once_are_two_maps_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """One may be requested by opening the store, another after the loss of a node."""
    ports = iter((1, 2))

    async def slots(*_: object) -> list[Any]:
        return [[0, 16383, [b"127.0.0.1", next(ports)]]]

    monkeypatch.setattr(ClusterNode, "execute_command", slots)
    monkeypatch.setattr(cluster, "_CONNECT_SECONDS", 0.01)
    link = cluster.Cluster([Endpoint("127.0.0.1", 3)], Access())
    await asyncio.gather(link._look(), link._look())
    assert list(link._nodes) == ["127.0.0.1:2"]
    await link.close()


async def test_a_cluster_is_not_mistaken_for_one_server(masters: Sequence[Node]) -> None:
    with pytest.raises(errors.UnsuitableServer, match="redis\\+cluster"):
        await connect(f"redis://127.0.0.1:{masters[0].port}")


async def test_one_server_is_not_mistaken_for_a_cluster(nodes: Nodes) -> None:
    node = nodes.add(*APPEND_ONLY)
    await node.ask("PING")
    with pytest.raises(errors.UnsuitableServer, match="redis\\+cluster"):
        await connect(f"redis+cluster://127.0.0.1:{node.port}", patience=3600)


async def test_a_node_that_is_not_fit_is_told_at_once(masters: Sequence[Node]) -> None:
    await masters[2].ask("CONFIG", "SET", "maxmemory", "1gb", "maxmemory-policy", "allkeys-lru")
    try:
        with pytest.raises(errors.UnsuitableServer, match="noeviction"):
            await connect(f"redis+cluster://127.0.0.1:{masters[0].port}", patience=3600)
    finally:
        await masters[2].ask("CONFIG", "SET", "maxmemory", "0", "maxmemory-policy", "noeviction")


@pytest.mark.parametrize(
    ("said", "error", "told"),
    [
        (b"", errors.NotExecuted, "Connection (closed|reset)"),
        (b"$3\r\nre", errors.NotExecuted, "Connection (closed|reset)"),
        (b"HTTP/1.1 400 Bad Request\r\n", errors.UnsuitableServer, "does not answer as a Redis server"),
        (b"+OK\r\n", errors.UnsuitableServer, "does not report its Redis version"),
        (b"*1\r\n$6\r\nmaster\r\n", errors.UnsuitableServer, "does not report its Redis version"),
    ],
)
async def test_who_answers_is_no_server(said: bytes, error: type[errors.StoreError], told: str) -> None:
    """It hangs up, at once or in mid-reply, or answers as no store would; each ends as a typed error."""
    answers: list[Any] = []

    async def answer(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        answers.append(asyncio.current_task())
        if said.endswith(b"\n"):
            await source.read(1)
        to.write(said)
        with contextlib.suppress(ConnectionError):
            await to.drain()
            if said.endswith(b"\n"):
                await source.read()
        to.close()
        with contextlib.suppress(ConnectionError):
            await to.wait_closed()

    asyncio.get_running_loop().set_exception_handler(lambda _, context: pytest.fail(context["message"]))
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as listener:
        host, port = listener.sockets[0].getsockname()
        with pytest.raises(error, match=told):
            await connect(f"redis://{host}:{port}", patience=0.1)
        await asyncio.gather(*answers)


# --- TLS and passwords


def certificate(directory: Path) -> Path:
    """A certificate for localhost and its key, in one file."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
         "-keyout", "key.pem", "-out", "cert.pem"],
        cwd=directory, check=True, capture_output=True,
    )  # fmt: skip
    path = directory / "both.pem"
    path.write_bytes((directory / "key.pem").read_bytes() + (directory / "cert.pem").read_bytes())
    return path


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
async def test_tls_and_a_password(nodes: Nodes, tmp_path: Path, write: Write) -> None:
    node = nodes.add("--requirepass", "spice", *APPEND_ONLY)
    pem = certificate(tmp_path)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(pem)
    # ignore errors of the server below after its client hangs up
    asyncio.get_running_loop().set_exception_handler(noop)

    async def pump(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while chunk := await source.read(65536):
                to.write(chunk)
        to.close()

    async def serve(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        # Servers from wheels are built without TLS.
        from_server, to_server = await asyncio.open_connection("127.0.0.1", node.port)
        await asyncio.gather(pump(source, to_server), pump(from_server, to))

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as listener:
        where = f"localhost:{listener.sockets[0].getsockname()[1]}"
        store = await connect(f"rediss://:spice@{where}?ca={pem}")
        [head] = await write(store, "m", GENESIS, 1)
        assert await store.log.head("m") == head
        await store.close()
        with pytest.raises(errors.AccessDenied):
            await connect(f"rediss://:melange@{where}?ca={pem}")
        with pytest.raises(errors.NotExecuted, match="certificate"):
            await connect(f"rediss://:spice@{where}", patience=0.1)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes its certificate with openssl")
async def test_an_authority_that_is_named_is_the_only_one_trusted(tmp_path: Path) -> None:
    settings = parse(f"rediss://localhost?ca={certificate(tmp_path)}").access.settings()
    connection = settings.pop("connection_class")(**settings)
    assert [found["subject"] for found in connection.ssl_context.get().get_ca_certs()] == [
        ((("commonName", "localhost"),),)
    ]
