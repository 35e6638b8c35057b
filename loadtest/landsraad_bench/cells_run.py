"""Cells run: matches in several cells at once, one of which is killed halfway."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

from landsraad_bench.bench_service import BenchService
from landsraad_bench.engine_cost import EngineCost
from landsraad_bench.match_table import MatchTable, open_table
from landsraad_bench.measurements import Workload, measured


async def cells_run(
    cells: list[BenchService], workload: Workload, seconds: float, engine: EngineCost
) -> dict[str, dict[str, Any]]:
    """Run closed loops in all cells, each with its share of the matches and streams; then without the last one."""
    share = workload._replace(
        matches=max(1, workload.matches // len(cells)), streams=max(1, workload.streams // len(cells))
    )
    async with AsyncExitStack() as stack:
        parts: list[tuple[BenchService, MatchTable]] = []
        for cell in cells:
            opened = open_table(cell.address, share.game, share.seats, share.carrier, cell=cell.cell)
            table = await stack.enter_async_context(opened)
            await table.set_up(share.matches)
            await table.play(share.streams)
            parts.append((cell, table))
        both = await _figures(parts, share, seconds, engine)
        killed, its_table = parts.pop()
        killed.kill()
        await its_table.close()  # Its players do not wait for a cell that does not come back.
        return {"cells": both, "cells_one_killed": await _figures(parts, share, seconds, engine)}


async def _figures(
    parts: list[tuple[BenchService, MatchTable]], share: Workload, seconds: float, engine: EngineCost
) -> dict[str, Any]:
    """Measure these cells together, and count the acts of each."""
    found = await measured(parts, share._replace(matches=share.matches * len(parts)), seconds, engine)
    total = found["actions"]
    by_cell = {cell.cell: round(found["actions_per_second"] * table.tally.acks / total) for cell, table in parts}
    return found | {"acts_by_cell": by_cell}
