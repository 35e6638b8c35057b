"""The context of one call: the part of grpc.aio's ServicerContext that our services, health and reflection use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeAlias

import grpc
from grpc.aio import AbortError

from landsraad_http2.connection import Connection
from landsraad_http2.faults import log_fault
from landsraad_http2.headers import BEGIN, OK, Request, status, write_metadata
from landsraad_http2.messages import BadMessage
from landsraad_http2.stream import Http2Stream

_Pairs: TypeAlias = Iterable[tuple[str, str | bytes]]
#: What is said of a message that cannot be taken, beside its code: a text, and metadata.
Explain: TypeAlias = "Callable[[BadMessage], tuple[str, _Pairs]]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

_CODES = {code.value[0]: code for code in grpc.StatusCode}


class Context(grpc.aio.ServicerContext[Any, Any]):
    """The context of a call, from its first headers to its trailers. `task` runs the handler."""

    def __init__(
        self, stream: Http2Stream, request: Request, handler: Handler, connection: Connection, explain: Explain
    ) -> None:
        self.stream = stream
        self.path = request.path
        self.handler = handler
        self.task: asyncio.Task[None] | None = None
        self._connection = connection
        self._request = request
        self._explain = explain
        self._code = grpc.StatusCode.OK
        self._details = ""
        self._trailing: _Pairs = ()
        self._done = False
        self._cancelled = False
        self._callbacks: list[Callable[[Any], None]] = []
        self._deadline: asyncio.TimerHandle | None = None
        stream.on_lost = self._lost
        stream.on_fault = self._fault
        if request.timeout is not None:
            self._deadline = asyncio.get_running_loop().call_later(request.timeout, self._expire)

    # --------------------------------------------------------------------------------------------- messages, one by one

    async def read(self) -> Any:
        """Return the next message, or grpc.aio.EOF after the last."""
        message = await self.stream.read()
        return grpc.aio.EOF if message is None else self.parsed(message)

    async def write(self, message: Any) -> None:
        """Send a message, and wait until the next may follow."""
        if self._done and not self._cancelled:
            raise asyncio.InvalidStateError("the call is over")
        stream = self.stream
        stream.send(self.serialized(message))
        del message  # what waits is kept once
        if not stream.writable:
            await stream.drained()

    def parsed(self, message: bytes) -> Any:
        """Parse a message of the client; raise BadMessage if that fails."""
        deserializer = self.handler.request_deserializer
        if deserializer is None:
            return message
        try:
            return deserializer(message)
        except Exception:  # noqa: BLE001  whatever it calls it: the fault is the client's
            raise BadMessage(grpc.StatusCode.INTERNAL, "the message cannot be read") from None

    def serialized(self, message: Any) -> bytes:
        """Serialize a message of the handler."""
        serializer = self.handler.response_serializer
        return message if serializer is None else serializer(message)

    # ---------------------------------------------------------------------------------------------------------- the end

    def end(self, code: grpc.StatusCode, details: str = "", trailing: _Pairs = ()) -> None:
        """End the call with a status. The first status counts."""
        if self._done:
            return
        self._code, self._details, self._trailing = code, details, trailing
        try:
            block = status(code.value[0], details, trailing)
        except ValueError as error:  # metadata that cannot be sent: the call has ended all the same
            log_fault(self.path, error)
            block = status(code.value[0], details)
        self.stream.finish(block)
        self._end()

    def succeed(self) -> None:
        """Finish a call whose handler has returned."""
        if self._code is grpc.StatusCode.OK and not (self._details or self._trailing):
            if not self._done:
                self.stream.finish(OK)
                self._end()
        else:
            self.end(self._code, self._details, self._trailing)

    def _end(self) -> None:
        self._done = True
        if self._deadline is not None:
            self._deadline.cancel()
        for callback in self._callbacks:
            try:
                callback(self)
            except Exception as error:  # noqa: BLE001
                log_fault(self.path, error)
        self._callbacks.clear()

    def cancel(self) -> None:
        """Cancel the handler."""
        self._cancelled = True
        if self.task is not None:
            self.task.cancel()

    def _lost(self) -> None:
        if not self._done:
            self._code = grpc.StatusCode.CANCELLED
            self._cancelled = True
            self._end()
        self.cancel()

    def _expire(self) -> None:
        self.end(grpc.StatusCode.DEADLINE_EXCEEDED, "the deadline of the call has passed")
        self.cancel()

    def _fault(self, error: BaseException) -> None:
        """End the call over a message that cannot be taken."""
        if isinstance(error, BadMessage):
            self.refuse(error)
        else:
            self.fail(error)
        self.cancel()

    def refuse(self, bad: BadMessage) -> None:
        """End the call with the status of a bad message."""
        self.end(bad.code, *self._explain(bad))

    def fail(self, error: BaseException) -> None:
        """End the call over an unexpected error, without details for the caller."""
        log_fault(self.path, error)
        self.end(grpc.StatusCode.UNKNOWN, "something unforeseen has happened; it stands in the log")

    async def abort(self, code: grpc.StatusCode, details: str = "", trailing_metadata: Any = ()) -> NoReturn:
        """End the call now, without the rest of the handler."""
        if code is grpc.StatusCode.OK:
            code, details = grpc.StatusCode.UNKNOWN, "a call cannot be aborted with OK"
        self.end(code, details, tuple(trailing_metadata) or self._trailing)
        raise AbortError

    async def abort_with_status(self, status: Any) -> NoReturn:
        await self.abort(status.code, status.details, status.trailing_metadata)

    # ----------------------------------------------------------------------------------------------------- what it says

    async def send_initial_metadata(self, initial_metadata: Any) -> None:
        self.stream.begin(BEGIN + write_metadata(initial_metadata))

    def set_trailing_metadata(self, trailing_metadata: Any) -> None:
        self._trailing = tuple(trailing_metadata)

    def set_code(self, code: grpc.StatusCode | int) -> None:
        self._code = code if isinstance(code, grpc.StatusCode) else _CODES.get(code, grpc.StatusCode.UNKNOWN)

    def set_details(self, details: str) -> None:
        self._details = details

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._details

    def trailing_metadata(self) -> Any:
        return self._trailing

    def set_compression(self, compression: grpc.Compression) -> None:
        """Ignore it: compressing secrets beside chosen text leaks them by length (CRIME)."""

    def disable_next_message_compression(self) -> None:
        """Ignore it: messages are not compressed."""

    # -------------------------------------------------------------------------------------------------------- who calls

    def invocation_metadata(self) -> Any:
        return self._request.metadata

    def peer(self) -> str:
        return self._connection.peer

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """Return the properties of the client's certificate, if one was required."""
        certificate = self._connection.certificate
        if not certificate:
            return {}
        found = {"transport_security_type": [b"ssl"]}
        names = [value for part in certificate.get("subject", ()) for name, value in part if name == "commonName"]
        others = [value for _, value in certificate.get("subjectAltName", ())]
        for key, values in (("x509_common_name", names), ("x509_subject_alternative_name", others)):
            if values:
                found[key] = [value.encode() for value in values]
        return found

    def peer_identity_key(self) -> str | None:
        context = self.auth_context()
        keys = ("x509_subject_alternative_name", "x509_common_name")
        return next((key for key in keys if key in context), None)

    def peer_identities(self) -> Iterable[bytes] | None:
        key = self.peer_identity_key()
        return None if key is None else self.auth_context()[key]

    # -------------------------------------------------------------------------------------------------------- how it is

    def time_remaining(self) -> float:
        if self._deadline is None:
            return float("inf")
        return max(0.0, self._deadline.when() - asyncio.get_running_loop().time())

    def done(self) -> bool:
        return self._done

    def cancelled(self) -> bool:
        return self._cancelled

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        if self._done:
            callback(self)
        else:
            self._callbacks.append(callback)


class Requests:
    """An async iterator over the messages of a client stream."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def __aiter__(self) -> Requests:
        return self

    async def __anext__(self) -> Any:
        message = await self._context.read()
        if message is grpc.aio.EOF:
            raise StopAsyncIteration
        return message
