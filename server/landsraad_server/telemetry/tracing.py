"""Tracing: spans for calls, if OpenTelemetry is installed and its own environment variables ask for traces.

Otherwise its library is not even imported, and tracing costs nothing. `spans` has the implementation.

Each call is a span, a stream for as long as it lasts. Acts have no spans: they come by the thousand on one stream, each
span would cost a tenth of the act itself, and a span keeps at most 128 events. Metrics count acts.
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

#: Handler of one call: takes the request and the transport's context.
Answer = Callable[[Any, Any], Awaitable[Any]]

_log = structlog.get_logger()

#: Extra of the distribution that installs OpenTelemetry.
EXTRA: Final = "landsraad-service[otel]"
#: Span attribute of a refused call: its reason, from the protocol's closed list.
REASON: Final = "landsraad.reason"

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_PROTOCOLS = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
#: Names of the OTLP exporters by protocol, and what installs each.
_OTLP = {"grpc": "otlp_proto_grpc", "http/protobuf": "otlp_proto_http"}
_BRINGS = {"otlp_proto_grpc": EXTRA, "otlp_proto_http": "opentelemetry-exporter-otlp-proto-http"}

_TRACEPARENT = re.compile(r"(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")

#: The span of the current call.
CURRENT: ContextVar[Span | None] = ContextVar("span", default=None)


class TraceContext(NamedTuple):
    """The caller's trace context, from the `traceparent` header."""

    trace: str
    span: str
    flags: int


class Tracing:
    """Tracing that is switched off; `spans.Recording` is the other implementation."""

    def trace_calls(self, method: MethodDescriptor, answer: Answer) -> Answer:
        """Wrap the handler of a method so that each call has a span."""
        return answer

    def span(self, name: str, match: str, cause: Span | None = None) -> AbstractContextManager[None]:
        """Open a span around a slow operation; `cause` is the span of the call that waits for it.

        It never reads the parent from the context: callbacks that the loop runs for many calls carry the context of the
        first.
        """
        return nullcontext()

    async def close(self) -> None:
        """Export the spans that are still queued."""


OFF: Final = Tracing()


def from_environment() -> Tracing:
    """Set up tracing as the environment asks; if that fails, log the reason and go on without."""
    names = exporters(os.environ)
    if not names:
        return OFF
    try:
        from landsraad_server.telemetry.spans import MissingExporter, recording  # noqa: PLC0415 an optional dependency
    except ImportError:
        _log.warning("no_traces", install=EXTRA)
        return OFF
    try:
        return recording(names)
    except MissingExporter as missing:
        _log.warning("no_traces", resource=missing.name, install=_BRINGS.get(missing.name, ""))
    except Exception as error:  # noqa: BLE001 such as a bad endpoint or certificate
        logs.fault("traces", error)
    return OFF


def exporters(environ: Mapping[str, str]) -> list[str]:
    """Return the names of the exporters that the environment asks for; OTLP if only its endpoint is set."""
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return []
    names_given = environ.get("OTEL_TRACES_EXPORTER") or ("otlp" if any(map(environ.get, _ENDPOINTS)) else "")
    protocol = next(filter(None, map(environ.get, _PROTOCOLS)), "grpc").strip()
    names = {"otlp": _OTLP.get(protocol, f"otlp {protocol}")}
    given = [name.strip() for name in names_given.split(",")]
    return [names.get(name, name) for name in given if name not in ("", "none")]


def caller(metadata: Iterable[tuple[str, Any]] | None) -> TraceContext | None:
    """Return the caller's trace context, if the metadata has a valid `traceparent` (W3C Trace Context)."""
    for key, value in metadata or ():
        if key == "traceparent":
            parsed = _TRACEPARENT.fullmatch(value)
            if parsed is None or (parsed[1] == "00" and parsed[5]):  # version 00 has exactly four fields
                return None
            return TraceContext(parsed[2], parsed[3], int(parsed[4], 16))
    return None


def trace_of(metadata: Iterable[tuple[str, Any]] | None) -> str:
    """Return the trace id of the current call, ours or its caller's; empty if there is none."""
    span = CURRENT.get()
    if span is not None:
        return f"{span.get_span_context().trace_id:032x}"
    called = caller(metadata)
    return "" if called is None else called.trace


def refused(reason: ErrorReason.ValueType) -> None:
    """Record on the current call's span why it was refused."""
    span = CURRENT.get()
    if span is not None:
        span.set_attribute(REASON, ErrorReason.Name(reason).removeprefix("ERROR_REASON_"))
