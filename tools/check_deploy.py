"""Lint and validate everything in deploy/: image, compose file, manifests, proxy, metrics.

    python tools/check_deploy.py

The checkers come from requirements-deploy.lock and live in an environment of their own below .venv, because Envoy alone
is 100 MB. None of them needs a network, a container or a cluster.
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
    """The locked checkers, unless they are there already. Processes of tests may want them at the same time."""
    stamp = ENVIRONMENT / "locked.txt"
    with ENVIRONMENT.with_name("deploy.lock").open("w") as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != LOCK.read_text():
            venv.create(ENVIRONMENT, clear=True, with_pip=True)
            pip = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip", "install", "--quiet"]
            subprocess.run([*pip, "--require-hashes", "--requirement", str(LOCK)], check=True)
            stamp.write_text(LOCK.read_text())


def manifests() -> list[str]:
    """What Kubernetes is given; a kustomization.yaml is only for kustomize, and tests/deploy looks at those."""
    found = sorted((DEPLOY / "kubernetes").rglob("*.yaml"))
    return [str(path) for path in found if path.name != "kustomization.yaml"]


def checks() -> dict[str, list[str]]:
    """Each checker and what it is given."""
    return {
        "yamllint": ["--strict", "--config-file", str(DEPLOY / "yamllint.yaml"), str(DEPLOY)],
        "hadolint": ["--failure-threshold", "style", str(DEPLOY / "Dockerfile")],
        "check-jsonschema": ["--builtin-schema", "vendor.compose-spec", str(DEPLOY / "compose.yaml")],
        "kubernetes-validate": ["--strict", "--quiet", *manifests()],
        "envoy": ["--mode", "validate", "--log-level", "error", "--config-path", str(DEPLOY / "envoy" / "envoy.yaml")],
        "python": [str(ROOT / "tools" / "check_promql.py"), str(DEPLOY)],
    }


def main() -> int:
    """Run all of them, then say which have failed."""
    install()
    failed = []
    for program, arguments in checks().items():
        print(f"{program} {' '.join(arguments)}", flush=True)
        if subprocess.run([str(ENVIRONMENT / "bin" / program), *arguments], cwd=ROOT, check=False).returncode:
            failed.append(program)
    print(f"failed: {', '.join(failed)}" if failed else "all hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
