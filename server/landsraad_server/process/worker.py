"""One worker: one loop, the gRPC front and the engine in it. Any number may run beside each other."""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.descriptor import ServiceDescriptor

from landsraad_server.accounts.admission import Admission
from landsraad_server.accounts.authentication import Authenticator
from landsraad_server.accounts.revocation_sweep import RevocationSweep
from landsraad_server.api import calls, catalog_service, matches_service, play_service, replays_service, watch_service
from landsraad_server.api.session_streams import Streams
from landsraad_server.api.standard_services import StandardServices
from landsraad_server.config import Config
from landsraad_server.http2.limits import Limits
from landsraad_server.http2.server import Server
from landsraad_server.limits import MOST_READ_BYTES
from landsraad_server.matches import archive, match_messages
from landsraad_server.matches.clock_poller import ClockPoller, now_ms
from landsraad_server.matches.coalescing import CoalescingTimer
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.store import Store
from landsraad_server.store.resp import noop
from landsraad_server.telemetry.metrics import Counters
from landsraad_server.telemetry.tracing import OFF, Tracing

#: A burst of thousands of opening streams is meant to be taken, not refused (the library's own limits are 1000, 3000).
_MOST_PENDING = 20_000


def server_options() -> list[tuple[str, int]]:
    """How grpcio listens, if it does."""
    return [
        ("grpc.so_reuseport", 1),
        ("grpc.max_receive_message_length", MOST_READ_BYTES),
        ("grpc.server.max_pending_requests", _MOST_PENDING),
        ("grpc.server.max_pending_requests_hard_limit", _MOST_PENDING),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
        # A client that has gone without a word is noticed, and its seats are told to be away.
        ("grpc.keepalive_time_ms", 20_000),
        ("grpc.keepalive_timeout_ms", 10_000),
    ]


def resident() -> int:
    """Bytes of memory that this process has; elsewhere than on Linux, the most that it has had."""
    if sys.platform == "linux":
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class Worker:
    """The service on one store, in the running loop."""

    def __init__(
        self,
        config: Config,
        store: Store,
        *,
        now: Callable[[], int] = now_ms,
        on_house: Callable[[str], None] = noop,
        tracing: Tracing = OFF,
    ) -> None:
        self.figures = Counters()
        self.hall = MatchHosts(
            store,
            now,
            archive=archive.at(config.archive_place),
            figures=self.figures,
            describe=match_messages.summary,
            on_house=on_house,
            lingering=CoalescingTimer(config.linger_ms / 1000),
            tracing=tracing,
        )
        self.address = ""
        self.own_address = ""
        self._config = config
        self._store = store
        self._started = now()
        self.streams = Streams(config.streams_per_account)
        self._admission = Admission(config, store.limits, self.hall.now, self.figures)
        self._accounts = Authenticator(self.hall, self._admission, open_to_all=config.auth == "open")
        self._patrol = RevocationSweep(self._accounts, self.streams)
        self._standard = StandardServices()
        self._server: Server | grpc.aio.Server | None = None
        self.timekeeper = ClockPoller(self.hall)

    async def start(self, port: int, inner: int = 0) -> None:
        """Listen on the port that all workers share and on one of our own, and say that we are healthy.

        `inner` is shared, too: on loopback, in the clear, for bots of the house.
        """
        try:
            await self._listen(port, inner)
            self._store.on_health = self._store_changed
            self.timekeeper.start()
            await self.hall.attendance.appear(self._config.hint(self.own_address))
            self._patrol.start()
            self._store_changed(self._store.up)  # as it is now: it may have been lost since it was connected to
        except BaseException:
            if self._server is not None:
                await self._server.stop(None)
            raise

    async def _listen(self, port: int, inner: int) -> None:
        config = self._config
        if config.transport == "http2":
            ours = self._server = Server(
                shared_port=True, limits=Limits(message_bytes=MOST_READ_BYTES), explain=calls.explained
            )
            ports = [config.listen(ours, wanted, config.tls()) for wanted in (port, 0)]
        else:
            theirs = self._server = grpc.aio.server(options=server_options())
            ports = [config.listen(theirs, wanted, config.credentials()) for wanted in (port, 0)]
        self.address, self.own_address = (f"{config.advertised}:{given}" for given in ports)
        if inner:
            self._server.add_insecure_port(f"127.0.0.1:{inner}")
        self._register(self._server)
        await self._server.start()

    def _register(self, server: Server | grpc.aio.Server) -> None:
        config = self._config
        address = config.hint(self.own_address)
        admission, accounts = self._admission, self._accounts
        door = calls.RateGate(self.figures, admission, config.proxies, self.hall.tracing)
        services: list[tuple[ServiceDescriptor, Any]] = [
            (catalog_service.DESCRIPTOR, catalog_service.CatalogService(config)),
            (matches_service.DESCRIPTOR, matches_service.MatchesService(self.hall, accounts, admission, config)),
            (
                play_service.DESCRIPTOR,
                play_service.PlayService(self.hall, accounts, admission, self.streams, address=address),
            ),
            (watch_service.DESCRIPTOR, watch_service.WatchService(self.hall, accounts, self.streams, address=address)),
            (replays_service.DESCRIPTOR, replays_service.ReplaysService(self.hall, accounts)),
        ]
        for descriptor, service in services:
            server.add_generic_rpc_handlers((calls.handlers(descriptor, service, door),))
        self._standard.register(server, [descriptor.full_name for descriptor, _ in services])

    def _store_changed(self, up: bool) -> None:
        self.figures.store_up = up
        self._standard.say(up=up)

    def stats(self) -> dict[str, Any]:
        """What an operator is told of it."""
        return {
            "worker": self.hall.attendance.worker,
            "address": self.own_address,
            "pid": os.getpid(),
            "started": self._started,
            "resident": resident(),
            "streams": self.figures.streams,
            "matches": len(self.hall.hosts),
            "in_flight": self.figures.in_flight,
            "draining": self.figures.draining,
        }

    async def drain(self, grace_seconds: float) -> None:
        """Take nothing new, send streams away with their cursors, and stop."""
        self.figures.draining = True
        self.hall.attendance.disappear()
        self._standard.leave()
        self.streams.drain()
        if self._server is not None:
            await self._server.stop(grace_seconds)
        await self.timekeeper.stop()
        await self.hall.attendance.close()
        await self._patrol.stop()
        await self.hall.close()
