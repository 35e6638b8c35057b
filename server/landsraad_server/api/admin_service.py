"""The admin port: for operators alone, with a credential of its own, in the supervisor's process."""

from __future__ import annotations

import asyncio
import hmac
import os
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol, TypeVar

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from landsraad.v1 import common_pb2, matches_pb2, table_pb2
from landsraad.wire.catalog import value_message
from landsraad_admin.v1 import admin_pb2 as api
from landsraad_engine.kernel.zones import ENGINE_KEYS
from landsraad_engine.play.build import engine_build
from landsraad_server.accounts.audit import AuditLine, AuditLog
from landsraad_server.accounts.authentication import is_guest, match_id
from landsraad_server.api import calls
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.match_list import made_up, page_size
from landsraad_server.api.standard_services import StandardServices
from landsraad_server.config import Config
from landsraad_server.matches import match_changes, match_messages
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.records import Ending, MatchStage
from landsraad_server.refusals import Denied, bad_field, check_text, is_gone, on_wire
from landsraad_server.store import Head, IndexState
from landsraad_server.store.errors import SetupError

T = TypeVar("T")

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Admin"]

#: What operators' credentials begin with, so that one that lies about can be recognised.
_PREFIX = "landsraad_admin_"
_LEAST_CHARACTERS = 32
#: Characters of a resource name and a reason that the audit log keeps.
_MOST_RESOURCE, _MOST_REASON = 64, 200
#: The fields of requests that say what they are about.
_ABOUT = ("name", "match", "account")
_GRACE_MS, _MOST_GRACE_MS = 30_000, 600_000
_ENDINGS = {
    common_pb2.RESULT_KIND_UNSPECIFIED: Ending.ABORTED,
    common_pb2.RESULT_KIND_ABORTED: Ending.ABORTED,
    common_pb2.RESULT_KIND_INFRASTRUCTURE: Ending.INFRASTRUCTURE,
}


def credential(path: Path) -> str:
    """The operators' credential: from a file that its owner alone can read, made on first use."""
    try:
        found = path.read_text().strip()
    except FileNotFoundError:
        made = _PREFIX + secrets.token_urlsafe(32)
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(made + "\n")
        return made
    if len(found) < _LEAST_CHARACTERS:  # an empty one would be good for whoever shows none
        raise SetupError(f"{path} holds no credential for operators: {_LEAST_CHARACTERS} characters at least")
    return found


class WorkerProcess(Protocol):
    """A worker process as operators see it."""

    name: str

    pid: int

    @property
    def gone(self) -> bool: ...

    @property
    def ending(self) -> bool: ...

    async def stats(self) -> dict[str, Any]: ...

    def stop(self, *, drain: float | None = None) -> None: ...


