"""Run the examples of a document against a service: a running one, or one that is started for them.

    python tools/run_examples.py docs/protocol.md [--server URL] [--print]

An example is a block marked ```sh example. All of a document run in one shell, in order; the first that fails ends it.
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
    """All examples of a document as one script that stops at the first failure."""
    return "set -eu\n" + "\n".join(_BLOCK.findall(document))


@contextmanager
def service() -> Iterator[str]:
    """The address of a service of our own, with data that nobody needs afterwards."""
    with tempfile.TemporaryDirectory() as data:
        serve = [str(ROOT / ".venv/bin/landsraad"), "serve", "--port", "0", "--data", data, "--workers", "1", "--json"]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield f"http://{json.loads(process.stdout.readline())['address']}"
            finally:
                process.terminate()


def main() -> int:
    """Run or print the script; the status is the shell's."""
    parser = argparse.ArgumentParser(description="Run the examples of a document against a running service.")
    parser.add_argument("document", type=Path)
    parser.add_argument("--server", metavar="URL", help="address of the service; without it, one is started")
    parser.add_argument("--print", action="store_true", help="print the script instead")
    asked = parser.parse_args()
    text = script(asked.document.read_text())
    if asked.print:
        print(text)
        return 0
    os.environ["PATH"] = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    if asked.server:
        return run(text, asked.server)
    with service() as address:
        return run(text, address)


def run(text: str, server: str) -> int:
    """Run a script against a service."""
    return bounded.run(["env", f"SERVER={server}", "bash", "-c", text], SECONDS)


if __name__ == "__main__":
    sys.exit(main())
