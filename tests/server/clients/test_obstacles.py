"""Connection problems: a client that cannot reach a service is told the cause."""

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from tests.ports import free_port
from typer.testing import CliRunner

from landsraad.errors import BadTls
from landsraad.transport import Tls
from landsraad_cli.app import app
from landsraad_cli.local.connection_problem import connection_problem
from landsraad_testkit import serving
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

Certify = Callable[..., tuple[Path, Path]]

SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
ALERT = b"\x15\x03\x03\x00\x02\x02\x46"


async def told(answer: bytes | None, tls: Tls | None = None, context: ssl.SSLContext | None = None) -> str:
    """Return the diagnosis of a listener that answers with these bytes and hangs up; None: it never answers."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            await reader.read(1)
            if answer is None:
                await reader.read()
            else:
                writer.write(answer)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as server:
        port = server.sockets[0].getsockname()[1]
        return await asyncio.to_thread(connection_problem, f"localhost:{port}", tls, secure=tls is not None)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (SETTINGS, ""),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak gRPC"),
        (ALERT, "seems to speak TLS"),
        (b"", "seems to speak TLS"),
        (None, "does not answer"),
    ],
)
@pytest.mark.asyncio
async def test_in_the_clear(answer: bytes | None, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A listener that answers gets enough time; the short timeout is for silence.
    monkeypatch.setattr("landsraad_cli.local.connection_problem._SILENCE", 0.3 if answer is None else PATIENCE_SECONDS)
    found = await told(answer)
    assert said in found
    assert bool(said) is bool(found)


@pytest.mark.asyncio
async def test_over_tls(certify: Certify) -> None:
    authority = certify("authority", "authority")[0]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certify("server"))
    assert await told(SETTINGS, Tls(authority), context) == ""
    assert "not trusted" in await told(SETTINGS, Tls(certify("other", "other")[0]), context)
    assert "not trusted" in await told(SETTINGS, Tls(), context)
    assert "does not seem to speak TLS" in await told(SETTINGS, Tls(authority))


def test_where_nobody_listens() -> None:
    port = free_port()
    assert "Start a service with `landsraad serve`" in connection_problem(f"localhost:{port}", None, secure=False)
    assert "the host name 'nowhere.invalid' is unknown" in connection_problem("nowhere.invalid:7447", None, secure=True)
    for wrong in ("nonsense", "host:", ":7447", "host:99999", "host:0"):
        assert "write host:port" in connection_problem(wrong, None, secure=False)
    assert connection_problem("unix:/nowhere", None, secure=False) == ""


def test_files_that_are_of_no_use(certify: Certify, tmp_path: Path) -> None:
    (certificate, key), (_, other_key) = certify("server"), certify("client")
    for wrong, why in {
        Tls(ca=key): "no certificate",
        Tls(ca=tmp_path / "none"): "No such file",
        Tls(certificate=certificate): "a key its certificate",
        Tls(key=key): "a key its certificate",
        Tls(certificate=certificate, key=other_key): "mismatch",
    }.items():
        with pytest.raises(BadTls, match=why):
            wrong.credentials()


def invoke(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})
    return result.exit_code, result.output


def test_a_match_without_a_server_is_looked_for_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    here = f"localhost:{free_port()}"
    monkeypatch.setattr("landsraad_cli.commands.play.HERE", here)
    monkeypatch.setattr("landsraad_cli.service_options._REACH_SECONDS", 0.1)
    status, said = invoke("play", "dune", "--match", "matches/waiting", "--seat", "1")
    assert status == 1
    assert said.startswith(f"landsraad play: no service listens at {here}.")


def test_commands_say_it_in_a_line(certify: Certify, monkeypatch: pytest.MonkeyPatch) -> None:
    where = f"localhost:{free_port()}"
    nobody = f"no service listens at {where}. Start a service with `landsraad serve`"
    monkeypatch.setattr("landsraad_cli.service_options._REACH_SECONDS", 0.1)
    for command in ("watch", "play"):
        status, said = invoke(command, "--server", where)
        assert status == 1
        assert said == f"landsraad {command}: {nobody}\n"
    status, said = invoke("doctor", "--server", where, "--timeout", 0.1)
    assert status == 1
    assert nobody in said
    for command in ("watch", "play", "doctor"):
        status, said = invoke(command, "--server", where, "--ca", certify("server")[1])
        assert status == 2
        assert "cannot be used" in said


@pytest.mark.long
def test_a_service_that_asks_for_certificates(certify: Certify, tmp_path: Path) -> None:
    certificate, key = certify("server")
    authority = certify("authority", "authority")[0]
    tls = ("--tls-cert", certificate, "--tls-key", key, "--tls-client-ca", authority)
    own, its_key = certify("client")
    with serving(tmp_path / "data", *map(str, tls), "--house", workers=1) as service:
        where = ("doctor", "--server", service.address, "--timeout", 1)
        status, said = invoke(*where, "--ca", authority, "--cert", own, "--key", its_key)
        assert status == 0, said
        status, said = invoke(*where, "--ca", authority)
        assert status == 1
        assert "certificate" in said
        assert "--cert and --key" in said
        status, said = invoke(*where, "--ca", certify("other", "other")[0])
        assert "Name its authority with --ca" in " ".join(said.split())
        status, said = invoke(*where)
        assert "speak TLS" in said
