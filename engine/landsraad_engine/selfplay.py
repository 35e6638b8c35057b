"""Local play: bots in one process, with the same question and view that they get over the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .bot import Bot, Question
from .errors import LawBroken
from .facade import Seen
from .kernel import AUTO, plays
from .match import Match

#: A match that takes more inputs than this does not end: a rule is missing somewhere.
BOUND = 200_000


@dataclass(slots=True)
class Tally:
    """What it took to play a match out."""

    inputs: int = 0
    #: answers with at least two legal acts
    decisions: int = 0


def standing(seats: int) -> Mapping[int, tuple[str, ...]]:
    """Standing orders of seats that do not want to be asked when passing is all they can do."""
    return dict.fromkeys(range(seats), (AUTO,))


def play_out(match: Match, bots: Sequence[Bot], *, interject: bool = False, bound: int = BOUND) -> Tally:
    """Play a match to its end with one bot per seat. With ``interject`` bots are offered out-of-turn plays, too."""
    tally = Tally()
    g = match.g
    views = [match.game.facade(g, seat) for seat in range(match.seats)]
    while (ask := g.ask) is not None:
        tally.inputs += 1
        if tally.inputs > bound:
            raise LawBroken(f"the match does not end: {g.path()}")
        if interject and _interjected(match, bots, views):
            continue
        seat = g.waiting[0]
        options = ask.options[seat]
        act = options.only()
        if act is None:
            tally.decisions += 1
            act = bots[seat].decide(views[seat].renew(), Question(seat, options, ask.why, ask.window))
        match.answer(seat, act)
    for seat, bot in enumerate(bots):
        if match.result is not None:
            bot.ended(views[seat].renew(), match.result)
    return tally


def _interjected(match: Match, bots: Sequence[Bot], views: Sequence[Seen]) -> bool:
    """Offer each seat its out-of-turn plays once; True if one was made."""
    for seat, bot in enumerate(bots):
        open_ = plays(match.g, seat)
        if open_.choices:
            act: Any = bot.interject(views[seat].renew(), open_)
            if act is not None:
                match.submit(seat, act)
                return True
    return False
