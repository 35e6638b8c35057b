"""OpenTelemetry spans; needs the extra `otel`, and is imported by `tracing` only if the environment asks for traces.

Spans have only the attributes named here, none of which can be a secret: not even the message of an error is recorded.
A thread of the library exports them; ending a span only appends it to a bounded queue.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib.metadata import entry_points
from threading import Thread
from typing import Any, Final

import grpc
import structlog
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from opentelemetry.context import Context
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)

from landsraad import __version__
from landsraad.wire.match_names import MATCH_ID
from landsraad_server.refusals import is_expected
from landsraad_server.telemetry.tracing import CURRENT, Answer, Tracing, caller

_log = structlog.get_logger()

#: Longest delay of a worker's shutdown by a receiver that does not answer.
FLUSH_SECONDS: Final = 2.0

MATCH, SEAT, STATUS = "landsraad.match", "landsraad.seat", "rpc.grpc.status_code"

_MATCH = re.compile(rf"matches/({MATCH_ID})")
#: Status codes that mark a server span as failed (OpenTelemetry's semantic conventions).
_FAULTS = frozenset(
    code.value[0]
    for code in (
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DATA_LOSS,
    )
)
_CANCELLED: Final = grpc.StatusCode.CANCELLED.value[0]


class MissingExporter(LookupError):
    """No exporter of that name is installed."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def recording(exporters: Sequence[str]) -> Recording:
    """Make a tracer for these exporters; the library reads everything else from the environment."""
    made = [_exporter(name) for name in exporters]
    provider = TracerProvider(resource=resource(), shutdown_on_exit=False)
    for exporter in made:
        provider.add_span_processor(BatchSpanProcessor(exporter))
    return Recording(provider)


def resource() -> Resource:
    """Describe this process; attributes in the environment take precedence."""
    named = OTELResourceDetector().detect().attributes
    about = {"service.name": "landsraad", "service.version": __version__, "process.pid": os.getpid(), **named}
    return Resource.create(about)


def _exporter(name: str) -> SpanExporter:
    found = next(iter(entry_points(group="opentelemetry_traces_exporter", name=name)), None)
    if found is None:
        raise MissingExporter(name)
    # Standard output of a worker is the channel to its supervisor.
    more = {"out": sys.stderr, "formatter": lambda span: span.to_json(indent=None) + "\n"} if name == "console" else {}
    exporter: SpanExporter = found.load()(**more)
    return exporter


class Recording(Tracing):
    """Tracing that exports spans through an OpenTelemetry provider."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("landsraad_server", __version__)

    def trace_calls(self, method: MethodDescriptor, answer: Answer) -> Answer:
        service = method.containing_service.full_name
        about = {"rpc.system": "grpc", "rpc.service": service, "rpc.method": method.name}

        async def traced(request: Any, context: Any) -> Any:
            attributes = {**about, **_subject(request)}
            with self._span(f"{service}/{method.name}", _caller(context), SpanKind.SERVER, attributes) as span:
                try:
                    return await answer(request, context)
                finally:
                    _end(span, _code(context))

        return traced

    def span(self, name: str, match: str, cause: Span | None = None) -> AbstractContextManager[None]:
        return self._internal_span(name, match, cause)

    @contextmanager
    def _internal_span(self, name: str, match: str, cause: Span | None) -> Iterator[None]:
        with self._span(name, _context_of(cause), SpanKind.INTERNAL, {MATCH: match}) as span:
            try:
                yield
            except Exception as error:
                if not is_expected(error):
                    span.set_status(Status(StatusCode.ERROR))
                raise

    @contextmanager
    def _span(self, name: str, parent: Context, kind: SpanKind, attributes: Mapping[str, Any]) -> Iterator[Span]:
        span = self._tracer.start_span(name, parent, kind, attributes)
        before = CURRENT.set(span)
        try:
            yield span
        finally:
            CURRENT.reset(before)
            span.end()

    async def close(self) -> None:
        """Flush the spans in a daemon thread, for at most FLUSH_SECONDS; the library's own limit is half a minute."""
        loop, sent = asyncio.get_running_loop(), asyncio.Event()

        def flush() -> None:
            try:
                self._provider.shutdown()
            finally:
                with suppress(RuntimeError):  # the loop has been closed
                    loop.call_soon_threadsafe(sent.set)

        Thread(target=flush, name="last-traces", daemon=True).start()
        try:
            async with asyncio.timeout(FLUSH_SECONDS):
                await sent.wait()
        except TimeoutError:
            _log.warning("traces_lost", seconds=FLUSH_SECONDS)


def _caller(context: Any) -> Context:
    """Return the context of the caller's span; an empty one if the call carries none."""
    remote = caller(context.invocation_metadata())
    if remote is None:
        return Context()
    flags = TraceFlags(remote.flags & TraceFlags.SAMPLED)
    return _context_of(NonRecordingSpan(SpanContext(int(remote.trace, 16), int(remote.span, 16), True, flags)))


def _context_of(span: Span | None) -> Context:
    return Context() if span is None else set_span_in_context(span, Context())


def _subject(request: object) -> dict[str, str | int]:
    """Return the match and seat that a request names. Malformed names are left out, for they may hold anything."""
    found: dict[str, str | int] = {}
    if not isinstance(request, Message):  # a stream, or an unreadable request
        return found
    fields = request.DESCRIPTOR.fields_by_name
    for field in ("match", "name"):
        named = getattr(request, field, "")
        if isinstance(named, str) and (match := _MATCH.fullmatch(named)):
            found[MATCH] = match[1]
            if "seat" in fields and (not fields["seat"].has_presence or request.HasField("seat")):
                found[SEAT] = request.seat  # type: ignore[attr-defined]
    return found


def _code(context: Any) -> int:
    """Return the status code of a call so far, 0 for OK; the two transports report it differently."""
    code = context.code()
    number = int(code.value[0]) if isinstance(code, grpc.StatusCode) else int(code or 0)
    return number or (_CANCELLED if context.cancelled() else 0)


def _end(span: Span, code: int) -> None:
    span.set_attribute(STATUS, code)
    if code in _FAULTS:
        span.set_status(Status(StatusCode.ERROR))
