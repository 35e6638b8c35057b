"""The image's health check against a real health service on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

Status = health_pb2.HealthCheckResponse


@pytest.fixture
def service() -> Iterator[tuple[health.HealthServicer, int]]:
    server = grpc.server(ThreadPoolExecutor(2))
    servicer = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield servicer, port
    server.stop(None).wait()


def probe(deploy: Path, port: int) -> tuple[int, str]:
    environment = {**os.environ, "LANDSRAAD_PORT": str(port)}
    command = [sys.executable, str(deploy / "healthcheck.py")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=30)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(("status", "exit_code"), [(Status.SERVING, 0), (Status.NOT_SERVING, 1)])
def test_it_says_what_the_service_says(
    deploy: Path, service: tuple[health.HealthServicer, int], status: int, exit_code: int
) -> None:
    servicer, port = service
    servicer.set("", status)
    assert probe(deploy, port) == (exit_code, f"{Status.ServingStatus.Name(status)}\n")


def test_nobody_there_is_a_failure_and_no_stack_trace(deploy: Path) -> None:
    with socket.socket() as taken:  # bound but not listening
        taken.bind(("127.0.0.1", 0))
        assert probe(deploy, taken.getsockname()[1]) == (1, "no answer: UNAVAILABLE\n")
