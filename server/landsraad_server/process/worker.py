"""Worker: one process with one event loop that runs the gRPC services and the engine.

Any number of workers serve the same store side by side.
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import ServiceDescriptor

from landsraad_server.accounts.authentication import Authenticator
from landsraad_server.accounts.rate_limiter import RateLimiter
from landsraad_server.accounts.revocation_sweep import RevocationSweep
from landsraad_server.api import (
    accounts_service,
    calls,
    catalog_service,
    matches_service,
    play_service,
    replays_service,
    talk_service,
    watch_service,
)
from landsraad_server.api.session_streams import OpenStreams
from landsraad_server.api.standard_services import StandardServices
from landsraad_server.cells.membership import CellMembership
from landsraad_server.config import Config
from landsraad_server.matches import archive, match_messages
from landsraad_server.matches.clock_poller import ClockPoller
from landsraad_server.matches.coalescing import CoalescingTimer
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.service_clock import now_ms
from landsraad_server.process.cell_tasks import CellTasks
from landsraad_server.process.store_outage import StoreOutage
from landsraad_server.request_limits import MOST_READ_BYTES
from landsraad_server.store import Store
from landsraad_server.store.resp import noop
from landsraad_server.telemetry.metrics import Counters
from landsraad_server.telemetry.tracing import OFF, Tracing
from landsraad_server.transports import registry
from landsraad_server.transports.protocol import TransportServer


def resident_bytes() -> int:
    """Return the resident set size of this process; elsewhere than on Linux its maximum so far."""
    if sys.platform == "linux":
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


class Worker:
    """The services of one worker on one store, in the running event loop."""

    def __init__(
        self,
        config: Config,
        store: Store,
        *,
        now: Callable[[], int] = now_ms,
        on_bots_needed: Callable[[str], None] = noop,
        tracing: Tracing = OFF,
        membership: CellMembership | None = None,
    ) -> None:
        self.counters = Counters()
        self.hosts = MatchHosts(
            store,
            now,
            archive=archive.open_archive(config.archive_place),
            counters=self.counters,
            describe=match_messages.summary,
            on_bots_needed=on_bots_needed,
            coalescing=CoalescingTimer(config.linger_ms / 1000),
            tracing=tracing,
            check_cell=noop if membership is None else membership.router.check,
        )
        self._membership = membership
        self.address = ""
        self.own_address = ""
        self._config = config
        self._started = now()
        self.streams = OpenStreams(config.streams_per_account)
        self._rate_limiter = RateLimiter(config, store.limits, self.hosts.now, self.counters)
        self._authenticator = Authenticator(self.hosts, self._rate_limiter, open_to_all=config.auth == "open")
        self._revocation_sweep = RevocationSweep(self._authenticator, self.streams)
        self._cell_tasks: CellTasks | None = None
        if membership is not None:
            self._cell_tasks = CellTasks(membership, self._revocation_sweep, new_matches=config.new_matches)
        self._standard = StandardServices()
        self._outage = StoreOutage(store, self._standard, self.counters)
        self._server: TransportServer | None = None
        self.clock_poller = ClockPoller(self.hosts)

    async def start(self, port: int, inner: int = 0) -> None:
        """Listen on the port that all workers share and on an own port, then register and report healthy.

        `inner` is a second shared port on loopback, in plaintext, for the house bots; 0 for none.
        """
        try:
            await self._listen(port, inner)
            self._outage.watch()
            self.clock_poller.start()
            await self.hosts.presence.announce(self._config.hint(self.own_address))
            self._revocation_sweep.start()
            if self._cell_tasks is not None:
                await self._cell_tasks.start()
            self._outage.report()
        except BaseException:
            if self._server is not None:
                await self._server.stop(None)
            raise

    async def _listen(self, port: int, inner: int) -> None:
        config = self._config
        transport = registry.load(config.transport)
        server = self._server = transport(
            message_bytes=MOST_READ_BYTES,
            shared_port=True,
            explain=calls.explain_rejection,
            proxies=[str(network) for network in config.proxies],
        )
        ports = [server.listen(f"{config.host}:{wanted}", config.tls_files) for wanted in (port, 0)]
        self.address, self.own_address = (f"{config.advertised}:{given}" for given in ports)
        self.counters.transport = getattr(server, "figures", dict)
        if inner:
            server.listen(f"127.0.0.1:{inner}")
        self._register(server)
        await server.start()

    def _register(self, server: TransportServer) -> None:
        config = self._config
        address = config.hint(self.own_address)
        rate_limiter, accounts = self._rate_limiter, self._authenticator
        rate_gate = calls.RateGate(self.counters, rate_limiter, config.proxies, self.hosts.tracing)
        services: list[tuple[ServiceDescriptor, Any]] = [
            (accounts_service.DESCRIPTOR, accounts_service.AccountsService(accounts)),
            (catalog_service.DESCRIPTOR, catalog_service.CatalogService(config)),
            (
                matches_service.DESCRIPTOR,
                matches_service.MatchesService(self.hosts, accounts, rate_limiter, config, self._membership),
            ),
            (
                play_service.DESCRIPTOR,
                play_service.PlayService(self.hosts, accounts, rate_limiter, self.streams, address=address),
            ),
            (watch_service.DESCRIPTOR, watch_service.WatchService(self.hosts, accounts, self.streams, address=address)),
            (talk_service.DESCRIPTOR, talk_service.TalkService(self.hosts, accounts, self.streams)),
            (replays_service.DESCRIPTOR, replays_service.ReplaysService(self.hosts, accounts, self._membership)),
        ]
        for descriptor, service in services:
            server.add_generic_rpc_handlers((calls.handlers(descriptor, service, rate_gate),))
        self._standard.register(server, [descriptor.full_name for descriptor, _ in services])

    def stats(self) -> dict[str, Any]:
        """Return the figures that Admin.ListWorkers shows of this worker."""
        return {
            "worker": self.hosts.presence.worker,
            "address": self.own_address,
            "pid": os.getpid(),
            "started": self._started,
            "resident": resident_bytes(),
            "streams": self.counters.streams,
            "matches": len(self.hosts.by_match),
            "in_flight": self.counters.in_flight,
            "draining": self.counters.draining,
        }

    async def drain(self, grace_seconds: float) -> None:
        """Refuse new work, close all streams with their cursors, and stop within the grace period."""
        self.counters.draining = True
        self.hosts.presence.withdraw()
        self._standard.shut_down()
        self.streams.drain()
        if self._server is not None:
            await self._server.stop(grace_seconds)
        await self.clock_poller.stop()
        await self.hosts.presence.close()
        await self._revocation_sweep.stop()
        if self._cell_tasks is not None:
            await self._cell_tasks.stop()
        await self.hosts.close()
