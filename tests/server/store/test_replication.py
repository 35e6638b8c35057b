"""Replicas: what durability `replicated` acknowledges is on a replica."""

from __future__ import annotations

import asyncio
import signal
from typing import TYPE_CHECKING, Any

import pytest
from tests.nodes import REPLICA, Nodes, in_step

from landsraad_server.store import (
    GENESIS,
    Durability,
    Outcome,
    connect,
    errors,
    keys,
    pipeline,
)
from landsraad_testkit.calls import Calls

if TYPE_CHECKING:
    from tests.server.conftest import Seated, StartWorker
    from tests.server.store.conftest import Write

pytestmark = pytest.mark.asyncio


async def test_replicated_means_on_a_replica(nodes: Nodes, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "REPLICA_MS", 500)
    master = nodes.add(*REPLICA)
    replica = nodes.add("--replicaof", "127.0.0.1", str(master.port))
    await in_step(master, replica)
    store = await connect(f"redis://127.0.0.1:{master.port}", durability=Durability.REPLICATED)
    [first] = await write(store, "m", GENESIS, 1)
    assert await replica.ask("GET", keys.head("m")) == first.encode()

    assert replica.process is not None
    replica.process.send_signal(signal.SIGSTOP)
    draft = store.log.draft("m", first, b"not there yet")
    with pytest.raises(errors.NotReplicated):
        await store.committed(draft)
    # The master has it, so reading goes on. Committing it again waits for the replicas again, on any connection.
    assert await store.log.head("m") == draft.entry.head
    other = await connect(f"redis://127.0.0.1:{master.port}", durability=Durability.REPLICATED)
    with pytest.raises(errors.NotReplicated):
        await other.committed(draft)
    await other.close()
    replica.process.send_signal(signal.SIGCONT)
    await in_step(master, replica)
    assert await store.committed(draft) == draft.entry.head
    assert await replica.ask("GET", keys.head("m")) == draft.entry.head.encode()
    await store.close()


async def test_a_confirmation_that_acknowledges_waits_for_replicas(
    nodes: Nodes, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that has written nothing itself would wait for nothing."""
    monkeypatch.setattr(pipeline, "REPLICA_MS", 500)
    master = nodes.add(*REPLICA)
    replica = nodes.add("--replicaof", "127.0.0.1", str(master.port))
    await in_step(master, replica)
    url = f"redis://127.0.0.1:{master.port}"
    store, other = [await connect(url, durability=Durability.REPLICATED) for _ in range(2)]

    async def confirmed(match: str) -> Outcome:
        found: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        other.log.confirm_durable(match, found.set_result)
        return await found

    [head] = await write(store, "m", GENESIS, 1)
    assert await confirmed("m") == head
    assert await confirmed("nowhere") == GENESIS
    assert replica.process is not None
    replica.process.send_signal(signal.SIGSTOP)
    draft = store.log.draft("m", head, b"only here")
    with pytest.raises(errors.NotReplicated):
        await store.committed(draft)
    assert isinstance(await confirmed("m"), errors.NotReplicated)
    replica.process.send_signal(signal.SIGCONT)
    await in_step(master, replica)
    assert await confirmed("m") == draft.entry.head
    await store.close()
    await other.close()


async def test_a_repeated_act_is_not_acknowledged_before_replicas_have_it(
    nodes: Nodes, start_worker: StartWorker, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Master and replica are cut off from each other. If the master died now, the act would be lost."""
    monkeypatch.setattr(pipeline, "REPLICA_MS", 100)  # refused calls are tried five times
    master = nodes.add(*REPLICA)
    replica = nodes.add("--replicaof", "127.0.0.1", str(master.port))
    await in_step(master, replica)
    worker = await start_worker(f"redis://127.0.0.1:{master.port}", durability=Durability.REPLICATED)
    [ticket, _] = await seated(2, address=worker.address)
    async with Calls(worker.address) as calls:
        seat: dict[str, Any] = {"match": ticket.match, "seat": ticket.seat}
        decision = await calls("Play/GetDecision", ticket.credential, **seat)
        given = {**seat, "seq": 1, "decision_id": decision.decision_id, "act": decision.clock.default}
        assert replica.process is not None
        replica.process.send_signal(signal.SIGSTOP)
        for _ in range(2):
            assert await calls.reason("Play/Submit", ticket.credential, **given) == "STORE_LOST"
        assert await calls.reason("Play/GetObservation", ticket.credential, **seat) == "STORE_LOST"
        assert (await calls("Matches/GetMatch", name=ticket.match)).name == ticket.match, "reading goes on"
        replica.process.send_signal(signal.SIGCONT)
        await in_step(master, replica)
        assert (await calls("Play/Submit", ticket.credential, **given)).ack.repeated
    log = keys.log(ticket.match.removeprefix("matches/"))
    assert await replica.ask("XLEN", log) == await master.ask("XLEN", log)


async def test_a_replica_is_not_written_to(nodes: Nodes) -> None:
    master = nodes.add(*REPLICA)
    replica = nodes.add("--replicaof", "127.0.0.1", str(master.port))
    await replica.ask("PING")
    with pytest.raises(errors.NotExecuted, match="replica"):
        await connect(f"redis://127.0.0.1:{replica.port}", durability=Durability.REPLICATED, patience=0.1)
