"""Lint and validate everything in deploy/: image, compose file, manifests, proxy, metrics.

    python tools/check_deploy.py

The checkers are pinned in requirements-deploy.lock and installed in an environment of their own below .venv, because
Envoy alone takes 100 MB. None of them needs a network, a container or a cluster.
"""

import fcntl
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
ENVIRONMENT = ROOT / ".venv" / "deploy"
LOCK = ROOT / "requirements-deploy.lock"


def install() -> None:
    """Install the locked checkers if they are missing or stale.

    A file lock serializes the parallel processes of tests.
    """
    stamp = ENVIRONMENT / "locked.txt"
    with ENVIRONMENT.with_name("deploy.lock").open("w") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != LOCK.read_text():
            venv.create(ENVIRONMENT, clear=True, with_pip=True)
            pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet"]
            subprocess.run([*pip, "--require-hashes", "--requirement", str(LOCK)], check=True)
            stamp.write_text(LOCK.read_text())


def manifests() -> list[str]:
    """Return the Kubernetes manifests, without the kustomization.yaml files, which tests/deploy checks."""
    found = sorted((DEPLOY / "kubernetes").rglob("*.yaml"))
    return [str(path) for path in found if path.name != "kustomization.yaml"]


def rendered_cells() -> list[str]:
    """Return the manifests of all cells, rendered into files: their overlays are patches, which cannot be checked."""
    into = ENVIRONMENT / "cells"
    subprocess.run([sys.executable, str(ROOT / "tools" / "render_cells.py"), str(into)], check=True)
    return [str(path) for path in sorted(into.glob("*.yaml"))]


def checks() -> list[tuple[str, list[str]]]:
    """Return the checkers with their arguments."""
    proxies = sorted((DEPLOY / "envoy").glob("*.yaml"))
    return [
        ("yamllint", ["--strict", "--config-file", str(DEPLOY / "yamllint.yaml"), str(DEPLOY)]),
        ("hadolint", ["--failure-threshold", "style", str(DEPLOY / "Dockerfile")]),
        ("check-jsonschema", ["--builtin-schema", "vendor.compose-spec", str(DEPLOY / "compose.yaml")]),
        ("kubernetes-validate", ["--strict", "--quiet", *manifests(), *rendered_cells()]),
        *(("envoy", ["--mode", "validate", "--log-level", "error", "--config-path", str(path)]) for path in proxies),
        ("python", [str(ROOT / "tools" / "check_promql.py"), str(DEPLOY)]),
    ]


def main() -> int:
    """Run all checkers, then report the failed ones."""
    install()
    failed = []
    for program, arguments in checks():
        print(f"{program} {' '.join(arguments)}", flush=True)
        if subprocess.run([str(ENVIRONMENT / "bin" / program), *arguments], cwd=ROOT, check=False).returncode:
            failed.append(program)
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
