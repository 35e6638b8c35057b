"""The service that is measured, and what is left of it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys

import pytest

PROGRAM = """
import signal
from landsraad_server.bench.rig import serving
from landsraad_server.store import Durability
with serving(Durability.EVERYSEC, 1) as service:
    print(*service.workers, service.store, flush=True)
    signal.pause()
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs file descriptors of processes (Linux)")
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_however_the_bench_ends_its_service_does(end: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as bench:
        assert bench.stdout is not None
        others = [os.pidfd_open(int(pid)) for pid in bench.stdout.readline().split()]
        assert len(others) == 2
        bench.send_signal(end)
        for other in others:
            ended, _, _ = select.select([other], [], [], 60)
            os.close(other)
            assert ended
