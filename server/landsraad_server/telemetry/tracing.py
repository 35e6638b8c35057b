"""Traces: what a call has spent its time on, for whoever has OpenTelemetry installed and asks for it.

It is asked for by the environment variables that OpenTelemetry itself has for that, and by nothing of ours. Otherwise
its library is not even loaded, and a call costs what it does without this module. `spans` makes what is sent.

A call is a span, a stream one for as long as it lasts. An act is none: acts come by the thousand on one stream, each
would cost as much as a tenth of the act itself, and a span keeps no more than 128 events. Figures tell of acts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import structlog
from google.protobuf.descriptor import MethodDescriptor

from landsraad.v1.errors_pb2 import ErrorReason
from landsraad_server.telemetry import logs

if TYPE_CHECKING:
    from opentelemetry.trace import Span

#: Answers one call: its request, and the context of its transport.
Answer = Callable[[Any, Any], Awaitable[Any]]

_log = structlog.get_logger()

#: The extra of the project that brings what is needed.
EXTRA: Final = "landsraad-service[otel]"
#: Of a refused call: its reason, one of the protocol's closed list.
REASON: Final = "landsraad.reason"

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
#: The exporters of OTLP, by what it is spoken over.
_OTLP = {"grpc": "otlp_proto_grpc", "http/protobuf": "otlp_proto_http"}
_BRINGS = {"otlp_proto_grpc": EXTRA, "otlp_proto_http": "opentelemetry-exporter-otlp-proto-http"}

_TRACEPARENT = re.compile(r"(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")

#: The span of the call in whose name something is done.
CURRENT: ContextVar[Span | None] = ContextVar("span", default=None)


class TraceContext(NamedTuple):
    """The span in which somebody has called us."""

    trace: str
    span: str
    flags: int


class Tracing:
    """Traces that nobody has asked for. `spans.Recording` is the other kind."""

    def answering(self, method: MethodDescriptor, answer: Answer) -> Answer:
        """What answers the calls of a method, with a span around it."""
        return answer

    def span(self, name: str, match: str, cause: Span | None = None) -> AbstractContextManager[None]:
        """Around something that takes long; `cause` is the call that waits for it. Never asks the context: what the
        loop runs for many is run in the context of the first of them.
        """
        return nullcontext()

    async def close(self) -> None:
        """Send what has not been sent yet."""


OFF: Final = Tracing()


def from_environment() -> Tracing:
    """As the environment asks. What keeps it from being done is told in the log; the service is the same without."""
    names = exporters(os.environ)
    if not names:
        return OFF
    try:
        from landsraad_server.telemetry.spans import MissingExporter, recording  # noqa: PLC0415  it may not be installed
    except ImportError:
        _log.warning("no_traces", install=EXTRA)
        return OFF
    try:
        return recording(names)
    except MissingExporter as missing:
        _log.warning("no_traces", resource=missing.name, install=_BRINGS.get(missing.name, ""))
    except Exception as error:  # noqa: BLE001  an endpoint or a certificate that cannot be used
        logs.fault("traces", error)
    return OFF


def exporters(environ: Mapping[str, str]) -> list[str]:
    """The names of the exporters that are asked for; OTLP, if only its endpoint is told."""
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return []
    asked = environ.get("OTEL_TRACES_EXPORTER") or ("otlp" if any(map(environ.get, _ENDPOINTS)) else "")
    protocol = next(filter(None, map(environ.get, _PROTOCOLS)), "grpc").strip()
    names = {"otlp": _OTLP.get(protocol, f"otlp {protocol}")}
    given = [name.strip() for name in asked.split(",")]
    return [names.get(name, name) for name in given if name not in ("", "none")]


def caller(metadata: Iterable[tuple[str, Any]] | None) -> TraceContext | None:
    """Who has called, if that is said as it has to be (W3C Trace Context, `traceparent`)."""
    for key, value in metadata or ():
        if key == "traceparent":
            said = _TRACEPARENT.fullmatch(value)
            if said is None or (said[1] == "00" and said[5]):  # the first version says no more than this
                return None
            return TraceContext(said[2], said[3], int(said[4], 16))
    return None


def trace_of(metadata: Iterable[tuple[str, Any]] | None) -> str:
    """The trace that the present call belongs to, ours or that of its caller; empty if there is none."""
    span = CURRENT.get()
    if span is not None:
        return f"{span.get_span_context().trace_id:032x}"
    called = caller(metadata)
    return "" if called is None else called.trace


def refused(reason: ErrorReason.ValueType) -> None:
    """Say of the present call why it was refused."""
    span = CURRENT.get()
    if span is not None:
        span.set_attribute(REASON, ErrorReason.Name(reason).removeprefix("ERROR_REASON_"))
