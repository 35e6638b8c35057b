"""Run a program until standard input ends: `python -m landsraad_cli.local.run_until_orphaned PROGRAM`.

The kernel closes the pipes of a dead process, however it has died. So the program never outlives its starter, which
holds the other end. SIGTERM ends it as well.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading


def main(command: list[str]) -> int:
    """Run the program and return its exit status."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - the purpose of this module
    signal.signal(signal.SIGTERM, lambda _number, _frame: process.terminate())

    def guard() -> None:
        while os.read(0, 1 << 16):  # not sys.stdin: its lock would be held at exit
            """Ignore the input. Only its end matters."""
        process.terminate()

    threading.Thread(target=guard, daemon=True).start()
    return process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
