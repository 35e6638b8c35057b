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


class ConcurrentAccounts:
    """Accounts that join, join again and leave at random, and an operator who revokes them."""

    def __init__(self, chance: Random, name: str, workers: list[tuple[Worker, Calls]]) -> None:
        self.name = name
        #: by seat: the credentials given to each account
        self.given: dict[int, list[tuple[str, str]]] = {seat: [] for seat in SEATS}
        #: seats whose holder was removed and has not joined again, so that no credential is valid
        self.removed: set[int] = set()
        self._chance = chance
        self._workers = workers

    async def act(self, at_once: int) -> None:
        """Do several things concurrently."""
        done = await asyncio.gather(*(self._something() for _ in range(at_once)))
        joined = {seat for what, seat in done if what == "join"}
        self.removed = (self.removed - joined) | {seat for what, seat in done if what == "put out"}

    async def _something(self) -> tuple[str, int]:
        """Do something at random; return the action and its seat, or None if the seat has another holder or none."""
        worker, calls = self._chance.choice(self._workers)
        who, seat = self._chance.choice(PEOPLE), self._chance.choice(SEATS)
        what = self._chance.choice(("join", "join", "join", "leave", "put out"))
        about = {"name": self.name, "seat": seat}
        try:
            if what == "join":  # with the same request id each time, so it may be a repetition
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
        accounts = ConcurrentAccounts(Random(seed), name, [(one, here), (other, there)])
        for _ in range(15):
            await accounts.act(4)
            plans = await one.hosts.read(name.removeprefix("matches/"), lambda hosted: hosted.terms.seats)
            for seat, given in accounts.given.items():
                good = [who for who, credential in given if await plays(there, name, seat, credential)]
                holder = plans[seat].account
                assert len(good) <= bool(holder)
                assert len(set(good)) == bool(holder) or seat in accounts.removed
    assert all(accounts.given.values())
