"""Warnings about a store that is unreachable or refuses writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import redis
from structlog.testing import capture_logs

from landsraad_server.store import GENESIS, Store, connect, errors, throttled_warnings
from landsraad_testkit import StoreProxy

if TYPE_CHECKING:
    from tests.server.conftest import Health
    from tests.server.store.conftest import Write

pytestmark = pytest.mark.asyncio


def of(resource: str, lines: list[Any]) -> list[tuple[str, str]]:
    """Return resource and fault of the lines of an event, without repetitions in a row."""
    return [(line["event"], line.get("fault", "")) for line in lines if line["resource"] == resource]


async def test_a_store_that_is_lost_and_found(proxy: StoreProxy, health: type[Health]) -> None:
    store = await connect(proxy.url)
    heard = health(store)
    with capture_logs() as lines:
        await proxy.refuse()
        await heard.becomes(False)
        with pytest.raises(errors.StoreUnavailable):
            await store.log.head("m")
        await proxy.listen()
        await heard.becomes(True)
    await store.close()
    told = of("commands", lines)
    assert (told[0], told[-1]) == (("store_lost", ""), ("store_found", ""))
    assert set(told[1:-1]) <= {("store_not_reached", "NotExecuted")}
    assert len(told) <= 3


async def test_one_that_was_never_lost_says_nothing(proxy: StoreProxy) -> None:
    with capture_logs() as lines:
        store = await connect(proxy.url)
        await store.close()
    assert lines == []


async def test_a_store_that_takes_nothing(
    store: Store, raw: redis.Redis, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers, so it is up; that its memory is full is logged once a minute instead of for each act."""
    [head] = await write(store, "m", GENESIS, 1)
    with capture_logs() as lines:
        raw.config_set("maxmemory", 1)
        try:
            for again in (60.0, 60.0, 60.0, 0.0):
                monkeypatch.setattr(throttled_warnings, "_INTERVAL_SECONDS", again)
                with pytest.raises(errors.StoreFull):
                    await write(store, "m", head, 1)
        finally:
            raw.config_set("maxmemory", 0)
        await write(store, "m", head, 1)
    assert of("commands", lines) == [("store_refuses", "StoreFull")] * 2
    assert {line["code"] for line in lines} == {"OOM"}
