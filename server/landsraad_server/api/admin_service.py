"""Admin service: operators inspect and end matches, revoke access, drain workers and read the audit log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Protocol, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from landsraad.v1 import common_pb2, matches_pb2, table_pb2
from landsraad.wire.catalog import value_message
from landsraad_admin.v1 import admin_pb2 as api
from landsraad_engine.kernel.zones import ENGINE_KEYS
from landsraad_engine.play.build import engine_build
from landsraad_server.accounts.audit import AuditLog
from landsraad_server.accounts.authentication import is_guest, match_id
from landsraad_server.api.calls import RpcCall
from landsraad_server.api.match_list import page_size, reject_page_token
from landsraad_server.matches import match_changes, match_messages
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.records import Ending, MatchStage
from landsraad_server.refusals import Denied, bad_field, check_text, is_gone
from landsraad_server.store import Head, IndexState

T = TypeVar("T")

DESCRIPTOR = api.DESCRIPTOR.services_by_name["Admin"]

#: Longest reason that operators may give, and that the audit log keeps.
MOST_REASON = 200
_GRACE_MS, _MOST_GRACE_MS = 30_000, 600_000
_ENDINGS = {
    common_pb2.RESULT_KIND_UNSPECIFIED: Ending.ABORTED,
    common_pb2.RESULT_KIND_ABORTED: Ending.ABORTED,
    common_pb2.RESULT_KIND_INFRASTRUCTURE: Ending.INFRASTRUCTURE,
}


class WorkerProcess(Protocol):
    """A worker process as operators see it; `children.Child` implements it."""

    name: str

    pid: int

    @property
    def stopped(self) -> bool: ...

    @property
    def stopping(self) -> bool: ...

    async def stats(self) -> dict[str, Any]: ...

    def stop(self, *, drain: float | None = None) -> None: ...


class Admin:
    """Implementation of the Admin service. It loads matches as a worker does: no process owns a match."""

    def __init__(self, hosts: MatchHosts, workers: Sequence[WorkerProcess], audit: AuditLog) -> None:
        self._hosts = hosts
        self._workers = workers
        self._audit = audit

    async def list_workers(self, request: api.ListWorkersRequest, call: RpcCall) -> api.ListWorkersResponse:
        """List the running workers by name."""
        size = page_size(request.page_size, 1000, 1000)
        if request.page_token and all(worker.name != request.page_token for worker in self._workers):
            reject_page_token()
        here = (worker for worker in self._workers if worker.name > request.page_token and not worker.stopped)
        rest = sorted(here, key=lambda worker: worker.name)
        shown = [await _worker(child) for child in rest[:size]]
        return api.ListWorkersResponse(workers=shown, next_page_token=rest[size - 1].name if len(rest) > size else "")

    async def drain_worker(self, request: api.DrainWorkerRequest, call: RpcCall) -> api.Worker:
        """Drain one worker, which is not restarted."""
        if request.grace_ms > _MOST_GRACE_MS:
            raise bad_field("grace_ms", f"cannot exceed {_MOST_GRACE_MS}")
        for child in self._workers:
            if request.name == f"workers/{child.name}" and not child.stopped:
                about = await _worker(child)
                child.stop(drain=(request.grace_ms or _GRACE_MS) / 1000)
                about.draining = True
                return about
        raise bad_field("name", "there is no such worker")

    async def inspect_match(self, request: api.InspectMatchRequest, call: RpcCall) -> api.MatchInspection:
        """Describe how a match is stored: head of its log, clocks, seats and sizes."""
        match = match_id(request.name, "name")
        host = self._hosts.host(match)
        inspection = await self._hosts.read(match, lambda hosted: _inspection(hosted, host.head))
        loaded = await self._hosts.store.log.load(match)
        inspection.stored_bytes = sum(len(entry.payload) for entry in loaded.entries)
        if loaded.snapshot is not None:
            inspection.snapshot_version = loaded.snapshot.head.version
            inspection.stored_bytes += len(loaded.snapshot.payload)
        return inspection

    async def abort_match(self, request: api.AbortMatchRequest, call: RpcCall) -> matches_pb2.Match:
        """End a match without a winner."""
        match = match_id(request.name, "name")
        kind = _ENDINGS.get(request.kind)
        if kind is None:
            raise bad_field("kind", "has to be ABORTED or INFRASTRUCTURE")
        check_text("reason", request.reason, MOST_REASON)
        await self._hosts.change(match, partial(match_changes.end_early, kind=kind, reason=request.reason))
        return await self._hosts.read(match, match_messages.match_message)

    async def revoke_seat(self, request: api.RevokeSeatRequest, call: RpcCall) -> matches_pb2.Match:
        """Remove the player of one seat and revoke the seat's credential."""
        match = match_id(request.name, "name")
        check_text("reason", request.reason, MOST_REASON)
        await self._hosts.change(match, partial(match_changes.revoke_seat, number=request.seat))
        return await self._hosts.read(match, match_messages.match_message)

    async def revoke_account(self, request: api.RevokeAccountRequest, call: RpcCall) -> api.RevokeAccountResponse:
        """Revoke all tokens of an account and remove it from all its seats."""
        check_text("reason", request.reason, MOST_REASON)
        accounts, account = self._hosts.store.accounts, request.account_id
        if not account:
            raise bad_field("account_id", "has to be the id of an account")
        if not is_guest(account) and await accounts.get(account) is None:
            raise Denied("NO_SUCH_ACCOUNT", "there is no account of this id")
        # Tokens first: while they are valid the account could take further seats.
        tokens = await accounts.tokens(account)
        response = api.RevokeAccountResponse(tokens=len(tokens))
        for token in tokens:
            await accounts.revoke(account, token.digest)
        for match in await self._matches_of(account):
            try:
                seats = await self._hosts.change(match, partial(match_changes.revoke_account, account=account))
            except Denied as denied:
                if not is_gone(denied):
                    raise
            else:
                for seat in seats:
                    response.seats.add(match=f"matches/{match}", seat=seat)
        return response

    async def _matches_of(self, account: str) -> Iterable[str]:
        """Return the open and live matches in which an account has a seat, each once even if it begins meanwhile."""
        found: dict[str, None] = {}
        for state in (IndexState.OPEN, IndexState.LIVE):
            async for rows in self._hosts.store.index.all(state):
                for row in rows:
                    if account in match_messages.read_summary(row.listing.summary).accounts:
                        found[row.match] = None
        return found

    async def get_truth(self, request: api.GetTruthRequest, call: RpcCall) -> api.Truth:
        """Return all content of the table, hidden or not; the reason goes into the audit log."""
        match = match_id(request.name, "name")
        if not request.reason:
            raise bad_field("reason", "has to say why you look at hidden content")
        check_text("reason", request.reason, MOST_REASON)
        host = self._hosts.host(match)
        return await self._hosts.read(match, lambda hosted: _truth(hosted, host.head))

    async def list_audit_records(
        self, request: api.ListAuditRecordsRequest, call: RpcCall
    ) -> api.ListAuditRecordsResponse:
        """List records of the audit log, newest first."""
        token = request.page_token
        if token and not (token.isdecimal() and len(token) < 16):
            reject_page_token()
        try:
            lines, next_ = self._audit.newest(page_size(request.page_size, 100, 1000), int(token or 0), request.match)
        except LookupError:
            reject_page_token()
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


