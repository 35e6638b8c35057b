"""Run a command with a timeout that terminates it and its children.

    python tools/bounded.py SECONDS COMMAND [ARGUMENT ...]

A portable `timeout`, which macOS lacks. The exit status is the command's, or 124 after a timeout.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence

TIMED_OUT = 124
_GRACE_SECONDS = 10


def run(command: Sequence[str], seconds: float) -> int:
    """Run the command in a process group of its own; return its exit status, or `TIMED_OUT`."""
    process = subprocess.Popen(command, start_new_session=True)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return TIMED_OUT
    finally:
        if process.returncode is None:
            _terminate(process)


def _terminate(process: "subprocess.Popen[bytes]") -> None:
    """Terminate the whole group; kill it if that takes too long."""
    for signal_number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, signal_number)
            process.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            process.wait()
        return


def main(arguments: Sequence[str]) -> int:
    """Run the command line; report a timeout on standard error."""
    seconds, *command = arguments
    status = run(command, float(seconds))
    if status == TIMED_OUT:
        print(f"ended after {seconds} s: {' '.join(command)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
