"""Main program of a worker: `python -m landsraad_server.process.worker_main`, started by the supervisor only.

Its first line of standard input is the task; afterwards lines of JSON go both ways. When its input ends, its supervisor
is gone, and it drains and goes, too.
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

from landsraad_server.config import Config
from landsraad_server.matches.periodic_task import PeriodicTask
from landsraad_server.process import event_loop, gc_tuning
from landsraad_server.process.warmup import warm_up
from landsraad_server.process.worker import Worker
from landsraad_server.store import Store, connect
from landsraad_server.telemetry import logs, metrics, tracing

#: Connections and all else that one worker may have open.
_MOST_FILES: Final = 1 << 16


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
    traces = tracing.from_environment()
    worker = Worker(config, store, on_house=lambda match: say(house=match), tracing=traces)
    stopped = asyncio.Event()
    grace = [config.grace_seconds]
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    try:
        warm_up()
        await worker.start(task.port, task.inner_port)
        gc_tuning.settle()
        if task.metrics_port:
            metrics.expose(worker.figures, config.host, task.metrics_port)
        sweeping = Sweeping(store)
        sweeping.start()
        listening = asyncio.create_task(_listen(worker, stopped, grace))
        say(ready=worker.stats())
        await stopped.wait()
        await sweeping.stop()
        await worker.drain(grace[0])
        listening.cancel()  # until now: our supervisor still wants to know whether we are alive
    finally:
        await traces.close()
        await store.close()


async def _listen(worker: Worker, stopped: asyncio.Event, grace: list[float]) -> None:
    """Do what the supervisor says."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(partial(asyncio.StreamReaderProtocol, reader), sys.stdin)
    try:
        while line := await reader.readline():
            told = json.loads(line)
            if "stats" in told:
                say(stats=worker.stats())
            if "drain" in told:
                grace[0] = told["drain"]
                stopped.set()
    finally:  # whoever does not hear its supervisor any more must not stay behind
        stopped.set()


class Sweeping(PeriodicTask):
    """Somebody looks after what dead workers have left undone."""

    every_seconds = 10.0

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._sweeper = store.sweeper

    async def turn(self) -> None:
        """Once, if it is our turn."""
        if await self._sweeper.turn(round(self.every_seconds * 1000)):
            await self._sweeper.sweep()


def allow_files() -> None:
    """Each connection is an open file, of which many systems let a process have 1,024 until it asks for more."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if most == resource.RLIM_INFINITY else min(most, _MOST_FILES)
    if now != resource.RLIM_INFINITY and now < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def main() -> None:
    """The process."""
    allow_files()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C at the terminal is for the supervisor
    with open(0, "rb", buffering=0, closefd=False) as first:
        task = msgspec.json.decode(first.readline(), type=Task)
    logs.configure(as_json=not sys.stderr.isatty(), level=task.config["log_level"])
    event_loop.run(run(task))


if __name__ == "__main__":
    main()
