"""Log lines have only declared fields, and metrics the names that dashboards and alerts use."""

from __future__ import annotations

import ast
import io
import json
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
from prometheus_client import generate_latest

from landsraad.v1 import matches_service_pb2
from landsraad.wire.refusals import CODES
from landsraad_server.api.calls import REQUEST_ID
from landsraad_server.process.worker import Worker
from landsraad_server.telemetry import logs, metrics
from landsraad_testkit.calls import Calls

DEPLOY = Path(__file__).resolve().parents[3] / "deploy"


@pytest.fixture
def logged(capsys: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """Return the JSON lines of the log."""
    before = structlog.get_config()
    logs.configure(as_json=True, level="debug")
    structlog.configure(cache_logger_on_first_use=False)  # otherwise modules would keep the captured logger

    def lines() -> list[dict[str, Any]]:
        return [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]

    yield lines
    structlog.configure(**before)


def test_what_is_not_declared_is_left_out(logged: Any) -> None:
    structlog.get_logger().info("joined", match="m", credential="landsraad_seat_m.0.secret", hand=("karama",))
    [line] = logged()
    assert line["event"] == "joined (undeclared fields left out)"
    assert line["match"] == "m"
    assert set(line) <= logs.FIELDS


def test_a_fault_tells_where_but_not_what(logged: Any) -> None:
    try:
        raise ValueError("the hand is karama, truthtrance")
    except ValueError as error:
        logs.fault("here", error, request_id="1", match="m")
    [line] = logged()
    assert (line["fault"], line["where"], line["level"]) == ("ValueError", "here", "error")
    assert "test_a_fault_tells_where_but_not_what" in line["at"]
    assert "karama" not in json.dumps(line)


def test_what_comes_from_the_network_cannot_fill_the_disk(logged: Any) -> None:
    structlog.get_logger().warning("odd", resource="x" * 100_000)
    assert len(json.dumps(logged())) < 500


def test_a_line_that_cannot_be_written_is_lost(logged: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    structlog.get_logger().error("a full disk, or a terminal that is gone")


@pytest.mark.parametrize(("level", "events"), [("debug", 3), ("info", 2), ("warning", 1)])
def test_levels(level: str, events: int, logged: Any) -> None:
    logs.configure(as_json=True, level=level)
    log = structlog.get_logger()
    log.debug("one")
    log.info("two")
    log.warning("three")
    assert len(logged()) == events


@pytest.mark.asyncio
async def test_a_call_is_logged_without_what_it_says(worker: Worker, calls: Calls, logged: Any) -> None:
    await calls.new("landsraad_guest_me")
    await calls.refusal("Matches/GetMatch", name="matches/none")
    assert [(line["event"], line["call"], line["resource"]) for line in logged()] == [
        ("answered", "Matches/CreateMatch", ""),
        ("refused", "Matches/GetMatch", "matches/none"),
    ]


@pytest.mark.asyncio
async def test_a_fault_of_ours_is_found_in_the_log_by_what_the_client_was_told(
    worker: Worker, raw_calls: Any, logged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The client gets an id, the log the position in the code; the message of the error appears in neither."""

    async def broken(*_: Any) -> None:
        raise RuntimeError("the hand is karama")

    monkeypatch.setattr(worker.hosts, "read", broken)
    call: Any = raw_calls().channel.unary_unary("/landsraad.v1.Matches/GetMatch")
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await call(matches_service_pb2.GetMatchRequest(name="matches/1").SerializeToString())
    assert failed.value.code() is grpc.StatusCode.INTERNAL
    trailing = dict(failed.value.trailing_metadata() or ())
    [line] = [line for line in logged() if line["event"] == "fault"]
    assert line["request_id"] == trailing[REQUEST_ID]
    assert (line["fault"], "broken" in line["at"]) == ("RuntimeError", True)
    assert "karama" not in json.dumps(line) + str(failed.value.details()) + repr(trailing)
    assert worker.counters.faults == 1


@pytest.mark.asyncio
async def test_the_callers_trace_stands_in_the_lines_of_its_call(
    worker: Worker, raw_calls: Any, calls: Calls, logged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The caller's trace id is logged even if tracing is off."""
    trace = "0af7651916cd43dd8448eb211c80319c"

    async def broken(*_: Any) -> None:
        raise RuntimeError

    call: Any = raw_calls().channel.unary_unary("/landsraad.v1.Matches/GetMatch")

    async def lines(name: str, *metadata: tuple[str, str]) -> dict[str, str]:
        with suppress(grpc.aio.AioRpcError):
            await call(matches_service_pb2.GetMatchRequest(name=name).SerializeToString(), metadata=metadata)
        return {line["event"]: line["trace"] for line in logged()}

    match = await calls.new()
    traceparent = ("traceparent", f"00-{trace}-b7ad6b7169203331-01")
    assert (await lines(match))["answered"] == ""
    assert await lines(match, traceparent) == {"answered": trace}
    assert await lines("matches/none", traceparent) == {"refused": trace}
    monkeypatch.setattr(worker.hosts, "read", broken)
    assert await lines(match, traceparent) == {"refused": trace, "fault": trace}


@pytest.mark.asyncio
async def test_what_alerts_and_panels_look_for_is_there(worker: Worker, calls: Calls) -> None:
    await calls.refusal("Matches/GetMatch", name="matches/none")
    text = generate_latest(metrics.registry(worker.counters)).decode()
    assert 'landsraad_refusals_total{reason="NO_SUCH_MATCH"} 1.0' in text
    exposed = set(re.findall(r"^(\w+)", text, re.MULTILINE))
    for path in (DEPLOY / "prometheus/rules.yml", DEPLOY / "grafana/dashboards/landsraad.json"):
        looked_for = path.read_text()
        assert set(re.findall(r"(?<![\w:])(landsraad_\w+)", looked_for)) <= exposed
        assert set(re.findall(r'reason=\\?"(\w+)', looked_for)) <= set(CODES)


def test_no_line_of_ours_says_what_is_not_declared() -> None:
    """Checked in the sources, because a dropped field is missed only when it is needed."""
    said = set()
    for path in Path(logs.__file__).parents[1].rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Attribute(ast.Name("_log"), "debug" | "info" | "warning" | "error")):
                    said |= {(path.name, keyword.arg) for keyword in node.keywords}
    assert ("throttled_warnings.py", "fault") in said
    assert [(where, field) for where, field in said if field not in logs.FIELDS] == []
