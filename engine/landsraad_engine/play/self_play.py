"""Local play: bots in one process, with the same question and view that they get over the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from landsraad_engine.errors import LawBroken
from landsraad_engine.kernel.execution import AUTO, plays
from landsraad_engine.knowledge.views import SeatView

from .bot import Bot, Decision
from .match import Match

#: A match that takes more inputs than this does not end: a rule is missing somewhere.
BOUND = 200_000


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
            act = bots[seat].decide(views[seat].renew(), Decision(seat, options, ask.why, ask.window))
        match.answer(seat, act)
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
                match.submit(seat, act)
                return True
    return False
