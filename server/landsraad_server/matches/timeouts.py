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


async def process_timeouts(hosts: MatchHosts, match: str) -> int:
    """Do what is due in a match; when to look again, or 0."""
    try:
        try:
            await hosts.change(match, expire)
        except LawBroken as error:
            # The rules fail at what the clock wants of them, and would every time: nobody can go on.
            hosts.log_fault("overtime", match, error)
            fault = partial(match_changes.end_early, kind=Ending.INFRASTRUCTURE, reason="a fault of the service")
            await hosts.change(match, fault)
        found = await hosts.read(match, partial(_as_it_stands, now=hosts.now()))
    except Denied:
        return 0  # it has left the store
    if found.over and found.due <= hosts.now():
        return 0 if await hosts.archive_match(match) else hosts.now() + _AGAIN_MS
    if found.wanting:  # whoever was told that they are wanted may have gone, too
        hosts.request_bots(match)
    return found.due


class _Found(NamedTuple):
    """What of a match says when to look again, all as of one moment: before whoever has asked goes on with it, the next
    turn may have written to the position what never comes to stand.
    """

    over: bool
    #: bots of the house that should have come by now
    wanting: bool
    due: int


def _as_it_stands(hosted: HostedMatch, now: int) -> _Found:
    if hosted.elsewhere:
        return _Found(over=False, wanting=False, due=now + _AGAIN_MS)
    wanting = 0 < hosted.bots_due() <= now
    return _Found(hosted.over, wanting, hosted.due(called=now if wanting else 0))


def expire(hosted: HostedMatch, now: int) -> None:
    """The `run` of a request: everything in the match whose time is up."""
    if hosted.stage is MatchStage.OPEN and hosted.due() <= now:
        hosted.end(MatchResult(Ending.ABORTED, reason="nobody came"), now)
    if hosted.stage is not MatchStage.LIVE or hosted.elsewhere:
        return
    rules = hosted.terms.clock
    if hosted.window_ends:
        if hosted.window_ends <= now:
            hosted.close_window()
    elif rules is not None:
        _too_late(hosted, rules, now)


def _too_late(hosted: HostedMatch, rules: ClockTerms, now: int) -> None:
    """What the match says of seats whose time is up."""
    late = [
        number for number, seat in enumerate(hosted.seats) if 0 < runs_out(rules, seat, hosted.waits(number)) <= now
    ]
    for number in late:
        ask = hosted.game.g.ask
        if ask is None or number not in hosted.game.g.waiting:
            continue  # what another's timeout has led to
        match rules.outcome:
            case Overtime.DEFAULT_ACT:
                hosted.game.answer(number, ask.default_for(number))
            case Overtime.RESIGN:
                match_changes.retire_seat(hosted, now, number, Ending.TIMEOUT)
            case Overtime.HOUSE_BOT:
                match_changes.give_to_house(hosted, now, number)
                hosted.seat(number).asked_at = now
