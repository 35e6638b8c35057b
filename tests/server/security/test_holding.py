"""Whatever several people do at once to the seats of a match, on two workers: who holds a seat has one credential for
it that is good, and nobody else has any.
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
    """People who join, join again and leave, and an operator who puts them out."""

    def __init__(self, chance: Random, name: str, workers: list[tuple[Worker, Calls]]) -> None:
        self.name = name
        #: by seat: who was given which credentials
        self.given: dict[int, list[tuple[str, str]]] = {seat: [] for seat in SEATS}
        #: seats whose holder may have no credential that is good: it was put out, and did not come again since
        self.put_out: set[int] = set()
        self._chance = chance
        self._workers = workers

    async def act(self, at_once: int) -> None:
        """Some things at once."""
        done = await asyncio.gather(*(self._something() for _ in range(at_once)))
        joined = {seat for what, seat in done if what == "join"}
        self.put_out = (self.put_out - joined) | {seat for what, seat in done if what == "put out"}

    async def _something(self) -> tuple[str, int]:
        """What was done to which seat; nothing, if somebody else has it, or nobody."""
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
                await worker.hall.change(
                    self.name.removeprefix("matches/"), partial(match_changes.put_out, number=seat)
                )
        except (CallRefused, Denied):
            return "nothing", seat
        return what, seat


def delay(worker: Worker, chance: Random, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what follows a change of a match come late: whatever has to come with it is in the change."""
    change = worker.hall.change

    async def changed(*given: Any) -> Any:
        found = await change(*given)
        await asyncio.sleep(chance.random() * MOST_LATE_SECONDS)
        return found

    monkeypatch.setattr(worker.hall, "change", changed)


async def plays(calls: Calls, name: str, seat: int, credential: str) -> bool:
    """Whether a credential is good."""
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
            plans = await one.hall.read(name.removeprefix("matches/"), lambda position: position.terms.seats)
            for seat, given in crowd.given.items():
                good = [who for who, credential in given if await plays(there, name, seat, credential)]
                holder = plans[seat].account
                assert len(good) <= bool(holder)
                assert len(set(good)) == bool(holder) or seat in crowd.put_out
    assert all(crowd.given.values())
