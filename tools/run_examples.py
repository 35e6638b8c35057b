"""Run the examples of a document against a running service.

    python tools/run_examples.py docs/protocol.md [--server URL] [--print]

An example is a block marked ```sh example. All of a document run in one shell, in order; the first that fails ends it.
"""

import argparse
import os
import re
import sys
from pathlib import Path

import bounded

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120.0
_BLOCK = re.compile(r"^```sh example\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def script(document: str) -> str:
    """All examples of a document as one script that stops at the first failure."""
    return "set -eu\n" + "\n".join(_BLOCK.findall(document))


def main() -> int:
    """Run or print the script; the status is the shell's."""
    parser = argparse.ArgumentParser(description="Run the examples of a document against a running service.")
    parser.add_argument("document", type=Path)
    parser.add_argument("--server", default="http://localhost:7447", help="address of the service")
    parser.add_argument("--print", action="store_true", help="print the script instead")
    asked = parser.parse_args()
    text = script(asked.document.read_text())
    if asked.print:
        print(text)
        return 0
    os.environ["SERVER"] = asked.server
    os.environ["PATH"] = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return bounded.run(["bash", "-c", text], SECONDS)


if __name__ == "__main__":
    sys.exit(main())
