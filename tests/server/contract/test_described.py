"""The description of the protocol: reflection finds every symbol, and the service validates what it declares."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from google.api import field_behavior_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message_factory import GetMessageClass
from grpc_reflection.v1alpha import reflection_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from landsraad.transport import CallRefused
from landsraad.v1 import errors_pb2, play_pb2
from landsraad_admin.v1 import admin_pb2
from landsraad_server.process.worker import Worker
from landsraad_testkit.calls import METHODS, Calls
from landsraad_testkit.raw_stream import PATIENCE_SECONDS, RawStream

REQUIRED, OPTIONAL = field_behavior_pb2.REQUIRED, field_behavior_pb2.OPTIONAL
OUTPUT_ONLY = field_behavior_pb2.OUTPUT_ONLY
#: A status code, as in google.rpc.Code.
INVALID_ARGUMENT = 3
#: Plain values, which stand in requests and answers alike: what they need, their comments say.
VALUES = {"Act", "Cursor", "DuneAct", "ArrakisAct", "Value", "ValueList", "NamedValue"}
ADMIN = list(admin_pb2.DESCRIPTOR.services_by_name["Admin"].methods)
ALL = [*METHODS.values(), *ADMIN]


# ---------------------------------------------------------------------------------------------------------- reflection


def symbols() -> list[tuple[str, str]]:
    """Return every symbol of the public services' files by its full name, each with its file."""
    found: dict[str, str] = {}

    def add(descriptor: Any, file: str) -> None:
        found[descriptor.full_name] = file
        for field in (*descriptor.fields, *descriptor.oneofs):
            found[f"{descriptor.full_name}.{field.name}"] = file
        for inner in (*descriptor.nested_types, *descriptor.enum_types):
            found[inner.full_name] = file

    for method in METHODS.values():
        service: Any = method.containing_service
        file = service.file.name
        found[service.full_name] = found[method.full_name] = file
        for message in service.file.message_types_by_name.values():
            add(message, file)
        for enum in service.file.enum_types_by_name.values():
            found[enum.full_name] = file
            for value in enum.values:
                found[f"{service.file.package}.{value.name}"] = file
    return sorted(found.items())


@pytest.mark.asyncio
@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_reflection_finds_every_symbol(version: str, worker: Worker) -> None:
    """As `grpcurl describe` asks for it: methods, fields and values of enums by their names, too."""
    async with grpc.aio.insecure_channel(worker.address) as channel:
        opened: Any = channel.stream_stream(
            f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
            reflection_pb2.ServerReflectionRequest.SerializeToString,
            reflection_pb2.ServerReflectionResponse.FromString,
        )
        stream = opened(timeout=PATIENCE_SECONDS)

        async def files(symbol: str) -> list[str]:
            await stream.write(reflection_pb2.ServerReflectionRequest(file_containing_symbol=symbol))
            said = (await stream.read()).file_descriptor_response.file_descriptor_proto
            return [FileDescriptorProto.FromString(file).name for file in said]

        for symbol, file in symbols():
            found = await files(symbol)
            assert found[:1] == [file], symbol
            assert "google/api/field_behavior.proto" in found, "clients cannot link the file without it"
        for symbol in ("landsraad.v1.Play.Nothing", "landsraad.v1.Nothing.Submit", "landsraad.v1", "Submit", ""):
            assert await files(symbol) == [], symbol
        await stream.done_writing()


@pytest.mark.asyncio
async def test_a_client_of_reflection_finds_a_method_first(worker: Worker) -> None:
    def look() -> str:
        with grpc.insecure_channel(worker.address) as channel:
            database: Any = ProtoReflectionDescriptorDatabase(channel)
            return str(database.FindFileContainingSymbol("landsraad.v1.Play.Submit").name)

    assert await asyncio.to_thread(look) == "landsraad/v1/play_service.proto"


# ----------------------------------------------------------------------------------------------------- field behaviour


def behaviors(field: FieldDescriptor) -> list[int]:
    return list(field.GetOptions().Extensions[field_behavior_pb2.field_behavior])


def parts(message: Descriptor) -> list[Descriptor]:
    """Return a message with all messages in its fields, without plain values and those of other packages."""
    found: dict[str, Descriptor] = {}
    waiting = [message]
    while waiting:
        one = waiting.pop()
        if one.full_name in found or one.name in VALUES or not one.full_name.startswith("landsraad"):
            continue
        found[one.full_name] = one
        given = [field for field in one.fields if OUTPUT_ONLY not in behaviors(field)]
        waiting += [field.message_type for field in given if field.message_type and not _is_map(field)]
    return list(found.values())


def _is_map(field: FieldDescriptor) -> bool:
    kind = field.message_type
    return kind is not None and bool(kind.GetOptions().map_entry)


