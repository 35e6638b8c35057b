"""The fast tests of the service and the SDK with every other Python of this machine that we say we work with.

    python tools/other_pythons.py

Each has an environment of its own below .venv, made like the first one from requirements-dev.lock. A version that is
not here, or whose packages cannot be had from here, is named and left out.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What depends most on asyncio, TLS and compiled libraries; the rules are plain Python.
TESTS = "tests/server tests/sdk tests/wire"
VERSION = re.compile(r'"Programming Language :: Python :: (\d+\.\d+)"')


def others() -> Iterator[str]:
    """The versions that the project names, without that of this process."""
    own = "{}.{}".format(*sys.version_info)
    yield from (version for version in VERSION.findall((ROOT / "pyproject.toml").read_text()) if version != own)


def interpreter(version: str) -> str | None:
    """A Python of that version which can make environments, wherever it is on PATH."""
    # A name on PATH proves nothing, so run it; pyenv's stand there for all its versions, and ask which one is meant.
    command = (f"python{version}", "-c", "import ensurepip, sys; print(sys.executable)")
    try:
        said = subprocess.run(
            command, env=os.environ | {"PYENV_VERSION": version}, check=True, capture_output=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return said.stdout.strip()


def made(version: str, python: str, target: str, *more: str) -> bool:
    """Have something made in that version's environment; whether it went well."""
    command = ("make", target, f"VENV=.venv/python{version}", f"PYTHON={python}", *more)
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main() -> int:
    """Try all of them, then say how it went."""
    failed = []
    for version in others():
        python = interpreter(version)
        if python is None:
            print(f"Python {version}: not on this machine, left out", flush=True)
        elif not made(version, python, "setup"):
            print(f"Python {version}: its packages cannot be had from here, left out", flush=True)
        elif not made(version, python, "test", f"ARGS={TESTS}"):
            failed.append(version)
    print(f"failed with Python {', '.join(failed)}" if failed else "no other Python failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
