"""The settings in deploy/ are known to the server, which starts with them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from landsraad_cli.command_table import load
from landsraad_server.config import Config
from landsraad_server.store import Durability
from landsraad_server.telemetry.metrics import Counters, registry

SET = re.compile(r"\bLANDSRAAD_([A-Z_]*[A-Z])\b")
#: Of the image's health check and of the compose file itself, not of the server.
OTHERS = {"PROBE_KEY", "PROBE_CERT", "VERSION"}


def image_environment(deploy: Path) -> dict[str, str]:
    return dict(re.findall(r"^\s+LANDSRAAD_([A-Z_]+)=(\S+)", (deploy / "Dockerfile").read_text(), re.MULTILINE))


def configured(monkeypatch: pytest.MonkeyPatch, *sources: dict[str, str]) -> Config:
    for source in sources:
        for name, value in source.items():
            monkeypatch.setenv(f"LANDSRAAD_{name.removeprefix('LANDSRAAD_')}", str(value))
    return Config()


def test_every_variable_is_one_of_the_servers_settings(deploy: Path) -> None:
    texts = [path.read_text() for path in deploy.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    named = {name for text in texts for name in SET.findall(text)}
    assert {"REDIS", "WORKERS", "GRACE_SECONDS"} <= named
    assert named - OTHERS - {name.upper() for name in Config.model_fields} == set()


def test_the_image_alone_refuses_to_listen_in_the_clear(deploy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="beyond loopback set --tls-cert"):
        configured(monkeypatch, image_environment(deploy))


def test_the_servers_of_the_compose_file_take_its_settings(
    deploy: Path, compose: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = compose["services"]["server"]
    plain = {name: re.sub(r"\$\{\w+:-(\w+)\}", r"\1", value) for name, value in server["environment"].items()}
    config = configured(monkeypatch, image_environment(deploy), plain)
    assert config.auth == "token"
    assert config.durability is Durability.EVERYSEC
    assert config.grace_seconds < int(server["stop_grace_period"].removesuffix("s"))
    assert [volume.partition(":")[2] for volume in server["volumes"]] == [config.archive]


def test_the_pods_take_their_settings(
    deploy: Path, manifests: dict[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = manifests["ConfigMap"]["data"]
    config = configured(monkeypatch, image_environment(deploy), settings, {"REDIS": "redis://store:6379"})
    [server] = manifests["Deployment"]["spec"]["template"]["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in server["ports"]}
    assert config.workers == 1
    assert ports == {"grpc": config.port, "metrics": config.metrics_port, "supervisor": config.metrics_port + 1}
    assert config.durability is Durability.REPLICATED
    # The paths that the server writes to; the rest of the file system is read-only.
    assert {config.archive, str(config.data)} <= {mount["mountPath"] for mount in server["volumeMounts"]}


def test_every_metric_that_is_looked_at_is_exposed(deploy: Path) -> None:
    looked_at = set()
    for path in (deploy / "prometheus/rules.yml", deploy / "grafana/dashboards/landsraad.json"):
        looked_at |= set(re.findall(r"(?<![\w:])(landsraad_\w+)", path.read_text()))
    counters = Counters()
    counters.refusals["OVERLOADED"] += 1
    exposed = {sample.name for metric in registry(counters).collect() for sample in metric.samples}
    assert len(looked_at) > 10
    assert looked_at - exposed == set()


def test_recorded_figures_are_recorded_before_they_are_used(deploy: Path) -> None:
    rules = (deploy / "prometheus/rules.yml").read_text()
    recorded = set(re.findall(r"record: (landsraad:\S+)", rules))
    used = set(re.findall(r"landsraad:[\w:]+", rules + (deploy / "grafana/dashboards/landsraad.json").read_text()))
    assert used == recorded


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("WORKERS", "many", "LANDSRAAD_WORKERS: Input should be a valid integer"),
        ("GRACE_SECONDS", "-1", "LANDSRAAD_GRACE_SECONDS: Input should be greater"),
        ("GRACE_SECONDS", "inf", "LANDSRAAD_GRACE_SECONDS: Input should be a finite"),
        ("REPLICAS", "0", "LANDSRAAD_REPLICAS: Input should be greater"),
        ("PROXIES", "10.0.0.0/8", "LANDSRAAD_PROXIES has to be a JSON list"),
        ("WORKRES", "2", "LANDSRAAD_WORKRES is not a setting; did you mean LANDSRAAD_WORKERS?"),
        ("MATCHES_RATE", "2", "LANDSRAAD_MATCHES_RATE is not a setting; did you mean LANDSRAAD_MATCH_RATE?"),
        ("PROXIES", '["10.0.0.1/8"]', "LANDSRAAD_PROXIES: value is not a valid IPv4 or IPv6 network"),
    ],
)
def test_a_wrong_variable_is_refused_by_its_name(name: str, value: str, said: str) -> None:
    nowhere = ["--host", "192.0.2.1"]  # unusable, so that nothing is served if the bad value is accepted
    result = CliRunner().invoke(load("serve"), nowhere, env={"COLUMNS": "200", f"LANDSRAAD_{name}": value})
    assert result.exit_code == 2
    assert f"Invalid value: {said}" in result.stderr


def test_variables_of_others_are_none_of_our_business() -> None:
    theirs = ("SERVICE_HOST", "SERVICE_PORT_GRPC", "PORT_7447_TCP_ADDR", "SERVER", "TOKEN", "CONTENT", "PROBE_CERT")
    result = CliRunner().invoke(
        load("serve"), ["--admin-port", "-1"], env={f"LANDSRAAD_{name}": "x" for name in theirs}
    )
    assert "no setting" not in result.stderr
    assert "--admin-port" in result.stderr


def test_a_wrong_option_is_refused_by_its_name() -> None:
    result = CliRunner().invoke(load("serve"), ["--admin-port", "-1"], env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert "Invalid value: --admin-port: Input should be greater" in result.stderr


@pytest.mark.parametrize(("redis", "said"), [("", "has to begin with"), ("unix:///no/store", "cannot reach")])
def test_scripts_for_operators_say_in_a_line_that_there_is_no_store(deploy: Path, redis: str, said: str) -> None:
    """Run both scripts at once, because each waits ten seconds for a store that may be starting."""
    environment = {**os.environ, "LANDSRAAD_REDIS": redis}
    running = [
        subprocess.Popen(
            [sys.executable, str(deploy / f"{script}.py")], env=environment, stderr=subprocess.PIPE, text=True
        )
        for script in ("left_to_play", "after_restore")
    ]
    for script in running:
        _, told = script.communicate()
        assert script.returncode == 2
        assert said in told
        assert told.count("\n") == 1
