"""OpenTelemetry's own variables switch tracing on; a failure to set it up does not stop the service."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc.aio
import pytest
import pytest_asyncio
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from structlog.testing import capture_logs

from landsraad.v1 import matches_service_pb2
from landsraad_server.telemetry import spans, tracing
from landsraad_testkit import serving
from landsraad_testkit.calls import Calls
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import StartWorker

ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
NOWHERE = {ENDPOINT: "http://127.0.0.1:1"}
TRACE = "0af7651916cd43dd8448eb211c80319c"
TRACEPARENT = f"00-{TRACE}-b7ad6b7169203331-01"


@pytest.fixture(autouse=True)
def _unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear variables that the environment of the test run may have."""
    for name in ("OTEL_TRACES_EXPORTER", "OTEL_SDK_DISABLED", "OTEL_SERVICE_NAME", ENDPOINT):
        monkeypatch.delenv(name, raising=False)


# --------------------------------------------------------------------------------------------------- who is asked for


@pytest.mark.parametrize(
    ("environment", "names"),
    [
        ({}, []),
        (NOWHERE, ["otlp_proto_grpc"]),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:1"}, ["otlp_proto_grpc"]),
        ({"OTEL_TRACES_EXPORTER": "otlp, console"}, ["otlp_proto_grpc", "console"]),
        ({**NOWHERE, "OTEL_TRACES_EXPORTER": "none"}, []),
        ({**NOWHERE, "OTEL_TRACES_EXPORTER": ""}, ["otlp_proto_grpc"]),
        ({**NOWHERE, "OTEL_SDK_DISABLED": "True"}, []),
        ({**NOWHERE, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, ["otlp_proto_http"]),
        ({**NOWHERE, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"},
         ["otlp_proto_grpc"]),
    ],
)  # fmt: skip
def test_what_the_environment_asks_for(environment: dict[str, str], names: list[str]) -> None:
    assert tracing.exporters(environment) == names


def test_unasked_nothing_is_loaded() -> None:
    """OpenTelemetry's tracing is not even imported. redis-py imports its metrics wherever they are installed."""
    program = (
        "import sys; from landsraad_server.process import supervisor, worker_main; "
        "from landsraad_server.telemetry import tracing\n"
        "assert tracing.from_environment() is tracing.OFF\n"
        "tracers = ('opentelemetry.sdk.trace', 'opentelemetry.exporter')\n"
        "print([name for name in sys.modules if name.startswith(tracers)])"
    )
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, timeout=30)
    assert told.stdout.strip() == "[]"


def test_unasked_a_call_is_answered_as_it_is() -> None:
    async def answer(request: Any, context: Any) -> None:
        """Nothing."""

    method = matches_service_pb2.DESCRIPTOR.services_by_name["Matches"].methods_by_name["GetMatch"]
    assert tracing.OFF.trace_calls(method, answer) is answer


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "landsraad_server.telemetry.spans", None)  # importing it is an ImportError
    with capture_logs() as lines:
        assert tracing.from_environment() is tracing.OFF
    assert lines == [{"event": "no_traces", "install": "landsraad-service[otel]", "log_level": "warning"}]


