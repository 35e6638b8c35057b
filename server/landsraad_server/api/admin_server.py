"""Admin server: the operators' port, with a credential of its own, in the supervisor's process.

Every call is in the audit log before it is answered.
"""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import grpc

from landsraad_server.accounts.audit import AuditLine, AuditLog
from landsraad_server.api import calls
from landsraad_server.api.admin_service import DESCRIPTOR, MOST_REASON, Admin, WorkerProcess
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.standard_services import StandardServices
from landsraad_server.config import Config
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.refusals import Denied, to_refusal
from landsraad_server.request_limits import MOST_READ_BYTES
from landsraad_server.store.errors import SetupError
from landsraad_server.transports.grpcio import GrpcioServer

#: Prefix of operators' credentials, by which people and scanners recognise a leaked one.
_PREFIX = "landsraad_admin_"
_LEAST_CHARACTERS = 32
#: Characters of a resource name that the audit log keeps.
_MOST_RESOURCE = 64
#: Request fields that name the resource, in order of preference.
_ABOUT = ("name", "match", "account_id")


def credential(path: Path) -> str:
    """Read the operators' credential from a file that only its owner can read; create the file on first use."""
    try:
        found = path.read_text().strip()
    except FileNotFoundError:
        made = _PREFIX + secrets.token_urlsafe(32)
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(made + "\n")
        return made
    if len(found) < _LEAST_CHARACTERS:  # an empty credential would match a call without one
        raise SetupError(f"{path} has to hold a credential of at least {_LEAST_CHARACTERS} characters")
    return found


class AdminServer:
    """gRPC server of the operators' port: authentication, audit log, health and reflection."""

    def __init__(self, config: Config, hosts: MatchHosts, workers: Sequence[WorkerProcess]) -> None:
        self.address = ""
        self._config = config
        self._hosts = hosts
        try:
            self._audit = AuditLog(config.data / "audit.jsonl")
            self._credential = credential(config.admin_credential or config.data / "admin-credential")
        except OSError as error:
            raise SetupError(f"{error.filename or config.data} cannot be used: {error.strerror}") from None
        self._admin = Admin(hosts, workers, self._audit)
        self._standard = StandardServices()
        self._server: GrpcioServer | None = None
        self._under_way: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Listen on the operators' port; SetupError if that is impossible."""
        config = self._config
        server = GrpcioServer(message_bytes=MOST_READ_BYTES, shared_port=False)
        try:
            port = server.listen(f"{config.host}:{config.admin_port}", config.tls_files)
        except RuntimeError:
            raise SetupError(
                f"{config.host}:{config.admin_port}, the port for operators, cannot be listened on"
            ) from None
        methods = {name: partial(self._audited, name) for name in DESCRIPTOR.methods_by_name}
        audited = SimpleNamespace(**{calls.snake_case(name): method for name, method in methods.items()})
        rate_gate = calls.RateGate(self._hosts.counters, tracing=self._hosts.tracing)
        server.add_generic_rpc_handlers((calls.handlers(DESCRIPTOR, audited, rate_gate, unreadable=True),))
        self._standard.register(server, [DESCRIPTOR.full_name])
        await server.start()
        self._standard.set_health(up=True)
        self.address = f"{config.host}:{port}"
        self._server = server

    async def stop(self) -> None:
        """Stop serving and close the audit log."""
        self._standard.shut_down()
        if self._server is not None:
            await self._server.stop(1.0)
        # The server has cancelled calls that were still running, but these have yet to write their audit lines.
        await asyncio.gather(*self._under_way, return_exceptions=True)
        self._audit.close()

    async def _audited(self, name: str, request: Any, call: RpcCall) -> Any:
        """Check the credential, run the method, and write the audit line before the answer is sent."""
        line = AuditLine(
            time=self._hosts.now(),
            operator="operator",
            address=call.address,
            call=f"Admin/{name}",
            # Truncated, because it is logged even for callers without the credential and must not fill the disk.
            resource=next((text for name in _ABOUT if (text := getattr(request, name, ""))), "")[:_MOST_RESOURCE],
            reason=getattr(request, "reason", "")[:MOST_REASON],
        )
        method: Callable[[Any, RpcCall], Awaitable[Any]] = getattr(self._admin, calls.snake_case(name))
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            if not hmac.compare_digest(call.bearer.encode(), self._credential.encode()):
                line.operator = ""
                raise Denied("NO_CREDENTIAL", "this needs the operators' credential in `authorization: Bearer ...`")
            return await method(calls.require_readable(request), call)
        except Exception as error:
            line.code = to_refusal(error).code
            raise
        except asyncio.CancelledError:  # cancelled: its work may be done, in part or in full
            line.code = grpc.StatusCode.CANCELLED.value[0]
            raise
        finally:
            self._audit.add(line)
