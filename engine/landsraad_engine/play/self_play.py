"""Local play: bots in one process, with the same question and view that they get over the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from landsraad_engine.errors import LawBroken, Refused
from landsraad_engine.kernel.execution import AUTO, plays
from landsraad_engine.kernel.grammar import Act
from landsraad_engine.knowledge.views import SeatView

from .bot import Bot, Decision
from .match import Match

#: A match that takes more inputs than this does not end: a rule is missing somewhere.
BOUND = 200_000


class LocalDecision(Decision):
    """A decision of a match in this process. The engine itself explains why an act is illegal."""

    __slots__ = ("_match",)

    def __init__(self, match: Match, seat: int) -> None:
        ask = match.g.ask
        assert ask is not None
        super().__init__(seat, ask.options[seat], ask.why, ask.window)
        self._match = match

    def explain(self, act: Act) -> Refused | None:
        """Return why an act is illegal.

        Args:
            act: The act to check.

        Returns:
            The refusal that the act would meet; None if it is legal.
        """
        try:
            self._match.try_out(self.seat, act)
        except Refused as refused:
            refused.locate(self._match.name, self.seat, self.why)
            return refused
        return None


@dataclass(slots=True)
class Tally:
    """Counters of a match played out."""

    inputs: int = 0
    #: answers with at least two legal acts
    decisions: int = 0


def standing(seats: int) -> Mapping[int, tuple[str, ...]]:
    """Return the standing orders of seats that do not want to be asked when passing is all they can do."""
    return dict.fromkeys(range(seats), (AUTO,))


def play_out(match: Match, bots: Sequence[Bot], most: int | None = None) -> Tally:
    """Play a match with one bot per seat, to its end or for so many inputs at the most.

    Those with something to interject are offered their plays.

    Raises:
        Refused: a bot has chosen an illegal act. The refusal names the match, the seat and the rule that asked it.

    """
    tally = Tally()
    g = match.g
    views = [match.game.facade(g, seat) for seat in range(match.seats)]
    talkative = {seat: bot for seat, bot in enumerate(bots) if type(bot).interject is not Bot.interject}
    while (ask := g.ask) is not None and tally.inputs != most:
        tally.inputs += 1
        if tally.inputs > BOUND:
            raise LawBroken(f"the match does not end: {g.path()}")
        if talkative and _interjected(match, talkative, views):
            continue
        seat = g.waiting[0]
        options = ask.options[seat]
        act = options.only()
        if act is None:
            tally.decisions += 1
            act = bots[seat].decide(views[seat].renew(), LocalDecision(match, seat))
        try:
            match.answer(seat, act)
        except Refused as refused:
            refused.locate(match.name, seat, ask.why)
            raise
    for seat, bot in enumerate(bots):
        if match.result is not None:
            bot.ended(views[seat].renew(), match.result)
    return tally


def _interjected(match: Match, talkative: Mapping[int, Bot], views: Sequence[SeatView]) -> bool:
    """Offer the out-of-turn plays that are open now; True if one was made."""
    for seat, bot in talkative.items():
        open_ = plays(match.g, seat)
        if open_.choices:
            act = bot.interject(views[seat].renew(), open_)
            if act is not None:
                try:
                    match.submit(seat, act)
                except Refused as refused:
                    assert match.g.ask is not None
                    refused.locate(match.name, seat, match.g.ask.why)
                    raise
                return True
    return False
