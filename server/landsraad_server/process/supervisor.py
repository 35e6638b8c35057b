"""`landsraad serve`: the workers, their store, the house's bots and the admin port, started and kept running."""

from __future__ import annotations

import asyncio
import os
import platform
import signal
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from typing import Any

import msgspec
import structlog

from landsraad_server.api.admin_service import AdminServer
from landsraad_server.config import Config
from landsraad_server.matches import archive, match_messages
from landsraad_server.matches.clock_poller import now_ms
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.process.children import BEAT_SECONDS, Child
from landsraad_server.process.house_bots import HouseBots, runner
from landsraad_server.process.worker_main import Task
from landsraad_server.store import EmbeddedServer, EmbeddedServerWatchdog, Store, connect
from landsraad_server.store.errors import SetupError, StoreError
from landsraad_server.telemetry import metrics, tracing

_log = structlog.get_logger()

#: Longer than this no worker needs to come up.
_START_SECONDS = 60.0


class PortTaken(SetupError):
    """Another server listens there; it would share the port with us, and its clients."""


@contextmanager
def reserved(host: str, port: int) -> Iterator[int]:
    """A port that is ours alone while the block runs, and on which our workers can listen beside each other.

    SO_REUSEPORT lets any process of this user listen beside another, so whether the port is free has to be tried
    without it; a socket that is bound but does not listen then keeps the port without getting any connections.
    """
    family, address = free(host, port)
    with socket.socket(family) as keeper:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        keeper.bind(address)
        given: int = address[1]
        yield given


