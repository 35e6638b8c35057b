"""Regenerate the lock files: every version with its hashes, for Python 3.11 and later on Linux and macOS.

    python tools/lock.py [--upgrade]

requirements.lock pins what the service needs to run (with the extra for traces) and to be built,
requirements-dev.lock adds the development tools, and requirements-deploy.lock pins the checkers of deploy/. The script
resolves with uv, which it installs into a temporary environment from the index that pip is configured for. The files
name no host and no path: the hashes make the origin of a package irrelevant.
"""

import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = "uv>=0.9,<1"
#: Lock file -> its sources. Each file is constrained to the versions of the one before.
SOURCES = {
    "requirements.lock": ["pyproject.toml", "--extra=otel", "--extra=parquet", "--extra=postgres", "--group=build"],
    "requirements-dev.lock": ["pyproject.toml", "--extra=otel", "--extra=parquet", "--extra=postgres", "--group=dev"],
    "requirements-deploy.lock": ["--group=deploy"],
}
HEAD = """\
# Made by `make lock` (tools/lock.py) from pyproject.toml; do not edit.
#   pip install --require-hashes -r {name}
#   pip install --no-deps --no-build-isolation .
"""
#: Lines that would name a host.
HOST = re.compile(r"^\s*(-i|--(extra-)?index-url|--find-links|--trusted-host)\b|://")


def main() -> None:
    """Resolve all files, each constrained to the versions of the one before."""
    upgrade = ["--upgrade"] if "--upgrade" in sys.argv[1:] else []
    with tempfile.TemporaryDirectory() as scratch:
        uv = install_uv(Path(scratch))
        constraints: list[str] = []
        for name, sources in SOURCES.items():
            compile_lock(uv, name, sources, [*constraints, *upgrade])
            constraints = ["--constraints", name]


def install_uv(scratch: Path) -> str:
    """Install uv and return its path: the result must not depend on the uv that a machine happens to have."""
    venv.create(scratch / "venv", with_pip=True)
    subprocess.run([scratch / "venv/bin/python", "-m", "pip", "install", "--quiet", UV], check=True)
    return str(scratch / "venv/bin/uv")


def compile_lock(uv: str, name: str, sources: list[str], options: list[str]) -> None:
    """Compile one lock file, replace uv's heading by ours, and fail on lines that name a host."""
    command = [uv, "pip", "compile", *sources, "--universal", "--python-version", "3.11", "--generate-hashes"]
    command += [
        "--no-emit-index-url",
        "--no-emit-find-links",
        "--no-header",
        "--quiet",
        "--output-file",
        name,
        *options,
    ]
    subprocess.run(command, cwd=ROOT, check=True)
    path = ROOT / name
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    hosts = [line for line in lines if HOST.search(line)]
    if hosts:
        sys.exit(f"{name} names a host: {hosts}")
    path.write_text(HEAD.format(name=name) + "\n".join(lines) + "\n")
    print(f"{name}: {sum('==' in line for line in lines)} packages")


if __name__ == "__main__":
    main()
