"""What other processes use up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class Usage(NamedTuple):
    """Since the process began, and now."""

    cpu_seconds: float
    rss_bytes: int


def usage(pid: int) -> Usage:
    """Of one process, all its threads, and its children that have ended: a store rewrites its file in one."""
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
    """CPU time that all processes of the machine together have used; None where the system does not tell."""
    if sys.platform != "linux":
        return None
    user, nice, system, _idle, _waiting, *others = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    return (user + nice + system + sum(others)) / os.sysconf("SC_CLK_TCK")


def usages(pids: list[int]) -> Usage:
    """Of several together."""
    found = [usage(pid) for pid in pids]
    return Usage(sum(one.cpu_seconds for one in found), sum(one.rss_bytes for one in found))
