"""Bots play through the service: what they are given, and what becomes of their mistakes."""

import asyncio
import signal
import subprocess
import sys
import threading
from typing import Any, ClassVar

import pytest

from landsraad import AsyncClient, Bot, errors, run
from landsraad.async_seat import AsyncSeat
from landsraad.bot_threads import run_in_bot_thread
from landsraad.bots import BOTS
from landsraad.testing import Faults, LocalService
from landsraad.v1 import common_pb2
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.bot import RandomBot
from landsraad_engine.teaching import acts


class Careful(RandomBot):
    """Asks the service about each act before it plays it."""

    game = "teaching"
    asked = 0
    endings: ClassVar[list[Any]] = []

    def decide(self, view: Any, ask: Any) -> Act:
        act = super().decide(view, ask)
        assert view.side in ("amber", "basalt", "coral", "dusk")
        assert ask.explain(act) is None
        assert ask.explain(acts.NameOmen("nobody")).reason == "against_rules"
        assert ask.explain(None).reason == "malformed"
        Careful.asked += 1
        return act

    def ended(self, view: Any, result: tuple[str, tuple[int, ...]]) -> None:
        self.endings.append((view.side, result))


class Thumping(RandomBot):
    """Plays out of turn whatever it may."""

    game = "teaching"
    made = 0

    def interject(self, view: Any, plays: Options) -> Act | None:
        Thumping.made += 1
        return plays.sample(self.rng)


class Elsewhere(RandomBot):
    game = "dune"


class Meddling(RandomBot):
    """Plays out of turn what it may not."""

    game = "teaching"

    def interject(self, view: Any, plays: Options) -> Act | None:
        return acts.NameOmen("nobody")


class Confused(Bot):
    game = "teaching"

    def decide(self, view: Any, ask: Any) -> Act:
        return acts.NameOmen("nobody")


def test_a_bot_changes_its_seat_and_learns_how_it_ended(
    service: LocalService, capsys: pytest.CaptureFixture[str]
) -> None:
    played = run(Careful, matches=3, seats=3, transport=service.transport())
    assert [one.seat for one in played] == [0, 1, 2]
    assert Careful.asked > 0
    assert [ending for _, (ending, _) in Careful.endings] == ["harvest"] * 3
    winners = [seats for _, (_, seats) in Careful.endings]
    assert [one.won for one in played] == [one.seat in seats for one, seats in zip(played, winners, strict=True)]
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_bots_that_run_here_play_the_other_seats(service: LocalService) -> None:
    played = run(
        RandomBot,
        matches=2,
        game="teaching",
        seats=4,
        opponents=["random", Thumping, "house"],
        concurrency=2,
        transport=service.transport(),
        quiet=True,
    )
    (first, second) = service.matches.values()
    assert {seat.player for seat in first.info.seats} == {"RandomBot", "random", "Thumping", "a bot of the house"}
    assert {one.match for one in played} == {first.info.name, second.info.name}


def test_the_same_seed_gives_bots_the_same_chance(service: LocalService) -> None:
    drawn = []

    class Noting(RandomBot):
        game = "teaching"

        def ended(self, view: Any, result: tuple[str, tuple[int, ...]]) -> None:
            drawn.append(self.seed)

        def __init__(self, seed: int = 0) -> None:
            super().__init__(seed)
            self.seed = seed

    for _ in range(2):
        run(Noting, matches=3, seats=2, seed=7, transport=service.transport(), quiet=True)
    assert drawn[:3] == drawn[3:]
    assert len(set(drawn)) == 3
    run(Noting, matches=3, seats=2, transport=service.transport(), quiet=True)
    assert set(drawn[6:]).isdisjoint(drawn[:6]), "without a seed nobody can tell"


def test_an_illegal_act_is_raised_and_the_bot_resigns(service: LocalService) -> None:
    with pytest.raises(errors.IllegalAct, match=r"TEACH-1\.5") as caught:
        run(Confused, seats=2, transport=service.transport())
    (hosted,) = service.matches.values()
    assert f"in {hosted.info.name}, seat 0, asked by TEACH-" in str(caught.value)
    assert hosted.match is not None
    assert hosted.match.g.table["absent/0"] is True


def test_an_illegal_play_out_of_turn_is_a_mistake_as_well(service: LocalService) -> None:
    with pytest.raises(errors.IllegalAct):  # in the first match in which chance deals it a play, and time to make it
        run(Meddling, matches=50, seats=2, transport=service.transport(), quiet=True)


def test_nobody_waits_for_a_bot_that_cannot_be_made(service: LocalService) -> None:
    class Unmade(RandomBot):
        game = "teaching"

        def __init__(self, seed: int = 0) -> None:
            raise ZeroDivisionError("of mine")

    with pytest.raises(ZeroDivisionError, match="of mine"):
        run(Unmade, seats=2, transport=service.transport(), quiet=True)
    assert not service.matches


