"""Match changes from outside the game: fill seats, start a match, end it early, revoke credentials.

Each function is the `run` of a request: it changes the hosted match or raises a refusal. If another worker commits
first, the host runs it again on the newer version, so it must not have other effects.
"""

from __future__ import annotations

from landsraad_engine.errors import Refused
from landsraad_server.matches.builds import other_build
from landsraad_server.matches.credentials import SeatProof
from landsraad_server.matches.hosted_match import HostedMatch
from landsraad_server.matches.records import REVOKED, Ending, Fill, MatchResult, MatchStage, Presence, SeatPlan
from landsraad_server.matches.requests import check_known
from landsraad_server.refusals import Denied

#: Name of the account that plays seats for the house: the bots that the service itself runs.
HOUSE = "house"


def join(hosted: HostedMatch, now: int, wanted: int | None, plan: SeatPlan) -> int:
    """Take a seat, and start the match with the last one.

    Idempotent: a repeated request of the same account finds the seat that it got before, and replaces its credential.

    Args:
        hosted: The match.
        now: The time, in ms since 1970.
        wanted: The number of the seat, or None for any.
        plan: The account, its request id, and the digest of its new credential.

    Returns:
        The number of the seat.
    """
    seats = hosted.terms.seats
    for number, held in enumerate(seats):
        if plan.request and (held.account, held.request) == (plan.account, plan.request):
            _check_not_over(hosted)
            replace_credential(hosted, now, number, plan.key)
            return number
    _check_not_over(hosted)
    if hosted.stage is not MatchStage.OPEN:
        raise Denied("WRONG_STATE", "the match has begun")
    _check_build(hosted)
    check_known(hosted, plan.orders, "standing_orders")
    number = _free_seat(hosted, wanted, plan.account)
    plan.fill, plan.invited = seats[number].fill, seats[number].invited
    hosted.assign_seat(number, plan)
    hosted.changes.seat(number).presence = Presence.AWAY
    hosted.changes.seat(number).away_at = now
    if all(other.taken for other in hosted.terms.seats):
        begin(hosted, now)
    return number


def _free_seat(hosted: HostedMatch, wanted: int | None, account: str) -> int:
    seats = hosted.terms.seats
    if wanted is not None and not 0 <= wanted < len(seats):
        raise Denied("NO_SUCH_SEAT", f"the match has the seats 0 to {len(seats) - 1}")
    fitting = [
        number
        for number, plan in enumerate(seats)
        if not plan.taken and (plan.fill is not Fill.INVITED or plan.invited == account)
    ]
    # A seat to which the account is invited comes before seats that are open to all.
    fitting.sort(key=lambda number: seats[number].fill is not Fill.INVITED)
    if wanted is None:
        if not fitting:
            raise Denied("SEAT_TAKEN", "no seat is free for this account")
        return fitting[0]
    if wanted not in fitting:
        reserved = seats[wanted].fill is Fill.INVITED and not seats[wanted].taken
        raise Denied("NOT_YOURS" if reserved else "SEAT_TAKEN", f"seat {wanted} is not free for this account")
    return wanted


def leave(hosted: HostedMatch, _now: int, number: int, proof: SeatProof) -> None:
    """Give a seat back before the match begins."""
    proof.check(hosted, number)
    _check_not_over(hosted)
    if hosted.stage is not MatchStage.OPEN:
        raise Denied("WRONG_STATE", "the match has begun: a seat can resign, but not leave")
    held = hosted.terms.seats[number]
    if held.account:
        hosted.assign_seat(number, SeatPlan(held.fill, held.invited))
        replace_credential(hosted, 0, number)
        hosted.changes.seat(number).presence = Presence.NOBODY


def start(hosted: HostedMatch, now: int, account: str, *, house: bool) -> None:
    """Start the match for its creator. Free seats go to house bots, if the service has them (`house`)."""
    if hosted.terms.creator != account:
        raise Denied("NOT_YOURS", "only the account that made the match may begin it")
    _check_not_over(hosted)
    if hosted.stage is not MatchStage.OPEN:
        raise Denied("WRONG_STATE", "the match has begun")
    _check_build(hosted)
    free = [number for number, plan in enumerate(hosted.terms.seats) if not plan.taken]
    if free and not house:
        raise Denied("WRONG_STATE", "not all seats are taken, and this service has no bots of the house")
    for number in free:
        give_to_house(hosted, now, number)
    begin(hosted, now)


def give_to_house(hosted: HostedMatch, now: int, number: int) -> None:
    """Let a house bot play the seat from now on."""
    old = hosted.terms.seats[number]
    bot = old.invited if old.fill is Fill.HOUSE else ""
    hosted.assign_seat(number, SeatPlan(Fill.HOUSE, bot, "", HOUSE, old.entropy, old.orders))
    replace_credential(hosted, now, number)


def replace_credential(hosted: HostedMatch, now: int, number: int, key: bytes = b"") -> None:
    """Revoke the credential of a seat and close its stream. `key` is the digest of the next credential, if any."""
    hosted.changes.plan(number).key = key
    state = hosted.changes.seat(number)
    if state.presence is not Presence.RESIGNED:
        state.presence = Presence.AWAY
    state.stream, state.away_at = REVOKED, now


