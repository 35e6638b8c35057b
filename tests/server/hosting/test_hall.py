"""What one worker keeps of its matches in memory."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import pytest

from landsraad import AsyncClient
from landsraad_server.hosting import hall as hall_module
from landsraad_server.hosting import lobby
from landsraad_server.hosting.records import Ending
from landsraad_server.hosting.requests import Nothing
from landsraad_server.refusals import Denied
from landsraad_server.store.errors import CommandFailed
from landsraad_server.testing import HandClock
from landsraad_server.worker import Worker

if TYPE_CHECKING:
    import redis
    from tests.server.conftest import OpenLine, Seated

    from landsraad_server.hosting.position import Position

pytestmark = pytest.mark.asyncio


async def test_the_matches_not_wanted_for_longest_are_let_go(
    client: AsyncClient, worker: Worker, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "MOST_IDLE", 10)
    hall = worker.hall
    hall.most_hosts = 10
    names = []
    for _ in range(10):
        clock.advance(1)
        names.append((await client.create_match("teaching", 2)).name.removeprefix("matches/"))
    clock.advance(1)
    await client.match(f"matches/{names[0]}")  # wanted again
    await client.create_match("teaching", 2)
    assert names[0] in hall.hosts
    assert names[1] not in hall.hosts
    assert len(hall.hosts) == 10
    assert (await client.match(f"matches/{names[1]}")).state == "open"  # it is only read again


async def test_those_that_somebody_listens_to_stay(
    seated: Seated, line: OpenLine, client: AsyncClient, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hall_module, "MOST_IDLE", 2)
    worker.hall.most_hosts = 2
    tickets = await seated(2)
    stream = line()
    await stream.subscribe(tickets[0])
    await stream.next("snapshot")
    for _ in range(6):
        await client.create_match("teaching", 2)
    assert tickets[0].match.removeprefix("matches/") in worker.hall.hosts
    assert len(worker.hall.hosts) <= 3


async def test_a_request_that_fails_costs_only_itself(client: AsyncClient, worker: Worker) -> None:
    """A fault of ours in the middle of a change: the change is not made, and all others are."""
    made = await client.create_match("teaching", 2)
    match = made.name.removeprefix("matches/")

    def broken(position: Position, now: int) -> None:
        position.change_terms().title = "half done"
        raise ZeroDivisionError

    def proper(position: Position, now: int) -> str:
        position.change_terms().watch_delay_ms = 5
        return position.terms.title

    first, second = await asyncio.gather(
        worker.hall.change(match, broken), worker.hall.change(match, proper), return_exceptions=True
    )
    assert isinstance(first, ZeroDivisionError)
    assert second == ""
    assert worker.figures.faults == 1
    terms = await worker.hall.read(match, lambda position: position.terms)
    assert (terms.title, terms.watch_delay_ms) == ("", 5)


async def test_too_much_that_waits_for_one_match_is_refused_at_once(client: AsyncClient, worker: Worker) -> None:
    made = await client.create_match("teaching", 2)
    host = worker.hall.host(made.name.removeprefix("matches/"))
    for _ in range(256):
        host.put(Nothing())
    with pytest.raises(Denied) as refused:
        await worker.hall.read(host.match, lambda _: None)
    assert (refused.value.reason, refused.value.retry_ms > 0) == ("OVERLOADED", True)


async def test_what_the_store_refuses_for_good_is_told_and_not_tried_for_ever(
    client: AsyncClient, worker: Worker, raw: redis.Redis
) -> None:
    made = await client.create_match("teaching", 2)
    match = made.name.removeprefix("matches/")
    raw.delete(f"log:{{{match}}}")
    raw.set(f"log:{{{match}}}", "no stream at all")
    run = partial(lobby.end_early, kind=Ending.ABORTED, reason="")
    with pytest.raises(CommandFailed):
        await worker.hall.change(match, run)
    assert worker.figures.faults > 0
