"""Fixtures with the parsed files of deploy/."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def deploy() -> Path:
    """Return the folder deploy/."""
    return ROOT / "deploy"


@pytest.fixture(scope="session")
def compose(deploy: Path) -> dict[str, Any]:
    """Return the compose file with its anchors resolved."""
    read: dict[str, Any] = yaml.safe_load((deploy / "compose.yaml").read_text())
    return read


@pytest.fixture(scope="session")
def manifests(deploy: Path) -> dict[str, dict[str, Any]]:
    """Return the Kubernetes manifests by kind, of which there is one each."""
    return {manifest["kind"]: manifest for manifest in _manifests(deploy)}


def _manifests(deploy: Path) -> Iterator[dict[str, Any]]:
    for path in (deploy / "kubernetes").rglob("*.yaml"):
        if path.name != "kustomization.yaml":
            yield from yaml.safe_load_all(path.read_text())
