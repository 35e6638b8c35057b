"""Draining: a worker that is shutting down waits for no waiting client, and sends each to another worker."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc.aio
import pytest
from google.rpc.status_pb2 import Status
from grpc_health.v1 import health_pb2, health_pb2_grpc

from landsraad.v1 import errors_pb2, play_pb2, play_service_pb2, play_service_pb2_grpc
from landsraad.wire.refusals import reason_of, refusal_of
from landsraad_server.api.standard_services import StandardServices
from landsraad_server.process.worker import Worker
from landsraad_server.transports.grpcio import GrpcioServer
from landsraad_testkit.calls import Calls
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

pytestmark = pytest.mark.asyncio

ME = "landsraad_guest_me"


async def test_nobody_who_waits_is_waited_for(worker: Worker, calls: Calls, open_stream: Any) -> None:
    """A stream, a call for the next decision and a health watch all end long before their timeouts."""
    match = await calls.new(ME)
    seat = await calls("Matches/JoinMatch", ME, name=match)
    async with asyncio.timeout(PATIENCE_SECONDS), grpc.aio.insecure_channel(worker.address) as channel:
        health = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
        assert (await health.read()).status == health_pb2.HealthCheckResponse.SERVING
        stream = open_stream()
        wanted = play_pb2.Subscribe(match=match, seat=seat.seat, credential=seat.credential)
        await stream.send(play_pb2.ClientItem(subscription=1, subscribe=wanted))
        await stream.next("snapshot")
        asked = play_service_pb2.GetDecisionRequest(match=match, seat=seat.seat, wait_ms=30_000)
        waiting = answer_to(channel, asked, seat.credential)
        while not worker.streams.waiting:
            await calls("Catalog/ListGames")

        await worker.drain(10 * PATIENCE_SECONDS)

        refusal = await waiting
        assert (reason_of(refusal), refusal.code) == ("DRAINING", grpc.StatusCode.UNAVAILABLE.value[0])
        assert refusal.retry_ms
        assert (await stream.next("closed")).reason == play_pb2.CLOSED_REASON_DRAINING
        assert (await health.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        assert await health.read() is grpc.aio.EOF
        assert await health.code() is grpc.StatusCode.OK


async def test_whoever_looks_at_the_health_is_told_the_end_even_while_being_told_something_else() -> None:
    """The server stops while its first message is still on the way."""
    standard = StandardServices()
    told: list[str] = []

    class Slow:
        async def write(self, said: Any) -> None:
            if not told:
                standard.shut_down()
            told.append(health_pb2.HealthCheckResponse.ServingStatus.Name(said.status))

    standard.register(GrpcioServer(message_bytes=1, shared_port=False), ())
    standard.set_health(up=True)
    slow: Any = Slow()
    await asyncio.wait_for(standard._watch(health_pb2.HealthCheckRequest(), slow), PATIENCE_SECONDS)
    assert told == ["SERVING", "NOT_SERVING"]


def answer_to(
    channel: grpc.aio.Channel, asked: play_service_pb2.GetDecisionRequest, token: str
) -> asyncio.Task[errors_pb2.Refusal]:
    """Return the refusal of a call without retries; the SDK's client would try another worker."""

    async def run() -> errors_pb2.Refusal:
        try:
            metadata = (("authorization", f"Bearer {token}"),)
            answer = await play_service_pb2_grpc.PlayStub(channel).GetDecision(asked, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            details = dict(error.trailing_metadata() or ())["grpc-status-details-bin"]
            refusal = refusal_of(Status.FromString(details))
            assert refusal is not None
            return refusal
        raise AssertionError(f"it was answered: {answer}")

    return asyncio.create_task(run())
