"""Latency of an honest neighbour under each attack, beside that under the same load on a process that ignores it.

    python -m landsraad_testkit.attack_latency [TRANSPORT ...]

The attacker, the server and the neighbour are three processes, so a busy machine delays all of them: only the ratio
counts. It fails if the 99th percentile is more than five times that of the comparison, and more than a few dozen ms.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from landsraad_testkit.http2_attacks import ATTACKS
from landsraad_testkit.http2_target import Target, attacked
from landsraad_testkit.neighbour import Neighbour, quantile

_SECONDS: Final = 2.5
_MOST_BYTES: Final = 16 << 20
_BYTES_PER_SECOND: Final = 8 << 20
#: Bounds of the 99th percentile: as a multiple of the comparison's, and in seconds, below which nothing is wrong.
_MOST_TIMES: Final = 5.0
_HARMLESS_SECONDS: Final = 0.04
#: The best of so many tries counts: other programs of the machine make a few of them slow.
_TRIES: Final = 3


async def _ignore(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take what comes and say nothing."""
    while await reader.read(1 << 16):
        pass
    writer.close()


async def ignore_all() -> None:
    """Listen on a free port, which is printed, until standard input ends."""
    server = await asyncio.start_server(_ignore, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


@contextmanager
def ignoring() -> Iterator[int]:
    """Run a process that takes the same load and ignores it; its port."""
    command = [sys.executable, "-m", "landsraad_testkit.attack_latency", "--ignore"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()


def latency(name: str, port: int, target: Target, source: str) -> float:
    """Return the 99th percentile of a neighbour of the target, in seconds, while a port is attacked."""
    command = [sys.executable, "-m", "landsraad_testkit.http2_attacks", name, str(port), str(_SECONDS)]
    command += [str(_MOST_BYTES), str(_BYTES_PER_SECOND), source]
    neighbour = Neighbour(target.port)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as attacker:
        assert attacker.stdout is not None
        attacker.stdout.readline()  # it begins
        until = time.monotonic() + _SECONDS
        while time.monotonic() < until:
            asyncio.run(neighbour.run(10, 0.005))
        attacker.communicate()
    if neighbour.refused:
        return float("inf")
    return quantile(neighbour.seconds, 0.99)


def held(name: str, transport: str, sources: Iterator[str]) -> bool:
    """Return whether an attack left the neighbour alone in one of a few tries; print both figures of the last."""
    line = ""
    with attacked(transport) as target, ignoring() as dummy:
        for _ in range(_TRIES):
            source = next(sources)
            beside = latency(name, dummy, target, source)
            under = latency(name, target.port, target, source)
            line = f"{transport:8}{name:36}{under * 1e3:9.1f} ms, beside {beside * 1e3:9.1f} ms"
            if under <= max(_MOST_TIMES * beside, _HARMLESS_SECONDS):
                print(line, flush=True)
                return True
    print(f"{line}  TOO MUCH", flush=True)
    return False


def main(transports: list[str]) -> int:
    """Attack; print a line for each attack, and return 1 if one of them hurt."""
    sources = (f"127.{high}.{low}.1" for high in range(1, 200) for low in range(200))
    hurt = [name for one in transports or ["http2"] for name in ATTACKS if not held(name, one, sources)]
    return 1 if hurt else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--ignore"]:
        asyncio.run(ignore_all())
    else:
        sys.exit(main(sys.argv[1:]))
