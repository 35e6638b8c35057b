"""The admin port: its own credential, an audit line for every call, and no admin service on the public port."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import grpc
import pytest
import pytest_asyncio
from google.api import field_behavior_pb2
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from tests.ports import free_ports

from landsraad.v1 import common_pb2, matches_pb2, play_pb2
from landsraad.wire.refusals import reason_of
from landsraad.wire.values import read_value
from landsraad_admin.v1 import admin_pb2 as api
from landsraad_engine.kernel.zones import ENGINE_KEYS, Sight
from landsraad_server.accounts.audit import ANONYMOUS_MS, MOST_ANONYMOUS, AuditLine, AuditLog
from landsraad_server.accounts.authentication import Authenticator
from landsraad_server.api import reflection_names
from landsraad_server.api.admin_server import AdminServer, credential
from landsraad_server.config import Config
from landsraad_server.process.worker import Worker
from landsraad_server.request_limits import MOST_BYTES
from landsraad_server.store import IndexState
from landsraad_server.store.errors import SetupError
from landsraad_server.store.match_index import IndexRow
from landsraad_testkit import HandClock, ServeProcess, serving
from landsraad_testkit.calls import METHODS, Calls

pytestmark = pytest.mark.asyncio

_ADMIN = api.DESCRIPTOR.services_by_name["Admin"]
_HEALTH = "/grpc.health.v1.Health"
_REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
ME = "landsraad_guest_me"


class Operator:
    """Calls to the admin port with the operators' credential."""

    def __init__(self, raw: Any, credential: str) -> None:
        self._raw = raw
        self.credential = credential

    async def __call__(self, method: str, **fields: Any) -> Any:
        answer = await self.ask(method, self.credential, **fields)
        assert answer.code is grpc.StatusCode.OK, answer.details
        return GetMessageClass(_ADMIN.methods_by_name[method].output_type).FromString(answer.body)

    async def reason(self, method: str, credential: str | None = None, **fields: Any) -> str:
        answer = await self.ask(method, self.credential if credential is None else credential, **fields)
        return reason_of(answer.refusal)

    async def ask(self, method: str, credential: str, **fields: Any) -> Any:
        described = _ADMIN.methods_by_name[method]
        body = GetMessageClass(described.input_type)(**fields).SerializeToString()
        return await self._raw.call(described, body, credential)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "admin"


@pytest_asyncio.fixture
async def admin(worker: Worker, data: Path) -> AsyncIterator[AdminServer]:
    """The admin port beside one worker."""
    server = AdminServer(Config(data=data), worker.hosts, [])
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
def operator(admin: AdminServer, data: Path, raw_calls: Any) -> Operator:
    return Operator(raw_calls(admin.address), (data / "admin-credential").read_text().strip())


def audited(data: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (data / "audit.jsonl").read_text().splitlines()]


async def begun(calls: Calls) -> str:
    """A live match."""
    match = await calls.new(ME)
    for seat in (0, 1):
        await calls("Matches/JoinMatch", ME, name=match, seat=seat)
    return match


async def test_nobody_without_the_credential(operator: Operator, data: Path) -> None:
    shown = ("", "landsraad_admin_made-up", "landsraad_token_x", ME)
    for method in _ADMIN.methods_by_name:
        for each in shown:
            assert await operator.reason(method, each) == "NO_CREDENTIAL"
    lines = audited(data)
    assert [line["call"] for line in lines] == [f"Admin/{method}" for method in _ADMIN.methods_by_name for _ in shown]
    assert {(line["operator"], line["code"]) for line in lines} == {("", grpc.StatusCode.UNAUTHENTICATED.value[0])}


