"""Ports for programs that must be told theirs, and that nobody else takes between the telling and the listening.

Below those that the system hands out (to every connection and to whoever asks for port 0), and apart for each worker
of pytest: a port that was free a moment ago still is.
"""

from __future__ import annotations

import itertools
import os
import socket
from collections.abc import Iterator

#: From 20,000 to below 32,768, where Linux begins to hand out its own.
_FIRST, _EACH, _SHARES = 20_000, 500, 25


def _own() -> Iterator[int]:
    """The ports of this worker, round and round, from a place that differs from run to run."""
    share = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % _SHARES
    start = os.getpid() % _EACH
    return (_FIRST + share * _EACH + (start + step) % _EACH for step in itertools.count())


_ports = _own()


def free_ports(count: int) -> int:
    """The first of so many free ports in a row."""
    row: list[int] = []
    for port in itertools.islice(_ports, 2 * _EACH):
        if row and row[-1] + 1 != port:
            row = []
        row = [*row, port] if _free(port) else []
        if len(row) == count:
            return row[0]
    raise OSError(f"no {count} free ports in a row among those of this worker")


def free_port() -> int:
    """One free port."""
    return free_ports(1)


def _free(port: int) -> bool:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # what has just been left is free
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
