"""Bots in one process: they get the same decisions as over the wire."""

import pickle
from typing import Any

import pytest

from landsraad_engine.errors import BadOption, Refused
from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.bot import Decision, RandomBot
from landsraad_engine.play.match import Match, verify
from landsraad_engine.play.self_play import play_out, standing
from landsraad_engine.teaching import acts
from landsraad_engine.teaching.game import TEACHING


class Thumping(RandomBot):
    """A bot that makes every out-of-turn play that it may."""

    def interject(self, view: Any, plays: Options) -> Act | None:
        assert view.side in ("amber", "basalt", "coral", "dusk")
        return plays.sample(self.rng)


def played(*bots: type[RandomBot]) -> tuple[Match, list[int]]:
    """Play a match of these bots; return it with the seats of its out-of-turn plays."""
    match = Match(TEACHING, len(bots), {"rounds": 8}, orders=standing(len(bots)))
    play_out(match, [bot(seat) for seat, bot in enumerate(bots)])
    return match, [given.seat for given in match.journal if given.kind == "play"]


def test_a_bot_is_offered_its_plays_out_of_turn() -> None:
    match, seats = played(Thumping, Thumping, Thumping)
    assert seats
    assert verify(TEACHING, match.certificate()) == []


def test_only_those_that_have_something_to_interject_are() -> None:
    assert set(played(RandomBot, Thumping, RandomBot)[1]) == {1}
    assert played(RandomBot, RandomBot, RandomBot)[1] == []


class Confused(RandomBot):
    """A bot whose every answer is illegal."""

    def decide(self, view: Any, ask: Decision) -> Act:
        return acts.NameOmen("nobody")


class Meddling(RandomBot):
    """A bot whose every out-of-turn play is illegal."""

    def interject(self, view: Any, plays: Options) -> Act | None:
        return acts.NameOmen("nobody")


class Curious(RandomBot):
    """A bot that asks about each act before it plays it."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.explained: list[Any] = []

    def decide(self, view: Any, ask: Decision) -> Act:
        assert ask.clock is None
        act = super().decide(view, ask)
        assert ask.explain(act) is None
        self.explained.append((ask, ask.explain(acts.NameOmen("nobody"))))
        assert ask.explain(None).reason == "malformed"  # type: ignore[arg-type, union-attr]
        return act


def test_an_illegal_act_names_match_seat_question_rule_and_legal_acts() -> None:
    match = Match(TEACHING, 2, name="first", orders=standing(2))
    with pytest.raises(Refused) as caught:
        play_out(match, [RandomBot(), Confused()])
    refused = caught.value
    assert match.g.ask is not None
    assert (refused.match, refused.seat, refused.why) == ("first", 1, match.g.ask.why)
    assert refused.nearest
    for part in ("first", "seat 1", refused.why, refused.rule, refused.message, repr(refused.nearest[0])):
        assert part in str(refused)


def test_an_illegal_play_names_its_place_as_well() -> None:
    match = Match(TEACHING, 2, {"rounds": 8}, name="second", orders=standing(2))
    with pytest.raises(Refused, match=r"in second, seat 0, asked by TEACH-") as caught:
        play_out(match, [Meddling(), RandomBot()])
    assert caught.value.match == "second"


def test_errors_survive_the_way_between_processes() -> None:
    refused = Refused("stale", "too late", rule="R", field="f", nearest=(acts.NameOmen("amber"),), decision=7)
    refused.locate("m", 3, "W")
    refused.add_note("a note")
    for error in (refused, BadOption("rounds", "too many")):
        again = pickle.loads(pickle.dumps(error))  # noqa: S301  its own bytes
        assert (type(again), again.args, vars(again), str(again)) == (type(error), error.args, vars(error), str(error))


def test_a_local_decision_explains_as_the_engine_refuses() -> None:
    match = Match(TEACHING, 2, name="third", orders=standing(2))
    bots = [Curious(), Curious()]
    play_out(match, bots)
    illegal = [(ask, said) for bot in bots for ask, said in bot.explained if said is not None]
    assert len(illegal) == sum(len(bot.explained) for bot in bots)
    for ask, said in illegal:
        assert (said.reason, said.match, said.seat, said.why) == ("against_rules", "third", ask.seat, ask.why)
        assert said.fields == ({said.field: said.message} if said.field else {})


def test_a_decision_alone_explains_by_its_options() -> None:
    match = Match(TEACHING, 2, orders=standing(2))
    assert match.g.ask is not None
    ask = Decision(0, match.g.ask.options[0], match.g.ask.why)
    act = next(ask.options.enumerate())
    said = ask.explain(acts.NameOmen("nobody"))
    assert ask.explain(act) is None
    assert said is not None
    assert said.reason == "against_rules"
    assert all(ask.explain(near) is None for near in said.nearest)