class Admin:
    """See the protocol. It hosts matches like a worker, for nobody owns them."""

    def __init__(self, hall: MatchHosts, workers: Sequence[WorkerProcess], audit: AuditLog) -> None:
        self._hall = hall
        self._workers = workers
        self._audit = audit

    async def list_workers(self, request: api.ListWorkersRequest, call: RpcCall) -> api.ListWorkersResponse:
        size = page_size(request.page_size, 1000, 1000)
        if request.page_token and all(worker.name != request.page_token for worker in self._workers):
            made_up()
        here = (worker for worker in self._workers if worker.name > request.page_token and not worker.gone)
        rest = sorted(here, key=lambda worker: worker.name)
        shown = [await _worker(child) for child in rest[:size]]
        return api.ListWorkersResponse(workers=shown, next_page_token=rest[size - 1].name if len(rest) > size else "")

    async def drain_worker(self, request: api.DrainWorkerRequest, call: RpcCall) -> api.Worker:
        """It ends, and is not started again."""
        if request.grace_ms > _MOST_GRACE_MS:
            raise bad_field("grace_ms", f"{_MOST_GRACE_MS} at most")
        for child in self._workers:
            if request.name == f"workers/{child.name}" and not child.gone:
                about = await _worker(child)
                child.stop(drain=(request.grace_ms or _GRACE_MS) / 1000)
                about.draining = True
                return about
        raise bad_field("name", "there is no such worker")

    async def inspect_match(self, request: api.InspectMatchRequest, call: RpcCall) -> api.MatchInspection:
        match = match_id(request.name, "name")
        host = self._hall.host(match)
        inspection = await self._hall.read(match, lambda position: _inspection(position, host.head))
        kept = await self._hall.store.log.load(match)
        inspection.stored_bytes = sum(len(entry.payload) for entry in kept.entries)
        if kept.snapshot is not None:
            inspection.snapshot_version = kept.snapshot.head.version
            inspection.stored_bytes += len(kept.snapshot.payload)
        return inspection

    async def abort_match(self, request: api.AbortMatchRequest, call: RpcCall) -> matches_pb2.Match:
        match = match_id(request.name, "name")
        kind = _ENDINGS.get(request.kind)
        if kind is None:
            raise bad_field("kind", "ABORTED or INFRASTRUCTURE")
        check_text("reason", request.reason, _MOST_REASON)
        await self._hall.change(match, partial(match_changes.end_early, kind=kind, reason=request.reason))
        return await self._hall.read(match, match_messages.match_message)

    async def revoke_seat(self, request: api.RevokeSeatRequest, call: RpcCall) -> matches_pb2.Match:
        match = match_id(request.name, "name")
        check_text("reason", request.reason, _MOST_REASON)
        await self._hall.change(match, partial(match_changes.put_out, number=request.seat))
        return await self._hall.read(match, match_messages.match_message)

    async def revoke_account(self, request: api.RevokeAccountRequest, call: RpcCall) -> api.RevokeAccountResponse:
        check_text("reason", request.reason, _MOST_REASON)
        accounts = self._hall.store.accounts
        if not is_guest(request.account) and await accounts.get(request.account) is None:
            raise bad_field("account", "there is no such account")
        # First, or more seats could be taken meanwhile.
        tokens = await accounts.tokens(request.account)
        response = api.RevokeAccountResponse(tokens=len(tokens))
        for token in tokens:
            await accounts.revoke(request.account, token.digest)
        for match in await self._with(request.account):
            try:
                seats = await self._hall.change(match, partial(match_changes.put_out_of_all, account=request.account))
            except Denied as denied:
                if not is_gone(denied):
                    raise
            else:
                for seat in seats:
                    response.seats.add(match=f"matches/{match}", seat=seat)
        return response

    async def _with(self, account: str) -> Iterable[str]:
        """Matches that are not over in which it has a seat; once each, also one that begins meanwhile."""
        found: dict[str, None] = {}
        for state in (IndexState.OPEN, IndexState.LIVE):
            async for rows in self._hall.store.index.all(state):
                for row in rows:
                    if account in match_messages.read_summary(row.listing.summary).accounts:
                        found[row.match] = None
        return found

    async def get_truth(self, request: api.GetTruthRequest, call: RpcCall) -> api.Truth:
        match = match_id(request.name, "name")
        if not request.reason:
            raise bad_field("reason", "says why somebody looks at what is hidden")
        check_text("reason", request.reason, _MOST_REASON)
        host = self._hall.host(match)
        return await self._hall.read(match, lambda position: _truth(position, host.head))

    async def list_audit_records(
        self, request: api.ListAuditRecordsRequest, call: RpcCall
    ) -> api.ListAuditRecordsResponse:
        token = request.page_token
        if token and not (token.isdecimal() and len(token) < 16):
            made_up()
        try:
            lines, next_ = self._audit.newest(page_size(request.page_size, 100, 1000), int(token or 0), request.match)
        except LookupError:
            made_up()
        return api.ListAuditRecordsResponse(
            records=[
                api.AuditRecord(
                    time=_time(line.time),
                    operator=line.operator,
                    address=line.address,
                    call=line.call,
                    resource=line.resource,
                    reason=line.reason,
                    code=line.code,
                )
                for line in lines
            ],
            next_page_token=str(next_) if next_ else "",
        )


