"""One worker: one process, one loop, the gRPC front and the engine in it. Any number may run beside each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
from grpc_health.v1 import health_pb2
from grpc_health.v1.health import aio as health
from grpc_reflection.v1alpha.reflection import enable_server_reflection

from landsraad_server import builds, describing
from landsraad_server.accounts import Accounts
from landsraad_server.clocks import Timekeeper, now_ms
from landsraad_server.config import Config
from landsraad_server.hosting import archive
from landsraad_server.hosting.hall import Hall
from landsraad_server.limits import MOST_BYTES
from landsraad_server.services import calls, catalog, matches, play
from landsraad_server.store import Store

#: A burst of thousands of opening streams is meant to be taken, not refused (the library's own limits are 1000, 3000).
_MOST_PENDING = 20_000


class Worker:
    """The service on one store, in the running loop."""

    def __init__(self, config: Config, store: Store, *, now: Callable[[], int] = now_ms) -> None:
        self.hall = Hall(
            store,
            now,
            archive=archive.at(config.archive_place),
            build=builds.engine_build(),
            describe=describing.summary,
            on_fault=self._fault,
        )
        self.port = 0
        self.own_port = 0
        self._config = config
        self._store = store
        self._now = now
        self._health = health.HealthServicer()
        self._server: grpc.aio.Server | None = None
        self._timekeeper = Timekeeper(self.hall, now)
        self._play: play.Play

    async def start(self, port: int) -> None:
        """Listen, and say that we are healthy."""
        config = self._config
        server = grpc.aio.server(
            options=[
                ("grpc.so_reuseport", 1),
                ("grpc.max_receive_message_length", MOST_BYTES),
                ("grpc.server.max_pending_requests", _MOST_PENDING),
                ("grpc.server.max_pending_requests_hard_limit", _MOST_PENDING),
                ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
                ("grpc.keepalive_permit_without_calls", 1),
            ]
        )
        self.port = self._listen(server, f"{config.host}:{port}")
        self.own_port = self._listen(server, f"{config.host}:0")
        self._register(server, f"{config.advertised}:{self.own_port}")
        await server.start()
        self._server = server
        self._timekeeper.start()
        self._store.on_health = self._store_changed
        await self._health.set("", health_pb2.HealthCheckResponse.SERVING)

    def _listen(self, server: grpc.aio.Server, address: str) -> int:
        credentials = self._config.credentials()
        if credentials is None:
            return server.add_insecure_port(address)
        return server.add_secure_port(address, credentials)

    def _register(self, server: grpc.aio.Server, address: str) -> None:
        accounts = Accounts(self.hall, open_to_all=self._config.auth == "open")
        self._play = play.Play(self.hall, accounts, address=address)
        services: list[tuple[Any, Any]] = [
            (catalog.DESCRIPTOR, catalog.Catalog()),
            (matches.DESCRIPTOR, matches.Matches(self.hall, accounts, address=address)),
            (play.DESCRIPTOR, self._play),
        ]
        for descriptor, service in services:
            methods = {name: getattr(service, _snake(name)) for name in descriptor.methods_by_name}
            server.add_generic_rpc_handlers((calls.handlers(descriptor, methods, self._fault),))
        from grpc_health.v1 import health_pb2_grpc

        health_pb2_grpc.add_HealthServicer_to_server(self._health, server)
        names = [descriptor.full_name for descriptor, _ in services]
        enable_server_reflection([*names, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"], server)

    def _store_changed(self, up: bool) -> None:
        status = health_pb2.HealthCheckResponse.SERVING if up else health_pb2.HealthCheckResponse.NOT_SERVING
        self.hall.spawn(self._health.set("", status))

    def _fault(self, where: str, what: str, error: Exception) -> None:
        import traceback

        traceback.print_exception(error)

    async def drain(self, grace: float) -> None:
        """Take nothing new, send streams away with their cursors, and stop."""
        await self._health.enter_graceful_shutdown()
        self._play.drain()
        assert self._server is not None
        await self._server.stop(grace)
        await self._timekeeper.stop()
        await self.hall.close()


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