def free(host: str, port: int) -> tuple[socket.AddressFamily, tuple[Any, ...]]:
    """Where a port can be listened on; PortTaken if it cannot."""
    try:
        family, _, _, _, (name, _, *rest) = socket.getaddrinfo(host.strip("[]"), 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((name, port, *rest))
            return family, probe.getsockname()
    except (OSError, OverflowError) as error:  # OverflowError: there is no such port
        raise PortTaken(f"{host}:{port} cannot be listened on: {getattr(error, 'strerror', error)}") from None


async def _bury(store: Store, worker: str) -> None:
    """Let the others know that a worker has died: nobody is to be sent there, and its players are away."""
    if worker:
        with suppress(StoreError):  # then they find out by its silence
            await store.roster.died(worker)


class Supervisor:
    """Everything that one `landsraad serve` is made of. Runs in the main thread: the embedded store ends with it."""

    def __init__(self, config: Config) -> None:
        self.workers: list[Child] = []
        self._config = config
        self._stopped = asyncio.Event()
        self._trouble: BaseException | None = None
        self._house: HouseBots | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: set[asyncio.Task[None]] = set()  # those of the workers

    async def run(self, on_ready: Callable[[dict[str, Any]], None]) -> None:
        """Serve until told to stop; raises what made it impossible."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopped.set)
        config = self._config
        async with AsyncExitStack() as stack:
            port = stack.enter_context(reserved(config.host, config.port))
            url = config.redis or self._embedded(stack)
            store = await connect(url, durability=config.durability, replicas=config.replicas)
            stack.push_async_callback(store.close)
            traces = tracing.from_environment()
            stack.push_async_callback(traces.close)
            hall = MatchHosts(
                store,
                now_ms,
                archive=archive.at(config.archive_place),
                figures=metrics.Counters(),
                describe=match_messages.summary,
                tracing=traces,
            )
            stack.push_async_callback(hall.close)
            stack.push_async_callback(self._cancel_tasks)
            admin = AdminServer(config, hall, self.workers)
            await admin.start()
            stack.push_async_callback(admin.stop)
            command = runner() if config.house else None
            # Bots of the house have no certificate to show, and no wish to be sent over the network.
            inner = stack.enter_context(reserved("127.0.0.1", 0)) if command and not config.plain else 0
            self._start_workers(store, url, port, inner)
            if config.metrics_port:
                behind = config.metrics_port + len(self.workers)
                free(config.host, behind)
                metrics.expose(hall.figures, config.host, behind, plays=False)
            stack.push_async_callback(self._stop_workers)
            await self._all_ready()
            self._keep(self._watch_workers())
            self._keep(self._end_with_workers())
            address = f"{config.advertised}:{port}"
            if command is not None:
                server = f"127.0.0.1:{inner}" if inner else f"{config.host}:{port}"
                self._house = HouseBots(hall, server, command, hints=not inner)
                self._keep(self._house.run())
                stack.callback(self._house.child.stop)
            if not self._stopped.is_set():
                on_ready(self._ready_line(address, admin.address))
            await self._told_to_stop()
            _log.info("draining", seconds=config.grace_seconds)
        if self._trouble is not None:
            raise self._trouble

    def _embedded(self, stack: AsyncExitStack) -> str:
        """A store of our own."""
        server = EmbeddedServer(self._config.data / "store", durability=self._config.durability)
        stack.enter_context(server)
        self._keep(EmbeddedServerWatchdog(server).run())
        return server.url

    # ------------------------------------------------------------------------------------------------------- workers

    def _start_workers(self, store: Store, url: str, port: int, inner: int) -> None:
        config = self._config

        def ended(about: dict[str, Any]) -> None:
            self._keep(_bury(store, about.get("worker", "")))

        count = config.workers or (1 if platform.system() == "Darwin" else os.cpu_count() or 1)
        settings = config.model_dump(mode="json")
        for number in range(count):
            metrics_port = config.metrics_port + number if config.metrics_port else 0
            if metrics_port:
                free(config.host, metrics_port)  # said once, and not by each worker as often as it is started again
            task = Task(settings, url, port, metrics_port, inner)
            command = [sys.executable, "-m", "landsraad_server.process.worker_main"]
            worker = Child(f"worker-{number}", command, msgspec.json.encode(task).decode(), self._hear, ended)
            self.workers.append(worker)
            self._running.add(self._keep(worker.run()))

    async def _all_ready(self) -> None:
        """Return when all workers serve, or somebody has told us to stop."""
        ready, stopped = asyncio.create_task(self._ready()), asyncio.create_task(self._told_to_stop())
        done, waiting = await asyncio.wait(
            (ready, stopped), timeout=_START_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        for task in waiting:
            task.cancel()
        if not done:
            raise SetupError(f"the workers did not come up within {_START_SECONDS:.0f} s; see the log")

    async def _ready(self) -> None:
        for worker in self.workers:
            await worker.ready.wait()

    async def _watch_workers(self) -> None:
        """A worker that hangs takes connections, for the system does that, and answers none of them."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            for worker in self.workers:
                worker.beat()

    async def _end_with_workers(self) -> None:
        """Workers start again whenever they end, until they are told to: by us, or one by one by an operator."""
        await asyncio.wait(self._running)
        if not self._stopped.is_set():
            _log.warning("no_worker_left")
            self._stopped.set()

    async def _told_to_stop(self) -> None:
        await self._stopped.wait()

    async def _stop_workers(self) -> None:
        """Drain all, and wait."""
        for worker in self.workers:
            worker.stop(drain=self._config.grace_seconds)
        await asyncio.wait(self._running, timeout=self._config.grace_seconds + 5.0)

    def _hear(self, line: dict[str, Any]) -> None:
        if self._house is None:
            return
        if "house" in line:
            self._keep(self._house.seats_of(line["house"]))
        elif "ready" in line:  # one that was killed may not have said of all matches that they had begun
            self._keep(self._house.all_seats())

    # ------------------------------------------------------------------------------------------------------ the rest

    def _keep(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something beside us; if it fails, we do."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._trouble = task.exception()
            self._stopped.set()

    async def _cancel_tasks(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ready_line(self, address: str, admin: str) -> dict[str, Any]:
        return {
            "ready": True,
            "address": address,
            "admin": admin,
            "workers": [{"pid": worker.pid, "address": worker.about["address"]} for worker in self.workers],
            "auth": self._config.auth,
            "house": self._house is not None,
            "store": "given" if self._config.redis else "embedded",
            "pid": os.getpid(),
        }
