"""Run the page's tests in a browser, all of them, and refuse to skip one.

    python tools/browser_tests.py [ARGUMENTS OF PYTEST]

Takes the Chromium that LANDSRAAD_CHROMIUM or the PATH names. Where there is none, and this is root on Debian, it
installs the package first.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def chromium() -> str:
    """Return the path of the browser, installed if need be; empty if that is not possible."""
    found = os.environ.get("LANDSRAAD_CHROMIUM") or shutil.which("chromium")
    if found or os.geteuid() or not shutil.which("apt-get"):
        return found or ""
    print("installing chromium", flush=True)
    subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], check=False)
    return shutil.which("chromium") or ""


def main() -> int:
    """Run the tests; 1 if there is no browser."""
    browser = chromium()
    if not browser:
        print("no Chromium: install it, or set LANDSRAAD_CHROMIUM")
        return 1
    environment = {**os.environ, "LANDSRAAD_CHROMIUM": browser, "LANDSRAAD_BROWSER": "required"}
    command = [sys.executable, "-m", "pytest", "-q", "-m", "long or not long", "tests/web", *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