@pytest.mark.parametrize("method", ALL, ids=lambda method: method.full_name)
def test_every_field_of_a_request_and_of_its_answer_says_how_it_behaves(method: MethodDescriptor) -> None:
    for message in parts(method.input_type):
        for field in message.fields:
            assert len(behaviors(field)) == 1, field.full_name
            assert behaviors(field)[0] in (REQUIRED, OPTIONAL, OUTPUT_ONLY), field.full_name
    both = {"Match", "Seat", "ClockRules"}
    for field in method.output_type.fields if method.output_type.name not in both else ():
        assert behaviors(field) == [OUTPUT_ONLY], field.full_name


def whole(message: Descriptor, match: str) -> Any:
    """Return a request in which every required field has a value, and no other."""
    made: Any = GetMessageClass(message)()
    for field in message.fields:
        if REQUIRED not in behaviors(field):
            continue
        value = getattr(made, field.name)
        if field.is_repeated:
            for _ in range(2):
                value.add()
        elif field.message_type is not None:
            value.SetInParent()
            if field.message_type.name not in VALUES:
                value.CopyFrom(whole(field.message_type, match))
        elif field.type == FieldDescriptor.TYPE_STRING:
            kind = {"GetGameRequest": "games", "Match": "games", "GetReplayRequest": "replays"}.get(message.name, "")
            kind = "replays" if message.name == "GetCertificateRequest" else kind or "matches"
            setattr(made, field.name, f"{kind}/{'teaching' if kind == 'games' else match}")
        else:
            setattr(made, field.name, 1)
    return made


def paths(message: Descriptor, behavior: int, prefix: str = "") -> list[str]:
    """Return the paths of all fields of a request that behave in this way."""
    found = []
    for field in message.fields:
        if behavior in behaviors(field):
            found.append(prefix + field.name)
        if field.message_type is not None and field.message_type.name == "Match":
            found += paths(field.message_type, behavior, f"{prefix}{field.name}.")
    return found


ME = "landsraad_guest_me"
CALLS = {name: method for name, method in METHODS.items() if not method.client_streaming}
MISSING = [(name, path) for name, method in CALLS.items() for path in paths(method.input_type, REQUIRED)]


async def live_match(calls: Calls) -> str:
    """Return the id of a match that a guest plays alone, with both seats."""
    name = await calls.new(ME)
    for _ in range(2):
        await calls("Matches/JoinMatch", ME, name=name)
    return name.partition("/")[2]


async def refusal(calls: Calls, method: str, request: Any) -> errors_pb2.Refusal | None:
    """Make a call and return its refusal; None if it is answered."""
    try:
        if method == "Watch/WatchMatch":
            async for _ in calls.watch(request.match, ME):
                return None
        if method == "Talk/Read":
            async for _ in calls.read_talk(request.match, ME):
                return None
        answer = await calls(method, ME, **{field.name: value for field, value in request.ListFields()})
        if method == "Play/Explain":
            said: errors_pb2.Refusal = answer.refusal
            return said
    except CallRefused as refused:
        return refused.refusal
    return None


@pytest.mark.asyncio
async def test_a_request_without_a_required_field_is_refused(calls: Calls) -> None:
    match = await live_match(calls)
    for method, path in MISSING:
        request = whole(CALLS[method].input_type, match)
        *above, last = path.split(".")
        part = request
        for name in above:
            part = getattr(part, name)
        part.ClearField(last)
        check_blamed(await refusal(calls, method, request), path)


@pytest.mark.asyncio
async def test_a_request_may_leave_out_all_that_is_optional(calls: Calls) -> None:
    for method, described in CALLS.items():
        said = await refusal(calls, method, whole(described.input_type, await live_match(calls)))
        if said is not None and said.reason:
            assert not {violation.field for violation in said.violations} & set(paths(described.input_type, OPTIONAL))
            assert said.reason not in (errors_pb2.ERROR_REASON_BAD_FIELD, errors_pb2.ERROR_REASON_BAD_OPTION), method


@pytest.mark.asyncio
async def test_an_item_without_a_required_field_is_refused(calls: Calls, worker: Worker) -> None:
    match = await live_match(calls)
    checked = 0
    for name, described in play_pb2.ClientItem.DESCRIPTOR.fields_by_name.items():
        kind = described.message_type
        for field in () if kind is None else paths(kind, REQUIRED):
            assert kind is not None
            item: Any = {name: whole(kind, match)}
            item[name].ClearField(field)
            async with RawStream(worker.address, token=ME) as stream:
                if name != "subscribe":
                    wanted = play_pb2.Subscribe(match=f"matches/{match}")
                    await stream.send(play_pb2.ClientItem(subscription=1, subscribe=wanted))
                await stream.send(play_pb2.ClientItem(subscription=1, **item))
                check_blamed(await stream.next("refusal"), field)
            checked += 1
    assert checked == 4


def check_blamed(said: errors_pb2.Refusal | None, path: str) -> None:
    """Assert that a request was refused because of a missing field."""
    assert said is not None, path
    assert said.code == INVALID_ARGUMENT, path
    if path == "act":  # a fault of the game's input: it counts as an illegal act
        assert said.reason == errors_pb2.ERROR_REASON_MALFORMED
    else:
        assert path in [violation.field for violation in said.violations]
