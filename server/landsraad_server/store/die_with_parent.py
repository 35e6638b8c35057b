"""Run a program that ends when its owner ends, however that happens. Executed as a script, never imported.

``python die_with_parent.py signal OWNER PROGRAM ARGUMENTS...`` (Linux) asks the kernel for a SIGTERM at the owner's end
and then becomes the program, so that the process id stays. This step lies between fork and exec of the owner, where
Python code is unsafe once threads run, hence a script of its own. The kernel watches the *thread* that started it.

``python die_with_parent.py pipe OWNER PROGRAM ARGUMENTS...`` (elsewhere) stays and waits for the end of standard input,
a pipe whose other end only the owner holds.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading

_PR_SET_PDEATHSIG = 1


def by_signal(owner: int, command: list[str]) -> None:
    """Become the program after asking the kernel for a SIGTERM when the owner ends."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != owner:
        sys.exit("the owner ended before the server began")
    os.execv(command[0], command)  # noqa: S606


def by_pipe(command: list[str]) -> int:
    """Run the program as a child, and terminate it when standard input ends."""
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603
    signal.signal(signal.SIGTERM, lambda *_: server.terminate())

    def wait_for_owner() -> None:
        sys.stdin.buffer.read()
        server.terminate()

    threading.Thread(target=wait_for_owner, daemon=True).start()
    return server.wait()


def main() -> int:
    how, owner, *command = sys.argv[1:]
    if how == "signal":
        by_signal(int(owner), command)
    return by_pipe(command)


if __name__ == "__main__":
    sys.exit(main())
