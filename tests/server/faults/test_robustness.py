"""Robustness: whatever fails, each acknowledged act stands, or its client is told that it does not.

The checker knows nothing of the service but the protocol. It plays matches, kills and stops processes at random, and
now and then stops the whole machine, which tears the end of the store's file. In the end it compares what each client
was told with the journals of the matches.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from landsraad import AsyncClient
from landsraad.models import Ticket
from landsraad.v1 import play_pb2
from landsraad_engine.play.match import verify
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.store.aof_repair import growing_file
from landsraad_testkit import RawSeat, RawStream, ServeProcess, serving

pytestmark = [pytest.mark.asyncio, pytest.mark.usefixtures("teaching")]

#: Matches that begin in each life of the machine, their seats, and the lives.
_MATCHES, _SEATS, _LIVES = 3, 3, 4
#: Seconds of faults in each life.
_SECONDS = 3.5


class CheckedSeat(RawSeat):
    """A seat that keeps account of the acts that were told to be lost."""

    def __init__(self, ticket: Ticket, seed: int) -> None:
        super().__init__(ticket, _SEATS, seed=seed)
        self.lost: list[int] = []
        self.told = 0

    async def take(self, stream: RawStream, items: list[play_pb2.ServerItem]) -> None:
        """Forget the acknowledgements of acts that do not stand, before anything is answered."""
        for number, item in enumerate(items):
            if item.subscription != self.subscription or not item.HasField("snapshot"):
                continue
            if item.snapshot.reason == play_pb2.SNAPSHOT_REASON_OTHER_EPOCH:
                await super().take(stream, items[:number])
                self.told += 1
                lost = [seq for seq in self.acks if seq > item.snapshot.observation.last_seq]
                for seq in lost:
                    del self.acks[seq]
                self.lost += lost
                self.sent, self._answered = None, (0, 0)
                self.log.take(item)
                await self.take(stream, items[number + 1 :])
                return
        await super().take(stream, items)


def children(pid: int) -> list[tuple[int, str]]:
    """Return the processes that a process has started, with their command lines."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with suppress(OSError):
            found.append((int(child), Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()))
    return found


async def trouble(service: ServeProcess, rng: Random, done: Counter[str]) -> None:
    """Kill and stop workers and the store at random for a while."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end:
        await asyncio.sleep(rng.uniform(0.1, 0.6))
        workers = [pid for pid, command in children(service.process.pid) if "worker_main" in command]
        what = rng.choice(("kill a worker", "stop a worker", "kill the store", "stop the store"))
        if what.endswith("worker") and not workers:
            continue
        with suppress(OSError, ValueError):
            victim = rng.choice(workers) if what.endswith("worker") else service.store
            done[what] += 1
            if what.startswith("kill"):
                os.kill(victim, signal.SIGKILL)
                continue
            os.kill(victim, signal.SIGSTOP)
            try:
                await asyncio.sleep(rng.uniform(0.1, 1.0))
            finally:
                os.kill(victim, signal.SIGCONT)


def stop_machine(service: ServeProcess, rng: Random, done: Counter[str]) -> None:
    """Kill everything at once, as a power loss does, and lose the end of what was not on the disk."""
    for pid in (service.process.pid, *(pid for pid, _ in children(service.process.pid))):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    service.process.wait()
    store = service.data / "store"
    path = growing_file(store)
    assert path is not None
    content = path.read_bytes()
    kept = content[: len(content) - rng.randrange(min(len(content), 100_000))]
    path.write_bytes(kept + bytes(rng.choice((0, 0, 4096))))
    (store / "running").write_text("a boot before this one")
    done["stop the machine"] += 1


@pytest.mark.long
async def test_each_acknowledged_act_stands_or_is_told_to_be_lost(plugged: dict[str, str], tmp_path: Path) -> None:
    rng, done = Random(os.environ.get("LANDSRAAD_SEED", "robust")), Counter[str]()
    seats: list[CheckedSeat] = []
    for life in range(_LIVES):
        with serving(tmp_path / "data", environment=plugged) as service:
            async with AsyncClient(service.address, retry_timeout=30.0) as client:
                for _ in range(_MATCHES):
                    made = await client.create_match("teaching", _SEATS, {"rounds": 8})
                    tickets = [(await client.join(made.name, seat, orders=())).ticket for seat in range(_SEATS)]
                    seats += [CheckedSeat(ticket, len(seats)) for ticket in tickets]
                for seat in seats:
                    seat.closed = None  # also those that were told the end, which may be lost
                playing = [asyncio.create_task(seat.play_to_end(service.address)) for seat in seats]
                await trouble(service, rng, done)
                if life < _LIVES - 1:
                    stop_machine(service, rng, done)
                    for task in playing:
                        task.cancel()
                    results = await asyncio.gather(*playing, return_exceptions=True)
                    assert [one for one in results if isinstance(one, AssertionError)] == []
                    continue
                async with asyncio.timeout(90):
                    await asyncio.gather(*playing)
                for match in {seat.ticket.match for seat in seats}:
                    certificate = await client.certificate(match)
                    assert verify(TEACHING, certificate) == []
                    stands = Counter(seat for seat, kind, _ in certificate["journal"] if kind in ("answer", "play"))
                    for seat in seats:
                        if seat.ticket.match == match:
                            assert len(seat.acks) == stands[seat.ticket.seat], (match, seat.ticket.seat, seat.lost)
    print(f"{sum(len(seat.acks) for seat in seats)} acknowledged acts stand; of")
    print(f"{sum(len(seat.lost) for seat in seats)} that were lost, each was told; {dict(done)}")
    assert any(seat.told for seat in seats)
