"""Startup handshake and shutdown of a `landsraad serve` subprocess, each with a timeout.

The subprocess prints one JSON line when it is ready. A process that hangs is killed and the caller gets an exception.
"""

from __future__ import annotations

import json
import subprocess
import threading
from typing import Any, Final

#: Seconds; longer than the supervisor allows its own workers.
_START_SECONDS: Final = 90.0


def read_ready_line(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait for the ready line and return it; RuntimeError if the service exits without one."""
    assert process.stdout is not None
    timeout = threading.Timer(_START_SECONDS, process.kill)
    timeout.start()
    try:
        for line in process.stdout:
            message = json.loads(line)
            if message.get("ready"):
                return dict(message)
        raise RuntimeError(f"the service did not start; its exit status is {process.wait()}")
    finally:
        timeout.cancel()


def drain(process: subprocess.Popen[str], seconds: float) -> int:
    """Send SIGTERM and return the exit code; TimeoutExpired if the service had to be killed after so many seconds."""
    if process.poll() is None:
        process.terminate()
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
