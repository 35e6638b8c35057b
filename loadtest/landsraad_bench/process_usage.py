"""Process usage: CPU time and memory of other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Usage(NamedTuple):
    """CPU time since the process began, and present memory."""

    cpu_seconds: float
    rss_bytes: int


def usage(pid: int) -> Usage:
    """Return the usage of one process, including all threads and exited children, such as a store's rewrites of its
    file.
    """
    if sys.platform == "linux":
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks = sum(map(int, fields[11:15]))
        return Usage(ticks / os.sysconf("SC_CLK_TCK"), int(fields[21]) * os.sysconf("SC_PAGE_SIZE"))
    command = ["ps", "-o", "cputime=,rss=", "-p", str(pid)]
    cpu, rss = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    seconds = 0.0
    for part in cpu.replace("-", ":").split(":"):
        seconds = seconds * 60 + float(part)
    return Usage(seconds, int(rss) * 1024)


def busy_seconds() -> float | None:
    """Return the CPU time used by all processes of the machine; None on systems that do not report it."""
    if sys.platform != "linux":
        return None
    user, nice, system, _idle, _waiting, *others = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    return (user + nice + system + sum(others)) / os.sysconf("SC_CLK_TCK")


def usages(pids: list[int]) -> Usage:
    """Return the total usage of several processes."""
    found = [usage(pid) for pid in pids]
    return Usage(sum(one.cpu_seconds for one in found), sum(one.rss_bytes for one in found))
