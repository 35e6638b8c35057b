"""A bot that runs out of time is told so: the service goes on with default acts in its place."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from landsraad import PlayedMatch, run
from landsraad.models import ClockRules
from landsraad.replay_files import load_replay
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.bot import Bot, Decision, RandomBot
from landsraad_engine.play.match import replay
from landsraad_engine.teaching.game import TEACHING
from landsraad_server.process.worker import Worker
from landsraad_testkit import HandClock, pass_time

pytestmark = pytest.mark.asyncio

RULES = ClockRules(decision=10)


class Thumping(RandomBot):
    """Plays out of turn whatever it may."""

    game = "teaching"

    def interject(self, view: Any, plays: Options) -> Act | None:
        return plays.sample(self.rng)


def slow_bot(worker: Worker, clock: HandClock, ms: int, most: int) -> type[Bot]:
    """Return a bot that thinks too long about its first decisions."""
    loop = asyncio.get_running_loop()

    async def think(seat: int) -> None:
        """Let the time pass once the other seat has answered: its clock must not run out as well."""
        (match,) = worker.hosts.by_match
        while await worker.hosts.read(match, lambda hosted: hosted.game.g.waiting) != (seat,):
            pass
        await pass_time(worker, clock, ms)

    class Slow(RandomBot):
        game = "teaching"
        slept = 0

        def decide(self, view: Any, ask: Decision) -> Act:
            if Slow.slept < most:
                Slow.slept += 1
                asyncio.run_coroutine_threadsafe(think(ask.seat), loop).result(10)
            return super().decide(view, ask)

    return Slow


async def played(bot: type[Bot], worker: Worker, **how: Any) -> PlayedMatch:
    """Play one match with a bot, in another thread: the worker runs in this one."""
    (match,) = await asyncio.to_thread(run, bot, worker.address, seats=2, seed=7, **how)
    return match


@pytest.fixture(autouse=True)
def _folder_for_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`run` saves replays of failures in the working directory."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("most", [0, 1, 2])
async def test_each_default_act_is_counted_and_told_with_a_replay(
    worker: Worker, clock: HandClock, capsys: pytest.CaptureFixture[str], most: int
) -> None:
    bot = slow_bot(worker, clock, 10_000, most=most)
    match = await played(bot, worker, opponents="random", clock=RULES)
    told = capsys.readouterr()
    assert match.timeouts == most
    assert told.out.endswith(f", {most} timeouts\n" if most else f"{match.result}\n")
    warnings = [line for line in told.err.splitlines() if not line.startswith("waiting for the service")]
    if not most:
        assert warnings == []
        assert match.replay is None
        return
    warned, summed = warnings
    assert re.match(rf"Slow has run out of time in {match.match}, seat 0, asked by TEACH-\S+: ", warned)
    assert match.replay is not None
    first, *others = load_replay(match.replay)["failures"]
    assert summed.startswith(f"{most} timeouts, the first in {match.match}, seat 0, asked by {first['why']}. ")
    assert summed.endswith(f"--seat 0 --at {first['at']}")
    assert len(others) == most - 1
    again = replay(TEACHING, load_replay(match.replay), first["at"])
    assert 0 in again.waiting
    assert again.g.ask is not None
    assert again.g.ask.why == first["why"]


async def test_nothing_is_printed_if_silence_was_asked_for(
    worker: Worker, clock: HandClock, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = slow_bot(worker, clock, 10_000, most=1)
    match = await played(bot, worker, opponents="random", clock=RULES, quiet=True)
    assert match.timeouts == 1
    assert capsys.readouterr() == ("", "")


async def test_a_play_out_of_turn_that_withdraws_a_question_is_no_timeout(worker: Worker) -> None:
    for _ in range(5):
        match = await played(Thumping, worker, opponents=Thumping, options={"rounds": 8}, clock=RULES, quiet=True)
        assert match.timeouts == 0
