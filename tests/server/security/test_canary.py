"""Canary secrets in a whole match on a service with debug logging: none may appear where it does not belong."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

import pytest
from tests.ports import free_ports

from landsraad import AsyncClient, games
from landsraad.models import Ticket
from landsraad.v1 import log_pb2, matches_pb2
from landsraad_engine.kernel.snapshots import tuples
from landsraad_engine.play.match import replay
from landsraad_engine.play.match_core import Input
from landsraad_engine.testing.leaks.canary import Canary
from landsraad_server.accounts.token_admin import TokenAdmin
from landsraad_testkit import RawSeat, RawStream, ServeProcess, serving
from landsraad_testkit.calls import Calls

pytestmark = pytest.mark.asyncio

MARK = "canary"


class Watched(NamedTuple):
    """A service whose log and metrics can be read; its traces are in the log."""

    service: ServeProcess
    log: Path
    metrics: list[int]

    def exposed(self) -> str:
        """Return all metrics as Prometheus reads them."""
        return "".join(_get(port) for port in self.metrics)


def _get(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text: str = answer.read().decode()
    return text


@pytest.fixture(scope="module")
def watched(plugged: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder, port = tmp_path_factory.mktemp("watched"), free_ports(3)
    options = ("--auth", "token", "--log-level", "debug", "--metrics-port", str(port))
    environment = {**plugged, "OTEL_TRACES_EXPORTER": "console", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "1"}
    with serving(folder / "data", *options, environment=environment, log=folder / "log") as service:
        yield Watched(service, folder / "log", [port, port + 1, port + 2])
    log = (folder / "log").read_bytes()  # complete after the shutdown
    assert b'"landsraad.v1.Play/Connect"' in log
    assert MARK.encode() not in log


class Played(NamedTuple):
    """A match played to its end, with one stream for each seat."""

    seats: list[RawSeat]
    #: all bytes sent to each seat
    streams: list[bytes]
    certificate: dict[str, Any]
    #: secrets by description
    secrets: dict[str, str]


async def play(watched: Watched, game: str, seats: int) -> Played:
    """Play a whole match, with some refused requests."""
    service = watched.service
    office = TokenAdmin("", service.data)
    loop = asyncio.get_running_loop()
    issued = [await loop.run_in_executor(None, office.issue, f"player {number}", "", MARK) for number in (1, 2)]
    secrets = {f"token {number}": one.token for number, one in enumerate(issued)}
    tokens = list(secrets.values())
    secrets |= {"operators' credential": service.operator(), "wrong token": f"landsraad_token_{MARK}"}
    async with Calls(service.address) as calls:
        given = matches_pb2.Match(game=f"games/{game}", seats=[matches_pb2.Seat()] * seats)
        match = (await calls("Matches/CreateMatch", tokens[0], match=given)).name
        tickets = []
        for seat in range(seats):
            entropy = f"entropy-{MARK}-{seat}"
            joined = await calls("Matches/JoinMatch", tokens[seat % 2], name=match, seat=seat, entropy=entropy.encode())
            tickets.append(Ticket(match, seat, joined.credential))
            secrets[f"credential {seat}"] = joined.credential
            secrets[f"entropy {seat}"] = entropy
        for token in (secrets["wrong token"], tickets[0].credential + MARK, tickets[1].credential):
            await calls.refusal("Play/GetDecision", token, match=match, seat=0)
        await calls.refusal("Play/Submit", tickets[0].credential, match=match, seat=0, seq=1)
        players = [RawSeat(ticket, seats, game=game) for ticket in tickets]
        lines = [RawStream(service.address) for _ in players]
        await asyncio.gather(*(_to_the_end(seat, line) for seat, line in zip(players, lines, strict=True)))
    async with AsyncClient(service.address) as client:
        certificate = await client.certificate(match)
    secrets["the match's secret"] = certificate["secret"]
    streams = [b"".join(item.SerializeToString() for item in line.received) for line in lines]
    return Played(players, streams, certificate, secrets)


async def _to_the_end(seat: RawSeat, stream: RawStream) -> None:
    async with stream:
        await seat.begin(stream)
        assert await seat.play(stream)


def forms(secret: str) -> Iterator[bytes]:
    """Yield the encodings in which a secret might appear; of a credential its random part is enough."""
    yield secret.encode()
    yield secret.rpartition(".")[2].encode()
    yield base64.b64encode(secret.encode()).rstrip(b"=")
    if re.fullmatch(r"[0-9a-f]{64}", secret):
        yield bytes.fromhex(secret)
        yield base64.b64encode(bytes.fromhex(secret)).rstrip(b"=")


def check(watched: Watched, played: Played) -> None:
    """Assert that no secret is in the log, the metrics, or another seat's stream."""
    log, figures = watched.log.read_bytes(), watched.exposed().encode()
    audit = (watched.service.data / "audit.jsonl").read_bytes()
    written = [json.loads(line) for line in log.splitlines() if line.startswith(b"{")]
    lines = [line for line in written if "event" in line]  # the others are spans
    assert {"answered", "refused"} <= {line["event"] for line in lines}
    assert all(isinstance(value, str | int | float | bool) for line in lines for value in line.values())
    for name, secret in played.secrets.items():
        for form in forms(secret):
            for place, text in {"log": log, "figures": figures, "audit log": audit}.items():
                assert form not in text, f"{name} stands in the {place}"
            for seat, stream in enumerate(played.streams):
                assert form not in stream, f"{name} was sent to seat {seat}"
    assert MARK.encode() not in log + figures
    assert b"landsraad_faults_total 0.0" in figures
    assert "NO_CREDENTIAL" in figures.decode()
    check_hands(played, log + figures)


def check_hands(played: Played, texts: bytes) -> None:
    """Assert that seats were sent what the engine tells them, and that no hidden piece was shown to another seat."""
    certificate = played.certificate
    game = games.load(certificate["game"])
    match = replay(game, certificate, upto=0)
    canary = Canary(match)
    found = canary.look()
    for seat, kind, act in certificate["journal"][len(match.journal) :]:
        match.take(Input(seat, kind, tuples(list(act))))
        found += canary.look()
    assert found == []
    for player in played.seats:
        parsed = [log_pb2.Entry.FromString(image) for _, image in sorted(player.log.entries.items())]
        told = player.log.codec.read_entries(log_pb2.Entries(first=1, entries=parsed))
        assert told == match.log(player.ticket.seat)
    hidden = [key for key, places in match.g.setting.places.items() if places.zone.content.name in ("PILE", "HAND")]
    faces = {face for key in hidden for face in match.g.table.get(key, ()) if len(face) > 5}
    assert faces
    assert [face for face in faces if re.search(rf"\b{re.escape(face)}\b".encode(), texts)] == []


async def test_a_small_match(watched: Watched, teaching: None) -> None:
    check(watched, await play(watched, "teaching", 3))


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), [("dune", 6), ("arrakis", 2)])
async def test_a_whole_match(game: str, seats: int, watched: Watched) -> None:
    check(watched, await play(watched, game, seats))
