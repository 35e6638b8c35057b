"""Web leak test: the two-run test of one game over the page, behind `landsraad leaktest GAME --web`.

It is the test on the wire with other clients: the tested seat and the spectators are visitors of a page, and everything
that the page sends them is compared: events, snapshots, answers with headers, replays, lists, the catalog, errors.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from landsraad import games
from landsraad_engine.kernel.game import Game
from landsraad_engine.testing.leaks.leak_match import LeakReport
from landsraad_server.store.resp import noop
from landsraad_server.telemetry import logs
from landsraad_testkit.leaks.observed_page import ObservedPage
from landsraad_testkit.leaks.wire_leak_test import LeakTestService, leak_wire, service
from landsraad_web.application import WebPage
from landsraad_web.settings import PageLimits, Settings

#: All positions come from one address, and each leaves its feeds at once.
_LIMITS = PageLimits(sessions_per_address=100_000, streams_per_address=8_192, linger_seconds=0.0)


@asynccontextmanager
async def page_service(directory: Path) -> AsyncIterator[LeakTestService]:
    """Start a service with a page in front of its first worker."""
    async with service(directory) as started:
        address = started.connections[0].worker.address
        page = WebPage(Settings(address, "127.0.0.1", 0, str(directory / "page-sessions.db"), limits=_LIMITS))
        try:
            yield started._replace(world=partial(ObservedPage, page))
        finally:
            await page.close()


async def leak_web(
    game: Game,
    positions: int,
    seed: int,
    given: Mapping[str, Any] = MappingProxyType({}),
    advance: Callable[[int], None] = noop,
) -> LeakReport:
    """Test at least so many positions, of as many random matches as it takes."""
    return await leak_wire(game, positions, seed, given, advance, start=page_service)


def leak_web_all(
    game_id: str, positions: int, _jobs: int, seed: int, given: Mapping[str, str], advance: Callable[[int], None]
) -> LeakReport:
    """Run `landsraad leaktest GAME --web` in one process, beside the two stores'."""
    logs.configure(as_json=False, level="warning")
    return asyncio.run(leak_web(games.load(game_id), positions, seed, given, advance))
