"""Timeouts: act on deadlines of a running match, of one that waits for players, and of one that is over."""

from __future__ import annotations

from functools import partial

from landsraad_engine.errors import LawBroken
from landsraad_server.matches import match_changes
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.match_clocks import runs_out
from landsraad_server.matches.match_hosts import MatchHosts
from landsraad_server.matches.records import ClockTerms, Ending, MatchResult, MatchStage, Overtime
from landsraad_server.refusals import Denied

#: Delay after which the clock of a match expires again if this worker could not act on it: workers of another build
#: play the match, or its log has just lost its end.
_RETRY_MS = 1000


async def process_timeouts(hosts: MatchHosts, match: str) -> int:
    """Do all that is due in a match, and return the time of its next deadline; 0 if it has none."""
    try:
        try:
            await hosts.change(match, expire)
        except LawBroken as error:
            # The rules fail at the default act, and would fail every time: the match cannot go on.
            hosts.log_fault("overtime", match, error)
            fault = partial(match_changes.end_early, kind=Ending.INFRASTRUCTURE, reason="a fault of the service")
            await hosts.change(match, fault)
        found = await hosts.read(match, HostedMatch.frozen_copy)
    except Denied:
        return 0  # The match has left the store.
    now = hosts.now()
    if found.of_other_build:
        return now + _RETRY_MS
    if found.over and found.due() <= now:
        return 0 if await hosts.archive_match(match) else hosts.now() + _RETRY_MS
    needs_bot = 0 < found.bots_due() <= now
    if needs_bot:  # The process of the house bots may have missed an earlier request.
        hosts.request_bots(match)
    return found.due(called=now if needs_bot else 0)


def expire(hosted: HostedMatch, now: int) -> None:
    """Act on everything in the match whose time is up. This is the `run` of a request."""
    if hosted.stage is MatchStage.OPEN and hosted.due() <= now:
        hosted.end(MatchResult(Ending.ABORTED, reason="nobody came"), now)
    if hosted.stage is not MatchStage.LIVE or hosted.of_other_build:
        return
    rules = hosted.terms.clock
    if hosted.window_ends:
        if hosted.window_ends <= now:
            hosted.close_window()
    elif rules is not None:
        _apply_timeouts(hosted, rules, now)


def _apply_timeouts(hosted: HostedMatch, rules: ClockTerms, now: int) -> None:
    """Do to each seat whose clock has run out what the match's terms say."""
    late = [
        number
        for number, seat in enumerate(hosted.seats)
        if 0 < runs_out(rules, seat, hosted.waits_until(number)) <= now
    ]
    for number in late:
        ask = hosted.game.g.ask
        if ask is None or number not in hosted.game.g.waiting:
            continue  # The timeout of another seat has closed the question.
        match rules.outcome:
            case Overtime.DEFAULT_ACT:
                hosted.game.answer(number, ask.default_for(number))
            case Overtime.RESIGN:
                match_changes.retire_seat(hosted, now, number, Ending.TIMEOUT)
            case Overtime.HOUSE_BOT:
                match_changes.give_to_house(hosted, now, number)
                seat = hosted.changes.seat(number)
                seat.asked_at, seat.spent_ms = now, 0