class AdminServer:
    """Listens for operators."""

    def __init__(self, config: Config, hall: MatchHosts, workers: Sequence[WorkerProcess]) -> None:
        self.address = ""
        self._config = config
        self._hall = hall
        try:
            self._audit = AuditLog(config.data / "audit.jsonl")
            self._credential = credential(config.admin_credential or config.data / "admin-credential")
        except OSError as error:
            raise SetupError(f"{error.filename or config.data} cannot be used: {error.strerror}") from None
        self._admin = Admin(hall, workers, self._audit)
        self._standard = StandardServices()
        self._server: grpc.aio.Server | None = None
        self._under_way: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        config = self._config
        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        try:
            port = config.listen(server, config.admin_port, config.credentials())
        except RuntimeError:
            raise SetupError(
                f"{config.host}:{config.admin_port}, the port for operators, cannot be listened on"
            ) from None
        methods = {name: partial(self._audited, name) for name in DESCRIPTOR.methods_by_name}
        spelled = SimpleNamespace(**{calls.spelled(name): method for name, method in methods.items()})
        door = calls.RateGate(self._hall.figures, tracing=self._hall.tracing)
        server.add_generic_rpc_handlers((calls.handlers(DESCRIPTOR, spelled, door, unreadable=True),))
        self._standard.register(server, [DESCRIPTOR.full_name])
        await server.start()
        self._standard.say(up=True)
        self.address = f"{config.host}:{port}"
        self._server = server

    async def stop(self) -> None:
        self._standard.leave()
        if self._server is not None:
            await self._server.stop(1.0)
        # The server has only told those who have not come to an end that they are to: they have something to write yet.
        await asyncio.gather(*self._under_way, return_exceptions=True)
        self._audit.close()

    async def _audited(self, name: str, request: Any, call: RpcCall) -> Any:
        """Let nobody in without the credential, and do nothing that is not in the audit log before it is answered."""
        line = AuditLine(
            time=self._hall.now(),
            operator="operator",
            address=call.address,
            call=f"Admin/{name}",
            # Cut: it is written before anybody knows who calls, and must not fill the disk.
            resource=next((text for name in _ABOUT if (text := getattr(request, name, ""))), "")[:_MOST_RESOURCE],
            reason=getattr(request, "reason", "")[:_MOST_REASON],
        )
        method: Callable[[Any, RpcCall], Awaitable[Any]] = getattr(self._admin, calls.spelled(name))
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            if not hmac.compare_digest(call.bearer.encode(), self._credential.encode()):
                line.operator = ""
                raise Denied("NO_CREDENTIAL", "this needs the operators' credential in `authorization: Bearer ...`")
            return await method(calls.given(request), call)
        except Exception as error:
            line.code = on_wire(error).code
            raise
        except asyncio.CancelledError:  # broken off: what it was to do is done, or not, or in part
            line.code = grpc.StatusCode.CANCELLED.value[0]
            raise
        finally:
            self._audit.add(line)


async def _worker(child: WorkerProcess) -> api.Worker:
    about = await child.stats()
    return api.Worker(
        name=f"workers/{child.name}",
        address=about.get("address", ""),
        pid=child.pid,
        engine_build=engine_build(),
        start_time=_time(about.get("started", 0)),
        draining=child.ending or about.get("draining", False),
        streams=about.get("streams", 0),
        matches=about.get("matches", 0),
        inputs_in_flight=about.get("in_flight", 0),
        resident_bytes=about.get("resident", 0),
    )


def _inspection(position: HostedMatch, head: Head) -> api.MatchInspection:
    """A match as its host knows it, in one moment."""
    found = api.MatchInspection(match=match_messages.match_message(position), version=head.version, epoch=head.epoch)
    if head.due:
        found.due_time.FromMilliseconds(head.due)
    for number, seat in enumerate(position.seats):
        found.seats.add(
            seat=number,
            account=position.terms.seats[number].account,
            last_seq=seat.seq,
            entries=position.marks.counts[number],
            decision_id=position.decision(number),
            refused=seat.refused,
            presence=match_messages.presence(seat.presence),
            bank_ms=seat.bank_ms,
        )
    return found


def _truth(position: HostedMatch, head: Head) -> api.Truth:
    """All that lies on the table, hidden or not."""
    if position.stage is MatchStage.OPEN or position.live is None:
        raise Denied("WRONG_STATE", "the match has not begun yet")
    places = [
        table_pb2.PlaceContent(key=key, value=value_message(value))
        for key, value in sorted(position.live.g.table.items())
        if not key.startswith(ENGINE_KEYS)
    ]
    return api.Truth(match=match_messages.match_message(position), version=head.version, places=places)


def _time(ms: int) -> Timestamp:
    time = Timestamp()
    time.FromMilliseconds(ms)
    return time
