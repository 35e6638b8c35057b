"""Run the examples of a document against a service: a running one, or one started for this.

    python tools/run_examples.py docs/protocol.md [--server URL] [--print]

An example is a block marked ```sh example. All examples of a document run in one shell, up to the first failure.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bounded

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120.0
_BLOCK = re.compile(r"^```sh example\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def script(document: str) -> str:
    """Return the examples of a document as one script that stops at the first failure."""
    return "set -eu\n" + "\n".join(_BLOCK.findall(document))


@contextmanager
def service() -> Iterator[str]:
    """Start a service with temporary data and yield its address."""
    with tempfile.TemporaryDirectory() as data:
        serve = [str(ROOT / ".venv/bin/landsraad"), "serve", "--port", "0", "--data", data, "--workers", "1", "--json"]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield f"http://{json.loads(process.stdout.readline())['address']}"
            finally:
                process.terminate()


def main() -> int:
    """Run or print the script; return the exit status of the shell."""
    parser = argparse.ArgumentParser(description="Run the examples of a document against a running service.")
    parser.add_argument("document", type=Path)
    parser.add_argument("--server", metavar="URL", help="address of the service (default: start one)")
    parser.add_argument("--print", action="store_true", help="print the script without running it")
    options = parser.parse_args()
    text = script(options.document.read_text())
    if options.print:
        print(text)
        return 0
    os.environ["PATH"] = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    if options.server:
        return run(text, options.server)
    with service() as address:
        return run(text, address)


def run(text: str, server: str) -> int:
    """Run a script against a service."""
    return bounded.run(["env", f"SERVER={server}", "bash", "-c", text], SECONDS)


if __name__ == "__main__":
    sys.exit(main())