def test_a_match_whose_seats_cannot_all_be_had_is_aborted(
    service: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interruption while the last seat is taken: the match has begun, and its seats are unknown here."""
    join = AsyncClient.join

    async def interrupted(client: AsyncClient, match: str, seat: int | None = None, **how: Any) -> AsyncSeat:
        joined = await join(client, match, seat, **how)
        if seat == 1:
            raise asyncio.CancelledError
        return joined

    monkeypatch.setattr(AsyncClient, "join", interrupted)
    with pytest.raises(asyncio.CancelledError):
        run(RandomBot, game="teaching", seats=3, opponents=["random", "house"], transport=service.transport())
    (hosted,) = service.matches.values()
    assert hosted.info.result.kind == common_pb2.RESULT_KIND_ABORTED


def test_when_one_bot_fails_the_others_that_run_here_give_up_too(service: LocalService) -> None:
    with pytest.raises(errors.IllegalAct):
        run(Confused, seats=4, opponents=["random", RandomBot, "house"], transport=service.transport(), quiet=True)
    (hosted,) = service.matches.values()
    assert hosted.match is not None
    assert [seat for seat in range(4) if hosted.match.g.table.get(f"absent/{seat}")] == [0, 1, 2]


def test_what_a_bot_raises_is_told_even_if_it_cannot_resign(service: LocalService, faults: Faults) -> None:
    class Broken(Bot):
        game = "teaching"

        def decide(self, view: Any, ask: Any) -> Act:
            faults.unreachable = 1_000_000
            raise ZeroDivisionError("of mine")

    with pytest.raises(ZeroDivisionError, match="of mine"):
        run(Broken, seats=2, transport=service.transport(), quiet=True, retry_timeout=0.1)


def test_a_service_that_cannot_be_reached_is_waited_for_as_long_as_one_likes(
    service: LocalService, faults: Faults, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("landsraad.bot_runner._SILENT_SECONDS", 0.01)
    faults.unreachable = 1_000_000
    with pytest.raises(errors.ConnectionLost, match=r"tried for 0\.2 s"):
        run(RandomBot, "somewhere:1", game="teaching", transport=service.transport(), retry_timeout=0.2)
    assert capsys.readouterr().err == "waiting for the service at somewhere:1 ...\n"


STUCK = """
import signal, threading
from landsraad import Bot, run
from landsraad.testing import LocalService

class Stuck(Bot):
    game = "arrakis"

    def decide(self, view, ask):
        print("thinking", flush=True)
        threading.Event().wait()

signal.signal(signal.SIGINT, signal.default_int_handler)
service = LocalService()
try:
    run(Stuck, transport=service.transport(), quiet=True)
except KeyboardInterrupt:
    (hosted,) = service.matches.values()
    print([seat for seat in range(2) if hosted.match.g.table.get(f"absent/{seat}")])
"""


def test_an_interrupted_program_gives_up_its_seats_and_waits_for_no_bot() -> None:
    """Not even for a bot that thinks without end, in a thread that cannot be stopped."""
    with subprocess.Popen([sys.executable, "-c", STUCK], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "thinking\n"
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=20)
        assert (said, process.returncode) == ("[0]\n", 0)


@pytest.mark.asyncio
async def test_bots_think_beside_each_other_in_threads_that_are_used_again() -> None:
    both = threading.Barrier(2)
    async with asyncio.timeout(20):
        await asyncio.gather(run_in_bot_thread(both.wait), run_in_bot_thread(both.wait))
        names = {await run_in_bot_thread(lambda: threading.current_thread().name) for _ in range(100)}
        with pytest.raises(ZeroDivisionError):
            await run_in_bot_thread(lambda: 1 // 0)
        before = threading.active_count()
        for _ in range(100):
            await run_in_bot_thread(int)
    assert names == {"landsraad-bot"}
    assert threading.active_count() == before


def test_as_many_opponents_as_other_seats(service: LocalService) -> None:
    with pytest.raises(ValueError, match="1 opponents for 2 other seats"):
        run(RandomBot, game="teaching", seats=3, opponents=["house"], transport=service.transport())


@pytest.mark.parametrize(
    ("name", "why"), [("nobody", "installed are: .*random"), ("elsewhere", "elsewhere plays dune")]
)
def test_an_unknown_opponent_is_said_before_there_is_a_match(
    service: LocalService, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    monkeypatch.setattr(BOTS, "own", {**BOTS.own, "elsewhere": f"{__name__}:Elsewhere"})
    with pytest.raises(errors.UnknownBot, match=why):
        run(RandomBot, game="teaching", opponents=name, transport=service.transport())
    assert not service.matches


def test_nothing_at_once_is_no_way_to_play(service: LocalService) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        run(RandomBot, game="teaching", concurrency=0, transport=service.transport())


def test_an_unknown_game_is_said() -> None:
    with pytest.raises(errors.UnknownGame, match="arrakis, dune, teaching"):
        run(RandomBot, game="chess", transport=LocalService().transport())
    with pytest.raises(errors.UnknownGame, match="RandomBot names no game"):
        run(RandomBot, transport=LocalService().transport())


@pytest.mark.asyncio
@pytest.mark.parametrize("bot", [Confused, Meddling])
async def test_a_forgiven_mistake_is_replaced_by_a_legal_act(service: LocalService, bot: type[Bot]) -> None:
    """A play out of turn by nothing: the question that is open meanwhile is not forgotten."""
    from landsraad import play_seat

    async with AsyncClient(transport=service.transport()) as client:
        match = await client.create_match("teaching", ["open", "house"])
        seat = await client.join(match.name)
        async with asyncio.timeout(20):
            await play_seat(seat, bot(), replace_illegal=True)
        assert seat.result is not None
