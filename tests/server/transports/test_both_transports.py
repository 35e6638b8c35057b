"""The service is the same on both transports."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc.aio
import pytest
import pytest_asyncio
from google.protobuf.descriptor_database import DescriptorDatabase
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2

from landsraad_server.process.worker import Worker
from landsraad_server.request_limits import MOST_READ_BYTES
from landsraad_testkit import DrivenMatch, RawStream
from landsraad_testkit.calls import METHODS
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

if TYPE_CHECKING:
    from tests.server.conftest import Seated, StartWorker

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture(params=["http2", "grpcio"])
async def worker(request: pytest.FixtureRequest, start_worker: StartWorker) -> Worker:
    """In place of the usual one: a worker of each kind."""
    return await start_worker(transport=request.param)


async def test_a_match(worker: Worker, seated: Seated) -> None:
    async with RawStream(worker.address) as line:
        table = DrivenMatch(line, await seated(3, options={"rounds": 1}))
        await table.sit_down()
        await table.play()
        assert table.match.HasField("result")
        assert set(table.closed) == {0, 1, 2}


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_reflection(version: str, worker: Worker) -> None:
    """By either of its names: it tells all services, and of each, itself included, how it is called."""
    async with grpc.aio.insecure_channel(worker.address) as channel:
        path = f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo"
        asking: Any = channel.stream_stream(
            path,
            reflection_pb2.ServerReflectionRequest.SerializeToString,
            reflection_pb2.ServerReflectionResponse.FromString,
        )(timeout=PATIENCE_SECONDS)

        async def ask(**what: str) -> Any:
            await asking.write(reflection_pb2.ServerReflectionRequest(**what))
            return await asking.read()

        listed = {one.name for one in (await ask(list_services="")).list_services_response.service}
        assert {method.containing_service.full_name for method in METHODS.values()} <= listed
        assert {f"grpc.reflection.{each}.ServerReflection" for each in ("v1", "v1alpha")} <= listed
        for name in listed:
            files: Any = DescriptorDatabase()
            for file in (await ask(file_containing_symbol=name)).file_descriptor_response.file_descriptor_proto:
                files.Add(FileDescriptorProto.FromString(file))
            service: Any = DescriptorPool(files).FindServiceByName(name)
            for method in service.methods:
                assert method.input_type.full_name.rpartition(".")[0] == name.rpartition(".")[0]
        await asking.done_writing()


async def test_health(worker: Worker) -> None:
    async with grpc.aio.insecure_channel(worker.address) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        serving = health_pb2.HealthCheckResponse.SERVING
        assert (await health.Check(health_pb2.HealthCheckRequest())).status == serving
        watching = health.Watch(health_pb2.HealthCheckRequest(service="landsraad.v1.Play"))
        assert (await watching.read()).status == serving
        draining = asyncio.create_task(worker.drain(PATIENCE_SECONDS))
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        watching.cancel()
        await draining


async def test_what_is_too_large_to_be_read(worker: Worker) -> None:
    async with grpc.aio.insecure_channel(worker.address) as channel:
        call: Any = channel.unary_unary("/landsraad.v1.Catalog/ListGames")
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await call(bytes(MOST_READ_BYTES + 1))
        assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_metadata_that_is_far_too_long(worker: Worker) -> None:
    """The first call of a connection, and one beside others: it is refused, and they go on."""
    async with grpc.aio.insecure_channel(worker.address) as channel:
        call: Any = channel.unary_unary("/landsraad.v1.Catalog/ListGames")
        health: Any = health_pb2_grpc.HealthStub(channel)
        watching: Any = None
        for _ in range(2):
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await call(b"", metadata=(("x-long", "y" * 200_000),), timeout=PATIENCE_SECONDS)
            assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            watching = watching or health.Watch(health_pb2.HealthCheckRequest())
            await health.Check(health_pb2.HealthCheckRequest())
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.SERVING
        worker._standard.set_health(up=False)
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        watching.cancel()
