"""The hook `told`: every entry of the seat's log, once, in order, before each other call, locally and on a service."""

from itertools import pairwise
from typing import Any

import pytest

from landsraad import games, run
from landsraad.announcements import announcements
from landsraad.testing import Faults, LocalService
from landsraad_engine.errors import BotFailed
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.bot import Decision, RandomBot
from landsraad_engine.play.match import Match
from landsraad_engine.play.self_play import play_out, standing
from landsraad_engine.teaching.game import TEACHING


class Listening(RandomBot):
    """A bot that notes its calls and all entries."""

    game = "teaching"
    made: list["Listening"]
    busy = False

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.entries: list[Any] = []
        self.calls: list[str] = []
        self.made.append(self)

    def told(self, view: Any, events: Any) -> None:
        assert not self.busy
        assert view.side
        assert events
        self.entries += events
        self.calls.append("told")

    def decide(self, view: Any, ask: Decision) -> Act:
        self.busy = True
        act = super().decide(view, ask)
        assert any(entry[0] == "ask" for entry in self.entries)
        self.calls.append("decide")
        self.busy = False
        return act

    def ended(self, view: Any, result: Any) -> None:
        self.calls.append("ended")


class Interjecting(Listening):
    """A bot that listens and makes out-of-turn plays."""

    def interject(self, view: Any, plays: Options) -> Act | None:
        assert not self.busy
        self.calls.append("interject")
        return None


class Deaf(RandomBot):
    """A bot whose hook fails."""

    game = "teaching"

    def told(self, view: Any, events: Any) -> None:
        raise ValueError("too loud")


@pytest.fixture(params=[Listening, Interjecting])
def kind(request: pytest.FixtureRequest) -> type[Listening]:
    found: type[Listening] = request.param
    found.made = []
    return found


def check_calls(bot: Listening) -> None:
    assert "told" in bot.calls
    assert bot.calls[0] == "told"
    assert bot.calls[-1] == "ended"
    for before, call in pairwise(bot.calls):
        assert call != "decide" or before in ("told", "interject"), "the question itself is an entry of the log"


def test_local_play_tells_the_whole_log_in_order(kind: type[Listening]) -> None:
    match = Match(TEACHING, 2, {"rounds": 4}, orders=standing(2))
    bots = [kind(1), kind(2)]
    play_out(match, bots)
    for seat, bot in enumerate(bots):
        assert bot.entries == match.log(seat)
        check_calls(bot)


def test_a_service_tells_the_whole_log_in_order_even_after_a_cut(kind: type[Listening]) -> None:
    service = LocalService(faults=Faults(cut_after=iter([3, 5])))
    (played,) = run(kind, seats=2, opponents="random", options={"rounds": 4}, transport=service.transport(), quiet=True)
    (bot,) = kind.made
    (match,) = service.matches.values()
    assert match.match is not None
    log = match.match.log(played.seat)
    assert bot.entries == log
    check_calls(bot)


def test_a_failure_of_the_hook_names_it() -> None:
    with pytest.raises(BotFailed, match=r"told has failed in match, seat 0, asked by TEACH-\S+: ValueError: too loud"):
        play_out(Match(TEACHING, 2, orders=standing(2)), [Deaf(), RandomBot()])


def test_announcements_are_read_from_what_is_told() -> None:
    facts: list[Any] = []

    class Reading(RandomBot):
        game = "dune"

        def told(self, view: Any, events: Any) -> None:
            facts.extend(announcements("dune", events))

    play_out(Match(games.load("dune"), 2, orders=standing(2)), [Reading(), RandomBot(1)])
    assert facts
