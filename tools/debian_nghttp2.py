"""Run the conformance tests with nghttp2's clients, of the system or of Debian.

    python tools/debian_nghttp2.py [PYTEST ARGUMENT ...]

The fast tests run them only if they are on PATH. This script downloads Debian's packages otherwise, as
tools/debian_store.py does; if that fails too, it reports that the tests are skipped and exits with 0.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import debian_store

ROOT = Path(__file__).resolve().parent.parent
#: The clients, and their dependencies beyond the base system.
PACKAGES = (
    "nghttp2-client",
    "libnghttp2-14",
    "libev4",
    "libjansson4",
    "libjemalloc2",
    "libxml2",
    "libc-ares2",
    "libicu72",
)


def main() -> int:
    """Find the clients, print their version and run the tests with them."""
    with tempfile.TemporaryDirectory() as folder:
        extra: dict[str, str] = {}
        if shutil.which("h2load") is None:
            if not debian_store.unpack(Path(folder), PACKAGES):
                print("skipped: there is no h2load on PATH, and Debian's packages cannot be downloaded here")
                return 0
            extra["PATH"] = f"{folder}/usr/bin:{os.environ['PATH']}"
            libraries = {str(library.parent) for library in Path(folder).glob("usr/lib/*/*.so*")}
            extra["LD_LIBRARY_PATH"] = ":".join(libraries)
        env = os.environ | extra
        version = subprocess.run(["h2load", "--version"], env=env, check=True, capture_output=True, text=True)
        print(version.stdout, end="")
        command = [sys.executable, "-m", "pytest", "-q", "tests/server/conformance", *sys.argv[1:]]
        return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