def begin(hosted: HostedMatch, now: int) -> None:
    """Fill the clocks, and play up to the first question."""
    rules = hosted.terms.clock
    if rules is not None:
        for number in range(len(hosted.seats)):
            hosted.changes.seat(number).bank_ms = rules.bank_ms
    hosted.begin(now)


def resign(hosted: HostedMatch, now: int, number: int, proof: SeatProof) -> None:
    """Resign from a running match."""
    proof.check(hosted, number)
    _check_not_over(hosted)
    if hosted.stage is not MatchStage.LIVE:
        raise Denied("WRONG_STATE", "the match has not begun: a seat can leave, but not resign")
    _check_build(hosted)
    if hosted.seats[number].presence is not Presence.RESIGNED:
        retire_seat(hosted, now, number, Ending.RESIGNATION)


def retire_seat(hosted: HostedMatch, now: int, number: int, kind: Ending) -> None:
    """Let a seat take default acts from now on. If that leaves one side, end the match with its seats as winners."""
    hosted.changes.seat(number).presence = Presence.RESIGNED
    playing = tuple(other for other, seat in enumerate(hosted.seats) if seat.presence is not Presence.RESIGNED)
    if hosted.game.g.setting.game.decided(hosted.game.g, playing):
        hosted.end(MatchResult(kind, winners=playing, cause=number), now)
    else:
        hosted.game.set_absent(number)


def vacate(hosted: HostedMatch, now: int, worker: str) -> bool:
    """Mark the seats of a dead worker's streams as away.

    Returns:
        Whether a house bot is needed for one of them.
    """
    if hosted.over:
        return False
    vacant = [number for number, seat in enumerate(hosted.seats) if seat.stream.startswith(f"{worker}.")]
    for number in vacant:
        mark_away(hosted, number, now)
    return hosted.stage is MatchStage.LIVE and any(map(hosted.wants_bot, vacant))


def mark_away(hosted: HostedMatch, number: int, now: int) -> None:
    """Record that no stream plays a seat any more."""
    state = hosted.changes.seat(number)
    state.stream, state.away_at = "", now
    if state.presence is not Presence.RESIGNED:
        state.presence = Presence.AWAY


def revoke_seat(hosted: HostedMatch, now: int, number: int) -> None:
    """Revoke the credential of the account that has joined a seat."""
    hosted.check_seat(number)
    _check_not_over(hosted)
    if not hosted.terms.seats[number].account:
        raise Denied("WRONG_STATE", "nobody has joined this seat")
    replace_credential(hosted, now, number)


def revoke_account(hosted: HostedMatch, now: int, account: str) -> list[int]:
    """Revoke the credentials of all seats of an account in this match, and return the seats."""
    if hosted.over:
        return []
    seats = [number for number, plan in enumerate(hosted.terms.seats) if plan.account == account]
    for number in seats:
        replace_credential(hosted, now, number)
    return seats


def assign_bots(hosted: HostedMatch, _now: int, keys: dict[int, bytes]) -> list[int]:
    """Give house bots credentials for the seats that need a bot.

    Args:
        hosted: The match.
        _now: Unused.
        keys: By seat, the digest of the credential that its bot would get.

    Returns:
        The seats that bots have to play from now on.
    """
    if hosted.stage is not MatchStage.LIVE:
        return []
    wanted = [number for number in keys if hosted.wants_bot(number)]
    for number in wanted:
        hosted.changes.plan(number).key = keys[number]
    return wanted


def restart_clocks(hosted: HostedMatch, now: int, asked: int) -> None:
    """Start the clocks of the questions of one record anew: they were told late."""
    if hosted.stage is MatchStage.LIVE and not hosted.of_other_build:
        for number, seat in enumerate(hosted.seats):
            if seat.asked_at == asked:
                hosted.changes.seat(number).asked_at = now


def abort(hosted: HostedMatch, now: int, account: str, reason: str) -> None:
    """Abort the match for its creator, unless another account has a seat."""
    if hosted.terms.creator != account:
        raise Denied("NOT_YOURS", "only the account that made the match may abort it")
    others = [plan for plan in hosted.terms.seats if plan.account not in ("", account)]
    if others and not hosted.over:
        raise Denied("NOT_YOURS", "another account has a seat: the match is not yours alone any more")
    end_early(hosted, now, Ending.ABORTED, reason)


def end_early(hosted: HostedMatch, now: int, kind: Ending, reason: str) -> None:
    """End the match without winners."""
    _check_not_over(hosted)
    hosted.end(MatchResult(kind, reason=reason), now)


def _check_build(hosted: HostedMatch) -> None:
    """Refuse a change that may need the game's rules if another build plays the match."""
    if not hosted.ours:
        raise other_build()


def _check_not_over(hosted: HostedMatch) -> None:
    if hosted.over:
        raise Refused("over", "the match has ended")
