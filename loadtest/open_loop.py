"""Open-loop load: acts at a fixed rate, with each latency counted from the time at which the act was due.

A closed loop waits for a slow service and so omits the acts that it would have made meanwhile. Here the times are fixed
beforehand, and waiting for a free seat counts as latency like any other.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from landsraad_bench.match_table import open_table
from landsraad_bench.measurements import Workload, latencies, waiting
from landsraad_bench.pacing import OpenPace

#: Seconds in which the last acts have to be acknowledged.
_LAST_SECONDS = 5.0


async def drive(
    server: str, token: str, workload: Workload, rate: float, seconds: float, *, cell: str = ""
) -> dict[str, Any]:
    """Run the workload at this rate and report its latencies in milliseconds."""
    async with open_table(server, workload.game, workload.seats, workload.carrier, token=token, cell=cell) as table:
        table.pace = pace = OpenPace(rate)
        await table.set_up(workload.matches)
        await table.play(workload.streams)
        await table.wait_or_fail(asyncio.ensure_future(pace.run(seconds)))
        deadline = time.monotonic() + _LAST_SECONDS
        while (left := waiting(table, pace)) and time.monotonic() < deadline:  # noqa: ASYNC110  acks set no event
            await asyncio.sleep(0.01)
        tally = table.tally
        if not tally.acks:
            raise RuntimeError(f"no act was acknowledged; refused: {dict(tally.refused) or 'none'}")
        return {
            "asked_per_second": rate,
            "seconds": seconds,
            "matches": workload.matches,
            "streams": len(table.streams),
            "acknowledged": tally.acks,
            "unanswered": len(left),
            "refused": dict(tally.refused),
            "matches_over": tally.over,
            **latencies(tally.latencies + left),
        }
