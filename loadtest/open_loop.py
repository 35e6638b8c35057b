"""Open-loop load: acts at a fixed rate, with the latency of each measured from its due time.

A closed loop waits for a slow service and so omits the acts that it would have sent meanwhile (coordinated omission).
Here the schedule is fixed, and the time that an act waits for a free seat counts as latency.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from landsraad_bench.match_table import table
from landsraad_bench.measurements import Crowd, latencies, waiting
from landsraad_bench.pacing import OpenPace

#: Seconds to wait for the acknowledgements of the last acts.
_LAST_SECONDS = 5.0


async def drive(server: str, token: str, crowd: Crowd, rate: float, seconds: float) -> dict[str, Any]:
    """Send ``rate`` acts per second for a time; return a report with latencies in milliseconds."""
    async with table(server, crowd.game, crowd.seats, crowd.carrier, token=token) as players:
        players.pace = pace = OpenPace(rate)
        await players.set_up(crowd.matches)
        await players.play(crowd.streams)
        await players.unless_trouble(asyncio.ensure_future(pace.run(seconds)))
        deadline = time.monotonic() + _LAST_SECONDS
        while (left := waiting(players, pace)) and time.monotonic() < deadline:  # noqa: ASYNC110  acks set no event
            await asyncio.sleep(0.01)
        tally = players.tally
        if not tally.acks:
            raise RuntimeError(f"nothing was acknowledged; refused: {dict(tally.refused) or 'nothing'}")
        return {
            "asked_per_second": rate,
            "seconds": seconds,
            "matches": crowd.matches,
            "streams": len(players.streams),
            "acknowledged": tally.acks,
            "unanswered": len(left),
            "refused": dict(tally.refused),
            "matches_over": tally.over,
            **latencies(tally.latencies + left),
        }
