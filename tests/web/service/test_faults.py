"""Killed processes: the page and the workers come back, nothing is missed, and no act counts twice."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.web.service.conftest import Visitor
from tests.web.service.test_matches import CLOCK, SHORT, asked, default_act, id_of

from landsraad_testkit import ServeProcess, serving

SECONDS = 60.0


@pytest.fixture(scope="module")
def breakable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    """A service of which processes may be killed."""
    folder = tmp_path_factory.mktemp("breakable")
    with serving(folder / "data", "--http", "0", "--house", log=folder / "log") as running:
        yield running


def page_process(service: ServeProcess) -> int:
    """Return the process id of the page."""
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                command = (folder / "cmdline").read_bytes().split(b"\0")
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, ValueError):
                continue
            if b"landsraad_web" in command and parent == service.process.pid:
                return int(folder.name)
    raise AssertionError("there is no page")


async def until_answered(visitor: Any, path: str, body: Any) -> dict[str, Any]:
    """Send the same again until there is an answer, as the page's script does."""
    async with asyncio.timeout(SECONDS):
        while True:
            try:
                answer = await visitor.post(path, body)
            except httpx.TransportError:
                await asyncio.sleep(0.05)
                continue
            if answer.status_code not in (502, 503):
                return dict(answer.json())


@pytest.mark.long
@pytest.mark.asyncio
async def test_the_page_is_killed(breakable: ServeProcess) -> None:
    visitor = Visitor(breakable.http)
    me = await visitor.sign_in("ann")
    match = id_of(await visitor.create(seats=2, join=0, options=SHORT, clock=CLOCK))
    await visitor.post(f"/api/matches/{match}/start")
    question, last = await asked(visitor, match)
    stream = f"/api/matches/{match}/events?seat=0"
    cursor, _ = await visitor.first("snapshot", stream)
    body = {"seq": last + 1, "decision": int(question["decisionId"]), "act": await default_act(visitor, match)}
    acts = f"/api/matches/{match}/seats/0/acts"
    first = (await until_answered(visitor, acts, body))["ack"]
    killed = page_process(breakable)
    os.kill(killed, signal.SIGKILL)
    again = (await until_answered(visitor, acts, body))["ack"]
    assert again == {**first, "repeated": True}
    assert page_process(breakable) != killed
    assert (await visitor.get("/api/session")).json()["account"] == me["account"]
    numbers = []
    async with aclosing(visitor.events(stream, headers={"last-event-id": cursor})) as events:
        async for kind, found, _ in events:
            assert kind != "snapshot"
            if kind == "entry":
                numbers.append(int(found.split(".")[1]))
                if numbers[-1] >= first["last"]:
                    break
    assert numbers == list(range(int(cursor.split(".")[1]) + 1, numbers[-1] + 1))
    await visitor.http.aclose()


@pytest.mark.long
@pytest.mark.asyncio
async def test_a_worker_is_killed(breakable: ServeProcess) -> None:
    visitor = Visitor(breakable.http)
    await visitor.sign_in("ann")
    match = id_of(await visitor.create(seats=2, join=0, options=SHORT, clock=CLOCK))
    await visitor.post(f"/api/matches/{match}/start")
    acts = f"/api/matches/{match}/seats/0/acts"
    numbers: list[int] = []
    answered = 0
    async with asyncio.timeout(SECONDS), aclosing(visitor.events(f"/api/matches/{match}/events?seat=0")) as events:
        last = 0
        async for kind, found, data in events:
            if kind == "snapshot":
                assert not numbers, "entries were missed"
                last, numbers = int(data.get("lastSeq", 0)), [int(found.split(".")[1])]
            elif kind == "entry":
                numbers.append(int(found.split(".")[1]))
            elif kind == "clock" and int(data.get("decisionId", 0)) and "default" in data:
                if answered == 2:
                    for worker in breakable.workers:
                        os.kill(worker, signal.SIGKILL)
                body = {"seq": last + 1, "decision": int(data["decisionId"]), "act": data["default"]}
                told = await until_answered(visitor, acts, body)
                if "ack" in told:
                    answered, last = answered + 1, told["ack"]["seq"]
                if answered == 5:
                    break
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    await visitor.http.aclose()
