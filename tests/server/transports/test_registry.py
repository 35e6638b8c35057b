"""Transports by name: those installed, and clear errors for all others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from landsraad_engine.registry import Registry
from landsraad_http2.transport import Http2Transport
from landsraad_server.config import Config
from landsraad_server.transports import registry
from landsraad_server.transports.grpcio import OPTIONS, GrpcioServer
from landsraad_server.transports.registry import TransportNotUsable, load

#: Import everything of the service and the clients, with landsraad_http2 out of reach.
WITHOUT_HTTP2 = """
import importlib, pkgutil, sys
sys.modules["landsraad_http2"] = None
for name in ("landsraad", "landsraad_bots", "landsraad_cli", "landsraad_engine", "landsraad_server"):
    for module in pkgutil.walk_packages(importlib.import_module(name).__path__, name + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""


def test_grpcio_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LANDSRAAD_TRANSPORT", raising=False)
    assert Config().transport == "grpcio"
    assert load("grpcio") is GrpcioServer


def test_an_installed_transport_is_found_by_its_entry_point() -> None:
    assert load("http2") is Http2Transport
    assert {"grpcio", "http2"} <= registry.TRANSPORTS.targets().keys()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("quic", "transport 'quic' is unknown; installed: grpcio"),
        ("http2", "transport 'http2' is not installed: run `pip install landsraad-http2`; installed: grpcio"),
    ],
)
def test_a_transport_that_is_not_installed_says_what_to_install(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "TRANSPORTS", Registry("landsraad.no_transports", registry.TRANSPORTS.own))
    with pytest.raises(TransportNotUsable) as refused:
        load(name)
    assert str(refused.value) == text


def test_a_transport_that_cannot_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {**registry.TRANSPORTS.own, "broken": "landsraad_no_such_package:Server"}
    monkeypatch.setattr(registry, "TRANSPORTS", Registry("landsraad.no_transports", own))
    with pytest.raises(TransportNotUsable, match="cannot be imported: No module named"):
        load("broken")


def test_serve_refuses_an_unknown_transport_before_it_begins(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from landsraad_cli import main; main()", "serve", "--transport", "quic"]
    done = subprocess.run(
        [*command, "--data", str(tmp_path / "data")], check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert "--transport: transport 'quic' is unknown; installed: grpcio, http2" in " ".join(
        done.stderr.replace("│", " ").split()
    )
    assert not (tmp_path / "data").exists()


def test_the_service_can_be_imported_without_the_optional_transport() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_HTTP2], check=True, timeout=120)


def test_every_option_of_grpcio_has_a_reason_and_stands_in_the_guide() -> None:
    guide = (Path(__file__).resolve().parents[3] / "deploy/README.md").read_text(encoding="utf-8")
    for option in OPTIONS:
        assert option.reason
        assert f"`{option.name.removeprefix('grpc.')}`" in guide, option.name
    assert len({option.name for option in OPTIONS}) == len(OPTIONS)
