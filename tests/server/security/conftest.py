"""Fixtures for hostile input: raw byte calls and generators of malformed requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import grpc.aio
import pytest
import pytest_asyncio
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from landsraad.v1.errors_pb2 import Refusal
from landsraad.wire.refusals import refusal_of
from landsraad_server.process.worker import Worker

#: Timeout; longer than any proper answer takes.
_SECONDS = 10.0


class Answer(NamedTuple):
    """The outcome of a call."""

    code: grpc.StatusCode
    details: str
    #: the refusal in its status, if there is one
    refusal: Refusal | None
    #: the answer, or the first of a stream
    body: bytes | None


class Raw:
    """Calls with raw bytes, without retries or validation."""

    def __init__(self, address: str, credentials: grpc.ChannelCredentials | None = None) -> None:
        options = (("grpc.max_send_message_length", -1), ("grpc.enable_retries", 0))
        if credentials is None:
            self.channel = grpc.aio.insecure_channel(address, options=options)
        else:
            self.channel = grpc.aio.secure_channel(address, credentials, options=options)

    async def call(self, method: MethodDescriptor | str, body: bytes, token: str = "", **more: Any) -> Answer:
        """Make one call; of a stream of answers read the first and cancel the rest."""
        path = method if isinstance(method, str) else f"/{method.containing_service.full_name}/{method.name}"
        metadata = [("authorization", f"Bearer {token}")] if token else []
        metadata += more.get("metadata", [])
        sends = not isinstance(method, str) and method.client_streaming
        hears = not isinstance(method, str) and method.server_streaming
        found: bytes | None = None
        try:
            if sends:
                found = await self._converse(path, body, metadata)
            elif hears:
                watch: Any = self.channel.unary_stream(path)
                found = await _first(watch(body, metadata=metadata, timeout=_SECONDS))
            else:
                call: Any = self.channel.unary_unary(path)
                found = await call(body, metadata=metadata, timeout=_SECONDS)
        except grpc.aio.AioRpcError as error:
            return Answer(error.code(), error.details() or "", _refusal(error), None)
        return Answer(grpc.StatusCode.OK, "", None, found)

    async def _converse(self, path: str, body: bytes, metadata: Any) -> bytes | None:
        """Send one frame and read one."""
        for _ in range(100):
            stream: Any = self.channel.stream_stream(path)(metadata=metadata, timeout=_SECONDS)
            try:
                await stream.write(body)
                await stream.done_writing()
            except grpc.aio.AioRpcError as error:
                # grpcio's own error, if the call ended before our frame was written: repeat the call.
                if error.details() == "Internal error from Core":
                    continue
                raise
            except asyncio.InvalidStateError:
                pass  # the call ended before our frame was written; its status is read below
            return await _first(stream)
        raise AssertionError("the service was faster a hundred times")

    async def close(self) -> None:
        await self.channel.close()


async def _first(stream: Any) -> bytes | None:
    read = await stream.read()
    if read is grpc.aio.EOF:
        if (code := await stream.code()) is not grpc.StatusCode.OK:
            raise grpc.aio.AioRpcError(
                code, await stream.initial_metadata(), await stream.trailing_metadata(), await stream.details()
            )
        return None
    stream.cancel()
    return bytes(read)


def _refusal(error: grpc.aio.AioRpcError) -> Refusal | None:
    from google.rpc.status_pb2 import Status

    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            return refusal_of(Status.FromString(value))
    return None


class Mischief:
    """Generator of well-formed but mostly senseless requests. `names` are texts that do mean something."""

    def __init__(self, rng: Random, names: Sequence[str]) -> None:
        self._rng = rng
        self._names = names
        self._texts = [
            "",
            "matches/",
            "matches/x" * 9,
            "\0",
            "ä" * 50,
            "x" * 300,
            "ü" * 20_000,
            "../..",
            "{slot}",
            "𝔇\u202e",
        ]

    def message(self, descriptor: Descriptor, depth: int = 0) -> Message:
        """Return a message of a type with random content."""
        message = GetMessageClass(descriptor)()
        chosen = {oneof.name: self._rng.choice(oneof.fields) for oneof in descriptor.oneofs}
        for field in descriptor.fields:
            oneof = field.containing_oneof
            if oneof is not None and chosen[oneof.name] is not field:
                continue
            if self._rng.random() < (0.25 if depth > 4 else 0.75):
                self._fill(message, field, depth)
        return message

    def bent(self, message: Message) -> Message:
        """Return a copy in which one field, at any depth, has another value."""
        copy = type(message)()
        copy.CopyFrom(message)
        at: Any = copy
        while inner := [value for field, value in at.ListFields() if field.message_type and not field.is_repeated]:
            if self._rng.random() < 0.2:
                break
            at = self._rng.choice(inner)
        fields = [field for field in at.DESCRIPTOR.fields if not field.is_repeated or not at.ListFields()]
        if fields:
            self._fill(at, self._rng.choice(fields), 5)
        return copy

    def _fill(self, message: Any, field: FieldDescriptor, depth: int) -> None:
        entry = field.message_type
        if entry is not None and entry.GetOptions().map_entry:
            place = getattr(message, field.name)
            for _ in range(self._rng.choice((1, 2, 30))):
                key = self._scalar(entry.fields_by_name["key"])
                value = entry.fields_by_name["value"]
                if value.message_type is None:
                    place[key] = self._scalar(value)
                else:
                    place[key].CopyFrom(self.message(value.message_type, depth + 1))
        elif field.is_repeated:
            for _ in range(self._rng.choice((1, 3, 7) if depth < 3 else (1,))):
                if entry is None:
                    getattr(message, field.name).append(self._scalar(field))
                else:
                    getattr(message, field.name).add().CopyFrom(self.message(entry, depth + 1))
        elif entry is not None:
            if depth < 8:
                getattr(message, field.name).CopyFrom(self.message(entry, depth + 1))
        else:
            setattr(message, field.name, self._scalar(field))

    def _scalar(self, field: FieldDescriptor) -> Any:
        rng, kind = self._rng, field.type
        match field.cpp_type:
            case FieldDescriptor.CPPTYPE_STRING:
                text = rng.choice(self._names if rng.random() < 0.7 else self._texts)
                return text.encode() if kind == FieldDescriptor.TYPE_BYTES else text
            case FieldDescriptor.CPPTYPE_BOOL:
                return rng.random() < 0.5
            case FieldDescriptor.CPPTYPE_ENUM:
                return rng.choice((0, 1, 2, 3, 99, -1, 2**31 - 1))
            case FieldDescriptor.CPPTYPE_UINT32:
                return rng.choice((0, 1, 2, 2**31, 2**32 - 1))
            case FieldDescriptor.CPPTYPE_UINT64:
                return rng.choice((0, 1, 2, 2**63, 2**64 - 1))
            case FieldDescriptor.CPPTYPE_INT64:
                return rng.choice((0, 1, -1, 2**63 - 1, -(2**63)))
            case FieldDescriptor.CPPTYPE_INT32:
                return rng.choice((0, 1, 2, -1, 2**31 - 1, -(2**31)))
        raise AssertionError(f"no field of the protocol has the type of {field.full_name}")

    def torn(self, body: bytes) -> bytes:
        """Return the damaged bytes of a message."""
        rng = self._rng
        damaged = bytearray(body or b"\0")
        for _ in range(rng.choice((1, 1, 3))):
            at = rng.randrange(len(damaged))
            match rng.randrange(3):
                case 0:
                    damaged[at] ^= 1 << rng.randrange(8)
                case 1:
                    damaged = damaged[: at + 1]
                case _:
                    damaged[at:at] = rng.randbytes(rng.randrange(1, 9))
        return bytes(damaged)


# Types of the fixtures below, for annotations in tests, which cannot import this file at run time.
OpenRaw = Callable[..., Raw]
MakeMischief = Callable[[int, Sequence[str]], Mischief]


@pytest.fixture
def mischief() -> MakeMischief:
    """Make a generator from a seed and the names to use."""
    return lambda seed, names: Mischief(Random(seed), names)


@pytest_asyncio.fixture
async def raw_calls(worker: Worker) -> AsyncIterator[OpenRaw]:
    """Open raw calls: `raw_calls()`, or to another address."""
    opened: list[Raw] = []

    def run(address: str = "", **more: Any) -> Raw:
        opened.append(Raw(address or worker.address, **more))
        return opened[-1]

    yield run
    for one in opened:
        await one.close()
