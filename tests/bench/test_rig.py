"""The service under test, and that nothing of it is left behind."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from landsraad_bench import bench_service
from landsraad_server.store import Durability
from landsraad_testkit.raw_stream import PATIENCE_SECONDS

PROGRAM = """
import signal
from landsraad_bench.bench_service import serving
from landsraad_server.store import Durability
signal.signal(signal.SIGINT, signal.default_int_handler)  # the test runner may ignore SIGINT
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
        try:
            for other in others:
                assert select.select([other], [], [], PATIENCE_SECONDS)[0]
        finally:
            bench.kill()
            for other in others:
                os.close(other)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs file descriptors of processes (Linux)")
def test_a_service_that_hangs_is_ended_with_all_that_it_has_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_service, "_GRACE_SECONDS", 0.1)
    running = bench_service.serving(Durability.EVERYSEC, 1)
    [worker] = running.__enter__().workers
    supervisor = int(Path(f"/proc/{worker}/stat").read_text().rpartition(")")[2].split()[1])
    began = [os.pidfd_open(pid) for pid in (worker, supervisor)]
    os.kill(supervisor, signal.SIGSTOP)
    with pytest.raises(subprocess.TimeoutExpired):
        running.__exit__(None, None, None)
    for each in began:
        assert select.select([each], [], [], PATIENCE_SECONDS)[0]
        os.close(each)
