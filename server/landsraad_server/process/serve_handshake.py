"""A service in processes of its own: the line of `landsraad serve --json` by which it says that it serves, and its end.

Both are waited for, but not for ever: a service that hangs is ended, and whoever has started it is told.
"""

from __future__ import annotations

import json
import subprocess
import threading
from typing import Any, Final

#: Longer than it gives its own workers to come up.
_START_SECONDS: Final = 90.0


def ready(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait for the line, and read it; RuntimeError if the service ends without."""
    assert process.stdout is not None
    impatience = threading.Timer(_START_SECONDS, process.kill)
    impatience.start()
    try:
        for line in process.stdout:
            said = json.loads(line)
            if said.get("ready"):
                return dict(said)
        raise RuntimeError(f"the service did not come up: status {process.wait()}")
    finally:
        impatience.cancel()


def drained(process: subprocess.Popen[str], seconds: float) -> int:
    """Let it end in order; its exit code. TimeoutExpired if it has not, and had to be killed."""
    if process.poll() is None:
        process.terminate()
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
