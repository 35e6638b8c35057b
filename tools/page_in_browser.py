"""Run the tests of the page in Chromium, the long ones included, and refuse to skip them.

    python tools/page_in_browser.py [PYTEST ARGUMENT ...]

Without a browser the fast tests skip these by name. This script takes the one that LANDSRAAD_CHROMIUM names, or that
of the PATH; as root it installs Debian's package if there is none. It fails if there is no browser then.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS_TO_INSTALL = 400
INSTALL = (("apt-get", "update", "--quiet"), ("apt-get", "install", "--yes", "--no-install-recommends", "chromium"))


def chromium() -> str:
    """Return the path of the browser; empty if there is none."""
    return os.environ.get("LANDSRAAD_CHROMIUM") or shutil.which("chromium") or ""


def install() -> None:
    """Install Debian's Chromium, where that is possible."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return
    for command in INSTALL:
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, timeout=SECONDS_TO_INSTALL)


def main() -> int:
    """Find or install a browser, and run the tests in it."""
    if not chromium():
        install()
    browser = chromium()
    if not browser:
        print("there is no Chromium: install Debian's package chromium, or set LANDSRAAD_CHROMIUM")
        return 1
    print(subprocess.run([browser, "--version"], check=True, capture_output=True, text=True).stdout, end="")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "not exhaustive", "tests/web", *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "LANDSRAAD_CHROMIUM": browser}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
