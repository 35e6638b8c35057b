"""What happens when time is up: in a live match, in one that waits for players, and in one that is over."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from landsraad_engine.errors import LawBroken
from landsraad_server.matches import match_changes
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_clocks import runs_out
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.records import ClockTerms, Ending, MatchResult, MatchStage, Overtime
from landsraad_server.refusals import Denied

#: A clock that has run out in a match of another build's comes back so soon, for its own workers to find; and so does
#: that of a match whose end was lost in the last moment.
_AGAIN_MS = 1000


async def look(hall: MatchHosts, match: str) -> int:
    """Do what is due in a match; when to look again, or 0."""
    try:
        try:
            await hall.change(match, expire)
        except LawBroken as error:
            # The rules fail at what the clock wants of them, and would every time: nobody can go on.
            hall.fault("overtime", match, error)
            fault = partial(match_changes.end_early, kind=Ending.INFRASTRUCTURE, reason="a fault of the service")
            await hall.change(match, fault)
        found = await hall.read(match, partial(_as_it_stands, now=hall.now()))
    except Denied:
        return 0  # it has left the store
    if found.over and found.due <= hall.now():
        return 0 if await hall.file(match) else hall.now() + _AGAIN_MS
    if found.wanting:  # whoever was told that they are wanted may have gone, too
        hall.call_bots(match)
    return found.due


class _Found(NamedTuple):
    """What of a match says when to look again, all as of one moment: before whoever has asked goes on with it, the next
    turn may have written to the position what never comes to stand.
    """

    over: bool
    #: bots of the house that should have come by now
    wanting: bool
    due: int


def _as_it_stands(position: HostedMatch, now: int) -> _Found:
    if position.elsewhere:
        return _Found(over=False, wanting=False, due=now + _AGAIN_MS)
    wanting = 0 < position.bots_due() <= now
    return _Found(position.over, wanting, position.due(called=now if wanting else 0))


def expire(position: HostedMatch, now: int) -> None:
    """The `run` of a request: everything in the match whose time is up."""
    if position.stage is MatchStage.OPEN and position.due() <= now:
        position.end(MatchResult(Ending.ABORTED, reason="nobody came"), now)
    if position.stage is not MatchStage.LIVE or position.elsewhere:
        return
    rules = position.terms.clock
    if position.window_ends:
        if position.window_ends <= now:
            position.close_window()
    elif rules is not None:
        _too_late(position, rules, now)


def _too_late(position: HostedMatch, rules: ClockTerms, now: int) -> None:
    """What the match says of seats whose time is up."""
    late = [
        number for number, seat in enumerate(position.seats) if 0 < runs_out(rules, seat, position.waits(number)) <= now
    ]
    for number in late:
        ask = position.game.g.ask
        if ask is None or number not in position.game.g.waiting:
            continue  # what another's timeout has led to
        match rules.outcome:
            case Overtime.DEFAULT_ACT:
                position.game.answer(number, ask.default_for(number))
            case Overtime.RESIGN:
                match_changes.give_up(position, now, number, Ending.TIMEOUT)
            case Overtime.HOUSE_BOT:
                match_changes.to_house(position, now, number)
                position.seat(number).asked_at = now
