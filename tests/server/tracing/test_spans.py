"""Spans of calls on both transports."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import grpc.aio
import pytest
import pytest_asyncio
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from landsraad.models import Ticket
from landsraad.v1 import matches_service_pb2, play_service_pb2
from landsraad_server.process.worker import Worker
from landsraad_server.store import GENESIS
from landsraad_server.telemetry.spans import Recording
from landsraad_testkit import DrivenMatch, HandClock, RawStream
from landsraad_testkit.calls import Calls

if TYPE_CHECKING:
    from tests.server.conftest import Seated, StartWorker

pytestmark = pytest.mark.asyncio

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = ("traceparent", f"00-{TRACE}-{PARENT}-01")
#: All attributes that spans may have.
DECLARED = {
    *("rpc.system", "rpc.service", "rpc.method", "rpc.grpc.status_code"),
    *("landsraad.match", "landsraad.seat", "landsraad.reason"),
}
FILING_MS = 120_000


class Spans:
    """The finished spans by name."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()
        self.provider = TracerProvider(shutdown_on_exit=False)
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))

    def __iter__(self) -> Iterator[ReadableSpan]:
        return iter(self.exporter.get_finished_spans())

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self if span.name == name]

    def only(self, name: str) -> ReadableSpan:
        [span] = self.named(name)
        return span


def ids(span: ReadableSpan) -> tuple[int, int]:
    """Return the trace id and the span id."""
    context: Any = span.context
    return context.trace_id, context.span_id


def beneath(span: ReadableSpan) -> tuple[int, int]:
    """Return the trace id and the id of the parent span."""
    parent: Any = span.parent
    return parent.trace_id, parent.span_id


@pytest.fixture
def spans() -> Spans:
    return Spans()


@pytest_asyncio.fixture(params=["http2", "grpcio"])
async def worker(request: pytest.FixtureRequest, start_worker: StartWorker, spans: Spans) -> Worker:
    """Override: a worker of each transport that records spans."""
    return await start_worker(transport=request.param, tracing=Recording(spans.provider))


async def raw(worker: Worker, method: str, request: Any, *metadata: tuple[str, str]) -> Any:
    """Make a call with custom metadata and return its status."""
    async with grpc.aio.insecure_channel(worker.address) as channel:
        call: Any = channel.unary_unary(f"/landsraad.v1.{method}")(request.SerializeToString(), metadata=metadata)
        return await call.code()


async def ended(worker: Worker) -> None:
    """Let the server finish a call whose end the client has already seen."""
    await worker.drain(5.0)


async def test_a_call_is_a_span_of_its_callers_trace(worker: Worker, spans: Spans, calls: Calls) -> None:
    match = await calls.new()
    assert await raw(worker, "Matches/GetMatch", matches_service_pb2.GetMatchRequest(name=match), TRACEPARENT) is (
        grpc.StatusCode.OK
    )
    await ended(worker)
    span = spans.only("landsraad.v1.Matches/GetMatch")
    assert span.attributes == {
        "rpc.system": "grpc",
        "rpc.service": "landsraad.v1.Matches",
        "rpc.method": "GetMatch",
        "rpc.grpc.status_code": 0,
        "landsraad.match": match.removeprefix("matches/"),
    }
    assert span.kind is SpanKind.SERVER
    assert beneath(span) == (int(TRACE, 16), int(PARENT, 16))
    assert span.status.status_code is StatusCode.UNSET
    assert spans.only("landsraad.v1.Matches/CreateMatch").parent is None


async def test_a_caller_who_does_not_record_is_followed_in_that(worker: Worker, spans: Spans) -> None:
    request = matches_service_pb2.GetMatchRequest(name="matches/1")
    await raw(worker, "Matches/GetMatch", request, ("traceparent", f"00-{TRACE}-{PARENT}-00"))
    await ended(worker)
    assert list(spans) == []


async def test_a_refused_call_says_why_and_is_no_fault(worker: Worker, spans: Spans, calls: Calls) -> None:
    await calls.refusal("Matches/GetMatch", name="matches/none")
    await ended(worker)
    span = spans.only("landsraad.v1.Matches/GetMatch")
    assert span.attributes is not None
    assert span.attributes["landsraad.reason"] == "NO_SUCH_MATCH"
    assert span.attributes["rpc.grpc.status_code"] == grpc.StatusCode.NOT_FOUND.value[0]
    assert span.status.status_code is StatusCode.UNSET
    loading = spans.only("load")
    assert beneath(loading) == ids(span)
    assert loading.status.status_code is StatusCode.UNSET


