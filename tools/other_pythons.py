"""Run the fast tests of the service and the SDK with every other supported Python on this machine.

    python tools/other_pythons.py

Each version has an environment of its own below .venv, installed from requirements-dev.lock. Versions that are not
installed, or whose packages cannot be downloaded, are reported and skipped.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The tests that depend most on asyncio, TLS and compiled libraries; the rules are plain Python.
TESTS = "tests/server tests/sdk tests/wire"
VERSION = re.compile(r'"Programming Language :: Python :: (\d+\.\d+)"')


def others() -> Iterator[str]:
    """Yield the versions that the project supports, except that of this process."""
    own = "{}.{}".format(*sys.version_info)
    yield from (version for version in VERSION.findall((ROOT / "pyproject.toml").read_text()) if version != own)


def interpreter(version: str) -> str | None:
    """Return a working Python of this version on PATH that can create environments, or None."""
    # Run it, because a name on PATH proves nothing: pyenv puts shims of all versions there, selected by a variable.
    command = (f"python{version}", "-c", "import ensurepip, sys; print(sys.executable)")
    try:
        done = subprocess.run(
            command, env=os.environ | {"PYENV_VERSION": version}, check=True, capture_output=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def run_make(version: str, python: str, target: str, *more: str) -> bool:
    """Run a make target in the version's environment; return True if it succeeds."""
    command = ("make", target, f"VENV=.venv/python{version}", f"PYTHON={python}", *more)
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def main() -> int:
    """Test all versions, then report the failed ones."""
    failed = []
    for version in others():
        python = interpreter(version)
        if python is None:
            print(f"Python {version}: not on this machine, skipped", flush=True)
        elif not run_make(version, python, "setup"):
            print(f"Python {version}: its packages cannot be installed here, skipped", flush=True)
        elif not run_make(version, python, "test", f"ARGS={TESTS}"):
            failed.append(version)
    print(f"failed with Python {', '.join(failed)}" if failed else "no other Python failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
