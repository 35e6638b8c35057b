"""The process of one worker: `python -m landsraad_server.process`, started by the supervisor and by nobody else.

Its first line of standard input is the task; afterwards lines of JSON go both ways. When its input ends, its supervisor
is gone, and it drains and goes, too.
"""

from __future__ import annotations

import asyncio
import gc
import json
import signal
import sys
from functools import partial
from typing import Any

import msgspec

from landsraad_server import logs, loops, metrics
from landsraad_server.config import Config
from landsraad_server.store import Store, connect
from landsraad_server.store.errors import StoreError
from landsraad_server.warming import warm_up
from landsraad_server.worker import Worker

#: How often somebody looks after what dead workers have left undone.
_SWEEP_MS = 10_000

#: The young are looked at often, for then it is quick: with 50,000 of them a worker stood still for 20 ms each second,
#: which was the 99th percentile of its answers. Thousands of streams and matches live long, so the old hardly ever.
_GC_THRESHOLDS = (2_000, 10, 1_000)


class Task(msgspec.Struct):
    """What a worker is told first."""

    config: dict[str, Any]
    store: str
    port: int
    metrics_port: int = 0
    #: another port, on loopback and in the clear, for processes of our own; 0: they use the first
    inner_port: int = 0


def say(**line: Any) -> None:
    """A line to the supervisor."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def run(task: Task) -> None:
    """Serve until told to drain."""
    config = Config(**task.config)
    store = await connect(task.store, durability=config.durability, replicas=config.replicas)
    worker = Worker(config, store, on_house=lambda match: say(house=match))
    stopped = asyncio.Event()
    grace = [config.grace_seconds]
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    try:
        warm_up()
        await worker.start(task.port, task.inner_port)
        gc.set_threshold(*_GC_THRESHOLDS)
        gc.collect()
        gc.freeze()
        if task.metrics_port:
            metrics.expose(worker.figures, config.host, task.metrics_port)
        sweeping = asyncio.create_task(_sweep(store))
        listening = asyncio.create_task(_listen(worker, stopped, grace))
        say(ready=worker.stats())
        await stopped.wait()
        sweeping.cancel()
        listening.cancel()
        await worker.drain(grace[0])
    finally:
        await store.close()


async def _listen(worker: Worker, stopped: asyncio.Event, grace: list[float]) -> None:
    """Do what the supervisor says."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(partial(asyncio.StreamReaderProtocol, reader), sys.stdin)
    while line := await reader.readline():
        told = json.loads(line)
        if "stats" in told:
            say(stats=worker.stats())
        if "drain" in told:
            grace[0] = told["drain"]
            stopped.set()
    stopped.set()


async def _sweep(store: Store) -> None:
    while True:
        await asyncio.sleep(_SWEEP_MS / 1000)
        try:
            if await store.sweeper.turn(_SWEEP_MS):
                await store.sweeper.sweep()
        except StoreError:
            continue  # it will be somebody's turn again


def main() -> None:
    """The process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C at the terminal is for the supervisor
    with open(0, "rb", buffering=0, closefd=False) as first:
        task = msgspec.json.decode(first.readline(), type=Task)
    logs.configure(as_json=not sys.stderr.isatty(), level=task.config["log_level"])
    loops.run(run(task))


if __name__ == "__main__":
    main()
