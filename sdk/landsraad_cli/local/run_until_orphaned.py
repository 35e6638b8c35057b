"""Run a program until our standard input ends, or SIGTERM: `python -m landsraad_cli.local.run_until_orphaned PROGRAM`.

A process that dies closes its pipes, however it dies. So what runs behind this never outlives whoever has started it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading


def main(command: list[str]) -> int:
    """Run the program; its status."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 - it is what we are for
    signal.signal(signal.SIGTERM, lambda _number, _frame: process.terminate())

    def guard() -> None:
        while os.read(0, 1 << 16):  # not sys.stdin: its lock would be held when we end
            """Nobody says anything to us."""
        process.terminate()

    threading.Thread(target=guard, daemon=True).start()
    return process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
