"""Run the tests of the store on the redis-server of the system or of Debian.

    python tools/debian_store.py [PYTEST ARGUMENT ...]

The fast tests use the server bundled with the development tools. This script uses the one on PATH; if there is none,
it downloads Debian's packages and unpacks them into a temporary folder, which needs no root and installs nothing. If
that fails too, it reports that the tests are skipped and exits with 0.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The server, and its dependencies beyond the base system.
PACKAGES = ("redis-server", "redis-tools", "libjemalloc2", "liblua5.1-0", "lua-bitop", "lua-cjson", "liblzf1")
SECONDS_TO_FETCH = 120


def unpack(folder: Path, packages: Iterable[str]) -> bool:
    """Download Debian's packages and unpack them into a folder; return whether that was possible."""
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        return False
    folder.chmod(0o755)  # apt fetches as a user of its own
    fetch = ["apt-get", "download", "--quiet", *packages]
    try:
        done = subprocess.run(fetch, cwd=folder, check=False, capture_output=True, timeout=SECONDS_TO_FETCH)
    except subprocess.TimeoutExpired:
        return False
    if done.returncode:
        return False
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    return True


def unpack_packages(folder: Path) -> dict[str, str]:
    """Download and unpack Debian's server; return the environment variables to run it, or nothing on failure."""
    if not unpack(folder, PACKAGES):
        return {}
    libraries = {str(library.parent) for library in folder.glob("usr/lib/*/*.so*")}
    return {"LANDSRAAD_TEST_STORE_SERVER": str(folder / "usr/bin/redis-server"), "LD_LIBRARY_PATH": ":".join(libraries)}


def main() -> int:
    """Find a server, print its version and run the tests on it."""
    on_path = shutil.which("redis-server")
    with tempfile.TemporaryDirectory() as folder:
        extra = {"LANDSRAAD_TEST_STORE_SERVER": on_path} if on_path else unpack_packages(Path(folder))
        if not extra:
            print("skipped: there is no redis-server on PATH, and Debian's packages cannot be downloaded here")
            return 0
        env = os.environ | extra
        server = extra["LANDSRAAD_TEST_STORE_SERVER"]
        print(subprocess.run([server, "--version"], env=env, check=True, capture_output=True, text=True).stdout, end="")
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "tests/server/store", *sys.argv[1:]]
        return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
