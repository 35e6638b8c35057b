"""Run a command with a time limit, ending it and its children when the time is up.

    python tools/bounded.py SECONDS COMMAND [ARGUMENT ...]

macOS has no `timeout`. The exit status is the command's, or 124 when it was ended.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence

TIMED_OUT = 124
_SECONDS_TO_END = 10


def run(command: Sequence[str], seconds: float) -> int:
    """Run the command in a process group of its own; the status, or `TIMED_OUT`."""
    process = subprocess.Popen(command, start_new_session=True)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return TIMED_OUT
    finally:
        if process.returncode is None:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ask the whole group to end, then insist."""
    for request in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, request)
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            process.wait()
        return


def main(arguments: Sequence[str]) -> int:
    """Run the command line; says on standard error when the limit was reached."""
    seconds, *command = arguments
    status = run(command, float(seconds))
    if status == TIMED_OUT:
        print(f"ended after {seconds} s: {' '.join(command)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
