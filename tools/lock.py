"""Remake the lock files: every version with its hashes, for Python 3.11 and later on Linux and macOS.

    python tools/lock.py [--upgrade]

requirements.lock holds what the service needs to run, its extra for traces included, and to be built;
requirements-dev.lock that and the tools of the developer, requirements-deploy.lock what checks deploy/. uv does the
resolving; it is installed into a throw-away environment, by the index this machine's pip uses. Nothing that names a
host or a path gets into the files: hashes make the source of a file irrelevant.
"""

import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = "uv>=0.9,<1"
#: What each file is made from; it is held to the versions of the file before.
SOURCES = {
    "requirements.lock": ["pyproject.toml", "--extra=otel", "--group=build"],
    "requirements-dev.lock": ["pyproject.toml", "--extra=otel", "--group=dev"],
    "requirements-deploy.lock": ["--group=deploy"],
}
HEAD = """\
# Made by `make lock` (tools/lock.py) from pyproject.toml; do not edit.
#   pip install --require-hashes -r {name}
#   pip install --no-deps --no-build-isolation .
"""
FOREIGN = re.compile(r"^\s*(-i|--(extra-)?index-url|--find-links|--trusted-host)\b|://")


def main() -> None:
    """Resolve all files, each held to the versions of the one before."""
    upgrade = ["--upgrade"] if "--upgrade" in sys.argv[1:] else []
    with tempfile.TemporaryDirectory() as scratch:
        uv = install_uv(Path(scratch))
        constraints: list[str] = []
        for name, sources in SOURCES.items():
            compile_lock(uv, name, sources, [*constraints, *upgrade])
            constraints = ["--constraints", name]


def install_uv(scratch: Path) -> str:
    """A uv of our own: the lock must not depend on what the machine happens to have."""
    venv.create(scratch / "venv", with_pip=True)
    subprocess.run([scratch / "venv/bin/python", "-m", "pip", "install", "--quiet", UV], check=True)
    return str(scratch / "venv/bin/uv")


def compile_lock(uv: str, name: str, sources: list[str], options: list[str]) -> None:
    """Let uv write one file, then put our heading on it and refuse lines that name a host."""
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
    foreign = [line for line in lines if FOREIGN.search(line)]
    if foreign:
        sys.exit(f"{name} names a host: {foreign}")
    path.write_text(HEAD.format(name=name) + "\n".join(lines) + "\n")
    print(f"{name}: {sum('==' in line for line in lines)} packages")


if __name__ == "__main__":
    main()