@pytest.mark.parametrize(
    ("asked", "install"), [("otlp_proto_http", "opentelemetry-exporter-otlp-proto-http"), ("zipkin", "")]
)
def test_an_exporter_that_is_not_there(asked: str, install: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", asked)
    monkeypatch.setattr(spans, "entry_points", lambda **_: ())
    with capture_logs() as lines:
        assert tracing.from_environment() is tracing.OFF
    assert lines == [{"event": "no_traces", "resource": asked, "install": install, "log_level": "warning"}]


def test_an_exporter_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENDPOINT, "https://127.0.0.1:1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "by hand")
    with capture_logs() as lines:
        assert tracing.from_environment() is tracing.OFF
    assert [(line["event"], line["where"]) for line in lines] == [("fault", "traces")]


@pytest.mark.parametrize(
    ("header", "trace"),
    [
        (TRACEPARENT, TRACE),
        (f"cc-{TRACE}-b7ad6b7169203331-00-what will be", TRACE),
        (f"00-{TRACE}-b7ad6b7169203331-00-more", ""),
        (f"ff-{TRACE}-b7ad6b7169203331-00", ""),
        (f"00-{'0' * 32}-b7ad6b7169203331-01", ""),
        (f"00-{TRACE}-{'0' * 16}-01", ""),
        (TRACEPARENT.upper(), ""),
        (TRACEPARENT + "\n", ""),
        ("", ""),
    ],
)
def test_who_has_called(header: str, trace: str) -> None:
    assert tracing.trace_of((("other", "x"), ("traceparent", header))) == trace


# ------------------------------------------------------------------------------------------------------ to a receiver


class Receiver(trace_service_pb2_grpc.TraceServiceServicer):
    """A collector that records exports, or keeps the exporter waiting."""

    def __init__(self) -> None:
        self.resources: list[dict[str, str]] = []
        self.spans: list[Any] = []
        #: while cleared, requests are not answered
        self.answers = asyncio.Event()
        self.answers.set()
        self.asked = asyncio.Event()
        self.url = ""

    async def Export(self, request: Any, context: Any) -> Any:  # noqa: N802  its name in the protocol
        self.asked.set()
        await self.answers.wait()
        for sent in request.resource_spans:
            self.resources.append({each.key: each.value.string_value for each in sent.resource.attributes})
            self.spans += [span for scope in sent.scope_spans for span in scope.spans]
        return trace_service_pb2.ExportTraceServiceResponse()


@pytest_asyncio.fixture
async def receiver() -> Any:
    server = grpc.aio.server()
    receiver = Receiver()
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(receiver, server)  # type: ignore[no-untyped-call]
    receiver.url = f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    yield receiver
    await server.stop(None)


@pytest.mark.asyncio
async def test_spans_arrive_at_the_endpoint(
    receiver: Receiver, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them arrive by shutdown, although no export was due yet."""
    monkeypatch.setenv(ENDPOINT, receiver.url)
    traces = tracing.from_environment()
    worker = await start_worker(tracing=traces)
    async with Calls(worker.address) as calls:
        match = await calls.new("landsraad_guest_me")
        await calls("Matches/GetMatch", name=match)
    assert receiver.spans == []  # spans are batched: no call waits for their export
    await worker.drain(5.0)
    await traces.close()
    assert [span.name for span in receiver.spans if span.kind == span.SPAN_KIND_SERVER] == [
        "landsraad.v1.Matches/CreateMatch",
        "landsraad.v1.Matches/GetMatch",
    ]
    assert {resource["service.name"] for resource in receiver.resources} == {"landsraad"}


def test_what_the_environment_calls_us(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_SERVICE_NAME", "arrakeen")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=sietch")
    attributes = spans.resource().attributes
    assert (attributes["service.name"], attributes["deployment.environment.name"]) == ("arrakeen", "sietch")


@pytest.mark.asyncio
async def test_a_console_is_not_the_line_to_the_supervisor(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "console")
    traces = tracing.from_environment()
    with traces.span("load", "m"):
        pass
    await traces.close()
    told = capsys.readouterr()
    assert told.out == ""
    [line] = told.err.splitlines()
    assert json.loads(line)["attributes"] == {"landsraad.match": "m"}


@pytest.mark.asyncio
async def test_a_receiver_that_does_not_answer_holds_up_nothing(
    receiver: Receiver, start_worker: StartWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It delays neither calls during an export, nor the shutdown beyond its limit."""
    receiver.answers.clear()
    for name, value in {ENDPOINT: receiver.url, "OTEL_BSP_SCHEDULE_DELAY": "1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(spans, "FLUSH_SECONDS", 0.05)
    traces = tracing.from_environment()
    worker = await start_worker(tracing=traces)
    async with Calls(worker.address) as calls:
        match = await calls.new()
        async with asyncio.timeout(PATIENCE_SECONDS):
            await receiver.asked.wait()
        assert (await calls("Matches/GetMatch", name=match)).name == match
    await worker.drain(5.0)
    with capture_logs() as lines:
        await traces.close()
    assert [line["event"] for line in lines] == ["traces_lost"]
    receiver.answers.set()
    # Otherwise it would retry during other tests, with a jitter from the global `random`.
    [last] = [thread for thread in threading.enumerate() if thread.name == "last-traces"]
    await asyncio.to_thread(last.join, PATIENCE_SECONDS)
    assert not last.is_alive()


# ----------------------------------------------------------------------------------------------------- a whole service


@pytest.mark.long
@pytest.mark.asyncio
@pytest.mark.parametrize("answered", [True, False])
async def test_a_service_sends_what_it_has_before_it_ends(
    answered: bool, receiver: Receiver, plugged: dict[str, str], tmp_path: Path
) -> None:
    """Each of its workers flushes its spans, and still stops in time if the collector hangs."""
    if not answered:
        receiver.answers.clear()
    environment = {**plugged, ENDPOINT: receiver.url, "OTEL_BSP_SCHEDULE_DELAY": "3600000"}
    loop = asyncio.get_running_loop()
    running = serving(tmp_path / "data", "--log-level", "debug", environment=environment, log=tmp_path / "log")
    service = await loop.run_in_executor(None, running.__enter__)
    try:
        async with Calls(service.address) as calls:
            for _ in range(3):
                await calls.new()
        began = loop.time()
        assert await loop.run_in_executor(None, service.stop) == 0
        assert loop.time() - began < 8.0
    finally:
        await loop.run_in_executor(None, running.__exit__, None, None, None)
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines() if line.startswith("{")]
    if answered:
        calls_made = [span for span in receiver.spans if span.name == "landsraad.v1.Matches/CreateMatch"]
        told = [line for line in lines if line["event"] == "answered"]
        traces = [line["trace"] for line in told if line["call"].endswith("CreateMatch")]
        assert sorted(span.trace_id.hex() for span in calls_made) == sorted(traces)
        assert len(calls_made) == 3
    else:
        assert "traces_lost" in {line["event"] for line in lines}
    receiver.answers.set()