async def test_a_fault_of_ours_is_marked_and_not_quoted(
    worker: Worker, spans: Spans, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("the hand is karama")

    match = await calls.new()
    worker.hosts.by_match.clear()
    monkeypatch.setattr(worker.hosts, "load", broken)
    await calls.refusal("Matches/GetMatch", name=match)
    await ended(worker)
    failed = [spans.only("landsraad.v1.Matches/GetMatch"), spans.only("load")]
    assert {span.status.status_code for span in failed} == {StatusCode.ERROR}
    assert "karama" not in "".join(span.to_json() for span in spans)


async def test_each_load_is_told_of_the_call_that_waits_for_it(worker: Worker, spans: Spans, calls: Calls) -> None:
    """Each load has its own call as parent, even if several begin in a tick scheduled by the first."""
    matches = [await calls.new() for _ in range(3)]
    worker.hosts.by_match.clear()
    await asyncio.gather(*(calls("Matches/GetMatch", name=match) for match in matches))
    await ended(worker)
    waiting = {span.attributes["landsraad.match"]: span for span in spans.named("landsraad.v1.Matches/GetMatch")}  # type: ignore[index]
    loaded = {span.attributes["landsraad.match"]: span for span in spans.named("load")}  # type: ignore[index]
    assert set(loaded) == set(waiting) == {match.removeprefix("matches/") for match in matches}
    for match, span in loaded.items():
        assert beneath(span) == ids(waiting[match])


async def test_a_stream_is_one_span_however_much_is_played_on_it(worker: Worker, spans: Spans, seated: Seated) -> None:
    tickets = await seated(3, options={"rounds": 2})
    worker.hosts.by_match.clear()
    spans.exporter.clear()
    async with RawStream(worker.address) as raw_stream:
        table = DrivenMatch(raw_stream, tickets)
        await table.sit_down()
        await table.play()
        assert worker.counters.actions > 5
        assert spans.named("landsraad.v1.Play/Connect") == []
        await raw_stream.call.done_writing()
        assert await raw_stream.ended() is grpc.StatusCode.OK
    await ended(worker)
    stream = spans.only("landsraad.v1.Play/Connect")
    assert stream.attributes is not None
    assert stream.attributes["rpc.grpc.status_code"] == 0
    assert beneath(spans.only("load")) == ids(stream)
    assert {span.name for span in spans} <= {"landsraad.v1.Play/Connect", "load", "snapshot"}


@pytest.mark.parametrize("worker", ["http2"], indirect=True)
async def test_a_stream_whose_client_goes_is_cancelled(worker: Worker, spans: Spans, seated: Seated) -> None:
    """Grpcio first reports a regular end to its handlers, and the cancellation only later."""
    [ticket, *_] = await seated(2)
    async with RawStream(worker.address) as stream:
        await stream.subscribe(ticket)
        await stream.next("match")
    await ended(worker)
    attributes = spans.only("landsraad.v1.Play/Connect").attributes
    assert attributes is not None
    assert attributes["rpc.grpc.status_code"] == grpc.StatusCode.CANCELLED.value[0]


async def test_snapshots_and_filing_are_spans_of_their_own(
    worker: Worker, spans: Spans, seated: Seated, clock: HandClock
) -> None:
    tickets = await seated(2, options={"rounds": 1})
    match = tickets[0].match.removeprefix("matches/")
    async with RawStream(worker.address) as stream:
        table = DrivenMatch(stream, tickets)
        await table.sit_down()
        await table.play()
    await worker.hosts.save_snapshot(match, GENESIS, b"")
    await worker.hosts.archive_match(match)
    for name in ("snapshot", "archive"):
        span = spans.named(name)[-1]
        assert (span.parent, span.attributes) == (None, {"landsraad.match": match})
    await ended(worker)


def every_word(spans: Spans) -> str:
    return "".join(span.to_json() for span in spans)


async def test_no_secret_gets_into_a_span(worker: Worker, spans: Spans, calls: Calls, seated: Seated) -> None:
    """Try it as a token, as a match's name, and in trace headers."""
    tickets: list[Ticket] = await seated(2, options={"rounds": 2})
    secret = tickets[0].credential
    guest = "landsraad_guest_canary"
    decision = play_service_pb2.GetDecisionRequest(match=tickets[0].match, seat=0)
    await raw(worker, "Play/GetDecision", decision, ("authorization", f"Bearer {secret}"), TRACEPARENT)
    for name in (secret, f"matches/{secret}", tickets[1].match):
        await calls.refusal("Play/GetDecision", tickets[1].credential, match=name, seat=0)
        await raw(
            worker,
            "Play/GetDecision",
            play_service_pb2.GetDecisionRequest(match=name),
            *(("traceparent", secret), ("tracestate", f"canary={secret}"), ("baggage", f"canary={secret}")),
        )
    await calls("Matches/JoinMatch", guest, name=await calls.new(guest), seat=0, entropy=b"canary")
    async with RawStream(worker.address, token=guest) as stream:
        table = DrivenMatch(stream, tickets)
        await table.sit_down()
        await table.play()
    await ended(worker)
    told = every_word(spans)
    for word in (*(ticket.credential.rpartition(".")[2] for ticket in tickets), "canary", "Bearer"):
        assert word not in told
    assert {key for span in spans for key in span.attributes or {}} == DECLARED
    assert not any(span.events or span.links for span in spans)
