"""Supervisor of `landsraad serve`: starts and restarts workers, embedded store, house bots and the admin port."""

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

from landsraad_server.api.admin_server import AdminServer
from landsraad_server.cells.membership import join_cell
from landsraad_server.config import Config
from landsraad_server.matches import archive, match_messages
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.service_clock import now_ms
from landsraad_server.process.children import CHECK_SECONDS, Child
from landsraad_server.process.house_bots import HouseBots, runner
from landsraad_server.process.page import PageProcess, is_installed
from landsraad_server.process.worker_main import Task
from landsraad_server.store import EmbeddedServer, EmbeddedServerWatchdog, Store, connect
from landsraad_server.store.errors import SetupError, StoreError
from landsraad_server.store.resp import noop
from landsraad_server.telemetry import metrics, tracing

_log = structlog.get_logger()

#: Seconds that workers may take to start, and the page to stop.
_START_SECONDS = 60.0
_PAGE_STOP_SECONDS = 5.0
_LOOPBACK = ("127.0.0.0/8", "::1/128")


class PortTaken(SetupError):
    """The port cannot be listened on; with SO_REUSEPORT a second server would silently share its clients."""


@contextmanager
def reserve_port(host: str, port: int) -> Iterator[int]:
    """Reserve a port for our workers while the block runs; yield its number.

    SO_REUSEPORT lets any process of this user listen beside another, so whether the port is free has to be tried
    without it. A socket that is bound but does not listen then holds the port without receiving connections.
    """
    family, address = bindable_address(host, port)
    with socket.socket(family) as placeholder:
        placeholder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        placeholder.bind(address)
        given: int = address[1]
        yield given