async def test_a_request_without_a_required_field_is_refused(operator: Operator, calls: Calls) -> None:
    given = {"name": await begun(calls), "reason": "why", "account_id": "guest-0123456789abcdef"}
    missing = 0
    for name, method in _ADMIN.methods_by_name.items():
        required = [
            field.name
            for field in method.input_type.fields
            if field_behavior_pb2.REQUIRED in field.GetOptions().Extensions[field_behavior_pb2.field_behavior]
        ]
        for left_out in required:
            fields = {field: given[field] for field in required if field != left_out}
            answer = await operator.ask(name, operator.credential, **fields)
            assert answer.code is grpc.StatusCode.INVALID_ARGUMENT
            assert [violation.field for violation in answer.refusal.violations] == [left_out]
            missing += 1
    assert missing == 7


async def test_who_has_no_credential_cannot_fill_the_disk(operator: Operator, data: Path) -> None:
    for fields in ({"name": "x" * 200_000}, {"name": "matches/m", "reason": "x" * 200_000}):
        assert await operator.reason("GetTruth", "", **fields) == "NO_CREDENTIAL"
    assert (data / "audit.jsonl").stat().st_size < 1000


async def test_nor_does_it_wait_for_him(
    operator: Operator, data: Path, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines are synchronous writes: calls without the credential are logged at a limited rate, and the rest counted."""
    synced: list[int] = []
    log, fsync = (data / "audit.jsonl").stat().st_ino, os.fsync

    def note(file: int) -> None:
        if os.fstat(file).st_ino == log:  # the store is synced by another thread
            synced.append(file)
        fsync(file)

    monkeypatch.setattr(os, "fsync", note)
    for _ in range(MOST_ANONYMOUS + 30):
        assert await operator.reason("GetTruth", "", name="matches/m") == "NO_CREDENTIAL"
    assert len(synced) == len(audited(data)) == MOST_ANONYMOUS
    clock.advance(ANONYMOUS_MS)
    for _ in range(5):
        assert await operator.reason("ListWorkers", "") == "NO_CREDENTIAL"
    stranger = {"operator": "", "code": grpc.StatusCode.UNAUTHENTICATED.value[0]}
    told, last = audited(data)[MOST_ANONYMOUS:]
    assert (told.items() >= stranger.items(), told["call"], told["reason"].split()[0]) == (True, "Admin", "30")
    assert (last.items() >= stranger.items(), last["call"]) == (True, "Admin/ListWorkers")
    # Operators are always logged, after a summary of the calls left out before.
    [newest] = (await operator("ListAuditRecords", page_size=1)).records
    assert (newest.call, newest.reason.split()[0], newest.code) == ("Admin", "4", stranger["code"])


async def test_who_was_left_out_is_told_at_the_end_at_the_latest(data: Path) -> None:
    log = AuditLog(data / "audit.jsonl")
    for time in range(MOST_ANONYMOUS + 2):
        log.add(AuditLine(time, "", "", "Admin/ListWorkers"))
    log.add(AuditLine(0, "", "", "Admin/ListWorkers"))  # setting the clock back adds no allowance
    log.close()
    assert [line.get("reason", "")[:2] for line in audited(data)] == [""] * MOST_ANONYMOUS + ["3 "]


async def test_the_credential_is_for_its_owner_alone(operator: Operator, data: Path) -> None:
    assert operator.credential.startswith("landsraad_admin_")
    for name in ("admin-credential", "audit.jsonl"):
        assert (data / name).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", ["", "\n", "secret"])
async def test_a_credential_that_is_none(content: str, tmp_path: Path) -> None:
    """An empty file must not let in a client without a credential."""
    file = tmp_path / "admin-credential"
    file.write_text(content)
    with pytest.raises(SetupError, match="admin-credential"):
        credential(file)


async def test_what_the_end_of_the_service_breaks_off_is_in_the_audit_log(
    worker: Worker, data: Path, raw_calls: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The action may have been done, although the operator got no answer."""
    begun = asyncio.Event()

    async def hanging(*_: object) -> None:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(worker.hosts, "change", hanging)
    server = AdminServer(Config(data=data), worker.hosts, [])
    await server.start()
    operator = Operator(raw_calls(server.address), (data / "admin-credential").read_text().strip())
    asking = asyncio.ensure_future(operator.ask("AbortMatch", operator.credential, name="matches/m"))
    await begun.wait()
    await server.stop()
    await asking
    [line] = audited(data)
    assert (line["call"], line["resource"]) == ("Admin/AbortMatch", "matches/m")
    assert line["code"] == grpc.StatusCode.CANCELLED.value[0]


async def test_inspect(operator: Operator, calls: Calls) -> None:
    match = await begun(calls)
    found = await operator("InspectMatch", name=match)
    assert found.match.state == common_pb2.MATCH_STATE_LIVE
    assert found.version > 0
    assert found.stored_bytes > 0
    assert [seat.seat for seat in found.seats] == [0, 1]
    assert all(seat.account_id.startswith("guest-") and seat.entries for seat in found.seats)
    assert any(seat.decision_id for seat in found.seats)


async def test_abort(operator: Operator, calls: Calls, data: Path, open_stream: Any) -> None:
    match = await begun(calls)
    async with open_stream(token=ME) as stream:
        await stream.send(play_pb2.ClientItem(subscription=1, subscribe=play_pb2.Subscribe(match=match)))
        await stream.next("snapshot")
        ended = await operator(
            "AbortMatch", name=match, reason="the house is on fire", kind=common_pb2.RESULT_KIND_INFRASTRUCTURE
        )
        assert ended.result.kind == common_pb2.RESULT_KIND_INFRASTRUCTURE
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_OVER
    assert (await calls("Matches/GetMatch", name=match)).result == ended.result
    assert ended.result.reason == "the house is on fire"
    [record] = audited(data)
    assert (record["call"], record["resource"], record["reason"], record["operator"]) == (
        "Admin/AbortMatch",
        match,
        "the house is on fire",
        "operator",
    )


async def test_revoke_a_seat(operator: Operator, calls: Calls, open_stream: Any, data: Path) -> None:
    """For a leaked credential: only the account can come back."""
    match = await calls.new(ME, seats=3)
    stolen = (await calls("Matches/JoinMatch", ME, name=match, seat=0)).credential
    await calls("Matches/JoinMatch", name=match, seat=1)
    thief = play_pb2.ClientItem(subscription=1, subscribe=play_pb2.Subscribe(match=match, credential=stolen))
    async with open_stream() as stream:
        await stream.send(thief)
        await stream.next("snapshot")
        found = await operator("RevokeSeat", name=match, seat=0, reason="it was published")
        assert [seat.presence for seat in found.seats[:2]] == [matches_pb2.PRESENCE_AWAY] * 2
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_REVOKED
        await stream.send(thief)
        assert reason_of(await stream.next("refusal")) == "NO_CREDENTIAL"
        owner = play_pb2.Subscribe(match=match, credential=ME)
        await stream.send(play_pb2.ClientItem(subscription=2, subscribe=owner))
        await stream.next("snapshot", 2)
    assert await operator.reason("RevokeSeat", name=match, seat=2) == "WRONG_STATE"
    assert await operator.reason("RevokeSeat", name=match, seat=3) == "NO_SUCH_SEAT"
    assert [record["reason"] for record in audited(data) if "reason" in record] == ["it was published"]


async def test_put_somebody_out(operator: Operator, calls: Calls, worker: Worker, open_stream: Any, data: Path) -> None:
    """All tokens of the account and all credentials of its seats end."""
    accounts = worker.hosts.store.accounts
    cheat, other = [(await accounts.create(name, 1)).identity for name in ("cheat", "other")]
    tokens = [await accounts.issue(cheat, label, 1) for label in ("first", "second")]
    live, open_, over = await calls.new(ME), await calls.new(tokens[0]), await calls.new(tokens[0])
    await calls("Matches/JoinMatch", await accounts.issue(other, "", 1), name=live, seat=0)
    credential = (await calls("Matches/JoinMatch", tokens[0], name=live, seat=1)).credential
    for seat in (0, 1):
        await calls("Matches/JoinMatch", tokens[1], name=over, seat=seat)
    await calls("Matches/AbortMatch", tokens[0], name=over)
    await calls("Matches/JoinMatch", tokens[1], name=open_, seat=1)
    async with open_stream() as stream:
        joined = play_pb2.ClientItem(
            subscription=1, subscribe=play_pb2.Subscribe(match=live, seat=1, credential=credential)
        )
        await stream.send(joined)
        await stream.next("snapshot")
        found = await operator("RevokeAccount", account_id=cheat, reason="plays by two accounts")
        assert found.tokens == 2
        assert [(one.match, one.seat) for one in found.seats] == [(open_, 1), (live, 1)]
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_REVOKED
        await stream.send(joined)
        assert reason_of(await stream.next("refusal")) == "NO_CREDENTIAL"
    for token in tokens:
        assert await calls.reason("Matches/JoinMatch", token, name=open_, seat=0) == "NO_CREDENTIAL"
    assert (await accounts.tokens(other)) != []
    again = await operator("RevokeAccount", account_id=cheat)
    assert (again.tokens, len(again.seats)) == (0, 2)  # the seats stay with the account, which has no token any more
    assert await operator.reason("RevokeAccount", account_id="made-up") == "NO_SUCH_ACCOUNT"
    assert [(record["resource"], record.get("reason")) for record in audited(data)] == [
        (cheat, "plays by two accounts"),
        (cheat, None),
        ("made-up", None),
    ]


async def test_who_is_put_out_while_joining_does_not_sit_down(
    operator: Operator, calls: Calls, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account was valid when the join was checked, and had no seat yet when the operator's call listed its
    seats.
    """
    cheat = (await worker.hosts.store.accounts.create("cheat", 1)).identity
    token, match = await worker.hosts.store.accounts.issue(cheat, "", 1), await calls.new(ME)
    look = Authenticator.authenticate

    async def look_and_put_out(accounts: Authenticator, *asked: Any, **how: Any) -> Any:
        found = await look(accounts, *asked, **how)
        assert (await operator("RevokeAccount", account_id=cheat)).tokens == 1
        return found

    monkeypatch.setattr(Authenticator, "authenticate", look_and_put_out)
    assert await calls.reason("Matches/JoinMatch", token, name=match, seat=0) == "NO_CREDENTIAL"
    [seat, _] = await worker.hosts.read(match.partition("/")[2], lambda hosted: hosted.terms.seats)
    assert (seat.account, seat.key) == (cheat, b"")


async def test_a_guest_is_put_out_of_its_seats(operator: Operator, calls: Calls) -> None:
    match = await begun(calls)
    guest = (await operator("InspectMatch", name=match)).seats[0].account_id
    found = await operator("RevokeAccount", account_id=guest)
    assert (found.tokens, [(one.match, one.seat) for one in found.seats]) == (0, [(match, 0), (match, 1)])


async def test_a_match_that_leaves_the_store_meanwhile_is_no_hindrance(
    operator: Operator, calls: Calls, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await begun(calls)
    guest = (await operator("InspectMatch", name=match)).seats[0].account_id
    listed = worker.hosts.store.index.all

    async def all_and_one_more(state: IndexState) -> AsyncIterator[list[IndexRow]]:
        async for rows in listed(state):
            yield [*(row._replace(match="gone") for row in rows), *rows]

    monkeypatch.setattr(worker.hosts.store.index, "all", all_and_one_more)
    found = await operator("RevokeAccount", account_id=guest)
    assert [(one.match, one.seat) for one in found.seats] == [(match, 0), (match, 1)]


async def test_truth(operator: Operator, calls: Calls, worker: Worker, data: Path) -> None:
    """All content of the table, hidden or not, for a reason that is recorded."""
    match = await begun(calls)
    assert await operator.reason("GetTruth", name=match) == "BAD_FIELD"
    truth = await operator("GetTruth", name=match, reason="a complaint")
    hosted = worker.hosts.by_match[match.partition("/")[2]].hosted
    assert hosted is not None
    g = hosted.game.g
    shown = {place.key: read_value(place.value) for place in truth.places}
    assert shown == {key: value for key, value in g.table.items() if not key.startswith(ENGINE_KEYS)}
    hidden = {key for key, place in g.setting.places.items() if place.zone.sight in (Sight.OWNER, Sight.BACKS)}
    assert any("?" not in shown[key] for key in hidden & set(shown))
    assert [(record["call"], record.get("reason"), record.get("code", 0)) for record in audited(data)] == [
        ("Admin/GetTruth", None, grpc.StatusCode.INVALID_ARGUMENT.value[0]),
        ("Admin/GetTruth", "a complaint", 0),
    ]


async def test_which_call_is_valid_in_which_state(operator: Operator, calls: Calls) -> None:
    open_, live, over = await calls.new(ME), await begun(calls), await begun(calls)
    await calls("Matches/AbortMatch", ME, name=over)
    assert await operator.reason("GetTruth", name=open_, reason="why") == "WRONG_STATE"
    for match in (open_, live, over):
        await operator("InspectMatch", name=match)
    for match in (live, over):
        await operator("GetTruth", name=match, reason="why")
    assert await operator.reason("AbortMatch", name=over) == "OVER"
    await operator("AbortMatch", name=open_)
    asked: dict[str, dict[str, Any]] = {"InspectMatch": {}, "GetTruth": {"reason": "why"}, "AbortMatch": {}}
    for method, more in asked.items():
        assert await operator.reason(method, name="matches/none", **more) == "NO_SUCH_MATCH"


async def test_requests_that_are_wrong(operator: Operator, calls: Calls, worker: Worker) -> None:
    match = await begun(calls)
    wrong: dict[str, dict[str, Any]] = {
        "ListWorkers": {"page_size": -1},
        "DrainWorker": {"name": "workers/none"},
        "InspectMatch": {"name": "worker"},
        "AbortMatch": {"name": match, "kind": common_pb2.RESULT_KIND_PLAYED},
        "GetTruth": {"name": match, "reason": "x" * 201},
        "ListAuditRecords": {"page_token": "-1"},
    }
    for method, fields in wrong.items():
        refusal = (await operator.ask(method, operator.credential, **fields)).refusal
        assert reason_of(refusal) == "BAD_FIELD"
        assert [violation.field in fields for violation in refusal.violations] == [True]
    made_up = {"ListWorkers": "worker-9999", "ListAuditRecords": "999999999999999"}
    for method, token in made_up.items():
        assert await operator.reason(method, page_token=token) == "BAD_FIELD"
    assert await operator.reason("AbortMatch", name=match, reason="x" * 201) == "BAD_FIELD"
    assert await operator.reason("DrainWorker", name="workers/none", grace_ms=600_001) == "BAD_FIELD"
    assert worker.counters.faults == 0


async def test_a_fault_is_told_as_ours_and_nothing_else_of_it(
    operator: Operator, data: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any) -> Any:
        raise ZeroDivisionError("what only the log may know")

    monkeypatch.setattr(AuditLog, "newest", fails)
    answer = await operator.ask("ListAuditRecords", operator.credential)
    assert answer.code is grpc.StatusCode.INTERNAL
    assert reason_of(answer.refusal) == "INTERNAL"
    assert "ZeroDivision" not in answer.details
    assert "only the log" not in answer.details
    [line] = audited(data)
    assert line["code"] == grpc.StatusCode.INTERNAL.value[0]
    assert worker.counters.faults == worker.counters.refusals["INTERNAL"] == 1


def exposed(port: int) -> list[str]:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text: str = answer.read().decode()
    return text.splitlines()


async def test_what_is_refused_at_this_port_is_counted_where_the_figures_of_the_supervisor_are(
    tmp_path: Path, raw_calls: Any
) -> None:
    port = free_ports(2)
    with serving(tmp_path / "data", "--metrics-port", str(port), workers=1) as service:
        assert await Operator(raw_calls(service.admin), "").reason("ListWorkers") == "NO_CREDENTIAL"
        told = exposed(port + 1)
    assert 'landsraad_refusals_total{reason="NO_CREDENTIAL"} 1.0' in told
    assert "landsraad_faults_total 0.0" in told
    assert not [line for line in told if line.startswith("landsraad_store_up")], "it plays nothing, and counts no seats"


async def test_nonsense(operator: Operator, worker: Worker, mischief: Any, data: Path) -> None:
    nonsense = mischief(9, ["matches/1", "workers/worker-0", operator.credential])
    for method in _ADMIN.methods_by_name.values():
        for _ in range(10):
            body = nonsense.message(method.input_type).SerializeToString()
            for sent in (body, nonsense.torn(body)):
                answer = await operator._raw.call(method, sent, operator.credential)
                assert answer.code is grpc.StatusCode.OK or answer.refusal is not None
    assert worker.counters.faults == 0
    assert len(audited(data)) == 20 * len(_ADMIN.methods_by_name)


async def test_the_audit_log_is_read_page_by_page(operator: Operator, calls: Calls, data: Path) -> None:
    match = await begun(calls)
    for number in range(5):
        await operator("GetTruth", name=match, reason=f"reason {number}")
    await operator("ListWorkers")
    with (data / "audit.jsonl").open("a") as log:
        log.write('{"time": 1, "operat')  # a crash in mid-line
        log.write("\n")
    seen: list[str] = []
    token = ""
    while True:
        page = await operator("ListAuditRecords", page_size=2, page_token=token, match=match)
        seen += [record.reason for record in page.records]
        token = page.next_page_token
        if not token:
            break
    assert seen == [f"reason {number}" for number in reversed(range(5))]
    newest = (await operator("ListAuditRecords", page_size=1)).records[0]
    assert (newest.call, newest.address) == ("Admin/ListAuditRecords", "127.0.0.1")


async def test_what_either_port_offers(admin: AdminServer, worker: Worker, raw_calls: Any) -> None:
    """Both offer health and reflection; only one has the admin service, and only the other the players' services."""
    for address, theirs in ((worker.address, False), (admin.address, True)):
        raw = raw_calls(address)
        names = await _listed(raw)
        assert {"grpc.health.v1.Health", *reflection_names.NAMES} <= names
        assert ("landsraad_admin.v1.Admin" in names) is theirs
        assert ("landsraad.v1.Play" in names) is not theirs
        all_ = health_pb2.HealthListResponse.FromString((await raw.call(f"{_HEALTH}/List", b"")).body).statuses
        assert set(all_) == {"", *(name for name in names if name.startswith("landsraad"))}
        for name in all_:
            assert all_[name].status == health_pb2.HealthCheckResponse.SERVING
            asked = health_pb2.HealthCheckRequest(service=name).SerializeToString()
            said = health_pb2.HealthCheckResponse.FromString((await raw.call(f"{_HEALTH}/Check", asked)).body)
            assert said.status == health_pb2.HealthCheckResponse.SERVING
        found = (await raw.call("/landsraad_admin.v1.Admin/ListWorkers", b"")).code
        assert found is (grpc.StatusCode.UNAUTHENTICATED if theirs else grpc.StatusCode.UNIMPLEMENTED)
    assert (await raw_calls(admin.address).call(METHODS["Catalog/ListGames"], b"")).code is (
        grpc.StatusCode.UNIMPLEMENTED
    )


async def test_what_is_no_message_for_the_standard_services(
    admin: AdminServer, worker: Worker, raw_calls: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """A client's mistake like any other, although these need no credential: no fault, and nothing in the log."""
    standard = [
        *health_pb2.DESCRIPTOR.services_by_name["Health"].methods,
        *reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"].methods,
    ]
    for address in (worker.address, admin.address):
        raw = raw_calls(address)
        for method in standard:
            answer = await raw.call(method, b"\xff\xff")
            assert (answer.code, reason_of(answer.refusal)) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD")
            answer = await raw.call(method, b"\0" * (MOST_BYTES + 1))
            assert (answer.code, reason_of(answer.refusal)) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_LARGE")
        unknown = health_pb2.HealthCheckRequest(service="nobody").SerializeToString()
        assert (await raw.call(f"{_HEALTH}/Check", unknown)).code is grpc.StatusCode.NOT_FOUND
        assert (await raw.call(f"{_HEALTH}/Nothing", b"")).code is grpc.StatusCode.UNIMPLEMENTED
    assert worker.counters.faults == 0
    assert caplog.records == []


async def _listed(raw: Any) -> set[str]:
    """Return the services that reflection lists."""
    stream: Any = raw.channel.stream_stream(_REFLECTION)(timeout=10)
    await stream.write(reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString())
    await stream.done_writing()
    answer = reflection_pb2.ServerReflectionResponse.FromString(await stream.read())
    stream.cancel()
    return {service.name for service in answer.list_services_response.service}


async def test_a_port_that_is_taken(worker: Worker, data: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        config = Config(data=data, admin_port=taken.getsockname()[1])
        with pytest.raises(SetupError, match="operators"):
            await AdminServer(config, worker.hosts, []).start()


async def test_workers_of_the_whole_service(service: ServeProcess, raw_calls: Any) -> None:
    operator = Operator(raw_calls(service.admin), service.operator())
    workers = (await operator("ListWorkers")).workers
    assert [worker.name for worker in workers] == ["workers/worker-0", "workers/worker-1"]
    assert {worker.pid for worker in workers} == set(service.workers)
    assert {worker.address for worker in workers} == {each["address"] for each in service.ready["workers"]}
    assert all(worker.resident_bytes > 1 << 20 and not worker.draining for worker in workers)
    page = await operator("ListWorkers", page_size=1)
    rest = await operator("ListWorkers", page_token=page.next_page_token)
    assert [page.workers[0].name, rest.workers[0].name] == [worker.name for worker in workers]


@pytest.mark.long
async def test_a_worker_is_drained(plugged: dict[str, str], tmp_path: Path, raw_calls: Any, open_stream: Any) -> None:
    """Its streams end with a cursor, it is not restarted, and the other worker goes on."""
    with serving(tmp_path / "data", environment=plugged) as service:
        operator = Operator(raw_calls(service.admin), service.operator())
        [first, other] = (await operator("ListWorkers")).workers
        async with Calls(first.address) as calls:
            match = await calls.new(ME)
            joined = await calls("Matches/JoinMatch", name=match)
        stream = open_stream(first.address)
        wanted = play_pb2.Subscribe(match=match, seat=joined.seat, credential=joined.credential)
        await stream.send(play_pb2.ClientItem(subscription=1, subscribe=wanted))
        await stream.next("snapshot")
        os.kill(first.pid, signal.SIGSTOP)  # so that it stays in this state
        assert (await operator("DrainWorker", name=first.name, grace_ms=5000)).draining
        assert [worker.draining for worker in (await operator("ListWorkers")).workers] == [True, False]
        os.kill(first.pid, signal.SIGCONT)
        closed = await stream.next("closed")
        assert closed.reason == play_pb2.CLOSED_REASON_DRAINING
        assert closed.resume.epoch or getattr(closed.resume, "from")
        await stream.ended()
        while len(left := (await operator("ListWorkers")).workers) > 1:
            """It may still be about to end."""
        assert [worker.name for worker in left] == [other.name]
        async with Calls(other.address) as calls:
            assert (await calls("Matches/GetMatch", name=match)).state == common_pb2.MATCH_STATE_OPEN


async def test_a_service_ends_with_its_last_worker(tmp_path: Path, raw_calls: Any) -> None:
    """A supervisor without workers would look alive and serve nobody."""
    log = tmp_path / "log"
    with serving(tmp_path / "data", workers=1, log=log) as service:
        operator = Operator(raw_calls(service.admin), service.operator())
        assert (await operator("DrainWorker", name="workers/worker-0", grace_ms=1)).draining
        assert await asyncio.to_thread(service.process.wait, 30) == 0
    assert "no_worker_left" in log.read_text()


async def test_a_directory_that_cannot_be_written_is_said_in_a_line(worker: Worker, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SetupError, match=r"file.* cannot be used: "):
        AdminServer(Config(data=tmp_path / "file"), worker.hosts, [])
