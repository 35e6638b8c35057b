"""`python -m landsraad_bots.house_runner`: plays the seats that the lines on standard input name, until that ends."""

from __future__ import annotations

import asyncio
import json
import logging
import sys

from landsraad_bots.house_runner.house_seats import HouseSeats
from landsraad_bots.house_runner.warmup import warm_up


async def main() -> None:
    """Read line by line; the service closes our input when it wants us to end."""
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    print(json.dumps({"ready": {}}), flush=True)
    filling = HouseSeats()
    try:
        while line := await lines.readline():
            filling.hear(line)
    finally:
        await filling.close()


logging.basicConfig(level=logging.WARNING, format="house: %(message)s")
warm_up()
asyncio.run(main())
