"""Bots in one process: they get the same decisions as over the wire."""

from typing import Any

from landsraad_engine.kernel.grammar import Act, Options
from landsraad_engine.play.bot import RandomBot
from landsraad_engine.play.match import Match, verify
from landsraad_engine.play.self_play import play_out, standing
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