def bindable_address(host: str, port: int) -> tuple[socket.AddressFamily, tuple[Any, ...]]:
    """Return the address family and socket address to bind; PortTaken if something else listens there."""
    try:
        family, _, _, _, (name, _, *rest) = socket.getaddrinfo(host.strip("[]"), 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((name, port, *rest))
            return family, probe.getsockname()
    except (OSError, OverflowError) as error:  # OverflowError: the port number is out of range
        raise PortTaken(f"{host}:{port} cannot be listened on: {getattr(error, 'strerror', error)}") from None


async def _mark_dead(store: Store, worker: str) -> None:
    """Tell the roster that a worker died."""
    if worker:
        with suppress(StoreError):  # then its missing heartbeat tells
            await store.roster.mark_dead(worker)


class Supervisor:
    """Processes and servers of one `landsraad serve`. Runs in the main thread, with which the embedded store ends."""

    def __init__(self, config: Config) -> None:
        self.workers: list[Child] = []
        self._pages: list[Child] = []
        self._config = config
        self._stopped = asyncio.Event()
        self._failure: BaseException | None = None
        self._house_bots: HouseBots | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: set[asyncio.Task[None]] = set()  # tasks that run the workers

    async def run(self, on_ready: Callable[[dict[str, Any]], None]) -> None:
        """Serve until stopped by a signal; raise the error that made serving impossible."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stopped.set)
        # The stack stops everything in reverse order: house bots, workers, admin port, background tasks, store.
        async with AsyncExitStack() as stack:
            await self._start(stack, on_ready)
            await self._stop_requested()
            _log.info("draining", seconds=self._config.grace_seconds)
        if self._failure is not None:
            raise self._failure

    async def _start(self, stack: AsyncExitStack, on_ready: Callable[[dict[str, Any]], None]) -> None:
        config = self._config
        port = stack.enter_context(reserve_port(config.host, config.port))
        url = config.redis or self._embedded(stack)
        hosts = await self._connect(stack, url)
        stack.push_async_callback(self._cancel_tasks)
        admin = AdminServer(config, hosts, self.workers)
        await admin.start()
        stack.push_async_callback(admin.stop)
        bot_command = runner(config.house_cpu) if config.house else None
        page_port = self._reserve_page_port(stack)
        # Our own clients connect over loopback: they have no client certificate, and should not go through the network.
        needs_inner = not config.plain and (bot_command or page_port)
        inner = stack.enter_context(reserve_port("127.0.0.1", 0)) if needs_inner else 0
        self._start_workers(hosts.store, url, port, inner, behind_page=bool(page_port))
        if config.metrics_port:
            own_port = config.metrics_port + len(self.workers)
            bindable_address(config.host, own_port)
            metrics.expose(hosts.counters, config.host, own_port, plays=False)
        stack.push_async_callback(self._stop_workers)
        await self._all_ready()
        self._spawn(self._watch_workers())
        self._spawn(self._end_with_workers())
        server = f"127.0.0.1:{inner}" if inner else f"{config.host}:{port}"
        if bot_command is not None:
            self._house_bots = HouseBots(hosts, server, bot_command, hints=not inner)
            self._spawn(self._house_bots.run())
            stack.callback(self._house_bots.child.stop)
        page = await self._start_page(stack, server, page_port) if page_port else ""
        if not self._stopped.is_set():
            on_ready(self._ready_line(f"{config.advertised}:{port}", admin.address, page))

    def _reserve_page_port(self, stack: AsyncExitStack) -> int:
        """Return the port that the page is to listen on; 0 for no page. Only a page that was asked for must start."""
        config = self._config
        if config.http_port is None:
            return 0
        try:
            if not is_installed():
                raise SetupError("the page needs landsraad_web with starlette and uvicorn, which are not installed")
            return stack.enter_context(reserve_port(config.http_host, config.http_port))
        except SetupError as problem:
            if config.http:
                raise
            _log.warning("no_page", fault=str(problem))
            return 0

    async def _start_page(self, stack: AsyncExitStack, server: str, port: int) -> str:
        """Start the page and return its address; empty if it does not start. It goes on trying then."""
        page = PageProcess(self._config, server, port)
        running = self._spawn(page.run())

        async def stop() -> None:
            page.child.stop()
            await asyncio.wait({running}, timeout=_PAGE_STOP_SECONDS)

        stack.push_async_callback(stop)
        self._pages.append(page.child)
        return page.address if await page.wait_until_ready() else ""

    async def _connect(self, stack: AsyncExitStack, url: str) -> MatchHosts:
        """Connect to the store, for the supervisor's own reading and changing of matches."""
        config = self._config
        store = await connect(url, durability=config.durability, replicas=config.replicas)
        stack.push_async_callback(store.close)
        stored = archive.open_archive(config.archive_place)
        await archive.claim(store, stored)
        membership = await join_cell(config, store)
        if membership is not None:
            stack.push_async_callback(membership.close)
        traces = tracing.from_environment()
        stack.push_async_callback(traces.close)
        hosts = MatchHosts(
            store,
            now_ms,
            archive=stored,
            counters=metrics.Counters(),
            describe=match_messages.summary,
            tracing=traces,
            check_cell=noop if membership is None else membership.router.check,
        )
        stack.push_async_callback(hosts.close)
        return hosts

    def _embedded(self, stack: AsyncExitStack) -> str:
        """Start the embedded store and return its URL."""
        server = EmbeddedServer(self._config.data / "store", durability=self._config.durability)
        stack.enter_context(server)
        self._spawn(EmbeddedServerWatchdog(server).run())
        return server.url

    # ------------------------------------------------------------------------------------------------------- workers

    def _start_workers(self, store: Store, url: str, port: int, inner: int, *, behind_page: bool) -> None:
        config = self._config

        def ended(last_stats: dict[str, Any]) -> None:
            self._spawn(_mark_dead(store, last_stats.get("worker", "")))

        count = config.workers or (1 if platform.system() == "Darwin" else os.cpu_count() or 1)
        settings = config.model_dump(mode="json")
        if behind_page:  # which tells the addresses of its visitors, or all of them would share one rate limit
            settings["proxies"] = [*settings["proxies"], *_LOOPBACK]
        for number in range(count):
            metrics_port = config.metrics_port + number if config.metrics_port else 0
            if metrics_port:
                bindable_address(
                    config.host, metrics_port
                )  # The supervisor reports a taken port once; each worker would report it at every restart.
            task = Task(settings, url, port, metrics_port, inner)
            command = [sys.executable, "-m", "landsraad_server.process.worker_main"]
            worker = Child(f"worker-{number}", command, msgspec.json.encode(task).decode(), self._on_line, ended)
            self.workers.append(worker)
            self._running.add(self._spawn(worker.run()))

    async def _all_ready(self) -> None:
        """Return when all workers are ready, or when a stop was requested."""
        ready, stopped = asyncio.create_task(self._ready()), asyncio.create_task(self._stop_requested())
        done, waiting = await asyncio.wait(
            (ready, stopped), timeout=_START_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        for task in waiting:
            task.cancel()
        if not done:
            raise SetupError(f"the workers did not start within {_START_SECONDS:.0f} s; see the log")

    async def _ready(self) -> None:
        for worker in self.workers:
            await worker.ready.wait()

    async def _watch_workers(self) -> None:
        """Check periodically that workers are alive: the system accepts connections for one that hangs."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            for child in (*self.workers, *self._pages):
                child.check_alive()

    async def _end_with_workers(self) -> None:
        """Stop the supervisor once an operator has drained the last worker; workers that crash are restarted."""
        await asyncio.wait(self._running)
        if not self._stopped.is_set():
            _log.warning("no_worker_left")
            self._stopped.set()

    async def _stop_requested(self) -> None:
        await self._stopped.wait()

    async def _stop_workers(self) -> None:
        """Drain all workers and wait for them."""
        for worker in self.workers:
            worker.stop(drain=self._config.grace_seconds)
        await asyncio.wait(self._running, timeout=self._config.grace_seconds + 5.0)

    def _on_line(self, line: dict[str, Any]) -> None:
        if self._house_bots is None:
            return
        if "house" in line:
            self._spawn(self._house_bots.seats_of(line["house"]))
        elif "ready" in line:  # a killed worker may not have reported every match that began
            self._spawn(self._house_bots.all_seats())

    # ------------------------------------------------------------------------------------------------ background tasks
    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a background task; if it fails, the supervisor stops and raises its error."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._task_done)
        return task

    def _task_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._failure = task.exception()
            self._stopped.set()

    async def _cancel_tasks(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ready_line(self, address: str, admin: str, page: str) -> dict[str, Any]:
        return {
            "ready": True,
            "address": address,
            "admin": admin,
            **({"http": page} if page else {}),
            "workers": [{"pid": worker.pid, "address": worker.last_stats["address"]} for worker in self.workers],
            **({"cell": self._config.cell} if self._config.cell else {}),
            "auth": self._config.auth,
            "house": self._house_bots is not None,
            "store": "given" if self._config.redis else "embedded",
            "pid": os.getpid(),
        }