async def _worker(child: WorkerProcess) -> api.Worker:
    about = await child.stats()
    return api.Worker(
        name=f"workers/{child.name}",
        address=about.get("address", ""),
        pid=child.pid,
        engine_build=engine_build(),
        start_time=_time(about.get("started", 0)),
        draining=child.stopping or about.get("draining", False),
        streams=about.get("streams", 0),
        matches=about.get("matches", 0),
        inputs_in_flight=about.get("in_flight", 0),
        resident_bytes=about.get("resident", 0),
    )


def _inspection(hosted: HostedMatch, head: Head) -> api.MatchInspection:
    """Describe a match as its host has it in memory."""
    found = api.MatchInspection(match=match_messages.match_message(hosted), version=head.version, epoch=head.epoch)
    if head.due:
        found.due_time.FromMilliseconds(head.due)
    for number, seat in enumerate(hosted.seats):
        found.seats.add(
            seat=number,
            account_id=hosted.terms.seats[number].account,
            last_seq=seat.seq,
            entries=hosted.log_counters.counts[number],
            decision_id=hosted.decision(number),
            refused=seat.refused,
            presence=match_messages.presence(seat.presence),
            bank_ms=seat.bank_ms,
        )
    return found


def _truth(hosted: HostedMatch, head: Head) -> api.Truth:
    """Return the content of all places, hidden or not."""
    if hosted.stage is MatchStage.OPEN or hosted.running is None:
        raise Denied("WRONG_STATE", "the match has not begun yet")
    places = [
        table_pb2.PlaceContent(key=key, value=value_message(value))
        for key, value in sorted(hosted.running.g.table.items())
        if not key.startswith(ENGINE_KEYS)
    ]
    return api.Truth(match=match_messages.match_message(hosted), version=head.version, places=places)


def _time(ms: int) -> Timestamp:
    time = Timestamp()
    time.FromMilliseconds(ms)
    return time
