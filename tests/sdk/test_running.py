"""Bots play through the service: what they are given, and what becomes of their mistakes."""

import asyncio
from typing import Any, ClassVar

import pytest

from landsraad import Bot, errors, run
from landsraad.testing import LocalService
from landsraad_engine.bot import RandomBot
from landsraad_engine.grammar import Act, Options
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
        assert ask.explain(acts.NameOmen("nobody")) is not None
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
        at_once=2,
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


def test_an_illegal_act_is_raised_and_the_bot_resigns(service: LocalService) -> None:
    with pytest.raises(errors.IllegalAct, match=r"TEACH-1\.5"):
        run(Confused, seats=2, transport=service.transport())
    (hosted,) = service.matches.values()
    assert hosted.match is not None
    assert hosted.match.g.table["absent/0"] is True


def test_as_many_opponents_as_other_seats(service: LocalService) -> None:
    with pytest.raises(ValueError, match="1 opponents for 2 other seats"):
        run(RandomBot, game="teaching", seats=3, opponents=["house"], transport=service.transport())


def test_an_unknown_game_is_said() -> None:
    with pytest.raises(errors.UnknownGame, match="arrakis, dune, teaching"):
        run(RandomBot, game="chess", transport=LocalService().transport())


@pytest.mark.asyncio
async def test_a_forgiven_mistake_is_replaced_by_a_legal_act(service: LocalService) -> None:
    from landsraad import AsyncClient, play_seat

    async with AsyncClient(transport=service.transport()) as client:
        match = await client.create_match("teaching", ["open", "house"])
        seat = await client.join(match.name)
        async with asyncio.timeout(20):
            await play_seat(seat, Confused(), forgive=True)
        assert seat.result is not None
