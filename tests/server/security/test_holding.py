"""Concurrent changes of seats on two workers: the holder of a seat has its one valid credential, and no one else has
any.
"""

from __future__ import annotations

import asyncio
from functools import partial
from random import Random
from typing import Any

import pytest

from landsraad.transport import CallRefused
from landsraad_server.matches import match_changes
from landsraad_server.process.worker import Worker
from landsraad_server.refusals import Denied
from landsraad_testkit.calls import Calls

pytestmark = pytest.mark.asyncio

PEOPLE = [f"landsraad_guest_{name}" for name in ("paul", "feyd", "chani")]
SEATS = (0, 1)  # of three, so that the match never begins
MOST_LATE_SECONDS = 0.005


class Crowd:
    """Accounts that join, join again and leave at random, and an operator who revokes them."""

    def __init__(self, chance: Random, name: str, workers: list[tuple[Worker, Calls]]) -> None:
        self.name = name
        #: by seat: who was given which credentials
        self.given: dict[int, list[tuple[str, str]]] = {seat: [] for seat in SEATS}
        #: seats whose holder may have no credential that is good: it was put out, and did not come again since
        self.revoke_seat: set[int] = set()
        self._chance = chance
        self._workers = workers

    async def act(self, at_once: int) -> None:
        """Do several things concurrently."""
        done = await asyncio.gather(*(self._something() for _ in range(at_once)))
        joined = {seat for what, seat in done if what == "join"}
        self.revoke_seat = (self.revoke_seat - joined) | {seat for what, seat in done if what == "put out"}

    async def _something(self) -> tuple[str, int]:
        """Do something at random; return the action and its seat, or None if the seat has another holder or none."""
        worker, calls = self._chance.choice(self._workers)
        who, seat = self._chance.choice(PEOPLE), self._chance.choice(SEATS)
        what = self._chance.choice(("join", "join", "join", "leave", "put out"))
        about = {"name": self.name, "seat": seat}
        try:
            if what == "join":  # by the same request each time: so it may be one that is repeated
                joined = await calls("Matches/JoinMatch", who, **about, request_id=str(seat))
                self.given[seat].append((who, joined.credential))
            elif what == "leave":
                await calls("Matches/LeaveMatch", who, **about)
            else:
                await worker.hosts.change(
                    self.name.removeprefix("matches/"), partial(match_changes.revoke_seat, number=seat)
                )
        except (CallRefused, Denied):
            return "nothing", seat
        return what, seat


def delay(worker: Worker, chance: Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """Delay whatever follows a commit: what has to take effect together must be part of the commit itself."""
    change = worker.hosts.change

    async def changed(*given: Any) -> Any:
        found = await change(*given)
        await asyncio.sleep(chance.random() * MOST_LATE_SECONDS)
        return found

    monkeypatch.setattr(worker.hosts, "change", changed)


async def plays(calls: Calls, name: str, seat: int, credential: str) -> bool:
    """Return whether a credential is valid."""
    reason = await calls.reason("Matches/Resign", credential, name=name, seat=seat)
    assert reason in ("NO_CREDENTIAL", "WRONG_STATE")  # the match has not begun
    return reason == "WRONG_STATE"


@pytest.mark.parametrize("seed", range(8))
async def test_who_holds_a_seat_has_one_good_credential(
    seed: int, start_worker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = await start_worker(), await start_worker()
    for worker in (one, other):
        delay(worker, Random(seed), monkeypatch)
    async with Calls(one.address) as here, Calls(other.address) as there:
        name = await here.new(seats=3)
        crowd = Crowd(Random(seed), name, [(one, here), (other, there)])
        for _ in range(15):
            await crowd.act(4)
            plans = await one.hosts.read(name.removeprefix("matches/"), lambda hosted: hosted.terms.seats)
            for seat, given in crowd.given.items():
                good = [who for who, credential in given if await plays(there, name, seat, credential)]
                holder = plans[seat].account
                assert len(good) <= bool(holder)
                assert len(set(good)) == bool(holder) or seat in crowd.revoke_seat
    assert all(crowd.given.values())
