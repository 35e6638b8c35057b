"""Consistency of the manifests, the compose file and the documents, which no linter checks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import render_cells
from landsraad.transport import MATCH_KEY
from landsraad_server.cells.cell_map import read_cell_map

#: A name of a host, with a dot or a port, before the first slash of an image's name.
HOST = re.compile(r"^[^/]+[.:][^/]*/")


def test_kustomizations_list_everything_beside_them(deploy: Path) -> None:
    found = list((deploy / "kubernetes").rglob("kustomization.yaml"))
    assert found
    for path in found:
        beside = {entry.name for entry in path.parent.iterdir()} - {path.name}
        assert set(yaml.safe_load(path.read_text())["resources"]) == beside


def test_selectors_find_the_pods(manifests: dict[str, dict[str, Any]]) -> None:
    labels = manifests["Deployment"]["spec"]["template"]["metadata"]["labels"].items()
    selectors = {
        "Deployment": manifests["Deployment"]["spec"]["selector"]["matchLabels"],
        "Service": manifests["Service"]["spec"]["selector"],
        "PodDisruptionBudget": manifests["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        "NetworkPolicy": manifests["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"],
    }
    assert {kind: selector.items() <= labels for kind, selector in selectors.items()} == dict.fromkeys(selectors, True)


def test_only_the_deployments_selector_knows_the_generation(deploy: Path) -> None:
    """Otherwise a second build could not join the same service while the first one finishes its matches."""
    workers = yaml.safe_load((deploy / "kubernetes/workers/kustomization.yaml").read_text())
    [label] = workers["labels"]
    assert label["includeSelectors"]
    assert "labels" not in yaml.safe_load((deploy / "kubernetes/common/kustomization.yaml").read_text())


def test_a_pod_has_time_to_drain(manifests: dict[str, dict[str, Any]]) -> None:
    pod = manifests["Deployment"]["spec"]["template"]["spec"]
    before = pod["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]
    drain = float(manifests["ConfigMap"]["data"]["LANDSRAAD_GRACE_SECONDS"])
    assert pod["terminationGracePeriodSeconds"] >= before + drain + 10


def test_a_lost_store_takes_pods_out_but_does_not_restart_them(manifests: dict[str, dict[str, Any]]) -> None:
    [server] = manifests["Deployment"]["spec"]["template"]["spec"]["containers"]
    assert "grpc" in server["readinessProbe"]
    assert "grpc" not in server["livenessProbe"]


def test_the_autoscaler_owns_the_number_of_pods(manifests: dict[str, dict[str, Any]]) -> None:
    assert "replicas" not in manifests["Deployment"]["spec"]
    target = manifests["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", manifests["Deployment"]["metadata"]["name"])
    assert manifests["HorizontalPodAutoscaler"]["spec"]["minReplicas"] >= 2


def test_containers_can_change_nothing(compose: dict[str, Any], manifests: dict[str, dict[str, Any]]) -> None:
    for name, service in compose["services"].items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
    pod = manifests["Deployment"]["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["containers"][0]["securityContext"]["readOnlyRootFilesystem"]


def test_only_loopback_is_published(compose: dict[str, Any]) -> None:
    published = [port for service in compose["services"].values() for port in service.get("ports", ())]
    assert published
    assert [port for port in published if not port.startswith("127.0.0.1:")] == []


def test_no_image_names_a_host(deploy: Path, compose: dict[str, Any], manifests: dict[str, dict[str, Any]]) -> None:
    images = [service["image"] for service in compose["services"].values()]
    images += [one["image"] for one in manifests["Deployment"]["spec"]["template"]["spec"]["containers"]]
    images += re.findall(r"^FROM (\S+)", (deploy / "Dockerfile").read_text(), re.MULTILINE)
    assert len(images) >= 8
    assert [image for image in images if HOST.search(image)] == []
    assert HOST.search("registry.example/landsraad:1")


def test_the_image_is_built_from_what_the_builder_is_given(deploy: Path) -> None:
    sent = re.findall(r"^!(\S+)", (deploy / "Dockerfile.dockerignore").read_text(), re.MULTILINE)
    copied = re.findall(r"^COPY (?!--from)(?:--\S+ )?(.*) \S+$", (deploy / "Dockerfile").read_text(), re.MULTILINE)
    assert sorted(" ".join(copied).split()) == sorted(sent)
    assert [name for name in sent if not (deploy.parent / name).exists()] == []


def test_every_alert_leads_to_a_chapter(deploy: Path) -> None:
    headings = re.findall(r"^#+ (.*)$", (deploy / "README.md").read_text(), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
    groups = yaml.safe_load((deploy / "prometheus/rules.yml").read_text())["groups"]
    alerts = [rule for group in groups for rule in group["rules"] if "alert" in rule]
    assert len(alerts) >= 8
    for alert in alerts:
        document, _, anchor = alert["annotations"]["runbook"].partition("#")
        assert document == "deploy/README.md"
        assert anchor in anchors, alert["alert"]


def test_panels_do_not_overlap(deploy: Path) -> None:
    dashboard = json.loads((deploy / "grafana/dashboards/landsraad.json").read_text())
    taken: dict[tuple[int, int], str] = {}
    for panel in dashboard["panels"]:
        at = panel["gridPos"]
        for x in range(at["x"], at["x"] + at["w"]):
            assert x < 24, panel["title"]
            for y in range(at["y"], at["y"] + at["h"]):
                assert taken.setdefault((x, y), panel["title"]) == panel["title"]


# --- cells


def test_the_overlays_the_map_and_the_proxy_name_the_same_cells(deploy: Path) -> None:
    named = read_cell_map(deploy / "kubernetes-cells/cell/cells.toml", "c1")
    proxy = yaml.safe_load((deploy / "envoy/cells.yaml").read_text())["static_resources"]
    clusters = {
        cluster["name"]: [
            "{address}:{port_value}".format(**one["endpoint"]["address"]["socket_address"])
            for one in cluster["load_assignment"]["endpoints"][0]["lb_endpoints"]
        ]
        for cluster in proxy["clusters"]
    }
    every = clusters.pop("any")
    assert list(named.cells) == render_cells.cells() == list(clusters)
    assert {name: [cell.peer] for name, cell in named.cells.items()} == clusters
    assert every == [cell.peer for cell in named.cells.values()]
    [chain] = proxy["listeners"][0]["filter_chains"]
    [host] = chain["filters"][0]["typed_config"]["route_config"]["virtual_hosts"]
    for cell in named.cells:
        routes = [route for route in host["routes"] if route["route"]["cluster"] == cell]
        prefixes = {route["match"]["headers"][0]["string_match"]["prefix"] for route in routes}
        assert (len(routes), prefixes) == (3, {f"{cell}-"})
        assert {route["match"]["headers"][0]["name"] for route in routes} == {MATCH_KEY}


def test_a_cell_has_its_settings_and_its_namespace(deploy: Path) -> None:
    for cell in render_cells.cells():
        rendered = {
            (one["kind"], one["metadata"]["name"]): one for one in render_cells.render(render_cells.CELLS / cell)
        }
        assert ("Namespace", f"landsraad-{cell}") in rendered
        assert {one["metadata"].get("namespace") for (kind, _), one in rendered.items() if kind != "Namespace"} == {
            f"landsraad-{cell}"
        }
        settings = rendered["ConfigMap", "landsraad"]["data"]
        assert settings["LANDSRAAD_CELL"] == cell
        [server] = rendered["Deployment", "landsraad"]["spec"]["template"]["spec"]["containers"]
        [mounted] = [one for one in server["volumeMounts"] if one["name"] == "cells"]
        assert settings["LANDSRAAD_CELLS"] == f"{mounted['mountPath']}/cells.toml"
        assert "cells.toml" in rendered["ConfigMap", "landsraad-cells"]["data"]
        assert {one["name"] for one in server["env"]} == {"LANDSRAAD_REDIS", "LANDSRAAD_ACCOUNTS"}


def test_a_patch_of_nothing_is_an_error() -> None:
    manifest: dict[str, Any] = {"data": {}}
    for path in ("/data/port", "/none/port"):
        with pytest.raises((ValueError, KeyError)):
            render_cells._patch(manifest, {"op": "replace", "path": path, "value": "1"})
    render_cells._patch(manifest, {"op": "add", "path": "/data/a~1b", "value": "1"})
    assert manifest == {"data": {"a/b": "1"}}
