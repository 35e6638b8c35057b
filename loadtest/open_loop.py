"""True latency: acts at a fixed rate, each timed from the moment at which it was due.

A closed loop waits for a slow service and so forgets the acts that it would have made meanwhile. Here the times are
fixed beforehand, and the time that an act spends waiting for a free seat counts as latency like any other.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from landsraad_bench.match_table import table
from landsraad_bench.measurements import Crowd, latencies, waiting
from landsraad_bench.pacing import OpenPace

#: How long the last acts may take to be acknowledged.
_LAST_SECONDS = 5.0


async def drive(server: str, token: str, crowd: Crowd, rate: float, seconds: float) -> dict[str, Any]:
    """So many acts per second for so long; latencies in milliseconds."""
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
