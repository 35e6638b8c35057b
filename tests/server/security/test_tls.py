"""TLS and mTLS with certificates made here, and what is refused without them."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

import healthcheck
from landsraad.transport import Tls
from landsraad.v1 import common_pb2, matches_pb2
from landsraad_cli.command_table import load
from landsraad_server.accounts.token_admin import TokenAdmin
from landsraad_server.api.admin_server import AdminServer
from landsraad_server.config import Config
from landsraad_server.process.worker import Worker
from landsraad_testkit import serving
from landsraad_testkit.calls import METHODS, Calls

if TYPE_CHECKING:
    from tests.server.conftest import Certify


async def asked(raw: Any) -> grpc.StatusCode:
    """Make a public call and return its status."""
    code: grpc.StatusCode = (await raw.call(METHODS["Catalog/ListGames"], b"")).code
    return code


@pytest.mark.asyncio
async def test_tls(certify: Certify, start_worker: Any, raw_calls: Any) -> None:
    certificate, key = certify("server")
    worker = await start_worker(tls_cert=certificate, tls_key=key)
    trusts = Tls(ca=certify("authority", "authority")[0]).credentials()
    assert await asked(raw_calls(worker.address, credentials=trusts)) is grpc.StatusCode.OK
    for credentials in (Tls(ca=certify("other", "other")[0]).credentials(), None):
        assert await asked(raw_calls(worker.address, credentials=credentials)) is grpc.StatusCode.UNAVAILABLE


@pytest.mark.asyncio
async def test_clients_show_a_certificate(certify: Certify, start_worker: Any, raw_calls: Any) -> None:
    certificate, key = certify("server")
    authority = certify("authority", "authority")[0]
    worker = await start_worker(tls_cert=certificate, tls_key=key, tls_client_ca=authority)
    known = Tls(authority, *certify("client")).credentials()
    assert await asked(raw_calls(worker.address, credentials=known)) is grpc.StatusCode.OK
    for unknown in (Tls(authority), Tls(authority, *certify("stranger", "other"))):
        raw = raw_calls(worker.address, credentials=unknown.credentials())
        assert await asked(raw) is grpc.StatusCode.UNAVAILABLE


@pytest.mark.asyncio
async def test_the_images_probe_comes_over_tls_with_a_certificate_of_its_own(
    certify: Certify, start_worker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (certificate, key), (own, own_key) = certify("server"), certify("client")
    authority = certify("authority", "authority")[0]
    worker = await start_worker(tls_cert=certificate, tls_key=key, tls_client_ca=authority)
    monkeypatch.setenv("LANDSRAAD_PORT", worker.address.rpartition(":")[2])
    monkeypatch.setenv("LANDSRAAD_TLS_CERT", str(certificate))
    assert await asyncio.to_thread(healthcheck.main) == 1
    monkeypatch.setenv("LANDSRAAD_PROBE_CERT", str(own))
    monkeypatch.setenv("LANDSRAAD_PROBE_KEY", str(own_key))
    assert await asyncio.to_thread(healthcheck.main) == 0


@pytest.mark.long
@pytest.mark.asyncio
async def test_bots_of_the_house_need_no_certificate(certify: Certify, tmp_path: Path) -> None:
    """House bots connect over loopback, while the public port requires a client certificate."""
    certificate, key = certify("server")
    authority = certify("authority", "authority")[0]
    tls = ("--tls-cert", str(certificate), "--tls-key", str(key), "--tls-client-ca", str(authority))
    with serving(tmp_path / "data", "--auth", "token", "--house", *tls, workers=1) as service:
        token = await asyncio.to_thread(TokenAdmin("", service.data).issue, "alice", "", "test")
        async with Calls(service.address, tls=Tls(authority, *certify("client"))) as calls:
            seats = [matches_pb2.Seat(fill=matches_pb2.SEAT_FILL_HOUSE_BOT, invited="random")] * 2
            clock = common_pb2.ClockRules(disconnect_ms=60_000)
            match = await calls.new(token.token, game="games/dune", seats=seats, clock=clock)
            async with asyncio.timeout(30):
                async for frame in calls.watch(match, token.token):
                    if any(item.presence.presence == matches_pb2.PRESENCE_HERE for item in frame.items):
                        break


@pytest.mark.asyncio
async def test_operators_come_over_tls_too(certify: Certify, worker: Worker, raw_calls: Any, tmp_path: Path) -> None:
    certificate, key = certify("server")
    config = Config(data=tmp_path / "admin", tls_cert=certificate, tls_key=key)
    admin = AdminServer(config, worker.hosts, [])
    await admin.start()
    try:
        host, _, port = admin.address.rpartition(":")
        pem = ssl.get_server_certificate((host, int(port)), ca_certs=str(certify("authority", "authority")[0]))
        assert pem.split() == certificate.read_text().split()
        plain = await raw_calls(admin.address).call("/landsraad_admin.v1.Admin/ListWorkers", b"")
        assert plain.code is grpc.StatusCode.UNAVAILABLE
    finally:
        await admin.stop()


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.org"])  # noqa: S104
def test_beyond_loopback(host: str, certify: Certify) -> None:
    """Plaintext and open accounts are allowed on loopback only."""
    certificate, key = certify("server")
    with pytest.raises(ValidationError, match="--insecure"):
        Config(host=host, auth="token")
    with pytest.raises(ValidationError, match="--auth token"):
        Config(host=host, insecure=True)
    with pytest.raises(ValidationError, match="--auth token"):
        Config(host=host, tls_cert=certificate, tls_key=key)
    Config(host=host, auth="token", insecure=True)
    Config(host=host, auth="token", tls_cert=certificate, tls_key=key)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "::1", "[::1]", "localhost"])
def test_on_loopback(host: str) -> None:
    assert Config(host=host).loopback


def test_files_that_cannot_be_used(certify: Certify, tmp_path: Path) -> None:
    """Reported once at startup, in one line, and not by each worker."""
    (certificate, key), (_, other_key) = certify("server"), certify("client")
    empty = tmp_path / "empty.pem"
    empty.touch()
    for wrong in ((tmp_path / "none.pem", key), (certificate, other_key), (empty, key), (certificate, certificate)):
        with pytest.raises(ValidationError, match="cannot be used"):
            Config(tls_cert=wrong[0], tls_key=wrong[1])
    with pytest.raises(ValidationError, match="cannot be used"):
        Config(tls_cert=certificate, tls_key=key, tls_client_ca=empty)


def test_the_command_refuses_what_is_not_safe(certify: Certify) -> None:
    for arguments, hint in {
        ("--host", "192.0.2.1", "--auth", "token"): "--insecure",
        ("--host", "192.0.2.1", "--insecure"): "--auth token",
        ("--tls-cert", str(certify("server")[0])): "a certificate needs its key",
    }.items():
        result = CliRunner().invoke(load("serve"), [*arguments], env={"COLUMNS": "200"})
        assert result.exit_code == 2
        assert hint in result.stderr


def test_halves() -> None:
    with pytest.raises(ValidationError, match="a certificate needs its key"):
        Config(tls_cert=Path("server.pem"))
    with pytest.raises(ValidationError, match="needs a server certificate"):
        Config(tls_client_ca=Path("authority.pem"))
