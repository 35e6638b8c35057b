"""`python -m landsraad_bots.house_runner`: play the seats named on standard input, until it is closed."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import sys

from landsraad_bots.house_runner.cpu_budget import CpuBudget
from landsraad_bots.house_runner.house_seats import HouseSeats
from landsraad_bots.house_runner.warmup import warm_up


async def main(cores: float) -> None:
    """Report readiness, then take a seat for each line; the service closes the input to end the process."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    print(json.dumps({"ready": {}}), flush=True)
    seats = HouseSeats(CpuBudget(cores))
    try:
        while line := await lines.readline():
            seats.take(line)
    finally:
        await seats.close()


def _cores() -> float:
    """Return the CPU seconds that the bots may use for each second, from the command line."""
    parser = argparse.ArgumentParser("landsraad house runner", description="Play the seats named on standard input.")
    parser.add_argument("--cores", type=float, default=float("inf"), help="CPU seconds for each second.")
    cores: float = parser.parse_args().cores
    return cores


logging.basicConfig(level=logging.WARNING, format="house: %(message)s")
warm_up()
asyncio.run(main(_cores()))
