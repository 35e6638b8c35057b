"""What a started service says once it serves: the line of `landsraad serve --json`."""

from __future__ import annotations

import json
import subprocess
from typing import Any


def ready(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait for the line, and read it; RuntimeError if the service ends without."""
    assert process.stdout is not None
    for line in process.stdout:
        said = json.loads(line)
        if said.get("ready"):
            return dict(said)
    raise RuntimeError(f"the service did not come up: status {process.wait()}")
