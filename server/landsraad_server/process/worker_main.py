"""Worker entry point: `python -m landsraad_server.process.worker_main`, started by the supervisor only.

The first line of standard input is the task; after it both sides exchange JSON lines. The end of standard input means
that the supervisor is gone: the worker then drains and exits.
"""

from __future__ import annotations

import asyncio
import json
import resource
import signal
import sys
from contextlib import suppress
from functools import partial
from typing import Any, Final

import msgspec

from landsraad import gc_tuning
from landsraad_server.cells.membership import join_cell
from landsraad_server.config import Config
from landsraad_server.matches.periodic_task import PeriodicTask
from landsraad_server.process import event_loop
from landsraad_server.process.warmup import warm_up
from landsraad_server.process.worker import Worker
from landsraad_server.store import Store, connect
from landsraad_server.telemetry import logs, metrics, tracing

#: Limit of open files that a worker asks for; each connection is one.
_MOST_FILES: Final = 1 << 16


class Task(msgspec.Struct):
    """First message of the supervisor: what to serve and where."""

    config: dict[str, Any]
    store: str
    port: int
    metrics_port: int = 0
    #: plaintext port on loopback for our own processes; 0: they use `port`
    inner_port: int = 0


def send_line(**line: Any) -> None:
    """Send one JSON line to the supervisor."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


async def run(task: Task) -> None:
    """Serve until told to drain."""
    config = Config(**task.config)
    store = await connect(task.store, durability=config.durability, replicas=config.replicas)
    membership = await join_cell(config, store)
    traces = tracing.from_environment()
    worker = Worker(
        config, store, on_bots_needed=lambda match: send_line(house=match), tracing=traces, membership=membership
    )
    stopped = asyncio.Event()
    grace = [config.grace_seconds]
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    try:
        warm_up()
        await worker.start(task.port, task.inner_port)
        gc_tuning.tune()
        if task.metrics_port:
            metrics.expose(worker.counters, config.host, task.metrics_port)
        repairs = RepairTask(store)
        repairs.start()
        listening = asyncio.create_task(_listen(worker, stopped, grace))
        send_line(ready=worker.stats())
        await stopped.wait()
        await repairs.stop()
        await worker.drain(grace[0])
        listening.cancel()  # the supervisor checks for signs of life until here
    finally:
        await traces.close()
        if membership is not None:
            await membership.close()
        await store.close()


async def _listen(worker: Worker, stopped: asyncio.Event, grace: list[float]) -> None:
    """Carry out the supervisor's commands until its end of the pipe closes."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(partial(asyncio.StreamReaderProtocol, reader), sys.stdin)
    try:
        while line := await reader.readline():
            message = json.loads(line)
            if "stats" in message:
                send_line(stats=worker.stats())
            if "drain" in message:
                grace[0] = message["drain"]
                stopped.set()
    finally:  # a worker must not outlive its supervisor
        stopped.set()


class RepairTask(PeriodicTask):
    """Sweep the store periodically for what dead workers left unfinished; one worker at a time."""

    every_seconds = 10.0

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._sweeper = store.sweeper

    async def tick(self) -> None:
        """Run a sweep unless another worker has claimed this period."""
        if await self._sweeper.claim_sweep(round(self.every_seconds * 1000)):
            await self._sweeper.sweep()


def allow_files() -> None:
    """Raise the soft limit of open files: many systems default to 1,024, and each connection is one."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if most == resource.RLIM_INFINITY else min(most, _MOST_FILES)
    if now != resource.RLIM_INFINITY and now < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def main() -> None:
    """Read the task and run the worker."""
    allow_files()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at the terminal is for the supervisor
    with open(0, "rb", buffering=0, closefd=False) as first:
        task = msgspec.json.decode(first.readline(), type=Task)
    logs.configure(as_json=not sys.stderr.isatty(), level=task.config["log_level"])
    event_loop.run(run(task))


if __name__ == "__main__":
    main()
