"""Run the store's tests once more, on the redis-server of the system or of Debian.

    python tools/debian_store.py [PYTEST ARGUMENT ...]

The fast tests use the server that the project brings along. Here it is the one on PATH; if there is none, Debian's
packages are fetched and unpacked into a folder that is gone afterwards, so nothing is installed and nobody must be
root. Where neither can be had, it says so and leaves with 0.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The server, and what it needs beyond the base system.
PACKAGES = ("redis-server", "redis-tools", "libjemalloc2", "liblua5.1-0", "lua-bitop", "lua-cjson", "liblzf1")
SECONDS_TO_FETCH = 120


def unpacked(folder: Path) -> dict[str, str]:
    """Debian's server in this folder: the environment that finds it, or nothing."""
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        return {}
    folder.chmod(0o755)  # apt fetches as a user of its own
    fetch = ["apt-get", "download", "--quiet", *PACKAGES]
    try:
        done = subprocess.run(fetch, cwd=folder, check=False, capture_output=True, timeout=SECONDS_TO_FETCH)
    except subprocess.TimeoutExpired:
        return {}
    if done.returncode:
        return {}
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    libraries = {str(library.parent) for library in folder.glob("usr/lib/*/*.so*")}
    return {"LANDSRAAD_TEST_STORE_SERVER": str(folder / "usr/bin/redis-server"), "LD_LIBRARY_PATH": ":".join(libraries)}


def main() -> int:
    """Find a server, say which, and run the tests on it."""
    on_path = shutil.which("redis-server")
    with tempfile.TemporaryDirectory() as folder:
        extra = {"LANDSRAAD_TEST_STORE_SERVER": on_path} if on_path else unpacked(Path(folder))
        if not extra:
            print("left out: there is no redis-server on PATH, and Debian's packages cannot be fetched here")
            return 0
        env = os.environ | extra
        server = extra["LANDSRAAD_TEST_STORE_SERVER"]
        print(subprocess.run([server, "--version"], env=env, check=True, capture_output=True, text=True).stdout, end="")
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "tests/server/store", *sys.argv[1:]]
        return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
